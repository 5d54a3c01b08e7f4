import { expect } from 'chai'
import fc from 'fast-check'
import {
  DEFAULT_GUARDS,
  type DiscountTerms,
  discountPrice,
  type ItemDiscount,
  lowestPrice,
  parseRule,
  planPrices,
  planRule,
  priceAt,
  runsAt,
} from '../../src/pricing/index.js'
import { PriceRows } from '../../src/rows/index.js'
import { said } from '../said.js'
import { shopItem } from './support.js'

const rule = (add: string): DiscountTerms => ({ rule: parseRule({ add }) })

const terms: fc.Arbitrary<DiscountTerms> = fc.oneof(
  fc.record({ kronor: fc.integer({ min: 1, max: 5000 }) }),
  fc.integer({ min: 1, max: 95 }).map((percent) => rule(`-${percent}%`)),
  fc.integer({ min: 1, max: 400 }).map((kronor) => rule(`-${kronor}kr`)),
  fc
    .integer({ min: 1, max: 900 })
    .map((floor): DiscountTerms => ({ rule: parseRule({ add: '-20%', endWith: '9', floor: String(floor) }) })),
)
const discount: fc.Arbitrary<ItemDiscount> = fc
  .record({ starts: fc.integer({ min: 0, max: 100 }), length: fc.integer({ min: 1, max: 50 }), terms })
  .map(({ starts, length, terms: its }) => ({ starts, ends: starts + length, terms: its }))
const normal = fc.integer({ min: 1, max: 5000 })
const instant = fc.integer({ min: -5, max: 160 })

describe('the price of an item in discounts', () => {
  it('is that of the discount while it runs, from its start to its end, which is excluded', () => {
    const discounts = [{ starts: 10, ends: 20, terms: rule('-20%') }]
    expect([9, 10, 19, 20].map((at) => priceAt(500, discounts, at))).to.deep.equal([500, 400, 400, 500])
  })

  it('is the lowest of discounts that overlap, each from the normal price, and falls back when one ends', () => {
    const discounts = [
      { starts: 0, ends: 30, terms: rule('-10%') },
      { starts: 10, ends: 20, terms: rule('-25%') },
      { starts: 15, ends: 40, terms: { kronor: 460 } },
    ]
    expect([5, 12, 18, 25, 35, 45].map((at) => priceAt(500, discounts, at))).to.deep.equal([450, 375, 375, 450, 460, 500])
  })

  it('is never above the normal price, and the normal price when no discount runs', () => {
    fc.assert(
      fc.property(normal, fc.array(discount, { maxLength: 6 }), instant, (kronor, discounts, at) => {
        const price = priceAt(kronor, discounts, at)
        expect(price).to.be.at.most(kronor)
        const running = discounts.filter((each) => runsAt(each, at))
        if (running.length === 0) expect(price).to.equal(kronor)
        else expect(running.map((each) => discountPrice(each.terms, kronor)).concat(kronor)).to.include(price)
      }),
    )
  })

  it('does not depend on the order of the discounts, and one more discount never raises it', () => {
    fc.assert(
      fc.property(normal, fc.array(discount, { maxLength: 6 }), discount, instant, (kronor, discounts, more, at) => {
        expect(priceAt(kronor, [...discounts].reverse(), at)).to.equal(priceAt(kronor, discounts, at))
        expect(priceAt(kronor, [...discounts, more], at)).to.be.at.most(priceAt(kronor, discounts, at))
      }),
    )
  })

  it('changes only when a discount begins or ends', () => {
    fc.assert(
      fc.property(normal, fc.array(discount, { maxLength: 6 }), instant, (kronor, discounts, at) => {
        const turns = discounts.some(({ starts, ends }) => starts === at || ends === at)
        if (!turns) expect(priceAt(kronor, discounts, at)).to.equal(priceAt(kronor, discounts, at - 1))
      }),
    )
  })

  it('is the normal price without terms', () => {
    expect(lowestPrice(300, [])).to.equal(300)
    expect(lowestPrice(300, [{ kronor: 350 }])).to.equal(300)
  })
})

describe('a plan of discount prices', () => {
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
    expect([...plan.entries()].map(({ State, Limit }) => [State, Limit])).to.deep.equal([
      ['change', null],
      ['held', 'raises'],
      ['held', 'raises'],
    ])
    expect(said(plan.entry(1))).to.equal('a discount lowers prices, and this one would rise from 100 kr to 120 kr')
  })

  it('holds what a rule would raise', async () => {
    const plan = await planRule({
      live: [shopItem(1, 100)],
      select: { all: true },
      rule: parseRule({ add: '10%' }),
      guards: DEFAULT_GUARDS,
      lowers: true,
    })
    expect(plan.entry(0)).to.include({ State: 'held', Limit: 'raises' })
  })
})
