import { enumeration, flags } from './vocabulary.js'

/** docs/service.md, ItemType. */
export const ItemType = enumeration('ItemType', ['Auction', 'PureBuyItNow', 'ShopItem', 'ContactOnly'])
/** docs/service.md, Listing items. */
export const ActiveFilter = enumeration('ActiveFilter', ['All', 'Active', 'Inactive'])
export const ItemTypeFilter = enumeration('ItemTypeFilter', ['All', 'Auction', 'PureBuyItNow', 'ShopItem'])
/** docs/service.md, Types. */
export const TransactionFilter = enumeration('TransactionFilter', ['New', 'NewAndUpdated'])
export const ImageFormat = enumeration('ImageFormat', ['Gif', 'Jpeg', 'Png'])
export const FeedbackType = enumeration('FeedbackType', ['Positive', 'Negative'])
/** A flags enum: ascending bit order is the order of the words here (docs/service.md, Result codes). */
export const ResultCode = flags('ResultCode', [
  'Ok',
  'ImageProcessingError',
  'Error',
  'Timeout',
  'TryAgain',
  'UpdateNotAllowed',
  'ReachedMaximumActiveItemsThreshold',
  'WaitingToBeProcessed',
  'Uncommited',
])

/**
 * ItemType ids in requests (docs/service.md, Ids with a known meaning). There is no id for auction + buy-now: that is Auction
 * with a BuyItNowPrice.
 */
export const ITEM_TYPE_IDS = { Auction: 1, PureBuyItNow: 3, ShopItem: 4, ContactOnly: 5 } as const
/** Accepted bidders or buyers (docs/service.md, Ids with a known meaning). */
export const ACCEPTED_BIDDERS = { Sweden: 1, International: 3, EU: 4 } as const
/** Item attributes (docs/service.md, Ids with a known meaning). */
export const ITEM_ATTRIBUTES = { new: 1, used: 2 } as const
/**
 * Obsolete shipping options that are not carriers (docs/service.md, Ids with a known meaning), with the words that sellers use.
 */
export const SHIPPING_OPTIONS = { pickup: 8, other: 6, 'own-cost': 10 } as const
