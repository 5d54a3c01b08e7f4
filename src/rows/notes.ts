/**
 * Remarks about an input besides its rows, and what sellers write around a list: a title above the columns, sums below the rows.
 */
import { someOf } from '../contract/some-of.js'
import type { Encoding } from './bytes.js'
import { dangerousFirst } from './columns.js'
import type { FaultList } from './faults.js'

/** Number of columns that a note names; the others are counted. */
const NAMED = 6

/** Says that an input was not in UTF-8. */
export function encodingNote(encoding: Encoding): string[] {
  return encoding === 'UTF-8' ? [] : [`The input was read as ${encoding}.`]
}

/** Says which columns have no meaning for the input. @param done what is done with the others */
export function otherColumnsNote(names: readonly string[], verb: 'sent' | 'read' = 'sent'): string[] {
  if (names.length === 0) return []
  return [`Columns that are not ${verb}: ${someOf(dangerousFirst(names), NAMED)}.`]
}

export const NET_NOTE =
  'The prices are read as prices without VAT: the VAT of each item is added, and the price is rounded to whole kronor. If they are with it: --prices gross.'

/** Advice beside a price with öre: prices of the shop are whole kronor with VAT. */
export const VAT_ADVICE = '; if the prices are without VAT, give --prices net'

/** Why a row of sums is refused. */
export const SUM_FAULT = 'is a row of sums, which names no item; delete the row'

const SUMS = /^\s*(?:del)?(?:summa|sum|totalt?|total sum)\b/i

/** Refuses a title: one text alone where the names of the columns are expected. @returns whether there is one */
export function refusesTitle(columns: readonly string[], faults: FaultList): boolean {
  const [only = '', ...others] = columns.filter((name) => name.trim() !== '')
  if (others.length > 0 || !/\S\s+\S/.test(only)) return false
  const what = 'is the title of the list; the names of the columns must stand in the first line. Delete the lines above them.'
  // The columns that the lines below seem to have are not real.
  faults.clear()
  faults.add(1, null, only, what)
  return true
}

/** True if a value is a word for a sum, where an item should be named. */
export function isSum(value: unknown): boolean {
  return SUMS.test(String(value))
}

/** True if a whole row is one of sums: the word alone, and then nothing but numbers. @returns the word */
export function sumIn(values: readonly unknown[]): string | undefined {
  const [first, ...others] = values.map((value) => String(value ?? '').trim()).filter((text) => text !== '')
  if (first === undefined || !isSum(first) || /\s/.test(first)) return undefined
  return others.every((text) => /^[\d\s\u00a0.,-]+(?:kr|SEK)?$/i.test(text)) ? first : undefined
}
