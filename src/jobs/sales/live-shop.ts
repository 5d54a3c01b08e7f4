/** The live shop, read once: ids and prices in ints, so that several plans go by one reading, and a million items are 16 MB. */
import { IdIndex, IntColumn, type LiveItem, type LiveItems } from '../../pricing/index.js'

export class LiveShop {
  readonly #ids = new IntColumn()
  /** Kronor, 0 for none. */
  readonly #prices = new IntColumn()
  readonly #index = new IdIndex((at) => this.#ids.get(at))

  /** Reads the list to its end. Items that are not shop items are left out. */
  static async read(live: LiveItems): Promise<LiveShop> {
    const shop = new LiveShop()
    for await (const { Id, ItemType, BuyItNowPrice } of live) {
      if (ItemType !== 'ShopItem' || shop.#index.add(Id, shop.#ids.length) >= 0) continue
      shop.#ids.push(Id)
      shop.#prices.push(BuyItNowPrice ?? 0)
    }
    return shop
  }

  /** Kronor, 0 where it has no price; undefined for an item that is not live. */
  priceOf(id: number): number | undefined {
    const at = this.#index.find(id)
    return at < 0 ? undefined : this.#prices.get(at)
  }

  /** The shop as a plan reads it. @param priceOf kronor, for items that are to be planned from another price than the live one */
  *items(priceOf: (id: number) => number | undefined = () => undefined): Generator<LiveItem> {
    for (let at = 0; at < this.#ids.length; at++) {
      const Id = this.#ids.get(at)
      yield { Id, ItemType: 'ShopItem', BuyItNowPrice: priceOf(Id) ?? this.#prices.get(at) }
    }
  }
}
