/** Reads the seller's live items, by one call and streamed. */

import type { Context } from '../../cli/context.js'
import type { Item, Output, ParamsOf } from '../../contract/index.js'
import { counted } from '../../format/output/index.js'
import type { LiveItem } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { type Absence, type SeenItem as ListedItem, type WatchedList, watchList } from './seen.js'

type Filter = Pick<ParamsOf<'GetSellerItems'>, 'filterItemType' | 'filterActive'> & {
  readonly categoryId?: number
  /** Whether to read the numbers in stock too. */
  readonly stock?: true
  /** Further fields to read. */
  readonly also?: readonly (keyof Output<typeof Item>)[]
  /** Sees each item as it passes. */
  readonly look?: LiveLook
  /** For a caller that concludes something from what the list does not have: it stops where the list may be a part of the shop only. */
  readonly absence?: Absence
  /** Whether it matches by own references. */
  readonly references?: true
}

/** Sees the live items while they are read for something else. */
export interface LiveLook {
  /** Whether to read the links of the pictures too. */
  readonly pictures: boolean
  see(item: SeenItem): void
}

export type SeenItem = LiveItem & Partial<Pick<Output<typeof Item>, 'ImageLinks' | 'DetailedImageLinks'>>

/** Shop items that are in the shop. An item that was removed has no price to set. */
export const SHOP: Filter = { filterItemType: 'ShopItem', filterActive: 'Active' }
/** The same with their numbers in stock. */
export const SHOP_STOCK: Filter = { ...SHOP, stock: true }
/** Shop items that have ended, with their ends. */
export const ENDED_SHOP: Filter = { filterItemType: 'ShopItem', filterActive: 'Inactive', also: ['EndDate'] }
/** Every active item, so that a row whose item is not an auction gets a message that says so. */
export const RUNNING: Filter = { filterItemType: 'All', filterActive: 'Active' }
/** Everything that the service lists, including ended items. */
export const LISTED: Filter = { filterItemType: 'All', filterActive: 'All' }

/** The fields that plans, checks and undos read: 9 of 45. A record, so that the compiler asks for a new field of LiveItem. */
const FIELDS: Readonly<Record<Exclude<keyof LiveItem, 'RemainingQuantity'>, true>> = {
  Id: true,
  ItemType: true,
  BuyItNowPrice: true,
  OwnReferences: true,
  CategoryId: true,
  OpeningBid: true,
  ReservePrice: true,
  TotalBids: true,
  ShortDescription: true,
}
const fields = Object.keys(FIELDS) as (keyof LiveItem)[]

/**
 * Reads GetSellerItems for everything that decides by it, and shows the number of items read so far on stderr. The prices go into the price history.
 * @throws {SellerError} at the end of the list: guard (6), for a caller that concludes something from absence, where the list may be a part of the
 * shop only
 * @throws {SoapError} kind `broken` for an item that comes twice, or is another seller's; what the client throws
 */
export function liveItems(
  ctx: Context,
  client: SoapClient,
  { stock, look, also = [], absence, references, ...filter }: Filter,
): AsyncGenerator<LiveItem, void> {
  const params = { categoryId: 0, minEndDate: null, maxEndDate: null, maxStartDate: null, ...filter }
  const wanted = [
    ...fields,
    'Seller.Id' as const,
    ...also,
    ...(stock === true ? (['RemainingQuantity'] as const) : []),
    ...(look?.pictures === true ? (['ImageLinks', 'DetailedImageLinks'] as const) : []),
  ]
  const items = client.stream('GetSellerItems', params, { signal: ctx.signal, fields: wanted })
  const read = provenItems(ctx, 'Reading the live list', items, {
    ...filter,
    absence,
    references,
    records: filter.filterActive === 'Active',
  })
  return look === undefined ? read : lookedAt(read, look)
}

async function* lookedAt(items: AsyncIterable<LiveItem>, look: LiveLook): AsyncGenerator<LiveItem, void> {
  for await (const item of items) {
    look.see(item)
    yield item
  }
}

export interface ListedBy
  extends Pick<Filter, 'filterItemType' | 'filterActive' | 'categoryId' | 'absence' | 'references'>,
    Pick<WatchedList, 'records'> {
  /** The seller of the public service; by default the profile's own. */
  readonly seller?: number
  /** Whether something else narrows the list, such as a date. */
  readonly narrowed?: boolean
}

/** The one door of a seller's list: every item once, every item the seller's own, and compared with the last reading of the shop. */
export function provenItems<T extends ListedItem>(
  ctx: Context,
  text: string,
  items: AsyncIterable<T>,
  { filterItemType, filterActive, categoryId = 0, seller, narrowed = false, ...more }: ListedBy,
): AsyncGenerator<T, void> {
  const hasShop = filterActive !== 'Inactive' && (filterItemType === 'ShopItem' || filterItemType === 'All')
  const isOwn = seller === undefined
  return counted(
    ctx.output,
    text,
    items,
    watchList(ctx, {
      operation: isOwn ? 'GetSellerItems' : 'PublicService.GetSellerItems',
      seller: seller ?? ctx.profile.settings.user_id,
      shop: isOwn && hasShop && !narrowed ? (categoryId === 0 ? 'whole' : 'category') : undefined,
      active: filterActive === 'Active',
      ...more,
    }),
  )
}
