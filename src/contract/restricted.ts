/** The restricted service: every call acts for one seller. docs/service.md, Operations. */
import { ActiveFilter, FeedbackType, ImageFormat, ItemTypeFilter } from './enums.js'
import { Item, ItemRequest, ShopItemData, UserInfo } from './items.js'
import { COMMENT_RULE, ID_RULE, IMAGE_RULE, PRICE_RULE } from './limit-rules.js'
import type { Operation } from './operation.js'
import { auctionPricesNested } from './other-forms.js'
import { answersFor, itemsOfRequest, refOrError } from './reply-rules.js'
import {
  BeginEidOnFileVerificationResult,
  BeginEidVerificationResult,
  EidOrderRequest,
  GetEidVerificationProgressResult,
  GetMemberPaymentOptionsResult,
  GetSellerTransactionsRequest,
  QueuedRequestResponse,
  RequestResult,
  SetPriceOnShopItemsRequest,
  SetPriceOnShopItemsResult,
  SetPricesOnNonShopItemRequest,
  SetPricesOnNonShopItemsResult,
  ShopSettingsData,
  Transaction,
  ValidateCampaignCodeResult,
} from './requests.js'
import { auctionPriceRules, commentRules, itemRequestRules, shopItemRules } from './rules.js'
import {
  arrayOf,
  base64Binary,
  boolean,
  dateTime,
  type Field,
  type Fields,
  int,
  nillable,
  optional,
  reliedOn,
  required,
  string,
  wholeList,
} from './vocabulary.js'

type Details<P extends Fields, R extends Field | undefined> = Omit<Operation<P, R>, 'name' | 'service' | 'user'>

function restricted<const P extends Fields, R extends Field | undefined>(name: string, details: Details<P, R>): Operation<P, R> {
  return { name, service: 'RestrictedService', user: true, ...details }
}

const queuedResponse = reliedOn(optional(QueuedRequestResponse))

export const restrictedOperations = {
  GetItem: restricted('GetItem', {
    kind: 'read',
    queued: false,
    summary: 'Reads one item.',
    params: { itemId: required(int, ID_RULE) },
    result: optional(Item),
    replyRule: answersFor('GetItem', 'Id', 'itemId'),
  }),

  GetSellerItems: restricted('GetSellerItems', {
    kind: 'read',
    queued: false,
    summary: "Lists the seller's items.",
    params: {
      categoryId: required(int, { min: 0, why: '0 means all categories' }),
      filterActive: required(ActiveFilter),
      minEndDate: nillable(dateTime),
      maxEndDate: nillable(dateTime),
      filterItemType: required(ItemTypeFilter),
      maxStartDate: nillable(dateTime),
    },
    result: wholeList(arrayOf('Item', Item)),
  }),

  GetSellerTransactions: restricted('GetSellerTransactions', {
    kind: 'read',
    queued: false,
    summary: "Lists the seller's transactions.",
    params: { request: optional(GetSellerTransactionsRequest) },
    result: wholeList(arrayOf('Transaction', Transaction)),
  }),

  AddItem: restricted('AddItem', {
    kind: 'single write',
    queued: true,
    summary: 'Adds an auction, a buy-it-now or a contact-only item.',
    params: { itemRequest: optional(ItemRequest) },
    result: queuedResponse,
    rules: itemRequestRules,
  }),

  AddItemImage: restricted('AddItemImage', {
    kind: 'single write',
    queued: false,
    summary: 'Adds an image to an item that is not committed yet.',
    params: {
      requestId: required(int, ID_RULE),
      imageData: optional(base64Binary, IMAGE_RULE),
      imageFormat: required(ImageFormat),
      hasMega: required(boolean),
    },
    result: undefined,
  }),

  AddItemCampaignCode: restricted('AddItemCampaignCode', {
    kind: 'repeatable write',
    queued: false,
    internal: true,
    summary: 'Attaches a campaign code to an item that is not committed yet.',
    params: { requestId: required(int, ID_RULE), campaignCode: optional(string) },
    result: undefined,
  }),

  ValidateCampaignCode: restricted('ValidateCampaignCode', {
    kind: 'read',
    queued: false,
    internal: true,
    summary: 'Tells whether a campaign code holds, and why not.',
    params: { campaignCode: optional(string), categoryId: required(int, { min: 0 }) },
    result: reliedOn(optional(ValidateCampaignCodeResult)),
  }),

  AddItemCommit: restricted('AddItemCommit', {
    kind: 'repeatable write',
    queued: false,
    summary: 'Commits an item after its last image.',
    params: { requestId: required(int, ID_RULE) },
    result: undefined,
  }),

  LeaveFeedback: restricted('LeaveFeedback', {
    kind: 'single write',
    queued: false,
    summary: 'Leaves feedback for a transaction.',
    params: { transactionId: required(int, ID_RULE), comment: optional(string, COMMENT_RULE), type: required(FeedbackType) },
    result: reliedOn(required(boolean)),
    rules: commentRules,
  }),

  AddShopItem: restricted('AddShopItem', {
    kind: 'single write',
    queued: true,
    summary: 'Adds a shop item.',
    params: { shopItemData: optional(ShopItemData) },
    result: queuedResponse,
    rules: shopItemRules,
  }),

  GetRequestResults: restricted('GetRequestResults', {
    kind: 'read',
    queued: false,
    summary: 'Fetches the outcomes of queued requests.',
    params: { requestIds: optional(arrayOf('int', int)) },
    result: optional(arrayOf('RequestResult', RequestResult)),
  }),

  RemoveShopItem: restricted('RemoveShopItem', {
    kind: 'repeatable write',
    queued: true,
    summary: 'Takes a shop item out of the shop.',
    params: { shopItemId: required(int, ID_RULE) },
    result: queuedResponse,
    replyRule: answersFor('RemoveShopItem', 'ItemId', 'shopItemId'),
  }),

  GetShopSettings: restricted('GetShopSettings', {
    kind: 'read',
    queued: false,
    summary: 'Reads the settings of the shop.',
    params: {},
    result: optional(ShopSettingsData),
  }),

  GetUserInfo: restricted('GetUserInfo', {
    kind: 'read',
    queued: false,
    summary: 'Reads who the calls are made for.',
    params: {},
    result: optional(UserInfo),
  }),

  SetPriceOnShopItems: restricted('SetPriceOnShopItems', {
    kind: 'repeatable write',
    queued: true,
    summary: 'Sets the prices of many shop items.',
    params: { request: optional(SetPriceOnShopItemsRequest) },
    result: reliedOn(optional(SetPriceOnShopItemsResult)),
    replyRule: itemsOfRequest('SetPriceOnShopItems'),
  }),

  SetPricesOnNonShopItems: restricted('SetPricesOnNonShopItems', {
    kind: 'repeatable write',
    queued: false,
    summary: 'Sets the prices of an auction without bids.',
    params: {
      itemId: required(int, ID_RULE),
      openingPrice: required(int, PRICE_RULE),
      ReservedPrice: nillable(int, PRICE_RULE),
      BinPrice: nillable(int, PRICE_RULE),
    },
    alsoAccepts: { request: optional(SetPricesOnNonShopItemRequest) },
    otherForm: auctionPricesNested,
    result: reliedOn(optional(SetPricesOnNonShopItemsResult)),
    rules: auctionPriceRules,
  }),

  LeaveOrderFeedbackToBuyer: restricted('LeaveOrderFeedbackToBuyer', {
    kind: 'single write',
    queued: false,
    summary: 'Leaves feedback to the buyer of an order.',
    params: { orderNumber: required(int, ID_RULE), comment: optional(string, COMMENT_RULE), type: required(FeedbackType) },
    result: undefined,
    rules: commentRules,
  }),

  GetMemberPaymentOptions: restricted('GetMemberPaymentOptions', {
    kind: 'read',
    queued: false,
    summary: 'Lists the payment options of a member.',
    params: { memberId: required(int, ID_RULE) },
    result: optional(GetMemberPaymentOptionsResult),
  }),

  BeginEidVerification: restricted('BeginEidVerification', {
    kind: 'single write',
    queued: false,
    summary: 'Begins an electronic-ID verification.',
    params: {},
    result: reliedOn(optional(BeginEidVerificationResult)),
    replyRule: refOrError('BeginEidVerification'),
  }),

  GetEidVerificationProgress: restricted('GetEidVerificationProgress', {
    kind: 'read',
    queued: false,
    summary: 'Follows an electronic-ID verification.',
    params: {},
    alsoAccepts: { request: optional(EidOrderRequest) },
    result: reliedOn(optional(GetEidVerificationProgressResult)),
  }),

  CancelEidVerification: restricted('CancelEidVerification', {
    kind: 'repeatable write',
    queued: false,
    summary: 'Cancels an electronic-ID verification.',
    params: {},
    alsoAccepts: { request: optional(EidOrderRequest) },
    result: undefined,
  }),

  BeginEidOnFileVerification: restricted('BeginEidOnFileVerification', {
    kind: 'single write',
    queued: false,
    summary: 'Begins an electronic-ID verification with an auto-start token.',
    params: {},
    result: reliedOn(optional(BeginEidOnFileVerificationResult)),
    replyRule: refOrError('BeginEidOnFileVerification'),
  }),
} as const
