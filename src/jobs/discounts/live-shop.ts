/** The live shop, read once: several plans go by one reading. */
import { noteUnread, unreadFields } from '../../contract/index.js'
import type { LiveItem, LiveItems, PlanCosts } from '../../pricing/index.js'

export class LiveShop {
  /** Kronor, 0 where it has no price. Nearly no item has more that a plan reads. */
  readonly #prices = new Map<number, number>()
  readonly #more = new Map<number, LiveItem>()

  /**
   * Reads the list to its end. Items that are not shop items are left out.
   * @param costs what the items cost: their own references are kept where the cost goes by them
   */
  static async read(live: LiveItems, costs?: PlanCosts): Promise<LiveShop> {
    const shop = new LiveShop()
    for await (const item of live) {
      const { Id, ItemType, BuyItNowPrice, OwnReferences = [], VAT } = item
      if (ItemType !== 'ShopItem' || shop.#prices.has(Id)) continue
      shop.#prices.set(Id, BuyItNowPrice ?? 0)
      const unread = unreadFields(item)
      const hasCost = costs?.of(item) !== undefined
      if (!hasCost && unread.length === 0) continue
      const references = OwnReferences.length > 0 ? OwnReferences : undefined
      const more = { Id, ItemType, ...(hasCost ? { OwnReferences: references, VAT } : {}) }
      noteUnread(more, unread)
      shop.#more.set(Id, more)
    }
    return shop
  }

  /** Kronor, 0 where it has no price; undefined for an item that is not live. */
  priceOf(id: number): number | undefined {
    return this.#prices.get(id)
  }

  /** The shop as a plan reads it. @param priceOf kronor, for items that are to be planned from another price than the live one */
  *items(priceOf: (id: number) => number | undefined = () => undefined): Generator<LiveItem> {
    for (const [Id, live] of this.#prices)
      yield { Id, ItemType: 'ShopItem', ...this.#more.get(Id), BuyItNowPrice: priceOf(Id) ?? live }
  }
}
