import type { Operation } from './operation.js'
import type { Field } from './vocabulary.js'

/** The service as its document has it, or as the descriptions published in 2022 and 2026 do. */
export const EDITIONS = ['document', '2022', '2026'] as const
export type Edition = (typeof EDITIONS)[number]

/**
 * Differences between editions of the service, so that an older one does not look broken: an older edition ignores these fields
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

/** Operations that came with a newer edition. */
const NEWER_OPERATIONS: ReadonlySet<string> = new Set(['BeginEidOnFileVerification', 'GetShippingOptions'])

/** Fields that no published edition has; some services send them all the same. */
const UNPUBLISHED: ReadonlySet<string> = new Set(['Transaction.OrderId'])

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

/** True if a field of a request is sent only where the seller gives it. */
export function isOnlyAsked(owner: string, field: string): boolean {
  return ONLY_ASKED.has(`${owner}.${field}`)
}

/** Fields that this tool sets by itself: nobody is refused for them. */
const OWN: ReadonlySet<string> = new Set(['ItemRequest.RestartedFromItemId'])

/**
 * True for a field of a request that only sellers give, so that a request with it is refused where the service ignores the field.
 */
export function isGivenBySellers(owner: string, field: string): boolean {
  return isOnlyAsked(owner, field) || (isNewerField(owner, field) && !OWN.has(`${owner}.${field}`))
}

/** True if a field came with a newer edition. */
export function isNewerField(owner: string, field: string): boolean {
  return NEWER.has(`${owner}.${field}`)
}

/** True for a field that no published edition has. */
export function isUnpublished(owner: string, field: string): boolean {
  return UNPUBLISHED.has(`${owner}.${field}`)
}

/** True if a field may be nil only in newer editions. */
export function isNewerNil(owner: string, field: string): boolean {
  return NEWER_NIL.has(`${owner}.${field}`)
}

/** True if an edition has the operation. The document's operations are those that are not `extended`. */
export function hasOperation(edition: Edition, { name, extended = false }: Pick<Operation, 'name' | 'extended'>): boolean {
  if (edition === 'document') return !extended
  return edition !== '2022' || !NEWER_OPERATIONS.has(name)
}

/** True if an operation came with a newer edition. */
export function isNewerOperation(name: string): boolean {
  return NEWER_OPERATIONS.has(name)
}

/** A field as an edition has it; undefined where it has none. */
export function fieldIn(edition: Edition, owner: string, name: string, field: Field): Field | undefined {
  if (isUnpublished(owner, name)) return undefined
  if (edition !== '2022') return field
  if (isNewerField(owner, name)) return undefined
  return isNewerNil(owner, name) ? { ...field, nillable: false, unset: 0 } : field
}
