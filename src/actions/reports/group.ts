/** From sales to the rows of a report. Pure: no service, no ledger, no clock. */
import { dateTimeOf } from '../../contract/index.js'
import { changePercent, type Grouping, type SalesReport, type SalesReportRow } from '../../format/views/index.js'
import type { KeptSale, Span } from '../../jobs/ledger/transactions.js'
import { addDays, dayOf, instantOfWall, startOfDay, wallOf, weekdayOf, weekOf, yearsLater } from './calendar.js'
import { type Beside, totalsOf } from './totals.js'

/** period: that of the same length before; year: the same dates of the year before. */
export const COMPARISONS = ['period', 'year'] as const
export type Comparison = (typeof COMPARISONS)[number]

export interface ReportInput extends Beside {
  readonly by: Grouping
  /** The period, its end included, ms. */
  readonly span: Span
  /** The sales of both periods. */
  readonly sales: readonly KeptSale[]
  /** What it is compared with; null for nothing. */
  readonly compare: Comparison | null
  /** What a category is called. */
  readonly categoryName?: (id: number) => string | undefined
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/**
 * The period of the same length that ends where one begins: by the Swedish clock, so that whole days are compared with whole days, though one
 * of them may have 23 or 25 hours. Or the same dates of the year before.
 */
export function previousSpan({ from, to }: Span, compare: Comparison = 'period'): Span {
  if (compare === 'year') return { from: yearsLater(from, -1), to: yearsLater(to + 1, -1) - 1 }
  const begin = wallOf(from)
  const length = wallOf(to + 1) - begin
  return { from: instantOfWall(begin - length), to: from - 1 }
}

export function groupSales(input: ReportInput): SalesReport {
  const { by, span, compare } = input
  const before = previousSpan(span, compare ?? 'period')
  const current = input.sales.filter(({ At }) => At >= span.from && At <= span.to)
  const previous = compare !== null ? input.sales.filter(({ At }) => At >= before.from && At <= before.to) : []
  const keyOf = keyFor(input)
  const groups = new Map<string, Group>()
  const group = (key: string): Group => {
    const found = groups.get(key) ?? { sales: [], previous: [] }
    groups.set(key, found)
    return found
  }
  for (const key of emptyKeys(by, span)) group(key)
  for (const sale of current) group(keyOf(sale)).sales.push(sale)
  // A sale of the previous period is counted at the same place in this one.
  const shift = wallOf(span.from) - wallOf(before.from)
  const moved = by === 'day' || by === 'week' || by === 'month'
  for (const sale of previous) {
    const then = compare === 'year' ? yearsLater(sale.At, 1) : instantOfWall(wallOf(sale.At) + shift)
    const at = moved ? Math.max(span.from, Math.min(span.to, then)) : sale.At
    group(keyOf({ ...sale, At: at })).previous.push(sale)
  }
  const rows = [...groups].map(([key, of]) => rowOf(input, key, of))
  return {
    By: by,
    Since: dateTimeOf(span.from),
    Until: dateTimeOf(span.to + 1),
    Total: totalsOf(current, input),
    Previous:
      compare !== null
        ? { Since: dateTimeOf(before.from), Until: dateTimeOf(before.to + 1), ...totalsOf(previous, input) }
        : null,
    Rows: ordered(by, rows),
  }
}

interface Group {
  readonly sales: KeptSale[]
  readonly previous: KeptSale[]
}

/** The group of a sale. Those without an item, a buyer or a known category are one group, with an empty key. */
function keyFor({ by, items }: ReportInput): (sale: KeptSale) => string {
  switch (by) {
    case 'day':
      return ({ At }) => dayOf(At)
    case 'week':
      return ({ At }) => weekOf(dayOf(At))
    case 'month':
      return ({ At }) => dayOf(At).slice(0, 7)
    case 'weekday':
      return ({ At }) => String(weekdayOf(dayOf(At)))
    case 'category':
      return ({ ItemId }) => String(items.get(ItemId ?? 0)?.CategoryId ?? '')
    case 'item':
      return ({ ItemId }) => String(ItemId ?? '')
    case 'buyer':
      return ({ BuyerId }) => String(BuyerId ?? '')
    case 'payment':
      return ({ Paid }) => (Paid ? 'paid' : 'unpaid')
  }
}

/** Groups that are there without a sale too: a day without one is a fact. */
function emptyKeys(by: Grouping, span: Span): string[] {
  if (by === 'weekday') return WEEKDAYS.map((_, at) => String(at + 1))
  if (by !== 'day' && by !== 'week' && by !== 'month') return []
  const last = dayOf(span.to)
  const keys = new Set<string>()
  for (let day = dayOf(span.from); day <= last; day = addDays(day, 1)) {
    keys.add(by === 'day' ? day : by === 'week' ? weekOf(day) : day.slice(0, 7))
  }
  return [...keys]
}

function rowOf(input: ReportInput, key: string, { sales, previous }: Group): SalesReportRow {
  const totals = totalsOf(sales, input)
  const before = previous.reduce((sum, { Amount }) => sum + Amount, 0)
  const bounds = boundsOf(input.by, key, input.span)
  return {
    Key: key,
    Name: nameOf(input, key, sales.at(-1) ?? previous.at(-1)),
    From: bounds === undefined ? null : dateTimeOf(bounds.from),
    To: bounds === undefined ? null : dateTimeOf(bounds.to + 1),
    ...totals,
    PreviousSales: input.compare !== null ? previous.length : null,
    PreviousAmount: input.compare !== null ? before : null,
    Change: input.compare !== null ? totals.Amount - before : null,
    ChangePercent: input.compare !== null ? changePercent(totals.Amount, before) : null,
  }
}

function nameOf({ by, categoryName }: ReportInput, key: string, last: KeptSale | undefined): string {
  switch (by) {
    case 'weekday':
      return WEEKDAYS[Number(key) - 1] ?? key
    case 'category':
      return key === '' ? 'unknown' : (categoryName?.(Number(key)) ?? key)
    case 'item':
      return key === '' ? 'unknown' : (last?.Title ?? key)
    case 'buyer':
      return key === '' ? 'unknown' : (last?.Buyer ?? key)
    case 'payment':
      return key === 'paid' ? 'Paid' : 'Not paid yet'
    default:
      return key
  }
}

/** What of a day, week or month lies in the period. */
function boundsOf(by: Grouping, key: string, span: Span): Span | undefined {
  if (by !== 'day' && by !== 'week' && by !== 'month') return undefined
  const [first, next] = daysOf(by, key)
  return { from: Math.max(span.from, startOfDay(first)), to: Math.min(span.to, startOfDay(next) - 1) }
}

/** The first day of a day, week or month, and the first day after it. */
function daysOf(by: 'day' | 'week' | 'month', key: string): [string, string] {
  if (by === 'day') return [key, addDays(key, 1)]
  if (by === 'month') return [`${key}-01`, `${addDays(`${key}-28`, 4).slice(0, 7)}-01`]
  // 4 January is always in week 1 (ISO 8601).
  const fourth = `${key.slice(0, 4)}-01-04`
  const monday = addDays(fourth, (Number(key.slice(6)) - 1) * 7 - (weekdayOf(fourth) - 1))
  return [monday, addDays(monday, 7)]
}

/** By time if the groups have one, else the largest amount first; of equal ones, earlier ids first. */
function ordered(by: Grouping, rows: SalesReportRow[]): SalesReportRow[] {
  const byKey = (one: SalesReportRow, other: SalesReportRow): number => (one.Key < other.Key ? -1 : Number(one.Key > other.Key))
  if (by === 'day' || by === 'week' || by === 'month' || by === 'weekday') return rows.sort(byKey)
  return rows.sort(
    (one, other) => other.Amount - one.Amount || (other.PreviousAmount ?? 0) - (one.PreviousAmount ?? 0) || byKey(one, other),
  )
}
