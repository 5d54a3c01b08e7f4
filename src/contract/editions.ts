/**
 * What differs between editions of the service, so that an older one does not look broken: an older edition ignores these fields
 * in requests and leaves them out of replies. By `Type.Field`, or `Operation.parameter` (docs/service.md, Editions).
 */
const NEWER: ReadonlySet<string> = new Set([
  'GetSellerItems.maxStartDate',
  'ItemShipping.ShippingProviderId',
  'ItemRequest.DescriptionLanguageCodeIso2',
  'ItemRequest.RestartedFromItemId',
  'ShopItemData.DescriptionLanguageCodeIso2',
  'Item.UserSelectedEndDate',
  'Item.Restarts',
  'Item.Duration',
  'Item.ReservePriceManuallySet',
  'BeginEidVerificationResult.QrData',
  'BeginEidVerificationResult.AutoStartToken',
  'GetEidVerificationProgressResult.QrData',
  'Transaction.OrderId',
])

/** Fields that may be nil only in newer editions. */
const NEWER_NIL: ReadonlySet<string> = new Set(['ItemShipping.ShippingOptionId'])

/** Optional fields of requests that are sent only where the seller gives them: most services lack some. */
const ONLY_ASKED: ReadonlySet<string> = new Set([
  ...['CampaignCode', 'ExpoItemIds', 'PaymentCondition', 'ShippingCondition', 'AttributeValues'].map(
    (name) => `ItemRequest.${name}`,
  ),
  ...['PaymentCondition', 'ShippingCondition', 'AttributeValues'].map((name) => `ShopItemData.${name}`),
  ...['ShippingWeight', 'ShippingProviderId', 'ShippingProductId', 'SellerSurcharge', 'SellerDiscount'].map(
    (name) => `ItemShipping.${name}`,
  ),
])

/** Whether a field of a request is sent only where the seller gives it. */
export function isOnlyAsked(owner: string, field: string): boolean {
  return ONLY_ASKED.has(`${owner}.${field}`)
}

/** Whether a field came with a newer edition. */
export function isNewerField(owner: string, field: string): boolean {
  return NEWER.has(`${owner}.${field}`)
}

/** Whether a field may be nil only in newer editions. */
export function isNewerNil(owner: string, field: string): boolean {
  return NEWER_NIL.has(`${owner}.${field}`)
}
