/** Remarks of the price readers about an input, besides its rows. */
import type { Encoding } from './bytes.js'

/** How many columns a note names; the others are counted. */
const NAMED = 6

/** Says that an input was not in UTF-8. */
export function encodingNote(encoding: Encoding): string[] {
  return encoding === 'UTF-8' ? [] : [`The input was read as ${encoding}.`]
}

/** Says which columns have no meaning for the input. @param done what is done with the others */
export function otherColumnsNote(names: readonly string[], done: 'sent' | 'read' = 'sent'): string[] {
  if (names.length === 0) return []
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return [`Columns that are not ${done}: ${names.slice(0, NAMED).join(', ')}${more}.`]
}
