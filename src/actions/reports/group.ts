/** From sales to the rows of a report. Pure: no service, no ledger, no clock. */
import { dateTimeOf } from '../../contract/index.js'
import { changePercent, type Grouping, type SalesReport, type SalesReportRow } from '../../format/views/index.js'
import type { KeptSale, Span } from '../../jobs/ledger/transactions.js'
import { FloatColumn, IdIndex, IntColumn, made, TextColumn } from '../../rows/packed.js'
import { addDays, dayOf, instantOfWall, startOfDay, wallOf, weekdayOf, weekOf, yearsLater } from './calendar.js'
import { type Beside, FactChains, factsOf } from './facts.js'
import { Totals } from './totals.js'

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

/** Adds up sales one by one, packed: a report by item has as many groups as items. Its rows are made when they are asked for. */
export class SalesGroups {
  readonly #input: ReportInput
  readonly #before: Span
  readonly #chains = new FactChains()
  // By group: its key, the last sale of this period, the sums of both periods, and what the last sale calls it.
  readonly #slots = new Map<string, number>()
  readonly #ids = new IntColumn()
  readonly #byId = new IdIndex((slot) => this.#ids.get(slot))
  readonly #last = new IntColumn()
  readonly #amounts = new FloatColumn()
  readonly #previousSales = new IntColumn()
  readonly #previousAmounts = new FloatColumn()
  readonly #named = new IntColumn()
  readonly #names = new TextColumn()
  readonly #total: Totals
  readonly #totalBefore: Totals
  readonly #keyOf: (sale: KeptSale) => string | number
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
    for (const key of emptyKeys(by, span)) this.#slot(key)
  }

  /** Adds a sale of one of the periods, or of none. The periods may meet. */
  add(sale: KeptSale): void {
    const { by, span, compare } = this.#input
    const facts = factsOf(this.#input, sale)
    if (sale.At >= span.from && sale.At <= span.to) {
      const slot = this.#slot(this.#keyOf(sale))
      this.#last.set(slot, this.#chains.push(facts, this.#last.get(slot)))
      this.#amounts.set(slot, this.#amounts.get(slot) + sale.Amount)
      this.#name(slot, nameIn(by, sale))
      this.#total.add(facts)
    }
    if (compare === null || sale.At < this.#before.from || sale.At > this.#before.to) return
    const slot = this.#slot(this.#keyOf({ ...sale, At: this.#placeOf(sale.At) }))
    this.#previousSales.set(slot, this.#previousSales.get(slot) + 1)
    this.#previousAmounts.set(slot, this.#previousAmounts.get(slot) + sale.Amount)
    if (this.#last.get(slot) < 0) this.#name(slot, nameIn(by, sale))
    this.#totalBefore.add(facts)
  }

  report(): SalesReport {
    const { by, span, compare } = this.#input
    const before = this.#before
    const order = this.#ordered()
    return {
      By: by,
      Since: dateTimeOf(span.from),
      Until: dateTimeOf(span.to + 1),
      Total: this.#total.result(),
      Previous:
        compare !== null
          ? { Since: dateTimeOf(before.from), Until: dateTimeOf(before.to + 1), ...this.#totalBefore.result() }
          : null,
      Rows: made(order.length, (at) => this.#row(order[at] ?? 0)),
    }
  }

  #placeOf(at: number): number {
    const { by, span, compare } = this.#input
    if (by !== 'day' && by !== 'week' && by !== 'month') return at
    const then = compare === 'year' ? yearsLater(at, 1) : instantOfWall(wallOf(at) + this.#shift)
    return Math.max(span.from, Math.min(span.to, then))
  }

  /** The group of a key: an id, or a text. */
  #slot(key: string | number): number {
    const slot = this.#last.length
    const known = typeof key === 'number' ? this.#byId.add(key, slot) : (this.#slots.get(key) ?? -1)
    if (known >= 0) return known
    if (typeof key === 'string') this.#slots.set(key, slot)
    this.#ids.push(typeof key === 'number' ? key : 0)
    for (const column of [this.#last, this.#named]) column.push(-1)
    this.#previousSales.push(0)
    this.#amounts.push(0)
    this.#previousAmounts.push(0)
    return slot
  }

  #name(slot: number, name: string | null | undefined): void {
    const named = this.#named.get(slot)
    if (name === undefined || (named >= 0 && this.#names.get(named) === (name ?? undefined))) return
    this.#named.set(slot, this.#names.length)
    this.#names.push(name ?? undefined)
  }

  /** By time if the groups have one, else the largest amount first; of equal ones, earlier ids first. */
  #ordered(): Int32Array {
    const { by } = this.#input
    const keys = new Map([...this.#slots].map(([key, slot]) => [slot, key]))
    const keyOf = (slot: number) => keys.get(slot) ?? String(this.#ids.get(slot))
    this.#keys = keyOf
    const all = Int32Array.from({ length: this.#last.length }, (_, slot) => slot)
    const byKey = (one: number, other: number): number => {
      if (keys.size === 0) return this.#ids.get(one) - this.#ids.get(other)
      const [first, second] = [keyOf(one), keyOf(other)]
      return first < second ? -1 : Number(first > second)
    }
    if (by === 'day' || by === 'week' || by === 'month' || by === 'weekday') return all.sort(byKey)
    const [now, then] = [this.#amounts, this.#previousAmounts]
    const more = (amounts: FloatColumn, one: number, other: number) => amounts.get(other) - amounts.get(one)
    return all.sort((one, other) => more(now, one, other) || more(then, one, other) || byKey(one, other))
  }

  #keys: (slot: number) => string = String

  #row(slot: number): SalesReportRow {
    const { by, span, compare } = this.#input
    const key = this.#keys(slot)
    const totals = new Totals(this.#input)
    for (const facts of this.#chains.of(this.#last.get(slot))) totals.add(facts)
    const [result, before] = [totals.result(), this.#previousAmounts.get(slot)]
    const bounds = boundsOf(by, key, span)
    const named = this.#named.get(slot)
    return {
      Key: key,
      Name: nameOf(this.#input, key, named < 0 ? undefined : this.#names.get(named)),
      From: bounds === undefined ? null : dateTimeOf(bounds.from),
      To: bounds === undefined ? null : dateTimeOf(bounds.to + 1),
      ...result,
      PreviousSales: compare !== null ? this.#previousSales.get(slot) : null,
      PreviousAmount: compare !== null ? before : null,
      Change: compare !== null ? result.Amount - before : null,
      ChangePercent: compare !== null ? changePercent(result.Amount, before) : null,
    }
  }
}

/** What a sale calls its group. */
function nameIn(by: Grouping, { Title, Buyer }: KeptSale): string | null | undefined {
  return by === 'item' ? Title : by === 'buyer' ? Buyer : undefined
}

/** The group of a sale. Those without an item, a buyer or a known category are one group, with an empty key; an id is a number. */
function keyFor({ by, items }: ReportInput): (sale: KeptSale) => string | number {
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
      return ({ ItemId }) => ItemId ?? ''
    case 'buyer':
      return ({ BuyerId }) => BuyerId ?? ''
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
