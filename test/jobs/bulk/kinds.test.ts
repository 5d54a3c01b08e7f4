/** Rows that are sent one per call: auction prices, removals, additions. */
import { expect } from 'chai'
import {
  auctionJobRows,
  bulkJob,
  bulkRows,
  checkUnknownRows,
  type NewBulkRow,
  refusedRows,
  verifyBulkJob,
} from '../../../src/jobs/bulk/index.js'
import { textOf } from '../../../src/messages/index.js'
import { planAuctionPrices } from '../../../src/pricing/index.js'
import { readAuctionRows, writeRefusedRows } from '../../../src/rows/index.js'
import { Bench, FakeService } from './support.js'

describe('bulk jobs of one call a row', () => {
  let bench: Bench
  afterEach(() => bench.close())

  const adds = (count: number, titled = (at: number) => `Lampa ${at}`): number => {
    const rows = Array.from(
      { length: count },
      (_, at): NewBulkRow => ({
        line: at + 2,
        id: 0,
        payload: { Title: titled(at), CategoryId: 1, Price: 50 + at, OwnReferences: [`L-${at}`] },
      }),
    )
    return bench.job('add-shop', rows)
  }
  const titles = () => [...bench.service.items.values()].map((item) => item.ShortDescription).sort()

  describe('auction prices', () => {
    const auctions = () => {
      const service = new FakeService()
      for (const id of [1, 2, 3]) service.put(id, 300, { ItemType: 'Auction', OpeningBid: 100, ReservePrice: null, TotalBids: 0 })
      return service
    }
    it('are set at once, each by its call', async () => {
      bench = new Bench(auctions())
      const plan = await planAuctionPrices(
        await readAuctionRows(['Id,OpeningPrice,ReservedPrice,BinPrice\n1,90,,\n2,90,150,none\n3,400,,\n']),
        bench.service.live,
      )
      const jobId = bench.job('auction-price', auctionJobRows(plan), { form: plan.form })
      const outcome = await bench.run(jobId)
      expect(outcome).to.include({ verdict: 'held', calls: 2 })
      expect(bench.states(jobId)).to.deep.equal(['ok', 'ok', 'held'])
      expect(bench.service.calls.map((call) => call.params)).to.deep.equal([
        { itemId: 1, openingPrice: 90, ReservedPrice: null, BinPrice: 300 },
        { itemId: 2, openingPrice: 90, ReservedPrice: 150, BinPrice: null },
      ])
      expect((await verifyBulkJob(bench.ledger, jobId, bench.service.live)).Differences).to.deep.equal([])
      bench.service.put(2, 5, { ...bench.service.items.get(2), BuyItNowPrice: 5 })
      expect((await verifyBulkJob(bench.ledger, jobId, bench.service.live)).Differences).to.deep.equal([
        { Row: 2, Id: 2, Field: 'BuyItNowPrice', Expected: null, Live: 5, State: 'ok' },
      ])
    })
    it('fail with the reason of the service, and come back as they were asked for', async () => {
      bench = new Bench(auctions())
      const plan = await planAuctionPrices(
        await readAuctionRows(['Id;OpeningPrice;ReservedPrice;BinPrice;_n\n1;90;;none;x\n2;90;;;y\n']),
        bench.service.live,
      )
      bench.service.put(1, 300, { ItemType: 'Auction', OpeningBid: 100, TotalBids: 2 })
      const jobId = bench.job('auction-price', auctionJobRows(plan), { form: plan.form })
      expect(await bench.run(jobId)).to.include({ verdict: 'rows_failed' })
      expect([...writeRefusedRows(plan.form, refusedRows(bench.ledger, jobId, textOf))].join('')).to.equal(
        'Id;OpeningPrice;ReservedPrice;BinPrice;_n;_Reason\n1;90;;none;x;It has bids.\n',
      )
    })
  })

  describe('removals', () => {
    it('are sent one by one and may be sent again', async () => {
      bench = new Bench(FakeService.shop(4))
      bench.service.outcome = (call) => (call === 2 ? 'lost' : 'answered')
      const rows = [1, 2, 77, 3].map((id, at) => ({ line: at + 2, id }))
      const jobId = bench.job('remove', rows)
      expect(await bench.run(jobId, { concurrency: 1 })).to.include({ stop: 'network' })
      expect(bench.states(jobId)).to.deep.equal(['queued', 'sending', 'unsent', 'unsent'])
      const outcome = await bench.run(jobId, { wait: true })
      expect(outcome).to.include({ verdict: 'rows_failed' })
      expect(bench.states(jobId)).to.deep.equal(['ok', 'ok', 'failed', 'ok'])
      expect([...bench.service.items.keys()]).to.deep.equal([4])
      expect((await verifyBulkJob(bench.ledger, jobId, bench.service.live)).Differences).to.deep.equal([])
    })
  })

  describe('additions', () => {
    it('whose reply was lost are unknown, and never sent again by themselves', async () => {
      bench = new Bench(new FakeService())
      bench.service.outcome = (call, operation) =>
        operation === 'AddShopItem' && (call === 2 || call === 4)
          ? call === 2
            ? 'lost'
            : { kind: 'unknown-outcome' }
          : 'answered'
      const jobId = adds(5)
      const outcome = await bench.run(jobId, { concurrency: 1, wait: true })
      expect(outcome).to.include({ verdict: 'unknown_outcome', stop: null })
      expect(outcome.job.State).to.equal('unknown')
      expect(outcome.job.FinishedAt).to.equal(null)
      expect(bench.states(jobId)).to.deep.equal(['ok', 'unknown', 'ok', 'unknown', 'ok'])
      bench.service.carryOut()
      await bench.run(jobId, { retryFailed: true, wait: true })
      expect(bench.service.of('AddShopItem')).to.have.length(5)
      expect(titles()).to.deep.equal(['Lampa 0', 'Lampa 1', 'Lampa 2', 'Lampa 4'])
      const [there, missing] = await checkUnknownRows(bench.ledger, jobId, bench.service.live)
      expect(there).to.deep.include({ Row: 2, Line: 3, Title: 'Lampa 1', OwnReferences: ['L-1'] })
      expect(there?.Candidates).to.have.length(1)
      expect(missing).to.deep.include({ Row: 4, Title: 'Lampa 3', Candidates: [] })
    })

    for (const [kind, operation, param] of [
      ['add-shop', 'AddShopItem', 'shopItemData'],
      ['add-item', 'AddItem', 'itemRequest'],
    ] as const) {
      it(`of kind ${kind} send each row as it stands, by ${operation}`, async () => {
        bench = new Bench(new FakeService())
        const payload = { Title: 'Kopp', CategoryId: 1, OwnReferences: ['K-1'] }
        const rows = [{ line: 2, id: 0, payload }]
        const jobId = bench.job(kind, rows)
        expect(await bench.run(jobId, { wait: true })).to.include({ verdict: 'ok' })
        expect(bench.service.of(operation).map((call) => call.params)).to.deep.equal([{ [param]: payload }])
        expect([...bulkRows(bench.ledger, jobId)].map((row) => row.Id)).to.deep.equal([...bench.service.items.keys()])
      })
    }

    it('fail by validation one by one; the next go on', async () => {
      bench = new Bench(new FakeService())
      bench.service.outcome = (call) => (call === 2 ? { kind: 'fault', faultString: 'Invalid request ---> no' } : 'answered')
      const jobId = adds(3)
      await bench.run(jobId, { concurrency: 1, wait: true })
      expect(bench.states(jobId)).to.deep.equal(['ok', 'failed', 'ok'])
      expect(bulkJob(bench.ledger, jobId).State).to.equal('partial')
      const given = [...refusedRows(bench.ledger, jobId, textOf)]
      expect(given[0]?.fields).to.deep.include({ Title: 'Lampa 1', CategoryId: 1, Price: 51 })
      expect(given[0]?.reason).to.equal('no')
    })

    it('that an ended process left in the middle of a call are unknown', async () => {
      bench = new Bench(new FakeService())
      const jobId = adds(4)
      // The process dies while the second call is under way: its promise never settles.
      let calls = 0
      bench.service.before = () => (++calls === 2 ? new Promise(() => {}) : undefined)
      void bench.run(jobId, { concurrency: 1 }).catch(() => {})
      while (calls < 2) await new Promise((resolve) => setImmediate(resolve))
      bench.reopen()
      const outcome = await bench.run(jobId, { wait: true })
      expect(outcome.verdict).to.equal('unknown_outcome')
      expect(bench.states(jobId)).to.deep.equal(['ok', 'unknown', 'ok', 'ok'])
      expect(bench.service.of('AddShopItem')).to.have.length(3)
    })
  })
})
