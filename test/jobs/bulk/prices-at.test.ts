import { expect } from 'chai'
import { pricesAt } from '../../../src/jobs/bulk/index.js'
import { Bench, FakeService } from './support.js'

const DAY = 24 * 60 * 60 * 1000

describe('the prices of a shop at some time', () => {
  let bench: Bench
  afterEach(() => bench.close())
  const at = (time: number, userId: number | null = 7) => {
    const rows = pricesAt(bench.ledger, { profile: 'shop', userId, at: time })
    return Object.fromEntries(Array.from({ length: rows.length }, (_, row) => [rows.id(row), rows.price(row)]))
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
    expect(pricesAt(bench.ledger, { profile: 'other', userId: 7, at: begin }).length).to.equal(0)
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
})
