/**
 * What differs between editions of the service, so that an older one is not taken for a broken one: an older edition ignores these
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
])

/** Fields that only newer editions let be nil. */
const NEWER_NIL: ReadonlySet<string> = new Set(['ItemShipping.ShippingOptionId'])

/** Whether a field came with a newer edition. */
export function isNewerField(owner: string, field: string): boolean {
  return NEWER.has(`${owner}.${field}`)
}

/** Whether a field may be nil in newer editions only. */
export function isNewerNil(owner: string, field: string): boolean {
  return NEWER_NIL.has(`${owner}.${field}`)
}
