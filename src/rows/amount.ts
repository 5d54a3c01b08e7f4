/** Reads amounts with öre, such as a cost: `249,50`, `1 234.5`, `249 kr`. A price has none (contract/kronor). */
import { MAX_INT, type NumberRead } from '../contract/index.js'
import { foreignUnit, MONEY_UNITS } from '../contract/numbers.js'
import { NO_VALUE } from './number.js'

const SPACES = /[ \u00a0\u202f]/g
/** Digits, in groups of three if spaces separate them; a comma or point and decimals; the currency before or after them. */
const AMOUNT = new RegExp(
  `^(?:(${MONEY_UNITS})[ \u00a0\u202f]?)?(\\d{1,3}(?:[ \u00a0\u202f]\\d{3})+|\\d+)(?:[.,](\\d+)|[:,.][-–—])?(?:[ \u00a0\u202f]?(${MONEY_UNITS}))?$`,
  'i',
)

/**
 * An amount in öre. One or two decimals are öre. Four or more come from a calculation in a sheet and are rounded to öre. Three may be
 * thousands, so they are refused if up to three digits are before them: `1.234`.
 */
export function readAmount(text: string): NumberRead {
  const trimmed = text.trim()
  if (trimmed === '') return { why: 'is empty; write an amount such as 249.50' }
  const match = AMOUNT.exec(trimmed)
  if (match === null) {
    if (trimmed.startsWith('=')) return { why: NO_VALUE }
    if (/^(?:(?:kr|sek)\s*)?[-−–]\s*\d/i.test(trimmed)) return { why: 'is negative; an amount is at least 0' }
    return { why: 'is not an amount; write kronor and öre, such as 249.50 or 1 234,50 kr' }
  }
  const [, before, whole = '', decimals = '', behind] = match
  const foreign = foreignUnit(before ?? behind)
  if (foreign !== undefined) return { why: foreign }
  if (decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole))
    return { why: 'has three decimals, which may be thousands; write öre with two, such as 249.50' }
  return inÖre(`${whole.replace(SPACES, '')}.${decimals || '0'}`)
}

/** The value of a JSON number or text as öre. A number has a decimal point and no thousands, so any decimals are rounded to öre. */
export function readAmountValue(value: unknown, literal?: string): NumberRead {
  if (typeof value === 'string') return readAmount(value)
  if (value === undefined || value === null) return readAmount('')
  const written = literal ?? String(value)
  if (typeof value !== 'number' || !/^\d+(\.\d+)?$/.test(written)) {
    return typeof value === 'number' && value < 0
      ? { why: 'is negative; an amount is at least 0' }
      : { why: 'is not an amount; write kronor and öre, such as 249.50' }
  }
  return inÖre(written)
}

/** @param written digits, a point and decimals; half an öre is rounded up */
function inÖre(written: string): NumberRead {
  const [whole = '', decimals = ''] = written.split('.')
  const öre = Number(whole) * 100 + Number(`${decimals}00`.slice(0, 2)) + (Number(decimals[2] ?? '0') >= 5 ? 1 : 0)
  return öre > MAX_INT ? { why: `is too large; an amount is at most ${MAX_INT / 100} kr` } : { value: öre }
}
