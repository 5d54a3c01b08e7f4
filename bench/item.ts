/** The items and sales that the measurements list. */
import type { EntryOf } from '../src/contract/index.js'

/** An item as long as real ones: about 2 kB of XML. */
export function item(id: number): EntryOf<'GetSellerItems'> {
  return {
    ShippingOptions: [
      { ShippingOptionId: null, Cost: 59, ShippingWeight: 0.5, ShippingProviderId: 2 },
      { ShippingOptionId: 8, Cost: 0, ShippingProviderId: null },
    ],
    PaymentOptions: [4, 4096],
    ImageLinks: [`http://bench.example/images/${id}_1.jpg`],
    Buyers: [],
    Status: { Ended: false, GotBidders: id % 3 === 0, GotWinner: false },
    StartQuantity: 10,
    RemainingQuantity: id % 10,
    ItemType: 'ShopItem',
    DetailedImageLinks: [{ Url: `http://bench.example/images/normal/${id}_1.jpg`, Format: 'normal' }],
    Id: id,
    VAT: 25,
    ShortDescription: `Höganäs krus nr ${id} & lock «blå»`,
    OwnReferences: [`REF-${id}`],
    ItemAttributes: [2],
    LongDescription: 'Ett fint krus i gott skick, <b>med lock</b>. '.repeat(8),
    StartDate: '2026-11-01T10:00:00+01:00',
    EndDate: '2026-12-01T10:00:00+01:00',
    CategoryId: 344481,
    ReservePrice: null,
    ReservePriceReached: null,
    BuyItNowPrice: 100 + (id % 900),
    AcceptsPickup: true,
    TotalBids: 0,
    Bold: false,
    Thumbnail: true,
    Highlight: false,
    FeaturedItem: false,
    ItemLink: `http://bench.example/item/344481/${id}`,
    ThumbnailLink: `http://bench.example/images/thumb/${id}_1.jpg`,
    AcceptedBuyerId: 1,
    ExternalPayment: true,
    PaymentTypeId: 4096,
    Seller: { Id: 100, Alias: 'krukmakaren', TotalRating: 512, City: 'Höganäs', CountryName: 'Sverige' },
    UserSelectedEndDate: false,
    Restarts: 0,
    Duration: 30,
    ReservePriceManuallySet: false,
  }
}

/** A sale of the last hour, as long as real ones. */
export function sale(id: number): EntryOf<'GetSellerTransactions'> {
  const at = new Date(Date.now() - 3_600_000).toISOString()
  return {
    ...{ Id: id, Date: at, LastUpdatedDate: at, Amount: 100 + (id % 900) },
    ...{ IsMarkedAsPaidConfirmed: true, IsMarkedAsShipped: false, IsShippingBooked: false },
    ...{ IsFeedbackLeftBySeller: false, IsFeedbackLeftByBuyer: false },
    Buyer: {
      ...{ Id: 4711, Alias: 'eva', FirstName: 'Eva', LastName: 'Åkesson', Email: 'eva@example.se', Address: 'Storgatan 1' },
      ...{ ZipCode: '123 45', City: 'Göteborg', CountryName: 'Sverige', PhoneNumber: '031-123456' },
    },
    Item: { Type: 'ShopItem', Id: id, Title: `Höganäs krus nr ${id}`, OwnReferences: [`REF-${id}`] },
  }
}

/** The first id of a live list. */
export const FIRST_ID = 1_000_000

/** The first price of the item at a place of the live list, kronor. */
export function livePrice(at: number): number {
  return 100 + ((at * 7919) % 1900)
}
