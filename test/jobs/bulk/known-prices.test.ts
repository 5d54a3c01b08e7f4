import { expect } from 'chai'
import type { Hold } from '../../../src/holds/index.js'
import { dropJob, knownAuctionPrices, knownPrices, pricesAt } from '../../../src/jobs/bulk/index.js'
import { rememberItemsPerCall } from '../../../src/jobs/bulk/journal.js'
import { ROW_STATES } from '../../../src/jobs/bulk/types.js'
import type { AuctionPricesSent } from '../../../src/pricing/index.js'
import { openedForEach } from '../../opened.js'
import { because } from '../../said.js'
import { Bench, FakeService } from './support.js'

const DAY = 24 * 60 * 60 * 1000

describe('prices that the ledger knows', () => {
  const bench = openedForEach(() => new Bench(FakeService.shop(1200)))

  const job = (
    rows: readonly { id: number; price: number; oldPrice: number; held?: Hold }[],
    profile = 'shop',
    userId?: number,
  ) =>
    bench.job(
      'price',
      rows.map((row, at) => ({ line: at + 2, ...row })),
      { profile, userId },
    )
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
        { id: 1, price: 90, oldPrice: 100, held: because('why') },
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
      const at = pricesAt(bench.ledger, { profile: 'shop', userId: null }, bench.clock.time)
      expect([jobId, at.length]).to.deep.equal([1, batches])
    })
  }

  it('are folded by day once the jobs of a day have ended, and the same by the fold as by the rows', async () => {
    const set = (steps: readonly (readonly [id: number, oldPrice: number, price: number])[]) =>
      bench.run(job(steps.map(([id, oldPrice, price]) => ({ id, oldPrice, price }))), { wait: true })
    const folds = () => bench.ledger.store.first<{ n: number }>('SELECT count(*) AS n FROM price_folds')?.n
    const seen = (jump: number | null) => {
      const found = knownPrices(bench.ledger, { profile: 'shop', userId: null, since: bench.clock.now() - 5 * DAY, jump })
      return [1, 2, 3, 4].map((id) => found.of(id)?.first)
    }
    const both = (what: string) => {
      for (const jump of [null, 0.05, 0.2, 0.5, 2]) {
        const byFold = seen(jump)
        expect(byFold, `${what}, ${jump}, again`).to.deep.equal(seen(jump))
        bench.ledger.store.exec('DELETE FROM price_folds')
        expect(byFold, `${what}, ${jump}`).to.deep.equal(seen(jump))
      }
    }
    await set([
      [1, 100, 108],
      [2, 100, 130],
      [3, 0, 50],
    ])
    await set([
      [1, 108, 104],
      [2, 130, 20],
    ])
    expect([seen(0.5), folds()], 'today').to.deep.equal([[100, 20, 50, undefined], 0])
    bench.clock.time += DAY
    await set([
      [2, 20, 22],
      [4, 10, 30],
    ])
    expect([seen(0.5), folds()]).to.deep.equal([[100, 20, 50, 30], 1])
    both('two days')
    bench.clock.time += DAY
    await set([[1, 104, 99]])
    expect(seen(0.5), 'a fold and what follows it').to.deep.equal([100, 20, 50, 30])
    both('three days')
    seen(0.5)
    bench.ledger.store.run(`UPDATE jobs SET counts = '{"ok":2}' WHERE id = 1`)
    bench.ledger.store.run('UPDATE bulk_states SET states = ?, ok = 2, unsent = 1 WHERE job_id = 1', new Uint8Array([3, 3, 0]))
    expect(seen(0.5)[2], 'a job that is another now').to.equal(undefined)
    bench.clock.time += 4 * DAY
    expect([seen(0.5), folds()], 'before the window').to.deep.equal([[104, undefined, undefined, undefined], 1])
  })

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
})

describe('prices of auctions that the ledger knows', () => {
  const bench = openedForEach(() => new Bench(FakeService.shop(3)))

  const prices = (OpeningPrice: number, ReservedPrice: number | null = null, BinPrice: number | null = null) =>
    ({ OpeningPrice, ReservedPrice, BinPrice }) satisfies AuctionPricesSent
  /** A job of one row in a state. */
  const job = (
    id: number,
    from: AuctionPricesSent | undefined,
    to: AuctionPricesSent,
    state: (typeof ROW_STATES)[number],
    userId = 7,
  ): number => {
    const rows = [{ line: 2, id, payload: to, oldPayload: from }]
    const jobId = bench.job('auction-price', rows, { userId })
    bench.ledger.store.run(
      `UPDATE bulk_states SET states = ?, unsent = 0, ${state} = 1 WHERE job_id = ?`,
      new Uint8Array([ROW_STATES.indexOf(state)]),
      jobId,
    )
    bench.clock.time += DAY
    return jobId
  }
  const known = (more: { since?: number; jump?: number | null } = {}) =>
    knownAuctionPrices(bench.ledger, { profile: 'shop', userId: 7, since: 0, jump: 0.5, ...more })

  it('are the first of each price in the window, and what a stopped job was sending', () => {
    job(1, prices(100, null, 900), prices(120, null, 1000), 'ok')
    const stopped = job(1, prices(120, null, 1000), prices(130, 500, null), 'sending')
    const state = 'sending'
    expect(known().of(1)).to.deep.equal({
      OpeningPrice: { first: 100, pending: { price: 130, jobId: stopped, state } },
      // New: there was none to begin with.
      ReservedPrice: { first: 500, pending: { price: 500, jobId: stopped, state } },
      // Removed: a step over the limit, after which the measure begins anew.
      BinPrice: { first: 0, pending: { price: 0, jobId: stopped, state } },
    })
    expect(known().of(2)).to.deep.equal({ OpeningPrice: undefined, ReservedPrice: undefined, BinPrice: undefined })
  })
  it('wait for nothing once a later job has set them, or the stopped one was given up', () => {
    job(1, prices(100), prices(110), 'sending')
    job(1, prices(110), prices(120), 'ok')
    expect(known().of(1).OpeningPrice).to.deep.equal({ first: 100, pending: undefined })
    const dropped = job(2, prices(100), prices(110), 'sending')
    expect(known().of(2).OpeningPrice?.pending?.jobId).to.equal(dropped)
    dropJob(bench.ledger, dropped, { certain: true })
    expect(known().of(2).OpeningPrice).to.deep.equal({ first: 100, pending: undefined })
  })
  it('leave out what is older, of another seller, or was not carried out, and take a price that was not read for what it was set to', () => {
    job(1, prices(100), prices(110), 'ok')
    const since = bench.clock.now()
    job(2, prices(100), prices(110), 'failed')
    job(3, undefined, prices(130), 'ok')
    job(4, prices(100), prices(110), 'ok', 8)
    const found = known({ since })
    expect([1, 2, 3, 4].map((id) => found.of(id).OpeningPrice?.first)).to.deep.equal([undefined, undefined, 130, undefined])
  })
})
