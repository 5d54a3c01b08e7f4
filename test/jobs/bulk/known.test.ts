import { expect } from 'chai'
import { createBulkJob, dropJob, knownPrices, pricesAt } from '../../../src/jobs/bulk/index.js'
import { rememberItemsPerCall } from '../../../src/jobs/bulk/journal.js'
import { ROW_STATES } from '../../../src/jobs/bulk/types.js'
import { Bench, FakeService, FORM } from './support.js'

const DAY = 24 * 60 * 60 * 1000

describe('prices that the ledger knows', () => {
  let bench: Bench
  beforeEach(() => {
    bench = new Bench(FakeService.shop(1200))
  })
  afterEach(() => bench.close())

  const job = (
    rows: readonly { id: number; price: number; oldPrice: number; held?: string }[],
    profile = 'shop',
    userId?: number,
  ) =>
    createBulkJob(bench.ledger, {
      kind: 'price',
      profile,
      userId,
      title: 't',
      form: FORM,
      rows: rows.map((row, at) => ({ line: at + 2, ...row })),
    }).JobId
  const known = (more: { userId?: number; since?: number } = {}) =>
    knownPrices(bench.ledger, { profile: 'shop', userId: null, since: 0, jump: 0.5, ...more })

  it('are those that were set, the first of the window and the last one under way', async () => {
    await bench.run(job([{ id: 1, price: 90, oldPrice: 100 }]), { wait: true })
    await bench.run(job([{ id: 1, price: 80, oldPrice: 90 }]))
    const found = known().of(1)
    expect(found?.first).to.equal(100)
    expect(found?.pending).to.deep.equal({ price: 80, jobId: 2, state: 'queued' })
  })
  it('leave out what was held, refused, not sent, or belongs to another shop', async () => {
    bench.service.invalid = (id) => (id === 2 ? 'no' : undefined)
    await bench.run(
      job([
        { id: 1, price: 90, oldPrice: 100, held: 'why' },
        { id: 2, price: 90, oldPrice: 100 },
        { id: 3, price: 90, oldPrice: 100 },
      ]),
      { wait: true },
    )
    job([{ id: 4, price: 90, oldPrice: 100 }])
    await bench.run(job([{ id: 5, price: 90, oldPrice: 100 }], 'other'), { wait: true })
    await bench.run(job([{ id: 6, price: 90, oldPrice: 100 }], 'shop', 17), { wait: true })
    const found = known({ userId: 4 })
    expect([1, 2, 3, 4, 5, 6].map((id) => found.of(id)?.first)).to.deep.equal([
      undefined,
      undefined,
      100,
      undefined,
      undefined,
      undefined,
    ])
  })
  for (const batches of [199, 200, 201, 400]) {
    it(`are read to the end where a job has ${batches} batches`, async () => {
      rememberItemsPerCall(bench.ledger, 'shop', 1)
      const rows = Array.from({ length: batches }, (_, at) => ({ id: at + 1, price: 90, oldPrice: 100 }))
      const jobId = job(rows)
      bench.ledger.store.run('UPDATE bulk_states SET states = ?, unsent = 0, ok = 1', new Uint8Array([ROW_STATES.indexOf('ok')]))
      const found = known()
      expect([1, batches, batches + 1].map((id) => found.of(id)?.first)).to.deep.equal([100, 100, undefined])
      bench.clock.time += DAY
      const at = pricesAt(bench.ledger, { profile: 'shop', userId: null, at: bench.clock.time })
      expect([jobId, at.length]).to.deep.equal([1, batches])
    })
  }

  it('leave out what is older than the window', async () => {
    await bench.run(job([{ id: 1, price: 90, oldPrice: 100 }]), { wait: true })
    bench.clock.time += 15 * DAY
    await bench.run(job([{ id: 1, price: 80, oldPrice: 90 }]), { wait: true })
    expect(known({ since: bench.clock.now() - 14 * DAY }).of(1)?.first).to.equal(90)
  })
  it('do not wait for a job that was given up', async () => {
    const id = job([{ id: 1, price: 90, oldPrice: 100 }])
    await bench.run(id)
    dropJob(bench.ledger, id, { certain: true })
    expect(known().of(1)).to.deep.equal({ first: 100, pending: undefined })
  })
  it('are read over many batches', async () => {
    for (let round = 0; round < 3; round++) {
      const rows = Array.from({ length: 1200 }, (_, at) => ({ id: at + 1, price: 99 - round, oldPrice: 100 - round }))
      await bench.run(job(rows), { wait: true })
    }
    const found = known()
    for (const id of [1, 500, 501, 1200]) expect(found.of(id)).to.deep.equal({ first: 100, pending: undefined })
    expect(found.of(1201)).to.equal(undefined)
  })
})
