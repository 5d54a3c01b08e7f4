import { expect } from 'chai'
import { costsAtSales } from '../../../src/actions/reports/costs.js'
import type { KeptSale } from '../../../src/jobs/ledger/transactions.js'

const row = (ItemId: number, OwnReference: string, Since: number, Cost: number | null) => ({
  ...{ ItemId, OwnReference, Since, Cost, Lowest: null, Recommended: null },
})
const sale = (At: number, ItemId: number | null, OwnReferences: string[] = []): KeptSale => ({
  ...{ Id: 1, At, UpdatedAt: At, Amount: 100, Paid: false, Shipped: false, Rated: false, ItemId, Title: null },
  ...{ OwnReferences, BuyerId: null, Buyer: null },
})

describe('the cost of what was sold', () => {
  const costOf = costsAtSales([
    row(0, 'EX-1', 5, 1050),
    row(7, '', 10, 2000),
    row(7, '', 20, 2550),
    row(8, '', 10, 100),
    row(8, '', 30, null),
  ])

  it('is the one that held at the sale, in kronor', () => {
    expect(costOf(sale(10, 7))).to.equal(20)
    expect(costOf(sale(19, 7))).to.equal(20)
    expect(costOf(sale(20, 7))).to.equal(25.5)
  })

  it('is the first that was stored, for a sale before it', () => {
    expect(costOf(sale(1, 7))).to.equal(20)
  })

  it('is that of an own reference, where the id has none', () => {
    expect(costOf(sale(9, 99, ['EX-0', 'EX-1']))).to.equal(10.5)
    expect(costOf(sale(9, 7, ['EX-1']))).to.equal(20)
  })

  it('is not known where none was stored, or it was removed before the sale', () => {
    expect(costOf(sale(9, 99))).to.equal(undefined)
    expect(costOf(sale(9, null))).to.equal(undefined)
    expect(costOf(sale(40, 8))).to.equal(undefined)
    expect(costOf(sale(29, 8))).to.equal(1)
  })
})
