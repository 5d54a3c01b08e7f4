import { expect } from 'chai'
import { acceptingFees } from '../../../src/actions/items/prices.js'
import { costRuleFlags, vatFlag } from '../../../src/actions/prices/costs.js'
import { ruleFlags } from '../../../src/actions/prices/flags.js'
import {
  auctionFileGuardFlags,
  auctionGuardFlags,
  auctionGuardWords,
  guardFlags,
  guardSettingFlags,
  guardsOf,
} from '../../../src/actions/prices/guards.js'
import { readSetting, SETTINGS } from '../../../src/cli/settings.js'
import { DEFAULT_GUARDS, flagOf, GUARD_NAMES, NO_GUARDS, PRICE_GUARDS } from '../../../src/pricing/guards/index.js'

describe('price guards', () => {
  it('are on by default', () => expect(guardsOf({}, {})).to.deep.equal(DEFAULT_GUARDS))

  it('come from the profile', () => {
    const guards = guardsOf({}, { max_change: 30, factor_ten: 'off', min_price: 20, max_same: 80 })
    expect(guards).to.include({ max_change: 0.3, factor_ten: false, min_price: 20, max_same: 0.8 })
  })

  it('come from a flag before the profile; off is no limit', () => {
    const flags = { 'max-change': 'off', 'factor-ten': true, 'min-price': '5 kr', 'max-same': '75%' }
    const guards = guardsOf(flags, { max_change: 30, factor_ten: 'off', min_price: 20, max_same: 80 })
    expect(guards).to.include({ max_change: null, factor_ten: true, min_price: 5, max_same: 0.75 })
  })

  it('read every limit back as a profile stores it, off too', () => {
    const off = Object.fromEntries(GUARD_NAMES.map((name) => [name, readSetting(name, 'off', name)]))
    expect(guardsOf({}, off)).to.deep.equal(NO_GUARDS)
    for (const name of GUARD_NAMES) {
      const { kind } = PRICE_GUARDS[name]
      const text = kind.off === false ? 'on' : kind.helpValue.startsWith('KR') ? '25' : '12.5%'
      const stored = readSetting(name, text, name)
      expect(SETTINGS[name].write?.(stored), name).to.equal(text)
      expect(guardsOf({}, { [name]: stored })[name], name).to.equal(kind.read(text))
    }
  })

  it('go by the limit of max_change where they have none of their own: drift always, the fall of the sum by what is typed', () => {
    const limits = (flags: object, settings = {}) => {
      const { max_drift: drift, max_total_fall: fall } = guardsOf(flags, settings)
      return [drift, fall]
    }
    expect(limits({})).to.deep.equal([0.5, 0.3])
    expect(limits({ 'max-change': '60%' })).to.deep.equal([0.6, 0.6])
    expect(limits({ 'max-change': '20%' })).to.deep.equal([0.2, 0.3])
    expect(limits({ 'max-change': 'off' })).to.deep.equal([null, 0.3])
    expect(limits({}, { max_change: 80 })).to.deep.equal([0.8, 0.3])
    expect(limits({ 'max-change': '60%', 'max-drift': '70%', 'max-total-fall': '10%' })).to.deep.equal([0.7, 0.1])
    expect(limits({ 'max-change': '60%' }, { max_drift: 40, max_total_fall: 'off' })).to.deep.equal([0.4, null])
  })

  it('refuse what is not a share, naming the flag', () => {
    expect(() => guardsOf({ 'max-change': '80' }, {})).to.throw('--max-change: "80" is not a percentage')
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

describe('the flags of price guards', () => {
  const wanted = (choose: (guard: { auctions: boolean; over: string }) => boolean) =>
    GUARD_NAMES.filter((name) => choose(PRICE_GUARDS[name] as never)).map(flagOf)

  it('are all for the shop, those over rows for one auction, those over all for a file of auctions', () => {
    expect(Object.keys(guardFlags('prices', 'additions', 'removals', 'stock', 'list'))).to.deep.equal(GUARD_NAMES.map(flagOf))
    expect(Object.keys(guardFlags('removals'))).to.deep.equal(['max-removed'])
    const one = Object.keys(auctionGuardFlags)
    const file = Object.keys(auctionFileGuardFlags)
    expect(one).to.deep.equal(wanted(({ auctions, over }) => auctions && over === 'row'))
    expect(file).to.deep.equal(wanted(({ auctions, over }) => auctions && over !== 'row'))
    for (const names of [one, file]) expect(names).to.not.be.empty.and.not.have.lengthOf(GUARD_NAMES.length)
    expect(one).to.include.members(['min-price', 'factor-ten'])
    expect(Object.keys(guardSettingFlags)).to.deep.equal(GUARD_NAMES.map(flagOf))
  })

  it('are switches where there is no limit, else a text with its form, below one heading', () => {
    for (const [name, flag] of Object.entries(guardFlags('prices'))) {
      expect([flag.type, flag.helpGroup, 'allowNo' in flag && flag.allowNo], name).to.deep.equal(
        ['factor-ten', 'shifted'].includes(name) ? ['boolean', 'GUARD', true] : ['option', 'GUARD', false],
      )
    }
    expect(guardFlags('prices')['max-change'].helpValue).to.equal(PRICE_GUARDS.max_change.kind.helpValue)
    for (const flag of Object.values(guardSettingFlags))
      expect([flag.type, typeof flag.helpValue]).to.deep.equal(['option', 'string'])
  })

  it('are named in a sentence with what each takes', () => {
    const words = auctionGuardWords()
    expect(words).to.include('--min-price KR|off').and.include('--no-factor-ten').and.not.include('--factor-ten')
    expect(words.split(' or ')).to.have.lengthOf(2)
    expect(words.split(/, | or /)).to.have.lengthOf(Object.keys(auctionGuardFlags).length)
    expect(words).to.not.include('undefined')
  })

  it('exclude what would give prices twice', () => {
    const rows = ['file', 'plan']
    const of = (flags: object) => Object.fromEntries(Object.entries(flags).map(([name, { exclusive }]) => [name, exclusive]))
    expect(of(ruleFlags(rows))).to.deep.equal({
      all: ['category', 'reference', ...rows],
      category: ['all', 'reference', ...rows],
      reference: ['all', 'category', ...rows],
      set: ['add', ...rows],
      add: ['set', ...rows],
      'end-with': rows,
      floor: rows,
      ceiling: rows,
    })
    expect(of(costRuleFlags(rows))).to.deep.equal({
      margin: ['set', 'add', 'markup', 'recommended', ...rows],
      markup: ['set', 'add', 'recommended', ...rows],
      recommended: ['set', 'add', ...rows],
    })
    const helped = Object.entries({ ...ruleFlags([]), ...costRuleFlags([]) })
    for (const [name, { helpGroup, summary }] of helped) expect([helpGroup, Boolean(summary)], name).to.deep.equal(['RULE', true])
    expect(vatFlag.vat).to.include({ helpGroup: 'GUARD', helpValue: 'PERCENT' })
  })
})
