import { expect } from 'chai'
import fc from 'fast-check'
import {
  DEFAULT_GUARDS,
  type ItemSale,
  lowestPrice,
  PriceRows,
  parseRule,
  planPrices,
  planRule,
  priceAt,
  runsAt,
  type SaleTerms,
  salePrice,
} from '../../src/pricing/index.js'
import { shopItem } from './support.js'

const rule = (add: string): SaleTerms => ({ rule: parseRule({ add }) })

const terms: fc.Arbitrary<SaleTerms> = fc.oneof(
  fc.record({ kronor: fc.integer({ min: 1, max: 5000 }) }),
  fc.integer({ min: 1, max: 95 }).map((percent) => rule(`-${percent}%`)),
  fc.integer({ min: 1, max: 400 }).map((kronor) => rule(`-${kronor}`)),
  fc
    .integer({ min: 1, max: 900 })
    .map((floor): SaleTerms => ({ rule: parseRule({ add: '-20%', endWith: '9', floor: String(floor) }) })),
)
const sale: fc.Arbitrary<ItemSale> = fc
  .record({ starts: fc.integer({ min: 0, max: 100 }), length: fc.integer({ min: 1, max: 50 }), terms })
  .map(({ starts, length, terms: its }) => ({ starts, ends: starts + length, terms: its }))
const normal = fc.integer({ min: 1, max: 5000 })
const instant = fc.integer({ min: -5, max: 160 })

describe('the price of an item in sales', () => {
  it('is that of the sale while it runs, from its start to its end, which is excluded', () => {
    const sales = [{ starts: 10, ends: 20, terms: rule('-20%') }]
    expect([9, 10, 19, 20].map((at) => priceAt(500, sales, at))).to.deep.equal([500, 400, 400, 500])
  })

  it('is the lowest of sales that overlap, each from the normal price, and falls back when one ends', () => {
    const sales = [
      { starts: 0, ends: 30, terms: rule('-10%') },
      { starts: 10, ends: 20, terms: rule('-25%') },
      { starts: 15, ends: 40, terms: { kronor: 460 } },
    ]
    expect([5, 12, 18, 25, 35, 45].map((at) => priceAt(500, sales, at))).to.deep.equal([450, 375, 375, 450, 460, 500])
  })

  it('is never above the normal price, and the normal price when no sale runs', () => {
    fc.assert(
      fc.property(normal, fc.array(sale, { maxLength: 6 }), instant, (kronor, sales, at) => {
        const price = priceAt(kronor, sales, at)
        expect(price).to.be.at.most(kronor)
        const running = sales.filter((each) => runsAt(each, at))
        if (running.length === 0) expect(price).to.equal(kronor)
        else expect(running.map((each) => salePrice(each.terms, kronor)).concat(kronor)).to.include(price)
      }),
    )
  })

  it('does not depend on the order of the sales, and one more sale never raises it', () => {
    fc.assert(
      fc.property(normal, fc.array(sale, { maxLength: 6 }), sale, instant, (kronor, sales, more, at) => {
        expect(priceAt(kronor, [...sales].reverse(), at)).to.equal(priceAt(kronor, sales, at))
        expect(priceAt(kronor, [...sales, more], at)).to.be.at.most(priceAt(kronor, sales, at))
      }),
    )
  })

  it('changes only when a sale begins or ends', () => {
    fc.assert(
      fc.property(normal, fc.array(sale, { maxLength: 6 }), instant, (kronor, sales, at) => {
        const turns = sales.some(({ starts, ends }) => starts === at || ends === at)
        if (!turns) expect(priceAt(kronor, sales, at)).to.equal(priceAt(kronor, sales, at - 1))
      }),
    )
  })

  it('is the normal price without terms', () => {
    expect(lowestPrice(300, [])).to.equal(300)
    expect(lowestPrice(300, [{ kronor: 350 }])).to.equal(300)
  })
})

describe('a plan of sale prices', () => {
  it('holds a row of a file that would raise its price, even one that is allowed', async () => {
    const rows = new PriceRows({ kind: 'json', columns: ['Id', 'Price'] })
    for (const [id, price, allow] of [
      [1, 80, 0],
      [2, 120, 0],
      [3, 130, 130],
    ] as const)
      rows.add({ line: id, id, price, allow })
    const plan = await planPrices({
      rows,
      live: [1, 2, 3].map((id) => shopItem(id, 100)),
      guards: DEFAULT_GUARDS,
      lowers: true,
    })
    expect([...plan.entries()].map(({ Outcome, Limit }) => [Outcome, Limit])).to.deep.equal([
      ['change', null],
      ['held', 'raises'],
      ['held', 'raises'],
    ])
    expect(plan.entry(1).Reason).to.equal('a sale lowers prices, and this one would rise from 100 kr to 120 kr')
  })

  it('holds what a rule would raise', async () => {
    const plan = await planRule({
      live: [shopItem(1, 100)],
      select: { all: true },
      rule: parseRule({ add: '10%' }),
      guards: DEFAULT_GUARDS,
      lowers: true,
    })
    expect(plan.entry(0)).to.include({ Outcome: 'held', Limit: 'raises' })
  })
})
