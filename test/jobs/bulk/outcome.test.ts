/** The state of a job and the result of a run, as they follow from the rows. */
import { expect } from 'chai'
import { normalChangesReader } from '../../../src/jobs/bulk/discount-jobs.js'
import { type BulkStop, bulkVerdict, inFlight, rowsOfRequests } from '../../../src/jobs/bulk/index.js'
import { stateOf } from '../../../src/jobs/bulk/outcome.js'
import { type JobCounts, noCounts } from '../../../src/jobs/ledger/counts.js'
import { openedForEach } from '../../opened.js'
import { Bench, FakeService } from './support.js'

const counts = (some: Partial<JobCounts>): JobCounts => ({ ...noCounts(), ...some })

describe('the outcome of a job', () => {
  for (const [some, expected] of [
    [{}, 'ok'],
    [{ ok: 1 }, 'ok'],
    [{ ok: 1, unsent: 1, queued: 1, unknown: 1, failed: 1 }, 'open'],
    [{ ok: 1, sending: 1, queued: 1 }, 'open'],
    [{ queued: 1, unknown: 1, failed: 1 }, 'waiting'],
    [{ unknown: 1, failed: 1, ok: 1 }, 'unknown'],
    [{ skipped: 1 }, 'partial'],
    [{ skipped: 1, ok: 1 }, 'ok'],
    [{ held: 1 }, 'partial'],
    [{ held: 1, ok: 1 }, 'partial'],
    [{ held: 1, failed: 1 }, 'failed'],
    [{ failed: 1 }, 'failed'],
    [{ retryable: 1 }, 'failed'],
    [{ failed: 1, ok: 1 }, 'partial'],
    [{ retryable: 1, ok: 1 }, 'partial'],
    [{ failed: 1, skipped: 1 }, 'failed'],
  ] as const) {
    it(`is the state "${expected}" with ${JSON.stringify(some)}`, () => {
      expect(stateOf(counts(some))).to.equal(expected)
    })
  }

  for (const [some, stop, timedOut, expected] of [
    [{}, null, false, 'ok'],
    [{ ok: 1, skipped: 1 }, null, false, 'ok'],
    [{ queued: 1 }, null, true, 'pending'],
    [{ held: 1 }, null, true, 'held'],
    [{ failed: 1, held: 1 }, null, false, 'rows_failed'],
    [{ retryable: 1, held: 1 }, null, false, 'rows_failed'],
    [{ unsent: 1, failed: 1 }, null, false, 'stopped'],
    [{ sending: 1, failed: 1 }, null, false, 'stopped'],
    [{}, 'network', false, 'stopped'],
    [{ unsent: 1 }, 'quota', false, 'quota'],
    [{ unsent: 1 }, 'budget', false, 'quota'],
    [{ unsent: 1 }, 'interrupted', false, 'interrupted'],
    [{ unknown: 1, unsent: 1 }, 'quota', false, 'unknown_outcome'],
  ] as const) {
    it(`is the result "${expected}" with ${JSON.stringify(some)} and the stop ${stop}`, () => {
      expect(bulkVerdict(counts(some), stop as BulkStop | null, timedOut)).to.equal(expected)
    })
  }

  describe('in the ledger', () => {
    const bench = openedForEach(() => new Bench(FakeService.shop(3)))

    it('of requests is known by their ids, among the jobs of the profile', async () => {
      const first = bench.price({ 1: 110, 2: 110 })
      const other = bench.price({ 3: 110 }, { profile: 'other' })
      for (const job of [first, other]) await bench.run(job)
      const rows = (profile: string, ...ids: number[]) => [...rowsOfRequests(bench.ledger, profile, ids)].sort()
      expect(rows('shop', 5000, 5001, 5002, 77)).to.deep.equal([5000, 5001])
      expect(rows('other', 5000, 5002)).to.deep.equal([5002])
      expect(rows('shop')).to.deep.equal([])
      expect(rows('shop', 5001)).to.deep.equal([5001])
      expect(inFlight(bench.ledger, first)).to.deep.equal({ unknown: 0, queued: 2 })
    })

    it('of a sale is read anew for each job', () => {
      const jobs = [bench.price({ 1: 110 }), bench.price({ 1: 120 })]
      for (const [at, job] of jobs.entries()) {
        bench.ledger.store.run(
          'INSERT INTO discount_changes (job_id, item_id, normal_from, normal_to) VALUES (?, 1, ?, 9)',
          job,
          at + 1,
        )
      }
      const changesOf = normalChangesReader(bench.ledger)
      const from = (job = 0) => changesOf(job).get(1)?.from
      expect([from(jobs[0]), from(jobs[0]), from(jobs[1]), from(jobs[0]), from(99)]).to.deep.equal([1, 1, 2, 1, undefined])
    })
  })
})
