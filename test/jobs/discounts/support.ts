/** What the ledger has of the discounts of a shop, as objects. */
import { type DiscountedItem, DiscountedItems } from '../../../src/jobs/discounts/discounted-items.js'
import { discountItems } from '../../../src/jobs/discounts/index.js'
import type { DiscountItemRow } from '../../../src/jobs/discounts/items.js'
import type { DiscountShop, Ledger } from '../../../src/jobs/index.js'

export function itemsOf(ledger: Ledger, discountId: number): DiscountItemRow[] {
  return [...discountItems(ledger, discountId)]
}

/** Items that are in a discount now, by id. */
export function discountedItems(ledger: Ledger, shop: DiscountShop, jobId?: number): Map<number, DiscountedItem> {
  const known = new DiscountedItems(ledger, shop, jobId)
  const ids = ledger.store.rows<[number]>('SELECT DISTINCT item_id FROM discount_prices ORDER BY item_id')
  return new Map(
    ids.flatMap(([id]) => {
      const item = known.get(id)
      return item === undefined ? [] : [[id, item] as const]
    }),
  )
}
