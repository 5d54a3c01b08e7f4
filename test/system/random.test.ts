import { expect } from 'chai'
import { chance, Dice, jittered, sequence } from '../../src/system/random.js'

describe('chance that repeats', () => {
  it('is mulberry32: the same numbers for the same seed on every machine', () => {
    const next = sequence(42)
    expect([next(), next(), next()]).to.deep.equal([0.6011037519201636, 0.44829055899754167, 0.8524657934904099])
    expect(sequence(43)()).to.not.equal(sequence(42)())
  })

  it('is spread evenly from 0 to below 1', () => {
    const next = sequence(7)
    const drawn = Array.from({ length: 10_000 }, next)
    expect(Math.min(...drawn)).to.be.within(0, 0.001)
    expect(Math.max(...drawn)).to.be.within(0.999, 1 - Number.EPSILON)
    expect(drawn.reduce((sum, number) => sum + number) / drawn.length).to.be.closeTo(0.5, 0.02)
  })

  it('depends on the seed and the subject alone', () => {
    expect(chance(1, 17)).to.equal(chance(1, 17))
    const drawn = Array.from({ length: 10_000 }, (_, subject) => chance(1, subject))
    expect(drawn.filter((number) => number < 0.1).length).to.be.within(900, 1100)
    expect(drawn.every((number) => number >= 0 && number < 1)).to.equal(true)
    expect(chance(1, 17)).to.not.equal(chance(2, 17))
  })

  it('draws whole numbers and choices, both ends included', () => {
    const dice = new Dice(3)
    expect(new Set(Array.from({ length: 200 }, () => dice.int(2, 4)))).to.deep.equal(new Set([2, 3, 4]))
    expect(new Set(Array.from({ length: 200 }, () => dice.pick(['a', 'b'])))).to.deep.equal(new Set(['a', 'b']))
    expect(() => dice.pick([])).to.throw(RangeError)
  })

  it('spreads a wait to either side', () => {
    expect(jittered(1000, 0.1, 0)).to.equal(900)
    expect(jittered(1000, 0.1, 0.5)).to.equal(1000)
    expect(jittered(1000, 0.1, 1)).to.equal(1100)
    expect(jittered(3, 0.5, 0.4)).to.equal(3)
  })
})
