/** Why a job stopped, in words: what its rows count as, which hint comes first, and the exit code. */
import { expect } from 'chai'
import { errorOfStop, type Stopped } from '../../src/actions/jobs/words.js'
import { EXIT, SellerError } from '../../src/errors/index.js'
import type { BulkJob } from '../../src/jobs/bulk/index.js'
import { noCounts } from '../../src/jobs/ledger/counts.js'

describe('the words about a job that stopped', () => {
  const cause = new SellerError('connection_lost', 'The service says no.', 'Mend it.')
  const stopped = (counts: Partial<BulkJob['Counts']>, more: Partial<Stopped> = {}) => {
    const Counts = { ...noCounts(), ...counts }
    const Rows = Object.values(Counts).reduce((sum, count) => sum + count, 0)
    const job = { JobId: 7, Kind: 'price', State: 'open', Counts, Rows } as BulkJob
    const why = { stop: 'network', error: cause, verdict: EXIT.failure, wait: false, ...more } as const
    return errorOfStop(job, why)
  }

  for (const [counts, words] of [
    [
      { ok: 2, queued: 1, unsent: 4, held: 5, skipped: 6 },
      /^The service says no\.\nJob 7: the service has answered for 3 of 7 rows\.$/,
    ],
    [{ ok: 1, sending: 1 }, /1 of 2 rows; 1 row was sent without an answer, and may have been/],
    [{ sending: 2, unsent: 1 }, /0 of 3 rows; 2 rows were sent without an answer/],
    [{ queued: 2 }, /Job 7: everything was sent, and results are still to come\./],
  ] as const) {
    it(`count ${JSON.stringify(counts)} as ${words.source}`, () => expect(stopped(counts).message).to.match(words))
  }

  it('give the hint of the cause first where it must be followed first', () => {
    for (const stop of ['budget', 'refused', 'network', 'quota', 'fault'] as const) {
      const first = stop === 'budget' || stop === 'refused'
      const { hint } = stopped({ unsent: 1 }, { stop })
      expect(hint, stop).to.match(first ? /^Mend it\. Then continue with: / : /^(?!.*Mend it)/)
      expect(hint, stop).to.match(/ontinue with: seller jobs:resume 7$/)
    }
  })

  it('end with the exit code of the rows where that says more than a failure, and with 130 at Ctrl-C', () => {
    expect(stopped({ unsent: 1 }).exitCode).to.equal(cause.exitCode)
    expect(stopped({ unsent: 1 }, { verdict: EXIT.unknownOutcome }).exitCode).to.equal(EXIT.unknownOutcome)
    const error = stopped({ unsent: 1 }, { stop: 'interrupted', wait: true })
    expect(error).to.include({ message: 'Interrupted.', exitCode: 130, hint: 'Continue with: seller jobs:resume 7 --wait' })
  })
})
