/**
 * Reads whole kronor from text, strictly. A number that could mean two things is refused: a comma read as a decimal point once
 * cost a shop its prices.
 */
import { MAX_INT } from './limits.js'
import { foreignUnit, MONEY_UNITS } from './numbers.js'

/** A number, or why it cannot be read. */
/** @property kind the reason, where `why` quotes the value */
export type NumberRead = { readonly value: number } | { readonly why: string; readonly kind?: string }

/**
 * Digits, in groups of three if separated by a space (also no-break and narrow ones), with zeros as decimals (three
 * could be thousands), and the currency before or after them: `1 234`, `54,00 kr`, `99:-`, `SEK 200`, and the `54.0` of a table
 * of decimals.
 */
const KRONOR = new RegExp(
  `^(?:(${MONEY_UNITS})[ \u00a0\u202f]?)?(\\d{1,3}(?:[ \u00a0\u202f]\\d{3})+|\\d+)(?:[.,](?:0{1,2}|0{4,8})|[:,.][-–—])?(?:[ \u00a0\u202f]?(${MONEY_UNITS}))?$`,
  'i',
)
const BEFORE = new RegExp(`^(?:${MONEY_UNITS})\\s*`, 'i')
const BEHIND = new RegExp(`\\s*(?:${MONEY_UNITS})$`, 'i')
const SPACES = /[ \u00a0\u202f]/g

/** The value of a text of one to nine ASCII digits without a leading zero, else -1. Nearly every cell is such a text. */
export function plainDigits(text: string): number {
  const { length } = text
  if (length === 0 || length > 9) return -1
  let value = 0
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return text.charCodeAt(0) === 48 ? -1 : value
}

/**
 * An amount in whole kronor: `499`, `1 234`, `1234 kr`, `499,00`, `499:-`. Anything else is refused with the reason; nothing is
 * rounded.
 * @param least 1 for a price, 0 for what may be free, such as shipping
 * @param currency of the account (ISO 4217), which a unit next to the amount must be; undefined where it is judged later
 */
export function readKronor(text: string, least: 0 | 1, currency?: string): NumberRead {
  const quick = plainDigits(text)
  if (quick > 0) return { value: quick }
  const trimmed = text.trim()
  if (trimmed === '') return { why: 'is empty; write the price in whole kronor' }
  const match = KRONOR.exec(trimmed)
  if (match === null) return whyNoPrice(trimmed, least)
  const why = foreignUnit(match[1] ?? match[3], currency)
  return why === undefined ? wholeNumber((match[2] ?? '').replace(SPACES, ''), 'a price', least) : { why }
}

/** The value of ASCII digits between `least` and the largest int of the service. */
export function wholeNumber(digits: string, what: string, least: 0 | 1): NumberRead {
  const value = Number(digits)
  if (value < least) return { why: `is 0; ${what} is at least 1` }
  if (digits.startsWith('0') && digits !== '0') return { why: `begins with a zero; write ${value}`, kind: 'begins with a zero' }
  if (value > MAX_INT) return { why: `is too large; ${what} is at most ${MAX_INT}` }
  return { value }
}

function whyNoPrice(text: string, least: 0 | 1): NumberRead {
  const bare = text.replace(BEHIND, '').replace(BEFORE, '')
  if (/^[-−–]/.test(bare)) return { why: `is negative; a price is at least ${least} kr` }
  if (/^\+/.test(bare)) return { why: 'has a sign; write the new price itself' }
  const parted = /^(\d[\d\s\u00a0\u202f]*)([.,])(\d+)$/.exec(bare)
  if (parted !== null) {
    const [, kronor = '', mark, rest = ''] = parted
    const kind = `has a ${mark === ',' ? 'comma' : 'point'}, which may mean öre or thousands; prices are whole kronor`
    return { why: `${kind}: write ${insteadOf(kronor, rest)}`, kind }
  }
  if (/^\d+(\.\d+)?e[+-]?\d+$/i.test(bare))
    return { why: 'is in the form of a spreadsheet for large numbers; write all its digits' }
  if (/^\d[\d\s\u00a0\u202f]*$/.test(bare)) return { why: 'has spaces that do not part thousands; write it without spaces' }
  return { why: 'is not a price; write whole kronor such as 499, 1 234 or 1234 kr' }
}

/**
 * The whole prices next to one with decimals, and all its digits, in case the comma separates thousands: "199 or 200, or 19990 if
 * that was meant".
 */
function insteadOf(kronor: string, rest: string): string {
  const below = kronor
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .slice(0, 12)
  const digits = `${below}${rest}`.replace(/^0+(?=\d)/, '').slice(0, 12)
  const sides = /^0+$/.test(rest) || below.length > 9 ? [below] : [below, String(Number(below) + 1)]
  const likely = sides.filter((price) => price !== '0')
  if (likely.includes(digits) || digits === '0') return likely.length === 0 ? 'a price of at least 1 kr' : likely.join(' or ')
  if (likely.length === 0) return digits
  // Three digits are more likely thousands.
  const [first, second] = rest.length === 3 ? [digits, likely.join(' or ')] : [likely.join(' or '), digits]
  return `${first}, or ${second} if that was meant`
}

/** The unit beside an amount that is read later; undefined for none. */
export function unitBeside(text: string): string | undefined {
  return (BEFORE.exec(text.trim()) ?? BEHIND.exec(text.trim()))?.[0].trim()
}
