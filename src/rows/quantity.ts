/** Reads a number in stock. */
import { type NumberRead, wholeNumber } from '../contract/index.js'
import { DIGITS } from './number.js'

const WHOLE = new RegExp(`^${DIGITS}(?:[.,]0+)?$`)

/** A number in stock: `12`, `1 234`, `12,0`. */
export function readQuantity(text: string): NumberRead {
  const trimmed = text.trim()
  if (trimmed === '') return { why: 'is empty; write the number in stock, 0 for none' }
  const digits = WHOLE.exec(trimmed)?.[1]?.replace(/\D/g, '')
  if (digits === undefined) return { why: 'is not a number in stock; write a whole number such as 12, or 0 for none' }
  return wholeNumber(digits, 'a number in stock', 0)
}
