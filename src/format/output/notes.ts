/**
 * Notes, hints and errors on a terminal: broken between words, but never inside a command, which is there to be copied. A command
 * longer than a line is left to the terminal, which breaks it without inserting a line break.
 */
import { withoutColours } from './safe-text.js'
import { textWidth } from './width.js'

/** Replaces a space inside a command while lines are broken. It is in the private use area, so that no text contains it. */
const GLUE = '\ue000'

const FLAG = /^--?[a-z]/i
/** A word that occurs only in command lines: a placeholder, a number, a path, a quoted text. */
const ARGUMENT = /^(?:[A-Z][A-Z0-9_|-]*|\d\S*|["'].*|\S+\.(?:csv|ya?ml|json|xlsx|wsdl|db)|\.{3}|…|-)$/
const ENDS = /[.,;:)]$/

/** @param indent columns that a label takes before the first line */
export function wrapNote(text: string, width: number, indent = 0): string {
  const lines = text.split('\n').flatMap((line, at) => wrapLine(line, Math.max(1, width), at === 0 ? indent : 0))
  return lines.join('\n').replaceAll(GLUE, ' ')
}

function wrapLine(line: string, width: number, indent: number): string[] {
  const margin = line.slice(0, line.search(/[^ ]|$/))
  const lines: string[] = []
  let current = margin
  let taken = indent + margin.length
  for (const word of glued(line.slice(margin.length)).split(' ')) {
    const columns = textWidth(withoutColours(word))
    const empty = current === margin
    if (!empty && taken + 1 + columns > width) {
      lines.push(current)
      current = margin + word
      taken = margin.length + columns
    } else {
      current += empty ? word : ` ${word}`
      taken += columns + (empty ? 0 : 1)
    }
  }
  return [...lines, current]
}

/** A number and what belongs to it: `5 970 kr`, `10 %`. */
const NUMBER = /(\d) (?=\d{3}(?!\d)|%|kr\b|[A-Z]{3}\b)/g

/** The line with its commands held together, and its numbers. */
function glued(line: string): string {
  const words = line.replace(NUMBER, `$1${GLUE}`).split(' ')
  let out = ''
  let inside: 'name' | 'rest' | undefined
  let before = ''
  for (const [index, word] of words.entries()) {
    const glue = inside !== undefined && belongs(word, before, inside)
    out += index === 0 ? word : `${glue ? GLUE : ' '}${word}`
    if (/^[("']?seller$/.test(word)) inside = 'name'
    else if (glue && !ENDS.test(word)) inside = 'rest'
    else inside = undefined
    before = word
  }
  return out
}

function belongs(word: string, before: string, inside: 'name' | 'rest'): boolean {
  const bare = word.replace(/[.,;:)]+$/, '')
  if (inside === 'name') return /^[a-z-]+(?::[a-z-]+)?$/.test(bare)
  // The value of a flag may look like any word.
  return FLAG.test(bare) || ARGUMENT.test(bare) || FLAG.test(before)
}
