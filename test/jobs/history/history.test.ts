/** The price history: readings of the live list beside the jobs of the ledger. */
import { expect } from 'chai'
import { ABSENT, changesSince, lastPrices, PriceReading, priceEvents } from '../../../src/jobs/history/index.js'
import { Bench, FakeService } from '../bulk/support.js'

const DAY = 24 * 60 * 60 * 1000
const OWNER = { profile: 'shop', userId: 7 }

describe('the price history of a shop', () => {
  let bench: Bench
  afterEach(() => bench.close())

  /** Reads the live list of the bench, by default a day later. */
  const read = (options: { whole?: boolean; only?: readonly number[]; days?: number } = {}) => {
    bench.clock.time += (options.days ?? 1) * DAY
    const reading = new PriceReading(bench.ledger, OWNER, options.whole ?? true)
    for (const { Id, BuyItNowPrice } of bench.service.items.values()) {
      if (options.only?.includes(Id) !== false) reading.see(Id, BuyItNowPrice ?? 0)
    }
    reading.write()
  }
  const price = async (prices: Record<number, number>) => bench.run(bench.price(prices), { wait: true })
  const outside = (id: number, kronor: number) => {
    const item = bench.service.items.get(id)
    if (item !== undefined) item.BuyItNowPrice = kronor
  }
  const events = (id: number) =>
    priceEvents(bench.ledger, OWNER, id).map(({ from, to, source, jobId }) => [source, from, to, jobId])
  const readings = () => bench.ledger.store.first<{ n: number }>('SELECT count(*) AS n FROM price_readings')?.n
  const last = (id: number) => lastPrices(bench.ledger, OWNER).of(id)

  it('tells what a job has set from what somebody else has', async () => {
    bench = new Bench(FakeService.shop(3))
    read()
    await price({ 1: 110 })
    read()
    outside(1, 125)
    outside(2, 90)
    read()
    expect(events(1)).to.deep.equal([
      ['first', null, 100, null],
      ['job', 100, 110, 1],
      ['outside', 110, 125, null],
    ])
    expect(events(2)).to.deep.equal([
      ['first', null, 100, null],
      ['outside', 100, 90, null],
    ])
    expect(events(3)).to.deep.equal([['first', null, 100, null]])
    expect(events(4)).to.deep.equal([])
    const found = priceEvents(bench.ledger, OWNER, 1)
    expect(found.map(({ at }) => at)).to.deep.equal([...found.map(({ at }) => at)].sort((one, other) => one - other))
  })

  it('knows the normal price of each item: last seen, or set by a job since', async () => {
    bench = new Bench(FakeService.shop(3))
    await price({ 1: 105 })
    expect(last(1)).to.deep.equal({ price: 105, jobId: 1 })
    expect(last(2)).to.equal(undefined)
    read()
    expect(last(1)).to.deep.equal({ price: 105, jobId: null })
    await price({ 1: 110 })
    expect(last(1)).to.deep.equal({ price: 110, jobId: 2 })
    expect(last(2)).to.deep.equal({ price: 100, jobId: null })
    outside(1, 120)
    expect(last(1)).to.deep.equal({ price: 110, jobId: 2 })
    read()
    expect(last(1)).to.deep.equal({ price: 120, jobId: null })
    expect(lastPrices(bench.ledger, { ...OWNER, userId: 8 }).of(1)).to.equal(undefined)
    expect(lastPrices(bench.ledger, OWNER).seenAt).to.equal(bench.clock.time)
  })

  it('sees that a price that a job had set was set back from outside', async () => {
    bench = new Bench(FakeService.shop(2))
    read()
    await price({ 1: 110 })
    outside(1, 100)
    read()
    expect(events(1)).to.deep.equal([
      ['first', null, 100, null],
      ['job', 100, 110, 1],
      ['outside', 110, 100, null],
    ])
    // And it says so once.
    read()
    read()
    expect(events(1)).to.have.length(3)
    expect(last(1)).to.deep.equal({ price: 100, jobId: null })
  })

  it('says nothing of rows that the service has refused', async () => {
    bench = new Bench(FakeService.shop(2))
    read()
    bench.service.code = () => 'UpdateNotAllowed'
    await price({ 1: 110 })
    read()
    expect(events(1)).to.deep.equal([['first', null, 100, null]])
    expect(readings()).to.equal(0)
  })

  it('knows a queued price for that of its job once it is live, and the row once it is done', async () => {
    bench = new Bench(FakeService.shop(2))
    read()
    // Sent, but no one has asked for its result.
    await bench.run(bench.price({ 1: 110 }))
    outside(1, 110)
    read()
    expect(events(1)).to.deep.equal([
      ['first', null, 100, null],
      ['job', 100, 110, 1],
    ])
    outside(1, 115)
    read()
    expect(events(1).at(-1)).to.deep.equal(['outside', 110, 115, null])
  })

  it('sees items that come and go, and come again', () => {
    bench = new Bench(FakeService.shop(2))
    read()
    const lamp = bench.service.items.get(2)
    bench.service.items.delete(2)
    const begin = bench.clock.time
    read()
    expect(last(2)).to.equal(undefined)
    if (lamp !== undefined) bench.service.items.set(2, { ...lamp, BuyItNowPrice: 140 })
    read()
    expect(events(2)).to.deep.equal([
      ['first', null, 100, null],
      ['gone', 100, null, null],
      ['new', null, 140, null],
    ])
    const shop = bench.ledger.history.shop(OWNER) ?? { shopId: 0 }
    const change = (since: number) => changesSince(bench.ledger, shop, since).map(({ id, from, to }) => [id, from, to])
    expect(change(begin)).to.deep.equal([[2, 100, 140]])
    expect(change(begin + 1.5 * DAY)).to.deep.equal([[2, ABSENT, 140]])
    expect(change(begin + 3 * DAY)).to.deep.equal([])
  })

  it('does not take what a category does not list for gone, and begins with a whole list', () => {
    bench = new Bench(FakeService.shop(3))
    read({ whole: false, only: [1] })
    expect(bench.ledger.history.shop(OWNER)).to.equal(undefined)
    read()
    outside(1, 130)
    outside(2, 140)
    read({ whole: false, only: [1] })
    expect(events(1).at(-1)).to.deep.equal(['outside', 100, 130, null])
    expect(events(2)).to.have.length(1)
    read()
    expect(events(1)).to.have.length(2)
    expect(events(2).at(-1)).to.deep.equal(['outside', 100, 140, null])
    expect(last(3)).to.deep.equal({ price: 100, jobId: null })
  })

  it('counts a job once that a category has shown before the whole list does', async () => {
    bench = new Bench(FakeService.shop(3))
    read()
    await price({ 1: 110, 2: 120 })
    outside(1, 111)
    read({ whole: false, only: [1] })
    read()
    expect(events(1)).to.deep.equal([
      ['first', null, 100, null],
      ['job', 100, 110, 1],
      ['outside', 110, 111, null],
    ])
    expect(events(2)).to.deep.equal([
      ['first', null, 100, null],
      ['job', 100, 120, 1],
    ])
  })

  it('writes no row for a reading that finds nothing, in any order of the list', () => {
    bench = new Bench(FakeService.shop(50))
    read()
    read()
    const turned = [...bench.service.items.entries()].reverse()
    bench.service.items.clear()
    for (const [id, item] of turned) bench.service.items.set(id, item)
    read()
    expect(readings()).to.equal(0)
    outside(17, 1)
    read()
    expect(readings()).to.equal(1)
    expect(events(17).at(-1)).to.deep.equal(['outside', 100, 1, null])
  })

  it('takes an item that a list has twice once', () => {
    bench = new Bench(FakeService.shop(2))
    for (let round = 0; round < 2; round++) {
      const reading = new PriceReading(bench.ledger, OWNER, true)
      for (const id of [1, 2, 1]) reading.see(id, 100)
      reading.write()
    }
    expect(readings()).to.equal(0)
    expect(bench.ledger.history.shop(OWNER)?.items).to.equal(2)
  })

  it('keeps the first of two readings that ran at once', () => {
    bench = new Bench(FakeService.shop(1))
    read()
    const [one, other] = [new PriceReading(bench.ledger, OWNER, true), new PriceReading(bench.ledger, OWNER, true)]
    one.see(1, 120)
    other.see(1, 130)
    one.write()
    other.write()
    expect(last(1)).to.deep.equal({ price: 120, jobId: null })
    expect(readings()).to.equal(1)
  })

  it('does not take a job that ran while the list was read for somebody else', async () => {
    bench = new Bench(FakeService.shop(1))
    read()
    const early = new PriceReading(bench.ledger, OWNER, true)
    early.see(1, 100)
    await price({ 1: 110 })
    early.write()
    read()
    expect(events(1)).to.deep.equal([
      ['first', null, 100, null],
      ['job', 100, 110, 1],
    ])
  })

  it('reads again from the oldest job whose rows had no result at the last reading', async () => {
    bench = new Bench(FakeService.shop(2))
    read()
    for (const id of [1, 2]) await bench.run(bench.price({ [id]: 110 }))
    read()
    expect(bench.ledger.history.shop(OWNER)?.openJob).to.equal(1)
  })

  it('does not take a row that was carried out while the list was read for somebody else', async () => {
    bench = new Bench(FakeService.shop(1))
    read()
    const job = bench.price({ 1: 110 })
    await bench.run(job)
    const early = new PriceReading(bench.ledger, OWNER, true)
    early.see(1, 100)
    await bench.run(job, { wait: true })
    early.write()
    read()
    expect(events(1)).to.deep.equal([
      ['first', null, 100, null],
      ['job', 100, 110, 1],
    ])
  })

  it('tells since when an item is another: a job made before does not count, one made after does', async () => {
    bench = new Bench(FakeService.shop(4))
    read()
    await price({ 1: 110 })
    bench.clock.time += DAY
    const since = bench.clock.time
    await price({ 2: 90 })
    outside(3, 70)
    await price({ 4: 130 })
    await price({ 4: 100 })
    read()
    const shop = bench.ledger.history.shop(OWNER) ?? { shopId: 0 }
    const found = changesSince(bench.ledger, shop, since).map(({ id, from, to, jobIds, outside: by }) => [
      id,
      from,
      to,
      jobIds,
      by,
    ])
    expect(found).to.deep.equal([
      [2, 100, 90, [2], false],
      [3, 100, 70, [], true],
    ])
  })
})
