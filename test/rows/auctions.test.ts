import { expect } from 'chai'
import { planAuctionPrices } from '../../src/pricing/index.js'
import { readAuctionRows } from '../../src/rows/index.js'
import { faultsOf } from '../pricing/support.js'
import { said } from '../said.js'

const auction = (Id: number, more: object = {}) => ({
  Id,
  ItemType: 'Auction',
  OpeningBid: 100,
  ReservePrice: null,
  BuyItNowPrice: null,
  TotalBids: 0,
  ...more,
})

const plan = async (csv: string, ...live: ReturnType<typeof auction>[]) => planAuctionPrices(await readAuctionRows([csv]), live)

describe('reading rows of auction prices', () => {
  it('leaves empty cells alone and takes none for removal', async () => {
    const { rows } = await readAuctionRows([
      'id;openingprice;ReservedPrice;BinPrice;_n\n1;100;;;a\n2;100 kr;200;none;b\n3;1;;5;c\n',
    ])
    expect(rows).to.deep.equal([
      {
        line: 2,
        id: 1,
        opening: 100,
        reserve: undefined,
        buyNow: undefined,
        allow: undefined,
        expected: undefined,
        extra: ['a'],
      },
      { line: 3, id: 2, opening: 100, reserve: 200, buyNow: null, allow: undefined, expected: undefined, extra: ['b'] },
      { line: 4, id: 3, opening: 1, reserve: undefined, buyNow: 5, allow: undefined, expected: undefined, extra: ['c'] },
    ])
  })
  it('reads a number as it is written, under whatever name', async () => {
    const faults = (name: string) => faultsOf(readAuctionRows([`{"Id":1,"${name}":100.00000000000000001}`]))
    expect((await faults('OpeningPrice'))[0]).to.match(/^1\|OpeningPrice\|100\|/)
    expect((await faults('OpeningBid'))[0]).to.equal((await faults('OpeningPrice'))[0]?.replace('OpeningPrice', 'OpeningBid'))
  })
  it('takes the names of the live list, and rows without the optional columns', async () => {
    const { rows } = await readAuctionRows(['{"Id":1,"OpeningBid":100,"BuyItNowPrice":"none"}'])
    expect(rows[0]).to.include({ id: 1, opening: 100, reserve: undefined, buyNow: null })
  })
  it('refuses all faults at once', async () => {
    const faults = await faultsOf(
      readAuctionRows(['Id,OpeningPrice,ReservedPrice,BinPrice\n1,,,\n2,5,none,\n3,5,1.5,\n4,1,,x\n4,1,,\n']),
    )
    expect(faults.map((fault) => fault.split('|').slice(0, 2).join('|'))).to.deep.equal([
      '2|OpeningPrice',
      '3|ReservedPrice',
      '4|ReservedPrice',
      '5|BinPrice',
      '6|Id',
    ])
  })
})

describe('planning auction prices', () => {
  const head = 'Id,OpeningPrice,ReservedPrice,BinPrice\n'

  it('sends the present buy-now price along, for leaving it out would remove it', async () => {
    const { entries } = await plan(`${head}1,90,,\n`, auction(1, { BuyItNowPrice: 300, ReservePrice: 200 }))
    expect(entries[0]?.Send).to.deep.equal({ OpeningPrice: 90, ReservedPrice: 200, BinPrice: 300 })
  })
  it('removes it for none', async () => {
    const { entries } = await plan(`${head}1,100,,none\n`, auction(1, { BuyItNowPrice: 300 }))
    expect(entries[0]?.Send).to.deep.equal({ OpeningPrice: 100, ReservedPrice: null, BinPrice: null })
  })
  for (const [name, row, live, reason] of [
    ['a reserve price below the opening one', '1,90,90,', auction(1), 'must be greater than the opening price'],
    ['an opening price over the present buy-now price', '1,400,,', auction(1, { BuyItNowPrice: 300 }), 'BinPrice 300'],
    ['a buy-now price below the present reserve price', '1,90,,150', auction(1, { ReservePrice: 200 }), 'reserve price of 200'],
  ] as const) {
    it(`holds ${name}`, async () => {
      const { entries } = await plan(`${head}${row}\n`, live)
      expect(entries[0]).to.include({ State: 'held', Send: null, Fee: 0 })
      expect(said(entries[0])).to.contain(reason)
    })
  }
})
