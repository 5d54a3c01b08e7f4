/** What the orders of sales tell beside their amounts: the shipping that buyers paid, and what the payments cost. */
import type { Order } from '../../jobs/ledger/orders.js'
import type { KeptSale } from '../../jobs/ledger/transactions.js'
import { salesByOrder } from '../orders/kept.js'

/** Öre. */
export interface Charges {
  readonly shipping: number
  readonly payment: number
}

/** Of each sale whose order is known: its part of an order that has several goes by the amounts, and the parts add up. By the sale's id. */
export function chargesOf(orders: readonly Order[], sales: readonly KeptSale[]): Map<number, Charges> {
  const charges = new Map<number, Charges>()
  const salesOf = salesByOrder(orders, sales)
  for (const order of orders) {
    const its = salesOf(order)
    const left = {
      shipping: order.ShippingCost * 100,
      payment: order.SellerOrderPayments.reduce((sum, { PaymentCost }) => sum + PaymentCost * 100, 0),
      amount: its.reduce((sum, { Amount }) => sum + Amount, 0),
    }
    for (const { Id, Amount } of its) {
      const part = left.amount === 0 ? 1 : Amount / left.amount
      const [shipping, payment] = [Math.round(left.shipping * part), Math.round(left.payment * part)]
      charges.set(Id, { shipping, payment })
      left.shipping -= shipping
      left.payment -= payment
      left.amount -= Amount
    }
  }
  return charges
}
