/**
 * The one meaning of paid, over an order, its sales and the seller's own marks. A payment is a fact of the order service; a mark
 * is what the seller said, and is called so where nothing else is known. Pure.
 */
import type { OrderState } from '../../format/views/orders.js'
import type { ImpersonalOrder, OrderMarks } from '../../jobs/ledger/orders.js'

/** Amount paid of an order, kronor. */
export interface PaidOrder {
  /** Amount the buyer still owes. */
  readonly missing: number
  /** Everything that was paid has gone back. */
  readonly isRefunded: boolean
  /** Some payment is known. */
  readonly hasPayment: boolean
}

export function paidOrder({ Items, SubTotal, ShippingCost, SellerOrderPayments: payments }: ImpersonalOrder): PaidOrder {
  const receivedSum = payments.reduce((sum, { Amount }) => sum + Math.max(0, Amount), 0)
  const returnedSum = payments.reduce((sum, { Amount }) => sum + Math.max(0, -Amount), 0)
  // Lines alone say that something was sold, for nothing too.
  const due = Items.length === 0 && receivedSum === 0 ? Math.max(1, SubTotal + ShippingCost) : SubTotal + ShippingCost
  return {
    missing: Math.max(0, due - receivedSum),
    isRefunded: receivedSum > 0 && returnedSum >= receivedSum,
    hasPayment: receivedSum > 0,
  }
}

/** Marks of all sales of an order together. */
export interface MarkedSales {
  readonly paid: boolean
  readonly sent: boolean
}

export interface StateOfOrder {
  readonly State: OrderState
  /** Kronor; 0 where nothing is missing, or the order is marked as paid. */
  readonly Missing: number
  /** By what it is known that it is paid; null where it is not. */
  readonly PaidBy: 'payment' | 'mark' | null
  /** Some of it is paid, and not all. */
  readonly IsPartPaid: boolean
}

export function stateOfOrder(payment: PaidOrder, marked: MarkedSales | undefined, marks: OrderMarks | undefined): StateOfOrder {
  const isMarked = marked?.paid === true || marks?.paid === true
  const byPayment = payment.missing === 0 && !payment.isRefunded
  const PaidBy = byPayment ? 'payment' : isMarked && !payment.isRefunded ? 'mark' : null
  const Missing = PaidBy !== null || payment.isRefunded ? 0 : payment.missing
  const state = (): OrderState => {
    if (marks?.gone === true) return 'cancelled'
    if (marked?.sent === true || marks?.sent === true) return 'sent'
    if (payment.isRefunded) return 'refunded'
    return PaidBy === null ? 'unpaid' : 'to-send'
  }
  const State = state()
  return { State, Missing: State === 'cancelled' ? 0 : Missing, PaidBy, IsPartPaid: State === 'unpaid' && payment.hasPayment }
}
