/** Plans as the rows of jobs: what is sent, what is held, what is skipped, and the values that are given back. */

import { expect } from 'chai'
import { valueSetOf } from '../../../src/contract/jobs.js'
import { held } from '../../../src/holds/index.js'
import { auctionJobRows, valueJobRows } from '../../../src/jobs/bulk/index.js'
import { planAuctionPrices, planValues } from '../../../src/pricing/index.js'
import { QUANTITY, readAuctionRows, readValueRows } from '../../../src/rows/index.js'

const STOCK = valueSetOf('stock')

const auction = (Id: number, OpeningBid: number, more: object = {}) =>
  ({ Id, ItemType: 'Auction', OpeningBid, ReservePrice: null, BuyItNowPrice: null, TotalBids: 0, ...more }) as never

describe('the rows of a job', () => {
  it('of auctions: sent with what an undo restores, held and skipped with their reasons, unchanged left out', async () => {
    const input = await readAuctionRows(['Id,OpeningPrice,_Shelf\n1,110,A\n2,100,B\n3,1,C\n4,100,D\n'])
    const plan = await planAuctionPrices(input, [auction(1, 100, { BuyItNowPrice: 900 }), auction(2, 100), auction(3, 100)])
    const rows = [...auctionJobRows(plan)].map(({ id, held, skipped, extra }) => [id, held?.Code, skipped?.Code, extra])
    expect(rows).to.deep.equal([
      [1, undefined, undefined, ['A']],
      [3, 'factor_ten', undefined, ['C']],
      [4, undefined, 'not_live', ['D']],
    ])
    const [first, , last] = [...auctionJobRows(plan)]
    expect(first?.payload).to.deep.equal({ OpeningPrice: 110, ReservedPrice: null, BinPrice: 900 })
    expect(first?.oldPayload).to.deep.equal({ OpeningPrice: 100, ReservedPrice: null, BinPrice: 900 })
    expect(last?.oldPayload).to.equal(undefined)
  })

  it('of numbers in stock: the same', async () => {
    const input = await readValueRows(QUANTITY, ['Id,Antal,_Shelf\n1,5,A\n2,3,B\n3,7,C\n4,9,D\n'])
    const live = [
      { Id: 1, ItemType: 'ShopItem', ShortDescription: 'Vas', RemainingQuantity: 3 },
      { Id: 2, ItemType: 'ShopItem', RemainingQuantity: 3 },
      { Id: 3, ItemType: 'ShopItem' },
    ]
    const plan = await planValues(STOCK, input, live as never, { perCall: 500 })
    const row = (line: number, title: string | null, Quantity: number, more: object) => ({
      ...{ line, id: line - 1, title, ownReference: null, payload: { Quantity }, oldPayload: undefined },
      ...{ held: undefined, skipped: undefined, ...more },
    })
    expect([...valueJobRows(STOCK, plan)]).to.deep.equal([
      row(2, 'Vas', 5, { oldPayload: { Quantity: 3 }, extra: ['A'] }),
      row(4, null, 7, { held: held('level_unknown', { Noun: 'stock level' }), extra: ['C'] }),
      row(5, null, 9, { skipped: held('not_live', { Id: 4, OwnReference: null, Type: 'ShopItem' }), extra: ['D'] }),
    ])
  })
})
