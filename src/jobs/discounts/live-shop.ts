/** The live shop, read once: ids and prices in ints, so that several plans go by one reading, and a million items are 16 MB. */
import type { LiveItem, LiveItems, PlanCosts } from '../../pricing/index.js'
import { IdIndex, IntColumn } from '../../rows/index.js'

export class LiveShop {
  readonly #ids = new IntColumn()
  /** Kronor, 0 for none. */
  readonly #prices = new IntColumn()
  readonly #index = new IdIndex((at) => this.#ids.get(at))

  /** Own references of items whose cost is known by one of them. */
  readonly #references = new Map<number, readonly string[]>()

  /**
   * Reads the list to its end. Items that are not shop items are left out.
   * @param costs what the items cost: their own references are kept where the cost goes by them
   */
  static async read(live: LiveItems, costs?: PlanCosts): Promise<LiveShop> {
    const shop = new LiveShop()
    for await (const item of live) {
      const { Id, ItemType, BuyItNowPrice, OwnReferences = [] } = item
      if (ItemType !== 'ShopItem' || shop.#index.add(Id, shop.#ids.length) >= 0) continue
      shop.#ids.push(Id)
      shop.#prices.push(BuyItNowPrice ?? 0)
      if (costs !== undefined && OwnReferences.length > 0 && costs.find(item) >= 0) shop.#references.set(Id, OwnReferences)
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
      const OwnReferences = this.#references.get(Id)
      yield { Id, ItemType: 'ShopItem', BuyItNowPrice: priceOf(Id) ?? this.#prices.get(at), OwnReferences }
    }
  }
}
