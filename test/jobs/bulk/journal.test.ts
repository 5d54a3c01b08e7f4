/** Batches as they are handed out, changed and given back as rows. */
import { expect } from 'chai'
import { bulkJob, bulkRows, type NewBulkRow, pricesAt, refusedRows } from '../../../src/jobs/bulk/index.js'
import { BulkJournal, itemsPerCall, rememberItemsPerCall } from '../../../src/jobs/bulk/journal.js'
import type { BulkKind } from '../../../src/jobs/bulk/types.js'
import { textOf } from '../../../src/messages/index.js'
import { openedForEach } from '../../opened.js'
import { because } from '../../said.js'
import { Bench, FakeService } from './support.js'

describe('the batches of a job', () => {
  const bench = openedForEach(() => new Bench(new FakeService()))
  beforeEach(() => {
    rememberItemsPerCall(bench.ledger, 'shop', 2)
  })

  const create = (rows: readonly NewBulkRow[], kind: BulkKind = 'price') => bench.job(kind, rows)
  const rows = (count: number): NewBulkRow[] => Array.from({ length: count }, (_, at) => ({ line: at, id: at + 1, price: 5 }))

  it('are handed out in order, each as it was saved last', () => {
    const jobId = create(rows(6))
    const journal = new BulkJournal(bench.ledger, jobId)
    const ids = (after: number, state: 'unsent' | 'failed' = 'unsent') => {
      const batch = journal.next(state, after)
      return batch && [batch.batch, batch.firstRow, ...batch.ids]
    }
    expect(ids(0)).to.deep.equal([1, 1, 1, 2])
    expect(ids(1)).to.deep.equal([2, 3, 3, 4])
    expect(ids(0), 'from the first again').to.deep.equal([1, 1, 1, 2])
    expect(ids(2)).to.deep.equal([3, 5, 5, 6])
    expect(ids(3)).to.equal(undefined)
    const first = journal.next('unsent', 0)
    first?.setAll([0, 1], 'sending')
    if (first !== undefined) journal.save(first)
    const second = new BulkJournal(bench.ledger, jobId).next('unsent', 1)
    second?.set(0, 'failed', because('why'))
    expect(journal.tally).to.include({ unsent: 4, sending: 2, failed: 0 })
    if (second !== undefined) journal.save(second)
    expect(journal.next('unsent', 1)?.counts, 'not as it was read ahead').to.include({ unsent: 1, failed: 1 })
    expect(ids(0, 'failed')).to.deep.equal([2, 3, 3, 4])
    expect(ids(2, 'failed')).to.equal(undefined)
    expect([...journal.all('unsent')].map(({ batch }) => batch)).to.deep.equal([2, 3])
  })

  it('note when their first row was sent', () => {
    const jobId = create(rows(2))
    const sentAt = () => bench.ledger.store.rows('SELECT sent_at FROM bulk_states')[0]?.[0 as never]
    const move = (places: number[], from: 'unsent' | 'sending', to: 'sending' | 'queued' | 'unsent') => {
      const journal = new BulkJournal(bench.ledger, jobId)
      const batch = journal.next(from as 'unsent', 0)
      batch?.setAll(places, to)
      if (batch !== undefined) journal.save(batch)
      bench.clock.time += 1000
      return sentAt()
    }
    const begin = bench.clock.time
    expect(move([], 'unsent', 'unsent')).to.equal(null)
    expect(move([0], 'unsent', 'sending')).to.equal(begin + 1000)
    expect(move([1], 'unsent', 'sending'), 'the first counts').to.equal(begin + 1000)
    expect(move([0, 1], 'sending', 'unsent')).to.equal(begin + 1000)
    expect(move([0], 'unsent', 'sending'), 'nothing was sent after all').to.equal(begin + 4000)
  })

  it('hold as many rows as was remembered, or as the service recommends', () => {
    expect([itemsPerCall(bench.ledger, 'shop'), itemsPerCall(bench.ledger, 'other')]).to.deep.equal([2, 500])
    rememberItemsPerCall(bench.ledger, 'shop', 7)
    expect(itemsPerCall(bench.ledger, 'shop')).to.equal(7)
  })

  it('are read to the last, however many there are', () => {
    for (const count of [38, 40, 41, 81]) {
      const jobId = create(rows(count))
      expect([...bulkRows(bench.ledger, jobId)].map(({ Row }) => Row)).to.deep.equal(rows(count).map((_, at) => at + 1))
    }
  })

  it('give back the rows that are to be corrected, with all that was sent of them', () => {
    const auction = (BinPrice: number | null, old?: number | null): NewBulkRow => ({
      ...{ line: 1, id: 0, payload: { OpeningPrice: 5, BinPrice }, oldPayload: old === undefined ? null : { BinPrice: old } },
    })
    const given = (
      jobId: number,
      states: string,
      ...more: Parameters<typeof refusedRows> extends [never, never, never, ...infer R] ? R : never[]
    ) => {
      bench.ledger.store.exec(`UPDATE bulk_states SET states = x'${states}' WHERE job_id = ${jobId}`)
      return [...refusedRows(bench.ledger, jobId, textOf, ...more)]
    }
    const auctions = create([auction(null, 300), auction(null, null), auction(null), auction(9, 300)], 'auction-price')
    expect(given(auctions, '04050708').map(({ fields, reason }) => [fields.BinPrice, reason])).to.deep.equal([
      ['none', 'failed'],
      [null, 'retryable'],
      [null, 'held'],
      [9, 'skipped'],
    ])
    expect(given(auctions, '00010203')).to.deep.equal([])
    const priced = create([
      { line: 1, id: 4, price: 7, ownReference: 'L-1', extra: ['x'] },
      { line: 2, id: 5, price: 8 },
    ])
    expect(given(priced, '0404')).to.deep.equal([
      { fields: { Id: 4, OwnReference: 'L-1', Price: 7 }, extra: ['x'], reason: 'failed' },
      { fields: { Id: 5, Price: 8 }, extra: [], reason: 'failed' },
    ])
    const removed = create([{ line: 1, id: 6 }], 'remove')
    expect(given(removed, '04')).to.deep.equal([{ fields: { Id: 6 }, extra: [], reason: 'failed' }])
    expect([...refusedRows(bench.ledger, removed, textOf, ['ok'])]).to.deep.equal([])
  })

  it('are none of a listing', () => {
    const { JobId } = bench.ledger.jobs.create({ kind: 'listing', profile: 'shop', title: 'x' })
    expect(() => bulkJob(bench.ledger, JobId))
      .to.throw(`Job ${JobId} is a listing and has no rows.`)
      .with.deep.include({ code: 'no_bulk_job', details: { jobId: JobId } })
  })

  it('that set prices are the prices at a time, in the form of a price file', () => {
    const jobId = create(rows(2))
    bench.ledger.store.exec(`UPDATE bulk_states SET states = x'0304', ok = 1, failed = 1 WHERE job_id = ${jobId}`)
    const found = pricesAt(bench.ledger, { profile: 'shop', userId: null }, bench.clock.time + 1)
    expect(found.form).to.deep.equal({ kind: 'rule', columns: ['Id', 'Price'] })
    expect([...found]).to.deep.equal([{ line: 0, id: 1, price: 5 }])
  })
})
