/** The price guards one by one: what switches each off, what is typed and stored for it, and where exactly its limit is. */
import { expect } from 'chai'
import { exceeds } from '../../../src/pricing/guards/facts.js'
import {
  defaultText,
  findGuard,
  GUARD_NAMES,
  PRICE_GUARDS,
  type RowFacts,
  wideningFlag,
} from '../../../src/pricing/guards/index.js'
import { DEFAULT_GUARDS, type Guards, NO_GUARDS } from '../../../src/pricing/index.js'
import { rowJudge } from '../../../src/pricing/plan/guards.js'

const judged = (facts: Omit<RowFacts, 'first'> & { first?: number }, guards: Guards) => rowJudge(guards)({ first: 0, ...facts })

describe('the price guards', () => {
  for (const name of ['factor_ten', 'max_change', 'max_drift'] as const) {
    it(`hold an item without a price while only ${name} is on: the change cannot be judged`, () => {
      expect(judged({ old: 0, price: 100 }, { ...NO_GUARDS, [name]: DEFAULT_GUARDS[name] })).to.equal('no_price')
      expect(judged({ old: 0, price: 100 }, { ...DEFAULT_GUARDS, [name]: NO_GUARDS[name] })).to.equal('no_price')
    })
  }

  it('let an item without a price pass where none of those that compare is on', () => {
    expect(judged({ old: 0, price: 100 }, NO_GUARDS)).to.equal(undefined)
    expect(judged({ old: 0, price: 100 }, { ...NO_GUARDS, min_price: 50 })).to.equal(undefined)
    expect(judged({ old: 0, price: 49 }, { ...NO_GUARDS, min_price: 50 })).to.equal('min_price')
  })

  it('do not compare with a price that was not read', () => {
    expect(judged({ old: -1, price: 1 }, DEFAULT_GUARDS)).to.equal(undefined)
    expect(judged({ old: -1, price: 0 }, NO_GUARDS)).to.equal('below_one')
  })

  it('let a price go back to the first that is known, but not below the lowest', () => {
    expect(judged({ old: 1000, price: 100, first: 100 }, DEFAULT_GUARDS)).to.equal(undefined)
    expect(judged({ old: 1000, price: 100, first: 100 }, { ...DEFAULT_GUARDS, min_price: 101 })).to.equal('min_price')
  })

  for (const [name, limit, old, price, first, holds] of [
    ['min_price', 50, 100, 50, 0, false],
    ['min_price', 50, 100, 49, 0, true],
    ['factor_ten', true, 10, 100, 0, true],
    ['factor_ten', true, 10, 99, 0, false],
    ['factor_ten', true, 100, 10, 0, true],
    ['factor_ten', true, 100, 11, 0, false],
    ['max_change', 0.5, 100, 150, 0, false],
    ['max_change', 0.5, 100, 151, 0, true],
    ['max_change', 0.5, 100, 50, 0, false],
    ['max_change', 0.5, 100, 49, 0, true],
    ['max_drift', 0.5, 140, 150, 100, false],
    ['max_drift', 0.5, 140, 151, 100, true],
    ['max_drift', 0.5, 60, 49, 100, true],
    ['max_drift', 0.5, 60, 49, 0, false],
  ] as const) {
    it(`${name} ${limit} ${holds ? 'holds' : 'lets pass'} ${old} → ${price}${first > 0 ? ` from ${first}` : ''}`, () => {
      expect(judged({ old, price, first }, { ...NO_GUARDS, [name]: limit })).to.equal(holds ? name : undefined)
    })
  }

  it('count a whole krona over the share, and not less: prices are rounded', () => {
    expect(exceeds(3, 0.6, 5)).to.equal(false)
    expect(exceeds(120, 0.6, 199)).to.equal(false)
    expect(exceeds(121, 0.6, 199)).to.equal(true)
    expect(exceeds(-121, 0.6, 199)).to.equal(true)
    expect(exceeds(62, 0.6, 100, 2)).to.equal(true)
    expect(exceeds(61, 0.6, 100, 2)).to.equal(false)
  })

  it('are typed, stored and written back, each by its kind', () => {
    const { share, kronor, toggle } = {
      share: PRICE_GUARDS.max_change.kind,
      kronor: PRICE_GUARDS.min_price.kind,
      toggle: PRICE_GUARDS.factor_ten.kind,
    }
    for (const [kind, text, value, stored, written] of [
      [share, '12.5%', 0.125, 12.5, '12.5%'],
      [share, ' OFF ', null, 'off', 'off'],
      [kronor, '1 234', 1234, 1234, '1234'],
      [kronor, 'off', null, 'off', 'off'],
      [toggle, ' On ', true, 'on', 'on'],
      [toggle, 'off', false, 'off', 'off'],
    ] as const) {
      expect(kind.read(text), text).to.equal(value)
      expect(kind.store(value as never), text).to.equal(stored)
      expect(kind.write(stored as never), text).to.equal(written)
    }
    expect(() => toggle.read('yes')).to.throw(RangeError, '"yes" is neither on nor off')
    expect(() => kronor.read('0')).to.throw(RangeError, '"0"')
    expect(() => kronor.read('12,50')).to.throw(RangeError, '"12,50"')
    expect(() => share.read('50')).to.throw(RangeError, 'not a percentage')
  })

  it('are found by the word that a plan has for them, while they are on', () => {
    for (const name of GUARD_NAMES) {
      const { limit } = PRICE_GUARDS[name]
      const found = findGuard(limit, DEFAULT_GUARDS)
      if (DEFAULT_GUARDS[name] === null) expect(found, name).to.equal(undefined)
      else expect(found?.guard, name).to.equal(PRICE_GUARDS[name])
    }
    expect(findGuard('no_price', DEFAULT_GUARDS)).to.equal(undefined)
  })

  it('are widened by their flag, or switched off by it', () => {
    expect(wideningFlag('max_held')).to.equal('--allow max_held=PERCENT')
    expect(wideningFlag('same_price')).to.equal('--allow same_price=PERCENT')
    expect(wideningFlag('shifted')).to.equal('--allow shifted')
    expect(wideningFlag('no_price')).to.equal(undefined)
    expect(defaultText('max_change')).to.equal('50%')
    expect(defaultText('max_drift')).to.equal('the limit of max_change')
    expect(defaultText('factor_ten')).to.equal('on')
    expect(defaultText('min_price')).to.equal('off')
  })
})
