/**
 * Notes, hints and errors on a terminal: broken between words, but never inside a command, which is there to be copied: its words
 * come held together. One longer than a line is left to the terminal, which breaks it without inserting a line break.
 */
import { GLUE } from '../../messages/index.js'
import { withoutColours } from './safe-text.js'
import { BREAK, textWidth } from './width.js'

/** @param indent columns that a label takes before the first line */
export function wrapNote(text: string, width: number, indent = 0): string {
  const lines = text.split('\n').flatMap((line, at) => wrapLine(line, Math.max(1, width), at === 0 ? indent : 0))
  return lines.join('\n').replaceAll(GLUE, ' ')
}

function wrapLine(line: string, width: number, indent: number): string[] {
  const margin = line.slice(0, line.search(/[^ ]|$/))
  const lines: string[] = []
  let current = margin
  let usedWidth = indent + margin.length
  for (const word of line.slice(margin.length).split(BREAK)) {
    const columns = textWidth(withoutColours(word))
    const empty = current === margin
    if (!empty && usedWidth + 1 + columns > width) {
      lines.push(current)
      current = margin + word
      usedWidth = margin.length + columns
    } else {
      current += empty ? word : ` ${word}`
      usedWidth += columns + (empty ? 0 : 1)
    }
  }
  return [...lines, current]
}
