/** The row of a shop, from what its command wrote or how it failed. */
import { expect } from 'chai'
import { endOf, endWithout, hideIn } from '../../../src/actions/profiles/ends.js'
import type { ExitCode } from '../../../src/cli/errors.js'

const ONE = { many: false, stopped: null }

describe('the row of a shop', () => {
  it('has counts and ids of everything that was written', () => {
    const results = [
      { JobId: 3, Counts: { ok: 2, held: 0 }, Unchanged: 4 },
      { JobId: 5, Counts: { ok: 1, held: 1 } },
    ]
    const end = endOf('a', { code: 6, results }, { many: true, stopped: null })
    expect(end).to.deep.include({ Profile: 'a', State: 'held', ExitCode: 6, JobIds: [3, 5], DiscountId: null, Result: results })
    expect(end.Counts).to.deep.equal({ ok: 3, held: 1, unchanged: 4 })
  })

  it('has the state that its exit code and counts make', () => {
    const states: ReadonlyArray<readonly [ExitCode, object, string]> = [
      [0, { Counts: { ok: 1 } }, 'ok'],
      [0, { Counts: { queued: 1 } }, 'waiting'],
      [0, { Counts: { unsent: 1 } }, 'waiting'],
      [0, { Summary: { Change: 1, Unchanged: 0, Held: 0, Unknown: 0 } }, 'planned'],
      [0, { State: 'due' }, 'planned'],
      [8, { Counts: { queued: 1 } }, 'waiting'],
      [6, { Counts: { held: 1 } }, 'held'],
      [5, { Counts: { failed: 1 } }, 'failed'],
      [9, { Counts: { unknown: 1 } }, 'unknown'],
    ]
    for (const [code, result, state] of states) expect(endOf('a', { code, results: [result] }, ONE).State).to.equal(state)
    const plan = endOf(
      'a',
      { code: 0, results: [{ DiscountId: 4, Summary: { Change: 1, Unchanged: 2, Held: 3, Unknown: 4 } }] },
      ONE,
    )
    expect(plan.Counts).to.deep.equal({ change: 1, unchanged: 2, held: 3, skipped: 4 })
    expect(plan.DiscountId).to.equal(4)
  })

  it('has the state and words of its error, and the job that was begun', () => {
    const error = (exitCode: ExitCode) =>
      ({ code: 'x', category: 'y', message: 'Away.', hint: 'Wait.', exitCode, jobId: 8, counts: { unsent: 2 } }) as const
    for (const [code, state] of [
      [1, 'failed'],
      [4, 'failed'],
      [6, 'held'],
      [9, 'unknown'],
      [130, 'interrupted'],
    ] as const) {
      const end = endOf('a', { code, results: [], error: error(code) }, ONE)
      expect(end).to.deep.include({ State: state, Message: 'Away.', Result: null, JobIds: [8], Counts: { unsent: 2 } })
    }
  })

  it('says which sales began and ended, and why a plan was stopped', () => {
    const results = [
      [
        { DiscountId: 1, Discount: 'Black', Part: 'start', JobId: 7, State: 'ok', Counts: { ok: 2 } },
        { DiscountId: 2, Discount: 'Flash', Part: 'missed', JobId: null, State: 'missed', Counts: null },
      ],
    ]
    const end = endOf('a', { code: 6, results }, ONE)
    expect(end).to.deep.include({ JobIds: [7], DiscountId: null, Message: 'start of "Black", missed start of "Flash"' })
    expect(endOf('a', { code: 6, results: [{}] }, { many: false, stopped: 'too many' }).Message).to.equal('too many')
    expect(endWithout('a', 'not_begun', {}, null)).to.include({ State: 'not_begun', ExitCode: null, Result: null, Error: null })
  })

  it('hides in every text of a result', () => {
    const hide = (text: string): string => text.replaceAll('key', '•••')
    const value = { a: 'the key', b: [1, null, 'key'], c: { d: 'ok', e: true } }
    expect(hideIn(value, hide)).to.deep.equal({ a: 'the •••', b: [1, null, '•••'], c: { d: 'ok', e: true } })
  })
})
