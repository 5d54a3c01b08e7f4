/** Types of items and of their sellers and buyers. docs/service.md, What the types do not say. */
import { ImageFormat, ItemType } from './enums.js'
import {
  ACCEPTED_BIDDER_RULE,
  ATTRIBUTES_RULE,
  CONDITION_RULE,
  DESCRIPTION_RULE,
  IMAGE_RULE,
  OWN_REFERENCE_RULE,
  PRICE_OR_NONE_RULE,
  PRICE_RULE,
  SHOP_IMAGES_RULE,
  TITLE_RULE,
} from './limit-rules.js'
import { MAX_RESTARTS, MIN_DURATION_DAYS } from './limits.js'
import {
  arrayOf,
  base64Binary,
  boolean,
  dateTime,
  decimal,
  id,
  int,
  listNamed,
  nillable,
  optional,
  optionalNillable,
  personal,
  reliedOnWhenRead,
  reliedOnWhenThere,
  repeated,
  required,
  string,
  struct,
} from './vocabulary.js'

const ArrayOfInt = arrayOf('int', int)
const ArrayOfString = arrayOf('string', string)
const ArrayOfDecimal = arrayOf('decimal', decimal)

/** The first fields of User and UserInfo, in this order. */
const person = {
  Id: required(int),
  Alias: optional(string),
  FirstName: optional(string),
  LastName: optional(string),
  Email: optional(string),
  TotalRating: optional(int),
  PhoneNumber: optional(string),
  MobilePhoneNumber: optional(string),
  Address: optional(string),
  ZipCode: optional(string),
  City: optional(string),
  CountryName: optional(string),
}

export const User = personal('User', { ...person, PersonalNumber: optional(string), TransactionId: optional(int) })

/**
 * GetUserInfo: the fields of User without PersonalNumber (docs/service.md, What the types do not say). The name is that of the
 * newer edition.
 */
export const UserInfo = personal('UserInfo', { ...person, Id: id(required(int)), TransactionId: optional(int) })

export const ItemStatus = struct('ItemStatus', {
  Ended: required(boolean),
  GotBidders: required(boolean),
  GotWinner: required(boolean),
})

/** The same type in requests and in Item. Exactly one of ShippingOptionId (obsolete) and ShippingProviderId is set. */
export const ItemShipping = struct('ItemShipping', {
  ShippingOptionId: nillable(int),
  Cost: required(int, { min: 0 }),
  ShippingWeight: optionalNillable(decimal),
  ShippingProductId: optionalNillable(int),
  ShippingProviderId: nillable(int),
  SellerSurcharge: optionalNillable(int),
  SellerDiscount: optionalNillable(int),
})

export const ImageLink = struct('ImageLink', { Url: optional(string), Format: optional(string) })

const TermAttributeValue = struct('TermAttributeValue', {
  Id: required(int),
  Name: optional(string),
  Values: optional(ArrayOfString),
})
const NumberAttributeValue = struct('NumberAttributeValue', {
  Id: required(int),
  Name: optional(string),
  Values: optional(ArrayOfDecimal),
})
export const AttributeValues = struct('AttributeValues', {
  TermAttributeValues: optional(arrayOf('TermAttributeValue', TermAttributeValue)),
  NumberAttributeValues: optional(arrayOf('NumberAttributeValue', NumberAttributeValue)),
})

/** Attribute values in requests: with other names than in Item, and without Name (docs/service.md, What the types do not say). */
const TermValues = struct('TermValues', { Id: required(int), Values: optional(ArrayOfString) })
const NumberValues = struct('NumberValues', { Id: required(int), Values: optional(ArrayOfDecimal) })
export const ItemAttributeValues = struct('ItemAttributeValues', {
  Terms: optional(listNamed('ArrayOfTermValues', 'TermValues', TermValues)),
  Numbers: optional(listNamed('ArrayOfNumberValues', 'NumberValues', NumberValues)),
})

/** An item of any of the four types. VAT and ReservePrice are nil where the published schema says nillable. */
export const Item = struct('Item', {
  ShippingOptions: repeated(ItemShipping),
  PaymentOptions: optional(ArrayOfInt),
  ImageLinks: optional(ArrayOfString),
  Buyers: repeated(User),
  Status: optional(ItemStatus),
  StartQuantity: required(int),
  RemainingQuantity: reliedOnWhenThere(required(int)),
  ItemType: reliedOnWhenThere(required(ItemType)),
  DetailedImageLinks: repeated(ImageLink),
  Id: id(required(int)),
  VAT: optionalNillable(int),
  ShortDescription: optional(string),
  OwnReferences: reliedOnWhenThere(optional(ArrayOfString)),
  AttributeValues: optional(AttributeValues),
  ItemAttributes: optional(ArrayOfInt),
  LongDescription: optional(string),
  StartDate: required(dateTime),
  EndDate: reliedOnWhenThere(required(dateTime)),
  CategoryId: required(int),
  OpeningBid: reliedOnWhenRead(optional(int)),
  ReservePrice: reliedOnWhenRead(optionalNillable(int)),
  ReservePriceReached: nillable(boolean),
  /** Also the price of a shop item and of a PureBuyItNow item (docs/service.md, Choices between sources). */
  BuyItNowPrice: reliedOnWhenRead(optionalNillable(int)),
  NextBid: optional(int),
  PaymentCondition: optional(string),
  ShippingCondition: optional(string),
  AcceptsPickup: required(boolean),
  TotalBids: reliedOnWhenThere(required(int)),
  MaxBid: optional(int),
  Bold: required(boolean),
  Thumbnail: required(boolean),
  Highlight: required(boolean),
  FeaturedItem: required(boolean),
  ItemLink: optional(string),
  ThumbnailLink: optional(string),
  AcceptedBuyerId: required(int),
  ExternalPayment: required(boolean),
  PaymentTypeId: required(int),
  Seller: optional(User),
  MaxBidder: optional(User),
  UserSelectedEndDate: required(boolean),
  Restarts: required(int),
  Duration: required(int),
  ReservePriceManuallySet: required(boolean),
})

/** AddItem's request. 0 means none for ReservePrice and BuyItNowPrice, which cannot be nil. */
export const ItemRequest = struct('ItemRequest', {
  Title: optional(string, TITLE_RULE),
  OwnReferences: optional(ArrayOfString, OWN_REFERENCE_RULE),
  CategoryId: required(int, { min: 1 }),
  // The maximum depends on the item type: see itemRequestRules.
  Duration: required(int, {
    min: MIN_DURATION_DAYS,
    why: 'an auction runs 1 to 14 days, a PureBuyItNow item always 30',
  }),
  Restarts: required(int, { min: 0, max: MAX_RESTARTS, why: 'each restart costs as much as a new auction' }),
  StartPrice: required(int, PRICE_OR_NONE_RULE),
  ReservePrice: required(int, PRICE_OR_NONE_RULE),
  BuyItNowPrice: required(int, PRICE_OR_NONE_RULE),
  Description: optional(string, DESCRIPTION_RULE),
  PaymentOptionIds: optional(ArrayOfInt),
  ShippingOptions: optional(arrayOf('ItemShipping', ItemShipping)),
  AcceptedBidderId: required(int, ACCEPTED_BIDDER_RULE),
  ExpoItemIds: optional(ArrayOfInt),
  CustomEndDate: nillable(dateTime),
  ItemAttributes: optional(ArrayOfInt, ATTRIBUTES_RULE),
  ItemType: required(int, {
    oneOf: [1, 3, 5],
    why: '1 auction, 3 buy-it-now only, 5 contact only; for shop items there is AddShopItem',
  }),
  AutoCommit: required(boolean),
  VAT: nillable(int, { min: 0, max: 100 }),
  ShippingCondition: optional(string, CONDITION_RULE),
  PaymentCondition: optional(string, CONDITION_RULE),
  CampaignCode: optional(string),
  DescriptionLanguageCodeIso2: optional(string, { maxLength: 2 }),
  AttributeValues: optional(ItemAttributeValues),
  RestartedFromItemId: nillable(int),
})

export const ItemImageData = struct('ItemImageData', {
  HasMega: required(boolean),
  Format: required(ImageFormat),
  Data: optional(base64Binary, IMAGE_RULE),
  Name: optional(string),
})

/** AddShopItem's request. Quantity changes the current quantity, AbsoluteQuantity sets it; never both. */
export const ShopItemData = struct('ShopItemData', {
  ActivateDate: nillable(dateTime),
  AcceptedBuyerId: nillable(int, ACCEPTED_BIDDER_RULE),
  CategoryId: nillable(int, { min: 1 }),
  DeactivateDate: nillable(dateTime),
  ItemAttributes: optional(ArrayOfInt, ATTRIBUTES_RULE),
  Description: optional(string, DESCRIPTION_RULE),
  PaymentCondition: optional(string, CONDITION_RULE),
  Price: nillable(int, PRICE_RULE),
  Quantity: nillable(int),
  AbsoluteQuantity: nillable(int, { min: 0 }),
  ShippingCondition: optional(string, CONDITION_RULE),
  Title: optional(string, TITLE_RULE),
  VAT: nillable(int, { min: 0, max: 100 }),
  ShippingOptions: optional(arrayOf('ItemShipping', ItemShipping)),
  PaymentOptionIds: optional(ArrayOfInt),
  OwnReferences: optional(ArrayOfString, OWN_REFERENCE_RULE),
  ItemImages: optional(arrayOf('ItemImageData', ItemImageData), SHOP_IMAGES_RULE),
  ExternalId: nillable(int),
  AttributeValues: optional(ItemAttributeValues),
  DescriptionLanguageCodeIso2: optional(string, { maxLength: 2 }),
})
