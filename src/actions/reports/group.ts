/** From sales to the rows of a report. Pure: no service, no ledger, no clock. */
import { dateTimeOf } from '../../contract/index.js'
import { changePercent, type Grouping, type SalesReport, type SalesReportRow } from '../../format/views/index.js'
import type { KeptSale, Span } from '../../jobs/ledger/transactions.js'
import { addDays, dayOf, instantOfWall, startOfDay, wallOf, weekdayOf, weekOf, yearsLater } from './calendar.js'
import { type Beside, Totals } from './totals.js'

/** period: that of the same length before; year: the same dates of the year before. */
export const COMPARISONS = ['period', 'year'] as const
export type Comparison = (typeof COMPARISONS)[number]

export interface ReportInput extends Beside {
  readonly by: Grouping
  /** The period, its end included, ms. */
  readonly span: Span
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

/** Adds up sales one by one, so that a million of them are never in memory. */
export class SalesGroups {
  readonly #input: ReportInput
  readonly #before: Span
  readonly #groups = new Map<string, Group>()
  readonly #total: Totals
  readonly #totalBefore: Totals
  readonly #keyOf: (sale: KeptSale) => string
  /** By the Swedish clock, ms: a sale of the previous period is counted at the same place in this one. */
  readonly #shift: number

  constructor(input: ReportInput) {
    const { by, span, compare } = input
    this.#input = input
    this.#before = previousSpan(span, compare ?? 'period')
    this.#shift = wallOf(span.from) - wallOf(this.#before.from)
    this.#keyOf = keyFor(input)
    this.#total = new Totals(input)
    this.#totalBefore = new Totals(input)
    for (const key of emptyKeys(by, span)) this.#group(key)
  }

  /** Adds a sale of one of the periods, or of none. The periods may meet. */
  add(sale: KeptSale): void {
    const { by, span, compare } = this.#input
    if (sale.At >= span.from && sale.At <= span.to) {
      const of = this.#group(this.#keyOf(sale))
      of.totals ??= new Totals(this.#input)
      of.totals.add(sale)
      of.name = nameIn(by, sale)
      this.#total.add(sale)
    }
    if (compare === null || sale.At < this.#before.from || sale.At > this.#before.to) return
    const of = this.#group(this.#keyOf({ ...sale, At: this.#placeOf(sale.At) }))
    of.previous.sales++
    of.previous.amount += sale.Amount
    if (of.totals === undefined) of.name = nameIn(by, sale)
    this.#totalBefore.add(sale)
  }

  report(): SalesReport {
    const { by, span, compare } = this.#input
    const before = this.#before
    return {
      By: by,
      Since: dateTimeOf(span.from),
      Until: dateTimeOf(span.to + 1),
      Total: this.#total.result(),
      Previous:
        compare !== null
          ? { Since: dateTimeOf(before.from), Until: dateTimeOf(before.to + 1), ...this.#totalBefore.result() }
          : null,
      Rows: ordered(
        by,
        [...this.#groups].map(([key, of]) => rowOf(this.#input, key, of)),
      ),
    }
  }

  #placeOf(at: number): number {
    const { by, span, compare } = this.#input
    if (by !== 'day' && by !== 'week' && by !== 'month') return at
    const then = compare === 'year' ? yearsLater(at, 1) : instantOfWall(wallOf(at) + this.#shift)
    return Math.max(span.from, Math.min(span.to, then))
  }

  #group(key: string): Group {
    const found = this.#groups.get(key) ?? { totals: undefined, previous: { sales: 0, amount: 0 }, name: undefined }
    this.#groups.set(key, found)
    return found
  }
}

interface Group {
  /** Of this period; undefined without a sale. */
  totals: Totals | undefined
  readonly previous: { sales: number; amount: number }
  /** What the last sale of this period, or else of the one before, calls it. */
  name: string | null | undefined
}

/** What a sale calls its group. */
function nameIn(by: Grouping, { Title, Buyer }: KeptSale): string | null | undefined {
  return by === 'item' ? Title : by === 'buyer' ? Buyer : undefined
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

function rowOf(input: ReportInput, key: string, { totals: sums, previous, name }: Group): SalesReportRow {
  const totals = (sums ?? new Totals(input)).result()
  const before = previous.amount
  const bounds = boundsOf(input.by, key, input.span)
  return {
    Key: key,
    Name: nameOf(input, key, name),
    From: bounds === undefined ? null : dateTimeOf(bounds.from),
    To: bounds === undefined ? null : dateTimeOf(bounds.to + 1),
    ...totals,
    PreviousSales: input.compare !== null ? previous.sales : null,
    PreviousAmount: input.compare !== null ? before : null,
    Change: input.compare !== null ? totals.Amount - before : null,
    ChangePercent: input.compare !== null ? changePercent(totals.Amount, before) : null,
  }
}

function nameOf({ by, categoryName }: ReportInput, key: string, last: string | null | undefined): string {
  switch (by) {
    case 'weekday':
      return WEEKDAYS[Number(key) - 1] ?? key
    case 'category':
      return key === '' ? 'unknown' : (categoryName?.(Number(key)) ?? key)
    case 'item':
      return key === '' ? 'unknown' : (last ?? key)
    case 'buyer':
      return key === '' ? 'unknown' : (last ?? key)
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
