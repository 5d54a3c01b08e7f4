/** Prices: of many shop items at once, queued; of one auction, at once (docs/service.md, Prices). */
import {
  ITEM_TYPE_IDS,
  type NonShopItem,
  type Output,
  type ParamsOf,
  priceOrder,
  type ResultOf,
  type SetPricesOnNonShopItemRequest,
} from '../../../contract/index.js'
import { type Call, notValid, type Scene } from '../store/scene.js'
import { DONE, type Outcome } from './outcome.js'
import { drawnCodes, enqueue, payloadOf, type RequestRow } from './queue.js'
import { ownShopItems } from './shop.js'

type ShopPrices = NonNullable<ResultOf<'SetPriceOnShopItems'>>
type AuctionPrices = NonNullable<ResultOf<'SetPricesOnNonShopItems'>>
type PriceEntry = readonly [id: number, price: number]

/**
 * SetPriceOnShopItems. Invalid entries are listed in ValidationErrors; every other entry is queued under its own request id. The
 * whole call is stored as one row.
 * @throws {ServiceFault} for more entries than a call may hold
 */
export function setPriceOnShopItems(call: Call, { request }: ParamsOf<'SetPriceOnShopItems'>): ShopPrices {
  if (request === undefined) throw notValid(['request: is missing.'])
  const entries = request.ShopItems ?? []
  const known = ownShopItems(call, entries)
  const seen = new Set<number>()
  const accepted: PriceEntry[] = []
  const errors: ShopPrices['ValidationErrors'] = []
  for (const { Id, Price } of entries) {
    const wrong = !known.has(Id)
      ? `Shop item with id ${Id} does not exist for user ${call.userId}.`
      : Price < 1
        ? `The price ${Price} is not allowed; prices are whole kronor, at least 1.`
        : seen.has(Id)
          ? `Shop item with id ${Id} occurs more than once in the call; its first price is used.`
          : undefined
    if (wrong === undefined) accepted.push([Id, Price])
    else errors.push({ Item: { Id, Price }, ErrorMessage: wrong })
    seen.add(Id)
  }
  const first =
    accepted.length === 0 ? 0 : enqueue(call, { itemId: null, size: accepted.length, payload: JSON.stringify(accepted) })
  return {
    QueuedRequestResponses: accepted.map(([ItemId], index) => ({ RequestId: first + index, ItemId })),
    ValidationErrors: errors,
  }
}

/** Processes one SetPriceOnShopItems call: all prices in one statement, except those with a drawn result code. */
export function applyShopPrices(scene: Scene, row: RequestRow): Outcome & { exceptions?: string } {
  const entries = payloadOf<PriceEntry[]>(row)
  const exceptions = drawnCodes(scene, row)
  const failed = Object.keys(exceptions).length
  const applied = failed === 0 ? row.payload : JSON.stringify(entries.filter((_, index) => exceptions[index] === undefined))
  scene.store.run(
    'UPDATE items SET price = j.value ->> 1 FROM json_each(?) j WHERE items.id = j.value ->> 0 AND +items.seller_id = ?',
    applied,
    row.user_id,
  )
  return failed === 0 ? DONE : { ...DONE, exceptions: JSON.stringify(exceptions) }
}

/** The wanted prices of an auction, in whichever form they were sent; null means none. */
interface Wish {
  readonly id: number
  readonly opening: number
  readonly reserve: number | null
  readonly buyNow: number | null
}

/** The two forms of the parameters (docs/service.md, Choices between sources). */
type BothForms = ParamsOf<'SetPricesOnNonShopItems'> & { readonly request?: Output<typeof SetPricesOnNonShopItemRequest> }

function wishOf(params: BothForms): Wish {
  const item = params.request?.NonShopItem
  if (item !== undefined) {
    const { Id, OpeningPrice, ReservedPrice, BinPrice } = item
    return { id: Id, opening: OpeningPrice, reserve: ReservedPrice?.Price ?? null, buyNow: BinPrice?.Price ?? null }
  }
  const { itemId, openingPrice, ReservedPrice, BinPrice } = params
  return { id: itemId, opening: openingPrice, reserve: ReservedPrice ?? null, buyNow: BinPrice ?? null }
}

interface AuctionRow {
  type: number
  ends: number
  bids: number
  reserve: number | null
}

/** Rules 1 to 5 of docs/service.md, Prices of auctions: why the prices cannot be set, one sentence each. */
function refusals(call: Call, wish: Wish, item: AuctionRow | undefined): string[] {
  if (item === undefined) return [`Item with id ${wish.id} does not exist for user ${call.userId}.`]
  if (item.type === ITEM_TYPE_IDS.ShopItem) {
    return [`Item with id ${wish.id} is a shop item; its price is set with SetPriceOnShopItems.`]
  }
  if (item.type === ITEM_TYPE_IDS.PureBuyItNow) {
    return [`Item with id ${wish.id} is of type PureBuyItNow; its buy-it-now price is changed with UpdateItemPrice.`]
  }
  if (item.type !== ITEM_TYPE_IDS.Auction) return [`Item with id ${wish.id} is not an auction and has none of these prices.`]
  const errors: string[] = []
  if (item.ends <= call.now) errors.push(`Item with id ${wish.id} has ended.`)
  if (item.bids > 0) errors.push(`Item with id ${wish.id} has bids (${item.bids}); its prices cannot be changed.`)
  // Null adds no reserve. If there is one already, null would be an attempt to remove it.
  if (wish.reserve === null && item.reserve !== null) {
    errors.push(`The reserve price of ${item.reserve} kr cannot be removed, only changed; send the reserve price to keep.`)
  }
  const prices = { openingPrice: wish.opening, ReservedPrice: wish.reserve, BinPrice: wish.buyNow }
  for (const [name, price] of Object.entries(prices)) {
    if (price !== null && price < 1) errors.push(`${name} ${price}: prices are whole kronor, at least 1.`)
  }
  const names = { opening: 'openingPrice', reserve: 'ReservedPrice', buyNow: 'BinPrice' }
  const order = priceOrder({ opening: wish.opening, reserve: wish.reserve, buyNow: wish.buyNow }, names)
  return [...errors, ...order.map(({ field, value, message }) => `${field} ${value}: ${message}.`)]
}

function wishedPrices(wish: Wish): Output<typeof NonShopItem> {
  return {
    Id: wish.id,
    OpeningPrice: wish.opening,
    ...(wish.reserve === null ? {} : { ReservedPrice: { Price: wish.reserve } }),
    ...(wish.buyNow === null ? {} : { BinPrice: { Price: wish.buyNow } }),
  }
}

/**
 * SetPricesOnNonShopItems: sets all three prices at once. A null buy-it-now price is removed. A
 * refusal is IsSuccessful false with its reasons (docs/service.md, Choices between sources).
 */
export function setPricesOnNonShopItems(call: Call, params: BothForms): AuctionPrices {
  const wish = wishOf(params)
  const item = call.store.first<AuctionRow>(
    'SELECT type, ends, bids, reserve FROM items WHERE id = ? AND seller_id = ?',
    wish.id,
    call.userId,
  )
  const errors = refusals(call, wish, item)
  if (errors.length > 0) {
    return { IsSuccessful: false, ValidationErrors: errors.map((ErrorMessage) => ({ Item: wishedPrices(wish), ErrorMessage })) }
  }
  call.store.run(
    'UPDATE items SET opening = ?, reserve = ?, price = ? WHERE id = ?',
    ...[wish.opening, wish.reserve, wish.buyNow, wish.id],
  )
  if (wish.reserve !== null && item?.reserve === null) {
    call.store.run(
      "UPDATE items SET details = json_set(details, '$.item.ReservePriceManuallySet', json('true')) WHERE id = ?",
      wish.id,
    )
  }
  return { IsSuccessful: true, ValidationErrors: [] }
}
