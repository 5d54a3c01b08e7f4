/** Pruning and checking of the price history and the costs. */
import { expect } from 'chai'
import { PriceReading, priceEvents } from '../../../src/jobs/history/index.js'
import { type Move, packMoves } from '../../../src/jobs/history/moves.js'
import { PricePacker } from '../../../src/jobs/history/seen-prices.js'
import { LedgerError } from '../../../src/jobs/index.js'
import { findFaults, planPrune, pruneLedger } from '../../../src/jobs/upkeep/index.js'
import { cleanUp, FakeClock, temporaryLedger } from '../harness.js'

const DAY = 24 * 60 * 60 * 1000
const OWNER = { profile: 'shop', userId: 7 }

describe('the upkeep of the price history', () => {
  afterEach(cleanUp)

  const make = () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const read = (prices: Record<number, number>) => {
      clock.time += DAY
      const reading = new PriceReading(ledger, OWNER, true)
      for (const [id, price] of Object.entries(prices)) reading.see(Number(id), price)
      reading.write()
      return clock.time
    }
    const events = (id: number) => priceEvents(ledger, OWNER, id).map(({ source, from, to }) => [source, from, to])
    return { clock, ledger, read, events }
  }

  it('removes old moves and never the last known price, also of an item that is gone', async () => {
    const { ledger, read, events } = make()
    read({ 1: 100, 2: 200, 3: 300 })
    read({ 1: 110, 2: 210, 3: 310 })
    read({ 1: 120, 2: 220 })
    const cut = read({ 1: 120, 2: 220 }) - 1
    read({ 1: 130, 2: 220 })
    expect((await planPrune(ledger, cut)).Prices).to.equal(5)
    expect((await pruneLedger(ledger, cut)).Prices).to.equal(5)
    expect((await planPrune(ledger, cut)).Prices).to.equal(0)
    expect(events(1)).to.deep.equal([
      ['first', null, 120],
      ['outside', 120, 130],
    ])
    expect(events(2)).to.deep.equal([['first', null, 220]])
    expect(events(3).at(-1)).to.deep.equal(['gone', 310, null])
    expect(await findFaults(ledger.store)).to.deep.equal([])
    read({ 1: 140, 2: 220, 3: 330 })
    expect(events(3)).to.deep.equal([
      ['first', null, 310],
      ['gone', 310, null],
      ['new', null, 330],
    ])
  })

  it('keeps of an item that left several times only the last time', async () => {
    const { ledger, read, events } = make()
    read({ 1: 100, 3: 300 })
    read({ 1: 100 })
    read({ 1: 100, 3: 310 })
    const last = read({ 1: 110 })
    expect((await pruneLedger(ledger, last + 1)).Prices).to.equal(3)
    expect(events(3)).to.deep.equal([
      ['first', null, 310],
      ['gone', 310, null],
    ])
  })

  it('says that the history is shorter once moves are removed, and not where there were none', async () => {
    const { ledger, read } = make()
    const first = read({ 1: 100 })
    const quiet = read({ 1: 100 })
    await pruneLedger(ledger, quiet)
    expect(ledger.history.shop(OWNER)?.knownFrom).to.equal(first)
    const moved = read({ 1: 120 })
    await pruneLedger(ledger, moved + DAY)
    expect(ledger.history.shop(OWNER)?.knownFrom).to.equal(moved)
  })

  it('removes costs that another has followed, and keeps what held at that time', async () => {
    const { ledger } = make()
    for (const [at, cost] of [
      [1, 100],
      [2, 200],
      [5, 500],
    ] as const) {
      ledger.costs.store(OWNER, [{ itemId: 1, ownReference: '', cost }], at * DAY)
    }
    ledger.costs.store(OWNER, [{ itemId: 0, ownReference: 'EX-1', cost: 7 }], DAY)
    const at = () => ledger.costs.at(OWNER, 3 * DAY).map(({ Cost }) => Cost)
    const before = at()
    expect((await pruneLedger(ledger, 3 * DAY)).Costs).to.equal(1)
    expect(at()).to.deep.equal(before)
    expect(ledger.costs.history(OWNER).map(({ Cost }) => Cost)).to.deep.equal([7, 200, 500])
  })

  for (const [what, sql, problem] of [
    ['prices that are cut short', "UPDATE price_shops SET prices = x'85'", 'its prices cannot be read'],
    ['a number of items that is wrong', 'UPDATE price_shops SET items = 1', 'its prices cannot be read'],
    ['a number of moves that is wrong', 'UPDATE price_readings SET count = 9', 'it counts 9 moves, and has 1'],
    ['moves that are cut short', "UPDATE price_readings SET moves = x'8585'", 'its moves cannot be read'],
    ['an impossible move', "UPDATE price_readings SET moves = x'02020000'", 'a move has an id, a job or a price that cannot be'],
    ['a cost below 0', 'UPDATE costs SET cost = -1', 'an amount below 0'],
    ['a cost of no item', "UPDATE costs SET item_id = 0, own_reference = ''", 'or neither'],
  ] as const) {
    it(`finds ${what}`, async () => {
      const { ledger, read } = make()
      read({ 1: 100, 2: 200 })
      read({ 1: 110, 2: 200 })
      ledger.costs.store(OWNER, [{ itemId: 1, ownReference: '', cost: 100 }], DAY)
      expect(await findFaults(ledger.store)).to.deep.equal([])
      ledger.store.exec(sql)
      expect((await findFaults(ledger.store)).map(({ Problem }) => Problem).join()).to.include(problem)
    })
  }

  it('finds items that are in a shop twice, and ids or prices that cannot be', async () => {
    const { ledger, read } = make()
    read({ 1: 100 })
    const problems = async (...items: [id: number, price: number][]) => {
      const packer = new PricePacker()
      for (const [id, price] of items) packer.push(id, price)
      ledger.store.run('UPDATE price_shops SET prices = ?, items = ?', packer.bytes, packer.count)
      return (await findFaults(ledger.store)).map(({ Check, Where, Problem }) => [Check, Where, Problem])
    }
    expect(await problems([1, 100], [2, 0])).to.deep.equal([])
    expect(await problems([1, 100], [2, 200], [1, 100])).to.deep.equal([['prices', 'shop 1', 'an item is in it twice']])
    for (const wrong of [
      [1, -1],
      [0, 100],
      [-1, 100],
    ] as [number, number][]) {
      expect(await problems([5, 100], wrong, [7, 100])).to.deep.equal([['prices', 'shop 1', 'an id or a price is below 0']])
    }
  })

  it('finds moves that cannot be, whatever is wrong in them', async () => {
    const { ledger, read } = make()
    read({ 1: 100 })
    read({ 1: 110 })
    const problems = async (move: Partial<Move>) => {
      const { bytes, count } = packMoves([
        { id: 1, from: 100, to: 110, job: 0 },
        { id: 1, from: 100, to: 110, job: 0, ...move },
      ])
      ledger.store.run('UPDATE price_readings SET moves = ?, count = ?', bytes, count)
      return (await findFaults(ledger.store)).map(({ Problem }) => Problem)
    }
    for (const sound of [{}, { from: -1 }, { to: -1 }, { from: 0 }, { to: 0 }, { job: 5 }])
      expect(await problems(sound)).to.deep.equal([])
    for (const wrong of [{ id: 0 }, { id: -1 }, { from: -2 }, { to: -2 }, { job: -1 }, { from: 110 }]) {
      expect(await problems(wrong), JSON.stringify(wrong)).to.deep.equal(['a move has an id, a job or a price that cannot be'])
    }
  })

  it('names the item of a wrong cost by its id, or by its own reference', async () => {
    const { ledger, read } = make()
    read({ 1: 100 })
    ledger.costs.store(OWNER, [{ itemId: 1, ownReference: '', cost: 100 }], DAY)
    ledger.costs.store(OWNER, [{ itemId: 0, ownReference: 'EX-1', cost: 100 }], DAY)
    ledger.store.exec('UPDATE costs SET cost = -1')
    expect((await findFaults(ledger.store)).map(({ Check, Where }) => [Check, Where])).to.have.deep.members([
      ['costs', 'item 1'],
      ['costs', 'item EX-1'],
    ])
  })

  it('calls packed prices that cannot be read a damaged ledger', () => {
    const { ledger, read } = make()
    read({ 1: 100 })
    ledger.store.exec("UPDATE price_shops SET prices = x'85'")
    expect(() => read({ 1: 100 })).to.throw(LedgerError, 'is damaged')
    expect(() => priceEvents(ledger, OWNER, 1)).to.throw(LedgerError, 'is damaged')
  })
})
