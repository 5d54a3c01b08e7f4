/** Items as stored and as shown by the service, and the two listings of GetSellerItems. */

import {
  dateTimeOf,
  ITEM_TYPE_IDS,
  type Item,
  instantOf,
  type Output,
  type ParamsOf,
  UNUSED_MAX_DATE,
  UNUSED_MIN_DATE,
} from '../../../contract/index.js'
import { present } from '../../../contract/present.js'
import type { SqlValue, Store } from '../../../system/sqlite.js'
import { type ImageFormatName, type ImageSize, imageLink, itemLink } from '../store/links.js'
import type { Call, Scene } from '../store/scene.js'
import { categoriesWithin } from './categories.js'
import { People, party, type UserValue } from './members.js'

export type ItemValue = Output<typeof Item>
export type ItemTypeName = ItemValue['ItemType']

/** Fields that do not depend on a row's columns, the caller or the time. They are stored as they are shown. */
export type KeptFields = Omit<ItemValue, keyof ReturnType<typeof computed>>
export type ItemImage = readonly [id: number, format: ImageFormatName, mega: 0 | 1]

/** The JSON of a row's `details`. */
export interface ItemDetails {
  readonly item: KeptFields
  readonly images: readonly ItemImage[]
}

const COLUMNS =
  'id, seller_id, type, category_id, starts, ends, opening, reserve, price, quantity, remaining, bids, max_bid, max_bidder, sold, details'
type ItemRow = [
  id: number,
  sellerId: number,
  type: number,
  categoryId: number,
  starts: number,
  ends: number,
  opening: number | null,
  reserve: number | null,
  price: number | null,
  quantity: number,
  remaining: number,
  bids: number,
  maxBid: number | null,
  maxBidder: number | null,
  sold: number,
  details: string,
]

const TYPE_NAMES = new Map<number, ItemTypeName>(
  Object.entries(ITEM_TYPE_IDS).map(([name, id]) => [id, name as ItemTypeName] as const),
)

/** The enumeration's word for a type's id in requests and rows. */
export function itemTypeName(id: number): ItemTypeName {
  return TYPE_NAMES.get(id) ?? 'ContactOnly'
}

/** Rows of a listing that are read at a time. Each read is complete, so that a half-read listing holds nothing open. */
const CHUNK = 500

/** An item to store; times in ms, prices in kronor. */
export interface NewItem {
  readonly id: number
  readonly sellerId: number
  readonly type: number
  readonly categoryId: number
  readonly starts: number
  readonly ends: number
  readonly opening?: number | null | undefined
  readonly reserve?: number | null | undefined
  readonly price?: number | null | undefined
  readonly quantity: number
  readonly kept: Omit<KeptFields, 'StartDate' | 'EndDate'>
  readonly images: readonly ItemImage[]
}

/** Stores an item; lists contain it from then on. */
export function insertItem(store: Store, item: NewItem): void {
  const details: ItemDetails = {
    item: { ...item.kept, StartDate: dateTimeOf(item.starts), EndDate: dateTimeOf(item.ends) },
    images: item.images,
  }
  store.run(
    `INSERT INTO items (id, seller_id, type, category_id, starts, ends, opening, reserve, price, quantity, remaining, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[item.id, item.sellerId, item.type, item.categoryId, item.starts, item.ends],
    ...[item.opening, item.reserve, item.price, item.quantity, item.quantity, JSON.stringify(details)],
  )
}

/** Ends an item at a time: EndDate of an item, DeactivateDate of a shop item. */
export function endItem(store: Store, id: number, at: number): void {
  store.run("UPDATE items SET ends = ?, details = json_set(details, '$.item.EndDate', ?) WHERE id = ?", at, dateTimeOf(at), id)
}

/** The lowest next bid, kronor: the highest one plus a step that grows with it. */
export function nextBid(opening: number, maxBid: number | null): number {
  if (maxBid === null) return opening
  const step = maxBid < 100 ? 1 : maxBid < 250 ? 5 : maxBid < 500 ? 10 : maxBid < 1000 ? 20 : maxBid < 2500 ? 50 : 100
  return maxBid + step
}

function value(scene: Scene, row: ItemRow, people: People, owner: boolean): ItemValue {
  const { item, images } = JSON.parse(row[15]) as ItemDetails
  return Object.assign(item, computed(scene, row, images, people, owner))
}

function computed(scene: Scene, row: ItemRow, images: readonly ItemImage[], people: People, owner: boolean) {
  const [id, sellerId, type, categoryId, , ends, opening, reserve, price, quantity, remaining, bids, maxBid, maxBidder, sold] =
    row
  const base = scene.settings.linkBase
  const link = (size: ImageSize, [imageId, format]: ItemImage) => imageLink(base, size, imageId, format)
  return present({
    Id: id,
    ItemType: itemTypeName(type),
    CategoryId: categoryId,
    Status: { Ended: ends <= scene.now, GotBidders: bids > 0, GotWinner: sold > 0 },
    StartQuantity: quantity,
    RemainingQuantity: remaining,
    OpeningBid: opening ?? undefined,
    // Only the seller may know the amount of a reserve; whether it is reached is public.
    ReservePrice: owner ? reserve : null,
    ReservePriceReached: reserve === null ? null : maxBid !== null && maxBid >= reserve,
    BuyItNowPrice: price,
    NextBid: type === ITEM_TYPE_IDS.Auction && ends > scene.now ? nextBid(opening ?? 1, maxBid) : undefined,
    TotalBids: bids,
    MaxBid: maxBid ?? undefined,
    MaxBidder: maxBidder === null ? undefined : people.stranger(maxBidder),
    Seller: people.stranger(sellerId),
    Buyers: owner && sold > 0 ? buyers(scene, id, people) : [],
    ItemLink: itemLink(base, categoryId, id),
    ImageLinks: images.map((image) => link('normal', image)),
    DetailedImageLinks: images.flatMap((image) => {
      const sizes = image[2] === 1 ? (['gallery', 'normal', 'thumb', 'mega'] as const) : (['gallery', 'normal', 'thumb'] as const)
      return sizes.map((size) => ({ Url: link(size, image), Format: size }))
    }),
    ThumbnailLink: images[0] && link('thumb', images[0]),
  })
}

function buyers(scene: Scene, itemId: number, people: People): UserValue[] {
  const sales = scene.store.rows<[number, number]>(
    'SELECT id, buyer_id FROM transactions WHERE item_id = ? AND deleted = 0 ORDER BY id',
    itemId,
  )
  return sales.flatMap(([transactionId, buyerId]) => {
    const row = people.row(buyerId)
    return row === undefined ? [] : [party(row, transactionId)]
  })
}

/**
 * GetItem of either service: the whole item for its seller; for others without buyers and the amount of the reserve. Null for an
 * unknown item (docs/service.md, One item), and for another seller's item that has not started.
 */
export function getItem(call: Call, { itemId }: ParamsOf<'GetItem'>): ItemValue | null {
  const [row] = call.store.rows<ItemRow>(`SELECT ${COLUMNS} FROM items WHERE id = ?`, itemId)
  if (row === undefined) return null
  const owner = row[1] === call.userId
  if (!owner && row[4] > call.now) return null
  return value(call, row, new People(call.store), owner)
}

/** docs/service.md, Listing items: null or not later than 0001-01-01 00:00:00 means unused, read in the value's own zone. */
function minInstant(text: string | null | undefined): number | undefined {
  return text === null || text === undefined || text.slice(0, 19) <= UNUSED_MIN_DATE ? undefined : instantOf(text)
}

/** docs/service.md, Listing items: null or not earlier than 9999-12-31 00:00:00 means unused. */
function maxInstant(text: string | null | undefined): number | undefined {
  return text === null || text === undefined || text.slice(0, 19) >= UNUSED_MAX_DATE ? undefined : instantOf(text)
}

type Listing = Omit<ParamsOf<'PublicService.GetSellerItems'>, 'userId'> & { readonly maxStartDate?: string | null }

/** The conditions of docs/service.md, Listing items, as SQL. */
function conditions(call: Call, sellerId: number, listing: Listing): { sql: string; values: SqlValue[] } {
  const values: SqlValue[] = [sellerId]
  let sql = 'seller_id = ?'
  const and = (condition: string, ...more: SqlValue[]) => {
    sql += ` AND ${condition}`
    values.push(...more)
  }
  // An item that starts in the future is never returned, whatever the parameters.
  and('starts <= ?', call.now)
  const maxStart = maxInstant(listing.maxStartDate)
  if (maxStart !== undefined) and('starts < ?', maxStart)
  const minEnd = minInstant(listing.minEndDate)
  const maxEnd = maxInstant(listing.maxEndDate)
  if (minEnd !== undefined) and('ends > ?', minEnd)
  if (maxEnd !== undefined) and('ends < ?', maxEnd)
  // Either end date overrides filterActive.
  if (minEnd === undefined && maxEnd === undefined) {
    if (listing.filterActive === 'Active') and('ends > ?', call.now)
    if (listing.filterActive === 'Inactive') and('ends < ?', call.now)
  }
  const type = listing.filterItemType ?? 'All'
  if (type !== 'All') and('type = ?', ITEM_TYPE_IDS[type])
  // Said once more, for the index of those beside the shop.
  if (type !== 'All' && type !== 'ShopItem') and('type <> 4')
  if (listing.categoryId !== 0) {
    and('category_id IN (SELECT value FROM json_each(?))', JSON.stringify(categoriesWithin(listing.categoryId)))
  }
  return { sql, values }
}

/** Items that lists had, by id: an item that did not change is the same object in the next list, and is not written again. */
const LISTED = new WeakMap<Store, Map<number, { readonly key: string; readonly item: ItemValue }>>()
/** Items that are kept so, of some 5 kB each. */
const MOST_LISTED = 1000

/** Makes items of a list. @param owner whether the caller is the seller */
function listedItems(scene: Scene, sellerId: number, owner: boolean): (row: ItemRow) => ItemValue {
  const people = new People(scene.store)
  const cache = LISTED.get(scene.store) ?? new Map()
  LISTED.set(scene.store, cache)
  const common = JSON.stringify([owner, scene.settings.linkBase, people.stranger(sellerId)])
  return (row) => {
    const [id, , , , , ends, , , , , , , , maxBidder, sold] = row
    // Bidders and buyers are in other tables.
    if (maxBidder !== null || sold > 0) return value(scene, row, people, owner)
    const key = `${common}${ends > scene.now}${row.join('\n')}`
    const cached = cache.get(id)
    if (cached?.key === key) return cached.item
    const item = value(scene, row, people, owner)
    // A frozen item is written once.
    if (cache.size < MOST_LISTED || cached !== undefined) cache.set(id, { key, item: Object.freeze(item) })
    return item
  }
}

/** The items of a seller, newest first, by id; none for a member that does not exist. Rows are read while the list is. */
export function* sellerItems(call: Call, sellerId: number, listing: Listing): Generator<ItemValue, void> {
  const { sql, values } = conditions(call, sellerId, listing)
  const query = `SELECT ${COLUMNS} FROM items WHERE ${sql} AND id < ? ORDER BY id DESC LIMIT ${CHUNK}`
  const item = listedItems(call, sellerId, sellerId === call.userId)
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = call.store.rows<ItemRow>(query, ...values, before)
    for (const row of rows) yield item(row)
    const last = rows.at(-1)
    if (last === undefined) return
    before = last[0]
  }
}

/**
 * EndItem: whether it ended the item. It does not end items of others, items with bids, ended items, or shop items, which
 * RemoveShopItem removes from the shop (docs/service.md, Operations beyond the document).
 */
export function endItemNow(call: Call, { itemId }: ParamsOf<'EndItem'>): boolean {
  const item = call.store.first(
    'SELECT 1 FROM items WHERE id = ? AND seller_id = ? AND type <> ? AND bids = 0 AND ends > ?',
    ...[itemId, call.userId, ITEM_TYPE_IDS.ShopItem, call.now],
  )
  if (item !== undefined) endItem(call.store, itemId, call.now)
  return item !== undefined
}
