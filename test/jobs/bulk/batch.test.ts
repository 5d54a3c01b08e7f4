/** A batch in memory: states, counts and reasons move together. */
import { expect } from 'chai'
import { Batch } from '../../../src/jobs/bulk/batch.js'
import { ROW_STATES } from '../../../src/jobs/bulk/types.js'
import { noCounts } from '../../../src/jobs/ledger/counts.js'

describe('a batch of rows', () => {
  const open = (states: readonly (typeof ROW_STATES)[number][]) => {
    const tally = noCounts()
    for (const state of states) tally[state]++
    const batch = new Batch(
      {
        jobId: 1,
        batch: 1,
        count: states.length,
        firstRow: 1,
        ids: new Int32Array(states.length),
        prices: undefined,
        payloads: null,
        states: Uint8Array.from(states, (state) => ROW_STATES.indexOf(state)),
        requestIds: new Int32Array(states.length),
        itemIds: undefined,
        reasons: null,
      },
      tally,
    )
    return { batch, tally }
  }

  it('keeps no reason of a state that a row has left, one by one or many at once', () => {
    const { batch } = open(['failed', 'failed', 'failed'])
    for (const at of [0, 1, 2]) batch.set(at, 'retryable', `why ${at}`)
    batch.set(0, 'ok')
    batch.move([1], 'retryable', 'sending')
    expect([...batch.reasons]).to.deep.equal([[2, 'why 2']])
    expect([0, 1, 2].map((at) => batch.state(at))).to.deep.equal(['ok', 'sending', 'retryable'])
  })

  it('counts its rows and those of the job', () => {
    const { batch, tally } = open(['unsent', 'unsent', 'unsent'])
    batch.move([0, 2], 'unsent', 'sending')
    batch.set(2, 'failed', 'why')
    const counts = { ...noCounts(), unsent: 1, sending: 1, failed: 1 }
    expect(batch.counts).to.deep.equal(counts)
    expect(tally).to.deep.equal(counts)
  })
})
