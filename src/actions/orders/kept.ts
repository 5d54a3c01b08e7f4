/** Orders of the profile's seller: read where they are not kept yet, with the state that follows from them and their sales. */
import type { Context } from '../../cli/context.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import type { OrderRecord, OrderState } from '../../format/views/index.js'
import { type KeptOrders, type Order, type OrderMarks, openOrders, type WhichOrders } from '../../jobs/ledger/orders.js'
import { joinSpans, missingSpans, type Span } from '../../jobs/ledger/transactions.js'
import { enterMarks } from '../../jobs/orders.js'
import { DAY_MS, parseDuration } from '../../system/durations.js'
import { keptSales, type ReadSales, readInHalves, readSpan, SKEW_MS, salesOwner } from '../reports/kept.js'
import { OrdersOfSales } from './of-sales.js'

/** How long it is kept who a buyer is, without the setting. */
const KEEP_PEOPLE_MS = 90 * DAY_MS

export interface ReadOrders extends ReadSales {
  /** Ask about no order by its id: one that the operator deleted seems to be open until another command asks. */
  readonly fewCalls?: boolean
}

/** The kept orders of the profile's seller, with what jobs have marked. */
export async function keptOrders(ctx: Context): Promise<KeptOrders> {
  const ledger = await ctx.ledger()
  const { name, settings } = ctx.profile
  const kept = openOrders(ledger, salesOwner(ctx), parseDuration(settings.keep_personal ?? '') ?? KEEP_PEOPLE_MS)
  enterMarks(ledger, kept, name)
  return kept
}

/** Reads the orders that changed in a span and are not kept as they are: one call, more where a reply is too large or may be cut. */
export async function readChanged(
  ctx: Context,
  kept: KeptOrders,
  { from, to: end }: { readonly from: number; readonly to?: number },
  { refresh }: ReadOrders = {},
): Promise<void> {
  const now = ctx.clock.now()
  const client = await ctx.client()
  const read = async ({ from: begin, to }: { from: number; to: number | null }): Promise<Order[]> => {
    const ToDate = to === null ? null : dateTimeOf(to)
    const request = { FromDate: dateTimeOf(begin), ToDate, QueryDateMode: 'LastUpdatedDate' as const }
    return (await client.call('GetSellerOrders', { request })).SellerOrders
  }
  const whole: Span = { from: Math.max(0, from), to: Math.min(now, end ?? now) }
  // What is known for less than a day in between is cheaper read again than by another call.
  const missing = joinSpans(missingSpans(whole, kept.spans()).map((span) => ({ from: span.from, to: span.to + SKEW_MS })))
  for (const span of refresh === true ? [whole] : missing) {
    // What is new while it is read belongs to it too.
    const asked = { from: span.from, to: span.to >= now ? null : span.to }
    const orders = await readInHalves(ctx, asked, read, ({ OrderId }) => OrderId)
    const known = { from: span.from, to: Math.min(span.to, now - SKEW_MS) }
    kept.keep(orders, known.from <= known.to ? known : undefined)
  }
}

/** Orders by their ids, as the service has them now. One that it leaves out is not among the seller's. */
export async function readByIds(ctx: Context, kept: KeptOrders, ids: readonly number[]): Promise<Order[]> {
  if (ids.length === 0) return []
  const client = await ctx.client()
  const { SellerOrders: orders } = await client.call('GetOrders', { request: { OrderIds: ids } })
  kept.keep(orders)
  return orders
}

/** The state of an order, and what it follows from. */
export interface OrderInState {
  readonly OrderId: number
  readonly CreatedAt: number
  readonly State: OrderState
}

/** What is kept of an order while states are found: there may be a year of them. */
interface Light {
  readonly id: number
  readonly at: number
  readonly paid: boolean
}

/**
 * The states of orders. The order service does not say what was sent, so the sales of orders that seem to be open are read; and an open
 * order without any sale is asked for by its id, because the operator may have deleted it.
 * @param orders read once @returns in the same order
 */
export async function statesOf(
  ctx: Context,
  kept: KeptOrders,
  orders: Iterable<Order>,
  { offline, fewCalls = false }: ReadOrders,
): Promise<OrderInState[]> {
  const of = new OrdersOfSales()
  const all: Light[] = []
  for (const order of orders) {
    of.add(order)
    all.push({ id: order.OrderId, at: instantOf(order.CreatedDate), paid: order.SellerOrderPayments.length > 0 })
  }
  if (all.length === 0) return []
  const sales = await keptSales(ctx)
  const now = ctx.clock.now()
  const oldest = (some: readonly Light[]) => some.reduce((least, { at }) => Math.min(least, at), now)
  const from = oldest(all) - DAY_MS
  const sums = new Map<number, Sold>()
  const addUp = (): void => {
    sums.clear()
    for (const page of sales.pages({ from, to: Number.MAX_SAFE_INTEGER })) {
      for (const sale of page) {
        const id = of.find(sale)
        if (id === undefined) continue
        const { paid, sent } = sums.get(id) ?? { paid: true, sent: true }
        sums.set(id, { paid: paid && sale.Paid, sent: sent && sale.Shipped })
      }
    }
  }
  let marks = kept.marks()
  const stateOf = ({ id, paid }: Light): OrderState => stateBy(sums.get(id), marks.get(id), paid)
  const open = (): Light[] => all.filter((order) => ['unpaid', 'to-send'].includes(stateOf(order)))
  addUp()
  const seemOpen = open()
  if (offline !== true && seemOpen.length > 0) {
    await readSpan(ctx, sales, { from: oldest(seemOpen) - DAY_MS, to: now }, {})
    addUp()
    const unsold = (fewCalls ? [] : open()).map(({ id }) => id).filter((id) => !sums.has(id))
    const there = new Set((await readByIds(ctx, kept, unsold)).map(({ OrderId }) => OrderId))
    const gone = unsold.filter((id) => !there.has(id))
    if (gone.length > 0) kept.mark(gone, 'gone')
    marks = kept.marks()
  }
  return all.map((order) => ({ OrderId: order.id, CreatedAt: order.at, State: stateOf(order) }))
}

/** Of the sales of an order, whether all are paid, and all sent. */
interface Sold {
  readonly paid: boolean
  readonly sent: boolean
}

function stateBy(sold: Sold | undefined, marks: OrderMarks | undefined, hasPayment: boolean): OrderState {
  if (marks?.gone === true) return 'cancelled'
  if (sold?.sent === true || marks?.sent === true) return 'sent'
  return hasPayment || sold?.paid === true || marks?.paid === true ? 'to-send' : 'unpaid'
}

/** Orders with their states. */
export async function withStates(
  ctx: Context,
  kept: KeptOrders,
  orders: readonly Order[],
  options: ReadOrders,
): Promise<OrderRecord[]> {
  const states = await statesOf(ctx, kept, orders, options)
  return states.flatMap(({ State }, at) => {
    const order = orders[at]
    return order === undefined ? [] : [{ ...order, State }]
  })
}

/** When the last payment came, ms; 0 for an unpaid order. */
export function paidAt({ SellerOrderPayments: payments }: Pick<Order, 'SellerOrderPayments'>): number {
  return payments.reduce((last, { PaidDate }) => Math.max(last, instantOf(PaidDate)), 0)
}

/** Orders that are in memory at once. */
const PIECE = 500

/** Orders in full beside what is known of them, in the order given. @param list their reader, with who the buyers are or without */
export function* inFull<T extends { readonly OrderId: number }>(
  list: (which: WhichOrders) => Iterable<Order>,
  orders: readonly T[],
): Generator<readonly [Order, T], void> {
  for (let from = 0; from < orders.length; from += PIECE) {
    const piece = orders.slice(from, from + PIECE)
    const ids = piece.map(({ OrderId }) => OrderId)
    const found = new Map(Array.from(list({ ids }), (order) => [order.OrderId, order]))
    for (const one of piece) {
      const order = found.get(one.OrderId)
      if (order !== undefined) yield [order, one]
    }
  }
}
