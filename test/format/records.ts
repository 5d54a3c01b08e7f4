/** Records as the decoder gives them. */
import type { ItemRecord } from '../../src/format/views/index.js'

/** An auction of one vase; the given fields replace its own. */
export function itemOf(fields: Partial<ItemRecord> = {}): ItemRecord {
  return {
    ShippingOptions: [],
    PaymentOptions: [],
    ImageLinks: [],
    Buyers: [],
    Status: { Ended: false, GotBidders: false, GotWinner: false },
    StartQuantity: 1,
    RemainingQuantity: 1,
    ItemType: 'Auction',
    DetailedImageLinks: [],
    Id: 1001,
    ShortDescription: 'Vas',
    OwnReferences: [],
    ItemAttributes: [],
    StartDate: '2026-11-16T18:00:00+01:00',
    EndDate: '2026-11-30T18:00:00+01:00',
    CategoryId: 1612,
    OpeningBid: 100,
    ReservePriceReached: null,
    AcceptsPickup: false,
    TotalBids: 0,
    Bold: false,
    Thumbnail: false,
    Highlight: false,
    FeaturedItem: false,
    AcceptedBuyerId: 1,
    ExternalPayment: false,
    PaymentTypeId: 0,
    UserSelectedEndDate: false,
    Restarts: 0,
    Duration: 14,
    ReservePriceManuallySet: false,
    ...fields,
  }
}
