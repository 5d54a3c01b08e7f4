/** Reads prices and ids from the cells of a file. */
import { type NumberRead, plainDigits, readKronor, wholeNumber } from '../contract/index.js'

export { type NumberRead, plainDigits }

/** Why a formula is not a number: the file was made by a program that does not calculate, or shows formulas. */
export const NO_VALUE = 'is a formula without its value; open the file in a spreadsheet program and save it, or write the number'

/** A price of at least 1 kr: `499`, `1 234`, `1234 kr`. */
export function readPrice(text: string): NumberRead {
  const read = readKronor(text, 1)
  return 'why' in read && text.startsWith('=') ? { why: NO_VALUE } : read
}

/** Digits, in groups of three if a spreadsheet separated them, and the `.0` of a column of decimals. */
const ID = /^(\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d+)(?:\.0)?$/

/** An id of an item: `1001`, `600 000 408`. */
export function readId(text: string): NumberRead {
  const quick = plainDigits(text)
  if (quick > 0) return { value: quick }
  const trimmed = text.trim()
  if (trimmed === '') return { why: 'is empty; write the id of the item' }
  const digits = ID.exec(trimmed)?.[1]
  if (digits === undefined && trimmed.startsWith('=')) return { why: NO_VALUE }
  if (digits === undefined) return { why: 'is not an item id; an id is a whole number such as 1001' }
  return wholeNumber(digits.replace(/\D/g, ''), 'an id', 1)
}

/** Reads a value of a file. @param literal how a number is written, if not in plain digits */
export type ReadValue = (value: unknown, literal?: string) => NumberRead

/**
 * Reads the text of a cell, or a text or number of JSON: a number as it is written.
 * @param noNumber why anything else is refused; by default as a text that is no number is
 */
export function valueReader(read: (text: string) => NumberRead, noNumber?: string): ReadValue {
  return (value, literal) => {
    if (typeof value === 'string') return read(value)
    if (value === undefined || value === null) return read('')
    if (typeof value === 'number') return read(literal ?? String(value))
    return noNumber === undefined ? read('no number') : { why: noNumber }
  }
}

export const readPriceValue = valueReader(readPrice, 'is not a number; write the price in whole kronor')
export const readIdValue = valueReader(readId)
