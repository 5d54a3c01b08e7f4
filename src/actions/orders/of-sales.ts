/**
 * Which order a sale is of: by its number, where the service gives it; else the one of its item and buyer that is nearest in
 * time.
 */
import { instantOf } from '../../contract/index.js'
import type { ImpersonalOrder } from '../../jobs/ledger/orders.js'
import type { KeptSale } from '../../jobs/ledger/transactions.js'

/** A line of an order: what was bought when. */
interface Bought {
  readonly order: number
  /** ms since 1970. */
  readonly created: number
}

/** Orders by what was bought by whom. */
export class OrdersOfSales {
  readonly #lines = new Map<string, Bought[]>()

  add({ OrderId: order, CreatedDate, Buyer: buyer, Items }: ImpersonalOrder): void {
    if (buyer === undefined) return
    const createdAt = instantOf(CreatedDate)
    for (const { ItemId } of Items) {
      const key = `${ItemId} ${buyer.UserId}`
      const lines = this.#lines.get(key)
      if (lines === undefined) this.#lines.set(key, [{ order, created: createdAt }])
      else lines.push({ order, created: createdAt })
    }
  }

  /** The id of the order, which may be one that was not added; undefined where none is known. */
  find({ OrderId, ItemId, BuyerId, At }: KeptSale): number | undefined {
    if (OrderId !== undefined) return OrderId
    // No line of an order lacks either, so a sale that does finds none.
    let best: Bought | undefined
    for (const line of this.#lines.get(`${ItemId} ${BuyerId}`) ?? []) {
      const nearer = best === undefined ? -1 : Math.abs(line.created - At) - Math.abs(best.created - At)
      // The older of two lines that are as near.
      if (best === undefined || nearer < 0 || (nearer === 0 && line.created < best.created)) best = line
    }
    return best?.order
  }
}
