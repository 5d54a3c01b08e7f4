/**
 * Everything that the books of a shop have: the events of its orders, of payouts and fees, and what is held, from the ledger and
 * the service.
 */

import type { Context } from '../../cli/context.js'
import { readAccounts } from '../../contract/accounts.js'
import { type BookTerms, readBooks, readCountries, readRatesAbroad } from '../../contract/books.js'
import { instantOf } from '../../contract/index.js'
import { SellerError, ValueError } from '../../errors/index.js'
import type { Exports } from '../../jobs/ledger/exports.js'
import type { KeptOrders } from '../../jobs/ledger/orders.js'
import { run, say } from '../../messages/index.js'
import { type Entry, readEntries } from '../../rows/index.js'
import { yieldToEventLoop } from '../../system/room.js'
import { inFull } from '../orders/kept.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { costsOfSales } from '../reports/sales.js'
import { inputFile, readRows } from '../rows/input.js'
import { withProgress } from '../with-progress.js'
import { bookOrder } from './book.js'
import { feeEvents, marginEvent, payoutEvents } from './others.js'
import { readEvent } from './stored.js'
import type { BookEvent, BookSettings, Hold, OrderFacts } from './types.js'

/** Facts that the seller gives in addition to the orders. */
export interface GivenEntries {
  readonly payouts?: string | undefined
  readonly fees?: string | undefined
  /** Purchases of periods under the simplified margin scheme: `2026-10=1500`. */
  readonly purchases?: readonly string[] | undefined
  readonly 'margin-vat'?: boolean
}

/** An order whose payments are not booked, though nothing is wrong with it. */
export interface NamedOrder {
  readonly OrderId: number
  readonly PaidDate: string
  readonly Code: 'before_begin' | 'by_hand'
}

interface DatedOrder {
  readonly OrderId: number
  /** When it was first paid, or made, ms since 1970. */
  readonly at: number
}

export interface Books {
  readonly settings: BookSettings
  /** By time: what is in a file already, and what is not. */
  readonly booked: readonly BookEvent[]
  readonly fresh: readonly BookEvent[]
  readonly holds: readonly Hold[]
  readonly named: readonly NamedOrder[]
  /** Orders without a payment, with when they were made, ms: nothing is booked of them. */
  readonly unpaid: readonly DatedOrder[]
  /** Sales to consumers in other EU countries by year, öre without VAT. */
  readonly euSales: ReadonlyMap<string, number>
}

/** The choices of the profile. @throws {SellerError} books_currency for an account that is not in kronor */
export function bookSettings(ctx: Context, { 'margin-vat': margin }: Pick<GivenEntries, 'margin-vat'> = {}): BookSettings {
  const { accounts = '', books = '', countries = '', vat_abroad: abroad = '', currency = 'SEK' } = ctx.profile.settings
  if (currency !== 'SEK') {
    throw new SellerError(
      'books_currency',
      `The account is in ${currency}, and the books are kept in kronor.`,
      say`Export rows instead, and turn them by the rates that you use: ${run('orders:export', { '--form': 'rows' })}`,
      { currency },
    )
  }
  const bookTerms = readBooks(books)
  const terms: BookTerms = margin === true ? { ...bookTerms, zero: 'margin' } : bookTerms
  return { terms, accounts: readAccounts(accounts), countries: readCountries(countries), ratesAbroad: readRatesAbroad(abroad) }
}

/** Events in the order in which they happened; those of one day in that of the orders. */
export function byTime(events: readonly BookEvent[]): BookEvent[] {
  return [...events].sort(
    (one, other) =>
      (one.date < other.date ? -1 : one.date > other.date ? 1 : 0) ||
      one.orderId - other.orderId ||
      (one.at ?? 0) - (other.at ?? 0),
  )
}

/**
 * Books all kept orders as far as they are known.
 * @param begin the first day of the books; events before it are named and not booked
 * @param last the last day that is looked at
 */
export async function collectBooks(
  ctx: Context,
  storedOrders: KeptOrders,
  exports: Exports,
  { begin, last, given }: { readonly begin: string | undefined; readonly last: string; readonly given: GivenEntries },
): Promise<Books> {
  const settings = bookSettings(ctx, given)
  const costOf = settings.terms.zero === 'margin' ? await costsOfSales(ctx) : () => undefined
  const [had, older, others] = [new Map<number, BookEvent[]>(), new Map<number, number>(), [] as BookEvent[]]
  for (const { id, body, at } of exports.all()) {
    if (body === null) older.set(id, at)
    else if (id === 0) others.push(readEvent(body))
    else had.set(id, [...(had.get(id) ?? []), readEvent(body)])
  }
  const euSales = new Map([...settings.terms.euSales].map(([year, kronor]) => [year, Math.round(kronor * 100)]))
  const addEu = (day: string, ore: number) => euSales.set(day.slice(0, 4), (euSales.get(day.slice(0, 4)) ?? 0) + ore)
  for (const events of had.values()) for (const { sale, date } of events) if (sale !== undefined) addEu(date, sale.eu)
  const [marks, facts] = [storedOrders.marks(), storedOrders.facts()]
  const [fresh, holds, named]: [BookEvent[], Hold[], NamedOrder[]] = [[], [], []]
  const seenIds = new Set<number>()
  const costs = new Map<number, { readonly date: string; readonly ore: number }[]>()
  const isDue = (id: number): boolean => {
    const { Cancelled, WrittenOff }: OrderFacts = facts.get(id) ?? {}
    return marks.get(id)?.gone !== true && !Cancelled && !WrittenOff
  }
  let unpaid: DatedOrder[] = []
  const work = async () => {
    const room = yieldToEventLoop(ctx.signal)
    const orders = await inTime(storedOrders, room)
    unpaid = orders.unpaid.filter(({ OrderId }) => isDue(OrderId))
    for (const [order, { at }] of inFull(storedOrders.each, orders.paid)) {
      await room()
      const its: OrderFacts = facts.get(order.OrderId) ?? {}
      const mark = marks.get(order.OrderId)
      seenIds.add(order.OrderId)
      const day = dayOf(at)
      const year = Number(day.slice(0, 4))
      costs.set(
        order.OrderId,
        order.SellerOrderPayments.map(({ PaidDate, PaymentCost }) => ({
          date: dayOf(instantOf(PaidDate)),
          ore: PaymentCost * 100,
        })),
      )
      const result = bookOrder({
        ...{ order, settings, facts: its, booked: had.get(order.OrderId) ?? [], olderUntil: older.get(order.OrderId) },
        ...(mark?.gone === true ? { cancelled: dayOf(mark.at) } : {}),
        costOf: (line) => costOf({ ...line, At: at }),
        euSold: { now: euSales.get(String(year)) ?? 0, before: euSales.get(String(year - 1)) ?? 0 },
      })
      if (result.eu !== undefined) addEu(result.eu.day, result.eu.ore)
      const isByHand =
        its.ByHand !== undefined &&
        order.SellerOrderPayments.every(({ PaidDate }) => instantOf(PaidDate) <= instantOf(its.ByHand ?? ''))
      if (isByHand && (result.hold !== undefined || result.fresh.length > 0)) {
        named.push({ OrderId: order.OrderId, PaidDate: day, Code: 'by_hand' })
        continue
      }
      const early = result.fresh.filter(({ date }) => begin !== undefined && date < begin)
      if (early[0] !== undefined) named.push({ OrderId: order.OrderId, PaidDate: early[0].date, Code: 'before_begin' })
      fresh.push(...result.fresh.filter(({ date }) => (begin === undefined || date >= begin) && date <= last))
      const isEarly = begin !== undefined && order.SellerOrderPayments.every(({ PaidDate }) => dayOf(instantOf(PaidDate)) < begin)
      if (result.hold !== undefined && isEarly && had.get(order.OrderId) === undefined) {
        if (order.SellerOrderPayments.length > 0) named.push({ OrderId: order.OrderId, PaidDate: day, Code: 'before_begin' })
      } else if (result.hold !== undefined) holds.push(result.hold)
    }
  }
  await withProgress(ctx, 'Booking the orders', work())
  const bookedEvents = [...[...had.values()].flat(), ...others]
  const knownKeys = new Set(others.map(({ key }) => key))
  const isNew = ({ key, date }: BookEvent) => !knownKeys.has(key) && (begin === undefined || date >= begin) && date <= last
  const fees = feeEvents(await fileEntries(ctx, given.fees), settings).filter(isNew)
  const all = [...bookedEvents, ...fresh]
  const byOrder = new Map<number, BookEvent[]>()
  for (const event of all) byOrder.set(event.orderId, [...(byOrder.get(event.orderId) ?? []), event])
  const payouts = payoutEvents(await fileEntries(ctx, given.payouts), settings, (id) => ({
    events: byOrder.get(id) ?? [],
    cost: (from, to) => (costs.get(id) ?? []).reduce((sum, { date, ore }) => (date > from && date <= to ? sum + ore : sum), 0),
  }))
  fresh.push(...fees, ...payouts.events.filter(isNew))
  holds.push(...payouts.holds)
  fresh.push(
    ...marginEvents(settings, { all, others, purchases: given.purchases ?? [] }).filter(({ key }) => !knownKeys.has(key)),
  )
  return { settings, booked: byTime(bookedEvents), fresh: byTime(fresh), holds, named, unpaid, euSales }
}

/** Orders that have a payment, by the first one, and those without. */
async function inTime(
  storedOrders: KeptOrders,
  room: () => Promise<void>,
): Promise<{ readonly paid: DatedOrder[]; readonly unpaid: DatedOrder[] }> {
  const [paid, unpaid]: [DatedOrder[], DatedOrder[]] = [[], []]
  for (const { OrderId, CreatedDate, SellerOrderPayments: payments } of storedOrders.each()) {
    if (payments.length > 0) paid.push({ OrderId, at: Math.min(...payments.map(({ PaidDate }) => instantOf(PaidDate))) })
    else unpaid.push({ OrderId, at: instantOf(CreatedDate) })
    await room()
  }
  return { paid: paid.sort((one, other) => one.at - other.at || one.OrderId - other.OrderId), unpaid }
}

async function fileEntries(ctx: Context, file: string | undefined): Promise<readonly Entry[]> {
  if (file === undefined) return []
  return (await readRows(ctx, inputFile(file), readEntries)).rows
}

/** VAT of periods under the simplified margin scheme, of which the purchases are given. */
function marginEvents(
  settings: BookSettings,
  {
    all,
    others,
    purchases,
  }: { readonly all: readonly BookEvent[]; readonly others: readonly BookEvent[]; readonly purchases: readonly string[] },
): BookEvent[] {
  const events: BookEvent[] = []
  for (const text of [...purchases].sort()) {
    const { period, ore } = readPurchases(text)
    const last = addDays(`${addDays(`${period}-28`, 4).slice(0, 7)}-01`, -1)
    const before = [...others, ...events].filter(({ margin, date }) => margin !== undefined && date < `${period}-01`).at(-1)
    let sales = 0
    for (const { date, kind, rows } of all) {
      if (kind === 'margin' || date < `${period}-01` || date > last) continue
      for (const row of rows) if (row.role === 'marginSalesSimplified') sales -= row.ore
    }
    events.push(marginEvent(settings, { period, last, sales, purchases: ore + (before?.margin?.carried ?? 0) }))
  }
  return events
}

/** `2026-10=1500.00`. @throws {SellerError} usage */
function readPurchases(text: string): { readonly period: string; readonly ore: number } {
  const [, period = '', kronor = '', rest = ''] =
    /^(\d{4}-(?:0[1-9]|1[0-2]))=(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (period !== '') return { period, ore: Number(kronor) * 100 + Number(`${rest}00`.slice(0, 2)) }
  throw new ValueError(
    'invalid_values',
    { name: '--with purchases', value: text, why: 'is no MONTH=AMOUNT' },
    'Give e.g. --with purchases=2026-10=1500.00.',
  )
}

/** Balances open at the end of financial years: owed by buyers, and owed to them, kronor. */
export function openAt(
  events: readonly BookEvent[],
  days: readonly string[],
): { Date: string; Account: string; Amount: number }[] {
  return days.flatMap((day) => {
    const sums = new Map<string, number>()
    for (const { date, rows } of events) {
      if (date > day) continue
      for (const { role, account, ore } of rows) {
        if (role === 'receivable' || role === 'liability') sums.set(account, (sums.get(account) ?? 0) + ore)
      }
    }
    return [...sums].sort().flatMap(([Account, ore]) => (ore === 0 ? [] : [{ Date: day, Account, Amount: ore / 100 }]))
  })
}

/** When a Swedish day begins and ends, ms; an end that is not midnight takes its day too. */
export function daysOf(from: number, to: number): { readonly first: string; readonly last: string } {
  const end = dayOf(to)
  return { first: dayOf(from), last: startOfDay(end) === to ? addDays(end, -1) : end }
}
