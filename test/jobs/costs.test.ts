/** Costs in the ledger: versions by time, and what plans and reports read of them. */
import { expect } from 'chai'
import { ItemCosts } from '../../src/pricing/index.js'
import { cleanUp, temporaryLedger } from './harness.js'

const OWNER = { profile: 'shop', userId: 7 }
const DAY = 86_400_000

describe('costs', () => {
  afterEach(cleanUp)

  const row = (itemId: number, cost?: number | null) => ({ itemId, ownReference: '', cost })

  it('keep each value with the time from which it holds', () => {
    const { costs } = temporaryLedger()
    expect(costs.store(OWNER, [row(1, 24_950), row(2, 100)], DAY)).to.deep.equal({
      added: 2,
      changed: 0,
      unchanged: 0,
      removed: 0,
    })
    expect(costs.store(OWNER, [row(1, 25_000), row(2, 100)], 2 * DAY)).to.deep.equal({
      added: 0,
      changed: 1,
      unchanged: 1,
      removed: 0,
    })
    expect(costs.at(OWNER, 3 * DAY).map(({ ItemId, Cost, Since }) => [ItemId, Cost, Since])).to.deep.equal([
      [1, 25_000, 2 * DAY],
      [2, 100, DAY],
    ])
    expect(costs.at(OWNER, DAY).map(({ Cost }) => Cost)).to.deep.equal([24_950, 100])
    expect(costs.at(OWNER, DAY - 1)).to.deep.equal([])
    expect(costs.history(OWNER)).to.have.length(3)
  })

  it('change only the values that are given, and remove by null', () => {
    const { costs } = temporaryLedger()
    costs.store(OWNER, [{ itemId: 0, ownReference: 'EX-1', cost: 500, lowest: 900, recommended: 1990 }], DAY)
    costs.store(OWNER, [{ itemId: 0, ownReference: 'EX-1', lowest: null }], 2 * DAY)
    expect(costs.at(OWNER, 2 * DAY)).to.deep.equal([
      { ItemId: 0, OwnReference: 'EX-1', Since: 2 * DAY, Cost: 500, Lowest: null, Recommended: 1990 },
    ])
    const gone = { itemId: 0, ownReference: 'EX-1', cost: null, lowest: null, recommended: null }
    expect(costs.store(OWNER, [gone], 3 * DAY)).to.include({ removed: 1 })
    expect(costs.at(OWNER, 3 * DAY)).to.deep.equal([])
    expect(costs.at(OWNER, 2 * DAY)).to.have.length(1)
  })

  it('count what each row comes to, also of an item that is in them twice', () => {
    const { costs } = temporaryLedger()
    const values = (itemId: number, more: object) => ({ itemId, ownReference: '', ...more })
    const outcome = (...rows: Parameters<typeof costs.store>[1] extends Iterable<infer R> ? R[] : never) => {
      const { added, changed, unchanged, removed } = costs.store(OWNER, rows, DAY)
      return [added, changed, unchanged, removed]
    }
    expect(outcome(values(1, {}), values(1, { cost: null }))).to.deep.equal([0, 0, 2, 0])
    expect(outcome(values(1, { cost: 0 }), values(1, { cost: 0 }), values(1, { lowest: 5 }))).to.deep.equal([1, 1, 1, 0])
    expect(outcome(values(1, { recommended: 9 }), values(1, { recommended: 8 }))).to.deep.equal([0, 2, 0, 0])
    expect(costs.at(OWNER, DAY)).to.deep.equal([{ ItemId: 1, OwnReference: '', Since: DAY, Cost: 0, Lowest: 5, Recommended: 8 }])
    expect(outcome(values(1, { cost: null, lowest: null }))).to.deep.equal([0, 1, 0, 0])
    expect(costs.at(OWNER, DAY).map(({ Recommended }) => Recommended)).to.deep.equal([8])
    expect(outcome(values(1, { recommended: null }), values(1, { lowest: 3 }))).to.deep.equal([1, 0, 0, 1])
    expect(costs.at(OWNER, DAY)).to.deep.equal([
      { ItemId: 1, OwnReference: '', Since: DAY, Cost: null, Lowest: 3, Recommended: null },
    ])
    const named = (ownReference: string) => ({ itemId: 0, ownReference, cost: 1 })
    expect(outcome(named('B'), named('A'), named('1'), { itemId: 2, ownReference: '', cost: 1 })).to.deep.equal([4, 0, 0, 0])
    expect(outcome(named('B'), named('A'))).to.deep.equal([0, 0, 2, 0])
    expect(costs.at(OWNER, DAY).map(({ ItemId, OwnReference }) => [ItemId, OwnReference])).to.deep.equal([
      [1, ''],
      [2, ''],
      [0, '1'],
      [0, 'A'],
      [0, 'B'],
    ])
  })

  it('of another profile or seller are not those of this one', () => {
    const ledger = temporaryLedger()
    ledger.costs.store(OWNER, [row(1, 100)], DAY)
    for (const other of [
      { profile: 'other', userId: 7 },
      { profile: 'shop', userId: 8 },
    ]) {
      expect(ledger.costs.at(other, DAY)).to.deep.equal([])
    }
    expect(ledger.costs.at({ profile: 'shop', userId: null }, DAY)).to.deep.equal([])
  })

  it('are looked up by id, then by own reference, as of the time that is asked for', () => {
    const ledger = temporaryLedger()
    ledger.costs.store(OWNER, [row(1, 100), { itemId: 0, ownReference: 'EX-1', cost: 300 }], 10 * DAY)
    ledger.costs.store(OWNER, [row(1, 200)], 20 * DAY)
    const known = new ItemCosts(ledger.costs.history(OWNER))
    const cost = (...of: Parameters<typeof known.of>) => known.of(...of)?.cost
    expect(cost(1)).to.equal(200)
    expect(cost(1, ['EX-1'])).to.equal(200)
    expect(cost(2, ['EX-0', ' EX-1 '])).to.equal(300)
    expect(cost(2, ['EX-0'])).to.equal(undefined)
    expect(cost(1, [], 19 * DAY)).to.equal(100)
    expect(cost(1, [], 20 * DAY)).to.equal(200)
    // Recorded late: the first known value counts.
    expect(cost(1, [], 5 * DAY)).to.equal(100)
  })

  it('that were removed fall back to the own reference', () => {
    const ledger = temporaryLedger()
    ledger.costs.store(OWNER, [row(1, 100), { itemId: 0, ownReference: 'EX-1', cost: 300 }], DAY)
    ledger.costs.store(OWNER, [row(1, null)], 2 * DAY)
    const known = new ItemCosts(ledger.costs.history(OWNER))
    expect(known.of(1, ['EX-1'])?.cost).to.equal(300)
    expect(known.of(1, ['EX-1'], DAY)?.cost).to.equal(100)
  })
})
