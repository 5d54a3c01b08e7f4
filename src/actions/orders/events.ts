/** What orders:watch delivers: an order when it is new, and when it is paid; one that is paid when it is first seen, once. */
import { instantOf } from '../../contract/index.js'
import { type OrderRecord, orderLine, ordersView } from '../../format/views/index.js'
import type { Subject } from '../transactions/subject.js'
import { keptOrders, readChanged, withStates } from './kept.js'

/** @param paid whether only payments are delivered */
export function orderEvents(paid: boolean): Subject<OrderRecord> {
  return {
    noun: 'order',
    command: `orders:watch${paid ? ' --paid' : ''}`,
    view: ordersView,
    line: orderLine,
    // No watch of sales has a name with a space.
    nameOf: (watch) => `orders ${watch}`,
    eventOf({ OrderId, CreatedDate, SellerOrderPayments: payments }) {
      const paidAt = payments.reduce((last, { PaidDate }) => Math.max(last, instantOf(PaidDate)), 0)
      return paidAt === 0 ? { Id: OrderId * 2, At: instantOf(CreatedDate) } : { Id: OrderId * 2 + 1, At: paidAt }
    },
    idsOf: (number) => [number * 2, number * 2 + 1],
    numberOf: (id) => Math.floor(id / 2),
    async read(ctx, from, timeout) {
      const kept = await keptOrders(ctx)
      await readChanged(ctx, kept, { from: from }, { timeout })
      const orders = kept.list({ updated: { from, to: Number.MAX_SAFE_INTEGER } })
      const rows = await withStates(ctx, kept, orders, { offline: true })
      return paid ? rows.filter(({ SellerOrderPayments: payments }) => payments.length > 0) : rows
    },
  }
}
