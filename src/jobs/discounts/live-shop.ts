/** The live shop, read once: ids and prices in ints, so that several plans go by one reading, and a million items are 16 MB. */
import type { LiveItem, LiveItems, PlanCosts } from '../../pricing/index.js'
import { IdInts } from '../../rows/indexes.js'

export class LiveShop {
  /** Kronor, 0 for none. */
  readonly #prices = new IdInts()

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
      if (ItemType !== 'ShopItem' || !shop.#prices.add(Id, BuyItNowPrice ?? 0)) continue
      if (costs !== undefined && OwnReferences.length > 0 && costs.find(item) >= 0) shop.#references.set(Id, OwnReferences)
    }
    return shop
  }

  /** Kronor, 0 where it has no price; undefined for an item that is not live. */
  priceOf(id: number): number | undefined {
    return this.#prices.get(id)
  }

  /** The shop as a plan reads it. @param priceOf kronor, for items that are to be planned from another price than the live one */
  *items(priceOf: (id: number) => number | undefined = () => undefined): Generator<LiveItem> {
    for (const [Id, price] of this.#prices.entries())
      yield { Id, ItemType: 'ShopItem', BuyItNowPrice: priceOf(Id) ?? price, OwnReferences: this.#references.get(Id) }
  }
}
