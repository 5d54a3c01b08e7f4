/** Decisions of the seller about the rows of a job: to send some again, to take some as carried out, to undo them. */
import { expect } from 'chai'
import {
  bulkJob,
  bulkRows,
  createWhole,
  dropJob,
  inFlight,
  type NewBulkRow,
  planAuctionUndo,
  planUndo,
  planValueUndo,
  type RunBulkOptions,
  refuseDropped,
} from '../../../src/jobs/bulk/index.js'
import type { BulkKind } from '../../../src/jobs/bulk/types.js'
import { inWords, said } from '../../said.js'
import { thrown } from '../harness.js'
import { Bench, FakeService, FORM } from './support.js'

const [UNSENT, SENDING, QUEUED, OK, FAILED, RETRYABLE, UNKNOWN] = ['00', '01', '02', '03', '04', '05', '06']
const COLUMNS = ['unsent', 'sending', 'queued', 'ok', 'failed', 'retryable', 'unknown']

describe('the choices about a job', () => {
  let bench: Bench
  afterEach(() => bench.close())

  const create = (kind: BulkKind, rows: readonly NewBulkRow[]) => bench.job(kind, rows, { userId: 7 })
  /** Puts the rows of a job into states. */
  const put = (jobId: number, ...states: (string | undefined)[]) => {
    const counts = COLUMNS.map((column, byte) => `${column} = ${states.filter((state) => Number(state) === byte).length}`)
    bench.ledger.store.exec(`UPDATE bulk_states SET states = x'${states.join('')}', ${counts.join()} WHERE job_id = ${jobId}`)
  }

  describe('of a run', () => {
    const prepared = () => {
      bench = new Bench(FakeService.shop(6))
      const jobId = bench.price(6)
      put(jobId, FAILED, RETRYABLE, UNKNOWN, UNKNOWN, OK, QUEUED)
      bench.ledger.store.exec(
        `UPDATE bulk_states SET request_ids = x'${'09000000'.repeat(2)}${'00000000'.repeat(2)}0900000000000000'`,
      )
      return jobId
    }
    const run = async (options: Partial<RunBulkOptions>) => {
      const jobId = prepared()
      await bench.run(jobId, options)
      const sent = bench.service
        .of('SetPriceOnShopItems')
        .flatMap(({ params }) => params.request?.ShopItems.map(({ Id }) => Id) ?? [])
      return [sent, bench.states(jobId)]
    }

    for (const [what, options, expected] of [
      ['leaves what failed and what is unknown', {}, [[], ['failed', 'retryable', 'unknown', 'unknown', 'ok', 'queued']]],
      [
        'sends again what failed',
        { retryFailed: true },
        [
          [1, 2],
          ['queued', 'queued', 'unknown', 'unknown', 'ok', 'queued'],
        ],
      ],
      [
        'sends again what is unknown',
        { retryUnknown: true },
        [
          [3, 4],
          ['failed', 'retryable', 'queued', 'queued', 'ok', 'queued'],
        ],
      ],
      [
        'sends again the unknown rows that are named',
        { retryUnknown: true, unknownRows: new Set([4, 1]) },
        [[4], ['failed', 'retryable', 'unknown', 'queued', 'ok', 'queued']],
      ],
      ['takes the unknown as carried out', { assumeUnknown: true }, [[], ['failed', 'retryable', 'ok', 'ok', 'ok', 'queued']]],
      [
        'takes the unknown rows that are named as carried out',
        { assumeUnknown: true, unknownRows: new Set([3]) },
        [[], ['failed', 'retryable', 'ok', 'unknown', 'ok', 'queued']],
      ],
      [
        'names rows without a choice',
        { unknownRows: new Set([3]) },
        [[], ['failed', 'retryable', 'unknown', 'unknown', 'ok', 'queued']],
      ],
    ] as const) {
      it(what, async () => {
        expect(await run(options)).to.deep.equal(expected)
      })
    }

    it('says of a row that was taken as carried out that it was', async () => {
      const jobId = prepared()
      await bench.run(jobId, { assumeUnknown: true })
      const [row] = [...bulkRows(bench.ledger, jobId, ['ok'])]
      expect(said(row)).to.equal("its reply was lost; taken as carried out on the seller's word")
    })

    it('forgets the request of a row that is sent again', async () => {
      const jobId = prepared()
      bench.service.outcome = () => ({ kind: 'quota' })
      const outcome = await bench.run(jobId, { retryFailed: true })
      expect(outcome).to.include({ stop: 'quota', verdict: 'unknown_outcome' })
      expect([...bulkRows(bench.ledger, jobId)].map(({ State, RequestId }) => [State, RequestId])).to.deep.equal([
        ['unsent', null],
        ['unsent', null],
        ['unknown', null],
        ['unknown', null],
        ['ok', 9],
        ['queued', null],
      ])
      expect(bulkJob(bench.ledger, jobId).Message).to.be.a('string')
    })

    it('looks at once where rows are queued, before it sends more or where it is not to wait', async () => {
      bench = new Bench(FakeService.shop(2))
      bench.service.looks = 99
      const jobId = bench.price(2)
      await bench.run(jobId)
      const names = () => bench.service.calls.splice(0).map(({ operation }) => operation)
      expect(names()).to.deep.equal(['SetPriceOnShopItems'])
      expect(await bench.run(jobId)).to.include({ verdict: 'ok', timedOut: false })
      expect(names()).to.deep.equal(['GetRequestResults'])
      const waited = await bench.run(jobId, { wait: true, timeoutMs: 1500 })
      expect(waited).to.include({ verdict: 'pending', timedOut: true, calls: 2 })
      expect(names()).to.deep.equal(['GetRequestResults', 'GetRequestResults'])
      put(jobId, UNSENT, QUEUED)
      await bench.run(jobId)
      expect(names()).to.deep.equal(['GetRequestResults', 'SetPriceOnShopItems'])
    })

    it('waits ten minutes by default', async () => {
      bench = new Bench(FakeService.shop(1))
      bench.service.looks = 999
      const begin = bench.clock.time
      expect(await bench.run(bench.price(1), { wait: true })).to.include({ verdict: 'pending' })
      expect(bench.clock.time - begin).to.equal(600_000)
    })
  })

  describe('to drop it', () => {
    it('name the job, and what is under way', async () => {
      bench = new Bench(FakeService.shop(3))
      const jobId = bench.price(3)
      put(jobId, UNSENT, SENDING, QUEUED)
      expect(inFlight(bench.ledger, jobId)).to.deep.equal({ unknown: 1, queued: 1 })
      const error = await thrown(() => dropJob(bench.ledger, jobId, { certain: false }))
      expect(error).to.deep.include({ code: 'job_in_flight', details: { jobId, unknown: 1, queued: 1 } })
      const dropped = dropJob(bench.ledger, jobId, { certain: true })
      expect(dropped.Counts).to.include({ unsent: 1, sending: 1, queued: 1 })
      const again = await thrown(() => dropJob(bench.ledger, jobId, { certain: true }))
      expect(again).to.deep.include({ code: 'job_over', details: { jobId, state: 'cancelled' } })
      expect(await thrown(() => refuseDropped(dropped))).to.deep.include({
        code: 'job_over',
        details: { jobId, state: 'cancelled' },
      })
      expect(() => refuseDropped({ ...dropped, State: 'open' })).not.to.throw()
    })

    it('find of a listing its steps under way, and the request that is queued', () => {
      bench = new Bench(new FakeService())
      const { jobs, store } = bench.ledger
      const { JobId } = jobs.create({ kind: 'listing', profile: 'shop', title: 'x' })
      for (const [at, state] of ['done', 'sending', 'unknown', 'failed'].entries()) {
        store.run(
          "INSERT INTO listing_steps (job_id, step, operation, subject, state) VALUES (?, ?, 'AddItemImage', 'x', ?)",
          JobId,
          at,
          state,
        )
      }
      expect(inFlight(bench.ledger, JobId)).to.deep.equal({ unknown: 2, queued: 0 })
      jobs.update(JobId, { state: 'waiting' })
      expect(inFlight(bench.ledger, JobId)).to.deep.equal({ unknown: 2, queued: 1 })
    })

    it('end the parts that are not over, and no other job', async () => {
      bench = new Bench(FakeService.shop(3))
      const part = (kind: BulkKind, ...ids: number[]) => ({ kind, rows: ids.map((id) => ({ line: id, id, price: 5 })) })
      const before: number[] = []
      const { JobId } = createWhole(
        bench.ledger,
        { profile: 'shop', userId: 7, title: 't', form: FORM, parts: [part('remove', 2), part('price', 1)] },
        () => before.push(bench.ledger.jobs.list().length),
      )
      expect(before).to.deep.equal([0])
      expect(bench.ledger.jobs.detail(JobId, {})).to.deep.equal({ form: FORM, blind: false })
      const alone = bench.price({ 3: 9 })
      const states = () => bench.ledger.jobs.list().map(({ Kind, State }) => `${Kind} ${State}`)
      await bench.run(2, { wait: true })
      dropJob(bench.ledger, JobId, { certain: false })
      expect(states()).to.deep.equal(['price open', 'remove cancelled', 'price ok', 'sync cancelled'])
      await bench.run(alone, { wait: true })
      expect(bench.ledger.jobs.show(JobId).State).to.equal('cancelled')
    })
  })

  describe('to undo it', () => {
    it('restores the normal price of an item that was in a sale, and needs the old price of any other', async () => {
      bench = new Bench(FakeService.shop({ 1: 80, 2: 50, 3: 50 }))
      const rows = [
        { line: 4, id: 1, price: 80, oldPrice: 90 },
        { line: 5, id: 2, price: 50, oldPrice: null },
        { line: 6, id: 3, price: 50, oldPrice: 60 },
      ]
      const jobId = create('price', rows)
      put(jobId, OK, OK, OK)
      bench.ledger.store.run(
        'INSERT INTO discount_changes (job_id, item_id, normal_from, normal_to) VALUES (?, 1, 120, 80)',
        jobId,
      )
      const plan = await planUndo(bench.ledger, [jobId], bench.service.live)
      expect(
        [...plan.entries()].map(({ Id, Line, OldPrice, NewPrice, State }) => [Id, Line, OldPrice, NewPrice, State]),
      ).to.deep.equal([
        [1, 4, 80, 120, 'change'],
        [3, 6, 50, 60, 'change'],
      ])
      expect(plan.form).to.deep.equal({ kind: 'rule', columns: ['Id', 'Price'] })
    })

    it('counts what it plans for auctions, those that are gone too, and passes over rows without old prices', async () => {
      bench = new Bench(new FakeService())
      const old = { OpeningPrice: 100, ReservedPrice: null, BinPrice: null }
      const set = { OpeningPrice: 120, ReservedPrice: null, BinPrice: null }
      const ids = [1, 2, 3, 4, 5]
      const rows = ids.map((id) => ({ line: id, id, title: `A${id}`, payload: set, oldPayload: id === 5 ? null : old }))
      const jobId = create('auction-price', rows)
      put(jobId, OK, OK, OK, SENDING, OK)
      const item = (Id: number, OpeningBid: number, ReservePrice: number | null = null) => ({
        ...{ Id, ItemType: 'Auction', OpeningBid, ReservePrice, BuyItNowPrice: null, TotalBids: 0 },
      })
      const plan = await planAuctionUndo(bench.ledger, [jobId], [item(1, 120), item(2, 100), item(4, 120), item(5, 120)])
      expect(plan.summary).to.include({ Rows: 4, Change: 1, Unchanged: 1, Unknown: 1, Held: 1, Calls: 1, Fees: 0, Stopped: null })
      expect(plan.extras).to.deep.equal([[], [], [], []])
      expect(plan.form).to.deep.equal({ kind: 'rule', columns: ['Id', 'OpeningPrice', 'ReservedPrice', 'BinPrice'] })
      expect(plan.entries[2] && inWords(plan.entries[2])).to.deep.equal({
        ...{ Line: 3, Id: 3, Title: 'A3', OldOpeningPrice: null, OldReservedPrice: null, OldBinPrice: null, ...old },
        ...{ Fee: 0, State: 'unknown', Reason: 'no live item has id 3', Send: null },
      })
      expect(plan.entries[3]).to.include({ State: 'held', Send: null, Fee: 0 })
      expect(said(plan.entries[3])).to.include('it was being sent in job 1 when the program ended')
      const moved = await planAuctionUndo(bench.ledger, [jobId], [item(1, 120, 500)])
      expect(said(moved.entries[0])).to.include('the live prices are no longer those that the job set')
    })

    it('goes back to the oldest number in stock, and holds what is still on its way in any of the jobs', async () => {
      bench = new Bench(new FakeService())
      const stock = (id: number, Quantity: number, was: number | null): NewBulkRow => ({
        ...{ line: id, id, payload: { Quantity }, oldPayload: was === null ? null : { Quantity: was } },
      })
      const first = create('stock', [stock(1, 5, 3), stock(2, 5, 3), stock(3, 5, null), stock(4, 5, 3), stock(5, 5, 3)])
      const second = create('stock', [stock(1, 8, 5), stock(2, 8, 5)])
      put(first, OK, SENDING, OK, FAILED, OK)
      put(second, OK, RETRYABLE)
      const live = [1, 2, 3, 4, 5].map((Id) => ({ Id, ItemType: 'ShopItem', RemainingQuantity: Id === 5 ? 5 : 8 }))
      const plan = await planValueUndo(bench.ledger, 'stock', [second, first], live as never)
      expect(plan.entries.map(({ Id, Value, Old, State }) => [Id, Value, Old, State])).to.deep.equal([
        [1, 3, 8, 'change'],
        [2, 3, 8, 'held'],
        [5, 3, 5, 'change'],
      ])
      expect(plan.summary.Calls).to.equal(1)
      expect(plan.form).to.deep.equal({ kind: 'rule', columns: ['Id', 'Quantity'] })
    })

    it('is refused with the job named', async () => {
      bench = new Bench(FakeService.shop(1))
      const blind = bench.price(1, { blind: true })
      const removal = create('remove', [{ line: 1, id: 1 }])
      const prices = bench.price(1)
      for (const [work, jobId] of [
        [() => planUndo(bench.ledger, [prices, blind], []), blind],
        [() => planUndo(bench.ledger, [removal], []), removal],
        [() => planValueUndo(bench.ledger, 'stock', [prices], []), prices],
        [() => planAuctionUndo(bench.ledger, [prices], []), prices],
      ] as const) {
        expect(await thrown(work)).to.deep.include({ code: 'undo_impossible', details: { jobId } })
      }
    })
  })
})
