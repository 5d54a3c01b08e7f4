/** Indentation of XML that this module wrote: one element to a line. */

/** .NET's, on the service's own system. */
export const NEWLINE = '\r\n'
const STEP = '  '

/**
 * Indents pieces of markup, each of them whole tags: an element with elements gets a line for each, one with text stays on its line. It
 * relies on what the writer does: "<" and ">" stand nowhere but in tags, an empty element is `<Name />`.
 */
export function* indented(pieces: Iterable<string>): Generator<string, void> {
  let depth = 0
  let first = true
  for (const piece of pieces) {
    let text = ''
    for (const part of piece.slice(1, -1).split('><')) {
      const closes = part.startsWith('/')
      if (closes) depth--
      text += `${first ? '' : NEWLINE}${STEP.repeat(depth)}<${part}>`
      first = false
      if (!closes && !part.endsWith('/') && !part.includes('</')) depth++
    }
    yield text
  }
}
