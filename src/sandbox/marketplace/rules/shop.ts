/** Adds shop items to the shop, removes them, and reads the shop's settings. */

import {
  ACCEPTED_BIDDERS,
  type Input,
  ITEM_TYPE_IDS,
  instantOf,
  type Output,
  type ParamsOf,
  type QueuedRequestResponse,
  type ShopItemData,
  type ShopSettingsData,
} from '../../../contract/index.js'
import { present } from '../../../contract/present.js'
import type { Store } from '../../../system/sqlite.js'
import { imageLink } from '../store/links.js'
import { type Call, inputMessages, notValid, type Scene } from '../store/scene.js'
import { takeNumbers } from '../store/store.js'
import { ServiceFault } from '../types.js'
import { findDamage, findImage, imageFault, storeImage } from './images.js'
import { endItem, type ItemImage, insertItem } from './items.js'
import { futureFault, keptFields, listingFaults, strictFaults } from './listing-checks.js'
import { member } from './members.js'
import { DONE, type DueRequest, enqueue, type Outcome, parsePayload } from './queue.js'

type Data = Input<typeof ShopItemData>
type Queued = Output<typeof QueuedRequestResponse>

/** A member's shop as stored. */
export interface ShopRow {
  readonly companyInformation: string
  readonly purchaseTerms: string
  readonly contactInformation: string
  readonly galleryMode: boolean
  readonly auctionView: boolean
  readonly bannerColor: string
  readonly temporarilyClosed: string | null
  /** The message that it has while it is open. */
  readonly openMessage?: string | null
  readonly logoImageId: number | null
  readonly maxActiveItems: number
  readonly maxInventoryItems: number
}

/** EndDate of a shop item without DeactivateDate, because Item requires one: the last second of 2099 in Sweden. */
export const OPEN_END = instantOf('2099-12-31T23:59:59+01:00')

function findShop(store: Store, userId: number): ShopRow | undefined {
  const json = member(store, userId)?.shop
  return json === undefined || json === null ? undefined : (JSON.parse(json) as ShopRow)
}

/** docs/service.md, Fault texts: the fault of every operation that needs a shop. */
function noShop(): ServiceFault {
  return new ServiceFault('invalid', 'This operation is not allowed for user that does not have an active shop')
}

/** GetShopSettings. @throws {ServiceFault} for a user without a shop */
export function getShopSettings(call: Call): Output<typeof ShopSettingsData> {
  const shop = findShop(call.store, call.userId)
  if (shop === undefined) throw noShop()
  const { logoImageId } = shop
  const logo = logoImageId === null ? undefined : findImage(call.store, logoImageId)
  return present({
    CompanyInformation: shop.companyInformation,
    PurchaseTerms: shop.purchaseTerms,
    ShowGalleryMode: shop.galleryMode,
    ShowAuctionView: shop.auctionView,
    LogoInformation: logo && { ImageFormat: logo.format, ImageData: logo.bytes, RemoveLogo: false },
    BannerColor: shop.bannerColor,
    IsTemporaryClosed: shop.temporarilyClosed !== null,
    TemporaryClosedMessage: shop.temporarilyClosed ?? shop.openMessage ?? undefined,
    ContactInformation: shop.contactInformation,
    LogoImageUrl: logo && imageLink(call.settings.linkBase, 'normal', logoImageId ?? 0, logo.format),
    MaxActiveItems: shop.maxActiveItems,
    MaxInventoryItems: shop.maxInventoryItems,
  })
}

/** SetShopSettings: what is left out stays, as do the limits. @throws {ServiceFault} for a user without a shop */
export function setShopSettings(call: Call, { shopSettings: data = {} as Settings }: ParamsOf<'SetShopSettings'>): null {
  const shop = findShop(call.store, call.userId)
  if (shop === undefined)
    throw new ServiceFault('invalid', `This operation is not allowed as user with id ${call.userId} has no shop account`)
  const isClosed = data.IsTemporaryClosed ?? shop.temporarilyClosed !== null
  const message = data.TemporaryClosedMessage ?? shop.temporarilyClosed ?? shop.openMessage ?? ''
  const changedShop: ShopRow = {
    ...shop,
    companyInformation: data.CompanyInformation ?? shop.companyInformation,
    purchaseTerms: data.PurchaseTerms ?? shop.purchaseTerms,
    contactInformation: data.ContactInformation ?? shop.contactInformation,
    galleryMode: data.ShowGalleryMode ?? shop.galleryMode,
    auctionView: data.ShowAuctionView ?? shop.auctionView,
    bannerColor: data.BannerColor ?? shop.bannerColor,
    temporarilyClosed: isClosed ? message : null,
    openMessage: isClosed ? null : message || null,
    logoImageId: logoOf(call, data.LogoInformation, shop.logoImageId),
  }
  call.store.run('UPDATE members SET shop = ? WHERE user_id = ?', JSON.stringify(changedShop), call.userId)
  return null
}

type Settings = NonNullable<ParamsOf<'SetShopSettings'>['shopSettings']>

/** The image of the logo: another one is stored, the same stays. */
function logoOf(call: Call, logo: Settings['LogoInformation'], logoId: number | null): number | null {
  if (logo?.RemoveLogo === true) return null
  const bytes = logo?.ImageData
  if (bytes === undefined) return logoId
  const before = logoId === null ? undefined : findImage(call.store, logoId)?.bytes
  return before?.equals(bytes) === true ? logoId : storeImage(call.store, bytes, logo?.ImageFormat ?? 'Png')
}

/** Faults in the data of a shop item beyond the contract's own rules. @param path of the data in the request */
export function shopDataFaults(call: Call, data: Data, categoryId: number | null | undefined, path: string): string[] {
  return [
    ...(typeof categoryId === 'number' ? listingFaults(data, categoryId) : []),
    ...futureFault(`${path}.DeactivateDate`, data.DeactivateDate, call.now),
    ...(data.ItemImages ?? []).flatMap((image, index) => {
      const fault = imageFault(image.Data, image.Format)
      return fault === undefined ? [] : [`${path}.ItemImages[${index}]: ${fault}`]
    }),
  ]
}

/** The stored form of a waiting request, with its images in their own table. */
export interface WaitingData {
  readonly data: Omit<Data, 'ItemImages'>
  readonly images: readonly ItemImage[]
}

/** Queues the data of a shop item. */
export function enqueueData(call: Call, itemId: number, { ItemImages = [], ...data }: Data): Queued {
  const images = ItemImages.flatMap(({ Data, Format, HasMega }): ItemImage[] =>
    Data === undefined ? [] : [[storeImage(call.store, Data, Format), Format, HasMega ? 1 : 0]],
  )
  const waitingData: WaitingData = { data, images }
  return { RequestId: enqueue(call, { itemId, payload: JSON.stringify(waitingData) }), ItemId: itemId }
}

/**
 * AddShopItem. The ids of request and item are known at once; the item is in the shop when the request is processed.
 * @throws {ServiceFault} for a user without a shop, or if the first-step validation fails
 */
export function addShopItem(call: Call, { shopItemData: data }: ParamsOf<'AddShopItem'>): Queued {
  if (findShop(call.store, call.userId) === undefined) throw noShop()
  const faults = inputMessages(call.operation, { shopItemData: data })
  if (data === undefined) throw notValid(faults)
  faults.push(...shopDataFaults(call, data, data.CategoryId, 'shopItemData'), ...strictFaults(call, data))
  if (typeof data.Quantity === 'number' && data.Quantity < 0) {
    faults.push(`shopItemData.Quantity ${data.Quantity}: a new item has nothing that could be taken away.`)
  }
  if (faults.length > 0) throw notValid([...new Set(faults)])
  return enqueueData(call, takeNumbers(call.store, 'item'), data)
}

/** Processes AddShopItem, within the limits that GetShopSettings reports. */
export function openShopItem(scene: Scene, row: DueRequest, itemId: number): Outcome {
  const { data, images } = parsePayload<WaitingData>(row)
  const damage = findDamage(scene.store, images)
  if (damage !== undefined) return damage
  const processedAt = row.due_at
  const starts = data.ActivateDate ? instantOf(data.ActivateDate) : processedAt
  const full = threshold(scene, row.user_id, processedAt, starts)
  if (full !== undefined) return full
  insertItem(scene.store, {
    id: itemId,
    sellerId: row.user_id,
    type: ITEM_TYPE_IDS.ShopItem,
    categoryId: data.CategoryId ?? 0,
    starts,
    ends: data.DeactivateDate ? instantOf(data.DeactivateDate) : OPEN_END,
    price: data.Price,
    // If both are left out: one piece, because a new item without any would be hidden from the start.
    quantity: data.AbsoluteQuantity ?? data.Quantity ?? 1,
    kept: {
      ...keptFields(data),
      Thumbnail: images.length > 0,
      AcceptedBuyerId: data.AcceptedBuyerId ?? ACCEPTED_BIDDERS.Sweden,
      UserSelectedEndDate: Boolean(data.DeactivateDate),
    },
    images,
  })
  return DONE
}

/** MaxActiveItems counts what is active now; MaxInventoryItems also counts what waits for its ActivateDate. */
function threshold(scene: Scene, userId: number, now: number, starts: number): Outcome | undefined {
  const shop = findShop(scene.store, userId)
  if (shop === undefined) return { code: 'UpdateNotAllowed', message: 'The user no longer has an active shop.' }
  const items = scene.store.number('SELECT items FROM shop_sizes WHERE seller_id = ?', userId)
  const count = (periodCondition: string, ...times: readonly number[]): number =>
    scene.store.number(`SELECT count(*) FROM items WHERE seller_id = ? AND type = 4 AND ${periodCondition}`, userId, ...times)
  // Items that have ended, or wait, are few beside those on sale.
  const inventory = items - count('ends <= ?', now)
  const active = inventory - count('starts > ? AND ends > ?', now, now)
  if (starts <= now && active >= shop.maxActiveItems) {
    return {
      code: 'ReachedMaximumActiveItemsThreshold',
      message: `The shop holds ${active} active items; at most ${shop.maxActiveItems} are allowed.`,
    }
  }
  if (inventory < shop.maxInventoryItems) return undefined
  return {
    code: 'ReachedMaximumActiveItemsThreshold',
    message: `The shop holds ${inventory} items, waiting ones included; at most ${shop.maxInventoryItems} are allowed.`,
  }
}

/**
 * The category of a shop item of the caller.
 * @throws {ServiceFault} with the known text for another (docs/service.md, Fault texts)
 */
export function ownCategory(call: Call, itemId: number): number {
  const item = call.store.first<{ category_id: number }>(
    'SELECT category_id FROM items WHERE id = ? AND seller_id = ? AND type = ?',
    ...[itemId, call.userId, ITEM_TYPE_IDS.ShopItem],
  )
  if (item === undefined) throw notValid([`Shop item with id ${itemId} does not exist for user ${call.userId}.`])
  return item.category_id
}

/** RemoveShopItem. */
export function removeShopItem(call: Call, { shopItemId }: ParamsOf<'RemoveShopItem'>): Queued {
  ownCategory(call, shopItemId)
  return { RequestId: enqueue(call, { itemId: shopItemId }), ItemId: shopItemId }
}

/**
 * Processes RemoveShopItem: DeactivateDate becomes the current time. An item whose ActivateDate is in the future may not be
 * removed (docs/service.md, Removing shop items); one that has ended already keeps its end.
 */
export function closeShopItem(scene: Scene, row: DueRequest, itemId: number): Outcome {
  const now = row.due_at
  const item = scene.store.first<{ starts: number; ends: number }>('SELECT starts, ends FROM items WHERE id = ?', itemId)
  if (item === undefined) return { code: 'Error', message: `Shop item with id ${itemId} does not exist.` }
  if (item.starts > now) {
    return {
      code: 'UpdateNotAllowed',
      message: `Shop item with id ${itemId} is not active yet; its ActivateDate lies in the future.`,
    }
  }
  if (item.ends > now) endItem(scene.store, itemId, now)
  return DONE
}
