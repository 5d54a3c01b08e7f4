/** What the number of a cell is, by the format that shows it: 0.25 may be a quarter, 25 %, or six in the morning (ECMA-376 part 1, 18.8.30 and 18.8.31). */
import { isDateFormat, isDateFormatId } from './dates.js'

/** `unit`: what the number counts, if not kronor or pieces: a currency. Plain numbers have no format. */
export type NumberFormat = { readonly kind: 'date' | 'time' | 'percent' } | { readonly kind: 'currency'; readonly unit: string }

/** Percent, and times without a day, by number in every program. Currencies by number are those of the reader's country: kronor. */
const PERCENT_IDS: ReadonlySet<number> = new Set([9, 10])
const TIME_IDS: ReadonlySet<number> = new Set([18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56])

/** Kronor of Denmark, Norway and Iceland: the same letters, by their locales. */
const OTHER_KRONOR: Readonly<Record<string, string>> = { '406': 'DKK', '414': 'NOK', '814': 'NOK', '40f': 'ISK' }

/** Letters in quotes that are a currency by themselves. */
const CODES = /\b(?:USD|EUR|GBP|NOK|DKK|ISK|CHF|PLN|JPY|CNY)\b/i

/** @param code the format's own code; undefined for one that every program knows by its number */
export function formatOf(id: number, code: string | undefined): NumberFormat | undefined {
  if (code === undefined) {
    if (isDateFormatId(id)) return { kind: 'date' }
    return PERCENT_IDS.has(id) ? { kind: 'percent' } : TIME_IDS.has(id) ? { kind: 'time' } : undefined
  }
  const unit = currencyOf(code.split(';', 1)[0] ?? '')
  if (unit !== undefined) return { kind: 'currency', unit }
  if (isDateFormat(code)) return { kind: 'date' }
  const letters = (code.split(';', 1)[0] ?? '').replace(/"[^"]*"|\\.|_.|\*./g, '')
  if (letters.replace(/\[[^\]]*\]/g, '').includes('%')) return { kind: 'percent' }
  const parts = letters.replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
  return !/general|standard/i.test(parts) && /[hs]/i.test(parts) ? { kind: 'time' } : undefined
}

/** The currency that a format shows, undefined for kronor or none. */
function currencyOf(code: string): string | undefined {
  const [, symbol = '', locale = ''] = /\[\$([^\]-]*)(?:-([0-9a-f]+))?\]/i.exec(code) ?? []
  if (/^\s*(?:kr\.?|:-)\s*$/i.test(symbol)) return OTHER_KRONOR[locale.toLowerCase()]
  if (symbol.trim() !== '') return /^\s*sek\s*$/i.test(symbol) ? undefined : symbol.trim()
  const bare = code.replace(/\[[^\]]*\]/g, '')
  return (/[$€£¥]/.exec(bare) ?? CODES.exec(bare))?.[0]
}

/**
 * The number as it is shown, so that no reader takes it for kronor, pieces or an id: `25 %`, `499 €`, `06:00:00`.
 * @param plain the number as text
 */
export function shownAs(number: number, plain: string, format: Exclude<NumberFormat, { kind: 'date' }>): string {
  if (format.kind === 'percent') return `${Number((number * 100).toPrecision(12))} %`
  if (format.kind === 'currency') return `${plain} ${format.unit}`
  const seconds = Math.round(number * 86_400)
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${part(seconds / 3600)}:${part((seconds / 60) % 60)}:${part(seconds % 60)}`
}
