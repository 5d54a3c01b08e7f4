import { expect } from 'chai'
import { BULK_KINDS, type BulkKind } from '../../../src/contract/jobs.js'
import {
  auctionJobRows,
  bulkJob,
  bulkRows,
  isUndoable,
  planAuctionUndo,
  planUndo,
  priceJobRows,
  refusedRows,
} from '../../../src/jobs/bulk/index.js'
import type { JobsError } from '../../../src/jobs/index.js'
import { textOf } from '../../../src/messages/index.js'
import { DEFAULT_GUARDS, planAuctionPrices, planPrices } from '../../../src/pricing/index.js'
import { readAuctionRows, readPriceRows, writeRefusedRows } from '../../../src/rows/index.js'
import { said } from '../../said.js'
import { thrown } from '../harness.js'
import { Bench, FakeService } from './support.js'

describe('undoing and verifying a bulk job', () => {
  let bench: Bench
  afterEach(() => bench.close())

  /** A job of the auction prices in a file. */
  const auctionJob = async (...lines: string[]): Promise<number> => {
    const rows = await readAuctionRows([`Id,OpeningPrice,ReservedPrice,BinPrice\n${lines.join('\n')}\n`])
    const plan = await planAuctionPrices(rows, bench.service.live)
    return bench.job('auction-price', auctionJobRows(plan), { form: plan.form })
  }
  const auction = (id: number, price: number | null, ReservePrice: number | null = null): void =>
    bench.service.put(id, price, { ItemType: 'Auction', OpeningBid: 100, ReservePrice, TotalBids: 0 })
  const undo = async (...jobIds: number[]) => {
    const plan = await planUndo(bench.ledger, jobIds, bench.service.live)
    return { plan, jobId: bench.job('price', priceJobRows(plan), { form: plan.form, undoOf: jobIds }) }
  }

  it('takes back what may have been sent, and nothing that was not', async () => {
    bench = new Bench(FakeService.shop(1500))
    bench.service.outcome = (call) => (call === 2 ? 'lost' : 'answered')
    const jobId = bench.price(1500)
    await bench.run(jobId, { concurrency: 1 })
    bench.service.carryOut()
    const { plan } = await undo(jobId)
    // 500 are queued, 500 may have been sent, 500 were not.
    expect(plan.summary).to.include({ Rows: 1000, Held: 1000 })
    expect([...plan.entries('held')].map(said)).to.satisfy((reasons: string[]) =>
      reasons.every((reason) => reason.includes('jobs:resume')),
    )
  })

  it('puts several jobs back at once, to the prices before the oldest', async () => {
    bench = new Bench(FakeService.shop(4))
    const first = bench.price({ 1: 110, 2: 120, 3: 130 })
    await bench.run(first, { wait: true })
    const second = bench.price({ 1: 111, 4: 140 })
    await bench.run(second, { wait: true })
    const third = bench.price({ 2: 122 })
    await bench.run(third, { wait: true })
    bench.service.put(3, 99)
    const { plan, jobId } = await undo(third, first, second)
    expect([...plan.entries()].map(({ Id, OldPrice, NewPrice, State }) => [Id, OldPrice, NewPrice, State])).to.deep.equal([
      [1, 111, 100, 'change'],
      [2, 122, 100, 'change'],
      [3, 99, 100, 'held'],
      [4, 140, 100, 'change'],
    ])
    expect((await bench.run(jobId, { wait: true })).verdict).to.equal('held')
    expect([1, 2, 3, 4].map((id) => bench.service.price(id))).to.deep.equal([100, 100, 99, 100])
    expect(bulkJob(bench.ledger, jobId)).to.deep.include({ UndoOf: third, UndoneJobs: [first, second, third] })
    expect(bulkJob(bench.ledger, first)).to.deep.include({ UndoOf: null, UndoneJobs: [] })
  })

  it('passes over rows that failed, for they set nothing, and holds what is still queued in any of the jobs', async () => {
    bench = new Bench(FakeService.shop(3))
    bench.service.code = (id) => (id === 1 ? 'UpdateNotAllowed' : 'Ok')
    const failed = bench.price({ 1: 150, 2: 150, 3: 150 })
    await bench.run(failed, { wait: true })
    // Someone else sets the price before the next job does.
    bench.service.put(1, 105)
    bench.service.code = () => 'Ok'
    const second = bench.price({ 1: 160, 2: 160 })
    await bench.run(second, { wait: true })
    bench.service.code = (id) => (id === 2 ? 'UpdateNotAllowed' : 'Ok')
    bench.service.looks = 5
    const third = bench.price({ 2: 170, 3: 170 })
    await bench.run(third)
    const plan = await planUndo(bench.ledger, [failed, second, third], bench.service.live)
    const of = (id: number) => [...plan.entries()].find((entry) => entry.Id === id)
    expect(of(1)).to.include({ NewPrice: 105, State: 'change' })
    expect(said(of(2))).to.contain('still queued')
    expect(said(of(3))).to.contain('still queued')
  })

  it('takes what a job found after two refused ones, not what they found', async () => {
    bench = new Bench(FakeService.shop(1))
    const jobs: number[] = []
    for (const [code, before, price] of [
      ['UpdateNotAllowed', 100, 150],
      ['Ok', 105, 160],
      ['UpdateNotAllowed', 160, 170],
      ['Ok', 160, 180],
    ] as const) {
      bench.service.put(1, before)
      bench.service.code = () => code
      const jobId = bench.price({ 1: price })
      await bench.run(jobId, { wait: true })
      jobs.push(jobId)
    }
    const plan = await planUndo(bench.ledger, jobs, bench.service.live)
    expect([...plan.entries()].map(({ OldPrice, NewPrice, State }) => [OldPrice, NewPrice, State])).to.deep.equal([
      [180, 105, 'change'],
    ])
  })

  it('puts auction prices back, but for a reserve price that cannot be removed', async () => {
    bench = new Bench(new FakeService())
    auction(1, 300)
    auction(2, null, 150)
    auction(3, null)
    const jobId = await auctionJob('1,90,,none', '2,80,170,400', '3,70,,')
    expect((await bench.run(jobId)).verdict).to.equal('ok')
    bench.service.put(3, 500, { ...bench.service.items.get(3), BuyItNowPrice: 500 })
    const undone = await planAuctionUndo(bench.ledger, [jobId], bench.service.live)
    expect(undone.entries.map(({ Id, State, Send }) => [Id, State, Send])).to.deep.equal([
      [1, 'change', { OpeningPrice: 100, ReservedPrice: null, BinPrice: 300 }],
      [2, 'change', { OpeningPrice: 100, ReservedPrice: 150, BinPrice: null }],
      [3, 'held', null],
    ])
  })

  it('takes back the auction prices that may have been sent, and none that were not', async () => {
    bench = new Bench(new FakeService())
    for (const id of [1, 2, 3, 4]) auction(id, 300)
    const jobId = await auctionJob('1,90,,', '2,80,,', '3,70,,', '4,60,,')
    // The second is refused by the service, the reply to the third is lost, the fourth is never sent.
    bench.service.put(2, 300, { ...bench.service.items.get(2), TotalBids: 1 })
    bench.service.outcome = (call) => (call === 3 ? 'lost' : 'answered')
    await bench.run(jobId, { concurrency: 1 })
    expect(bench.states(jobId)).to.deep.equal(['ok', 'failed', 'sending', 'unsent'])
    bench.service.put(2, 300, { ...bench.service.items.get(2), TotalBids: 0 })
    const undone = await planAuctionUndo(bench.ledger, [jobId], bench.service.live)
    expect(undone.entries.map(({ Id, State }) => [Id, State])).to.deep.equal([
      [1, 'change'],
      [3, 'held'],
    ])
    expect(said(undone.entries[1])).to.contain('jobs:resume')
    expect(undone.summary).to.include({ Rows: 2, Change: 1, Held: 1, Calls: 1 })
  })

  it('puts auction prices of several jobs back to those before the oldest', async () => {
    bench = new Bench(new FakeService())
    auction(1, 300)
    const jobs: number[] = []
    for (const row of ['1,90,,none', '1,80,,']) {
      const jobId = await auctionJob(row)
      expect((await bench.run(jobId)).verdict).to.equal('ok')
      jobs.push(jobId)
    }
    const undone = await planAuctionUndo(bench.ledger, jobs, bench.service.live)
    expect(undone.entries.map(({ State, Send }) => [State, Send])).to.deep.equal([
      ['change', { OpeningPrice: 100, ReservedPrice: null, BinPrice: 300 }],
    ])
    bench.service.put(1, null, { ...bench.service.items.get(1), BuyItNowPrice: null, OpeningBid: 90 })
    const moved = await planAuctionUndo(bench.ledger, jobs, bench.service.live)
    expect(moved.entries[0]?.State).to.equal('held')
  })

  it('gives failed and held rows back in the form that came in, to be corrected and fed in again', async () => {
    bench = new Bench(FakeService.shop(3))
    const text = '\ufeff_Title;Pris;id;_Allow\r\n"Lamp; a";150;1;\r\nb;1500;2;\r\nc;140;3;\r\nd;5;99;\r\n'
    const rows = await readPriceRows([text])
    const plan = await planPrices({ rows, live: bench.service.live, guards: DEFAULT_GUARDS })
    const jobId = bench.job('price', priceJobRows(plan), { form: plan.form })
    bench.service.code = (id) => (id === 3 ? 'UpdateNotAllowed' : 'Ok')
    await bench.run(jobId, { wait: true })
    const given = [...writeRefusedRows(plan.form, refusedRows(bench.ledger, jobId, textOf))].join('')
    expect(given.split('\r\n').slice(0, 4)).to.deep.equal([
      '\ufeff_Title;Pris;id;_Allow;_Reason',
      'c;140;3;;UpdateNotAllowed: because',
      'b;1500;2;;1 500 kr is ten times the current 100 kr or more: an extra zero, or öre read as kronor?',
      'd;5;99;;no live shop item has id 99',
    ])
    const corrected = await readPriceRows([given.replace('b;1500;2;;', 'b;1500;2;1500;')])
    const again = await planPrices({ rows: corrected, live: bench.service.live, guards: DEFAULT_GUARDS })
    expect([...again.entries('change')].map(({ Id, NewPrice }) => [Id, NewPrice])).to.deep.equal([
      [3, 140],
      [2, 1500],
    ])
    expect([...bulkRows(bench.ledger, jobId, ['ok'])].map((row) => row.Id)).to.deep.equal([1])
  })

  it('is for what the service can set back, and the refusal of another job says what to do', async () => {
    bench = new Bench(FakeService.shop(1))
    const kinds = Object.keys(BULK_KINDS) as BulkKind[]
    expect(kinds.filter(isUndoable)).to.have.members(['price', 'auction-price', 'update', 'stock'])
    expect(isUndoable('listing')).to.equal(false)
    const hintOf = async (jobId: number) => {
      const error = await thrown(() => planUndo(bench.ledger, [jobId], []))
      return textOf((error as JobsError).hint ?? '')
    }
    const payload = { ActivateDate: '2026-12-01T08:00:00Z' }
    expect(await hintOf(bench.job('activate', [{ line: 2, id: 1, payload }]))).to.include('seller shop:activate --at DATE')
    expect(await hintOf(bench.job('remove', [{ line: 2, id: 1 }]))).to.include('cannot take back')
    expect(await hintOf(bench.job('stock', [{ line: 2, id: 1, payload: { Quantity: 1 } }]))).to.include('one kind at a time')
    expect(await hintOf(bench.price(1, { blind: true }))).to.include('leave out --blind')
  })
})
