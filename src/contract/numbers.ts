/** Numbers in texts for people: one separator of thousands, one minus sign, one plural. In its own file, so that nothing else is loaded. */

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

/** Currencies of the accounts that a run is about. */
const currencies = new Set<string>()

/** Shows amounts in the currency of an account (ISO 4217), in kronor where it is not known. A run over several adds theirs. */
export function showIn(currency = 'SEK', alone = true): void {
  if (alone) currencies.clear()
  currencies.add(currency === 'SEK' ? 'kr' : currency)
}

/** What amounts are shown in: `kr`, or the currency of the account; empty where the accounts of a run have several. */
export function moneyUnit(): string {
  const [first = 'kr', ...more] = currencies
  return more.length === 0 ? first : ''
}

/** Units that are typed beside an amount, for a pattern that ignores case. */
export const MONEY_UNITS = 'kr|sek|kronor|usd|eur|gbp|nok|dkk|isk|chf|pln|jpy|cny|[$€£¥]'
const SIGNS: Readonly<Record<string, string>> = { kr: 'SEK', kronor: 'SEK', $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' }
/** Accounts whose money is also called kr. */
const ALSO_KR: readonly string[] = ['DKK', 'NOK', 'ISK']

/** Why an amount is not in the currency of the account; undefined if it is. @param unit as it was typed beside the amount */
export function foreignUnit(unit: string | undefined): string | undefined {
  if (unit === undefined) return undefined
  const typed = SIGNS[unit.toLowerCase()] ?? unit.toUpperCase()
  const own = moneyUnit() === 'kr' ? 'SEK' : moneyUnit()
  if (typed === own || (/^kr$/i.test(unit) && ALSO_KR.includes(own))) return undefined
  if (own === '') return `is in ${typed}, and the accounts of this run are in several currencies; write the number alone`
  return `is in ${typed}, and the account is in ${own}; write an amount in ${own}`
}

/** A number with the unit of money behind it. */
export function withUnit(number: string): string {
  return `${number} ${moneyUnit()}`.trimEnd()
}

/** Kronor as `1 234 567 kr`, and with öre where there are any: `249.50 kr`. */
export function kronorText(amount: number): string {
  const öre = Math.round(Math.abs(amount) * 100)
  const rest = öre % 100
  const text = `${thousands((öre - rest) / 100)}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`
  return withUnit(amount < 0 && öre > 0 ? `-${text}` : text)
}
