/** Reads prices, ids and amounts with öre from the cells of a file. */
import { MAX_INT, type NumberRead, plainDigits, readKronor, wholeNumber } from '../contract/index.js'
import { foreignUnit, MONEY_UNITS } from '../contract/numbers.js'
import { unguardedText } from '../workbook/index.js'

export { type NumberRead, plainDigits }

/** Why a formula is not a number: the file was made by a program that does not calculate, or shows formulas. */
export const NO_VALUE = 'is a formula without its value; open the file in a spreadsheet program and save it, or write the value'

/** A price of at least 1 kr: `499`, `1 234`, `1234 kr`. @param currency of the account, as for `readKronor` */
export function readPrice(text: string, currency?: string): NumberRead {
  const result = readKronor(text, 1, currency)
  return 'why' in result && text.startsWith('=') ? { why: NO_VALUE } : result
}

/** A text that is an own reference, without what a spreadsheet needs to take it for a text. */
export function referenceText(cell: string): string {
  const text = unguardedText(cell.trim())
  return /^'[^']+$/.test(text) ? text.slice(1) : text
}

/** Digits, in groups of three if a spreadsheet separated them. */
export const DIGITS = '(\\d{1,3}(?:[ \\u00a0\\u202f]\\d{3})+|\\d+)'
/** With the `.0` of a column of decimals. */
const ID = new RegExp(`^${DIGITS}(?:\\.0)?$`)

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

/** Reads a value of a file. @param literal how a number is written, if not in plain digits @param currency of the account */
export type ReadValue = (value: unknown, literal?: string, currency?: string) => NumberRead

/**
 * Reads the text of a cell, or a text or number of JSON: a number as it is written.
 * @param noNumber why anything else is refused; by default, what is said of a text that is not a number
 */
export function valueReader(read: (text: string, currency?: string) => NumberRead, noNumber?: string): ReadValue {
  return (value, literal, currency) => {
    if (typeof value === 'string') return read(value, currency)
    if (value === undefined || value === null) return read('')
    if (typeof value === 'number') return read(literal ?? String(value))
    return noNumber === undefined ? read('no number') : { why: noNumber }
  }
}

export const readPriceValue = valueReader(readPrice, 'is not a number; write the price in whole kronor')
export const readIdValue = valueReader(readId)

/** True for an amount with decimals that are not all 0. */
export function hasÖre(text: string): boolean {
  return /\d[.,](?!0*\D*$)\d{1,8}\D*$/.test(text)
}

const SPACES = /[ \u00a0\u202f]/g
/** Digits; a comma or point and decimals; the currency before or after them. */
const AMOUNT = new RegExp(
  `^(?:(${MONEY_UNITS})[ \u00a0\u202f]?)?${DIGITS}(?:[.,](\\d+)|[:,.][-–—])?(?:[ \u00a0\u202f]?(${MONEY_UNITS}))?$`,
  'i',
)

/**
 * An amount in öre. One or two decimals are öre. Four or more come from a calculation in a sheet and are rounded to öre. Three
 * may be thousands, so they are refused if up to three digits are before them: `1.234`.
 */
export function readAmount(text: string, currency?: string): NumberRead {
  const trimmed = text.trim()
  if (trimmed === '') return { why: 'is empty; write an amount such as 249.50' }
  const match = AMOUNT.exec(trimmed)
  if (match === null) {
    if (trimmed.startsWith('=')) return { why: NO_VALUE }
    if (/^(?:(?:kr|sek)\s*)?[-−–]\s*\d/i.test(trimmed)) return { why: 'is negative; an amount is at least 0' }
    return { why: 'is not an amount; write kronor and öre, such as 249.50 or 1 234,50 kr' }
  }
  const [, before, whole = '', decimals = '', behind] = match
  const foreign = foreignUnit(before ?? behind, currency)
  if (foreign !== undefined) return { why: foreign }
  if (decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole))
    return { why: 'has three decimals, which may be thousands; write öre with two, such as 249.50' }
  return inÖre(`${whole.replace(SPACES, '')}.${decimals || '0'}`)
}

/**
 * The value of a JSON number or text as öre. A number has a decimal point and no thousands, so any decimals are rounded to öre.
 */
export function readAmountValue(value: unknown, literal?: string, currency?: string): NumberRead {
  if (typeof value === 'string') return readAmount(value, currency)
  if (value === undefined || value === null) return readAmount('')
  const text = literal ?? String(value)
  if (typeof value !== 'number' || !/^\d+(\.\d+)?$/.test(text)) {
    return typeof value === 'number' && value < 0
      ? { why: 'is negative; an amount is at least 0' }
      : { why: 'is not an amount; write kronor and öre, such as 249.50' }
  }
  return inÖre(text)
}

/** @param written digits, a point and decimals; half an öre is rounded up */
function inÖre(decimal: string): NumberRead {
  const [whole = '', decimals = ''] = decimal.split('.')
  const öre = Number(whole) * 100 + Number(`${decimals}00`.slice(0, 2)) + (Number(decimals[2] ?? '0') >= 5 ? 1 : 0)
  return öre > MAX_INT ? { why: `is too large; an amount is at most ${MAX_INT / 100} kr` } : { value: öre }
}
