/** Reads the seller's items, by one call and streamed: which ones, and the one door through which they come. */

import type { Context } from '../../cli/context.js'
import { type Item, instantOf, type Output, type ParamsOf } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { withRowCount } from '../../format/output/index.js'
import type { LiveItem } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { emptyPeriod } from '../period.js'
import type { Absence, WatchedList } from './seen.js'

/**
 * Words of `--type`, and the service's own names, which JSON shows. The service has no filter for contact-only items
 * (docs/service.md, Listing items).
 */
export const ITEM_TYPES = {
  all: 'All',
  auction: 'Auction',
  'buy-now': 'PureBuyItNow',
  shop: 'ShopItem',
  Auction: 'Auction',
  PureBuyItNow: 'PureBuyItNow',
  ShopItem: 'ShopItem',
} as const
/** Words of `--state` that the service knows; `ended` and `inactive` mean the same. */
export const ITEM_STATES = { all: 'All', active: 'Active', inactive: 'Inactive', ended: 'Inactive' } as const

export interface ItemFilter {
  readonly type: keyof typeof ITEM_TYPES
  readonly state: keyof typeof ITEM_STATES
  readonly category?: number | undefined
  /** ISO 8601 texts. */
  readonly endsAfter?: string | undefined
  readonly endsBefore?: string | undefined
  readonly startedBefore?: string | undefined
  /** Another seller's items, from the public service. */
  readonly seller?: number | undefined
}

export type ItemQuery =
  | { readonly name: 'GetSellerItems'; readonly params: ParamsOf<'GetSellerItems'> }
  | { readonly name: 'PublicService.GetSellerItems'; readonly params: ParamsOf<'PublicService.GetSellerItems'> }

/** Everything of the seller's that the service lists, with whatever narrows it. */
export function ownItems(filter: Partial<ParamsOf<'GetSellerItems'>>): ItemQuery {
  const all = { categoryId: 0, filterActive: 'All', filterItemType: 'All' } as const
  return { name: 'GetSellerItems', params: { ...all, minEndDate: null, maxEndDate: null, maxStartDate: null, ...filter } }
}

/** @throws {SellerError} usage, for filters that the service cannot combine */
export function itemQuery(filter: ItemFilter): ItemQuery {
  const { type, state, category = 0, endsAfter = null, endsBefore = null, startedBefore = null, seller } = filter
  if (endsAfter !== null && endsBefore !== null && instantOf(endsAfter) >= instantOf(endsBefore)) {
    throw emptyPeriod(instantOf(endsAfter), instantOf(endsBefore), ['--ends-after', '--ends-before'])
  }
  const hasDates = endsAfter !== null || endsBefore !== null
  const params = {
    categoryId: category,
    // The service ignores the state if an end date is given. All says what it then does.
    filterActive: ITEM_STATES[hasDates ? 'all' : state],
    minEndDate: endsAfter,
    maxEndDate: endsBefore,
    filterItemType: ITEM_TYPES[type],
  }
  if (seller === undefined) return { name: 'GetSellerItems', params: { ...params, maxStartDate: startedBefore } }
  if (startedBefore !== null) {
    throw new SellerError(
      'not_at_public_service',
      '--started-before cannot be used with --seller: the public service has no filter for the start.',
      `Leave --started-before out and choose by StartDate yourself, e.g. --json | jq '[.[] | select(.StartDate < "${startedBefore.slice(0, 10)}")]'.`,
    )
  }
  return { name: 'PublicService.GetSellerItems', params: { userId: seller, ...params } }
}

/** Which items are read, and what of them. */
export type Filter = Pick<ParamsOf<'GetSellerItems'>, 'filterItemType' | 'filterActive'> & {
  readonly categoryId?: number
  /** Further fields to read. */
  readonly also?: readonly (keyof Output<typeof Item>)[] | undefined
  /** Sees each item as it passes. */
  readonly look?: LiveLook | undefined
  /**
   * For a caller that concludes something from what the list does not have: it stops where the list may be a part of the shop
   * only.
   */
  readonly absence?: Absence | undefined
  /** True if it matches by own references. */
  readonly references?: true | undefined
}

/** Sees the live items while they are read for something else. */
export interface LiveLook {
  /** True to read the links of the pictures too. */
  readonly pictures: boolean
  see(item: SeenItem): void
}

export type SeenItem = LiveItem & Partial<Pick<Output<typeof Item>, 'ImageLinks' | 'DetailedImageLinks'>>

/** Shop items that are in the shop. An item that was removed has no price to set. */
export const SHOP: Filter = { filterItemType: 'ShopItem', filterActive: 'Active' }
/** The same with their numbers in stock. */
export const SHOP_STOCK: Filter = { ...SHOP, also: ['RemainingQuantity'] }
/** Shop items that have ended, with their ends. */
export const ENDED_SHOP: Filter = { filterItemType: 'ShopItem', filterActive: 'Inactive', also: ['EndDate'] }
/** Every active item, so that a row whose item is not an auction gets a message that says so. */
export const RUNNING: Filter = { filterItemType: 'All', filterActive: 'Active' }
/** Auctions that run. */
export const AUCTIONS: Filter = { filterItemType: 'Auction', filterActive: 'Active' }
/** Everything that the service lists, including ended items. */
export const LISTED: Filter = { filterItemType: 'All', filterActive: 'All' }

/** Live items, and the calls that they take. */
interface Found {
  readonly items: AsyncIterable<LiveItem> | readonly LiveItem[]
  readonly calls: number
}

/**
 * The live items that a plan is about, in a list that may have others too: a few of a large shop are asked for by their ids,
 * where all of them are live. Nothing is then read that only the whole list says, and so nothing is concluded from it.
 * @param rows those whose items are needed; undefined where any may be, as for a rule. `numbered` where an id may be an own
 * reference
 * @throws as liveItems
 */
export async function liveItemsFor(
  ctx: Context,
  client: SoapClient,
  filter: Filter,
  rows: (Iterable<{ readonly id: number }> & { readonly numbered?: boolean }) | undefined,
): Promise<Found> {
  const { askForItems, fewIds } = await import('./asked.js')
  const isWhole = filter.filterActive === 'Active' && filter.categoryId === undefined
  const ids = rows === undefined || rows.numbered === true || !isWhole ? undefined : fewIds(rows)
  const query = { ...filter, fields: fieldsOf(filter) }
  const { items, calls } = ids === undefined ? { items: undefined, calls: 0 } : await askForItems(ctx, client, ids, query)
  if (items === undefined) return { items: liveItems(ctx, client, filter), calls: calls + 1 }
  return { items: filter.look === undefined ? items : lookedAt(items, filter.look), calls }
}

/** The fields that plans, checks and undos read: 10 of 45. A record, so that the compiler asks for a new field of LiveItem. */
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
  VAT: true,
}
const fields = Object.keys(FIELDS) as (keyof LiveItem)[]

/** The fields that a filter reads. */
function fieldsOf({ also = [], look }: Filter) {
  return [...fields, ...also, ...(look?.pictures === true ? (['ImageLinks', 'DetailedImageLinks'] as const) : [])]
}

/**
 * Reads GetSellerItems for everything that decides by it, and shows the number of items read so far on stderr. The prices go into
 * the price history.
 * @throws {SellerError} at the end of the list: guard (6), for a caller that concludes something from absence, where the list may
 * be a part of the shop only
 * @throws {SoapError} kind `broken` for an item that comes twice, or is another seller's; what the client throws
 */
export function liveItems(ctx: Context, client: SoapClient, options: Filter): AsyncGenerator<LiveItem, void> {
  const { look, also: _also, absence, references, ...filter } = options
  const records = filter.filterActive === 'Active'
  const readOptions = { text: 'Reading the live list', fields: fieldsOf(options), records, absence, references }
  const items = provenItems(ctx, client, ownItems(filter), readOptions)
  return look === undefined ? items : lookedAt(items, look)
}

async function* lookedAt(items: AsyncIterable<LiveItem> | Iterable<LiveItem>, look: LiveLook): AsyncGenerator<LiveItem, void> {
  for await (const item of items) {
    look.see(item)
    yield item
  }
}

/** A field of an item. */
type ItemField = string & keyof Output<typeof Item>

/** Options for reading a list. */
interface Reading<F extends ItemField> extends Pick<WatchedList, 'absence' | 'references'> {
  /** Text of the progress line. */
  readonly text: string
  /** The fields that are needed; all by default. */
  readonly fields?: readonly F[] | undefined
  /** True if the prices go into the history. */
  readonly records?: boolean
  /** For a caller that only shows what there is: a list that the service leaves out is none. */
  readonly shown?: true
}

/**
 * The one door of a seller's list: every item once, every item the seller's own, and compared with the last reading of the shop.
 */
export function provenItems<F extends ItemField = ItemField>(
  ctx: Context,
  client: SoapClient,
  query: ItemQuery,
  { text, fields: wanted, records = false, shown, ...more }: Reading<F>,
): AsyncGenerator<Pick<Output<typeof Item>, F>, void> {
  let isAbsent = false
  const onAbsent = () => {
    isAbsent = true
  }
  const options = {
    fields: wanted && ([...wanted, 'Seller.Id'] as readonly ItemField[]),
    ...(shown === true ? { onAbsent } : {}),
  }
  const own = query.name === 'GetSellerItems' ? query.params : undefined
  const { filterItemType: type, filterActive: state, categoryId, minEndDate, maxEndDate } = query.params
  // Both operations list items. The compiler does not see that a name and its parameters belong together.
  const items = client.stream(query.name as 'GetSellerItems', query.params as ParamsOf<'GetSellerItems'>, options)
  const hasShop = state !== 'Inactive' && (type === 'ShopItem' || type === 'All') && (wanted?.includes('ItemType' as F) ?? true)
  const isNarrowed = [minEndDate, maxEndDate, own?.maxStartDate].some((date) => date != null)
  const list: WatchedList = {
    operation: query.name,
    seller: query.name === 'GetSellerItems' ? ctx.profile.settings.user_id : query.params.userId,
    shop: own !== undefined && hasShop && !isNarrowed ? (categoryId === 0 ? 'whole' : 'category') : undefined,
    active: state === 'Active',
    records,
    absent: () => isAbsent,
    ...more,
  }
  // Where the list is only looked at, the ledger is opened while the reply is awaited: a third of the start of a command.
  const late = !records && list.absence === undefined
  return withRowCount(ctx.output, text, items, { late, begin: async () => (await import('./seen.js')).watchList(ctx, list) })
}
