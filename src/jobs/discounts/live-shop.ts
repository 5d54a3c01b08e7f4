/** The live shop, read once: several plans go by one reading. */
import { noteUnread, unreadFields } from '../../contract/index.js'
import type { LiveItem, LiveItems, PlanCosts } from '../../pricing/index.js'

export class LiveShop {
  readonly #items = new Map<number, LiveItem>()

  /**
   * Reads the list to its end. Items that are not shop items are left out.
   * @param costs what the items cost: their own references are kept where the cost goes by them
   */
  static async read(live: LiveItems, costs?: PlanCosts): Promise<LiveShop> {
    const shop = new LiveShop()
    for await (const item of live) {
      const { Id, ItemType, BuyItNowPrice, OwnReferences = [], VAT } = item
      if (ItemType !== 'ShopItem' || shop.#items.has(Id)) continue
      const references = OwnReferences.length > 0 ? OwnReferences : undefined
      const costed = costs?.of(item) === undefined ? {} : { OwnReferences: references, VAT }
      const kept = { Id, ItemType, BuyItNowPrice: BuyItNowPrice ?? 0, ...costed }
      noteUnread(kept, unreadFields(item))
      shop.#items.set(Id, kept)
    }
    return shop
  }

  /** Kronor, 0 where it has no price; undefined for an item that is not live. */
  priceOf(id: number): number | undefined {
    return this.#items.get(id)?.BuyItNowPrice ?? undefined
  }

  /** The shop as a plan reads it. @param priceOf kronor, for items that are to be planned from another price than the live one */
  *items(priceOf: (id: number) => number | undefined = () => undefined): Generator<LiveItem> {
    for (const item of this.#items.values()) yield { ...item, BuyItNowPrice: priceOf(item.Id) ?? item.BuyItNowPrice }
  }
}
