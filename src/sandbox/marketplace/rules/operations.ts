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
import { addItem, getItemRestarts } from './add-item.js'
import { attributesOf } from './attributes.js'
import { addItemCampaignCode, validateCampaignCode } from './campaigns.js'
import { categoryTree } from './categories.js'
import { addItemCommit } from './commit.js'
import { beginEid, cancelEidVerification, getEidVerificationProgress } from './eid.js'
import { leaveFeedback, leaveOrderFeedbackToBuyer } from './feedback.js'
import { addItemImage } from './images.js'
import { endItemNow, getItem, listed } from './items.js'
import { setActivateDateOnShopItems, setPriceOnShopItems, setQuantityOnShopItems } from './many-shop-items.js'
import { getMemberPaymentOptions, getUserInfo } from './members.js'
import { getFreightLabels, getOrders, getSellerOrders, setOrderPaid, setOrderShipped } from './orders.js'
import { setPricesOnNonShopItems } from './prices.js'
import { getRequestResults } from './queue.js'
import {
  BIDDER_TYPES,
  COUNTIES,
  EXPO_ITEM_TYPES,
  ITEM_TYPES,
  PAYMENT_TYPES,
  SHIPPING_TYPES,
  shippingProducts,
} from './reference.js'
import { addShopItem, getShopSettings, removeShopItem, setShopSettings } from './shop.js'
import { fetchToken, getUserByAlias } from './tokens.js'
import { getSellerTransactions, updateTransactionStatus } from './transactions.js'
import { updateShopItem } from './update-shop-item.js'

type Answer<N extends OperationName> = ResultOf<N> | ([EntryOf<N>] extends [never] ? never : Iterable<EntryOf<N>>)
type Handlers = { readonly [N in OperationName]: (call: Call, params: ParamsOf<N>) => Answer<N> }

const handlers: Handlers = {
  GetItem: getItem,
  GetSellerItems: (call, params) => listed(call, call.userId, params),
  GetSellerTransactions: getSellerTransactions,
  AddItem: addItem,
  AddItemImage: addItemImage,
  AddItemCampaignCode: addItemCampaignCode,
  ValidateCampaignCode: validateCampaignCode,
  AddItemCommit: addItemCommit,
  LeaveFeedback: leaveFeedback,
  AddShopItem: addShopItem,
  GetRequestResults: getRequestResults,
  RemoveShopItem: removeShopItem,
  GetShopSettings: getShopSettings,
  GetUserInfo: getUserInfo,
  SetPriceOnShopItems: setPriceOnShopItems,
  SetPricesOnNonShopItems: setPricesOnNonShopItems,
  LeaveOrderFeedbackToBuyer: leaveOrderFeedbackToBuyer,
  GetMemberPaymentOptions: getMemberPaymentOptions,
  BeginEidVerification: (call) => beginEid(call, false),
  GetEidVerificationProgress: getEidVerificationProgress,
  CancelEidVerification: cancelEidVerification,
  BeginEidOnFileVerification: (call) => beginEid(call, true),
  EndItem: endItemNow,
  UpdateShopItem: updateShopItem,
  UpdateTransactionStatus: updateTransactionStatus,
  SetShopSettings: setShopSettings,
  SetActivateDateOnShopItems: setActivateDateOnShopItems,
  SetQuantityOnShopItems: setQuantityOnShopItems,
  GetSellerOrders: getSellerOrders,
  GetOrders: getOrders,
  SetSellerOrderAsPaid: setOrderPaid,
  SetSellerOrderAsShipped: setOrderShipped,
  GetFreightLabels: getFreightLabels,
  GetItemRestarts: getItemRestarts,
  GetOfficalTime: (call) => dateTimeOf(call.now),
  GetCategories: categoryTree,
  GetPaymentTypes: () => PAYMENT_TYPES,
  GetAcceptedBidderTypes: () => BIDDER_TYPES,
  GetExpoItemTypes: () => EXPO_ITEM_TYPES,
  GetItemTypes: () => ITEM_TYPES,
  GetCounties: () => COUNTIES,
  'PublicService.GetItem': getItem,
  'PublicService.GetSellerItems': (call, params) => listed(call, params.userId, params),
}

export type Handler = (call: Call, params: Record<string, unknown>) => unknown

/** Operations that the public service has with --extended. */
const beyond: Readonly<Record<keyof typeof publicExtended, Handler>> = {
  FetchToken: fetchToken as Handler,
  GetUserByAlias: getUserByAlias as Handler,
  GetAttributeDefinitions: (_call, { categoryId }) => attributesOf(categoryId as number),
  GetShippingTypes: () => SHIPPING_TYPES,
  GetShippingOptions: shippingProducts,
}

const all = new Map<string, Handler>([
  ...Object.entries(operations).map(([name, operation]): [string, Handler] => [
    `${operation.service}.${operation.name}`,
    handlers[name as OperationName] as Handler,
  ]),
  ...Object.entries(beyond).map(([name, handler]): [string, Handler] => [`PublicService.${name}`, handler]),
])

/** The rule of an operation of any service; undefined if the contract does not have it. */
export function handlerOf({ service, name }: Operation): Handler | undefined {
  return all.get(`${service}.${name}`)
}
