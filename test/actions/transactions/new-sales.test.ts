/** The pace of transactions:watch: how long it pauses, and which calls it leaves to others. */
import { expect } from 'chai'
import {
  keptCalls,
  passingTrouble,
  pauseAfter,
  refuseWithoutCall,
  waitForCall,
} from '../../../src/actions/transactions/new-sales.js'
import type { Context } from '../../../src/cli/context.js'
import { SellerError } from '../../../src/cli/errors.js'

const NOW = Date.parse('2026-11-21T12:00:00Z')
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

  interface Quota {
    readonly remaining?: number
    readonly oldestLeavesAt?: number
    readonly share?: { readonly allowed: number }
  }
  const context = (settings: object, usage: Quota = {}): Context => {
    const clock = { now: () => NOW }
    return { clock, profile: { settings }, quota: async () => ({ usage: async () => usage }) } as unknown as Context
  }
  const LIMITED = { app_id: 7, call_budget: 100 }
  const leaves = NOW + 5 * MINUTE

  it('waits for nothing without a budget, with calls enough, or where no call will leave', async () => {
    const none = { ms: 0, words: '' }
    expect(await waitForCall(context({ app_id: 7 }, { remaining: 0, oldestLeavesAt: leaves }), undefined)).to.deep.equal(none)
    expect(await waitForCall(context({ call_budget: 9 }, { remaining: 0, oldestLeavesAt: leaves }), undefined)).to.deep.equal(
      none,
    )
    expect(await waitForCall(context(LIMITED, { remaining: 11, oldestLeavesAt: leaves }), undefined)).to.deep.equal(none)
    expect(await waitForCall(context(LIMITED, { remaining: 1, oldestLeavesAt: leaves }), 0)).to.deep.equal(none)
    expect(await waitForCall(context(LIMITED, { remaining: 0 }), undefined)).to.deep.equal(none)
  })

  it('waits until the oldest call leaves, a second at the least, and says why', async () => {
    expect(await waitForCall(context(LIMITED, { remaining: 10, oldestLeavesAt: leaves }), undefined)).to.deep.equal({
      ms: 5 * MINUTE,
      words: '10 calls of the budget of 100 are left, and 10 are kept for other commands.',
    })
    expect(await waitForCall(context(LIMITED, { oldestLeavesAt: NOW - 1 }), 0)).to.deep.equal({
      ms: 1000,
      words: '0 calls of the budget of 100 are left, and 0 are kept for other commands.',
    })
    const shared = context(LIMITED, { remaining: 1, oldestLeavesAt: leaves, share: { allowed: 12 } })
    expect((await waitForCall(shared, undefined)).words).to.equal(
      '1 call of the share of 12 are left, and 6 are kept for other commands.',
    )
  })

  it('refuses a single look that would take a kept call, and says when the next is free', async () => {
    await refuseWithoutCall(context(LIMITED, { remaining: 11 }), undefined)
    const refused = await refuseWithoutCall(context(LIMITED, { remaining: 2, oldestLeavesAt: leaves }), undefined).catch(
      (error: unknown) => error,
    )
    expect(refused).to.be.instanceOf(SellerError)
    expect(refused).to.deep.include({
      code: 'call_budget_spent',
      details: { allowed: 100, freeAt: '2026-11-21T12:05:00.000Z' },
      message: '2 calls of the budget of 100 are left, and 10 are kept for other commands. Nothing was read.',
    })
  })

  it('goes on after trouble that may pass, and not after any other', () => {
    const error = (code: 'unreachable' | 'unavailable' | 'too_many_calls' | 'max_calls_reached' | 'not_logged_in') =>
      passingTrouble(new SellerError(code, 'What happened.', 'Look.', {} as never))
    for (const code of ['unreachable', 'unavailable', 'too_many_calls'] as const)
      expect(error(code), code).to.equal('What happened.')
    for (const code of ['max_calls_reached', 'not_logged_in'] as const) expect(error(code), code).to.equal(undefined)
    expect(passingTrouble(new TypeError('a mistake'))).to.equal(undefined)
  })
})
