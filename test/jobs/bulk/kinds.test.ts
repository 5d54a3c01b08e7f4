/** Rows that are sent one per call: auction prices, removals, additions. */
import { expect } from 'chai'
import {
  addJobRows,
  auctionJobRows,
  bulkJob,
  bulkRows,
  checkUnknownRows,
  createBulkJob,
  type NewBulkRow,
  refusedRows,
  verifyBulkJob,
} from '../../../src/jobs/bulk/index.js'
import { planAuctionPrices } from '../../../src/pricing/index.js'
import { readAuctionRows, readItemRecords, writeRefusedRows } from '../../../src/rows/index.js'
import { Bench, FakeService, FORM } from './support.js'

describe('bulk jobs of one call a row', () => {
  let bench: Bench
  const use = (service: FakeService) => {
    bench = new Bench(service)
    return bench
  }
  afterEach(() => bench.close())
  const states = (jobId: number) => [...bulkRows(bench.ledger, jobId)].map((row) => row.State)

  const adds = (count: number, titled = (at: number) => `Lampa ${at}`): number => {
    const rows = Array.from(
      { length: count },
      (_, at): NewBulkRow => ({
        line: at + 2,
        id: 0,
        payload: { Title: titled(at), CategoryId: 1, Price: 50 + at, OwnReferences: [`L-${at}`] },
      }),
    )
    return createBulkJob(bench.ledger, { kind: 'add-shop', profile: 'shop', title: 'shop:add', form: FORM, rows }).JobId
  }
  const titles = () => [...bench.service.items.values()].map((item) => item.ShortDescription).sort()

  describe('auction prices', () => {
    const auctions = () => {
      const service = new FakeService()
      for (const id of [1, 2, 3]) service.put(id, 300, { ItemType: 'Auction', OpeningBid: 100, ReservePrice: null, TotalBids: 0 })
      return service
    }
    it('are set at once, each by its call', async () => {
      use(auctions())
      const plan = await planAuctionPrices(
        await readAuctionRows(['Id,OpeningPrice,ReservedPrice,BinPrice\n1,90,,\n2,90,150,none\n3,400,,\n']),
        bench.service.live,
      )
      const { JobId } = createBulkJob(bench.ledger, {
        kind: 'auction-price',
        profile: 'shop',
        title: 't',
        form: plan.form,
        rows: auctionJobRows(plan),
      })
      const outcome = await bench.run(JobId)
      expect(outcome).to.include({ verdict: 'held', calls: 2 })
      expect(states(JobId)).to.deep.equal(['ok', 'ok', 'held'])
      expect(bench.service.calls.map((call) => call.params)).to.deep.equal([
        { itemId: 1, openingPrice: 90, ReservedPrice: null, BinPrice: 300 },
        { itemId: 2, openingPrice: 90, ReservedPrice: 150, BinPrice: null },
      ])
      expect((await verifyBulkJob(bench.ledger, JobId, bench.service.live)).Differences).to.deep.equal([])
      bench.service.put(2, 5, { ...bench.service.items.get(2), BuyItNowPrice: 5 })
      expect((await verifyBulkJob(bench.ledger, JobId, bench.service.live)).Differences).to.deep.equal([
        { Row: 2, Id: 2, Field: 'BuyItNowPrice', Expected: null, Live: 5, State: 'ok' },
      ])
    })
    it('fail with the reason of the service, and come back as they were asked for', async () => {
      use(auctions())
      const plan = await planAuctionPrices(
        await readAuctionRows(['Id;OpeningPrice;ReservedPrice;BinPrice;_n\n1;90;;none;x\n2;90;;;y\n']),
        bench.service.live,
      )
      bench.service.put(1, 300, { ItemType: 'Auction', OpeningBid: 100, TotalBids: 2 })
      const { JobId } = createBulkJob(bench.ledger, {
        kind: 'auction-price',
        profile: 'shop',
        title: 't',
        form: plan.form,
        rows: auctionJobRows(plan),
      })
      expect(await bench.run(JobId)).to.include({ verdict: 'rows_failed' })
      expect([...writeRefusedRows(plan.form, refusedRows(bench.ledger, JobId))].join('')).to.equal(
        'Id;OpeningPrice;ReservedPrice;BinPrice;_n;_Reason\n1;90;;none;x;It has bids.\n',
      )
    })
  })

  describe('removals', () => {
    it('are sent one by one and may be sent again', async () => {
      use(FakeService.shop(4))
      bench.service.outcome = (call) => (call === 2 ? 'lost' : 'answered')
      const { JobId } = createBulkJob(bench.ledger, {
        kind: 'remove',
        profile: 'shop',
        title: 't',
        form: FORM,
        rows: [1, 2, 77, 3].map((id, at) => ({ line: at + 2, id })),
      })
      expect(await bench.run(JobId, { concurrency: 1 })).to.include({ stop: 'network' })
      expect(states(JobId)).to.deep.equal(['queued', 'sending', 'unsent', 'unsent'])
      const outcome = await bench.run(JobId, { wait: true })
      expect(outcome).to.include({ verdict: 'rows_failed' })
      expect(states(JobId)).to.deep.equal(['ok', 'ok', 'failed', 'ok'])
      expect([...bench.service.items.keys()]).to.deep.equal([4])
      expect((await verifyBulkJob(bench.ledger, JobId, bench.service.live)).Differences).to.deep.equal([])
    })
  })

  describe('additions', () => {
    it('are sent one by one, and tell the new ids', async () => {
      use(new FakeService())
      const records = await readItemRecords(['Title,CategoryId,Price\nLampa,1,50\nStol,1,70\n'], 'AddShopItem')
      const { JobId } = createBulkJob(bench.ledger, {
        kind: 'add-shop',
        profile: 'shop',
        title: 't',
        form: records.form,
        rows: addJobRows(records),
      })
      const outcome = await bench.run(JobId, { wait: true })
      expect(outcome).to.include({ verdict: 'ok', calls: 3 })
      expect(titles()).to.deep.equal(['Lampa', 'Stol'])
      expect([...bulkRows(bench.ledger, JobId)].map((row) => row.Id).sort()).to.deep.equal([...bench.service.items.keys()].sort())
      expect((await verifyBulkJob(bench.ledger, JobId, bench.service.live)).Differences).to.deep.equal([])
    })

    it('whose reply was lost are unknown, and never sent again by themselves', async () => {
      use(new FakeService())
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
      expect(states(jobId)).to.deep.equal(['ok', 'unknown', 'ok', 'unknown', 'ok'])
      bench.service.settle()
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
        use(new FakeService())
        const payload = { Title: 'Kopp', CategoryId: 1, OwnReferences: ['K-1'] }
        const rows = [{ line: 2, id: 0, payload }]
        const { JobId } = createBulkJob(bench.ledger, { kind, profile: 'shop', title: 't', form: FORM, rows })
        expect(await bench.run(JobId, { wait: true })).to.include({ verdict: 'ok' })
        expect(bench.service.of(operation).map((call) => call.params)).to.deep.equal([{ [param]: payload }])
        expect([...bulkRows(bench.ledger, JobId)].map((row) => row.Id)).to.deep.equal([...bench.service.items.keys()])
      })
    }

    it('of unknown outcome are looked for by their own reference, or by their title where they have none', async () => {
      use(new FakeService())
      const payloads = [
        { Title: 'Lampa', OwnReferences: ['L-1', 'L-2'] },
        { Title: 'Lampa' },
        { OwnReferences: [] },
        { Title: 'Stol', OwnReferences: ['S-1'] },
        { Title: 'Stol' },
      ]
      const { JobId } = createBulkJob(bench.ledger, {
        kind: 'add-shop',
        profile: 'shop',
        title: 't',
        form: FORM,
        rows: payloads.map((payload, at): NewBulkRow => ({ line: at + 2, id: 0, payload })),
      })
      // The first three get no usable reply, the others are carried out.
      bench.service.outcome = (call) => (call <= 3 ? { kind: 'fault', faultCode: 'Server', faultString: 'Oops' } : 'answered')
      await bench.run(JobId, { concurrency: 1 })
      bench.service.outcome = () => 'answered'
      await bench.run(JobId, { concurrency: 1, wait: true })
      expect(states(JobId)).to.deep.equal(['unknown', 'unknown', 'unknown', 'ok', 'ok'])
      const made = bulkJob(bench.ledger, JobId).Counts
      expect(made).to.include({ unknown: 3, ok: 2 })
      bench.service.put(11, 10, { ShortDescription: 'Lampa', OwnReferences: ['L-9'] })
      bench.service.put(12, 10, { ShortDescription: 'Annat', OwnReferences: ['X', 'L-2'] })
      bench.service.put(13, 10, { ShortDescription: undefined, OwnReferences: undefined })
      bench.service.put(14, 10, { ShortDescription: 'Stol' })
      const found = await checkUnknownRows(bench.ledger, JobId, bench.service.live)
      expect(found.map(({ Row, Title, Candidates }) => [Row, Title, Candidates])).to.deep.equal([
        [1, 'Lampa', [12]],
        [2, 'Lampa', [11]],
        [3, null, []],
      ])
    })

    it('do not take for a lost one what another row of the job has made', async () => {
      use(new FakeService())
      bench.service.outcome = (call) => (call === 1 ? { kind: 'unknown-outcome' } : 'answered')
      const rows = [1, 2].map((line): NewBulkRow => ({ line, id: 0, payload: { Title: 'Kopp', Price: 5 } }))
      const { JobId } = createBulkJob(bench.ledger, { kind: 'add-shop', profile: 'shop', title: 't', form: FORM, rows })
      await bench.run(JobId, { concurrency: 1, wait: true })
      expect(states(JobId)).to.deep.equal(['unknown', 'ok'])
      const [lost] = await checkUnknownRows(bench.ledger, JobId, bench.service.live)
      expect(lost).to.deep.include({ Row: 1, Title: 'Kopp', OwnReferences: [], Candidates: [] })
    })

    it('of unknown outcome are sent again on the seller’s word only', async () => {
      use(new FakeService())
      bench.service.outcome = (call) => (call === 1 ? { kind: 'unknown-outcome' } : 'answered')
      const jobId = adds(1)
      await bench.run(jobId)
      const outcome = await bench.run(jobId, { retryUnknown: true, wait: true })
      expect(outcome.verdict).to.equal('ok')
      expect(titles()).to.deep.equal(['Lampa 0'])
    })

    it('stop after three lost replies in a row', async () => {
      use(new FakeService())
      bench.service.outcome = () => ({ kind: 'unknown-outcome' })
      const jobId = adds(10)
      const outcome = await bench.run(jobId, { concurrency: 1 })
      expect(outcome).to.include({ stop: 'network', verdict: 'unknown_outcome' })
      expect(outcome.job.Counts).to.deep.include({ unknown: 3, unsent: 7 })
    })

    it('fail by validation one by one; the next go on', async () => {
      use(new FakeService())
      bench.service.outcome = (call) => (call === 2 ? { kind: 'fault', faultString: 'Invalid request ---> no' } : 'answered')
      const jobId = adds(3)
      await bench.run(jobId, { concurrency: 1, wait: true })
      expect(states(jobId)).to.deep.equal(['ok', 'failed', 'ok'])
      expect(bulkJob(bench.ledger, jobId).State).to.equal('partial')
      const given = [...refusedRows(bench.ledger, jobId)]
      expect(given[0]?.fields).to.deep.include({ Title: 'Lampa 1', CategoryId: 1, Price: 51 })
      expect(given[0]?.reason).to.equal('no')
    })

    it('that an ended process left in the middle of a call are unknown', async () => {
      use(new FakeService())
      const jobId = adds(4)
      // The process dies while the second call is under way: its promise never settles.
      const { call } = bench.service.client
      let calls = 0
      const client = {
        call: ((...args: Parameters<typeof call>) => (++calls === 2 ? new Promise(() => {}) : call(...args))) as typeof call,
      }
      void bench.run(jobId, { client, concurrency: 1 }).catch(() => {})
      while (calls < 2) await new Promise((resolve) => setImmediate(resolve))
      bench.reopen()
      const outcome = await bench.run(jobId, { wait: true })
      expect(outcome.verdict).to.equal('unknown_outcome')
      expect(states(jobId)).to.deep.equal(['ok', 'unknown', 'ok', 'ok'])
      expect(bench.service.of('AddShopItem')).to.have.length(3)
    })
  })
})
