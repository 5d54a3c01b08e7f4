/**
 * Kind of number in a cell, by the format that shows it: 0.25 may be a quarter, 25 %, or six in the morning (ECMA-376 part 1,
 * 18.8.30 and 18.8.31).
 */

/** Format of a number that is not plain. `unit`: the currency; `length`: the digits of an article number, `000451`. */
export type NumberFormat =
  | { readonly kind: 'date' | 'time' | 'percent' }
  | { readonly kind: 'currency'; readonly unit: string }
  | { readonly kind: 'digits'; readonly length: number }

/**
 * The formats that every program knows by number; 27 to 36 and 50 to 58 are of East Asia. Currencies by number are those of the
 * reader's country: kronor.
 */
const BY_NUMBER: readonly (readonly [first: number, last: number, kind: 'date' | 'time' | 'percent'])[] = [
  [9, 10, 'percent'],
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 47, 'time'],
  [50, 58, 'date'],
]

/** Kronor of Denmark, Norway and Iceland: the same letters, by their locales. */
const OTHER_KRONOR: Readonly<Record<string, string>> = { '406': 'DKK', '414': 'NOK', '814': 'NOK', '40F': 'ISK' }

/** Letters in quotes that are a currency by themselves. */
const CODES = /\b(?:USD|EUR|GBP|NOK|DKK|ISK|CHF|PLN|JPY|CNY)\b/i

/** @param code the format's own code; undefined for one that every program knows by its number */
export function formatOf(id: number, code: string | undefined): NumberFormat | undefined {
  if (code === undefined) {
    const known = BY_NUMBER.find(([first, last]) => id >= first && id <= last)
    return known && { kind: known[2] }
  }
  // Section for positive numbers.
  const section = code.replace(/;.*/s, '')
  const unit = currencyOf(section)
  if (unit !== undefined) return { kind: 'currency', unit }
  // A single 0 is the format of plain whole numbers.
  if (/^0{2,}$/.test(section.trim())) return { kind: 'digits', length: section.trim().length }
  // `yyyy-mm-dd hh:mm`, and not `#,##0 "kr per day"`.
  const signs = section.replace(/"[^"]*"|\\.|_.|\*./g, '')
  const letters = signs.replace(/\[[^\]]*\]/g, '')
  if (/standard/i.test(letters)) return undefined
  if (/[yd]|mmm/i.test(letters)) return { kind: 'date' }
  if (letters.includes('%')) return { kind: 'percent' }
  // `[h]:mm`: hours beyond a day.
  return /[hs]/i.test(letters) || /\[(?:h+|m+|s+)\]/i.test(signs) ? { kind: 'time' } : undefined
}

/** The currency that a format shows, undefined for kronor or none. */
function currencyOf(code: string): string | undefined {
  const [, shown = '', locale = ''] = /\[\$([^\]]*?)(?:-([0-9a-f]+))?\]/i.exec(code) ?? []
  const symbol = shown.trim()
  if (/^(?:kr\.?|:-)$/i.test(symbol)) return OTHER_KRONOR[locale.toUpperCase()]
  if (symbol !== '') return symbol.toUpperCase() === 'SEK' ? undefined : symbol
  const bare = code.replace(/\[[^\]]*\]/g, '')
  return (/[$€£¥]/.exec(bare) ?? CODES.exec(bare))?.[0]
}

/**
 * The number as it is shown, so that no reader takes it for kronor, pieces or an id: `25 %`, `499 €`, `06:00:00`, `000451`.
 * @param plain the number as text
 */
export function shownAs(number: number, plain: string, format: Exclude<NumberFormat, { kind: 'date' }>): string {
  if (format.kind === 'percent') return `${Number((number * 100).toPrecision(12))} %`
  if (format.kind === 'digits') return /^\d+$/.test(plain) ? plain.padStart(format.length, '0') : plain
  if (format.kind === 'currency') return `${plain} ${format.unit}`
  const seconds = Math.round(number * 86_400)
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}`
}
