import { expect } from 'chai'
import { Pace } from '../../../src/jobs/bulk/pace.js'

describe('the pace of calls', () => {
  /** Answers rounds of calls whose time depends on how many run at once. */
  function rounds(pace: Pace, count: number, ms: (atOnce: number) => number): number[] {
    const seen: number[] = []
    for (let round = 0; round < count; round++) {
      const { atOnce } = pace
      for (let call = 0; call < atOnce * 2; call++) pace.noteAnswer(ms(atOnce))
      seen.push(pace.atOnce)
    }
    return seen
  }

  it('grows up to eight while a call takes as long as before', () => {
    const pace = new Pace()
    expect(pace.atOnce).to.equal(2)
    expect(rounds(pace, 8, () => 40)).to.deep.equal([3, 4, 5, 6, 7, 8, 8, 8])
  })

  it('stays where more at once only wait for each other', () => {
    // A service that handles one call after the other.
    const seen = rounds(new Pace(), 12, (atOnce) => atOnce * 40)
    expect(Math.max(...seen)).to.be.at.most(4)
    expect(Math.min(...seen)).to.be.at.least(2)
  })

  it('falls by one when the service becomes slow, and never below one', () => {
    const pace = new Pace()
    rounds(pace, 4, () => 40)
    expect(rounds(pace, 6, () => 400)).to.deep.equal([5, 4, 3, 2, 1, 1])
    expect(
      rounds(pace, 2, () => 40),
      'and grows again',
    ).to.deep.equal([2, 3])
  })

  it('halves with every call that fails', () => {
    const pace = new Pace()
    rounds(pace, 6, () => 40)
    const seen = [1, 2, 3, 4].map(() => {
      pace.noteFailure()
      return pace.atOnce
    })
    expect(seen).to.deep.equal([4, 2, 1, 1])
  })

  for (const [ms, what, expected] of [
    [60, 'grows while a round takes one and a half times as long', 4],
    [61, 'stays once it takes longer', 3],
    [100, 'stays up to two and a half times as long', 3],
    [101, 'falls once it takes longer', 2],
  ] as const) {
    it(what, () => {
      const pace = new Pace()
      expect(rounds(pace, 1, () => 40)).to.deep.equal([3])
      expect(rounds(pace, 1, () => ms)).to.deep.equal([expected])
    })
  }

  it('judges a round by its mean, when each of the calls at once was answered twice', () => {
    const pace = new Pace()
    rounds(pace, 1, () => 40)
    for (const ms of [10, 110, 20, 100, 60]) pace.noteAnswer(ms)
    expect(pace.atOnce, 'one answer is missing').to.equal(3)
    pace.noteAnswer(60)
    expect(pace.atOnce).to.equal(4)
  })

  it('begins a round anew after a failure', () => {
    const pace = new Pace()
    for (let call = 0; call < 3; call++) pace.noteAnswer(400)
    pace.noteFailure()
    expect(pace.atOnce).to.equal(1)
    pace.noteAnswer(40)
    expect(pace.atOnce).to.equal(1)
    pace.noteAnswer(40)
    expect(pace.atOnce).to.equal(2)
    expect(
      rounds(pace, 1, () => 61),
      'forty is the fastest: the slow calls before the failure are forgotten',
    ).to.deep.equal([2])
  })
})
