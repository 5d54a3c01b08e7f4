import { expect } from 'chai'
import { bulkJob, bulkRows, createBulkJob, whyRecheck } from '../../../src/jobs/bulk/index.js'
import type { AuctionPricesToSend } from '../../../src/jobs/bulk/types.js'
import { Bench, FakeService, FORM } from './support.js'

const MINUTE = 60_000

describe('a job of prices that goes on later', () => {
  let bench: Bench
  afterEach(() => bench.close())

  describe('looks at the live list first', () => {
    const why = (jobId: number, minutes: number, retryFailed = false) =>
      whyRecheck(bench.ledger, bulkJob(bench.ledger, jobId), { now: bench.clock.now() + minutes * MINUTE, retryFailed })

    it('when it is older than ten minutes', () => {
      bench = new Bench(FakeService.shop({ 1: 100 }))
      const job = bench.price({ 1: 110 })
      expect([why(job, 10), why(job, 11)]).to.deep.equal([undefined, 'old'])
    })

    it('when a newer job of the same shop set prices or removed items', () => {
      bench = new Bench(FakeService.shop({ 1: 100 }))
      const job = bench.price({ 1: 110 })
      bench.price({ 1: 120 }, { profile: 'another' })
      expect(why(job, 1)).to.equal(undefined)
      createBulkJob(bench.ledger, { kind: 'remove', profile: 'shop', title: 't', form: FORM, rows: [{ line: 1, id: 1 }] })
      expect(why(job, 1)).to.equal('newer job')
    })

    it('when one row was sent and one was not', () => {
      bench = new Bench(FakeService.shop({ 1: 100, 2: 100 }))
      const job = bench.price({ 1: 110, 2: 110 })
      bench.ledger.store.run('UPDATE bulk_states SET states = ?, unsent = 1, sending = 1', new Uint8Array([0, 1]))
      expect(bulkJob(bench.ledger, job).Counts).to.include({ unsent: 1, sending: 1 })
      expect(why(job, 11)).to.equal('old')
    })

    it('when rows that failed are sent again, and not where they are left', () => {
      bench = new Bench(FakeService.shop({ 1: 100, 2: 100 }))
      const job = bench.price({ 1: 110, 2: 110 })
      bench.ledger.store.run('UPDATE bulk_states SET states = ?, unsent = 0, failed = 1, retryable = 1', new Uint8Array([4, 5]))
      expect([why(job, 11, true), why(job, 11)]).to.deep.equal(['old', undefined])
    })

    it('but not with nothing to send, without old prices, or for jobs of another kind', async () => {
      bench = new Bench(FakeService.shop({ 1: 100, 2: 100 }))
      const done = bench.price({ 1: 110 })
      await bench.run(done, { wait: true })
      const blind = bench.price({ 2: 110 }, { blind: true })
      const { JobId: remove } = createBulkJob(bench.ledger, {
        kind: 'remove',
        profile: 'shop',
        title: 't',
        form: FORM,
        rows: [{ line: 1, id: 1 }],
      })
      expect([why(done, 99), why(blind, 99), why(remove, 99)]).to.deep.equal([undefined, undefined, undefined])
    })

    it('when only failed rows are to be sent, and they are sent again', async () => {
      bench = new Bench(FakeService.shop({ 1: 100 }))
      bench.service.code = () => 'Error'
      const job = bench.price({ 1: 110 })
      await bench.run(job, { wait: true })
      expect([why(job, 99), why(job, 99, true)]).to.deep.equal([undefined, 'old'])
    })
  })

  it('holds what moved or is gone, and sends the rest', async () => {
    bench = new Bench(FakeService.shop({ 1: 100, 2: 100, 3: 100, 4: 100 }))
    const job = bench.price({ 1: 110, 2: 110, 3: 110, 4: 110 })
    bench.service.put(2, 95)
    bench.service.items.delete(3)
    bench.service.put(4, 110)
    const outcome = await bench.run(job, { wait: true, live: () => bench.service.live })
    expect([outcome.moved, outcome.verdict]).to.deep.equal([2, 'held'])
    expect([bench.service.price(1), bench.service.price(2), bench.service.price(4)]).to.deep.equal([110, 95, 110])
    expect([...bulkRows(bench.ledger, job, ['held'])].map(({ Id, Reason }) => [Id, Reason])).to.deep.equal([
      [2, 'its price was 100 kr when the job was planned and is 95 kr now'],
      [3, 'it is not in the live list any more'],
    ])
  })

  it('reads no list where nothing is to be sent', async () => {
    bench = new Bench(FakeService.shop({ 1: 100 }))
    const job = bench.price({ 1: 110 })
    await bench.run(job)
    const outcome = await bench.run(job, { wait: true, live: () => expect.fail('the list was read') })
    expect([outcome.moved, outcome.verdict]).to.deep.equal([0, 'ok'])
  })

  it('holds an auction whose reserve price was changed', async () => {
    bench = new Bench(new FakeService())
    const old: AuctionPricesToSend = { OpeningPrice: 100, ReservedPrice: 200, BinPrice: null }
    const rows = [1, 2].map((id) => ({ line: id, id, payload: { ...old, OpeningPrice: 120 }, oldPayload: old }))
    for (const { id } of rows) bench.service.put(id, null, { ItemType: 'Auction', OpeningBid: 100, ReservePrice: 200 })
    const { JobId } = createBulkJob(bench.ledger, { kind: 'auction-price', profile: 'shop', title: 't', form: FORM, rows })
    bench.service.put(2, null, { ItemType: 'Auction', OpeningBid: 100, ReservePrice: 250 })
    const outcome = await bench.run(JobId, { live: () => bench.service.live })
    expect(outcome.moved).to.equal(1)
    const [held] = [...bulkRows(bench.ledger, JobId, ['held'])]
    expect([held?.Id, held?.Reason]).to.deep.equal([2, 'its price was 200 kr when the job was planned and is 250 kr now'])
  })
})
