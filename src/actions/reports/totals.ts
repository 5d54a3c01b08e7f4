/** Sums over sales. */
import type { SalesTotals } from '../../format/views/index.js'
import { FloatColumn } from '../../rows/packed.js'
import type { Beside, SaleFacts } from './facts.js'

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
    ...{ sales: 0, amount: 0, paid: 0, shipped: 0, rated: 0, ordered: 0, shipping: 0, fees: 0 },
    costed: { sales: 0, amount: 0, cost: 0, fees: 0 },
  }

  constructor(readonly beside: Pick<Beside, 'vat' | 'fee'>) {}

  add({ amount, paid, shipped, rated, buyer, days, ordered, shipping, fees, cost }: SaleFacts): this {
    const sums = this.#sums
    sums.sales++
    sums.amount += amount
    sums.paid += Number(paid)
    sums.shipped += Number(shipped)
    sums.rated += Number(rated)
    if (buyer !== null) this.#buyers.push(buyer)
    if (!Number.isNaN(days)) this.#days.push(days)
    sums.ordered += Number(ordered)
    sums.shipping += shipping
    sums.fees += fees
    if (Number.isNaN(cost)) return this
    sums.costed.sales++
    sums.costed.amount += amount
    sums.costed.cost += cost
    sums.costed.fees += fees
    return this
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

/** Rounded down, as margins of prices are. */
function marginPercent(margin: number, net: number): number | null {
  return net === 0 ? null : Math.floor((margin / net) * 1000 + 1e-6) / 10
}

/** With one decimal; the mean of the middle two of an even number; null of nothing. */
function medianOf(values: FloatColumn): number | null {
  if (values.length === 0) return null
  const sorted = values.sorted()
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return tenth(sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2)
}
