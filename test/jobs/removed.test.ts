import { expect } from 'chai'
import { createBulkJob } from '../../src/jobs/bulk/index.js'
import { findRemovals } from '../../src/jobs/removed.js'
import { FORM } from './bulk/support.js'
import { cleanUp, FakeClock, temporaryLedger } from './harness.js'

describe('items that this ledger has removed', () => {
  afterEach(cleanUp)

  it('are those of the shop, with the newest removal of each', () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const remove = (id: number, userId: number | null, states: string) => {
      const { JobId } = createBulkJob(ledger, {
        ...{ kind: 'remove', profile: 'shop', userId, title: 't', form: FORM },
        rows: [{ line: 1, id }],
      })
      ledger.store.exec(`UPDATE bulk_states SET states = x'${states}' WHERE job_id = ${JobId}`)
      return JobId
    }
    const since = clock.time
    const [first, nobody] = [remove(1, 7, '03'), remove(2, null, '02')]
    remove(3, 8, '03')
    clock.time += 1000
    const [newer, dropped] = [remove(1, 7, '00'), remove(4, 7, '00')]
    ledger.store.run("UPDATE jobs SET state = 'cancelled' WHERE id = ?", dropped)
    const found = (userId: number | null, from = since) =>
      [...findRemovals(ledger, { profile: 'shop', userId }, from)].map(([id, { jobId, state }]) => [id, jobId, state])
    expect(found(7)).to.deep.equal([
      [1, newer, 'unsent'],
      [2, nobody, 'queued'],
    ])
    expect(found(null).map(([id]) => id)).to.deep.equal([1, 2, 3])
    expect(found(7, clock.time)).to.deep.equal([[1, newer, 'unsent']])
    expect(first).to.be.lessThan(newer)
    ledger.store.run('UPDATE jobs SET finished_at = ? WHERE id = ?', clock.time + 5000, newer)
    const at = findRemovals(ledger, { profile: 'shop', userId: 7 }, since).get(1)?.at
    expect(at).to.equal(new Date(clock.time + 5000).toISOString())
  })
})
