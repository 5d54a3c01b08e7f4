/** Whole periods in place of --since and --until: --month 2026-10, --quarter 2026-Q3, --year 2026, --last-month, in Swedish time. */
import * as Flags from '@oclif/core/flags'
import { dateTimeOf, instantOf } from '../contract/scalars.js'
import { ValueError } from '../errors/index.js'

const BOUNDS = ['since', 'until'] as const
const NAMES = ['month', 'quarter', 'year', 'last-month'] as const

const exclusive = (name: (typeof NAMES)[number]) => [...BOUNDS, ...NAMES.filter((other) => other !== name)]

/** For commands that take a period: `...periodFlags`. The command finds it in `since` and `until`. */
export const periodFlags = {
  month: Flags.string({ helpValue: 'YYYY-MM', exclusive: exclusive('month'), summary: 'A whole month, e.g. 2026-10.' }),
  quarter: Flags.string({ helpValue: 'YYYY-Qn', exclusive: exclusive('quarter'), summary: 'A whole quarter, e.g. 2026-Q3.' }),
  year: Flags.string({ helpValue: 'YYYY', exclusive: exclusive('year'), summary: 'A whole year, e.g. 2026.' }),
  'last-month': Flags.boolean({ exclusive: exclusive('last-month'), summary: 'The month before this one.' }),
}

/** The first month of each form, and how many months it has. */
const FORMS = {
  month: { pattern: /^(\d{4})-(0[1-9]|1[0-2])$/, months: 1, example: '2026-10' },
  quarter: { pattern: /^(\d{4})-?[QqKk]([1-4])$/, months: 3, example: '2026-Q3' },
  year: { pattern: /^(\d{4})$/, months: 12, example: '2026' },
} as const

/**
 * Writes the period of those flags to `since` and `until`: ISO texts, the end not included.
 * @throws {SellerError} invalid_date
 */
export function applyPeriod(flags: Record<string, unknown>, now: number): void {
  const found = periodIn(flags, now)
  if (found === undefined) return
  const [from, months] = found
  flags.since = startOfMonth(from)
  flags.until = startOfMonth(from + months)
}

/** The first month, counted from the year 0, and how many there are; undefined without such a flag. */
function periodIn(flags: Readonly<Record<string, unknown>>, now: number): [from: number, months: number] | undefined {
  if (flags['last-month'] === true) {
    const today = dateTimeOf(now)
    return [Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 2, 1]
  }
  for (const name of ['month', 'quarter', 'year'] as const) {
    const text = flags[name]
    if (typeof text !== 'string') continue
    const { pattern, months, example } = FORMS[name]
    const match = pattern.exec(text.trim())
    if (match === null)
      throw new ValueError('invalid_date', { name: `--${name}`, value: text, why: `is not a ${name}` }, `Give e.g. ${example}.`)
    const [, year, part = '1'] = match
    return [Number(year) * 12 + (Number(part) - 1) * (name === 'year' ? 0 : months), months]
  }
  return undefined
}

function startOfMonth(months: number): string {
  const day = `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
  return dateTimeOf(instantOf(`${day}T00:00:00`))
}
