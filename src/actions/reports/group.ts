/** From sales to the rows of a report. Pure: no service, no ledger, no clock. */
import { dateTimeOf } from '../../contract/index.js'
import { changePercent } from '../../format/output/values.js'
import { type ComparedBasis, type Grouping, type SalesReport, type SalesReportRow, TIMELY } from '../../format/views/reports.js'
import type { SoldSale, Span } from '../../jobs/ledger/transactions.js'
import { addDays, dayOf, instantOfWall, monthsLater, startOfDay, wallOf, weekdayOf, weekOf, wholeMonths } from './calendar.js'
import { type Beside, isPaid, Totals } from './totals.js'

/** period: that before, as `comparedWith` says; year: the same dates of the year before. */
export const COMPARISONS = ['period', 'year'] as const
export type Comparison = (typeof COMPARISONS)[number]

export interface ReportInput extends Beside {
  readonly by: Grouping
  /** The period, its end included, ms. */
  readonly span: Span
  /** Period to compare with; null for none. */
  readonly compare: Comparison | null
  /**
   * Sales that were added, by their ids: of items and buyers there may be a million, whose sums are made when their rows are
   * asked for.
   */
  readonly salesOf: (ids: readonly number[]) => readonly SoldSale[]
  /** True if the ledger keeps orders, so that payments are known. */
  readonly ordersKnown?: boolean
  /** Name of a category. */
  readonly categoryName?: ((id: number) => string | undefined) | undefined
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const PAID_NAMES: Readonly<Record<string, string>> = { paid: 'Paid', unpaid: 'Not paid yet' }
const MARKED_NAMES: Readonly<Record<string, string>> = { paid: 'Marked as paid', unpaid: 'Not marked as paid' }

/** Definition of a group. */
interface Kind {
  /** The group of a day. */
  readonly ofDay?: (day: string) => string
  /** The group of a sale; an empty key where it is not known. */
  readonly of?: (sale: SoldSale, input: ReportInput) => string | number | null
  /** First day of a group of days, and the first day after it. */
  readonly days?: (key: string) => readonly [string, string]
  /** Id of a group if there are many, by which their sales are found again. */
  readonly id?: (sale: SoldSale) => number | null
  /** Group name that a sale gives. */
  readonly called?: (sale: SoldSale) => string | null
  readonly name?: (key: string, input: ReportInput) => string | undefined
}

const KINDS: Readonly<Record<Grouping, Kind>> = {
  day: { ofDay: (day) => day, days: (day) => [day, addDays(day, 1)] },
  week: { ofDay: weekOf, days: daysOfWeek },
  month: { ofDay: (day) => day.slice(0, 7), days: (key) => [`${key}-01`, `${addDays(`${key}-28`, 4).slice(0, 7)}-01`] },
  weekday: { ofDay: (day) => String(weekdayOf(day)), name: (key) => WEEKDAYS[Number(key) - 1] },
  category: { of: ({ CategoryId }) => CategoryId, name: (key, { categoryName }) => categoryName?.(Number(key)) },
  payment: {
    of: (sale, { chargesOf }) => (isPaid(sale, chargesOf(sale.Id)) ? 'paid' : 'unpaid'),
    // Where no order is known, the seller's mark is all there is.
    name: (key, { ordersKnown }) => (ordersKnown === true ? PAID_NAMES : MARKED_NAMES)[key],
  },
  country: { of: ({ Id }, { chargesOf }) => chargesOf(Id)?.country ?? null },
  item: { id: ({ ItemId }) => ItemId, called: ({ Title }) => Title },
  buyer: { id: ({ BuyerId }) => BuyerId, called: ({ Buyer }) => Buyer },
}

function daysOfWeek(key: string): [string, string] {
  // 4 January is always in week 1 (ISO 8601).
  const fourth = `${key.slice(0, 4)}-01-04`
  const monday = addDays(fourth, (Number(key.slice(6)) - 1) * 7 - (weekdayOf(fourth) - 1))
  return [monday, addDays(monday, 7)]
}

/** The period that one is compared with, and the months from a place in it to the same place of the other; 0 for one as long. */
interface Compared {
  readonly basis: ComparedBasis
  readonly months: number
  readonly before: Span
}

/**
 * Compares whole calendar months with as many before, so October with September, and another period with that of the same length
 * which ends where it begins: by the Swedish clock, so that whole days are compared with whole days, though one of them may have
 * 23 or 25 hours. Or with the same dates of the year before.
 */
export function comparedWith({ from, to }: Span, compare: Comparison = 'period'): Compared {
  const months = compare === 'year' ? 12 : wholeMonths(from, to + 1)
  if (months > 0) {
    const before = { from: monthsLater(from, -months), to: monthsLater(to + 1, -months) - 1 }
    return { basis: compare === 'year' ? 'year' : 'calendar_months', months, before }
  }
  const begin = wallOf(from)
  const length = wallOf(to + 1) - begin
  return { basis: 'same_length', months, before: { from: instantOfWall(begin - length), to: from - 1 } }
}

/** The sums of a group, and what its last sale calls it. */
class Group {
  readonly totals: Totals
  amount = 0
  previousSales = 0
  previousAmount = 0
  name: string | null | undefined

  constructor(readonly input: ReportInput) {
    this.totals = new Totals(input)
  }

  add(sale: SoldSale): void {
    this.totals.add(sale)
    this.amount += sale.Amount
    this.name = KINDS[this.input.by].called?.(sale)
  }

  addBefore(sale: SoldSale): void {
    this.previousSales++
    this.previousAmount += sale.Amount
    this.name = KINDS[this.input.by].called?.(sale)
  }
}

/** Sales that are read at once for the rows of their groups. */
const PIECE = 1_000
/** Key of sales without an item or a buyer. */
const NONE = -1

/** Sales by an id, of which there may be a million. */
class SalesById {
  readonly #ids = new Map<number, { amount: number; previousAmount: number; readonly sales: number[] }>()

  /** @param amount of this period, and of the one before */
  add(id: number, sale: number, amount: number, previousAmount: number): void {
    const knownSum = this.#ids.get(id)
    if (knownSum === undefined) {
      this.#ids.set(id, { amount, previousAmount, sales: [sale] })
      return
    }
    knownSum.amount += amount
    knownSum.previousAmount += previousAmount
    knownSum.sales.push(sale)
  }

  /** Each id with its sales, oldest first; the largest amount first, of equal ones the lower id. */
  *each(salesOf: ReportInput['salesOf']): Generator<[id: number, sales: readonly SoldSale[]]> {
    const ids = [...this.#ids].sort(
      ([first, one], [second, other]) => other.amount - one.amount || other.previousAmount - one.previousAmount || first - second,
    )
    for (let next = 0; next < ids.length; ) {
      const from = next
      for (let sales = 0; sales < PIECE && next < ids.length; next++) sales += ids[next]?.[1].sales.length ?? 0
      const groups = ids.slice(from, next)
      const salesById = new Map(salesOf(groups.flatMap(([, { sales }]) => sales)).map((sale) => [sale.Id, sale]))
      for (const [id, { sales }] of groups) yield [id, sales.flatMap((sale) => salesById.get(sale) ?? [])]
    }
  }
}

/** Adds up sales one by one, oldest first. Its rows are made when they are asked for. */
export class SalesGroups {
  readonly #input: ReportInput
  readonly #compared: Compared
  readonly #groups = new Map<string, Group>()
  readonly #byId = new SalesById()
  readonly #total: Totals
  readonly #totalBefore: Totals
  /** By the Swedish clock, ms: a sale of the previous period is counted at the same place in this one. */
  readonly #shift: number

  constructor(input: ReportInput) {
    const { by, span, compare } = input
    this.#input = input
    this.#compared = comparedWith(span, compare ?? 'period')
    this.#shift = wallOf(span.from) - wallOf(this.#compared.before.from)
    this.#total = new Totals(input)
    this.#totalBefore = new Totals(input)
    for (const key of emptyKeys(by, span)) this.#group(key)
  }

  /** Adds a sale of one of the periods, or of none. The periods may meet. */
  add(sale: SoldSale): void {
    const [now, before] = this.#periodsOf(sale)
    if (now) this.#total.add(sale)
    if (before) this.#totalBefore.add(sale)
    const { ofDay, of, id } = KINDS[this.#input.by]
    const keyOf = (at: number): string => String(ofDay?.(dayOf(at)) ?? of?.(sale, this.#input) ?? '')
    if (id !== undefined) {
      if (now || before) this.#byId.add(id(sale) ?? NONE, sale.Id, now ? sale.Amount : 0, before ? sale.Amount : 0)
      return
    }
    if (now) this.#group(keyOf(sale.At)).add(sale)
    if (before) this.#group(keyOf(this.#placeOf(sale.At))).addBefore(sale)
  }

  #periodsOf({ At }: SoldSale): [now: boolean, before: boolean] {
    const { span, compare } = this.#input
    const { before } = this.#compared
    return [At >= span.from && At <= span.to, compare !== null && At >= before.from && At <= before.to]
  }

  /** @param NotRead what is missing of the sales */
  report(NotRead: SalesReport['NotRead'] = []): Omit<SalesReport, 'Fee'> {
    const { by, span, compare } = this.#input
    const { basis, months, before } = this.#compared
    return {
      NotRead,
      By: by,
      Since: dateTimeOf(span.from),
      Until: dateTimeOf(span.to + 1),
      Total: this.#total.result(),
      Previous:
        compare !== null
          ? {
              ...{ Basis: basis, Months: basis === 'calendar_months' ? months : null },
              ...{ Since: dateTimeOf(before.from), Until: dateTimeOf(before.to + 1), ...this.#totalBefore.result() },
            }
          : null,
      Rows: { [Symbol.iterator]: () => this.#rows() },
    }
  }

  #placeOf(at: number): number {
    const { by, span } = this.#input
    if (KINDS[by].days === undefined) return at
    const { months } = this.#compared
    const then = months > 0 ? monthsLater(at, months) : instantOfWall(wallOf(at) + this.#shift)
    return Math.max(span.from, Math.min(span.to, then))
  }

  #group(key: string): Group {
    const group = this.#groups.get(key) ?? new Group(this.#input)
    this.#groups.set(key, group)
    return group
  }

  /** By time if the groups have one, else the largest amount first; of equal ones, earlier keys first. */
  *#rows(): Generator<SalesReportRow> {
    const timely = TIMELY.has(this.#input.by)
    const groups = [...this.#groups].sort(
      ([first, one], [second, other]) =>
        (timely ? 0 : other.amount - one.amount || other.previousAmount - one.previousAmount) || (first < second ? -1 : 1),
    )
    for (const [key, group] of groups) yield this.#row(key, group)
    for (const [id, sales] of this.#byId.each(this.#input.salesOf)) {
      const group = new Group(this.#input)
      for (const sale of sales) {
        const [now, before] = this.#periodsOf(sale)
        if (now) group.add(sale)
        if (before) group.addBefore(sale)
      }
      yield this.#row(id === NONE ? '' : String(id), group)
    }
  }

  #row(key: string, { totals, name, previousSales, previousAmount }: Group): SalesReportRow {
    const { by, span, compare } = this.#input
    const result = totals.result()
    const [first, next] = KINDS[by].days?.(key) ?? []
    // Part of a day, week or month inside the period.
    const from = first === undefined ? null : dateTimeOf(Math.max(span.from, startOfDay(first)))
    const to = next === undefined ? null : dateTimeOf(Math.min(span.to + 1, startOfDay(next)))
    return {
      Key: key,
      Name: key === '' ? 'unknown' : (KINDS[by].name?.(key, this.#input) ?? name ?? key),
      From: from,
      To: to,
      ...result,
      PreviousSales: compare !== null ? previousSales : null,
      PreviousAmount: compare !== null ? previousAmount : null,
      Change: compare !== null ? result.Amount - previousAmount : null,
      ChangePercent: compare !== null ? changePercent(result.Amount, previousAmount) : null,
    }
  }
}

/** Groups that are there without a sale too: a day without one is a fact. */
function emptyKeys(by: Grouping, span: Span): string[] {
  if (by === 'weekday') return WEEKDAYS.map((_, at) => String(at + 1))
  const { ofDay, days } = KINDS[by]
  if (ofDay === undefined || days === undefined) return []
  const last = dayOf(span.to)
  const keys = new Set<string>()
  for (let day = dayOf(span.from); day <= last; day = addDays(day, 1)) keys.add(ofDay(day))
  return [...keys]
}
