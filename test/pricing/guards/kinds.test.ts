/** Limits at their bounds: how they are typed, and where a guard is exactly at its limit. */
import { expect } from 'chai'
import { changeText, exceeds, percentText } from '../../../src/pricing/guards/facts.js'
import {
  defaultText,
  findGuard,
  guardsOver,
  lowestPrice,
  marginPercent,
  nearestKronor,
  PRICE_GUARDS,
  priceForMarkup,
  readMargin,
  readShare,
} from '../../../src/pricing/guards/index.js'
import { DEFAULT_GUARDS, NO_GUARDS } from '../../../src/pricing/index.js'

describe('a typed share', () => {
  for (const [text, value] of [
    ['12.345%', 0.12345],
    ['0,5 %', 0.005],
    [' 80% ', 0.8],
    ['0%', 0],
    ['999999%', 9999.99],
    [' off ', null],
  ] as const) {
    it(`"${text}" is ${value}`, () => {
      expect(readShare(text)).to.equal(value)
    })
  }
  for (const text of ['1234567%', '12.3456%', 'x5%', '5%x', '5.%', '-5%', '5']) {
    it(`"${text}" is none`, () => {
      expect(() => readShare(text)).to.throw(RangeError, `"${text}" is not a percentage`)
    })
  }
  it('of a margin is below 100 %, or off', () => {
    expect([readMargin('99.5%'), readMargin('0%'), readMargin('off')]).to.deep.equal([0.995, 0, null])
    for (const text of ['100%', '150%']) expect(() => readMargin(text)).to.throw(RangeError, 'more than any price can leave')
  })
})

describe('a guard', () => {
  it('is one of its kind that is on', () => {
    const names = (over: 'row' | 'equal' | 'whole', guards = DEFAULT_GUARDS) =>
      guardsOver(over, guards).map(({ guard }) => guard.limit)
    expect(names('row')).to.deep.equal(['factor_ten', 'min_margin', 'max_change', 'max_drift'])
    expect(names('equal')).to.deep.equal(['same_price'])
    expect(names('whole')).to.deep.equal(['whole_ratio', 'shifted', 'max_held', 'max_total_fall'])
    expect([names('row', NO_GUARDS), names('whole', NO_GUARDS)]).to.deep.equal([[], []])
    expect(names('row', { ...NO_GUARDS, min_price: 5, max_change: 0 })).to.deep.equal(['min_price', 'max_change'])
    // As in a plan of a version that did not know it.
    expect(names('row', { ...DEFAULT_GUARDS, min_price: null, max_drift: undefined as never })).to.deep.equal([
      'factor_ten',
      'min_margin',
      'max_change',
    ])
  })
  it('has no limit where none is known', () => {
    expect(findGuard('max_change', { ...DEFAULT_GUARDS, max_change: undefined as never })).to.equal(undefined)
    expect(findGuard('max_change', DEFAULT_GUARDS)?.limit).to.equal(0.5)
    expect(findGuard('x', DEFAULT_GUARDS)).to.equal(undefined)
  })
  it('says its default, or that of the one that it follows', () => {
    expect(defaultText('max_drift')).to.equal('the limit of max_change')
    expect(defaultText('max_total_fall')).to.equal('30%, or a wider max_change that is given')
  })
  it('over everything is broken from the tenth changed row on, and just above its limit', () => {
    const facts = { changed: 10, held: 1, shifted: 5, total: 1000, totalAfter: 700, totalOf: 'shop' as const }
    const broken = (name: 'max_held' | 'shifted' | 'max_total_fall', limit: unknown, more: object) =>
      (PRICE_GUARDS[name] as { holds(limit: unknown, facts: object): boolean }).holds(limit, { ...facts, ...more })
    for (const [name, limit, more, holds] of [
      ['max_held', 0.1, {}, false],
      ['max_held', 0.1, { held: 2 }, true],
      ['max_held', 0.1, { held: 9, changed: 9 }, false],
      ['shifted', true, {}, false],
      ['shifted', true, { shifted: 6 }, true],
      ['shifted', true, { shifted: 9, changed: 9 }, false],
      ['max_total_fall', 0.3, { totalAfter: 691 }, false],
      ['max_total_fall', 0.3, { totalAfter: 690 }, true],
      ['max_total_fall', 0.3, { totalAfter: 600, changed: 9 }, false],
      ['max_total_fall', 0.3, { totalAfter: 1000 }, false],
      ['max_total_fall', 0.3, { totalAfter: 1400 }, false],
      ['max_total_fall', 0, { totalAfter: 1000, changed: 0 }, false],
    ] as const) {
      expect(broken(name, limit, more), `${name} ${JSON.stringify(more)}`).to.equal(holds)
    }
  })
  it('counts a whole krona over the share to the last', () => {
    expect([exceeds(1, 0, 100), exceeds(0, 0, 100), exceeds(0.999999, 0, 100), exceeds(0.99, 0, 100)]).to.deep.equal([
      true,
      false,
      true,
      false,
    ])
    expect([percentText(0.125), percentText(0.12345), changeText(100, 112), changeText(100, 88)]).to.deep.equal([
      '12.5 %',
      '12.3 %',
      '+12 %',
      '-12 %',
    ])
  })
})

describe('a margin', () => {
  it('is in whole kronor, half a krona up', () => {
    expect([49, 50, 149, 150].map(nearestKronor)).to.deep.equal([0, 1, 1, 2])
  })
  it('allows no price below the lowest of the seller, in whole kronor', () => {
    const facts = { cost: undefined, lowest: undefined, vat: 0 }
    expect([
      lowestPrice(facts, 0.3),
      lowestPrice({ ...facts, lowest: 10_001 }, 0.3),
      lowestPrice({ ...facts, cost: 7000, lowest: 5000 }, 0.3),
      lowestPrice({ ...facts, cost: 7000, lowest: 15_000 }, 0.3),
    ]).to.deep.equal([0, 101, 100, 150])
  })
  it('that is reached shows, and one that is not does not look so', () => {
    expect([
      marginPercent(100, 7000, 0),
      marginPercent(125, 7000, 0.25),
      marginPercent(100, 7001, 0),
      marginPercent(50, 10_000, 0),
    ]).to.deep.equal([30, 30, 29.9, -100])
  })
  it('is exact where a product is too large for a number', () => {
    for (const [cost, share, vat, price] of [
      [2147483647, 91.25983, 0, 1981264763],
      [2147483600, 99, 0, 2147483600],
      [2147483601, 99, 0, 2147483601],
      [100, 0, 0, 1],
      [101, 0, 0, 2],
    ] as const) {
      expect(priceForMarkup(cost, share, vat), `${cost} ${share}`).to.equal(price)
    }
  })
})
