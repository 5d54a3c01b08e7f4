import { expect } from 'chai'
import { bulkJob, pricesAt } from '../../../src/jobs/bulk/index.js'
import { rememberItemsPerCall } from '../../../src/jobs/bulk/journal.js'
import { Bench, FakeService } from './support.js'

const DAY = 24 * 60 * 60 * 1000

describe('the prices of a shop at some time', () => {
  let bench: Bench
  afterEach(() => bench.close())
  const at = (time: number, userId: number | null = 7) => {
    const rows = pricesAt(bench.ledger, { profile: 'shop', userId }, time)
    return Object.fromEntries(Array.from(rows, ({ id, price }) => [id, price]))
  }

  it('are those of the last change before it, else what the first change after it found', async () => {
    bench = new Bench(FakeService.shop(4))
    const begin = bench.clock.time
    const price = async (prices: Record<number, number>, code = 'Ok') => {
      bench.service.code = () => code
      bench.clock.time += DAY
      await bench.run(bench.price(prices), { wait: true })
    }
    await price({ 1: 110, 2: 120 })
    // Refused: it set nothing.
    await price({ 1: 999, 3: 999 }, 'UpdateNotAllowed')
    await price({ 1: 111 })
    await price({ 3: 130 })
    expect(at(begin)).to.deep.equal({ 1: 100, 2: 100, 3: 100 })
    expect(at(begin + 1.5 * DAY)).to.deep.equal({ 1: 110, 2: 120, 3: 100 })
    expect(at(begin + 2.5 * DAY)).to.deep.equal({ 1: 110, 2: 120, 3: 100 })
    expect(at(begin + 9 * DAY)).to.deep.equal({ 1: 111, 2: 120, 3: 130 })
    expect(at(begin + 9 * DAY, 8)).to.deep.equal({})
    expect(pricesAt(bench.ledger, { profile: 'other', userId: 7 }, begin).length).to.equal(0)
  })

  it('are not known where the first change after it had not read the old price', async () => {
    bench = new Bench(FakeService.shop(2))
    const begin = bench.clock.time
    bench.clock.time += DAY
    const rows = [{ line: 1, id: 1, price: 150, oldPrice: null }]
    await bench.run(bench.price({}, { rows, blind: true }), { wait: true })
    bench.clock.time += DAY
    // It found the price that the blind job had set, which shows nothing about the time before.
    await bench.run(bench.price({ 1: 160 }), { wait: true })
    expect(at(begin)).to.deep.equal({})
    expect(at(begin + 1.5 * DAY)).to.deep.equal({ 1: 150 })
  })

  it('count from when a row was sent: a job that was resumed days later has set nothing before', async () => {
    bench = new Bench(FakeService.shop(3))
    // A row a call, so that each has a time of its own.
    rememberItemsPerCall(bench.ledger, 'shop', 1)
    const begin = bench.clock.time
    bench.clock.time += DAY
    const stopped = bench.price({ 1: 110, 2: 120, 3: 130 })
    bench.service.outcome = (_call, operation, params) =>
      operation === 'SetPriceOnShopItems' && params.request?.ShopItems?.[0]?.Id !== 1 ? { kind: 'unreachable' } : 'answered'
    await bench.run(stopped, { wait: true, concurrency: 1 })
    bench.service.outcome = () => 'answered'
    const left = bulkJob(bench.ledger, stopped).Counts
    expect(left.ok + left.queued, JSON.stringify(left)).to.be.at.least(1)
    bench.clock.time += DAY
    await bench.run(bench.price({ 2: 125 }), { wait: true })
    bench.clock.time += DAY
    await bench.run(stopped, { wait: true })
    expect(bulkJob(bench.ledger, stopped).Counts.ok).to.equal(3)
    // A look that comes later changes nothing: the price was set when it was sent.
    bench.clock.time += DAY
    expect(at(begin)).to.deep.equal({ 1: 100, 2: 100, 3: 100 })
    expect(at(begin + 1.5 * DAY)).to.deep.equal({ 1: 110, 2: 100, 3: 100 })
    expect(at(begin + 2.5 * DAY)).to.deep.equal({ 1: 110, 2: 125, 3: 100 })
    expect(at(begin + 3.5 * DAY)).to.deep.equal({ 1: 110, 2: 120, 3: 130 })
  })

  it('are as old as their job where the ledger did not note when they were sent', async () => {
    bench = new Bench(FakeService.shop(1))
    const begin = bench.clock.time
    bench.clock.time += DAY
    const job = bench.price({ 1: 110 })
    bench.clock.time += DAY
    await bench.run(job, { wait: true })
    expect(at(begin + 1.5 * DAY)).to.deep.equal({ 1: 100 })
    bench.ledger.store.run('UPDATE bulk_states SET sent_at = NULL')
    expect(at(begin + 1.5 * DAY)).to.deep.equal({ 1: 110 })
  })
})
