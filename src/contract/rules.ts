/**
 * Rules over several fields of one request. A fault names the field to change. Each rule lists the fields that it reads and is
 * checked only if these are valid, so their types are certain here. A fault elsewhere does not suppress it.
 */

import { ITEM_TYPE_IDS } from './enums.js'
import {
  MAX_DURATION_DAYS,
  MAX_SHIPPING_OPTIONS,
  MAX_SHIPPING_OPTIONS_WITH_PICKUP,
  PICKUP_SHIPPING_OPTION_ID,
  PURE_BUY_IT_NOW_DAYS,
} from './limits.js'
import { thousands } from './numbers.js'
import type { InputFault, InputRule } from './operation.js'
import { instantOf } from './scalars.js'

/** Prices of an auction, kronor; 0, null and undefined mean none for the last two. */
export interface AuctionPrices {
  readonly opening: number
  readonly reserve?: number | null | undefined
  readonly buyNow?: number | null | undefined
}

/** The names of the three prices for the caller, so that a fault names the caller's own field. */
export interface AuctionPriceFields {
  readonly opening: string
  readonly reserve: string
  readonly buyNow: string
}

/** Opening < reserve < buy-now, as far as they are set (docs/service.md, Prices of auctions). */
export function priceOrder(prices: AuctionPrices, fields: AuctionPriceFields): InputFault[] {
  const { opening, reserve, buyNow } = prices
  const above = (field: string, price: number | null | undefined, least: number | null | undefined, of: string) =>
    price && least !== null && least !== undefined && price <= least
      ? wrong(field, price, `must be greater than the ${of} price of ${thousands(least)}`, undefined, `not above the ${of} price`)
      : []
  return [
    ...above(fields.reserve, reserve, opening, 'opening'),
    ...above(fields.buyNow, buyNow, opening, 'opening'),
    ...(reserve ? above(fields.buyNow, buyNow, reserve, 'reserve') : []),
  ]
}

/** @param kind the reason, where the message quotes another value */
function wrong(field: string, value: unknown, message: string, hint?: string, kind?: string): InputFault[] {
  return [{ field, value, message, ...(hint === undefined ? {} : { hint }), ...(kind === undefined ? {} : { kind }) }]
}

/**
 * A rule over fields of the one struct that an operation takes as `param`. A request without it has its own fault.
 * @param param the parameter, or the path of a struct in it
 * @param fields names, as in `over`, inside the struct
 */
function within<T>(param: string, fields: readonly string[], faults: (data: T) => readonly InputFault[]): InputRule {
  return {
    over: fields.map((name) => `${param}.${name}`),
    check: (params) => {
      const data = param.split('.').reduce<unknown>((inside, name) => (inside as typeof params | undefined)?.[name], params)
      if (data === undefined || data === null) return []
      return faults(data as T).map((fault) => ({ ...fault, field: `${param}.${fault.field}` }))
    },
  }
}

function requireAll(...names: readonly string[]): InputRule {
  return { over: names, check: (params) => names.filter((name) => params[name] === undefined).flatMap(missing) }
}

interface Shipping {
  readonly ShippingOptionId?: number | null
  readonly ShippingProviderId?: number | null
}

/**
 * At most 2 shipping options, or 3 with pickup among them, each with either an option id or a provider id (docs/service.md,
 * Shipping options).
 */
function shippingRule(param: string): InputRule {
  const fields = ['ShippingOptions[].ShippingOptionId', 'ShippingOptions[].ShippingProviderId']
  return within<{ ShippingOptions?: readonly Shipping[] | null }>(param, fields, ({ ShippingOptions }) =>
    shippingFaults(ShippingOptions ?? []),
  )
}

function shippingFaults(options: readonly Shipping[]): InputFault[] {
  const faults: InputFault[] = []
  const pickup = options.some((option) => option.ShippingOptionId === PICKUP_SHIPPING_OPTION_ID)
  const most = pickup ? MAX_SHIPPING_OPTIONS_WITH_PICKUP : MAX_SHIPPING_OPTIONS
  if (options.length > most) {
    const message = `has ${options.length} options; at most ${MAX_SHIPPING_OPTIONS} are allowed, ${MAX_SHIPPING_OPTIONS_WITH_PICKUP} when pickup (ShippingOptionId ${PICKUP_SHIPPING_OPTION_ID}) is one of them`
    faults.push(...wrong('ShippingOptions', undefined, message, undefined, 'too many options'))
  }
  options.forEach((option, index) => {
    const set = [option.ShippingOptionId, option.ShippingProviderId].filter((id) => id !== undefined && id !== null)
    if (set.length === 1) return
    const value = set.length === 0 ? undefined : set.join(' and ')
    faults.push(...wrong(`ShippingOptions[${index}]`, value, 'must have exactly one of ShippingOptionId and ShippingProviderId'))
  })
  return faults
}

/**
 * The three comparisons of an auction's prices as separate rules, so that one invalid price does not prevent comparing the other
 * two.
 */
function orderRules<T>(
  rule: (fields: readonly string[], faults: (data: T) => readonly InputFault[]) => InputRule,
  pricesOf: (data: T) => AuctionPrices,
  names: AuctionPriceFields,
): InputRule[] {
  const { opening, reserve, buyNow } = names
  return [
    rule([opening, reserve], (data) => priceOrder({ ...pricesOf(data), buyNow: null }, names)),
    rule([opening, buyNow], (data) => priceOrder({ ...pricesOf(data), reserve: null }, names)),
    // An opening price of 0 is below any other, so only these two are compared.
    rule([reserve, buyNow], (data) => priceOrder({ ...pricesOf(data), opening: 0 }, names)),
  ]
}

interface ItemRequestLike {
  readonly Title?: string
  readonly ItemType: number
  readonly Duration: number
  readonly StartPrice: number
  readonly ReservePrice: number
  readonly BuyItNowPrice: number
}

/** A rule of AddItem. Only the fields that it lists are certain to be valid. */
const ofItem = (fields: readonly string[], faults: (request: ItemRequestLike) => readonly InputFault[]): InputRule =>
  within('itemRequest', fields, faults)

/** The same for items of one type. */
const ofType =
  (type: number): typeof ofItem =>
  (fields, faults) =>
    ofItem(['ItemType', ...fields], (request) => (request.ItemType === type ? faults(request) : []))
const ofAuction = ofType(ITEM_TYPE_IDS.Auction)
const ofBuyNow = ofType(ITEM_TYPE_IDS.PureBuyItNow)

function tooLong({ ItemType, Duration }: ItemRequestLike): InputFault[] {
  const most = ItemType === ITEM_TYPE_IDS.PureBuyItNow ? PURE_BUY_IT_NOW_DAYS : MAX_DURATION_DAYS
  return Duration > most ? wrong('Duration', Duration, `must be at most ${most} days`) : []
}

/** AddItem's rules over several fields. */
export const itemRequestRules: readonly InputRule[] = [
  requireAll('itemRequest'),
  ofItem(['Title'], ({ Title }) => (blank(Title) ? missing('Title') : [])),
  ofBuyNow(['BuyItNowPrice'], ({ BuyItNowPrice }) =>
    BuyItNowPrice === 0 ? wrong('BuyItNowPrice', 0, 'must be at least 1 for an item that is sold at buy-it-now only') : [],
  ),
  ofBuyNow(['ReservePrice'], ({ ReservePrice }) =>
    ReservePrice === 0 ? [] : wrong('ReservePrice', ReservePrice, 'must be 0', 'Only an auction can have a reserve price.'),
  ),
  ofItem(['ItemType', 'Duration'], (request) => (request.Duration > PURE_BUY_IT_NOW_DAYS ? [] : tooLong(request))),
  // Longer than any item can run, so it is reported even if the type cannot be read.
  ofItem(['Duration'], (request) => (request.Duration > PURE_BUY_IT_NOW_DAYS ? tooLong(request) : [])),
  ofAuction(['StartPrice'], ({ StartPrice }) =>
    StartPrice === 0 ? wrong('StartPrice', 0, 'must be at least 1 for an auction') : [],
  ),
  ...orderRules(
    ofAuction,
    ({ StartPrice, ReservePrice, BuyItNowPrice }) => ({ opening: StartPrice, reserve: ReservePrice, buyNow: BuyItNowPrice }),
    { opening: 'StartPrice', reserve: 'ReservePrice', buyNow: 'BuyItNowPrice' },
  ),
  shippingRule('itemRequest'),
]

const MARKS = ['MarkAsPaidConfirmed', 'MarkedAsShipped', 'MarkShippingBooked'] as const

interface ShopItemLike {
  readonly Title?: string
  readonly CategoryId?: number | null
  readonly Price?: number | null
  readonly Quantity?: number | null
  readonly AbsoluteQuantity?: number | null
  readonly ActivateDate?: string | null
  readonly DeactivateDate?: string | null
}

type OfShopItem = (fields: readonly string[], faults: (data: ShopItemLike) => readonly InputFault[]) => InputRule
const ofShopItem: OfShopItem = (fields, faults) => within('shopItemData', fields, faults)
const ofShopUpdate: OfShopItem = (fields, faults) => within('updateData.ItemData', fields, faults)

/** The rules for a new shop item and for a change of one: one kind of quantity; dates in order. */
const shopDataRules = (rule: OfShopItem, hint: string): InputRule[] => [
  rule(['Quantity', 'AbsoluteQuantity'], ({ Quantity, AbsoluteQuantity }) =>
    isSet(Quantity) && isSet(AbsoluteQuantity)
      ? wrong('AbsoluteQuantity', AbsoluteQuantity, 'cannot be sent together with Quantity, a change of the number', hint)
      : [],
  ),
  rule(['ActivateDate', 'DeactivateDate'], ({ ActivateDate, DeactivateDate }) =>
    ActivateDate && DeactivateDate && instantOf(DeactivateDate) <= instantOf(ActivateDate)
      ? wrong(
          'DeactivateDate',
          DeactivateDate,
          `must be later than ActivateDate, ${ActivateDate}`,
          undefined,
          'ends before it begins',
        )
      : [],
  ),
]

/** AddShopItem's rules: a new item needs title, category and price; one kind of quantity; dates in order. */
export const shopItemRules: readonly InputRule[] = [
  requireAll('shopItemData'),
  ofShopItem(['Title'], ({ Title }) => (blank(Title) ? missing('Title') : [])),
  ofShopItem(['CategoryId'], ({ CategoryId }) => (isSet(CategoryId) ? [] : missing('CategoryId'))),
  ofShopItem(['Price'], ({ Price }) => (isSet(Price) ? [] : missing('Price'))),
  ...shopDataRules(ofShopItem, 'For a new item give AbsoluteQuantity.'),
  shippingRule('shopItemData'),
]

/** UpdateShopItem's rules: something to change; one kind of quantity; dates in order. */
export const shopUpdateRules: readonly InputRule[] = [
  requireAll('updateData'),
  within<{ ItemData?: ShopItemLike | null }>('updateData', ['ItemData'], ({ ItemData }) =>
    Object.values(ItemData ?? {}).some(isSet)
      ? []
      : wrong('ItemData', undefined, 'says nothing to change', 'Give at least one field.'),
  ),
  ...shopDataRules(ofShopUpdate, 'To set the number in stock give AbsoluteQuantity.'),
  shippingRule('updateData.ItemData'),
]

/** UpdateTransactionStatus: at least one mark. A nil mark is left as it is. */
export const transactionStatusRules: readonly InputRule[] = [
  requireAll('transactionStatusUpdateData'),
  within<Readonly<Record<string, unknown>>>('transactionStatusUpdateData', MARKS, (data) =>
    MARKS.some((name) => isSet(data[name])) ? [] : wrong(MARKS[0], undefined, `or another of ${MARKS.join(', ')} must be set`),
  ),
]

/** SetPricesOnNonShopItems: the order of the prices. */
export const auctionPriceRules: readonly InputRule[] = orderRules<Readonly<Record<string, unknown>>>(
  (over, check) => ({ over, check }),
  (params) => ({
    opening: params.openingPrice as number,
    reserve: params.ReservedPrice as number | null | undefined,
    buyNow: params.BinPrice as number | null | undefined,
  }),
  { opening: 'openingPrice', reserve: 'ReservedPrice', buyNow: 'BinPrice' },
)

/** Feedback needs a comment: a rating alone tells the other party nothing, and the service stores whatever it gets. */
export const commentRules: readonly InputRule[] = [
  { over: ['comment'], check: ({ comment }) => (blank(comment as string | null | undefined) ? missing('comment') : []) },
]

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}

function blank(text: string | null | undefined): boolean {
  return (text ?? '').trim() === ''
}

function missing(field: string): InputFault[] {
  return wrong(field, undefined, 'is missing')
}
