/**
 * Subjects of watches: each sale once; an order when it is new, and when it is paid, and once where it is paid when it is first
 * seen.
 */

import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import type { Output, View } from '../../format/output/index.js'
import { type OrderRecord, orderLine, ordersView } from '../../format/views/orders.js'
import { saleLine, type TransactionRecord, transactionsView } from '../../format/views/transactions.js'
import type { WatchedSale } from '../../jobs/ledger/sale-watches.js'
import { type Command, run } from '../../messages/index.js'
import { keptOrders, readChanged, withStates } from '../orders/kept.js'
import { keptSaleOf, keptSales, readTransactions } from '../reports/kept.js'

export interface Subject<T> {
  /** Noun for one of them. */
  readonly noun: string
  /** The command that delivers some of them again. @param name of the watch, unless it is the usual one */
  again(ids: readonly number[], name: string | undefined): Command
  readonly view: View<T>
  line(row: T, output: Output): string
  /** The name under which the ledger has a watch. */
  nameOf(watch: string): string
  /** Event that is delivered once: its id in the ledger, and its time, ms. */
  eventOf(row: T): WatchedSale
  /** The ids in the ledger that a number given by a person may mean, and the number of such an id. */
  idsOf(number: number): readonly number[]
  numberOf(id: number): number
  /** Reads all that happened at or after an instant, ms, and keeps it. */
  read(ctx: Context, from: number): Promise<T[]>
}

export const SALES: Subject<TransactionRecord> = {
  noun: 'sale',
  again: (ids, name) => run('transactions:watch', { '--again': ids, '--name': name }),
  view: transactionsView,
  line: saleLine,
  nameOf: (watch) => watch,
  eventOf: ({ Id, Date: date }) => ({ Id, At: instantOf(date) }),
  idsOf: (number) => [number],
  numberOf: (id) => id,
  async read(ctx, from) {
    const storedSales = await keptSales(ctx)
    // A seller without any sale may be answered without a list for good.
    const options = storedSales.any() ? {} : { onAbsent: () => undefined }
    const rows = await readTransactions(ctx, await ctx.client(), { from, to: null }, options)
    storedSales.keep(rows.map(keptSaleOf))
    return rows
  },
}

/** @param paid whether only payments are delivered */
export function orderEvents(isPaid: boolean): Subject<OrderRecord> {
  return {
    noun: 'order',
    again: (ids, name) => run('orders:watch', { '--paid': isPaid, '--again': ids, '--name': name }),
    view: ordersView,
    line: orderLine,
    // No watch of sales has a name with a space.
    nameOf: (watch) => `orders ${watch}`,
    eventOf(order) {
      const { OrderId, CreatedDate, PaidBy, SellerOrderPayments: payments } = order
      if (PaidBy !== 'payment' || payments.length === 0) return { Id: OrderId * 2, At: instantOf(CreatedDate) }
      return { Id: OrderId * 2 + 1, At: Math.max(...payments.map(({ PaidDate }) => instantOf(PaidDate))) }
    },
    idsOf: (number) => [number * 2, number * 2 + 1],
    numberOf: (id) => Math.floor(id / 2),
    async read(ctx, from) {
      const storedOrders = await keptOrders(ctx)
      await readChanged(ctx, storedOrders, { from }, { shown: !storedOrders.any() })
      const orders = storedOrders.list({ updated: { from, to: Number.MAX_SAFE_INTEGER } })
      const rows = await withStates(ctx, storedOrders, orders, { offline: true })
      return isPaid
        ? rows.filter(({ PaidBy, SellerOrderPayments: payments }) => PaidBy === 'payment' && payments.length > 0)
        : rows
    },
  }
}
