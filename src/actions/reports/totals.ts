/** Sums over sales. */
import { type Fee, feeOf } from '../../contract/fees.js'
import type { SalesTotals } from '../../format/views/index.js'
import type { KeptSale, SoldItem } from '../../jobs/ledger/transactions.js'
import { DAY_MS } from '../../system/durations.js'
import type { Charges } from './charges.js'

/** What is known besides the sales. */
export interface Beside {
  readonly items: ReadonlyMap<number, SoldItem>
  /** What the item of a sale cost, kronor without VAT; undefined if it is not known. */
  readonly costOf: (sale: KeptSale) => number | undefined
  /** VAT that the amounts include, a share: 0.25 for 25 %. */
  readonly vat: number
  /** What the marketplace takes of a sale (setting fee). */
  readonly fee?: Fee
  /** What the orders tell, by the id of a sale. */
  readonly charges?: ReadonlyMap<number, Charges>
}

const tenth = (value: number): number => Math.round(value * 10) / 10

/** Per cent with one decimal; null of nothing. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : tenth((part / whole) * 100)
}

export function totalsOf(sales: readonly KeptSale[], { items, costOf, vat, fee, charges }: Beside): SalesTotals {
  const buyers = new Set<number>()
  const days: number[] = []
  let amount = 0
  let paid = 0
  let shipped = 0
  let rated = 0
  let costed = 0
  let costedAmount = 0
  let cost = 0
  let ordered = 0
  let shipping = 0
  let fees = 0
  let costedFees = 0
  for (const sale of sales) {
    amount += sale.Amount
    paid += Number(sale.Paid)
    shipped += Number(sale.Shipped)
    rated += Number(sale.Rated)
    if (sale.BuyerId !== null) buyers.add(sale.BuyerId)
    const started = sale.ItemId === null ? null : (items.get(sale.ItemId)?.StartedAt ?? null)
    if (started !== null && started <= sale.At) days.push((sale.At - started) / DAY_MS)
    const charge = charges?.get(sale.Id)
    const taken = (fee === undefined ? 0 : feeOf(fee, sale.Amount)) + (charge?.payment ?? 0)
    ordered += Number(charge !== undefined)
    shipping += charge?.shipping ?? 0
    fees += taken
    const own = costOf(sale)
    if (own === undefined) continue
    costed++
    costedAmount += sale.Amount
    cost += own
    costedFees += taken
  }
  const net = costedAmount / (1 + vat)
  const margin = net - cost
  const real = margin - costedFees / 100
  const feesKnown = fee !== undefined || ordered > 0
  return {
    Sales: sales.length,
    Amount: amount,
    Average: sales.length === 0 ? null : Math.round((amount / sales.length) * 100) / 100,
    Buyers: buyers.size,
    MedianDaysToSell: medianOf(days),
    PaidPercent: share(paid, sales.length),
    ShippedPercent: share(shipped, sales.length),
    RatedPercent: share(rated, sales.length),
    CostedSales: costed,
    // Costs have öre; sums of them in binary fractions do not end there.
    Cost: costed === 0 ? null : Math.round(cost * 100) / 100,
    Margin: costed === 0 ? null : Math.round(margin * 100) / 100,
    MarginPercent: costed === 0 ? null : marginPercent(margin, net),
    OrderedSales: ordered,
    Shipping: ordered === 0 ? null : shipping / 100,
    Fees: feesKnown && sales.length > 0 ? fees / 100 : null,
    RealMargin: costed === 0 || !feesKnown ? null : Math.round(real * 100) / 100,
    RealMarginPercent: costed === 0 || !feesKnown ? null : marginPercent(real, net),
  }
}

/** Rounded down, as margins of prices are. */
function marginPercent(margin: number, net: number): number | null {
  return net === 0 ? null : Math.floor((margin / net) * 1000 + 1e-6) / 10
}

/** With one decimal; the mean of the middle two of an even number; null of nothing. */
function medianOf(values: number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return tenth(sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2)
}
