/** Orders of the profile's seller: read where they are not kept yet, with the state that follows from them and their sales. */
import type { Context } from '../../cli/context.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import type { OrderRecord, OrderState } from '../../format/views/index.js'
import { type KeptOrders, type Order, type OrderMarks, openOrders } from '../../jobs/ledger/orders.js'
import { joinSpans, type KeptSale, missingSpans, type Span } from '../../jobs/ledger/transactions.js'
import { enterMarks } from '../../jobs/orders.js'
import { DAY_MS, parseDuration } from '../../system/durations.js'
import { keptSales, readInHalves, readSpan, SKEW_MS, salesOwner } from '../reports/kept.js'

/** How long it is kept who a buyer is, without the setting. */
const KEEP_PEOPLE_MS = 90 * DAY_MS

export interface ReadOrders {
  /** Read everything again. */
  readonly refresh?: boolean
  /** Make no call. */
  readonly offline?: boolean
  /** Ask about no order by its id: one that the operator deleted seems to be open until another command asks. */
  readonly fewCalls?: boolean
  /** ms a call may take. */
  readonly timeout?: number
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
  { refresh, timeout }: ReadOrders,
): Promise<void> {
  const now = ctx.clock.now()
  const client = await ctx.client({ timeoutMs: timeout })
  const read = async ({ from: begin, to }: { from: number; to: number | null }): Promise<Order[]> => {
    const ToDate = to === null ? null : dateTimeOf(to)
    const request = { FromDate: dateTimeOf(begin), ToDate, QueryDateMode: 'LastUpdatedDate' as const }
    return (await client.call('GetSellerOrders', { request }, { signal: ctx.signal })).SellerOrders
  }
  const whole: Span = { from: Math.max(0, from), to: Math.min(now, end ?? now) }
  // What is known for less than a day in between is cheaper read again than by another call.
  const missing = joinSpans(missingSpans(whole, kept.spans()).map((span) => ({ from: span.from, to: span.to + SKEW_MS })))
  const parts = missing.map((span) => ({ from: span.from, to: Math.min(span.to, now) }))
  for (const span of refresh === true ? [whole] : parts) {
    // What is new while it is read belongs to it too.
    const orders = await readInHalves(
      ctx,
      { from: span.from, to: span.to === now ? null : span.to },
      read,
      ({ OrderId }) => OrderId,
    )
    const known = { from: span.from, to: Math.min(span.to, now - SKEW_MS) }
    kept.keep(orders, known.from <= known.to ? known : undefined)
  }
}

/** Orders by their ids, as the service has them now. One that it leaves out is not among the seller's. */
export async function readByIds(ctx: Context, kept: KeptOrders, ids: readonly number[], timeoutMs?: number): Promise<Order[]> {
  if (ids.length === 0) return []
  const client = await ctx.client({ timeoutMs })
  const { SellerOrders: orders } = await client.call('GetOrders', { request: { OrderIds: ids } }, { signal: ctx.signal })
  kept.keep(orders)
  return orders
}

/**
 * Orders with their states. The order service does not say what was sent, so the sales of orders that seem to be open are read; and an open
 * order without any sale is asked for by its id, because the operator may have deleted it.
 */
export async function withStates(
  ctx: Context,
  kept: KeptOrders,
  orders: readonly Order[],
  { offline, fewCalls = false, timeout }: ReadOrders,
): Promise<OrderRecord[]> {
  if (orders.length === 0) return []
  const sales = await keptSales(ctx)
  const from = orders.reduce((least, { CreatedDate }) => Math.min(least, instantOf(CreatedDate)), ctx.clock.now()) - DAY_MS
  const judged = (): Judged[] => {
    const salesOf = salesByOrder(orders, sales.list({ from, to: Number.MAX_SAFE_INTEGER }))
    const marks = kept.marks()
    return orders.map((order) => judge(order, salesOf(order), marks.get(order.OrderId)))
  }
  const isOpen = ({ record: { State } }: Judged) => State === 'unpaid' || State === 'to-send'
  let found = judged()
  const open = found.filter(isOpen)
  if (offline !== true && open.length > 0) {
    const oldest = open.reduce((least, { record }) => Math.min(least, instantOf(record.CreatedDate)), ctx.clock.now())
    await readSpan(ctx, sales, { from: oldest - DAY_MS, to: ctx.clock.now() }, { timeoutMs: timeout })
    found = judged()
    const unsold = (fewCalls ? [] : found).filter((one) => isOpen(one) && one.sales === 0).map(({ record }) => record.OrderId)
    const there = new Set((await readByIds(ctx, kept, unsold, timeout)).map(({ OrderId }) => OrderId))
    const gone = unsold.filter((id) => !there.has(id))
    if (gone.length > 0) {
      kept.mark(gone, 'gone')
      found = judged()
    }
  }
  return found.map(({ record }) => record)
}

interface Judged {
  readonly record: OrderRecord
  readonly sales: number
}

function judge(order: Order, sales: readonly KeptSale[], marks: OrderMarks | undefined): Judged {
  const every = (mark: 'Paid' | 'Shipped') => sales.length > 0 && sales.every((sale) => sale[mark])
  const paid = order.SellerOrderPayments.length > 0 || every('Paid') || marks?.paid === true
  const sent = every('Shipped') || marks?.sent === true
  const State: OrderState = marks?.gone === true ? 'cancelled' : sent ? 'sent' : paid ? 'to-send' : 'unpaid'
  return { record: { ...order, State }, sales: sales.length }
}

function groupedBy<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups
}

/** Finds the sales of an order: by its number, where the service gives it; else by item, buyer and time. */
export function salesByOrder(orders: readonly Order[], sales: readonly KeptSale[]): (order: Order) => readonly KeptSale[] {
  const key = (item: number | null, buyer: number | null | undefined) => `${item}/${buyer}`
  const bought = groupedBy(
    orders.flatMap((order) => order.Items.map(({ ItemId }) => ({ order, key: key(ItemId, order.Buyer?.UserId) }))),
    (line) => line.key,
  )
  const found = groupedBy(sales, ({ OrderId, ItemId, BuyerId, At }) => {
    if (OrderId !== undefined) return OrderId
    const away = ({ CreatedDate }: Order) => Math.abs(instantOf(CreatedDate) - At)
    const lines = bought.get(key(ItemId, BuyerId)) ?? []
    return lines.reduce<Order | undefined>((best, { order }) => (best && away(best) <= away(order) ? best : order), undefined)
      ?.OrderId
  })
  return ({ OrderId }) => found.get(OrderId) ?? []
}
