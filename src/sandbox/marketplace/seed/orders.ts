/** Orders that are entered as a whole (control.order). */
import { ACCEPTED_BIDDERS, ITEM_TYPE_IDS } from '../../../contract/index.js'
import { insertItem } from '../rules/items.js'
import { keptFields } from '../rules/listing-checks.js'
import { type EnteredOrder, enterOrder } from '../rules/orders.js'
import { OPEN_END } from '../rules/shop.js'
import type { Scene } from '../store/scene.js'
import { takeNumbers } from '../store/store.js'
import { TEST_CATEGORY_ID } from './categories.js'

/** A line of an order that is entered as a whole. */
export interface EnteredLine {
  readonly title: string
  readonly unitPrice: number
  readonly quantity: number
  readonly vatRate: number
  readonly reference?: string
}

/**
 * Enters an order with its lines as they are given, whatever the rules of the service would make of it: goods that are sold out,
 * payments in parts, money back. One with the same id is replaced, besides its lines.
 * @returns the ids of its items
 */
export function enterWhole(scene: Scene, order: EnteredOrder, lines: readonly EnteredLine[]): number[] {
  const { store } = scene
  enterOrder(scene, order)
  const knownItems = store.all<{ item_id: number }>(
    'SELECT item_id FROM transactions WHERE order_number = ? AND deleted = 0 ORDER BY id',
    order.id,
  )
  if (knownItems.length > 0) return knownItems.map(({ item_id }) => item_id)
  return lines.map(({ title, unitPrice, quantity, vatRate, reference }) => {
    const id = takeNumbers(store, 'item')
    insertItem(store, {
      ...{ id, sellerId: order.sellerId, type: ITEM_TYPE_IDS.ShopItem, categoryId: TEST_CATEGORY_ID, quantity: 0, images: [] },
      ...{ starts: order.created - 1, ends: OPEN_END, price: Math.max(1, unitPrice) },
      kept: {
        ...keptFields({
          Title: title,
          Description: title,
          OwnReferences: reference === undefined ? [] : [reference],
          VAT: vatRate,
        }),
        AcceptedBuyerId: ACCEPTED_BIDDERS.Sweden,
        Duration: 0,
      },
    })
    store.run(
      `INSERT INTO transactions (id, item_id, seller_id, buyer_id, order_number, amount, quantity, date, updated)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[takeNumbers(store, 'transaction'), id, order.sellerId, order.buyerId, order.id],
      ...[unitPrice * quantity, quantity, order.created, order.updated],
    )
    return id
  })
}
