/**
 * Numbers in texts for people: one separator of thousands, one minus sign, one plural. In its own file, so that nothing else is
 * loaded.
 */

/** Digits in groups of three, `1 234 567`. Written here, because the first Intl.NumberFormat takes 11 to 15 ms (measured). */
export function thousands(value: number): string {
  if (value >= 0 && value < 1000 && Number.isInteger(value)) return String(value)
  const [whole = '', fraction] = String(Math.abs(value)).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ')
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

/** `1 row`, `5 000 rows`. @param noun in the singular; an s makes the plural */
export function countOf(number: number, noun: string): string {
  return `${thousands(number)} ${noun}${number === 1 ? '' : 's'}`
}

/** Units that are typed beside an amount, for a pattern that ignores case. */
export const MONEY_UNITS = 'kr|sek|kronor|usd|eur|gbp|nok|dkk|isk|chf|pln|jpy|cny|[$€£¥]'
const SIGNS: Readonly<Record<string, string>> = { kr: 'SEK', kronor: 'SEK', $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' }
/** Accounts whose money is also called kr. */
const ALSO_KR: readonly string[] = ['DKK', 'NOK', 'ISK']

/**
 * Says why an amount is not in the currency of the account; undefined if it is, or if the account is not known here.
 * @param unit as it was typed next to the amount
 * @param currency of the account (ISO 4217)
 */
export function foreignUnit(unit: string | undefined, currency: string | undefined): string | undefined {
  if (unit === undefined || currency === undefined) return undefined
  const typed = SIGNS[unit.toLowerCase()] ?? unit.toUpperCase()
  if (typed === currency || (/^kr$/i.test(unit) && ALSO_KR.includes(currency))) return undefined
  return `is in ${typed}, and the account is in ${currency}; write an amount in ${currency}`
}

/** Unit of a currency (ISO 4217); kronor where it is not known. */
export function unitOf(currency = 'SEK'): string {
  return currency === 'SEK' ? 'kr' : currency
}

/** An amount with its unit, and with öre where there are any: `1 234 567 kr`, `249.50 EUR`. */
export function amountText(amount: number, unit: string): string {
  const öre = Math.round(Math.abs(amount) * 100)
  const rest = öre % 100
  const text = `${thousands((öre - rest) / 100)}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`
  return `${amount < 0 && öre > 0 ? '-' : ''}${text} ${unit}`
}
