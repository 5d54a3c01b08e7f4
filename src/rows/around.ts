/** What sellers write around a list in a sheet: a title above the names of the columns, sums below the rows. */
import type { FaultList } from './faults.js'

/** Why a row of sums is refused. */
export const SUM_FAULT = 'is a row of sums, which names no item; delete the row'

const SUMS = /^\s*(?:del)?(?:summa|sum|totalt?|total sum)\b/i

/** Refuses a title: one text alone where the names of the columns are expected. @returns whether there is one */
export function refusesTitle(columns: readonly string[], faults: FaultList): boolean {
  const [only = '', ...others] = columns.filter((name) => name.trim() !== '')
  if (others.length > 0 || !/\S\s+\S/.test(only)) return false
  const what = 'is the title of the list; the names of the columns must stand in the first line. Delete the lines above them.'
  // Of the columns that the lines below seem to have, nothing is true.
  faults.clear()
  faults.add(1, null, only, what)
  return true
}

/** Whether a value is a word for a sum, where an item should be named. */
export function isSum(value: unknown): boolean {
  return SUMS.test(String(value))
}

/** Whether a whole row is one of sums: the word alone, and then nothing but numbers. @returns the word */
export function sumIn(values: readonly unknown[]): string | undefined {
  const [first, ...others] = values.map((value) => String(value ?? '').trim()).filter((text) => text !== '')
  if (first === undefined || !isSum(first) || /\s/.test(first)) return undefined
  return others.every((text) => /^[\d\s\u00a0.,-]+(?:kr|SEK)?$/i.test(text)) ? first : undefined
}
