/** The pace of transactions:watch: how long it pauses, and how many calls it leaves to others. */
import { expect } from 'chai'
import { keptCalls, pauseAfter } from '../../../src/actions/transactions/new.js'

const MINUTE = 60_000

describe('the pace of a watch', () => {
  it('doubles after each failure, up to an hour, and is never faster than asked', () => {
    expect([0, 1, 2, 5].map((failures) => pauseAfter(failures, MINUTE) / MINUTE)).to.deep.equal([1, 2, 4, 32])
    expect([6, 7, 20, 21, 5000].map((failures) => pauseAfter(failures, MINUTE) / MINUTE)).to.deep.equal([60, 60, 60, 60, 60])
    expect(pauseAfter(0, 120 * MINUTE)).to.equal(120 * MINUTE)
    expect(pauseAfter(3, 120 * MINUTE)).to.equal(120 * MINUTE)
    expect(pauseAfter(30, 1), 'a pause of 12 days is not reached').to.equal(2 ** 20)
  })

  it('keeps ten calls for other commands, at most half of a small budget', () => {
    expect([1, 2, 3, 19, 20, 5000].map((budget) => keptCalls(budget))).to.deep.equal([0, 1, 1, 9, 10, 10])
    expect([keptCalls(100, 0), keptCalls(100, 40), keptCalls(100, 90)]).to.deep.equal([0, 40, 50])
  })
})
