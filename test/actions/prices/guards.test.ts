import { expect } from 'chai'
import { acceptingFees } from '../../../src/actions/items/prices.js'
import { guardsOf } from '../../../src/actions/prices/guards.js'
import { DEFAULT_GUARDS } from '../../../src/pricing/index.js'

describe('price guards', () => {
  it('are on by default', () => expect(guardsOf({}, {})).to.deep.equal(DEFAULT_GUARDS))

  it('come from the profile', () => {
    const guards = guardsOf({}, { max_change: 30, factor_ten: 'off', min_price: 20, max_same: 80 })
    expect(guards).to.deep.equal({ max_change: 0.3, factor_ten: false, min_price: 20, max_same: 0.8 })
  })

  it('come from a flag before the profile; off is no limit', () => {
    const flags = { 'max-change': 'off', 'factor-ten': true, 'min-price': '5 kr', 'max-same': '75%' }
    const guards = guardsOf(flags, { max_change: 30, factor_ten: 'off', min_price: 20, max_same: 80 })
    expect(guards).to.deep.equal({ max_change: null, factor_ten: true, min_price: 5, max_same: 0.75 })
  })

  it('refuse a share that is none, naming the flag', () => {
    expect(() => guardsOf({ 'max-change': '80' }, {})).to.throw('--max-change: "80" is not a share')
    expect(() => guardsOf({ 'max-same': '-5%' }, {})).to.throw('--max-same')
    expect(() => guardsOf({ 'min-price': '1,50' }, {})).to.throw('--min-price')
  })
})

describe('--accept-fees', () => {
  const cases: readonly (readonly [given: string[], read: string[]])[] = [
    [['--accept-fees'], ['--accept-fees=40']],
    [
      ['7', '--accept-fees', '--json'],
      ['7', '--accept-fees=40', '--json'],
    ],
    [
      ['--accept-fees', '120'],
      ['--accept-fees', '120'],
    ],
    [['--accept-fees=80'], ['--accept-fees=80']],
  ]
  for (const [given, read] of cases) it(given.join(' '), () => expect(acceptingFees(given)).to.deep.equal(read))
})
