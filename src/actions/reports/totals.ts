/** Sums over sales, and what their orders tell beside the amounts: the shipping that buyers paid, and what the payments cost. */

import { type Fee, feeOf } from '../../contract/fees.js'
import { marginPercent, type SalesTotals } from '../../format/views/index.js'
import type { Order } from '../../jobs/ledger/orders.js'
import type { KeptSale, SoldSale } from '../../jobs/ledger/transactions.js'
import { IdIndex } from '../../rows/indexes.js'
import { FloatColumn, IntColumn } from '../../rows/packed.js'
import { DAY_MS } from '../../system/durations.js'
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

/** What is known besides the sales. */
export interface Beside {
  /** When the item of a sale started, ms; null if that is not known. */
  readonly startOf: (sale: SoldSale) => number | null
  /** What the item of a sale cost, kronor without VAT; undefined if it is not known. */
  readonly costOf: (sale: KeptSale) => number | undefined
  /** VAT that the amounts include, a share: 0.25 for 25 %. */
  readonly vat: number
  /** What the marketplace takes of a sale (setting fee). */
  readonly fee?: Fee
  /** What the orders tell. @param id of a sale @returns undefined where its order is not known */
  readonly chargesOf: (id: number) => Charges | undefined
}

const tenth = (value: number): number => Math.round(value * 10) / 10

/** Per cent with one decimal; null of nothing. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : tenth((part / whole) * 100)
}

/** Sums that sales are added to, one by one. */
export class Totals {
  readonly #buyers = new FloatColumn()
  readonly #days = new FloatColumn()
  readonly #sums = {
    // Amounts and costs in kronor, shipping and fees in öre.
    ...{ sales: 0, amount: 0, paid: 0, shipped: 0, rated: 0, ordered: 0, shipping: 0, fees: 0 },
    costed: { sales: 0, amount: 0, cost: 0, fees: 0 },
  }

  constructor(readonly beside: Beside) {}

  add(sale: SoldSale): void {
    const { startOf, costOf, fee, chargesOf } = this.beside
    const [sums, { Amount: amount, BuyerId: buyer }] = [this.#sums, sale]
    const [started, charges, cost] = [startOf(sale), chargesOf(sale.Id), costOf(sale)]
    const fees = (fee === undefined ? 0 : feeOf(fee, amount)) + (charges?.payment ?? 0)
    sums.sales++
    sums.amount += amount
    sums.paid += Number(sale.Paid)
    sums.shipped += Number(sale.Shipped)
    sums.rated += Number(sale.Rated)
    if (buyer !== null) this.#buyers.push(buyer)
    if (started !== null && started <= sale.At) this.#days.push((sale.At - started) / DAY_MS)
    sums.ordered += Number(charges !== undefined)
    sums.shipping += charges?.shipping ?? 0
    sums.fees += fees
    if (cost === undefined) return
    sums.costed.sales++
    sums.costed.amount += amount
    sums.costed.cost += cost
    sums.costed.fees += fees
  }

  result(): SalesTotals {
    const { sales, amount, paid, shipped, rated, ordered, shipping, fees, costed } = this.#sums
    const net = costed.amount / (1 + this.beside.vat)
    const margin = net - costed.cost
    const real = margin - costed.fees / 100
    const feesKnown = this.beside.fee !== undefined || ordered > 0
    const none = costed.sales === 0
    return {
      Sales: sales,
      Amount: amount,
      Average: sales === 0 ? null : Math.round((amount / sales) * 100) / 100,
      Buyers: different(this.#buyers),
      MedianDaysToSell: medianOf(this.#days),
      PaidPercent: share(paid, sales),
      ShippedPercent: share(shipped, sales),
      RatedPercent: share(rated, sales),
      CostedSales: costed.sales,
      // Costs have öre; sums of them in binary fractions do not end there.
      Cost: none ? null : Math.round(costed.cost * 100) / 100,
      Margin: none ? null : Math.round(margin * 100) / 100,
      MarginPercent: none ? null : marginPercent(margin, net),
      OrderedSales: ordered,
      Shipping: ordered === 0 ? null : shipping / 100,
      Fees: feesKnown && sales > 0 ? fees / 100 : null,
      RealMargin: none || !feesKnown ? null : Math.round(real * 100) / 100,
      RealMarginPercent: none || !feesKnown ? null : marginPercent(real, net),
    }
  }
}

/** How many different ones there are. Sorted: a set of a million takes five times the memory. */
function different(ids: FloatColumn): number {
  const sorted = ids.sorted()
  return sorted.reduce((count, id, at) => count + Number(at === 0 || id !== sorted[at - 1]), 0)
}

/** With one decimal; the mean of the middle two of an even number; null of nothing. */
function medianOf(values: FloatColumn): number | null {
  if (values.length === 0) return null
  const sorted = values.sorted()
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return tenth(sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2)
}
