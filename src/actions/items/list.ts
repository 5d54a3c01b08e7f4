/** Lists items: what the service filters, what is filtered here, and names in addition to ids. */

import type { Context } from '../../cli/context.js'
import { type ItemRecord, itemsViewOf, NO_NAMES } from '../../format/views/index.js'
import { categoryId } from '../input/ids.js'
import { provenItems } from '../prices/live.js'
import { rememberingMembers } from '../reference/members.js'
import { namesOf, shownKinds, withNames } from '../reference/names.js'
import { type RecentList, recently } from '../reference/recent.js'
import { listResult, type Result } from '../result.js'
import { type ItemFilter, type ItemQuery, itemQuery } from './filter.js'
import { linked, trueLinks } from './web.js'

export interface ItemListing extends Omit<ItemFilter, 'category'> {
  /** An id, or words for one. */
  readonly category?: number | string
  /** Only items whose title or own reference contains this, in upper or lower case. The service has no search. */
  readonly search?: string
  /** The most items to show, after sorting. */
  readonly limit?: number
  /** Whether a reading of the last minute does not serve. */
  readonly fresh: boolean
  /** How long the call may take, ms. */
  readonly timeoutMs?: number
}

/** The columns that names are read for. */
export const NAMED = {
  categories: ['CategoryName', 'CategoryPath'],
  payments: ['PaymentNames'],
  shipping: ['ShippingNames'],
  shippingTypes: ['ShippingNames'],
} as const

/** Reads the items while they are written. @throws {SellerError} usage; what the client throws */
export async function listItems(
  ctx: Context,
  { search, limit, timeoutMs, fresh, category = 0, ...filter }: ItemListing,
): Promise<Result> {
  const { output, clock } = ctx
  // Refused before anything is asked.
  itemQuery(filter)
  const client = await ctx.client({ timeoutMs, user: filter.seller === undefined })
  const query = itemQuery({ ...filter, category: await categoryId(ctx, category) })
  const read = recently(ctx, recentList(query, fresh), () => provenItems(ctx, client, query, { text: 'Reading items' }))
  const shown = await trueLinks(ctx)
  let items: AsyncIterable<ItemRecord> = linked(search === undefined ? read : found(read, search), shown)
  if (filter.seller !== undefined) items = rememberingMembers(ctx, items, ({ Seller }) => [Seller])
  const plain = itemsViewOf({ names: NO_NAMES, now: clock.now() })
  const kinds = shownKinds(output, plain, NAMED)
  const names = namesOf(ctx, client, kinds)
  const [view, rows] = kinds.length === 0 ? [plain, items] : [itemsViewOf({ names, now: clock.now() }), withNames(items, names)]
  return listResult({ view, rows: () => rows, limit })
}

/** Everything that was listed includes the items of one type. Of members, the list of an own shop shows nothing. */
function recentList({ name, params }: ItemQuery, fresh: boolean): RecentList<ItemRecord> {
  const asked = (filterItemType: string) => JSON.stringify([name, { ...params, filterItemType }])
  const { filterItemType: type } = params
  return {
    kind: 'items',
    query: asked(type),
    wider: { query: asked('All'), has: ({ ItemType }) => ItemType === type },
    fresh: fresh || name !== 'GetSellerItems',
    kept: ({ Seller: _seller, MaxBidder: _bidder, LongDescription: _text, ...item }) => ({ ...item, Buyers: [] }),
  }
}

async function* found(items: AsyncIterable<ItemRecord>, text: string): AsyncGenerator<ItemRecord, void> {
  const wanted = text.toLowerCase()
  for await (const item of items) {
    const { ShortDescription: title = '', OwnReferences: references = [] } = item
    if ([title, ...references].some((own) => own.toLowerCase().includes(wanted))) yield item
  }
}
