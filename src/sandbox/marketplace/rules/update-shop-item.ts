/** UpdateShopItem: changes only the given fields (docs/service.md, Operations beyond the document). */
import {
  dateTimeOf,
  type Input,
  ITEM_TYPE_IDS,
  instantOf,
  type Output,
  type ParamsOf,
  type QueuedRequestResponse,
  type ShopItemData,
} from '../../../contract/index.js'
import { type Call, inputMessages, notValid, type Scene } from '../store/scene.js'
import { damagedAmong, imageFault, storeImage } from './images.js'
import type { ItemDetails, ItemImage } from './items.js'
import { futureFault, keptFields, type Listing, listingFaults } from './listing-checks.js'
import { DONE, type Outcome } from './outcome.js'
import { type DueRequest, enqueue, payloadOf } from './queue.js'

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

/** The stored form of a waiting change, with its images in their own table; null if none were given. */
interface Waiting {
  readonly data: Omit<Data, 'ItemImages'>
  readonly images: readonly ItemImage[] | null
}

/**
 * UpdateShopItem: queued if the first-step validation passes.
 * @throws {ServiceFault} for an item that is not a shop item of the caller, and for invalid fields
 */
export function updateShopItem(call: Call, { updateData }: ParamsOf<'UpdateShopItem'>): Output<typeof QueuedRequestResponse> {
  const faults = inputMessages(call.operation, { updateData })
  if (faults.length > 0 || updateData?.ItemData === undefined) throw notValid(faults)
  const { ItemId, ItemData } = updateData
  const item = call.store.first<{ category_id: number }>(
    'SELECT category_id FROM items WHERE id = ? AND seller_id = ? AND type = ?',
    ...[ItemId, call.userId, ITEM_TYPE_IDS.ShopItem],
  )
  if (item === undefined) throw notValid([`Shop item with id ${ItemId} does not exist for user ${call.userId}.`])
  const { ItemImages, ...data } = ItemData
  const wrong = [
    ...listingFaults(data, data.CategoryId ?? item.category_id),
    ...futureFault('updateData.ItemData.DeactivateDate', data.DeactivateDate, call.now),
    ...(ItemImages ?? []).flatMap((image, index) => {
      const fault = imageFault(image.Data, image.Format)
      return fault === undefined ? [] : [`updateData.ItemData.ItemImages[${index}]: ${fault}`]
    }),
  ]
  if (wrong.length > 0) throw notValid(wrong)
  const images = ItemImages?.flatMap(({ Data, Format, HasMega }): ItemImage[] =>
    Data === undefined ? [] : [[storeImage(call.store, Data, Format), Format, HasMega ? 1 : 0]],
  )
  const waiting: Waiting = { data, images: images === undefined || images.length === 0 ? null : images }
  return { RequestId: enqueue(call, { itemId: ItemId, payload: JSON.stringify(waiting) }), ItemId }
}

/** Processes UpdateShopItem. */
export function changeShopItem(scene: Scene, row: DueRequest, itemId: number): Outcome {
  const { data, images } = payloadOf<Waiting>(row)
  const damaged = images === null ? undefined : damagedAmong(scene.store, images)
  if (damaged !== undefined) return { code: 'ImageProcessingError', message: `Image ${damaged} of ${images?.length} is damaged.` }
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
  const kept = { ...details.item, ...changedFields(data), StartDate: dateTimeOf(starts), EndDate: dateTimeOf(ends) }
  scene.store.run(
    'UPDATE items SET category_id = ?, starts = ?, ends = ?, price = ?, quantity = ?, remaining = ?, details = ? WHERE id = ?',
    ...[data.CategoryId ?? item.category_id, starts, ends, data.Price ?? item.price],
    ...[item.quantity - item.remaining + remaining, remaining],
    ...[JSON.stringify({ item: kept, images: images ?? details.images }), itemId],
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
