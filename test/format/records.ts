/** Records as the decoder gives them. */
import type { ItemRecord } from '../../src/format/views/items.js'
import type { PlanRowShown } from '../../src/format/views/plans.js'
import type { TransactionRecord } from '../../src/format/views/transactions.js'

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

export const SALE: TransactionRecord = {
  ...{ Id: 5, Date: '2026-11-30T18:00:00+01:00', Amount: 1200, LastUpdatedDate: '2026-11-30T18:00:00+01:00' },
  ...{ IsMarkedAsPaidConfirmed: false, IsMarkedAsShipped: false, IsShippingBooked: false },
  ...{ IsFeedbackLeftBySeller: false, IsFeedbackLeftByBuyer: false },
}
/** With its buyer and its item. */
export const WHOLE_SALE: TransactionRecord = {
  ...{ ...SALE, Buyer: { Id: 8, Alias: 'bo' } },
  Item: { Id: 1001, Type: 'ShopItem', Title: 'Vas', OwnReferences: [] },
}

/** The shares of a profile without a budget, a share and a quota server. */
export const USAGE = {
  ...{ AppId: 12345, Used: 1250, Budget: null, Remaining: null, Since: '2026-11-30T17:00:00Z', OldestLeavesAt: null },
  ...{ Quota: null, UsedHere: 1250, Share: null, ShareAllowed: null, ShareUsed: null },
  ByOperation: [{ Operation: 'GetItem', Calls: 1250, Failed: 3 }],
}

export const PLAN_ROW: PlanRowShown = {
  ...{ Line: 1, Id: 1001, OwnReference: null, Title: 'Lamp', OldPrice: 400, NewPrice: 500, Change: 100, Percent: 25 },
  ...{ Cost: null, OldMargin: null, NewMargin: null, State: 'change', Limit: null, Code: null, Values: null, Reason: null },
}
