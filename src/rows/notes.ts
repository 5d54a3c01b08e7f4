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

/** Refuses a value in a column without a name, because it may be the second half of a price. */
export function unnamedFault(
  columns: readonly string[],
  values: readonly unknown[],
  refuse: (value: unknown, why: string) => void,
): void {
  for (const [index, name] of columns.entries()) {
    const value = values[index]
    if (name.trim() !== '' || value === undefined || value === null || String(value).trim() === '') continue
    refuse(value, 'is in a column without a name; was a decimal comma read as a delimiter?')
  }
}
