/** Price guards by flags and by the profile. */
import { expect } from 'chai'
import { type Allowed, readGuards } from '../../../src/actions/prices/guards.js'
import { readSetting, SETTINGS } from '../../../src/cli/settings.js'
import { DEFAULT_GUARDS, GUARD_NAMES, NO_GUARDS, PRICE_GUARDS } from '../../../src/pricing/guards/index.js'

/** `max_change=30%`, or `max_change` for no limit, as the flag reads them. */
const allowing = (...texts: readonly string[]) => ({
  allow: texts.map((text): Allowed => {
    const [guard, limit] = text.split('=') as [Allowed['guard'], string | undefined]
    return { guard, limit }
  }),
})

describe('price guards', () => {
  it('are on by default', () => expect(readGuards({}, {})).to.deep.equal(DEFAULT_GUARDS))

  it('come from the profile', () => {
    const guards = readGuards({}, { max_change: 30, factor_ten: 'off', min_price: 20, max_same: 80 })
    expect(guards).to.include({ max_change: 0.3, factor_ten: false, min_price: 20, max_same: 0.8 })
  })

  it('come from a flag before the profile; off is no limit', () => {
    const flags = allowing('max_change', 'factor_ten=none', 'min_price=5 kr', 'max_same=75%')
    const guards = readGuards(flags, { max_change: 30, factor_ten: 'off', min_price: 20, max_same: 80 })
    expect(guards).to.include({ max_change: null, factor_ten: true, min_price: 5, max_same: 0.75 })
  })

  it('read every limit back as a profile stores it, off too', () => {
    const off = Object.fromEntries(GUARD_NAMES.map((name) => [name, readSetting(name, 'off', name)]))
    expect(readGuards({}, off)).to.deep.equal(NO_GUARDS)
    for (const name of GUARD_NAMES) {
      const { kind } = PRICE_GUARDS[name]
      const text = kind.off === false ? 'on' : kind.helpValue.startsWith('KR') ? '25' : '12.5%'
      const stored = readSetting(name, text, name)
      expect(SETTINGS[name].write?.(stored), name).to.equal(text)
      expect(readGuards({}, { [name]: stored })[name], name).to.equal(kind.read(text))
    }
  })

  it('go by the limit of max_change where they have none of their own: drift always, the fall of the sum by what is typed', () => {
    const limits = (flags: ReturnType<typeof allowing>, settings = {}) => {
      const { max_drift: drift, max_total_fall: fall } = readGuards(flags, settings)
      return [drift, fall]
    }
    expect(limits(allowing())).to.deep.equal([0.5, 0.3])
    expect(limits(allowing('max_change=60%'))).to.deep.equal([0.6, 0.6])
    expect(limits(allowing('max_change=20%'))).to.deep.equal([0.2, 0.3])
    expect(limits(allowing('max_change=off'))).to.deep.equal([null, 0.3])
    expect(limits(allowing('max_change'))).to.deep.equal([null, 0.3])
    expect(limits(allowing(), { max_change: 80 })).to.deep.equal([0.8, 0.3])
    expect(limits(allowing('max_change=60%', 'max_drift=70%', 'max_total_fall=10%'))).to.deep.equal([0.7, 0.1])
    expect(limits(allowing('max_change=60%'), { max_drift: 40, max_total_fall: 'off' })).to.deep.equal([0.4, null])
  })

  it('refuse what is not a limit, or is given twice, naming the code that plans have', () => {
    expect(() => readGuards(allowing('max_change=80'), {})).to.throw('--allow max_change: "80" is not a percentage')
    expect(() => readGuards(allowing('max_same=-5%'), {})).to.throw('--allow same_price')
    expect(() => readGuards(allowing('min_price=1,50'), {})).to.throw('--allow min_price')
    expect(() => readGuards(allowing('min_price=1', 'min_price=2'), {})).to.throw('--allow min_price is given twice')
    for (const limit of ['on', 'off', ''])
      expect(() => readGuards(allowing(`factor_ten=${limit}`), {})).to.throw(`--allow factor_ten: "${limit}" is not a limit`)
  })
})
