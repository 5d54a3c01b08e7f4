/** A step of a discount over a large shop is written in pieces: others write between two, and a process may die at any moment. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import { bulkJob, bulkRows, createBulkJob, runBulkJob } from '../../../src/jobs/bulk/index.js'
import { scheduleDiscounts, takeInResults, turnDiscounts, unsettledJobs } from '../../../src/jobs/discounts/index.js'
import type { Ledger } from '../../../src/jobs/index.js'
import { programOf } from '../../program.js'
import { FORM } from '../bulk/support.js'
import { cleanUp, FakeClock, temporaryDirectory, temporaryLedger } from '../harness.js'
import { discountOnMany, MANY, planned, priceOf, SHOP } from './support.js'

const CHILD = programOf(new URL('step-child.ts', import.meta.url))
const HOUR = 3_600_000
const ALL = Array.from({ length: MANY }, (_, at) => at + 1)
const discounted = (id: number): number => Math.round(priceOf(id) * 0.8)

/** A service that sets every price at once. */
class Service {
  readonly live = new Map(ALL.map((id) => [id, priceOf(id)]))
  /** All prices that it was sent, by item. */
  readonly sent = new Map<number, number[]>()
  #request = 0

  readonly client = {
    call: async (name: string, params: { request?: { ShopItems: { Id: number; Price: number }[] }; requestIds?: number[] }) => {
      if (name === 'GetRequestResults') return (params.requestIds ?? []).map((RequestId) => ({ RequestId, ResultCode: 'Ok' }))
      const items = params.request?.ShopItems ?? []
      for (const { Id, Price } of items) {
        this.live.set(Id, Price)
        this.sent.set(Id, [...(this.sent.get(Id) ?? []), Price])
      }
      return { QueuedRequestResponses: items.map(({ Id }) => ({ RequestId: ++this.#request, ItemId: Id })), ValidationErrors: [] }
    },
  } as never

  /** Sends the jobs of discounts, as jobs:due does with those that it finds. */
  async send(ledger: Ledger): Promise<void> {
    for (const { job_id: jobId } of unsettledJobs(ledger, SHOP))
      await runBulkJob({ ledger, client: this.client, clock: ledger.clock, jobId, wait: true })
    takeInResults(ledger, SHOP)
  }
}

/**
 * Rows that a step writes: each item that a job has is being set by that job and no other, and the calls of a step that is not
 * whole are full.
 */
function expectPieces(ledger: Ledger, isWhole: boolean): void {
  const rows = unsettledJobs(ledger, SHOP).flatMap(({ job_id: jobId }) =>
    [...bulkRows(ledger, jobId)].map(({ Id, Price }) => [Id, jobId, Price] as [number, number, number]),
  )
  const setting = ledger.store.rows<[number, number, number]>(
    'SELECT item_id, job_id, sent FROM discount_prices WHERE sent IS NOT NULL ORDER BY item_id',
  )
  expect(rows.sort(([one], [other]) => one - other)).to.deep.equal(setting)
  if (!isWhole) expect(rows.length % 500, `${rows.length} rows`).to.equal(0)
}

describe('a step of a discount over thousands of items', () => {
  afterEach(cleanUp)

  it('lets another connection write between its pieces, and leaves alone what that one has given a price', async () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const clock = new FakeClock()
    const [ledger, other] = [temporaryLedger(clock, path), temporaryLedger(clock, path)]
    const id = discountOnMany(ledger)
    const step = await planned(ledger)
    let written = 0
    let isOver = false
    const pieces: number[] = []
    const writing = step.write({ beat: () => pieces.push(written) }).finally(() => {
      isOver = true
    })
    while (!isOver) {
      written++
      const price = (item: number) => ({ line: 1, id: item, price: 9, oldPrice: priceOf(item) })
      // The first item is written already, the last one is not yet.
      const rows = [price(1), price(MANY)]
      if (written === 1) createBulkJob(other, { ...SHOP, kind: 'price', title: 'x', form: FORM, rows })
      else other.store.put('bulk_settings', { profile: 'x', name: 'x', value: written })
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { made } = await writing
    expect(pieces[0]).to.equal(0)
    expect(pieces[1]).to.equal(1)
    expect(pieces[2]).to.equal(2)
    const [job] = made.map(({ jobId }) => bulkJob(ledger, jobId))
    expect(made).to.have.length(1)
    expect([job?.Counts.unsent, job?.State, job?.Running]).to.deep.equal([MANY - 1, 'open', false])
    expect(ledger.discounts.show(id).Counts).to.include({ planned: 1, on: MANY - 1 })
    expect([...bulkRows(ledger, job?.JobId ?? 0)].some(({ Id }) => Id === MANY)).to.equal(false)
  })

  it('stops between two pieces, and keeps what is written', async () => {
    const ledger = temporaryLedger()
    const id = discountOnMany(ledger)
    const step = await planned(ledger)
    const interrupt = new AbortController()
    const error = await step.write({ beat: () => interrupt.abort(new Error('stop')), signal: interrupt.signal }).catch((e) => e)
    expect(error).to.have.property('message', 'stop')
    expectPieces(ledger, false)
    expect(ledger.discounts.show(id).Counts).to.include({ planned: MANY - 2500, on: 2500 })
    expect(ledger.jobs.list().map(({ State, Running, Counts }) => [State, Running, Counts.unsent])).to.deep.equal([
      ['open', false, 2500],
    ])
  })

  it('whose process is killed again and again ends with each price sent once, when it begins and when it ends', async () => {
    const path = join(temporaryDirectory(), 'ledger.db')
    const clock = new FakeClock()
    const id = discountOnMany(temporaryLedger(clock, path))
    const service = new Service()
    let kills = 0
    const stepThrough = async (moments: readonly number[]) => {
      for (const moment of [...moments, Number.POSITIVE_INFINITY]) {
        const ledger = temporaryLedger(clock, path)
        const live = [...service.live.values()]
        const child = fork(CHILD.path, [path, String(clock.time), String(moment)], { execArgv: CHILD.execArgv })
        child.send(live)
        const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
        if (signal === 'SIGKILL') kills++
        else expect(code, `moment ${moment}`).to.equal(0)
        expectPieces(ledger, signal === null)
        await service.send(ledger)
        ledger.close()
      }
    }
    await stepThrough([1, 4, 9, 5])
    expect(kills).to.equal(4)
    expect(ALL.map((item) => service.sent.get(item))).to.deep.equal(ALL.map((item) => [discounted(item)]))
    const ledger = temporaryLedger(clock, path)
    expect(ledger.discounts.show(id).Counts).to.include({ planned: 0, on: MANY })
    scheduleDiscounts(ledger, SHOP, ledger.discounts.due(SHOP))
    clock.time += HOUR
    turnDiscounts(ledger, ledger.discounts.due(SHOP), 'late')
    await stepThrough([2, 9, 6])
    expect(kills).to.equal(7)
    expect(ALL.map((item) => service.sent.get(item))).to.deep.equal(ALL.map((item) => [discounted(item), priceOf(item)]))
    expect(ledger.discounts.show(id).Counts).to.include({ planned: 0, on: 0, done: MANY })
    expect(ledger.store.rows('SELECT count(*) FROM discount_prices')).to.deep.equal([[0]])
  })
})
