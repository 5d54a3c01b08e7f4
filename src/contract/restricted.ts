/** The restricted service: every call acts for one seller. docs/service.md, Operations. */
import { ActiveFilter, FeedbackType, ImageFormat, ItemTypeFilter } from './enums.js'
import { Item, ItemRequest, ShopItemData, UserInfo } from './items.js'
import { COMMENT_RULE, ID_RULE, IMAGE_RULE, PRICE_RULE } from './limit-rules.js'
import { inService } from './operation.js'
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
  int,
  nillable,
  optional,
  reliedOn,
  required,
  string,
  whole,
} from './vocabulary.js'

const queuedResponse = reliedOn(optional(QueuedRequestResponse))

export const restrictedOperations = inService(
  { service: 'RestrictedService', user: true },
  {
    GetItem: {
      kind: 'read',
      summary: 'Reads one item.',
      params: { itemId: required(int, ID_RULE) },
      result: optional(Item),
      replyRule: answersFor('GetItem', 'Id', 'itemId'),
    },

    GetSellerItems: {
      kind: 'read',
      summary: "Lists the seller's items.",
      params: {
        categoryId: required(int, { min: 0, why: '0 means all categories' }),
        filterActive: required(ActiveFilter),
        minEndDate: nillable(dateTime),
        maxEndDate: nillable(dateTime),
        filterItemType: required(ItemTypeFilter),
        maxStartDate: nillable(dateTime),
      },
      result: whole(arrayOf('Item', Item)),
    },

    GetSellerTransactions: {
      kind: 'read',
      summary: "Lists the seller's transactions.",
      params: { request: optional(GetSellerTransactionsRequest) },
      result: whole(arrayOf('Transaction', Transaction)),
    },

    AddItem: {
      kind: 'single write',
      queued: true,
      summary: 'Adds an auction, a buy-it-now or a contact-only item.',
      params: { itemRequest: optional(ItemRequest) },
      result: queuedResponse,
      rules: itemRequestRules,
    },

    AddItemImage: {
      kind: 'single write',
      summary: 'Adds an image to an item that is not committed yet.',
      params: {
        requestId: required(int, ID_RULE),
        imageData: optional(base64Binary, IMAGE_RULE),
        imageFormat: required(ImageFormat),
        hasMega: required(boolean),
      },
      result: undefined,
    },

    AddItemCampaignCode: {
      kind: 'repeatable write',
      internal: true,
      summary: 'Attaches a campaign code to an item that is not committed yet.',
      params: { requestId: required(int, ID_RULE), campaignCode: optional(string) },
      result: undefined,
    },

    ValidateCampaignCode: {
      kind: 'read',
      internal: true,
      summary: 'Tells whether a campaign code holds, and why not.',
      params: { campaignCode: optional(string), categoryId: required(int, { min: 0 }) },
      result: reliedOn(optional(ValidateCampaignCodeResult)),
    },

    AddItemCommit: {
      kind: 'repeatable write',
      summary: 'Commits an item after its last image.',
      params: { requestId: required(int, ID_RULE) },
      result: undefined,
    },

    LeaveFeedback: {
      kind: 'single write',
      summary: 'Leaves feedback for a transaction.',
      params: { transactionId: required(int, ID_RULE), comment: optional(string, COMMENT_RULE), type: required(FeedbackType) },
      result: reliedOn(required(boolean)),
      rules: commentRules,
    },

    AddShopItem: {
      kind: 'single write',
      queued: true,
      summary: 'Adds a shop item.',
      params: { shopItemData: optional(ShopItemData) },
      result: queuedResponse,
      rules: shopItemRules,
    },

    GetRequestResults: {
      kind: 'read',
      summary: 'Fetches the outcomes of queued requests.',
      params: { requestIds: optional(arrayOf('int', int)) },
      result: optional(arrayOf('RequestResult', RequestResult)),
    },

    RemoveShopItem: {
      kind: 'repeatable write',
      queued: true,
      summary: 'Takes a shop item out of the shop.',
      params: { shopItemId: required(int, ID_RULE) },
      result: queuedResponse,
      replyRule: answersFor('RemoveShopItem', 'ItemId', 'shopItemId'),
    },

    GetShopSettings: {
      kind: 'read',
      summary: 'Reads the settings of the shop.',
      params: {},
      result: optional(ShopSettingsData),
    },

    GetUserInfo: {
      kind: 'read',
      summary: 'Reads who the calls are made for.',
      params: {},
      result: optional(UserInfo),
    },

    SetPriceOnShopItems: {
      kind: 'repeatable write',
      queued: true,
      summary: 'Sets the prices of many shop items.',
      params: { request: optional(SetPriceOnShopItemsRequest) },
      result: reliedOn(optional(SetPriceOnShopItemsResult)),
      replyRule: itemsOfRequest('SetPriceOnShopItems'),
    },

    SetPricesOnNonShopItems: {
      kind: 'repeatable write',
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
    },

    LeaveOrderFeedbackToBuyer: {
      kind: 'single write',
      summary: 'Leaves feedback to the buyer of an order.',
      params: { orderNumber: required(int, ID_RULE), comment: optional(string, COMMENT_RULE), type: required(FeedbackType) },
      result: undefined,
      rules: commentRules,
    },

    GetMemberPaymentOptions: {
      kind: 'read',
      summary: 'Lists the payment options of a member.',
      params: { memberId: required(int, ID_RULE) },
      result: optional(GetMemberPaymentOptionsResult),
    },

    BeginEidVerification: {
      kind: 'single write',
      summary: 'Begins an electronic-ID verification.',
      params: {},
      result: reliedOn(optional(BeginEidVerificationResult)),
      replyRule: refOrError('BeginEidVerification'),
    },

    GetEidVerificationProgress: {
      kind: 'read',
      summary: 'Follows an electronic-ID verification.',
      params: {},
      alsoAccepts: { request: optional(EidOrderRequest) },
      result: reliedOn(optional(GetEidVerificationProgressResult)),
    },

    CancelEidVerification: {
      kind: 'repeatable write',
      summary: 'Cancels an electronic-ID verification.',
      params: {},
      alsoAccepts: { request: optional(EidOrderRequest) },
      result: undefined,
    },

    BeginEidOnFileVerification: {
      kind: 'single write',
      summary: 'Begins an electronic-ID verification with an auto-start token.',
      params: {},
      result: reliedOn(optional(BeginEidOnFileVerificationResult)),
      replyRule: refOrError('BeginEidOnFileVerification'),
    },
  },
)
