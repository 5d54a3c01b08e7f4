/** Reads prices and ids from the cells of a file. */
import { type NumberRead, plainDigits, readKronor, wholeNumber } from '../../contract/index.js'

export { type NumberRead, plainDigits }

/** A price of at least 1 kr: `499`, `1 234`, `1234 kr`. */
export function readPrice(text: string): NumberRead {
  return readKronor(text, 1)
}

/** An id of an item: digits only. */
export function readId(text: string): NumberRead {
  const quick = plainDigits(text)
  if (quick > 0) return { value: quick }
  const trimmed = text.trim()
  if (trimmed === '') return { why: 'is empty; write the id of the item' }
  if (!/^\d+$/.test(trimmed)) return { why: 'is no item id; an id is a whole number such as 1001' }
  return wholeNumber(trimmed, 'an id', 1)
}

/** The value of a JSON number or text as a price. `literal` is how the number was written, where it is not plain digits. */
export function readPriceValue(value: unknown, literal?: string): NumberRead {
  if (typeof value === 'string') return readPrice(value)
  if (value === undefined || value === null) return { why: 'is empty; write the price in whole kronor' }
  if (typeof value !== 'number') return { why: 'is no number; write the price in whole kronor' }
  const written = literal ?? String(value)
  const quick = plainDigits(written)
  return quick > 0 ? { value: quick } : readPrice(written)
}

/** The value of a JSON number or text as an id. */
export function readIdValue(value: unknown, literal?: string): NumberRead {
  if (typeof value === 'string') return readId(value)
  if (value === undefined || value === null) return { why: 'is empty; write the id of the item' }
  if (typeof value !== 'number') return { why: 'is no item id; an id is a whole number such as 1001' }
  return readId(literal ?? String(value))
}
