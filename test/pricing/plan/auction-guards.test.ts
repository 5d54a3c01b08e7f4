import { expect } from 'chai'
import { DEFAULT_GUARDS, type Guards, type KnownAuction, planAuctionPrices } from '../../../src/pricing/index.js'
import { readAuctionRows } from '../../../src/rows/index.js'
import { said } from '../../said.js'

const auction = (Id: number, OpeningBid: number, more: object = {}) => ({
  Id,
  ItemType: 'Auction',
  OpeningBid,
  ReservePrice: null,
  BuyItNowPrice: null,
  TotalBids: 0,
  ...more,
})
const HEAD = 'Id,OpeningPrice,ReservedPrice,BinPrice,_Allow\n'
const planned = async (rows: string, live: ReturnType<typeof auction>[], guards: Partial<Guards> = {}) =>
  planAuctionPrices(await readAuctionRows([`${HEAD}${rows}\n`]), live, { guards: { ...DEFAULT_GUARDS, ...guards } })

describe('guards over prices of auctions', () => {
  for (const [what, row, live, code, values] of [
    ['a missing zero', '1,1,,,', {}, 'factor_ten', { Field: 'OpeningPrice', Old: 104, Price: 1 }],
    ['an extra zero', '1,1040,,,', {}, 'factor_ten', { Field: 'OpeningPrice', Old: 104, Price: 1040 }],
    [
      'an opening price changed by more than half',
      '1,160,,,',
      {},
      'max_change',
      { Field: 'OpeningPrice', Old: 104, Price: 160, Limit: 0.5 },
    ],
    [
      'a buy-now price that lost a zero',
      '1,104,,120,',
      { BuyItNowPrice: 1200 },
      'factor_ten',
      { Field: 'BinPrice', Old: 1200, Price: 120 },
    ],
    [
      'a buy-now price changed by more than half',
      '1,104,,1900,',
      { BuyItNowPrice: 1200 },
      'max_change',
      { Field: 'BinPrice', Old: 1200, Price: 1900, Limit: 0.5 },
    ],
    [
      'a reserve price that lost a zero',
      '1,104,200,,',
      { ReservePrice: 2000 },
      'factor_ten',
      { Field: 'ReservedPrice', Old: 2000, Price: 200 },
    ],
    ['a price that _Allow does not name exactly', '1,1,,,2', {}, 'factor_ten', { Field: 'OpeningPrice', Price: 1 }],
  ] as const) {
    it(`hold ${what}, and let the others go`, async () => {
      const { entries, summary } = await planned(`${row}\n2,110,,,`, [auction(1, 104, live), auction(2, 104)])
      expect(entries.map(({ State }) => State)).to.deep.equal(['held', 'change'])
      expect(entries[0]).to.include({ Send: null, Fee: 0 })
      expect(entries[0]?.Hold?.Code).to.equal(code)
      expect(entries[0]?.Hold?.Values).to.include(values)
      expect(summary).to.include({ Change: 1, Held: 1, Calls: 1, Fees: 0 })
    })
  }
  it('charge no fee for a reserve price in a row that is held', async () => {
    const { summary } = await planned('1,1,500,,', [auction(1, 104)])
    expect(summary).to.include({ Held: 1, Fees: 0 })
  })
  it('hold what is below the least price, but not what stays as it is', async () => {
    const { entries } = await planned('1,104,,,\n2,104,,400,\n3,100,,,', [auction(1, 104), auction(2, 104), auction(3, 120)], {
      min_price: 110,
    })
    expect(entries.map(({ State }) => State)).to.deep.equal(['unchanged', 'change', 'held'])
    expect(said(entries[2])).to.equal('OpeningPrice: 100 kr is below the minimum of 110 kr')
  })
  it('name every price of a row that is over a limit', async () => {
    const { entries } = await planned('1,1,,12,', [auction(1, 104, { BuyItNowPrice: 1200 })])
    expect(said(entries[0])).to.match(/^OpeningPrice: 1 kr .*; BinPrice: 12 kr /)
  })
  it('let through what is new, the exact opening price in _Allow, and what a wider limit allows', async () => {
    const live = [auction(1, 104)]
    expect((await planned('1,104,500,900,', live)).summary.Change).to.equal(1)
    expect((await planned('1,1,,,1', live)).entries[0]?.Send).to.include({ OpeningPrice: 1 })
    expect((await planned('1,160,,,', live, { max_change: 0.8 })).summary.Change).to.equal(1)
    expect((await planned('1,1,,,', live, { max_change: null, factor_ten: false })).summary.Change).to.equal(1)
  })

  describe('with what the ledger knows', () => {
    const NONE: KnownAuction = { OpeningPrice: undefined, ReservedPrice: undefined, BinPrice: undefined }
    const withKnown = async (row: string, known: Partial<KnownAuction>, live: object = {}, guards: Partial<Guards> = {}) => {
      const input = await readAuctionRows([`${HEAD}${row}\n`])
      const of = (id: number) => (id === 1 ? { ...NONE, ...known } : NONE)
      return planAuctionPrices(input, [auction(1, 140, live)], { guards: { ...DEFAULT_GUARDS, ...guards }, known: { of } })
    }
    const first = (price: number) => ({ first: price, pending: undefined })
    const pending = (price: number) => ({ first: 0, pending: { price, jobId: 4, state: 'sending' as const } })

    it('hold a price that small steps have moved too far, and let it go back', async () => {
      const { entries, summary } = await withKnown('1,190,,,', { OpeningPrice: first(100) })
      expect(summary).to.include({ Held: 1, Change: 0 })
      expect(entries[0]?.Hold?.Code).to.equal('max_drift')
      expect(entries[0]?.Hold?.Values).to.include({ Field: 'OpeningPrice', Price: 190, First: 100 })
      for (const [row, guards] of [
        ['1,150,,,', {}],
        ['1,100,,,', {}],
        ['1,190,,,', { max_drift: null }],
        ['1,190,,,190', {}],
      ] as const) {
        expect((await withKnown(row, { OpeningPrice: first(100) }, {}, guards)).summary.Change, row).to.equal(1)
      }
    })
    it('judge each of the three prices by its own past', async () => {
      const live = { BuyItNowPrice: 1300 }
      expect(
        (await withKnown('1,140,,1600,', { OpeningPrice: first(1000), BinPrice: first(1300) }, live)).summary.Change,
      ).to.equal(1)
      expect(said((await withKnown('1,140,,1600,', { BinPrice: first(1000) }, live)).entries[0])).to.match(
        /^BinPrice: 1 600 kr is \+60 %/,
      )
    })
    it('hold what a stopped job may still set otherwise, also where nothing would be sent, and nothing it would set alike', async () => {
      for (const row of ['1,150,,,', '1,140,,,']) {
        const { entries, summary } = await withKnown(row, { OpeningPrice: pending(120) })
        expect(summary, row).to.include({ Held: 1, Change: 0, Unchanged: 0 })
        expect(said(entries[0])).to.equal(
          'OpeningPrice: job 4 was sending 120 kr when it was stopped. Finish it first: seller jobs:resume 4',
        )
        expect(entries[0]?.Send).to.equal(null)
      }
      expect((await withKnown('1,150,,,', { OpeningPrice: pending(150), BinPrice: pending(0) })).summary.Change).to.equal(1)
      expect(said((await withKnown('1,150,,,', { BinPrice: pending(900) })).entries[0])).to.match(
        /^BinPrice: job 4 was sending 900 kr/,
      )
    })
    it('do not take rows that wait for a job for a sign of a wrong file', async () => {
      const rows = Array.from({ length: 12 }, (_, at) => `${at + 1},${110 + at},,,`).join('\n')
      const input = await readAuctionRows([`${HEAD}${rows}\n`])
      const live = Array.from({ length: 12 }, (_, at) => auction(at + 1, 100 + at))
      const of = (id: number) => (id <= 4 ? { ...NONE, OpeningPrice: pending(300) } : NONE)
      const { summary } = await planAuctionPrices(input, live, { known: { of } })
      expect(summary).to.include({ Held: 4, Change: 8, Stopped: null })
    })
  })

  describe('over all rows', () => {
    const lots = (count: number) => Array.from({ length: count }, (_, at) => auction(at + 1, 100 + at))
    const all = (count: number, cells: string) => Array.from({ length: count }, (_, at) => `${at + 1},${cells}`).join('\n')

    it('hold one opening price that more than half of ten rows would get', async () => {
      const { entries, summary } = await planned(all(12, '99,,,'), lots(12))
      expect(summary).to.include({ Held: 12, Change: 0 })
      expect(said(entries[0])).to.include('12 of 12 changed rows would get 99 kr')
      expect((await planned(all(9, '99,,,'), lots(9))).summary.Held).to.equal(0)
      expect((await planned(all(12, '99,,,'), lots(12), { max_same: null })).summary.Held).to.equal(0)
      expect((await planned(all(12, '99,,,99'), lots(12))).summary.Held).to.equal(0)
    })
    it('hold one buy-now price that all would get', async () => {
      const rows = Array.from({ length: 10 }, (_, at) => `${at + 1},${100 + at},,499,`).join('\n')
      const { entries, summary } = await planned(rows, lots(10))
      expect(summary.Held).to.equal(10)
      expect(said(entries[0])).to.include('BinPrice: 10 of 10 changed rows would get 499 kr')
    })
    it('count rows that another guard holds, and none that the service would refuse', async () => {
      const rows = [...Array(6).keys()].map((at) => `${at + 1},99,,,`).concat([7, 8, 9, 10].map((id) => `${id},1,,,`))
      expect((await planned(rows.join('\n'), lots(10))).summary.Held).to.equal(10)
      const bids = lots(10).map((item) => (item.Id > 6 ? { ...item, TotalBids: 1 } : item))
      expect((await planned(rows.join('\n'), bids)).summary).to.include({ Held: 4, Change: 6 })
    })
  })
})
