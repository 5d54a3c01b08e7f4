/**
 * Types of queued requests, prices, transactions, the shop, campaigns, payments and eID (docs/service.md, What the types do not
 * say).
 */
import { ImageFormat, ItemType, ResultCode, TransactionFilter } from './enums.js'
import { User } from './items.js'
import { ID_RULE, PRICE_RULE } from './limit-rules.js'
import {
  arrayOf,
  base64Binary,
  boolean,
  dateTime,
  decimal,
  forPeople,
  id,
  int,
  nillable,
  optional,
  optionalNillable,
  reliedOn,
  reliedOnWhenThere,
  required,
  string,
  struct,
} from './vocabulary.js'

/**
 * ItemId is the id of the item that the request concerns: the new one, or the one sent for removal (docs/service.md, What the
 * types do not say).
 */
export const QueuedRequestResponse = struct('QueuedRequestResponse', {
  RequestId: id(required(int)),
  ItemId: id(required(int)),
})

export const RequestResult = struct('RequestResult', {
  RequestId: id(required(int)),
  ResultCode: reliedOn(required(ResultCode)),
  Message: forPeople(optional(string)),
})

export const SetPriceShopItem = struct('SetPriceShopItem', { Id: required(int, ID_RULE), Price: required(int, PRICE_RULE) })
export const SetPriceOnShopItemsRequest = struct('SetPriceOnShopItemsRequest', {
  ShopItems: optional(arrayOf('SetPriceShopItem', SetPriceShopItem)),
})
const SetPriceOnShopItemsError = struct('SetPriceOnShopItemsError', {
  Item: optional(SetPriceShopItem),
  ErrorMessage: forPeople(optional(string)),
})
export const SetPriceOnShopItemsResult = struct('SetPriceOnShopItemsResult', {
  QueuedRequestResponses: optional(arrayOf('QueuedRequestResponse', QueuedRequestResponse)),
  ValidationErrors: optional(arrayOf('SetPriceOnShopItemsError', SetPriceOnShopItemsError)),
})

const NonShopItemPrice = struct('NonShopItemPrice', { Price: required(int) })
export const NonShopItem = struct('NonShopItem', {
  Id: required(int, ID_RULE),
  OpeningPrice: required(int, PRICE_RULE),
  ReservedPrice: optional(NonShopItemPrice),
  BinPrice: optional(NonShopItemPrice),
})
/**
 * The other form of SetPricesOnNonShopItems' parameters, which a server also understands (docs/service.md, Choices between
 * sources).
 */
export const SetPricesOnNonShopItemRequest = struct('SetPricesOnNonShopItemRequest', { NonShopItem: optional(NonShopItem) })
const SetPricesOnNonShopItemsError = struct('SetPricesOnNonShopItemsError', {
  Item: optional(NonShopItem),
  ErrorMessage: forPeople(optional(string)),
})
export const SetPricesOnNonShopItemsResult = struct('SetPricesOnNonShopItemsResult', {
  IsSuccessful: reliedOn(required(boolean)),
  ValidationErrors: optional(arrayOf('SetPricesOnNonShopItemsError', SetPricesOnNonShopItemsError)),
})

export const GetSellerTransactionsRequest = struct('GetSellerTransactionsRequest', {
  MinTransactionDate: nillable(dateTime),
  MaxTransactionDate: nillable(dateTime),
  Filter: required(TransactionFilter),
})
const TransactionItem = struct('TransactionItem', {
  Id: required(int),
  Type: required(ItemType),
  Title: optional(string),
  OwnReferences: optional(arrayOf('string', string)),
})
export const Transaction = struct('Transaction', {
  Id: id(required(int)),
  Date: reliedOn(required(dateTime)),
  Amount: reliedOn(required(int)),
  LastUpdatedDate: reliedOn(required(dateTime)),
  IsMarkedAsPaidConfirmed: reliedOn(required(boolean)),
  IsMarkedAsShipped: reliedOn(required(boolean)),
  IsShippingBooked: required(boolean),
  IsFeedbackLeftBySeller: reliedOn(required(boolean)),
  IsFeedbackLeftByBuyer: required(boolean),
  Buyer: optional(User),
  Item: optional(TransactionItem),
  /** The order that it is in (docs/service.md, Orders). Only some services send it. */
  OrderId: optionalNillable(int),
})

export const ShopLogoData = struct('ShopLogoData', {
  ImageFormat: nillable(ImageFormat),
  ImageData: optional(base64Binary),
  RemoveLogo: nillable(boolean),
})
export const ShopSettingsData = struct('ShopSettingsData', {
  CompanyInformation: optional(string),
  PurchaseTerms: optional(string),
  ShowGalleryMode: nillable(boolean),
  ShowAuctionView: nillable(boolean),
  LogoInformation: optional(ShopLogoData),
  BannerColor: optional(string),
  IsTemporaryClosed: nillable(boolean),
  TemporaryClosedMessage: optional(string),
  ContactInformation: optional(string),
  LogoImageUrl: optional(string),
  MaxActiveItems: required(int),
  MaxInventoryItems: required(int),
})

export const ValidateCampaignCodeResult = struct('ValidateCampaignCodeResult', {
  IsValid: reliedOn(required(boolean)),
  IsInvalidBecauseDoesNotExist: required(boolean),
  IsInvalidBecauseHasNotStarted: required(boolean),
  IsInvalidBecauseHasEnded: required(boolean),
  IsInvalidBecauseCategoryIsNotAllowed: required(boolean),
  IsInvalidBecauseAlreadyUsed: required(boolean),
  IsInvalidBecauseUserIsNotAllowed: required(boolean),
  Description: forPeople(optional(string)),
  DiscountFactor: nillable(decimal),
  ProvisionFactor: nillable(decimal),
  MaxFeeCap: nillable(decimal),
  IsCustomLengthFeeFree: required(boolean),
  IsUnsoldFeeFree: required(boolean),
})

const MemberPaymentOption = struct('MemberPaymentOption', {
  Name: optional(string),
  Description: optional(string),
  DisplayName: optional(string),
})
export const GetMemberPaymentOptionsResult = struct('GetMemberPaymentOptionsResult', {
  PaymentOptions: optional(arrayOf('MemberPaymentOption', MemberPaymentOption)),
})

export const BeginEidVerificationResult = struct('BeginEidVerificationResult', {
  EidOrderRef: reliedOnWhenThere(optional(string)),
  Error: forPeople(reliedOnWhenThere(optional(string))),
  QrData: optional(string),
  AutoStartToken: optional(string),
})
export const GetEidVerificationProgressResult = struct('GetEidVerificationProgressResult', {
  IsCompleted: reliedOn(required(boolean)),
  Progress: forPeople(optional(string)),
  Error: forPeople(reliedOnWhenThere(optional(string))),
  QrData: optional(string),
})
export const BeginEidOnFileVerificationResult = struct('BeginEidOnFileVerificationResult', {
  EidOrderRef: reliedOnWhenThere(optional(string)),
  Error: forPeople(reliedOnWhenThere(optional(string))),
  AutoStartToken: optional(string),
})
/** The other form of Progress and Cancel: a request that names the session (docs/service.md, Electronic-ID verification). */
export const EidOrderRequest = struct('EidOrderRequest', { EidOrderRef: optional(string) })
