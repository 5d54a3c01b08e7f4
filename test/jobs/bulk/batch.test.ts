/** A batch in memory: states, counts and reasons move together. */
import { expect } from 'chai'
import { Batch } from '../../../src/jobs/bulk/batch.js'
import { packInts } from '../../../src/jobs/bulk/pack.js'
import { ROW_STATES } from '../../../src/jobs/bulk/types.js'
import { noCounts } from '../../../src/jobs/ledger/counts.js'
import { because } from '../../said.js'

describe('a batch of rows', () => {
  const open = (states: readonly (typeof ROW_STATES)[number][]) => {
    const tally = noCounts()
    for (const state of states) tally[state]++
    const ids = packInts(states.map(() => 0))
    const stored = {
      batch: 1,
      count: states.length,
      first_row: 1,
      ids,
      prices: null,
      payloads: null,
      item_ids: null,
      reasons: null,
    }
    const bytes = Uint8Array.from(states, (state) => ROW_STATES.indexOf(state))
    const batch = new Batch(1, { ...stored, states: bytes, request_ids: ids }, tally)
    return { batch, tally }
  }

  it('keeps no reason of a state that a row has left, one by one or many at once', () => {
    const { batch } = open(['failed', 'failed', 'failed'])
    for (const at of [0, 1, 2]) batch.set(at, 'retryable', because(`why ${at}`))
    batch.set(0, 'ok')
    batch.setAll([1], 'sending')
    expect([...batch.reasons]).to.deep.equal([[2, because('why 2')]])
    expect([0, 1, 2].map((at) => batch.state(at))).to.deep.equal(['ok', 'sending', 'retryable'])
  })

  it('counts its rows and those of the job', () => {
    const { batch, tally } = open(['unsent', 'unsent', 'unsent'])
    batch.setAll([0, 2], 'sending')
    batch.set(2, 'failed', because('why'))
    const counts = { ...noCounts(), unsent: 1, sending: 1, failed: 1 }
    expect(batch.counts).to.deep.equal(counts)
    expect(tally).to.deep.equal(counts)
  })

  it('names the first places in a state, as many as are asked for', () => {
    const { batch } = open(['unsent', 'ok', 'unsent', 'unsent'])
    expect(batch.places('unsent')).to.deep.equal([0, 2, 3])
    expect(batch.places('unsent', 2)).to.deep.equal([0, 2])
    expect(batch.places('unsent', 0)).to.deep.equal([])
    expect(batch.places('failed')).to.deep.equal([])
  })

  it('keeps a reason until another state, also one that is put on a row again', () => {
    const { batch, tally } = open(['unsent', 'unsent'])
    batch.set(0, 'failed', because('why'))
    batch.set(0, 'failed', because('other'))
    expect([...batch.reasons]).to.deep.equal([[0, because('other')]])
    batch.set(1, 'failed')
    expect([...batch.reasons]).to.deep.equal([[0, because('other')]])
    batch.set(0, 'failed')
    expect([...batch.reasons]).to.deep.equal([])
    expect(tally).to.deep.equal({ ...noCounts(), failed: 2 })
  })

  it('notes the request of a row, and the item only where rows add items', () => {
    const { batch } = open(['sending', 'sending'])
    batch.markQueued(1, 900, 7)
    expect([...batch.requestIds]).to.deep.equal([0, 900])
    expect(batch.itemIds).to.equal(undefined)
    expect(batch.state(1)).to.equal('queued')
    expect(batch.payload('price', 1)).to.equal(null)
    expect(() => batch.state(5), 'a row that is not there').to.throw(RangeError)
  })
})
