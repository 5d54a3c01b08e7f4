/** Sums over sales. */
import { type Fee, feeOf } from '../../contract/fees.js'
import type { SalesTotals } from '../../format/views/index.js'
import type { KeptSale, SoldItems } from '../../jobs/ledger/transactions.js'
import { DAY_MS } from '../../system/durations.js'
import type { Charges } from './charges.js'

/** What is known besides the sales. */
export interface Beside {
  readonly items: SoldItems
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

/** Sums that sales are added to, one by one. */
export class Totals {
  /** Made when there are two: a report by item has as many groups as items. */
  #buyers: Set<number> | undefined
  #buyer: number | null = null
  #days: number[] | undefined
  readonly #sums = {
    ...{ sales: 0, amount: 0, paid: 0, shipped: 0, rated: 0, ordered: 0, shipping: 0, fees: 0 },
    costed: { sales: 0, amount: 0, cost: 0, fees: 0 },
  }

  constructor(readonly beside: Beside) {}

  add(sale: KeptSale): void {
    const { items, costOf, fee, charges } = this.beside
    const sums = this.#sums
    sums.sales++
    sums.amount += sale.Amount
    sums.paid += Number(sale.Paid)
    sums.shipped += Number(sale.Shipped)
    sums.rated += Number(sale.Rated)
    if (sale.BuyerId !== null && sale.BuyerId !== this.#buyer) {
      if (this.#buyer === null) this.#buyer = sale.BuyerId
      else this.#buyers = (this.#buyers ?? new Set([this.#buyer])).add(sale.BuyerId)
    }
    const started = sale.ItemId === null ? null : (items.get(sale.ItemId)?.StartedAt ?? null)
    if (started !== null && started <= sale.At) {
      this.#days ??= []
      this.#days.push((sale.At - started) / DAY_MS)
    }
    const charge = charges?.get(sale.Id)
    const taken = (fee === undefined ? 0 : feeOf(fee, sale.Amount)) + (charge?.payment ?? 0)
    sums.ordered += Number(charge !== undefined)
    sums.shipping += charge?.shipping ?? 0
    sums.fees += taken
    const own = costOf(sale)
    if (own === undefined) return
    sums.costed.sales++
    sums.costed.amount += sale.Amount
    sums.costed.cost += own
    sums.costed.fees += taken
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
      Buyers: this.#buyers?.size ?? Number(this.#buyer !== null),
      MedianDaysToSell: medianOf(this.#days ?? []),
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
