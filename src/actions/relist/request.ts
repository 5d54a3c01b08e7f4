/** An auction that has ended, as the service gives it, becomes the request that puts it up again. */
import { checkInput, ITEM_TYPE_IDS, operations, PICKUP_SHIPPING_OPTION_ID } from '../../contract/index.js'
import type { ItemRecord } from '../../format/views/index.js'
import type { ItemRequestInput } from '../../jobs/index.js'

/** Of an auction that may be fetched and has no other shipping. */
const PICKUP = { ShippingOptionId: PICKUP_SHIPPING_OPTION_ID, Cost: 0, ShippingProviderId: null }

/** The request for an auction with everything that the old one had, but its exposure and its automatic restarts: both cost extra. */
export function requestOf(item: ItemRecord, startPrice: number): ItemRequestInput {
  // A list of options may be empty although the auction could be fetched: AcceptsPickup is a field of its own.
  const shipping = item.ShippingOptions.length > 0 || !item.AcceptsPickup ? item.ShippingOptions : [PICKUP]
  const { TermAttributeValues: terms = [], NumberAttributeValues: numbers = [] } = item.AttributeValues ?? {}
  return {
    Title: item.ShortDescription,
    OwnReferences: item.OwnReferences,
    CategoryId: item.CategoryId,
    Duration: item.Duration,
    Restarts: 0,
    StartPrice: startPrice,
    ReservePrice: item.ReservePrice ?? 0,
    BuyItNowPrice: item.BuyItNowPrice ?? 0,
    Description: item.LongDescription,
    PaymentOptionIds: item.PaymentOptions,
    // An item may have both ids of an option; a request takes one (docs/service.md, Item requests).
    ShippingOptions: shipping.map((option) =>
      (option.ShippingProviderId ?? null) === null ? option : { ...option, ShippingOptionId: null },
    ),
    AcceptedBidderId: item.AcceptedBuyerId,
    CustomEndDate: null,
    ItemAttributes: item.ItemAttributes,
    ItemType: ITEM_TYPE_IDS.Auction,
    AutoCommit: false,
    VAT: item.VAT ?? null,
    ShippingCondition: item.ShippingCondition,
    PaymentCondition: item.PaymentCondition,
    ...(terms.length + numbers.length === 0
      ? {}
      : {
          AttributeValues: {
            Terms: terms.map(({ Id, Values }) => ({ Id, Values })),
            Numbers: numbers.map(({ Id, Values }) => ({ Id, Values })),
          },
        }),
    RestartedFromItemId: item.Id,
  }
}

/** Why an item is no auction that ended unsold, as far as the service says; undefined if it is one. */
export function whyNotUnsold(item: Pick<ItemRecord, 'ItemType' | 'Status'>): string | undefined {
  if (item.ItemType !== 'Auction') return `it is no auction (${item.ItemType})`
  if (item.Status === undefined) return 'the service does not say whether it was sold'
  if (!item.Status.Ended) return 'it has not ended'
  return item.Status.GotWinner ? 'it was sold' : undefined
}

/** Why the request of an item would be incomplete or refused; undefined if it would not. @param images how many are known */
export function whyIncomplete(item: ItemRecord, request: ItemRequestInput, images: number): string | undefined {
  if (item.ReservePriceReached !== null && !item.ReservePrice) return 'it has a reserve price that the service does not tell'
  const left = leftOut(item, images)
  if (left !== undefined) return `the service does not tell its ${left}`
  const faults = checkInput(operations.AddItem, { itemRequest: request })
  if (faults.length === 0) return undefined
  return faults.map(({ field, message }) => `${field.replace(/^itemRequest\./, '')}: ${message}`).join('; ')
}

/** What an item has by one of its fields and leaves out in another. */
function leftOut(item: ItemRecord, images: number): string | undefined {
  if (images === 0 && (item.Thumbnail || item.ThumbnailLink !== undefined)) return 'images'
  return (item.PaymentOptions ?? []).length === 0 && item.PaymentTypeId !== 0 ? 'ways of payment' : undefined
}

/** Whether a list may have left out what a listing cannot be made without: then the item is read by itself. */
export function isPartial(item: ItemRecord, images: number): boolean {
  return item.LongDescription === undefined || item.Status === undefined || leftOut(item, images) !== undefined
}
