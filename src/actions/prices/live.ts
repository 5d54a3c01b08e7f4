/** Reads the seller's live items, by one call and streamed. */

import type { Context } from '../../cli/context.js'
import type { Item, Output, ParamsOf } from '../../contract/index.js'
import { counted, type RowWatch } from '../../format/output/index.js'
import type { LiveItem } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { watchPrices } from './seen.js'

type Filter = Pick<ParamsOf<'GetSellerItems'>, 'filterItemType' | 'filterActive'> & {
  readonly categoryId?: number
  /** Whether to read the numbers in stock too. */
  readonly stock?: true
  /** Further fields to read. */
  readonly also?: readonly (keyof Output<typeof Item>)[]
  /** Sees each item as it passes. */
  readonly look?: LiveLook
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

/** Reads GetSellerItems, and shows the number of items read so far on stderr. The prices go into the price history. */
export function liveItems(
  ctx: Context,
  client: SoapClient,
  { stock, look, also = [], ...filter }: Filter,
): AsyncGenerator<LiveItem, void> {
  const params = { categoryId: 0, minEndDate: null, maxEndDate: null, maxStartDate: null, ...filter }
  const wanted = [
    ...fields,
    ...also,
    ...(stock === true ? (['RemainingQuantity'] as const) : []),
    ...(look?.pictures === true ? (['ImageLinks', 'DetailedImageLinks'] as const) : []),
  ]
  const items = client.stream('GetSellerItems', params, { signal: ctx.signal, fields: wanted })
  const read = counted(ctx.output, 'Reading the live list', items, watchOf(ctx, filter))
  return look === undefined ? read : lookedAt(read, look)
}

async function* lookedAt(items: AsyncIterable<LiveItem>, look: LiveLook): AsyncGenerator<LiveItem, void> {
  for await (const item of items) {
    look.see(item)
    yield item
  }
}

/** The price history is about shop items that are in the shop. */
function watchOf(ctx: Context, { filterItemType, filterActive, categoryId = 0 }: Filter): RowWatch<LiveItem> | undefined {
  const shows = filterActive === 'Active' && (filterItemType === 'ShopItem' || filterItemType === 'All')
  return shows ? watchPrices(ctx, categoryId === 0) : undefined
}
