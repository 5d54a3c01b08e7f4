/** A whole period in place of --since and --until: --period 2026-10, 2026-Q3, 2026 or last-month, in Swedish time. */

import * as Flags from '@oclif/core/flags'
import { dateTimeOf, instantOf } from '../contract/scalars.js'
import { ValueError } from '../errors/index.js'
import { choiceTable } from './choices.js'
import { dateTimeFlag } from './flags.js'

/** The first month of each form, and how many months it has. */
const FORMS = {
  month: { pattern: /^(\d{4})-(0[1-9]|1[0-2])$/, months: 1, example: '2026-10', words: 'A whole month.' },
  quarter: { pattern: /^(\d{4})-?[QqKk]([1-4])$/, months: 3, example: '2026-Q3', words: 'A whole quarter.' },
  year: { pattern: /^(\d{4})$/, months: 12, example: '2026', words: 'A whole year.' },
} as const
type Form = keyof typeof FORMS

/** A span of months: the first, counted from the year 0, and how many. `last` is a form alone, for the one before this. */
type Months = readonly [from: number, months: number] | { readonly last: Form }

const FORM_NAMES = Object.keys(FORMS) as Form[]

/** For commands that take a period: `...periodFlags`. The command finds it in `since` and `until`. */
export const periodFlags = {
  period: Flags.custom<Months>({
    helpValue: 'PERIOD',
    exclusive: ['since', 'until'],
    summary: 'A whole month, quarter or year. 2026-10, 2026-Q3, 2026 or last-month.',
    description: choiceTable([
      ...FORM_NAMES.map((form) => [FORMS[form].example, FORMS[form].words] as const),
      ...FORM_NAMES.map((form) => [`last-${form}`, `The ${form} before this one.`] as const),
    ]),
    parse: async (text) => readPeriod(text.trim()),
  })(),
}

/** For commands that list sales by their time: `...soldFlags`. */
export const soldFlags = {
  since: dateTimeFlag({ summary: 'Sold at or after this time, e.g. 2026-11-01. Also yesterday or 7d.' }),
  until: dateTimeFlag({ summary: 'Sold before this time.' }),
  ...periodFlags,
}

/** The flags of earlier versions said the form: `month=2026-10`. @throws {ValueError} invalid_date */
function readPeriod(text: string): Months {
  const last = FORM_NAMES.find((form) => text === `last-${form}`)
  if (last !== undefined) return { last }
  const [, said, value = ''] = /^(?:(month|quarter|year)=)?(.*)$/s.exec(text) ?? []
  for (const form of said === undefined ? FORM_NAMES : [said as Form]) {
    const { pattern, months } = FORMS[form]
    const match = pattern.exec(value.trim())
    if (match === null) continue
    const [, year, part = '1'] = match
    return [Number(year) * 12 + (Number(part) - 1) * (form === 'year' ? 0 : months), months]
  }
  const why = `is not a ${said ?? 'month, a quarter or a year'}`
  const hint =
    said === undefined ? 'Give e.g. 2026-10, 2026-Q3, 2026 or last-month.' : `Give e.g. ${FORMS[said as Form].example}.`
  throw new ValueError('invalid_date', { name: '--period', value, why }, hint)
}

/** Writes the period to `since` and `until`: ISO texts, the end not included. */
export function applyPeriod(flags: Record<string, unknown>, now: number): void {
  const period = flags.period as Months | undefined
  if (period === undefined) return
  const [from, months] = 'last' in period ? lastOf(period.last, now) : period
  flags.since = startOfMonth(from)
  flags.until = startOfMonth(from + months)
}

/** The month, quarter or year before this one. */
function lastOf(form: Form, now: number): [from: number, months: number] {
  const { months } = FORMS[form]
  const today = dateTimeOf(now)
  const month = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1
  return [month - (month % months) - months, months]
}

function startOfMonth(months: number): string {
  const day = `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
  return dateTimeOf(instantOf(`${day}T00:00:00`))
}
