/** Every operation of the contract and the rule that carries it out. It does not compile if one is missing. */
import {
  dateTimeOf,
  type EntryOf,
  type Operation,
  type OperationName,
  operations,
  type ParamsOf,
  publicExtended,
  type ResultOf,
} from '../../../contract/index.js'
import type { Call } from '../store/scene.js'
import { getMemberPaymentOptions, getUserInfo } from './account.js'
import { addItem, getItemRestarts } from './add-item.js'
import { attributesOf } from './attributes.js'
import { addItemCampaignCode, validateCampaignCode } from './campaigns.js'
import { categoryTree } from './categories.js'
import { addItemCommit } from './commit.js'
import { beginEidOnFileVerification, beginEidVerification, cancelEidVerification, getEidVerificationProgress } from './eid.js'
import { endItemNow } from './end-item.js'
import { leaveFeedback, leaveOrderFeedbackToBuyer } from './feedback.js'
import { addItemImage } from './images.js'
import { getItem, getPublicSellerItems, getSellerItems } from './items.js'
import { setActivateDateOnShopItems, setPriceOnShopItems, setQuantityOnShopItems } from './many-shop-items.js'
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
import { addShopItem, getShopSettings, removeShopItem } from './shop.js'
import { fetchToken, getUserByAlias } from './tokens.js'
import { getSellerTransactions, updateTransactionStatus } from './transactions.js'
import { updateShopItem } from './update-shop-item.js'

type Answer<N extends OperationName> = ResultOf<N> | ([EntryOf<N>] extends [never] ? never : Iterable<EntryOf<N>>)
type Handlers = { readonly [N in OperationName]: (call: Call, params: ParamsOf<N>) => Answer<N> }

const handlers: Handlers = {
  GetItem: getItem,
  GetSellerItems: getSellerItems,
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
  BeginEidVerification: beginEidVerification,
  GetEidVerificationProgress: getEidVerificationProgress,
  CancelEidVerification: cancelEidVerification,
  BeginEidOnFileVerification: beginEidOnFileVerification,
  EndItem: endItemNow,
  UpdateShopItem: updateShopItem,
  UpdateTransactionStatus: updateTransactionStatus,
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
  'PublicService.GetSellerItems': getPublicSellerItems,
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

/** The rule of an operation of either service; undefined if the contract does not have it. */
export function handlerOf(operation: Operation): Handler | undefined {
  if (operation.service === 'PublicService' && Object.hasOwn(publicExtended, operation.name))
    return beyond[operation.name as keyof typeof publicExtended]
  const entry = Object.entries(operations).find(
    ([, { name, service }]) => name === operation.name && service === operation.service,
  )
  return entry === undefined ? undefined : (handlers[entry[0] as OperationName] as Handler)
}
