/** Indents XML that this folder wrote: one element to a line. */

/** The line end of .NET on the service's own system. */
export const NEWLINE = '\r\n'
const STEP = '  '

/**
 * Indents pieces of markup, each of them whole tags. An element with children gets a line for each; an element with text stays on
 * one line. It relies on the writer: "<" and ">" occur only in tags, and an empty element is `<Name />` or `<Name/>`.
 */
export function* indented(pieces: Iterable<string>, newline = NEWLINE): Generator<string, void> {
  let depth = 0
  let first = true
  for (const piece of pieces) {
    let text = ''
    for (const part of piece.slice(1, -1).split('><')) {
      const closes = part.startsWith('/')
      if (closes) depth--
      text += `${first ? '' : newline}${STEP.repeat(depth)}<${part}>`
      first = false
      if (!closes && !part.endsWith('/') && !part.includes('</')) depth++
    }
    yield text
  }
}
