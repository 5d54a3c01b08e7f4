/** Plans of numbers in stock over a live list that leaves the number out of an item. */

import { expect } from 'chai'
import { valueSetOf } from '../../../src/contract/jobs.js'
import { DEFAULT_GUARDS, judgeStock, type LiveItem, planValueRule, planValues } from '../../../src/pricing/index.js'
import { QUANTITY, readValueRows } from '../../../src/rows/index.js'
import { said } from '../../said.js'

const STOCK = valueSetOf('stock')

const item = (Id: number, RemainingQuantity: number | undefined, more: Partial<LiveItem> = {}): LiveItem =>
  ({ Id, ItemType: 'ShopItem', RemainingQuantity, ...more }) as LiveItem
const outcomes = (plan: { entries: readonly { Id: number; State: string; Old: number | null }[] }) =>
  plan.entries.map(({ Id, State, Old }) => [Id, State, Old])

describe('plans of numbers in stock', () => {
  it('hold an item whose number the list does not say, whatever it would be set to, 0 included', async () => {
    for (const wanted of [0, 5]) {
      const input = await readValueRows(QUANTITY, [`Id,Antal\n1,${wanted}\n2,5\n`])
      const plan = await planValues(STOCK, input, [item(1, undefined), item(2, 3)], { perCall: 500 })
      expect(outcomes(plan)).to.deep.equal([
        [1, 'held', null],
        [2, 'change', 3],
      ])
      expect(said(plan.entries[0])).to.equal('the live list does not say its stock level')
      expect(plan.summary).to.include({ Held: 1, Change: 1, Calls: 1 })
    }
  })

  it('name what is not live as it was given, by an id or an own reference', async () => {
    const byId = await readValueRows(QUANTITY, ['Id,Antal\n9,5\n'])
    const byReference = await readValueRows(QUANTITY, ['Artikelnr,Antal\nA-9,5\n'])
    const live = [item(1, 3, { OwnReferences: ['A-1'] })]
    const [lost] = (await planValues(STOCK, byId, live, { perCall: 500 })).entries
    expect([lost?.State, lost?.Hold?.Values]).to.deep.equal(['unknown', { Id: 9, OwnReference: null, Type: 'ShopItem' }])
    const [other] = (await planValues(STOCK, byReference, live, { perCall: 500 })).entries
    expect([other?.State, other?.Hold?.Values]).to.deep.equal(['unknown', { Id: null, OwnReference: 'A-9', Type: 'ShopItem' }])
  })

  it('hold a number from before a sale, unless goods came in since', async () => {
    const at = Date.parse('2026-01-31T11:00:00Z')
    const sold = () => ({ of: (id: number) => (id === 8 ? undefined : { before: 5, after: 2, at }) })
    const input = await readValueRows(QUANTITY, ['Id,OwnReference,Antal\n1,,5\n2,,5\n3,,5\n4,,4\n5,,5\n6,,5\n7,A,5\n8,,5\n'])
    const numbers = [2, 1, 3, 2, 5, undefined, 2, 2]
    const live = numbers.map((number, place) => item(place + 1, number))
    const { entries } = await planValues(STOCK, input, live, { perCall: 500, sold })
    expect(entries.map(({ Id, State, Hold }) => [Id, State, Hold?.Code])).to.deep.equal([
      [1, 'held', 'sold_since_file'],
      [2, 'held', 'sold_since_file'],
      [3, 'change', undefined],
      [4, 'change', undefined],
      [5, 'unchanged', undefined],
      [6, 'held', 'level_unknown'],
      [7, 'held', 'other_reference'],
      [8, 'change', undefined],
    ])
    expect(entries[1]?.Hold?.Values).to.deep.equal({ Quantity: 5, Live: 1, At: '2026-01-31T11:00:00.000Z' })
  })

  it('hold a row whose id and own reference name two items', async () => {
    const input = await readValueRows(QUANTITY, ['Id,OwnReference,Antal\n1,A,5\n2,A,5\n3,B,5\n4,4,5\n'])
    const live = [item(1, 3, { OwnReferences: [' A '] }), item(2, 3, { OwnReferences: ['C'] }), item(3, 3), item(4, 3)]
    const { entries } = await planValues(STOCK, input, live, { perCall: 500 })
    expect(entries.map(({ Id, State, Hold }) => [Id, State, Hold?.Code])).to.deep.equal([
      [1, 'change', undefined],
      [2, 'held', 'other_reference'],
      [3, 'held', 'other_reference'],
      [4, 'change', undefined],
    ])
  })

  it('do not add to a number that is not said, nor set one by a rule', async () => {
    const live = [item(1, undefined), item(2, 3), item(3, 7)]
    const added = await planValueRule(STOCK, { add: 4 }, { live, select: { all: true }, perCall: 500 })
    expect(outcomes(added)).to.deep.equal([
      [1, 'held', null],
      [2, 'change', 3],
      [3, 'change', 7],
    ])
    expect(added.entries.map(({ Value }) => Value).slice(1)).to.deep.equal([7, 11])
    const set = await planValueRule(STOCK, { set: 7 }, { live, select: { all: true }, perCall: 500 })
    expect(set.entries.map(({ State }) => State)).to.deep.equal(['held', 'change', 'unchanged'])
  })

  it('hold every further row about an item, and name the first', async () => {
    const input = await readValueRows(QUANTITY, ['Id,OwnReference,Antal\n1,,5\n,A,6\n,B,7\n,C,8\n'])
    const live = [item(1, 3, { OwnReferences: ['A', 'B'] }), item(2, 3, { OwnReferences: ['C'] })]
    const { entries } = await planValues(STOCK, input, live, { perCall: 500 })
    expect(entries.map(({ Id, State, Hold }) => [Id, State, said({ Hold })])).to.deep.equal([
      [1, 'change', null],
      [0, 'held', 'item 1 is also in line 2'],
      [0, 'held', 'item 1 is also in line 2'],
      [2, 'change', null],
    ])
  })

  it('set by a rule are those of selected shop items, and no others', async () => {
    const live = [
      item(1, 3, { CategoryId: 5 }),
      item(2, 3, { CategoryId: 6 }),
      item(3, 3, { ItemType: 'Auction', CategoryId: 5 }),
    ]
    const chosen = await planValueRule(STOCK, { add: 1 }, { live, select: { category: 5 }, perCall: 500 })
    expect(outcomes(chosen)).to.deep.equal([[1, 'change', 3]])
    const all = await planValueRule(STOCK, { add: 1 }, { live, select: { all: true }, perCall: 500 })
    expect(outcomes(all).map(([id]) => id)).to.deep.equal([1, 2])
  })

  it('never go below none', async () => {
    const plan = await planValueRule(STOCK, { add: -5 }, { live: [item(1, 3)], select: { all: true }, perCall: 500 })
    expect(plan.entries[0]).to.include({ Value: 0, State: 'change' })
  })
})

describe('new numbers in stock, judged together', () => {
  // The same numbers at each run (Lehmer, 1951).
  let state = 20_261_123
  const upTo = (most: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
  const shop = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...item(1000 + at, 1 + upTo(30)),
      BuyItNowPrice: 49 + 10 * upTo(60),
    }))
  type Shop = ReturnType<typeof shop>
  const planned = async (live: Shop, numbers: readonly number[]) => {
    const csv = `Id,Antal\n${live.map(({ Id }, at) => `${Id},${numbers[at]}`).join('\n')}\n`
    return planValues(STOCK, await readValueRows(QUANTITY, [csv]), live as never, {
      perCall: 500,
      judge: (all, priceOf) => judgeStock(all, priceOf, DEFAULT_GUARDS),
    })
  }
  const now = (live: Shop) => live.map(({ RemainingQuantity }) => RemainingQuantity as number)
  const inTens = (live: Shop) =>
    live.map((item) => ({ ...item, RemainingQuantity: (item.RemainingQuantity ?? 0) * 10 })) as unknown as Shop
  const WRONG: readonly [limit: string, how: string, wrong: (live: Shop) => number[], at?: (live: Shop) => Shop][] = [
    ['stock_shifted', 'down', (live) => now(live).map((_, at, all) => all[at - 1] ?? all[0] ?? 0)],
    ['stock_shifted', 'up', (live) => now(live).map((number, at, all) => all[at + 1] ?? number)],
    ['stock_is_price', 'all', (live) => live.map(({ BuyItNowPrice }) => BuyItNowPrice)],
    ['max_same_stock', 'seven', (live) => now(live).map((number, at) => (at % 5 === 0 ? number + 1 : 7))],
    ['stock_tenfold', 'ten times', (live) => now(live).map((number) => number * 10)],
    ['stock_tenfold', 'a tenth', (live) => now(live).map((number) => number / 10), inTens],
  ]

  for (const [limit, how, wrong, at = (live: Shop) => live] of WRONG) {
    it(`are not sent where ${limit} says so: none of 50 wrong files passes (${how})`, async () => {
      for (let run = 0; run < 50; run++) {
        const live = at(shop(16 + upTo(40)))
        const { summary, entries } = await planned(live, wrong(live))
        expect([summary.Change, summary.Stopped?.Limit], said(summary.Stopped) ?? '').to.deep.equal([0, limit])
        const held = entries.filter(({ State }) => State === 'held')
        expect(new Set(held.map(({ Limit }) => Limit))).to.deep.equal(new Set([limit]))
        expect(summary.Held).to.equal(held.length).and.be.at.least(10)
      }
    })
  }

  it('are sent where they are what a stocktaking finds, where few change, and where all sold-out items come back', async () => {
    for (let run = 0; run < 50; run++) {
      const live = shop(20 + upTo(40))
      const counted = now(live).map((number) => Math.max(0, number + upTo(9) - 4))
      expect((await planned(live, counted)).summary.Stopped).to.equal(null)
      const few = now(live).map((number, at) => (at < 9 ? number * 10 : number))
      expect((await planned(live, few)).summary).to.include({ Stopped: null, Change: 9 })
    }
  })
})
