/**
 * Limits of the service (docs/service.md, Limits, has the source of each). All code that refuses, splits or warns takes its
 * numbers from here.
 */

/** Largest 32-bit int (docs/service.md, Conventions). */
export const MAX_INT = 2_147_483_647
export const MIN_INT = -2_147_483_648

/** Bytes of a whole image file, headers included (docs/service.md, Images and commit). */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024

/**
 * Shop items per SetPriceOnShopItems call that the service recommends; it refuses "too many" (docs/service.md, Prices of shop
 * items).
 */
export const SHOP_ITEMS_PER_CALL = 500

/** Characters of a feedback comment, UTF-16 units as .NET counts (docs/service.md, Limits). */
export const MAX_COMMENT_LENGTH = 80

/** Kronor for setting a reserve price later (docs/service.md, Prices of auctions). */
export const RESERVE_PRICE_FEE = 40

/** Calls in 24 hours that the service allows by default; HTTP 429 beyond (docs/service.md, Quota). */
export const DEFAULT_CALL_QUOTA = 100
export const CALL_QUOTA_WINDOW_MS = 24 * 60 * 60 * 1000

/** Texts of items (docs/service.md, Limits). */
export const MAX_TITLE_LENGTH = 80
export const MAX_DESCRIPTION_LENGTH = 7000
export const MAX_CONDITION_LENGTH = 500
export const MAX_OWN_REFERENCE_LENGTH = 60

/** Days that an auction runs; the service sets PureBuyItNow to 30 (docs/service.md, Item requests). */
export const MIN_DURATION_DAYS = 1
export const MAX_DURATION_DAYS = 14
export const PURE_BUY_IT_NOW_DAYS = 30
export const MAX_RESTARTS = 2

/**
 * Images in AddShopItem: 5 according to the owner's pages, 40 according to the newer edition; the sandbox refuses more than 40
 * (docs/service.md, Limits).
 */
export const MAX_SHOP_ITEM_IMAGES = 40

/** Shipping options: 3 if pickup is among them, else 2 (docs/service.md, Shipping options). */
export const MAX_SHIPPING_OPTIONS = 2
export const MAX_SHIPPING_OPTIONS_WITH_PICKUP = 3
/** The obsolete ShippingOptionId that means pickup (docs/service.md, Ids with a known meaning). */
export const PICKUP_SHIPPING_OPTION_ID = 8

/** Unused date parameters of GetSellerItems (docs/service.md, Listing items). */
export const UNUSED_MIN_DATE = '0001-01-01T00:00:00'
export const UNUSED_MAX_DATE = '9999-12-31T00:00:00'
