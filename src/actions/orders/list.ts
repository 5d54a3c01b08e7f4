/** orders:list and orders:show: orders by period, state, buyer and own reference, or by their ids. */

import type { Context } from '../../cli/context.js'
import { globPattern } from '../../contract/glob.js'
import { instantOf } from '../../contract/index.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { type OrderRecord, type OrderState, ordersView, orderViewOf } from '../../format/views/orders.js'
import type { ImpersonalOrder, Order } from '../../jobs/ledger/orders.js'
import { run, say } from '../../messages/index.js'
import { DAY_MS } from '../../system/durations.js'
import { emptyPeriod } from '../period.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { listResult, type Result, shownRecords } from '../result.js'
import { rowsWithin, tellMissing, type WholeFlags } from '../whole.js'
import {
  inFull,
  keptOrders,
  missingOrders,
  type OrderInState,
  type ReadOrders,
  readByIds,
  readChanged,
  readStates,
  withStates,
} from './kept.js'

/** Span of a list by default. */
const DEFAULT_MS = 90 * DAY_MS

export interface OrderQuery extends ReadOrders {
  /** ISO 8601: changed at or after this time. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** ISO 8601: created on this day. */
  readonly day?: string | undefined
  readonly states?: readonly OrderState[] | undefined
  /** User id or alias. */
  readonly buyer?: string | undefined
  /** A pattern of own references. */
  readonly reference?: string | undefined
}

/**
 * Finds orders, without holding what they say.
 * @returns them by their creation
 * @throws {SellerError} usage for a period that ends before it begins; what the client throws
 */
export async function findOrders(ctx: Context, query: OrderQuery & WholeFlags): Promise<OrderInState[]> {
  const { since, until, day, states, offline } = query
  const now = ctx.clock.now()
  const from = since === undefined ? now - DEFAULT_MS : instantOf(since)
  const to = until === undefined ? Number.MAX_SAFE_INTEGER : instantOf(until) - 1
  if (to < from) throw emptyPeriod(from, to + 1)
  const name = day === undefined ? undefined : dayOf(instantOf(day))
  const createdSpan = name === undefined ? undefined : { from: startOfDay(name), to: startOfDay(addDays(name, 1)) - 1 }
  const storedOrders = await keptOrders(ctx)
  ctx.ifInterrupted({ sent: 'What was read is kept.' })
  const span = { from: createdSpan?.from ?? from, to: Math.min(createdSpan === undefined ? to : now, now) }
  if (offline === true) tellMissing(ctx, missingOrders(storedOrders, span), query)
  else await readChanged(ctx, storedOrders, { from: span.from }, { ...query, shown: true })
  const matches = matchingOrders(
    storedOrders.each(createdSpan === undefined ? { updated: { from, to } } : { created: createdSpan }),
    query,
  )
  const orders = await readStates(ctx, storedOrders, matches, query)
  return states === undefined ? orders : orders.filter(({ State }) => states.includes(State))
}

/** orders:list. */
export async function listOrders(ctx: Context, query: OrderQuery & WholeFlags, limit: number | undefined): Promise<Result> {
  const orders = await findOrders(ctx, query)
  const storedOrders = await keptOrders(ctx)
  const rows = function* (): Generator<OrderRecord> {
    for (const [order, { State, Missing, PaidBy }] of inFull(storedOrders.list, orders))
      yield { ...order, State, Missing, PaidBy }
  }
  const { whole } = query
  return listResult({ view: ordersView, rows: () => rowsWithin(rows(), limit, query), limit: whole ? undefined : limit })
}

/** Those that were named, or else all that are to be sent. */
export async function namedOrToSend(ctx: Context, orderIds: readonly number[]): Promise<readonly number[]> {
  if (orderIds.length > 0) return orderIds
  return (await findOrders(ctx, { states: ['to-send'] })).map(({ OrderId }) => OrderId)
}

function* matchingOrders(orders: Iterable<ImpersonalOrder>, { buyer, reference }: OrderQuery): Generator<ImpersonalOrder, void> {
  const name = buyer?.toLowerCase()
  const pattern = reference === undefined ? undefined : globPattern(reference)
  for (const order of orders) {
    const { Buyer: by, Items } = order
    if (
      (name === undefined || String(by?.UserId) === name || by?.Alias?.toLowerCase() === name) &&
      (pattern === undefined || Items.some(({ OwnReferences }) => OwnReferences.some((text) => pattern.test(text))))
    )
      yield order
  }
}

/**
 * Orders in full, as the service has them now.
 * @returns them; `error` is order_not_found, naming the missing ones
 */
export async function showOrders(ctx: Context, ids: readonly number[], { offline }: ReadOrders): Promise<Result> {
  const storedOrders = await keptOrders(ctx)
  const foundOrders =
    offline === true ? storedOrders.list({ ids }) : await readByIds(ctx, storedOrders, ids, { onAbsent: () => undefined })
  const orders = await withStates(ctx, storedOrders, foundOrders, { offline })
  const orderRecords = shownRecords(orderViewOf(ctx.output.unit), orders, ids.length === 1)
  const error = ordersNotFound(ids, orders)
  return { shown: orderRecords, code: error?.exitCode ?? EXIT.ok, error }
}

/** The error that names those that were not found; undefined where all were. */
export function ordersNotFound(ids: readonly number[], orders: readonly Pick<Order, 'OrderId'>[]): SellerError | undefined {
  const there = new Set(orders.map(({ OrderId }) => OrderId))
  const missing = ids.filter((id) => !there.has(id))
  if (missing.length === 0) return undefined
  const which = missing.length === 1 ? `Order ${missing[0]} is` : `Orders ${missing.join(', ')} are`
  return new SellerError('order_not_found', `${which} not among yours.`, say`See your orders with: ${run('orders:list')}`)
}
