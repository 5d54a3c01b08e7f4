/** EndItem: an item without bids ends at once (docs/service.md, Operations beyond the document). */
import { ITEM_TYPE_IDS, type ParamsOf } from '../../../contract/index.js'
import type { Call } from '../store/scene.js'
import { endItem } from './items.js'

interface Row {
  type: number
  ends: number
  bids: number
}

/**
 * Whether it ended the item. It does not end items of others, items with bids, ended items, or shop items, which RemoveShopItem
 * removes from the shop.
 */
export function endItemNow(call: Call, { itemId }: ParamsOf<'EndItem'>): boolean {
  const item = call.store.first<Row>('SELECT type, ends, bids FROM items WHERE id = ? AND seller_id = ?', itemId, call.userId)
  if (item === undefined || item.type === ITEM_TYPE_IDS.ShopItem || item.bids > 0 || item.ends <= call.now) return false
  endItem(call.store, itemId, call.now)
  return true
}
