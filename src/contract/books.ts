/**
 * Choices of how the books are kept, as the setting `books` has them: `method=cash,voucher=day,from=2026-09-01`. Each has a
 * default; docs/books.md explains them, and where each comes from.
 */
import { countryName, isSweden, isTerritory, memberState } from './countries.js'

/** By name: the values, the default first, and what it decides. */
export const BOOK_CHOICES = {
  method: [
    ['invoice', 'advance', 'cash'],
    'When a sale is booked: at the first payment (the rest is owed), when all is paid, or as it is paid',
  ],
  voucher: [['order', 'day'], 'A voucher for each order and day, or one for each day'],
  freight: [['own', 'goods'], 'Shipping in Sweden: on an account of its own, or with the goods'],
  'fee-vat': [['none', '25', 'reverse'], 'VAT in the cost of payments: none, Swedish by an invoice, or reverse charge'],
  'fee-at': [['payment', 'payout'], 'The cost of payments: booked with each payment, or with the payout'],
  oss: [
    ['ask', 'below', 'registered'],
    'Consumers in other EU countries: ask, below the common threshold, or registered for OSS',
  ],
  zero: [
    ['ask', 'exempt', 'margin', 'simplified', 'unregistered'],
    'Goods without VAT: ask, exempt, margin scheme, its simplified form, or a seller without VAT',
  ],
  'margin-accounts': [
    ['price', 'base'],
    'Sales of margin goods: the price less VAT on one account, or the taxable base and the rest apart',
  ],
  'margin-cost': [['none', 'stock'], 'Cost of margin goods that were sold: no rows, or out of the stock'],
  refund: [['ask', 'proportion'], 'A part of the money back on an order of several rates: ask, or in proportion'],
  reduction: [
    ['sales', 'own'],
    'A part of the money back, in Sweden: on the account of the sale, or on that of price reductions',
  ],
  'cancelled-fee': [['back', 'stays'], 'The cost of the payment of a cancelled order: comes back, or stays'],
  rounding: [
    ['up', 'nearest', 'below'],
    'Prices of --margin and --markup: up to whole kronor, so that the rule holds, to the nearest, or down',
  ],
  chart: [['2024', '2026'], 'The chart of accounts'],
} as const satisfies Record<string, readonly [values: readonly string[], meaning: string]>

type Choices = { readonly [K in keyof typeof BOOK_CHOICES]: (typeof BOOK_CHOICES)[K][0][number] }

/** Terms of the setting. */
export interface BookTerms extends Choices {
  /** The first day that is booked, `2026-09-01`. */
  readonly from?: string | undefined
  /** The first day of the financial year, `01-01`. */
  readonly year: string
  /** Sales to consumers in other EU countries that are in no file of this ledger, by year, kronor without VAT. */
  readonly euSales: ReadonlyMap<string, number>
}

/** A text that cannot be read; the message says what is wrong with it. */
export class BooksError extends Error {}

/** @throws {BooksError} */
export function readBooks(text: string): BookTerms {
  const chosen: Record<string, string> = {}
  const euSales = new Map<string, number>()
  let [from, year]: [string | undefined, string] = [undefined, '01-01']
  for (const pair of text.split(',').map((each) => each.trim())) {
    if (pair === '') continue
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? []
    const sales = /^eu-sales\.(\d{4})$/.exec(name)
    if (value === '') throw new BooksError(`"${pair}" is no NAME=VALUE`)
    if (name === 'from') from = dayIn(value, pair)
    else if (name === 'year') year = dayIn(`2027-${value}`, pair).slice(5)
    else if (sales !== null) euSales.set(sales[1] ?? '', amountIn(value, pair))
    else if (Object.hasOwn(BOOK_CHOICES, name)) {
      const [values]: readonly [readonly string[], string] = BOOK_CHOICES[name as keyof typeof BOOK_CHOICES]
      if (!values.includes(value)) throw new BooksError(`${name} is one of ${values.join(', ')}, not "${value}"`)
      chosen[name] = value
    } else
      throw new BooksError(`"${name}" is none of ${[...Object.keys(BOOK_CHOICES), 'from', 'year', 'eu-sales.YEAR'].join(', ')}`)
  }
  const defaults = Object.fromEntries(Object.entries(BOOK_CHOICES).map(([name, [values]]) => [name, values[0]]))
  return { ...(defaults as unknown as Choices), ...chosen, from, year, euSales }
}

function dayIn(text: string, pair: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw new BooksError(`"${pair}" has no date such as 2026-09-01, or 09-01 for year`)
  return text
}

function amountIn(text: string, pair: string): number {
  if (!/^\d{1,9}(?:\.\d{1,2})?$/.test(text)) throw new BooksError(`"${pair}" has no amount such as 50000`)
  return Number(text)
}

/** Treatments of sales to a country. */
export const TREATMENTS = ['sweden', 'oss', 'export'] as const
export type Treatment = (typeof TREATMENTS)[number]

/**
 * Answers about countries, by the name in small letters, as the setting `countries` has them: `Norge=export,Danmark=oss`.
 * @throws {BooksError}
 */
export function readCountries(text: string): ReadonlyMap<string, Treatment> {
  const answers = new Map<string, Treatment>()
  for (const pair of text.split(',').map((each) => each.trim())) {
    if (pair === '') continue
    const [, name = '', value = ''] = /^([^=]+)=([^=]+)$/.exec(pair) ?? []
    const treatment = TREATMENTS.find((one) => one === value.trim())
    if (treatment === undefined) throw new BooksError(`"${pair}" is no COUNTRY=${TREATMENTS.join('|')}`)
    const member = memberState(name) !== undefined
    if (isSweden(name) && treatment !== 'sweden') throw new BooksError(`"${pair}": sales to Sweden are taxed in Sweden`)
    if (member && treatment === 'export')
      throw new BooksError(`"${pair}": ${countryName(name)} is in the EU; sales are oss or sweden`)
    if (!member && name !== 'unknown' && treatment === 'oss')
      throw new BooksError(`"${pair}": ${name} is outside the EU; sales are export`)
    if (isTerritory(name) && treatment !== 'export')
      throw new BooksError(`"${pair}": ${name} is outside the VAT area; sales are export`)
    answers.set(countryName(name).toLowerCase(), treatment)
  }
  return answers
}

/**
 * Rates of VAT abroad by country in small letters and Swedish rate, as the setting `vat_abroad` has them: `Tyskland=25:19/6:7`.
 * @throws {BooksError}
 */
export function readRatesAbroad(text: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const rates = new Map<string, ReadonlyMap<string, string>>()
  for (const pair of text.split(',').map((each) => each.trim())) {
    if (pair === '') continue
    const [, name = '', list = ''] = /^([^=]+)=([\d.:/]+)$/.exec(pair) ?? []
    const code = memberState(name)
    const parts = list.split('/').map((part) => /^(\d{1,2}):(\d{1,2}(?:\.\d{1,2})?)$/.exec(part))
    if (code === undefined || code === 'SE' || parts.some((part) => part === null)) {
      throw new BooksError(`"${pair}" is no COUNTRY=SWEDISH:RATE/… of another EU country`)
    }
    rates.set(countryName(name).toLowerCase(), new Map(parts.map((part) => [part?.[1] ?? '', part?.[2] ?? ''])))
  }
  return rates
}

/**
 * Swedish organisation numbers have ten digits, the last one by the formula of Luhn.
 * @returns `556000-4615`; undefined for another text
 */
export function readOrgNumber(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '')
  const [, number] = /^(?:\d\d(?=\d{10}$))?(\d{10})$/.exec(digits) ?? []
  if (number === undefined) return undefined
  const sum = [...number].reduce((total, digit, at) => {
    const double = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (double > 9 ? double - 9 : double)
  }, 0)
  return sum % 10 === 0 ? `${number.slice(0, 6)}-${number.slice(6)}` : undefined
}
