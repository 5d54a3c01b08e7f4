/**
 * Rules over several fields of one request. A breach names the field to change. Each is called only with parameters
 * that hold by themselves, so types are certain here.
 */
import { ITEM_TYPE_IDS } from './enums.js'
import {
  MAX_DURATION_DAYS,
  MAX_SHIPPING_OPTIONS,
  MAX_SHIPPING_OPTIONS_WITH_PICKUP,
  PICKUP_SHIPPING_OPTION_ID,
  PURE_BUY_IT_NOW_DAYS,
} from './limits.js'
import { instantOf } from './scalars.js'
import type { InputFault } from './vocabulary.js'

/** Prices of an auction, kronor; 0, null and undefined mean «none» for the last two. */
export interface AuctionPrices {
  readonly opening: number
  readonly reserve?: number | null
  readonly buyNow?: number | null
}

/** How the three prices are called where they are given, so that a fault names the caller's own field. */
export interface AuctionPriceFields {
  readonly opening: string
  readonly reserve: string
  readonly buyNow: string
}

/** Opening < reserve < buy-now, as far as they are set (service.md, SetPricesOnNonShopItems 3 to 5). */
export function priceOrder(prices: AuctionPrices, fields: AuctionPriceFields): InputFault[] {
  const { opening, reserve, buyNow } = prices
  const faults: InputFault[] = []
  if (reserve && reserve <= opening) {
    faults.push({
      field: fields.reserve,
      value: reserve,
      message: `a reserve price must be greater than the opening price of ${opening} kr`,
    })
  }
  if (buyNow && buyNow <= opening) {
    faults.push({
      field: fields.buyNow,
      value: buyNow,
      message: `a buy-it-now price must be greater than the opening price of ${opening} kr`,
    })
  }
  if (buyNow && reserve && buyNow <= reserve) {
    faults.push({
      field: fields.buyNow,
      value: buyNow,
      message: `a buy-it-now price must be greater than the reserve price of ${reserve} kr`,
    })
  }
  return faults
}

interface Shipping {
  readonly ShippingOptionId?: number | null
  readonly ShippingProviderId?: number | null
}

/** At most 2 shipping options, 3 with pickup among them; one of option id and provider id each (contract.md 1.2). */
function shippingFaults(path: string, options: readonly Shipping[] | undefined): InputFault[] {
  if (options === undefined) return []
  const faults: InputFault[] = []
  const pickup = options.some((option) => option.ShippingOptionId === PICKUP_SHIPPING_OPTION_ID)
  const most = pickup ? MAX_SHIPPING_OPTIONS_WITH_PICKUP : MAX_SHIPPING_OPTIONS
  if (options.length > most) {
    faults.push({
      field: `${path}.ShippingOptions`,
      value: options.length,
      message: `at most ${MAX_SHIPPING_OPTIONS} shipping options, ${MAX_SHIPPING_OPTIONS_WITH_PICKUP} when pickup (ShippingOptionId ${PICKUP_SHIPPING_OPTION_ID}) is one of them`,
    })
  }
  options.forEach((option, index) => {
    const set = [option.ShippingOptionId, option.ShippingProviderId].filter((id) => id !== undefined && id !== null)
    if (set.length === 1) return
    faults.push({
      field: `${path}.ShippingOptions[${index}]`,
      value: set.length === 0 ? undefined : set.join(' and '),
      message: 'set exactly one of ShippingOptionId and ShippingProviderId',
    })
  })
  return faults
}

interface ItemRequestLike {
  readonly Title?: string
  readonly ItemType: number
  readonly Duration: number
  readonly StartPrice: number
  readonly ReservePrice: number
  readonly BuyItNowPrice: number
  readonly ShippingOptions?: readonly Shipping[]
}

/** AddItem's rules over several fields. */
export function itemRequestRules(params: Readonly<Record<string, unknown>>): InputFault[] {
  const request = params.itemRequest as ItemRequestLike | undefined
  if (request === undefined) return [missing('itemRequest')]
  const faults: InputFault[] = []
  const field = (name: string) => `itemRequest.${name}`
  if (blank(request.Title)) faults.push(missing(field('Title')))
  if (request.ItemType === ITEM_TYPE_IDS.PureBuyItNow) {
    if (request.BuyItNowPrice === 0) {
      faults.push({
        field: field('BuyItNowPrice'),
        value: 0,
        message: 'an item that is only sold at buy-it-now needs that price',
      })
    }
    if (request.ReservePrice !== 0) {
      faults.push({
        field: field('ReservePrice'),
        value: request.ReservePrice,
        message: 'only an auction can have a reserve price',
        hint: 'Leave it at 0.',
      })
    }
  }
  const most = request.ItemType === ITEM_TYPE_IDS.PureBuyItNow ? PURE_BUY_IT_NOW_DAYS : MAX_DURATION_DAYS
  if (request.Duration > most) {
    faults.push({ field: field('Duration'), value: request.Duration, message: `must be at most ${most} days` })
  }
  if (request.ItemType === ITEM_TYPE_IDS.Auction) {
    if (request.StartPrice === 0) {
      faults.push({ field: field('StartPrice'), value: 0, message: 'an auction starts at 1 kr or more' })
    }
    const prices = { opening: request.StartPrice, reserve: request.ReservePrice, buyNow: request.BuyItNowPrice }
    const names = { opening: field('StartPrice'), reserve: field('ReservePrice'), buyNow: field('BuyItNowPrice') }
    faults.push(...priceOrder(prices, names))
  }
  return [...faults, ...shippingFaults('itemRequest', request.ShippingOptions)]
}

interface ShopItemLike {
  readonly Title?: string
  readonly CategoryId?: number | null
  readonly Price?: number | null
  readonly Quantity?: number | null
  readonly AbsoluteQuantity?: number | null
  readonly ActivateDate?: string | null
  readonly DeactivateDate?: string | null
  readonly ShippingOptions?: readonly Shipping[]
}

/** AddShopItem's rules: a new item needs title, category and price; one kind of quantity; dates in order. */
export function shopItemRules(params: Readonly<Record<string, unknown>>): InputFault[] {
  const data = params.shopItemData as ShopItemLike | undefined
  if (data === undefined) return [missing('shopItemData')]
  const faults: InputFault[] = []
  if (blank(data.Title)) faults.push(missing('shopItemData.Title'))
  if (data.CategoryId === undefined || data.CategoryId === null) faults.push(missing('shopItemData.CategoryId'))
  if (data.Price === undefined || data.Price === null) faults.push(missing('shopItemData.Price'))
  const given = (value: number | null | undefined) => value !== undefined && value !== null
  if (given(data.Quantity) && given(data.AbsoluteQuantity)) {
    faults.push({
      field: 'shopItemData.AbsoluteQuantity',
      value: data.AbsoluteQuantity,
      message: 'Quantity (a change) and AbsoluteQuantity (the number itself) cannot be sent together',
      hint: 'For a new item give AbsoluteQuantity.',
    })
  }
  if (data.ActivateDate && data.DeactivateDate && instantOf(data.DeactivateDate) <= instantOf(data.ActivateDate)) {
    faults.push({
      field: 'shopItemData.DeactivateDate',
      value: data.DeactivateDate,
      message: `the item would end before it starts (ActivateDate ${data.ActivateDate})`,
    })
  }
  return [...faults, ...shippingFaults('shopItemData', data.ShippingOptions)]
}

/** SetPricesOnNonShopItems: the order of the prices. */
export function auctionPriceRules(params: Readonly<Record<string, unknown>>): InputFault[] {
  return priceOrder(
    {
      opening: params.openingPrice as number,
      reserve: params.ReservedPrice as number | null | undefined,
      buyNow: params.BinPrice as number | null | undefined,
    },
    { opening: 'openingPrice', reserve: 'ReservedPrice', buyNow: 'BinPrice' },
  )
}

/** Feedback needs a comment: a rating alone tells the other party nothing, and the service stores what it is sent. */
export function commentRules(params: Readonly<Record<string, unknown>>): InputFault[] {
  return blank(params.comment as string | undefined) ? [missing('comment')] : []
}

function blank(text: string | undefined): boolean {
  return text === undefined || text.trim() === ''
}

function missing(field: string): InputFault {
  return { field, value: undefined, message: 'is missing' }
}
