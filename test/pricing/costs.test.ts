/** Costs of items, now and earlier, by id and by own reference. */
import { expect } from 'chai'
import { ItemCosts, PlanCosts } from '../../src/pricing/index.js'
import type { CostVersion } from '../../src/rows/index.js'

const version = (item: number | string, Since: number, Cost: number | null, more: Partial<CostVersion> = {}): CostVersion => ({
  ItemId: typeof item === 'number' ? item : 0,
  OwnReference: typeof item === 'string' ? item : '',
  Since,
  Cost,
  Lowest: null,
  Recommended: null,
  ...more,
})

describe('the costs of items', () => {
  it('are none where none is recorded', () => {
    const none = new ItemCosts()
    expect([none.empty, none.of(1), none.of(1, ['A'], 5)]).to.deep.equal([true, undefined, undefined])
    const plan = new PlanCosts(none, 0.25)
    expect([plan.empty, plan.of({ Id: 1 })]).to.deep.equal([true, undefined])
  })

  for (const [what, item] of [
    ['an id', 7],
    ['an own reference', 'EX-7'],
  ] as const) {
    it(`are those of the time that is asked for, of ${what}`, () => {
      const costs = new ItemCosts([version(item, 100, 10), version(5, 150, 1), version(item, 200, 20), version(item, 300, 30)])
      const at = (time?: number) => (typeof item === 'number' ? costs.of(item, [], time) : costs.of(99, [item], time))?.cost
      expect([at(), at(0), at(99), at(100), at(199), at(200), at(299), at(300), at(1e6)]).to.deep.equal([
        30, 10, 10, 10, 10, 20, 20, 30, 30,
      ])
      expect(costs.empty).to.equal(false)
    })
  }

  it('of an id count before those of its references, and these in their order, with or without spaces', () => {
    const costs = new ItemCosts([version('B', 0, 3), version('A', 0, 2), version(1, 0, 1)])
    const cost = (id: number, ...references: string[]) => costs.of(id, references)?.cost
    expect([cost(1, 'A', 'B'), cost(2, 'A', 'B'), cost(2, 'B', 'A'), cost(2, 'X', ' A ')]).to.deep.equal([1, 2, 3, 2])
    expect([costs.of(2), costs.of(2, []), costs.of(2, ['X']), costs.of(0, ['X'])]).to.deep.equal(new Array(4).fill(undefined))
  })

  it('that were removed are those of the next that is known', () => {
    const costs = new ItemCosts([version(1, 0, 10), version('A', 0, 20), version(1, 50, null)])
    expect(costs.of(1, ['A'])?.cost).to.equal(20)
    expect(costs.of(1)).to.equal(undefined)
    expect(costs.of(1, ['A'], 49)?.cost).to.equal(10)
    const removed = new ItemCosts([version('A', 0, 20), version('A', 9, null)])
    expect([removed.of(1, ['A']), removed.empty]).to.deep.equal([undefined, false])
  })

  it('may be only a lowest or a recommended price, or nothing at all of 0', () => {
    const costs = new ItemCosts([
      version(1, 0, null, { Lowest: 500 }),
      version(2, 0, null, { Recommended: 900 }),
      version(3, 0, 0),
    ])
    expect([1, 2, 3].map((id) => costs.of(id))).to.deep.equal([
      { cost: undefined, lowest: 500, recommended: undefined },
      { cost: undefined, lowest: undefined, recommended: 900 },
      { cost: 0, lowest: undefined, recommended: undefined },
    ])
  })

  it('come to a plan with the VAT of the shop', () => {
    const plan = new PlanCosts(new ItemCosts([version(1, 0, 10), version('A', 0, 20)]), 0.25)
    expect(plan.empty).to.equal(false)
    expect(plan.of({ Id: 1 })).to.deep.equal({ cost: 10, lowest: undefined, recommended: undefined, vat: 0.25 })
    expect(plan.of({ Id: 5, OwnReferences: ['A'] })).to.deep.include({ cost: 20, vat: 0.25 })
    expect(plan.of({ Id: 5, OwnReferences: ['B'] })).to.equal(undefined)
  })
})
