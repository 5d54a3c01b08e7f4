/** Sums over sales. */
import type { SalesTotals } from '../../format/views/index.js'
import type { KeptSale, SoldItem } from '../../jobs/ledger/transactions.js'
import { DAY_MS } from '../../system/durations.js'

/** What is known besides the sales. */
export interface Beside {
  readonly items: ReadonlyMap<number, SoldItem>
  /** What the item of a sale cost, kronor without VAT; undefined if it is not known. */
  readonly costOf: (sale: KeptSale) => number | undefined
  /** VAT that the amounts include, a share: 0.25 for 25 %. */
  readonly vat: number
}

const tenth = (value: number): number => Math.round(value * 10) / 10

/** Per cent with one decimal; null of nothing. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : tenth((part / whole) * 100)
}

export function totalsOf(sales: readonly KeptSale[], { items, costOf, vat }: Beside): SalesTotals {
  const buyers = new Set<number>()
  const days: number[] = []
  let amount = 0
  let paid = 0
  let shipped = 0
  let rated = 0
  let costed = 0
  let costedAmount = 0
  let cost = 0
  for (const sale of sales) {
    amount += sale.Amount
    paid += Number(sale.Paid)
    shipped += Number(sale.Shipped)
    rated += Number(sale.Rated)
    if (sale.BuyerId !== null) buyers.add(sale.BuyerId)
    const started = sale.ItemId === null ? null : (items.get(sale.ItemId)?.StartedAt ?? null)
    if (started !== null && started <= sale.At) days.push((sale.At - started) / DAY_MS)
    const own = costOf(sale)
    if (own === undefined) continue
    costed++
    costedAmount += sale.Amount
    cost += own
  }
  const net = costedAmount / (1 + vat)
  const margin = net - cost
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
    // Rounded down, as margins of prices are.
    MarginPercent: costed === 0 || net === 0 ? null : Math.floor((margin / net) * 1000 + 1e-6) / 10,
  }
}

/** With one decimal; the mean of the middle two of an even number; null of nothing. */
function medianOf(values: number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return tenth(sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2)
}
