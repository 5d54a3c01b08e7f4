/** Plans of numbers in stock over a live list that leaves the number out of an item. */
import { expect } from 'chai'
import { type LiveItem, planStock, planStockRule, readStockRows } from '../../../src/pricing/index.js'

const item = (Id: number, RemainingQuantity: number | undefined, more: Partial<LiveItem> = {}): LiveItem =>
  ({ Id, ItemType: 'ShopItem', RemainingQuantity, ...more }) as LiveItem
const outcomes = (plan: { entries: readonly { Id: number; Outcome: string; OldQuantity: number | null }[] }) =>
  plan.entries.map(({ Id, Outcome, OldQuantity }) => [Id, Outcome, OldQuantity])

describe('plans of numbers in stock', () => {
  it('hold an item whose number the list does not say, whatever it would be set to, 0 included', async () => {
    for (const wanted of [0, 5]) {
      const input = await readStockRows([`Id,Antal\n1,${wanted}\n2,5\n`])
      const plan = await planStock(input, [item(1, undefined), item(2, 3)], 500)
      expect(outcomes(plan)).to.deep.equal([
        [1, 'held', null],
        [2, 'change', 3],
      ])
      expect(plan.entries[0]?.Reason).to.equal('the live list does not say how many are in stock')
      expect(plan.summary).to.include({ Held: 1, Change: 1, Calls: 1 })
    }
  })

  it('do not add to a number that is not said, nor set one by a rule', async () => {
    const live = [item(1, undefined), item(2, 3), item(3, 7)]
    const added = await planStockRule({ add: 4 }, { live, select: { all: true }, perCall: 500 })
    expect(outcomes(added)).to.deep.equal([
      [1, 'held', null],
      [2, 'change', 3],
      [3, 'change', 7],
    ])
    expect(added.entries.map(({ Quantity }) => Quantity).slice(1)).to.deep.equal([7, 11])
    const set = await planStockRule({ set: 7 }, { live, select: { all: true }, perCall: 500 })
    expect(set.entries.map(({ Outcome }) => Outcome)).to.deep.equal(['held', 'change', 'unchanged'])
  })

  it('hold every further row about an item, and name the first', async () => {
    const input = await readStockRows(['Id,OwnReference,Antal\n1,,5\n,A,6\n,B,7\n,C,8\n'])
    const live = [item(1, 3, { OwnReferences: ['A', 'B'] }), item(2, 3, { OwnReferences: ['C'] })]
    const { entries } = await planStock(input, live, 500)
    expect(entries.map(({ Id, Outcome, Reason }) => [Id, Outcome, Reason])).to.deep.equal([
      [1, 'change', null],
      [0, 'held', 'item 1 is in line 2 too'],
      [0, 'held', 'item 1 is in line 2 too'],
      [2, 'change', null],
    ])
  })

  it('set by a rule are those of selected shop items, and no others', async () => {
    const live = [
      item(1, 3, { CategoryId: 5 }),
      item(2, 3, { CategoryId: 6 }),
      item(3, 3, { ItemType: 'Auction', CategoryId: 5 }),
    ]
    const chosen = await planStockRule({ add: 1 }, { live, select: { category: 5 }, perCall: 500 })
    expect(outcomes(chosen)).to.deep.equal([[1, 'change', 3]])
    const all = await planStockRule({ add: 1 }, { live, select: { all: true }, perCall: 500 })
    expect(outcomes(all).map(([id]) => id)).to.deep.equal([1, 2])
  })

  it('never go below none', async () => {
    const plan = await planStockRule({ add: -5 }, { live: [item(1, 3)], select: { all: true }, perCall: 500 })
    expect(plan.entries[0]).to.include({ Quantity: 0, Outcome: 'change' })
  })
})
