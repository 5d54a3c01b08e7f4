/** Orders of the profile's seller: read where they are not kept yet, with the state that follows from them and their sales. */

import type { Context } from '../../cli/context.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { thousands } from '../../format/output/index.js'
import { type NotRead, notRead } from '../../format/views/not-read.js'
import type { OrderRecord } from '../../format/views/orders.js'
import { type ImpersonalOrder, type KeptOrders, type Order, openOrders, type WhichOrders } from '../../jobs/ledger/orders.js'
import { joinSpans, missingSpans, type Span } from '../../jobs/ledger/transactions.js'
import { ListProof, ORDERS } from '../../jobs/live-list.js'
import { enterMarks } from '../../jobs/orders.js'
import { run, say } from '../../messages/index.js'
import { stoppedBy } from '../../pricing/index.js'
import type { CallOptions } from '../../soap/client/index.js'
import { DAY_MS, parseDuration } from '../../system/durations.js'
import { noteAbsent } from '../absent.js'
import { readGuards } from '../prices/guards.js'
import { keptSales, type ReadSales, readInHalves, readSpan, SKEW_MS, salesOwner } from '../reports/kept.js'
import { OrdersOfSales } from './of-sales.js'
import { type MarkedSales, type PaidOrder, paidOrder, type StateOfOrder, stateOfOrder } from './paid.js'
import { salesToRead } from './sales-to-read.js'

/** Time for which a buyer's identity is kept without the setting. */
const KEEP_PEOPLE_MS = 90 * DAY_MS

export interface ReadOrders extends ReadSales {
  /** Ask about no order by its id: one that the operator deleted seems to be open until another command asks. */
  readonly fewCalls?: boolean
}

/** The kept orders of the profile's seller, with what jobs have marked. */
export async function keptOrders(ctx: Context): Promise<KeptOrders> {
  const ledger = await ctx.ledger()
  const { name, settings } = ctx.profile
  const orders = openOrders(ledger, salesOwner(ctx), parseDuration(settings.keep_personal ?? '') ?? KEEP_PEOPLE_MS)
  enterMarks(ledger, orders, name)
  return orders
}

/**
 * Reads the orders that changed in a span and are not kept as they are: one call, more where a reply is too large or may be cut.
 */
export async function readChanged(
  ctx: Context,
  storedOrders: KeptOrders,
  { from, to: end }: { readonly from: number; readonly to?: number },
  { refresh, shown = false, byIds = false }: ReadOrders & { readonly byIds?: boolean } = {},
): Promise<void> {
  const now = ctx.clock.now()
  const client = await ctx.client()
  let isAbsent = false
  const onAbsent = () => {
    isAbsent = true
  }
  const options = shown ? { onAbsent } : {}
  const read = async ({ from: begin, to }: { from: number; to: number | null }): Promise<Order[]> => {
    const ToDate = to === null ? null : dateTimeOf(to)
    const request = { FromDate: dateTimeOf(begin), ToDate, QueryDateMode: 'LastUpdatedDate' as const }
    const { SellerOrders: orders } = await client.call('GetSellerOrders', { request }, options)
    proveOrders(ctx, orders)
    return orders
  }
  const whole: Span = { from: Math.max(0, from), to: Math.min(now, end ?? now) }
  // Spans less than a day apart are cheaper to read again than by another call.
  const missing = joinSpans(missingSpans(whole, storedOrders.spans()).map((span) => ({ from: span.from, to: span.to + SKEW_MS })))
  for (const span of refresh === true ? [whole] : missing) {
    // Orders that arrive during the reading belong to it too.
    const openSpan = { from: span.from, to: span.to >= now ? null : span.to }
    const orders = await readInHalves(ctx, openSpan, read, ({ OrderId }) => OrderId)
    if (isAbsent) return noteAbsent(ctx, 'orders', storedOrders.any())
    const knownSpan = { from: span.from, to: Math.min(span.to, now - SKEW_MS) }
    storedOrders.keep(orders)
    const listedIds = new Set(orders.map(({ OrderId }) => OrderId))
    const open = openSpan.to === null
    // Orders that were cancelled are missing for good.
    if (refresh === true || (open && isShort(ctx, storedOrders, listedIds, span.from)))
      await findCancelled(ctx, storedOrders, span, listedIds)
    const short = open && isShort(ctx, storedOrders, listedIds, span.from)
    // A span whose list was short is not known: what it left out may be new.
    if (!short && knownSpan.from <= knownSpan.to) storedOrders.keep([], knownSpan)
    if (!short) continue
    // The books conclude nothing from a list: whatever it left out was asked for.
    if (!byIds) refuseShort(ctx, storedOrders, listedIds, { from: span.from, shown })
    else
      ctx.output.warn(
        'The list of orders is shorter than what this ledger knows. The missing ones were asked for by their ids; run the command again later for new ones.',
      )
  }
}

/** Reads the orders that changed since a time again, and asks for those that are no longer among them. */
export function readBack(ctx: Context, storedOrders: KeptOrders, from: number): Promise<void> {
  return readChanged(ctx, storedOrders, { from }, { refresh: true, byIds: true })
}

/** Orders that one call asks for by their ids. */
const IDS_AT_ONCE = 500

/** Asks for kept orders of a span by their ids where a list left them out: those that the answer leaves out too are cancelled. */
async function findCancelled(
  ctx: Context,
  storedOrders: KeptOrders,
  { from, to }: Span,
  listedIds: ReadonlySet<number>,
): Promise<void> {
  const marks = storedOrders.marks()
  const missing: number[] = []
  for (const { OrderId } of storedOrders.each({ updated: { from, to } })) {
    if (!listedIds.has(OrderId) && marks.get(OrderId)?.gone !== true) missing.push(OrderId)
  }
  for (let at = 0; at < missing.length; at += IDS_AT_ONCE) await askFor(ctx, storedOrders, missing.slice(at, at + IDS_AT_ONCE))
}

/** Asks for orders by their ids, and marks those that the service no longer has. */
async function askFor(ctx: Context, storedOrders: KeptOrders, ids: readonly number[]): Promise<void> {
  let isAbsent = false
  const onAbsent = () => {
    isAbsent = true
  }
  const there = new Set((await readByIds(ctx, storedOrders, ids, { onAbsent })).map(({ OrderId }) => OrderId))
  const goneIds = isAbsent ? [] : ids.filter((id) => !there.has(id))
  if (goneIds.length > 0) storedOrders.mark(goneIds, 'gone')
}

/** The parts of a span whose changes were not read yet. */
export function missingOrders(storedOrders: KeptOrders, span: Span): NotRead[] {
  return missingSpans(span, storedOrders.spans()).map((part) => notRead('orders', 'offline', part))
}

/** Orders by their ids, as the service has them now. One that it leaves out is not among the seller's. */
export async function readByIds(
  ctx: Context,
  storedOrders: KeptOrders,
  ids: readonly number[],
  options: Pick<CallOptions, 'onAbsent'> = {},
): Promise<Order[]> {
  if (ids.length === 0) return []
  const client = await ctx.client()
  const { SellerOrders: orders } = await client.call('GetOrders', { request: { OrderIds: ids } }, options)
  storedOrders.keep(orders)
  return orders
}

/** The state of an order, and what it follows from. */
export interface OrderInState extends StateOfOrder {
  readonly OrderId: number
  readonly CreatedAt: number
}

/** Facts kept of an order while states are found: there may be a year of them. */
interface Light {
  readonly id: number
  readonly at: number
  readonly paid: PaidOrder
}

/**
 * The states of orders. The order service does not say what was sent, so the sales of orders that seem to be open are read; and
 * an open order without any sale is asked for by its id, because the operator may have deleted it.
 * @param orders read once @returns in the same order
 */
export async function readStates(
  ctx: Context,
  storedOrders: KeptOrders,
  orders: Iterable<ImpersonalOrder>,
  { offline, refresh, fewCalls = false }: ReadOrders,
): Promise<OrderInState[]> {
  const of = new OrdersOfSales()
  const all: Light[] = []
  for (const order of orders) {
    of.add(order)
    all.push({ id: order.OrderId, at: instantOf(order.CreatedDate), paid: paidOrder(order) })
  }
  if (all.length === 0) return []
  const sales = await keptSales(ctx)
  const now = ctx.clock.now()
  const oldest = (some: readonly Light[]) => some.reduce((least, { at }) => Math.min(least, at), now)
  const from = oldest(all) - DAY_MS
  const sums = new Map<number, MarkedSales>()
  // An order that was not asked for may be nearer to a sale of the same item and buyer.
  let hasOthers = false
  const addOthers = (): void => {
    hasOthers = true
    const ownIds = new Set(all.map(({ id }) => id))
    const ids = storedOrders.ids({ created: { from: from - DAY_MS, to: Number.MAX_SAFE_INTEGER } })
    for (const order of storedOrders.each({ ids: ids.filter((id) => !ownIds.has(id)) })) of.add(order)
  }
  // All sales, oldest first: when they were made, and the order of each.
  const [times, orderIds]: [number[], (number | undefined)[]] = [[], []]
  const addUp = (): void => {
    sums.clear()
    for (const list of [times, orderIds]) list.length = 0
    for (const page of sales.pages({ from, to: Number.MAX_SAFE_INTEGER })) {
      for (const sale of page) {
        if (sale.OrderId === undefined && !hasOthers) addOthers()
        const id = of.find(sale)
        times.push(sale.At)
        orderIds.push(id)
        if (id === undefined) continue
        const { paid, sent } = sums.get(id) ?? { paid: true, sent: true }
        sums.set(id, { paid: paid && sale.Paid, sent: sent && sale.Shipped })
      }
    }
  }
  let marks = storedOrders.marks()
  const stateOf = ({ id, paid }: Light): StateOfOrder => stateOfOrder(paid, sums.get(id), marks.get(id))
  const open = (): Light[] => all.filter((order) => ['unpaid', 'to-send'].includes(stateOf(order).State))
  addUp()
  const seemOpen = open()
  if (offline !== true && seemOpen.length > 0) {
    const openIds = new Set<number | undefined>(seemOpen.map(({ id }) => id))
    const instants = [
      ...times.filter((_, at) => openIds.has(orderIds[at])),
      ...seemOpen.flatMap(({ id, at }) => (sums.has(id) ? [] : [at])),
    ]
    const missing = missingSpans({ from: oldest(seemOpen) - DAY_MS, to: now }, sales.spans())
    // With --refresh no gap is left out.
    const kept = refresh === true ? [] : times
    for (const span of salesToRead({ instants, missing, now }, kept)) await readSpan(ctx, sales, span, {})
    addUp()
    const unsold = (fewCalls ? [] : open()).map(({ id }) => id).filter((id) => !sums.has(id))
    await askFor(ctx, storedOrders, unsold)
    marks = storedOrders.marks()
  }
  return all.map((order) => ({ OrderId: order.id, CreatedAt: order.at, ...stateOf(order) }))
}

/** Orders with their states. */
export async function withStates(
  ctx: Context,
  storedOrders: KeptOrders,
  orders: readonly Order[],
  options: ReadOrders,
): Promise<OrderRecord[]> {
  const states = await readStates(ctx, storedOrders, orders, options)
  return states.flatMap(({ State, Missing, PaidBy }, at) => {
    const order = orders[at]
    return order === undefined ? [] : [{ ...order, State, Missing, PaidBy }]
  })
}

/** When the first payment came, ms; 0 for an unpaid order. */
export function paidAt({ SellerOrderPayments: payments }: Pick<ImpersonalOrder, 'SellerOrderPayments'>): number {
  const times = payments.flatMap(({ Amount, PaidDate }) => (Amount > 0 ? [instantOf(PaidDate)] : []))
  return times.length === 0 ? 0 : Math.min(...times)
}

/** Orders that are in memory at once. */
const PIECE = 500

/** Orders next to what is known of them, in the order given. @param list their reader, with who the buyers are or without */
export function* inFull<O extends ImpersonalOrder, T extends { readonly OrderId: number }>(
  list: (which: WhichOrders) => Iterable<O>,
  orders: readonly T[],
): Generator<readonly [O, T], void> {
  for (let from = 0; from < orders.length; from += PIECE) {
    const piece = orders.slice(from, from + PIECE)
    const ids = piece.map(({ OrderId }) => OrderId)
    const ordersById = new Map(Array.from(list({ ids }), (order) => [order.OrderId, order]))
    for (const one of piece) {
      const order = ordersById.get(one.OrderId)
      if (order !== undefined) yield [order, one]
    }
  }
}

/** @throws {SoapError} kind `broken` for an order that comes twice, or is another seller's */
function proveOrders(ctx: Pick<Context, 'profile'>, orders: readonly Order[]): void {
  const proof = new ListProof('GetSellerOrders', ctx.profile.settings.user_id, ORDERS)
  for (const { OrderId, Seller } of orders) proof.see({ Id: OrderId, ...(Seller && { Seller: { Id: Seller.UserId } }) })
}

/** Number of kept orders that have changed since an instant, and of those that a list has. Each must be in every later list. */
function compared(storedOrders: KeptOrders, listedIds: ReadonlySet<number>, from: number): { before: number; now: number } {
  const marks = storedOrders.marks()
  const knownIds = storedOrders
    .ids({ updated: { from, to: Number.MAX_SAFE_INTEGER } })
    .filter((id) => marks.get(id)?.gone !== true)
  return { before: knownIds.length, now: knownIds.filter((id) => listedIds.has(id)).length }
}

/**
 * True where a list of all orders that have changed since an instant, ms, lacks more than the profile's limit max_shrink allows.
 */
function isShort(ctx: Pick<Context, 'profile'>, storedOrders: KeptOrders, listedIds: ReadonlySet<number>, from: number): boolean {
  return stoppedBy('list', readGuards({}, ctx.profile.settings), compared(storedOrders, listedIds, from)) !== null
}

/**
 * Refuses a list that is short (`isShort`).
 * @param listed ids of all orders that have changed since `from`, ms @param shown whether nothing is concluded from the list:
 * then it only warns
 * @throws {SellerError} list_short (6)
 */
function refuseShort(
  ctx: Context,
  storedOrders: KeptOrders,
  listedIds: ReadonlySet<number>,
  { from, shown }: { readonly from: number; readonly shown: boolean },
): void {
  const { before, now } = compared(storedOrders, listedIds, from)
  const words = `The list of orders has ${thousands(now)} of the ${countOf(before, 'order')} of this period that this ledger knows.`
  if (shown) {
    ctx.output.warn(`${words} What it lacks is not taken for gone.`)
    return
  }
  throw new SellerError(
    'list_short',
    `${words} It may be only a part, so nothing is concluded from it.`,
    say`Run the command again later. If the orders really are gone, accept it with: ${run('auth:login', { '--setting': 'max_shrink=off' })}`,
    { before, now },
  )
}
