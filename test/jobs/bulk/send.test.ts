/** Rows on their way out: what each call carries, how often the ledger is written, and what ends the sending. */
import { expect } from 'chai'
import { auctionJobRows, bulkJob, type NewBulkRow, priceJobRows } from '../../../src/jobs/bulk/index.js'
import { BulkJournal } from '../../../src/jobs/bulk/journal.js'
import { classifyTrouble } from '../../../src/jobs/bulk/trouble.js'
import { DEFAULT_GUARDS, planPrices } from '../../../src/pricing/index.js'
import { readPriceRows } from '../../../src/rows/index.js'
import { SoapError } from '../../../src/soap/client/index.js'
import { because } from '../../said.js'
import { Bench, FakeService, FORM, failure } from './support.js'

describe('the sending of rows', () => {
  let bench: Bench
  afterEach(() => bench.close())

  const adds = (count: number): number => {
    const rows = Array.from(
      { length: count },
      (_, at): NewBulkRow => ({ line: at, id: 0, payload: { Title: `V${at}`, Price: 5 } }),
    )
    return bench.job('add-shop', rows)
  }
  /** Counts the commits of batches while it works. */
  const commits = async (work: () => Promise<unknown>): Promise<number> => {
    const real = BulkJournal.prototype.transaction
    let count = 0
    BulkJournal.prototype.transaction = function <T>(this: BulkJournal, inside: () => T): T {
      count++
      return real.call(this, inside) as T
    }
    try {
      await work()
    } finally {
      BulkJournal.prototype.transaction = real
    }
    return count
  }

  it('writes a reply together with the next call, by one commit, and the last by itself', async () => {
    bench = new Bench(new FakeService())
    const none = await commits(() => bench.run(adds(0)))
    for (const count of [1, 2, 5]) {
      expect((await commits(() => bench.run(adds(count), { concurrency: 1 }))) - none, `${count}`).to.equal(count + 1)
    }
    expect(bench.service.of('AddShopItem')).to.have.length(8)
  })

  it('leaves no reply unwritten, however many calls may run at once', async () => {
    bench = new Bench(new FakeService())
    for (const concurrency of [1, 2, 3]) {
      const jobId = adds(7)
      await bench.run(jobId, { concurrency })
      expect(bench.states(jobId)).to.deep.equal(Array(7).fill('queued'))
    }
  })

  it('goes on after any number of rows that break a rule: nothing was sent of them', async () => {
    bench = new Bench(new FakeService())
    bench.service.outcome = () => ({ kind: 'input' })
    const jobId = adds(5)
    expect(await bench.run(jobId, { concurrency: 1 })).to.include({ stop: null, verdict: 'rows_failed' })
    expect(bulkJob(bench.ledger, jobId).Counts).to.include({ failed: 5, unsent: 0 })
  })

  it('ends after three failures in a row, and not after two and another two', async () => {
    bench = new Bench(new FakeService())
    const lost = new Set([1, 2, 4, 5, 7, 8, 9])
    bench.service.outcome = (call) => (lost.has(call) ? { kind: 'unknown-outcome' } : 'answered')
    const jobId = adds(12)
    expect(await bench.run(jobId, { concurrency: 1 })).to.include({ stop: 'network' })
    expect(bulkJob(bench.ledger, jobId).Counts).to.include({ unknown: 7, queued: 2, unsent: 3 })
  })

  it('that stops at the look for results sends nothing', async () => {
    bench = new Bench(FakeService.shop(2))
    bench.service.looks = 99
    const jobId = bench.price(2)
    await bench.run(jobId)
    for (const [kind, stop] of [
      ['unreachable', 'network'],
      ['interrupted', 'network'],
      ['aborted', 'interrupted'],
      ['quota', 'quota'],
      ['refused', 'refused'],
      ['fault', 'fault'],
      ['broken', 'fault'],
      ['namespace', 'fault'],
      ['input', 'fault'],
    ] as const) {
      bench.service.outcome = () => ({ kind, sent: kind !== 'unreachable' })
      expect((await bench.run(jobId)).stop, kind).to.equal(stop)
    }
    bench.ledger.store.exec("UPDATE bulk_states SET states = x'0002', unsent = 1, queued = 1")
    bench.service.calls.length = 0
    bench.service.outcome = (_, operation) => (operation === 'GetRequestResults' ? { kind: 'unreachable' } : 'answered')
    expect(await bench.run(jobId)).to.include({ stop: 'network', verdict: 'stopped' })
    expect(bench.service.of('SetPriceOnShopItems')).to.deep.equal([])
  })

  it('fails with the words of the fault, or of the client where there are none', () => {
    bench = new Bench(new FakeService())
    const call = { rows: 1, taken: 1, single: true }
    const fault = { kind: 'fault', faultCode: 'Client', faultString: 'no' } as const
    expect(classifyTrouble(failure('AddItem', fault), call)?.message).to.equal('no')
    expect(classifyTrouble(failure('AddItem', { kind: 'quota' }), call)?.message).to.equal('AddItem: quota')
    const input = new SoapError('input', 'wrong', { operation: 'AddItem', sent: false })
    expect(classifyTrouble(input, call)?.message).to.equal('wrong')
  })

  it('takes what a plan holds, or finds no item for, with its reason', async () => {
    bench = new Bench(new FakeService())
    const live = [1, 2].map((Id) => ({ Id, ItemType: 'ShopItem', BuyItNowPrice: 100 }))
    const rows = await readPriceRows(['Id,Price,_Shelf\n1,90,A\n2,1,B\n77,5,C\n'])
    const plan = await planPrices({ rows, live, guards: DEFAULT_GUARDS })
    expect(
      [...priceJobRows(plan)].map(({ id, line, price, oldPrice, held, skipped, extra }) => [
        ...[id, line, price, oldPrice, held?.Code, skipped?.Code, extra],
      ]),
    ).to.deep.equal([
      [1, 2, 90, 100, undefined, undefined, ['A']],
      [2, 3, 1, 100, 'factor_ten', undefined, ['B']],
      [77, 4, 5, null, undefined, 'not_live', ['C']],
    ])
    const auction = {
      ...{ Line: 4, Id: 5, Title: null, OldOpeningPrice: null, OldReservedPrice: null, OldBinPrice: null },
      ...{ OpeningPrice: 9, ReservedPrice: null, BinPrice: 20, Fee: 0, State: 'held', Hold: null, Send: null },
    }
    expect([...auctionJobRows({ form: FORM, entries: [auction], extras: [] } as never)]).to.deep.equal([
      {
        ...{
          line: 4,
          id: 5,
          title: null,
          payload: { OpeningPrice: 9, ReservedPrice: null, BinPrice: 20 },
          oldPayload: undefined,
        },
        ...{ held: because('held'), skipped: undefined, extra: [] },
      },
    ])
  })
})
