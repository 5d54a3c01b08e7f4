/** The prices of one auction (docs/service.md, Prices of auctions). Those of shop items are in many-shop-items.ts. */
import {
  ITEM_TYPE_IDS,
  type NonShopItem,
  type Output,
  type ParamsOf,
  priceOrder,
  type ResultOf,
  type SetPricesOnNonShopItemRequest,
} from '../../../contract/index.js'
import type { Call } from '../store/scene.js'

type AuctionPrices = NonNullable<ResultOf<'SetPricesOnNonShopItems'>>

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
