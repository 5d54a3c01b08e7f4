/** An ended auction, and the request that puts it up again. */
import { expect } from 'chai'
import { isPartial, relistRequest, whyIncomplete, whyNotUnsold } from '../../../src/actions/relist/unsold.js'
import type { ItemRecord } from '../../../src/format/views/items.js'
import { said } from '../../said.js'

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
    EndDate: '2026-11-20T20:00:00+01:00',
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
    [{ Status: { ...ended, GotWinner: true } }, 'was_sold'],
    [{ Status: { ...ended, Ended: false } }, 'not_ended'],
    [{ Status: undefined }, 'sale_unknown'],
    [{ ItemType: 'ShopItem' }, 'not_an_auction'],
    [{ ItemType: undefined }, 'left_out'],
    [{ EndDate: undefined }, 'left_out'],
  ] as const) {
    it(`is unsold only where the service says so: ${why ?? 'it does'}`, () => {
      expect(whyNotUnsold(item(more))?.Code).to.equal(why)
    })
  }

  for (const [what, more, images, partial, why] of [
    ['whole', {}, 1, false, undefined],
    ['whole without images', { Thumbnail: false }, 0, false, undefined],
    ['without its text', { LongDescription: undefined }, 1, true, undefined],
    ['without its images', {}, 0, true, 'does not return its images'],
    ['without its ways of payment', { PaymentOptions: undefined }, 1, true, 'does not return its ways of payment'],
    [
      'with a hidden reserve price',
      { ReservePriceReached: false },
      1,
      false,
      'it has a reserve price that the service does not return',
    ],
    ['with a reserve price', { ReservePriceReached: false, ReservePrice: 300 }, 1, false, undefined],
    ['too long', { Duration: 15 }, 1, false, 'Duration'],
  ] as const) {
    it(`${what} is ${partial ? '' : 'not '}read again, and ${why === undefined ? 'sent' : 'held'}`, () => {
      const given = item(more)
      expect(isPartial(given, images)).to.equal(partial)
      const found = whyIncomplete(given, relistRequest(given, 90), images)
      if (why === undefined) expect(found).to.equal(undefined)
      else expect(said({ Hold: found ?? null })).to.include(why)
    })
  }

  it('has one id of each way of shipping, and pickup where the list of ways is empty', () => {
    const ways = (more: object) => relistRequest(item(more), 90).ShippingOptions
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
    expect(relistRequest(ITEM, 90)).to.include({
      AutoCommit: false,
      Restarts: 0,
      RestartedFromItemId: 7,
      StartPrice: 90,
      ReservePrice: 0,
    })
  })
})
