/** UpdateShopItem: changes only the given fields (docs/service.md, Operations beyond the document). */
import {
  dateTimeOf,
  type Input,
  instantOf,
  type Output,
  type ParamsOf,
  type QueuedRequestResponse,
  type ShopItemData,
} from '../../../contract/index.js'
import { type Call, checkParams, notValid, type Scene } from '../store/scene.js'
import { findDamage } from './images.js'
import type { ItemDetails } from './items.js'
import { keptFields, type Listing } from './listing-checks.js'
import { DONE, type DueRequest, type Outcome, parsePayload } from './queue.js'
import { enqueueData, ownCategory, shopDataFaults, type WaitingData } from './shop.js'

type Data = Input<typeof ShopItemData>

interface Row {
  category_id: number
  starts: number
  ends: number
  price: number
  quantity: number
  remaining: number
  details: string
}

/**
 * UpdateShopItem: queued if the first-step validation passes.
 * @throws {ServiceFault} for an item that is not a shop item of the caller, and for invalid fields
 */
export function updateShopItem(call: Call, params: ParamsOf<'UpdateShopItem'>): Output<typeof QueuedRequestResponse> {
  checkParams(call, params)
  const { ItemId, ItemData } = params.updateData as { ItemId: number; ItemData: Data }
  const category = ownCategory(call, ItemId)
  const wrong = shopDataFaults(call, ItemData, ItemData.CategoryId ?? category, 'updateData.ItemData')
  if (wrong.length > 0) throw notValid(wrong)
  return enqueueData(call, ItemId, ItemData)
}

/** Processes UpdateShopItem. */
export function changeShopItem(scene: Scene, row: DueRequest, itemId: number): Outcome {
  const { data, images } = parsePayload<WaitingData>(row)
  const damage = findDamage(scene.store, images)
  if (damage !== undefined) return damage
  const item = scene.store.first<Row>(
    'SELECT category_id, starts, ends, price, quantity, remaining, details FROM items WHERE id = ? AND seller_id = ?',
    itemId,
    row.user_id,
  )
  if (item === undefined) return { code: 'Error', message: `Shop item with id ${itemId} does not exist.` }
  if (item.ends <= row.due_at) {
    return { code: 'UpdateNotAllowed', message: `Shop item with id ${itemId} has ended.` }
  }
  const remaining = data.AbsoluteQuantity ?? Math.max(0, item.remaining + (data.Quantity ?? 0))
  const starts = data.ActivateDate ? instantOf(data.ActivateDate) : item.starts
  const ends = data.DeactivateDate ? instantOf(data.DeactivateDate) : item.ends
  const details = JSON.parse(item.details) as ItemDetails
  const newItem = { ...details.item, ...changedFields(data), StartDate: dateTimeOf(starts), EndDate: dateTimeOf(ends) }
  scene.store.run(
    'UPDATE items SET category_id = ?, starts = ?, ends = ?, price = ?, quantity = ?, remaining = ?, details = ? WHERE id = ?',
    ...[data.CategoryId ?? item.category_id, starts, ends, data.Price ?? item.price],
    ...[item.quantity - item.remaining + remaining, remaining],
    ...[JSON.stringify({ item: newItem, images: images.length > 0 ? images : details.images }), itemId],
  )
  return DONE
}

/** For each field of a request, the fields of an item that show it. */
const SHOWN: Readonly<Record<keyof Listing, readonly (keyof ReturnType<typeof keptFields>)[]>> = {
  Title: ['ShortDescription'],
  Description: ['LongDescription'],
  OwnReferences: ['OwnReferences'],
  PaymentOptionIds: ['PaymentOptions', 'PaymentTypeId', 'ExternalPayment'],
  ShippingOptions: ['ShippingOptions', 'AcceptsPickup'],
  ItemAttributes: ['ItemAttributes'],
  VAT: ['VAT'],
  ShippingCondition: ['ShippingCondition'],
  PaymentCondition: ['PaymentCondition'],
  AttributeValues: ['AttributeValues'],
}

/**
 * The fields of the item, as it shows them, for those that were given. An empty list means nothing, like an absent one for .NET.
 */
function changedFields(data: Omit<Data, 'ItemImages'>): Partial<ItemDetails['item']> {
  const whole = keptFields(data)
  const set = (value: unknown) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
  const names = Object.entries(SHOWN).flatMap(([name, shown]) => (set(data[name as keyof Listing]) ? shown : []))
  return {
    ...Object.fromEntries(names.map((name) => [name, whole[name]])),
    ...(set(data.AcceptedBuyerId) ? { AcceptedBuyerId: data.AcceptedBuyerId as number } : {}),
    ...(data.DeactivateDate ? { UserSelectedEndDate: true } : {}),
  }
}
