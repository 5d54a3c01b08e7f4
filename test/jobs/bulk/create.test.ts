/** Rows of a new job in the ledger. */
import { expect } from 'chai'
import { bulkJob, bulkRows, createBulkJob, type NewBulkJob, type NewBulkRow } from '../../../src/jobs/bulk/index.js'
import { rememberItemsPerCall } from '../../../src/jobs/bulk/journal.js'
import { openedForEach } from '../../opened.js'
import { because, said } from '../../said.js'
import { Bench, FakeService, FORM } from './support.js'

describe('a new job', () => {
  const bench = openedForEach(() => new Bench(new FakeService()))

  const create = (rows: Iterable<NewBulkRow>, more: Partial<NewBulkJob> = {}) =>
    createBulkJob(bench.ledger, { kind: 'price', profile: 'shop', title: 't', form: FORM, rows, ...more })
  const rows = (count: number, more: (at: number) => Partial<NewBulkRow> = () => ({})): NewBulkRow[] =>
    Array.from({ length: count }, (_, at) => ({ line: at + 2, id: at + 1, price: 50, ...more(at) }))
  const batches = (jobId: number) =>
    bench.ledger.store.rows('SELECT batch, first_row, count FROM bulk_batches WHERE job_id = ? ORDER BY batch', jobId)

  it('has batches of as many rows as a call may hold, held and skipped rows apart', () => {
    expect(batches(create(rows(500)).JobId)).to.deep.equal([[1, 1, 500]])
    expect(batches(create(rows(501)).JobId)).to.deep.equal([
      [1, 1, 500],
      [2, 501, 1],
    ])
    rememberItemsPerCall(bench.ledger, 'shop', 2)
    for (const kind of ['price', 'stock'] as const) {
      expect(batches(create(rows(3), { kind }).JobId), kind).to.deep.equal([
        [1, 1, 2],
        [2, 3, 1],
      ])
    }
    for (const kind of ['remove', 'add-shop', 'auction-price'] as const) {
      expect(batches(create(rows(3), { kind }).JobId), kind).to.deep.equal([[1, 1, 3]])
    }
    expect(batches(create(rows(3), { profile: 'other' }).JobId)).to.deep.equal([[1, 1, 3]])
    const mixed = create(rows(5, (at) => (at === 0 ? { held: because('h') } : at === 1 ? { skipped: because('s') } : {})))
    expect(
      [...bulkRows(bench.ledger, mixed.JobId)].map(({ Row, Id, State, Hold }) => [Row, Id, State, said({ Hold })]),
    ).to.deep.equal([
      [1, 3, 'unsent', null],
      [2, 4, 'unsent', null],
      [3, 5, 'unsent', null],
      [4, 1, 'held', 'h'],
      [5, 2, 'skipped', 's'],
    ])
    expect(mixed).to.include({ State: 'open', Rows: 5, FinishedAt: null })
    expect(mixed.Counts).to.include({ unsent: 3, held: 1, skipped: 1, sending: 0 })
  })

  it('is over at once where nothing is to be sent', () => {
    const states = (...all: Partial<NewBulkRow>[]) => {
      const { State, FinishedAt } = create(rows(all.length, (at) => all[at] ?? {}))
      return [State, FinishedAt !== null]
    }
    expect(states()).to.deep.equal(['ok', true])
    expect(states({ held: because('') })).to.deep.equal(['partial', true])
    expect(states({ skipped: because('s') })).to.deep.equal(['partial', true])
    expect(states({ held: null, skipped: null })).to.deep.equal(['open', false])
    expect(states({ held: because('h'), skipped: because('s') })).to.deep.equal(['partial', true])
  })

  it('takes no row of prices without a price, in place of which 0 would be sent', () => {
    expect(() => create([{ line: 2, id: 1 }])).to.throw(TypeError, 'Line 2 of a price job has no price.')
  })

  it('gives back every value of a row, and none where there is none', () => {
    const given: NewBulkRow[] = [
      { line: 2, id: 1, price: 0 },
      {
        ...{
          line: 3,
          id: 2,
          ownReference: 'L-1',
          title: 'Lampa',
          price: 50,
          oldPrice: 40,
          payload: { a: 1 },
          oldPayload: { b: 2 },
        },
        extra: ['x', null],
      },
      { line: 4, id: 3, ownReference: null, title: null, price: 0, oldPrice: null, payload: null, oldPayload: null, extra: [] },
    ]
    const { JobId } = create(given)
    const none = {
      ...{ JobId, OwnReference: null, Title: null, OldPrice: null, Price: 0, Payload: null, OldPayload: null, State: 'unsent' },
      ...{ RequestId: null, Hold: null, Extra: [] },
    }
    expect([...bulkRows(bench.ledger, JobId)]).to.deep.equal([
      { ...none, Row: 1, Line: 2, Id: 1 },
      {
        ...{ ...none, Row: 2, Line: 3, Id: 2, OwnReference: 'L-1', Title: 'Lampa', OldPrice: 40, Price: 50 },
        ...{ Payload: { a: 1 }, OldPayload: { b: 2 }, Extra: ['x', null] },
      },
      { ...none, Row: 3, Line: 4, Id: 3 },
    ])
    const columns = () =>
      bench.ledger.store.first<object>(
        `SELECT b.prices IS NULL AS prices, b.old_prices IS NULL AS olds, b.payloads, b.extras, b.titles, s.item_ids IS NULL AS ids, s.reasons
         FROM bulk_batches b JOIN bulk_states s USING (job_id, batch) ORDER BY b.job_id DESC LIMIT 1`,
      )
    const empty = { payloads: null, extras: null, titles: null, reasons: null }
    create([{ line: 1, id: 9 }], { kind: 'remove' })
    expect(columns()).to.deep.include({ ...empty, prices: 1, olds: 1, ids: 1 })
    create([{ line: 1, id: 9, price: 5 }])
    expect(columns()).to.deep.include({ ...empty, prices: 0, olds: 0, ids: 1 })
    for (const kind of ['add-shop', 'add-item'] as const) {
      create([{ line: 1, id: 0, payload: { Title: 'Vas' } }], { kind })
      expect(columns()).to.deep.include({ ...empty, prices: 1, ids: 0, payloads: '[{"Title":"Vas"}]' })
    }
    expect([...bulkRows(bench.ledger, bench.ledger.jobs.list()[0]?.JobId ?? 0)][0]).to.include({
      Id: null,
      Title: 'Vas',
      Price: null,
    })
  })

  it('takes an item once, but rows that add items as often as they come, and believes who knows that all differ', () => {
    const twice = () => rows(2, () => ({ id: 7 }))
    expect(() => create(twice())).to.throw('Item 7 has two rows in the job; line 3 is the second.')
    expect(bench.ledger.jobs.list()).to.deep.equal([])
    expect(create(twice(), { distinct: true }).Rows).to.equal(2)
    expect(() => create(twice(), { distinct: false })).to.throw('two rows')
    expect(
      create(
        rows(2, () => ({ id: 0 })),
        { kind: 'add-shop' },
      ).Rows,
    ).to.equal(2)
    expect(() => create([...rows(3), ...rows(1, () => ({ id: 2 }))]), 'not only next to each other').to.throw('Item 2 ')
  })

  it('knows which jobs it undoes, the oldest first', () => {
    for (let at = 0; at < 3; at++) create(rows(1))
    const undone = (undoOf?: number[]) => {
      const { JobId } = create(rows(1), { undoOf })
      const { UndoOf, UndoneJobs, Blind } = bulkJob(bench.ledger, JobId)
      expect(Blind).to.equal(false)
      return [UndoOf, UndoneJobs]
    }
    expect(undone()).to.deep.equal([null, []])
    expect(undone([])).to.deep.equal([null, []])
    expect(undone([2])).to.deep.equal([2, [2]])
    expect(undone([3, 1, 2])).to.deep.equal([3, [1, 2, 3]])
    expect(create(rows(1), { blind: true }).Blind).to.equal(true)
  })

  it('tells its id in the same transaction, so that it is written with what belongs to it or not at all', () => {
    let told = 0
    const { JobId } = create(rows(1), {
      recorded: (jobId) => {
        told = jobId
      },
    })
    expect(told).to.equal(JobId)
    const fails = () =>
      create(rows(1), {
        recorded: () => {
          throw new Error('no')
        },
      })
    expect(fails).to.throw('no')
    expect(bench.ledger.jobs.list()).to.have.length(1)
  })
})
