/** Sums over sales, and what their orders tell beside the amounts: the shipping that buyers paid, and what the payments cost. */

import { type Fee, feeOf } from '../../contract/fees.js'
import { marginPercent, type SalesTotals } from '../../format/views/reports.js'
import type { ImpersonalOrder } from '../../jobs/ledger/orders.js'
import type { KeptSale, SoldSale } from '../../jobs/ledger/transactions.js'
import { DAY_MS } from '../../system/durations.js'
import type { Room } from '../../system/room.js'
import { OrdersOfSales } from '../orders/of-sales.js'

/** Charges that the order of a sale has. Shipping and payment in öre. */
export interface Charges {
  readonly shipping: number
  readonly payment: number
  /** Pieces that were sold; 1 where the line is not known. */
  readonly quantity?: number
  /** VAT in the price where it was sent, per cent; undefined where the line is not known. */
  readonly rate?: number
  /** Under the margin scheme: VAT is a part of the margin. */
  readonly margin?: boolean
  /** A payment of the whole order is known. */
  readonly paid?: boolean | undefined
  /** Where it was sent, as settings name it. */
  readonly country?: string | undefined
}

/** A line of an order, as its VAT and its quantity matter to a report. */
export interface OrderLine {
  readonly itemId: number
  readonly quantity: number
  readonly rate: number
  readonly margin: boolean
}

/** Facts about an order that a report needs. */
export interface OrderTold {
  readonly lines: readonly OrderLine[]
  readonly paid: boolean
  readonly country: string | undefined
}

/**
 * Charges of each sale whose order is known: its part of an order that has several goes by the amounts, and the parts add up.
 * @returns by the id of a sale
 */
export async function sumCharges(
  orders: Iterable<ImpersonalOrder>,
  pages: Iterable<readonly KeptSale[]>,
  room: Room,
  tell: (order: ImpersonalOrder) => OrderTold = () => ({ lines: [], paid: false, country: undefined }),
): Promise<(id: number) => Charges | undefined> {
  const of = new OrdersOfSales()
  const remaining = new Map<number, { shipping: number; payment: number; amount: number; told: OrderTold }>()
  for (const order of orders) {
    of.add(order)
    const payment = order.SellerOrderPayments.reduce((sum, { PaymentCost }) => sum + PaymentCost * 100, 0)
    remaining.set(order.OrderId, { shipping: order.ShippingCost * 100, payment, amount: 0, told: tell(order) })
    await room()
  }
  const soldItems: { readonly id: number; readonly order: number; readonly item: number | null; readonly amount: number }[] = []
  for (const sales of pages) {
    for (const sale of sales) {
      const order = of.find(sale)
      const its = remaining.get(order ?? 0)
      if (order === undefined || its === undefined) continue
      its.amount += sale.Amount
      soldItems.push({ id: sale.Id, order, item: sale.ItemId, amount: sale.Amount })
    }
    await room()
  }
  const charges = new Map<number, Charges>()
  for (const { id, order, item, amount } of soldItems) {
    const its = remaining.get(order)
    if (its === undefined) continue
    const part = its.amount === 0 ? 1 : amount / its.amount
    const [shipping, payment] = [Math.round(its.shipping * part), Math.round(its.payment * part)]
    its.shipping -= shipping
    its.payment -= payment
    its.amount -= amount
    const { lines, paid, country } = its.told
    const line = lines.find(({ itemId }) => itemId === item)
    charges.set(id, {
      shipping,
      payment,
      paid,
      country,
      ...(line === undefined ? {} : { quantity: line.quantity, rate: line.rate, margin: line.margin }),
    })
  }
  return (id) => charges.get(id)
}

/** Facts besides the sales. */
export interface Beside {
  /** When the item of a sale started, ms; null if that is not known. */
  readonly startOf: (sale: SoldSale) => number | null
  /** Cost of a sold item, kronor without VAT; undefined if it is not known. */
  readonly costOf: (sale: KeptSale) => number | undefined
  /** VAT that the amounts include, a share: 0.25 for 25 %. */
  readonly vat: number
  /** Fee of the marketplace on a sale (setting fee). */
  readonly fee?: Fee | undefined
  /** Charges from the orders. @param id of a sale @returns undefined where its order is not known */
  readonly chargesOf: (id: number) => Charges | undefined
}

/** True if the sale is paid: by a payment of its order, or by the seller's mark. */
export function isPaid({ Paid }: Pick<KeptSale, 'Paid'>, charges: Charges | undefined): boolean {
  return Paid || charges?.paid === true
}

const tenth = (value: number): number => Math.round(value * 10) / 10

/** Per cent with one decimal; null of nothing. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : tenth((part / whole) * 100)
}

/** Sums that sales are added to, one by one. */
export class Totals {
  readonly #buyers = new Set<number>()
  readonly #days: number[] = []
  readonly #sums = {
    // Amounts and costs in kronor, shipping and fees in öre.
    ...{ sales: 0, amount: 0, net: 0, unknownNet: 0, unpaid: 0, unpaidAmount: 0 },
    ...{ shipped: 0, rated: 0, ordered: 0, shipping: 0, fees: 0 },
    costed: { sales: 0, net: 0, cost: 0, fees: 0 },
  }

  constructor(readonly beside: Beside) {}

  add(sale: SoldSale): void {
    const { startOf, costOf, fee, chargesOf } = this.beside
    const [sums, { Amount: amount, BuyerId: buyer }] = [this.#sums, sale]
    const [started, charges, piece] = [startOf(sale), chargesOf(sale.Id), costOf(sale)]
    const cost = piece === undefined ? undefined : piece * (charges?.quantity ?? 1)
    const net = this.#netOf(amount, cost, charges)
    const fees = (fee === undefined ? 0 : feeOf(fee, amount)) + (charges?.payment ?? 0)
    sums.sales++
    sums.amount += amount
    if (net === undefined) sums.unknownNet++
    else sums.net += net
    if (!isPaid(sale, charges)) {
      sums.unpaid++
      sums.unpaidAmount += amount
    }
    sums.shipped += Number(sale.Shipped)
    sums.rated += Number(sale.Rated)
    if (buyer !== null) this.#buyers.add(buyer)
    if (started !== null && started <= sale.At) this.#days.push((sale.At - started) / DAY_MS)
    sums.ordered += Number(charges !== undefined)
    sums.shipping += charges?.shipping ?? 0
    sums.fees += fees
    if (cost === undefined || net === undefined) return
    sums.costed.sales++
    sums.costed.net += net
    sums.costed.cost += cost
    sums.costed.fees += fees
  }

  /**
   * Kronor without VAT: by the rate of the line; of margin goods the price less a fifth of the margin, where their cost is known.
   */
  #netOf(amount: number, cost: number | undefined, { rate, margin }: Partial<Charges> = {}): number | undefined {
    if (margin === true) return cost === undefined ? undefined : amount - Math.max(0, amount - cost) / 5
    return amount / (1 + (rate === undefined ? this.beside.vat : rate / 100))
  }

  result(): SalesTotals {
    const { sales, amount, unpaid, unpaidAmount, shipped, rated, ordered, shipping, fees, costed } = this.#sums
    const Net = this.#sums.unknownNet > 0 ? null : Math.round(this.#sums.net * 100) / 100
    const net = costed.net
    const margin = net - costed.cost
    const real = margin - costed.fees / 100
    const feesKnown = this.beside.fee !== undefined || ordered > 0
    const none = costed.sales === 0
    return {
      Sales: sales,
      Amount: amount,
      Average: sales === 0 ? null : Math.round((amount / sales) * 100) / 100,
      Buyers: this.#buyers.size,
      MedianDaysToSell: medianOf(this.#days),
      PaidPercent: share(sales - unpaid, sales),
      ShippedPercent: share(shipped, sales),
      RatedPercent: share(rated, sales),
      CostedSales: costed.sales,
      CostedPercent: share(costed.sales, sales),
      // Costs have öre; sums of them in binary fractions do not end there.
      Cost: none ? null : Math.round(costed.cost * 100) / 100,
      Margin: none ? null : Math.round(margin * 100) / 100,
      MarginPercent: none ? null : marginPercent(margin, net),
      OrderedSales: ordered,
      Shipping: ordered === 0 ? null : shipping / 100,
      Fees: feesKnown && sales > 0 ? fees / 100 : null,
      RealMargin: none || !feesKnown ? null : Math.round(real * 100) / 100,
      RealMarginPercent: none || !feesKnown ? null : marginPercent(real, net),
      Net,
      Vat: Net === null ? null : Math.round((amount - Net) * 100) / 100,
      UnpaidSales: unpaid,
      UnpaidAmount: unpaidAmount,
    }
  }
}

/** With one decimal; the mean of the middle two of an even number; null of nothing. */
function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return tenth(sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2)
}
