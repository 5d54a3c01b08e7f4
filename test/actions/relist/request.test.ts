/** An ended auction, and the request that puts it up again. */
import { expect } from 'chai'
import { isPartial, requestOf, whyIncomplete, whyNotUnsold } from '../../../src/actions/relist/unsold.js'
import type { ItemRecord } from '../../../src/format/views/index.js'

const option = { ShippingOptionId: null, Cost: 59, ShippingProviderId: 3 }
const ended = { Ended: true, GotBidders: false, GotWinner: false }
const ITEM = {
  ...{
    Id: 7,
    ItemType: 'Auction',
    Status: ended,
    ShortDescription: 'Vas',
    LongDescription: 'Grön.',
    CategoryId: 344481,
    Duration: 7,
  },
  ...{
    OpeningBid: 100,
    ReservePrice: null,
    ReservePriceReached: null,
    BuyItNowPrice: null,
    VAT: 25,
    Restarts: 2,
    AcceptedBuyerId: 1,
  },
  ...{ ShippingOptions: [option], PaymentOptions: [4096], PaymentTypeId: 4096, AcceptsPickup: false, Thumbnail: true },
  ...{ ItemAttributes: [2], OwnReferences: ['A'], DetailedImageLinks: [], Buyers: [] },
} as unknown as ItemRecord
const item = (more: object): ItemRecord => ({ ...ITEM, ...more }) as ItemRecord

describe('an auction that goes up again', () => {
  for (const [more, why] of [
    [{}, undefined],
    [{ Status: { ...ended, GotBidders: true } }, undefined],
    [{ Status: { ...ended, GotWinner: true } }, 'it was sold'],
    [{ Status: { ...ended, Ended: false } }, 'it has not ended'],
    [{ Status: undefined }, 'the service does not say whether it was sold'],
    [{ ItemType: 'ShopItem' }, 'it is no auction (ShopItem)'],
  ] as const) {
    it(`is unsold only where the service says so: ${why ?? 'it does'}`, () => {
      expect(whyNotUnsold(item(more))).to.equal(why)
    })
  }

  for (const [what, more, images, partial, why] of [
    ['whole', {}, 1, false, undefined],
    ['whole without images', { Thumbnail: false }, 0, false, undefined],
    ['without its text', { LongDescription: undefined }, 1, true, undefined],
    ['without its images', {}, 0, true, 'the service does not tell its images'],
    ['without its ways of payment', { PaymentOptions: undefined }, 1, true, 'the service does not tell its ways of payment'],
    [
      'with a hidden reserve price',
      { ReservePriceReached: false },
      1,
      false,
      'it has a reserve price that the service does not tell',
    ],
    ['with a reserve price', { ReservePriceReached: false, ReservePrice: 300 }, 1, false, undefined],
    ['too long', { Duration: 15 }, 1, false, 'Duration'],
  ] as const) {
    it(`${what} is ${partial ? '' : 'not '}read again, and ${why === undefined ? 'sent' : 'held'}`, () => {
      const given = item(more)
      expect(isPartial(given, images)).to.equal(partial)
      const found = whyIncomplete(given, requestOf(given, 90), images)
      if (why === undefined) expect(found).to.equal(undefined)
      else expect(found).to.include(why)
    })
  }

  it('has one id of each way of shipping, and pickup where the list of ways is empty', () => {
    const ways = (more: object) => requestOf(item(more), 90).ShippingOptions
    expect(ways({})).to.deep.equal([option])
    expect(ways({ ShippingOptions: [{ ...option, ShippingOptionId: 12 }] })).to.deep.equal([option])
    // As editions without providers, and newer ones by option, give them.
    for (const way of [
      { ShippingOptionId: 12, Cost: 59 },
      { ShippingOptionId: 12, Cost: 59, ShippingProviderId: null },
    ])
      expect(ways({ ShippingOptions: [way] })).to.deep.equal([way])
    expect(ways({ ShippingOptions: [], AcceptsPickup: true })).to.deep.equal([
      { ShippingOptionId: 8, Cost: 0, ShippingProviderId: null },
    ])
    expect(ways({ ShippingOptions: [] })).to.deep.equal([])
  })

  it('is sent uncommitted, without restarts, and says what it was', () => {
    expect(requestOf(ITEM, 90)).to.include({
      AutoCommit: false,
      Restarts: 0,
      RestartedFromItemId: 7,
      StartPrice: 90,
      ReservePrice: 0,
    })
  })
})
