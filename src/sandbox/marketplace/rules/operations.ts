/** Every operation of the contract and the rule that carries it out. It does not compile if one is missing. */
import {
  dateTimeOf,
  type EntryOf,
  type Operation,
  type OperationName,
  operations,
  type ParamsOf,
  type publicExtended,
  type ResultOf,
} from '../../../contract/index.js'
import type { Call } from '../store/scene.js'
import * as addItem from './add-item.js'
import { attributesOf } from './attributes.js'
import * as campaigns from './campaigns.js'
import * as categories from './categories.js'
import * as commit from './commit.js'
import * as eid from './eid.js'
import * as feedback from './feedback.js'
import * as images from './images.js'
import * as items from './items.js'
import * as manyShopItems from './many-shop-items.js'
import * as members from './members.js'
import * as orders from './orders.js'
import * as prices from './prices.js'
import * as queue from './queue.js'
import * as reference from './reference.js'
import * as shop from './shop.js'
import { fetchToken, getUserByAlias } from './tokens.js'
import * as transactions from './transactions.js'
import * as updateShopItem from './update-shop-item.js'

type Answer<N extends OperationName> = ResultOf<N> | ([EntryOf<N>] extends [never] ? never : Iterable<EntryOf<N>>)
type Rule<N extends OperationName> = (call: Call, params: ParamsOf<N>) => Answer<N>

/** A rule has the name of its operation, with a small first letter; those that are no more than a value stand here. */
const rules: { readonly [N in OperationName as Uncapitalize<N>]: Rule<N> } = {
  ...addItem,
  ...campaigns,
  ...categories,
  ...commit,
  ...eid,
  ...feedback,
  ...images,
  ...items,
  ...manyShopItems,
  ...members,
  ...orders,
  ...prices,
  ...queue,
  ...shop,
  ...transactions,
  ...updateShopItem,
  getSellerItems: (call, params) => items.sellerItems(call, call.userId, params),
  endItem: items.endItemNow,
  getOfficalTime: (call) => dateTimeOf(call.now),
  getPaymentTypes: () => reference.PAYMENT_TYPES,
  getAcceptedBidderTypes: () => reference.BIDDER_TYPES,
  getExpoItemTypes: () => reference.EXPO_ITEM_TYPES,
  getItemTypes: () => reference.ITEM_TYPES,
  getCounties: () => reference.COUNTIES,
  'publicService.GetItem': items.getItem,
  'publicService.GetSellerItems': (call, params) => items.sellerItems(call, params.userId, params),
}

export type Handler = (call: Call, params: Record<string, unknown>) => unknown

/** Operations that the public service has with --variant extended. */
const beyond: Readonly<Record<keyof typeof publicExtended, Handler>> = {
  FetchToken: fetchToken as Handler,
  GetUserByAlias: getUserByAlias as Handler,
  GetAttributeDefinitions: (_call, { categoryId }) => attributesOf(categoryId as number),
  GetShippingTypes: () => reference.SHIPPING_TYPES,
  GetShippingOptions: reference.shippingProducts,
}

function ruleName<N extends OperationName>(name: N): Uncapitalize<N> {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}` as Uncapitalize<N>
}

const all = new Map<string, Handler>([
  ...Object.entries(operations).map(([name, operation]): [string, Handler] => [
    `${operation.service}.${operation.name}`,
    rules[ruleName(name as OperationName)] as Handler,
  ]),
  ...Object.entries(beyond).map(([name, handler]): [string, Handler] => [`PublicService.${name}`, handler]),
])

/** The rule of an operation of any service; undefined if the contract does not have it. */
export function findHandler({ service, name }: Operation): Handler | undefined {
  return all.get(`${service}.${name}`)
}
