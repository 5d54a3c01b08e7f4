/** What watches deliver: each sale once; an order when it is new, and when it is paid, and once where it is paid when it is first seen. */
import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import type { Output, View } from '../../format/output/index.js'
import {
  type OrderRecord,
  orderLine,
  ordersView,
  saleLine,
  type TransactionRecord,
  transactionsView,
} from '../../format/views/index.js'
import type { WatchedSale } from '../../jobs/ledger/sale-watches.js'
import { keptOrders, paidAt, readChanged, withStates } from '../orders/kept.js'
import { keptSaleOf, keptSales, readTransactions } from '../reports/kept.js'

export interface Subject<T> {
  /** What one of them is called. */
  readonly noun: string
  /** The command, for hints. */
  readonly command: string
  readonly view: View<T>
  line(row: T, output: Output): string
  /** The name under which the ledger has a watch. */
  nameOf(watch: string): string
  /** What is delivered once: its id in the ledger, and when it happened, ms. */
  eventOf(row: T): WatchedSale
  /** The ids in the ledger that a number given by a person may mean, and the number of such an id. */
  idsOf(number: number): readonly number[]
  numberOf(id: number): number
  /** Reads all that happened at or after an instant, ms, and keeps it. */
  read(ctx: Context, from: number): Promise<T[]>
}

export const SALES: Subject<TransactionRecord> = {
  noun: 'sale',
  command: 'transactions:watch',
  view: transactionsView,
  line: saleLine,
  nameOf: (watch) => watch,
  eventOf: ({ Id, Date: date }) => ({ Id, At: instantOf(date) }),
  idsOf: (number) => [number],
  numberOf: (id) => id,
  async read(ctx, from) {
    const rows = await readTransactions(ctx, await ctx.client(), { from, to: null })
    const kept = await keptSales(ctx)
    kept.keep(rows.map(keptSaleOf))
    return rows
  },
}

/** @param paid whether only payments are delivered */
export function orderEvents(paid: boolean): Subject<OrderRecord> {
  return {
    noun: 'order',
    command: `orders:watch${paid ? ' --paid' : ''}`,
    view: ordersView,
    line: orderLine,
    // No watch of sales has a name with a space.
    nameOf: (watch) => `orders ${watch}`,
    eventOf(order) {
      const { OrderId, CreatedDate } = order
      return paidAt(order) === 0 ? { Id: OrderId * 2, At: instantOf(CreatedDate) } : { Id: OrderId * 2 + 1, At: paidAt(order) }
    },
    idsOf: (number) => [number * 2, number * 2 + 1],
    numberOf: (id) => Math.floor(id / 2),
    async read(ctx, from) {
      const kept = await keptOrders(ctx)
      await readChanged(ctx, kept, { from })
      const orders = kept.list({ updated: { from, to: Number.MAX_SAFE_INTEGER } })
      const rows = await withStates(ctx, kept, orders, { offline: true })
      return paid ? rows.filter(({ SellerOrderPayments: payments }) => payments.length > 0) : rows
    },
  }
}
