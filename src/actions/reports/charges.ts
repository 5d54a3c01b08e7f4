/** What the orders of sales tell beside their amounts: the shipping that buyers paid, and what the payments cost. */
import type { Order } from '../../jobs/ledger/orders.js'
import type { KeptSale } from '../../jobs/ledger/transactions.js'
import { FloatColumn, IdIndex, IntColumn } from '../../rows/packed.js'
import type { Room } from '../../system/room.js'
import { OrdersOfSales } from '../orders/of-sales.js'

/** Öre. */
export interface Charges {
  readonly shipping: number
  readonly payment: number
}

/**
 * Of each sale whose order is known: its part of an order that has several goes by the amounts, and the parts add up. 28 bytes for each.
 * @returns by the id of a sale
 */
export async function chargesOf(
  orders: Iterable<Order>,
  pages: Iterable<readonly KeptSale[]>,
  room: Room,
): Promise<(id: number) => Charges | undefined> {
  const of = new OrdersOfSales()
  const left = new Map<number, { shipping: number; payment: number; amount: number }>()
  for (const order of orders) {
    of.add(order)
    const payment = order.SellerOrderPayments.reduce((sum, { PaymentCost }) => sum + PaymentCost * 100, 0)
    left.set(order.OrderId, { shipping: order.ShippingCost * 100, payment, amount: 0 })
    await room()
  }
  const [ids, itsOrder, shipping, payment] = [new IntColumn(), new IntColumn(), new IntColumn(), new IntColumn()]
  const amounts = new FloatColumn()
  for (const sales of pages) {
    for (const sale of sales) {
      const order = of.find(sale)
      const its = left.get(order ?? 0)
      if (order === undefined || its === undefined) continue
      its.amount += sale.Amount
      ids.push(sale.Id)
      itsOrder.push(order)
      amounts.push(sale.Amount)
    }
    await room()
  }
  const index = new IdIndex((at) => ids.get(at))
  for (let at = 0; at < ids.length; at++) {
    const its = left.get(itsOrder.get(at)) ?? { shipping: 0, payment: 0, amount: 0 }
    const amount = amounts.get(at)
    const part = its.amount === 0 ? 1 : amount / its.amount
    index.add(ids.get(at), at)
    shipping.push(Math.round(its.shipping * part))
    payment.push(Math.round(its.payment * part))
    its.shipping -= shipping.get(at)
    its.payment -= payment.get(at)
    its.amount -= amount
  }
  return (id) => {
    const at = index.find(id)
    return at < 0 ? undefined : { shipping: shipping.get(at), payment: payment.get(at) }
  }
}
