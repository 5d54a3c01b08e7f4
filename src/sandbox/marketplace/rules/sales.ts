/** Bids and purchases, and the transactions that follow. */

import { ITEM_TYPE_IDS } from '../../../contract/index.js'
import { BUYERS } from '../seed/sellers.js'
import type { Scene } from '../store/scene.js'
import { takeNumbers } from '../store/store.js'
import { SandboxError } from '../types.js'
import { endItem, nextBid } from './items.js'
import { checkOpen, orderOf, type Sale } from './orders.js'

/** A row of the table of items, as far as a sale reads it. */
export interface ItemRow {
  id: number
  seller_id: number
  type: number
  starts: number
  ends: number
  opening: number | null
  price: number | null
  remaining: number
  bids: number
  max_bid: number | null
}

/** Records a sale. Call it only within `write`. @returns the transaction's id */
export function recordSale(scene: Scene, sale: Sale): number {
  const id = takeNumbers(scene.store, 'transaction')
  scene.store.run(
    `INSERT INTO transactions (id, item_id, seller_id, buyer_id, order_number, amount, quantity, date, updated)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, sale.itemId, sale.sellerId, sale.buyerId, orderOf(scene, sale)],
    ...[sale.amount, sale.quantity, sale.at, sale.at],
  )
  scene.store.run('UPDATE items SET sold = sold + 1 WHERE id = ?', sale.itemId)
  return id
}

/** Sells auctions that have ended with bids to the highest bidder, at the time they ended, if their reserve is reached. */
export function settleAuctions(scene: Scene): void {
  const endedCondition = 'settled = 0 AND bids > 0 AND ends <= ?'
  const soldItems = scene.store.all<{ itemId: number; sellerId: number; buyerId: number; amount: number; at: number }>(
    `SELECT id AS itemId, seller_id AS sellerId, max_bidder AS buyerId, max_bid AS amount, ends AS at
     FROM items WHERE ${endedCondition} AND max_bid >= coalesce(reserve, 0) ORDER BY ends, id`,
    scene.now,
  )
  for (const sale of soldItems) recordSale(scene, { ...sale, quantity: 1 })
  scene.store.run(`UPDATE items SET settled = 1 WHERE ${endedCondition}`, scene.now)
}

function onSale(scene: Scene, itemId: number, buyerId: number): ItemRow {
  const item = scene.store.first<ItemRow>('SELECT * FROM items WHERE id = ?', itemId)
  if (item === undefined) throw new SandboxError(`Item ${itemId} does not exist.`)
  if (scene.store.first('SELECT 1 FROM members WHERE user_id = ?', buyerId) === undefined) {
    throw new SandboxError(`Member ${buyerId} does not exist; members that buy are ${BUYERS.join(', ')}.`)
  }
  if (item.seller_id === buyerId) throw new SandboxError(`Member ${buyerId} sells item ${itemId} and cannot buy it.`)
  if (item.starts > scene.now) throw new SandboxError(`Item ${itemId} has not started.`)
  if (item.ends <= scene.now) throw new SandboxError(`Item ${itemId} has ended.`)
  return item
}

/**
 * Buys an item at its fixed price. An auction or PureBuyItNow item ends with its last piece; a shop item stays, with none left.
 * @param orderNumber the open order that the buyer adds it to (combined shipping)
 * @throws {SandboxError} if the item cannot be bought like this
 */
export function buy(scene: Scene, itemId: number, quantity: number, buyerId: number, orderNumber?: number): number {
  const item = onSale(scene, itemId, buyerId)
  if (orderNumber !== undefined) checkOpen(scene, orderNumber, buyerId)
  if (!Number.isInteger(quantity) || quantity < 1)
    throw new SandboxError(`The quantity ${quantity} is not a whole number of at least 1.`)
  if (item.type === ITEM_TYPE_IDS.ContactOnly || item.price === null) throw new SandboxError(`Item ${itemId} has no fixed price.`)
  if (item.bids > 0) throw new SandboxError(`Item ${itemId} has bids; its buy-it-now price no longer holds.`)
  if (item.remaining < quantity) throw new SandboxError(`Item ${itemId} has ${item.remaining} left, not ${quantity}.`)
  scene.store.run('UPDATE items SET remaining = remaining - ? WHERE id = ?', quantity, itemId)
  if (item.type !== ITEM_TYPE_IDS.ShopItem && item.remaining === quantity) endItem(scene.store, itemId, scene.now)
  const amount = item.price * quantity
  return recordSale(scene, { itemId, sellerId: item.seller_id, buyerId, amount, quantity, at: scene.now, orderNumber })
}

/** Places a bid. @returns the number of bids @throws {SandboxError} if the item is not an auction, or the bid is too low */
export function bid(scene: Scene, itemId: number, amount: number, bidderId: number): number {
  const item = onSale(scene, itemId, bidderId)
  if (item.type !== ITEM_TYPE_IDS.Auction) throw new SandboxError(`Item ${itemId} is not an auction.`)
  const least = nextBid(item.opening ?? 1, item.max_bid)
  if (!Number.isInteger(amount) || amount < least) {
    throw new SandboxError(`A bid of ${amount} kr is too low for item ${itemId}; the next bid is ${least} kr.`)
  }
  scene.store.run('UPDATE items SET bids = bids + 1, max_bid = ?, max_bidder = ? WHERE id = ?', ...[amount, bidderId, itemId])
  return item.bids + 1
}
