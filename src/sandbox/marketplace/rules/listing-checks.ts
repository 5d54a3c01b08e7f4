/** Checks a new item of any type beyond the contract's own rules, and says which fields it keeps. */
import {
  type Input,
  type ItemAttributeValues,
  type ItemShipping,
  instantOf,
  MAX_SHIPPING_OPTIONS_WITH_PICKUP,
  PICKUP_SHIPPING_OPTION_ID,
} from '../../../contract/index.js'
import { present } from '../../../contract/present.js'
import type { Scene } from '../store/scene.js'
import { attributeFaults, attributeName, missingAttributes } from './attributes.js'
import { categoryFault } from './categories.js'
import type { KeptFields } from './items.js'
import { EXTERNAL_PAYMENT_ID, PAYMENT_TYPES, SHIPPING_OPTION_IDS, SHIPPING_PROVIDER_IDS } from './reference.js'

type Shipping = Input<typeof ItemShipping>
type RequestAttributes = Input<typeof ItemAttributeValues>

/** The fields that AddItem's and AddShopItem's requests share. */
export interface Listing {
  readonly Title?: string
  readonly Description?: string
  readonly OwnReferences?: readonly string[]
  readonly PaymentOptionIds?: readonly number[]
  readonly ShippingOptions?: readonly Shipping[]
  readonly ItemAttributes?: readonly number[]
  readonly VAT?: number | null
  readonly ShippingCondition?: string
  readonly PaymentCondition?: string
  readonly AttributeValues?: RequestAttributes
}

/** Unknown ids, and a category that accepts no items: one sentence each. */
export function listingFaults(listing: Listing, categoryId: number): string[] {
  const faults: string[] = []
  const category = categoryFault(categoryId)
  if (category !== undefined) faults.push(category)
  faults.push(...attributeFaults(listing.AttributeValues, categoryId))
  for (const id of listing.PaymentOptionIds ?? []) {
    if (PAYMENT_TYPES.some((type) => type.Id === id)) continue
    faults.push(`Payment option with id ${id} does not exist; the ids are ${PAYMENT_TYPES.map((type) => type.Id).join(', ')}.`)
  }
  for (const { ShippingOptionId, ShippingProviderId } of listing.ShippingOptions ?? []) {
    if (typeof ShippingOptionId === 'number' && !SHIPPING_OPTION_IDS.includes(ShippingOptionId)) {
      faults.push(`Shipping option with id ${ShippingOptionId} does not exist; the ids are ${SHIPPING_OPTION_IDS.join(', ')}.`)
    }
    if (typeof ShippingProviderId === 'number' && !SHIPPING_PROVIDER_IDS.includes(ShippingProviderId)) {
      faults.push(
        `Shipping provider with id ${ShippingProviderId} does not exist; the ids are ${SHIPPING_PROVIDER_IDS.join(', ')}.`,
      )
    }
  }
  return faults
}

/** Faults that a strict sandbox finds in a new item. */
export function strictFaults(
  { settings }: Pick<Scene, 'settings'>,
  listing: Listing & { readonly CategoryId?: number | null },
  contact = false,
): string[] {
  if (!settings.strict) return []
  return [
    ...((listing.ItemAttributes ?? []).length > 0 ? [] : ['ItemAttributes: the condition is required in this category.']),
    ...(contact || (listing.ShippingOptions ?? []).length > 0 ? [] : ['ShippingOptions: at least one is required.']),
    ...missingAttributes(listing.AttributeValues, listing.CategoryId ?? 0),
  ]
}

/** Why a date is refused that must be in the future. */
export function futureFault(field: string, text: string | null | undefined, now: number): string[] {
  if (text === null || text === undefined || instantOf(text) > now) return []
  return [`${field} "${text}": must lie in the future.`]
}

/** The attribute values of a request in the form of Item: with other names, and with the name of each attribute. */
function attributeValues(attributes: RequestAttributes | undefined): Pick<KeptFields, 'AttributeValues'> {
  const terms = attributes?.Terms ?? []
  const numbers = attributes?.Numbers ?? []
  if (terms.length === 0 && numbers.length === 0) return {}
  return {
    AttributeValues: {
      TermAttributeValues: terms.map(({ Id, Values = [] }) => ({ Id, Name: attributeName(Id), Values: [...Values] })),
      NumberAttributeValues: numbers.map(({ Id, Values = [] }) => ({ Id, Name: attributeName(Id), Values: [...Values] })),
    },
  }
}

/** The fields that an item keeps as it was listed. The caller adds exposures and dates. */
export function keptFields(listing: Listing): Omit<KeptFields, 'StartDate' | 'EndDate' | 'AcceptedBuyerId'> {
  const payments = [...new Set(listing.PaymentOptionIds ?? [])]
  const shipping = (listing.ShippingOptions ?? []).slice(0, MAX_SHIPPING_OPTIONS_WITH_PICKUP)
  return present({
    ShippingOptions: shipping.map((option) => ({
      ...option,
      ShippingOptionId: option.ShippingOptionId ?? null,
      ShippingProviderId: option.ShippingProviderId ?? null,
    })),
    PaymentOptions: payments,
    VAT: listing.VAT ?? null,
    ShortDescription: listing.Title,
    OwnReferences: [...(listing.OwnReferences ?? [])],
    ...attributeValues(listing.AttributeValues),
    ItemAttributes: [...(listing.ItemAttributes ?? [])],
    LongDescription: listing.Description,
    PaymentCondition: listing.PaymentCondition,
    ShippingCondition: listing.ShippingCondition,
    AcceptsPickup: shipping.some((option) => option.ShippingOptionId === PICKUP_SHIPPING_OPTION_ID),
    Bold: false,
    Thumbnail: false,
    Highlight: false,
    FeaturedItem: false,
    ExternalPayment: payments.includes(EXTERNAL_PAYMENT_ID),
    PaymentTypeId: payments.reduce((sum, id) => sum | id, 0),
    UserSelectedEndDate: false,
    Restarts: 0,
    Duration: 0,
    ReservePriceManuallySet: false,
  })
}
