/** What counts of a sale, packed: 50 bytes, so that a report by item can have a million. */
import { type Fee, feeOf } from '../../contract/fees.js'
import type { KeptSale, SoldItems } from '../../jobs/ledger/transactions.js'
import { FloatColumn, IntColumn } from '../../rows/packed.js'
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

/** Amount and cost in kronor, shipping and fees in öre. */
export interface SaleFacts {
  readonly amount: number
  readonly paid: boolean
  readonly shipped: boolean
  readonly rated: boolean
  readonly buyer: number | null
  /** From the start of the item; NaN where that is not known. */
  readonly days: number
  /** Whether its order is known. */
  readonly ordered: boolean
  readonly shipping: number
  readonly fees: number
  /** NaN where it is not known. */
  readonly cost: number
}

export function factsOf({ items, costOf, fee, charges }: Beside, sale: KeptSale): SaleFacts {
  const started = sale.ItemId === null ? null : (items.get(sale.ItemId)?.StartedAt ?? null)
  const charge = charges?.get(sale.Id)
  return {
    ...{ amount: sale.Amount, paid: sale.Paid, shipped: sale.Shipped, rated: sale.Rated, buyer: sale.BuyerId },
    days: started !== null && started <= sale.At ? (sale.At - started) / DAY_MS : Number.NaN,
    ordered: charge !== undefined,
    shipping: charge?.shipping ?? 0,
    fees: (fee === undefined ? 0 : feeOf(fee, sale.Amount)) + (charge?.payment ?? 0),
    cost: costOf(sale) ?? Number.NaN,
  }
}

const [PAID, SHIPPED, RATED, ORDERED] = [1, 2, 4, 8]
const NOBODY = -1

/** Chains of sales: each knows the one before it in its group. */
export class FactChains {
  readonly #flags = new IntColumn()
  readonly #buyers = new IntColumn()
  readonly #before = new IntColumn()
  readonly #shipping = new IntColumn()
  readonly #amounts = new FloatColumn()
  readonly #days = new FloatColumn()
  readonly #fees = new FloatColumn()
  readonly #costs = new FloatColumn()

  /** @param before the last sale of the chain, -1 for none @returns the sale, which is the last one now */
  push({ amount, paid, shipped, rated, buyer, days, ordered, shipping, fees, cost }: SaleFacts, before: number): number {
    this.#flags.push((paid ? PAID : 0) | (shipped ? SHIPPED : 0) | (rated ? RATED : 0) | (ordered ? ORDERED : 0))
    this.#buyers.push(buyer ?? NOBODY)
    this.#before.push(before)
    this.#shipping.push(shipping)
    this.#amounts.push(amount)
    this.#days.push(days)
    this.#fees.push(fees)
    this.#costs.push(cost)
    return this.#costs.length - 1
  }

  /** The sales of a chain. @param last -1 for none */
  *of(last: number): Generator<SaleFacts> {
    for (let at = last; at >= 0; at = this.#before.get(at)) {
      const [flags, buyer] = [this.#flags.get(at), this.#buyers.get(at)]
      const [paid, shipped, rated, ordered] = [PAID, SHIPPED, RATED, ORDERED].map((flag) => (flags & flag) > 0)
      yield {
        ...{ amount: this.#amounts.get(at), days: this.#days.get(at), shipping: this.#shipping.get(at) },
        ...{ fees: this.#fees.get(at), cost: this.#costs.get(at) },
        ...{ paid: paid === true, shipped: shipped === true, rated: rated === true, ordered: ordered === true },
        buyer: buyer === NOBODY ? null : buyer,
      }
    }
  }
}
