/** The rows of a plan of auction prices, beside the live auction, what it costs, and what the row expects and allows. */
import { expect } from 'chai'
import {
  auctionJudge,
  DEFAULT_GUARDS,
  type Guards,
  ItemCosts,
  type KnownAuction,
  type LiveItem,
  NO_GUARDS,
  PlanCosts,
  type PriceRule,
  planAuctionPrices,
  planAuctionRule,
  whyUnderWay,
} from '../../../src/pricing/index.js'
import { readAuctionRows } from '../../../src/rows/index.js'
import { inWords, said } from '../../said.js'

const auction = (Id: number, more: Partial<LiveItem> = {}): LiveItem =>
  ({ Id, ItemType: 'Auction', OpeningBid: 100, ReservePrice: null, BuyItNowPrice: null, TotalBids: 0, ...more }) as LiveItem
const HEAD = 'Id,OpeningPrice,ReservedPrice,BinPrice,_Allow,_Old\n'
const planned = async (csv: string, live: LiveItem[], guards: Partial<Guards> = {}, more: object = {}) =>
  planAuctionPrices(await readAuctionRows([`${HEAD}${csv}\n`]), live, { guards: { ...DEFAULT_GUARDS, ...guards }, ...more })
const costs = (Cost: number) =>
  new PlanCosts(new ItemCosts([{ ItemId: 1, OwnReference: '', Since: 0, Cost, Lowest: null, Recommended: null }]), 0.25)
const outcome = async (...args: Parameters<typeof planned>) => {
  const [entry] = (await planned(...args)).entries
  return said(entry) === null ? entry?.State : `${entry?.State}: ${said(entry)}`
}

describe('a row of a plan of auction prices', () => {
  it('has all of the row and of the live auction, and what is sent', async () => {
    const plan = await planned('1,110,200,300,,\n2,100,,,,\n9,50,60,70,,\n8,50,,none,,', [
      auction(1, { ShortDescription: 'Lampa' }),
      auction(2, { ReservePrice: 150, BuyItNowPrice: 400 }),
      auction(77),
    ])
    const none = { Title: null, OldOpeningPrice: null, OldReservedPrice: null, OldBinPrice: null, Fee: 0, Send: null }
    expect(plan.entries.map(inWords)).to.deep.equal([
      {
        ...none,
        Line: 2,
        Id: 1,
        Title: 'Lampa',
        OldOpeningPrice: 100,
        OpeningPrice: 110,
        ReservedPrice: 200,
        BinPrice: 300,
        Fee: plan.entries[0]?.Fee,
        State: 'change',
        Reason: null,
        Send: { OpeningPrice: 110, ReservedPrice: 200, BinPrice: 300 },
      },
      {
        ...none,
        Line: 3,
        Id: 2,
        OldOpeningPrice: 100,
        OldReservedPrice: 150,
        OldBinPrice: 400,
        OpeningPrice: 100,
        ReservedPrice: 150,
        BinPrice: 400,
        State: 'unchanged',
        Reason: null,
      },
      {
        ...none,
        Line: 4,
        Id: 9,
        OpeningPrice: 50,
        ReservedPrice: 60,
        BinPrice: 70,
        State: 'unknown',
        Reason: 'no live item has id 9',
      },
      {
        ...none,
        Line: 5,
        Id: 8,
        OpeningPrice: 50,
        ReservedPrice: null,
        BinPrice: null,
        State: 'unknown',
        Reason: 'no live item has id 8',
      },
    ])
    expect(plan.entries[0]?.Fee).to.be.above(0)
    expect(plan.extras).to.deep.equal(Array(4).fill(['', '']))
    expect(plan.summary).to.deep.equal({
      Rows: 4,
      Change: 1,
      Unchanged: 1,
      Unknown: 2,
      Held: 0,
      Fees: plan.entries[0]?.Fee,
      Calls: 1,
      Stopped: null,
    })
  })

  it('takes a price of 0, or one that the list leaves out, for none', async () => {
    const bare = { OpeningBid: undefined, ReservePrice: 0, BuyItNowPrice: 0 }
    const { entries } = await planned('1,110,,,,', [auction(1, bare)], NO_GUARDS)
    expect(entries[0]).to.deep.include({
      OldOpeningPrice: null,
      OldReservedPrice: null,
      OldBinPrice: null,
      Send: { OpeningPrice: 110, ReservedPrice: null, BinPrice: null },
    })
    const without = { ReservePrice: undefined, BuyItNowPrice: undefined, TotalBids: undefined }
    expect((await planned('1,110,,,,', [auction(1, without)])).entries[0]).to.include({
      OldReservedPrice: null,
      OldBinPrice: null,
      State: 'change',
    })
    expect(
      (await planned('1,2,,,,', [auction(1, { OpeningBid: 1, ReservePrice: 5, BuyItNowPrice: 9 })], NO_GUARDS)).entries[0],
    ).to.include({ OldOpeningPrice: 1, OldReservedPrice: 5, OldBinPrice: 9 })
  })

  it('pays for a new reserve price only', async () => {
    const fee = async (row: string, live: Partial<LiveItem>) =>
      (await planned(row, [auction(1, live)], NO_GUARDS)).summary.Fees > 0
    expect(await fee('1,100,200,,,', {})).to.equal(true)
    expect(await fee('1,100,250,,,', { ReservePrice: 200 })).to.equal(false)
    expect(await fee('1,110,,,,', {})).to.equal(false)
  })

  for (const [ItemType, reason] of [
    ['ShopItem', 'the item is a shop item: set its price with seller shop:price 1=PRICE'],
    ['PureBuyItNow', 'the item is sold at buy-it-now only, and the service does not change its price this way'],
    ['ContactOnly', 'the item is a contact advertisement and has no auction prices'],
  ] as const) {
    it(`is held where the item is a ${ItemType}, changed or not`, async () => {
      for (const price of [100, 110]) {
        expect(await outcome(`1,${price},,,,`, [auction(1, { ItemType })])).to.equal(`held: ${reason}`)
      }
    })
  }

  it('is held after the first bid', async () => {
    expect(await outcome('1,110,,,,', [auction(1, { TotalBids: 1 })])).to.equal(
      'held: the auction has 1 bid; prices can be changed only before the first',
    )
    expect(await outcome('1,110,,,,', [auction(1, { TotalBids: 2 })])).to.include('has 2 bids')
  })

  it('is held where another price is live than it expects, unless it changes nothing', async () => {
    const moved = 'held: OpeningPrice: the live price is 100 kr, not 90 kr: it has changed since'
    expect(await outcome('1,110,,,,90', [auction(1)])).to.equal(moved)
    expect(await outcome('1,110,,,110,90', [auction(1)])).to.equal(moved)
    expect(await outcome('1,110,,,,100', [auction(1)])).to.equal('change')
    expect(await outcome('1,100,,,,90', [auction(1)])).to.equal('unchanged')
    expect(await outcome('1,110,,,,90', [auction(1, { OpeningBid: 0 })])).to.include('is 0 kr, not 90 kr')
    expect(await outcome('1,110,,,,90', [])).to.equal('unknown: no live item has id 1')
  })

  it('that an _Allow lets pass is one with exactly that opening price', async () => {
    expect(await outcome('1,1,,,1,', [auction(1)])).to.equal('change')
    expect(await outcome('1,1,,,2,', [auction(1)])).to.match(/^held: OpeningPrice: 1 kr is a tenth/)
  })

  it('is held below its cost, except for an opening price under a reserve price', async () => {
    const beside = { costs: costs(10_000) }
    const open = { max_change: null, max_drift: null, factor_ten: false }
    expect(await outcome('1,120,,,,', [auction(1)], open, beside)).to.match(/^held: OpeningPrice: 120 kr is below 125 kr/)
    expect(await outcome('1,125,,,,', [auction(1)], open, beside)).to.equal('change')
    expect(await outcome('1,110,200,,,', [auction(1)], open, beside)).to.equal('change')
    expect(await outcome('1,110,120,,,', [auction(1)], open, beside)).to.match(/^held: ReservedPrice: 120 kr is below 125 kr/)
    expect(await outcome('1,110,200,124,,', [auction(1)], open, beside)).to.include('BinPrice')
    expect(await outcome('2,110,,,,', [auction(2)], open, beside)).to.equal('change')
  })

  it('is not judged by the guards of shop items: there is no total, and no line to slip', async () => {
    const live = Array.from({ length: 12 }, (_, at) => auction(at + 1, { OpeningBid: 100 + at }))
    const rows = (price: (at: number) => number) => live.map(({ Id }, at) => `${Id},${price(at)},,,,`).join('\n')
    expect(
      (
        await planned(
          rows((at) => 101 + at),
          live,
        )
      ).summary,
    ).to.include({ Change: 12, Stopped: null })
    expect(
      (
        await planned(
          rows((at) => 60 + at),
          live,
        )
      ).summary,
    ).to.include({ Change: 12, Stopped: null })
  })

  it('that waits for a job does not count as changed or held', async () => {
    const pending = { first: 0, pending: { price: 300, jobId: 4, state: 'queued' as const } }
    const known = {
      of: (id: number): KnownAuction => ({
        OpeningPrice: id <= 3 ? pending : undefined,
        ReservedPrice: undefined,
        BinPrice: undefined,
      }),
    }
    // 3 wait, of which one would change nothing; 9 others change, 1 of which is held. Of 10 changed rows that is a tenth.
    const live = Array.from({ length: 13 }, (_, at) => auction(at + 1, { OpeningBid: 100 + at }))
    const prices = live.map(({ Id }, at) => `${Id},${at === 0 ? 100 : at === 12 ? 1 : 103 + at},,,,`).join('\n')
    const { summary } = await planned(prices, live, {}, { known })
    expect(summary).to.include({ Held: 4, Change: 9, Stopped: null })
    const two = prices.replace('12,114,', '12,1,')
    expect(said((await planned(two, live, {}, { known })).summary.Stopped)).to.include('2 of 10 rows')
    expect((await planned('1,110,,,,', [], {}, { known })).entries[0]).to.include({ State: 'unknown' })
  })
})

describe('the judge of changed auction prices', () => {
  const change = (opening: number, more: object = {}) => ({
    OldOpeningPrice: 100,
    OldReservedPrice: null,
    OldBinPrice: null,
    OpeningPrice: opening,
    ReservedPrice: null,
    BinPrice: null,
    ...more,
  })
  it('knows nothing beside the prices by default', () => {
    const judge = auctionJudge([change(110), change(1)], DEFAULT_GUARDS)
    expect(judge(change(110))).to.equal(undefined)
    expect(said({ Hold: judge(change(1)) ?? null })).to.match(/^OpeningPrice: 1 kr is a tenth/)
  })
  it('counts equal prices of those that change alone', () => {
    const rows = Array.from({ length: 10 }, (_, at) => change(at < 6 ? 110 : 100))
    const judge = auctionJudge(rows, { ...NO_GUARDS, max_same: 0.5 })
    expect(judge(change(110))).to.equal(undefined)
    const bins = Array.from({ length: 10 }, (_, at) => change(100, { BinPrice: at < 6 ? 500 : 600 + at }))
    const binJudge = auctionJudge(bins, { ...NO_GUARDS, max_same: 0.5 })
    expect(said({ Hold: binJudge(change(100, { BinPrice: 500 })) ?? null })).to.match(
      /^BinPrice: 6 of 10 changed rows would get 500 kr/,
    )
    expect(binJudge(change(100, { BinPrice: 606 }))).to.equal(undefined)
    expect(binJudge(change(100, { BinPrice: null, OldBinPrice: 500 }))).to.equal(undefined)
  })
  it('takes a new reserve or buy-now price for good, but not an opening price that was not there', () => {
    const judge = auctionJudge([change(100)], DEFAULT_GUARDS)
    expect(judge(change(100, { ReservedPrice: 9000, BinPrice: 9999 }))).to.equal(undefined)
    expect(said({ Hold: judge(change(110, { OldOpeningPrice: null })) ?? null })).to.equal(
      'OpeningPrice: the item has no current price to compare with',
    )
  })
  it('names the first price that waits for another job', () => {
    const pending = (price: number) => ({ first: 0, pending: { price, jobId: 4, state: 'queued' as const } })
    const none = { OpeningPrice: undefined, ReservedPrice: undefined, BinPrice: undefined }
    expect(whyUnderWay(change(110), none)).to.equal(undefined)
    expect(whyUnderWay(change(110), { ...none, OpeningPrice: pending(110) })).to.equal(undefined)
    expect(whyUnderWay(change(110), { ...none, BinPrice: pending(0) })).to.equal(undefined)
    const waits = (known: Parameters<typeof whyUnderWay>[1]) => said({ Hold: whyUnderWay(change(110), known) ?? null })
    expect(waits({ ...none, OpeningPrice: pending(120), BinPrice: pending(5) })).to.match(
      /^OpeningPrice: job 4 has queued 120 kr/,
    )
    expect(waits({ ...none, ReservedPrice: pending(5) })).to.match(/^ReservedPrice: job 4 has queued 5 kr/)
  })
})

describe('a rule over auctions', () => {
  it('sets the opening prices of the selected ones without bids, and no other price', async () => {
    const live = [
      auction(1, { CategoryId: 5, ReservePrice: 300, BuyItNowPrice: 900 }),
      auction(2, { CategoryId: 6 }),
      auction(3, { CategoryId: 5, TotalBids: 1 }),
      auction(4, { CategoryId: 5, ItemType: 'ShopItem', BuyItNowPrice: 100 }),
      auction(5, { CategoryId: 5, OpeningBid: 80 }),
    ]
    const planOf = (rule: PriceRule) => planAuctionRule({ live, select: { category: 5 }, rule })
    const plan = await planOf({ set: 80 })
    expect(plan.entries.map(({ Id, State, Send }) => [Id, State, Send])).to.deep.equal([
      [1, 'change', { OpeningPrice: 80, ReservedPrice: 300, BinPrice: 900 }],
      [5, 'unchanged', null],
    ])
    expect(plan.withBids).to.equal(1)
    expect(plan.summary).to.include({ Rows: 2, Change: 1, Calls: 1, Fees: 0 })
  })

  it('holds what it cannot change, and leaves what it would raise instead of lower', async () => {
    const live = [auction(1, { OpeningBid: 0 }), auction(2), auction(3, { OpeningBid: 50 })]
    const add = { kind: 'percent', amount: -20 } as const
    const lowered = await planAuctionRule({ live, select: { all: true }, rule: { add, floor: 70 } })
    expect(lowered.entries.map(({ Id, OpeningPrice, State, Hold }) => [Id, OpeningPrice, State, Hold?.Code])).to.deep.equal([
      [1, 0, 'held', 'rule'],
      [2, 80, 'change', undefined],
      [3, 50, 'unchanged', undefined],
    ])
    const set = await planAuctionRule({ live, select: { all: true }, rule: { set: 90 }, guards: NO_GUARDS })
    expect(set.entries.map(({ State, OpeningPrice }) => [State, OpeningPrice])).to.deep.equal([
      ['change', 90],
      ['change', 90],
      ['change', 90],
    ])
  })
})
