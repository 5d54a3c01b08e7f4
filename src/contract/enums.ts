import { enumeration, flags } from './vocabulary.js'

/** service.md, ItemType. */
export const ItemType = enumeration('ItemType', ['Auction', 'PureBuyItNow', 'ShopItem', 'ContactOnly'])
/** service.md, GetSellerItems. */
export const ActiveFilter = enumeration('ActiveFilter', ['All', 'Active', 'Inactive'])
export const ItemTypeFilter = enumeration('ItemTypeFilter', ['All', 'Auction', 'PureBuyItNow', 'ShopItem'])
/** contract.md 1.2. */
export const TransactionFilter = enumeration('TransactionFilter', ['New', 'NewAndUpdated'])
export const ImageFormat = enumeration('ImageFormat', ['Gif', 'Jpeg', 'Png'])
export const FeedbackType = enumeration('FeedbackType', ['Positive', 'Negative'])
/** contract.md 1.2: a flags enum; ascending bit order is the order of the words here. */
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

/** ItemType ids in requests (contract.md 1.2). There is no id for auction + buy-now: that is Auction with a BuyItNowPrice. */
export const ITEM_TYPE_IDS = { Auction: 1, PureBuyItNow: 3, ShopItem: 4, ContactOnly: 5 } as const
/** Accepted bidders or buyers (contract.md 2.2). */
export const ACCEPTED_BIDDERS = { Sweden: 1, International: 3, EU: 4 } as const
/** Item attributes (contract.md 2.2). */
export const ITEM_ATTRIBUTES = { new: 1, used: 2 } as const
