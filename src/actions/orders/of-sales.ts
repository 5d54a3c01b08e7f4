/** Which order a sale is of: by its number, where the service gives it; else the one of its item and buyer that is nearest in time. */
import { instantOf } from '../../contract/index.js'
import type { Order } from '../../jobs/ledger/orders.js'
import type { KeptSale } from '../../jobs/ledger/transactions.js'
import { IdIndex } from '../../rows/indexes.js'
import { FloatColumn, IntColumn } from '../../rows/packed.js'

/** Orders by what was bought by whom, 32 bytes for each line: a shop may have a million. */
export class OrdersOfSales {
  readonly #hashes = new IntColumn()
  readonly #first = new IdIndex((line) => this.#hashes.get(line))
  /** By line, the next one with its hash; -1 for none. */
  readonly #next = new IntColumn()
  readonly #orders = new IntColumn()
  readonly #items = new IntColumn()
  readonly #buyers = new IntColumn()
  readonly #created = new FloatColumn()

  add({ OrderId, CreatedDate, Buyer: buyer, Items }: Order): void {
    if (buyer === undefined) return
    const created = instantOf(CreatedDate)
    for (const { ItemId } of Items) {
      const line = this.#orders.length
      const hash = hashOf(ItemId, buyer.UserId)
      const first = this.#first.add(hash, line)
      this.#hashes.push(hash)
      this.#next.push(first < 0 ? -1 : this.#next.get(first))
      if (first >= 0) this.#next.set(first, line)
      this.#orders.push(OrderId)
      this.#items.push(ItemId)
      this.#buyers.push(buyer.UserId)
      this.#created.push(created)
    }
  }

  /** The id of the order, which may be one that was not added; undefined where none is known. */
  find({ OrderId, ItemId, BuyerId, At }: KeptSale): number | undefined {
    if (OrderId !== undefined) return OrderId
    // No line of an order lacks either, so a sale that does finds none.
    let best: number | undefined
    const away = (line: number) => Math.abs(this.#created.get(line) - At)
    for (let line = this.#first.find(hashOf(ItemId ?? 0, BuyerId ?? 0)); line >= 0; line = this.#next.get(line)) {
      if (this.#items.get(line) !== ItemId || this.#buyers.get(line) !== BuyerId) continue
      // Of two that are as near, the older one, which was added first.
      if (best === undefined || away(line) < away(best) || (away(line) === away(best) && line < best)) best = line
    }
    return best === undefined ? undefined : this.#orders.get(best)
  }
}

/** Above 0, as an index of ids wants it. */
function hashOf(item: number, buyer: number): number {
  return ((Math.imul(item, 0x9e3779b1) ^ buyer) >>> 1) | 1
}
