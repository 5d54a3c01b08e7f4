/** Plans of numbers in stock against what a job has set, and rows that name the same or no item. */

import { expect } from 'chai'
import { valueSetOf } from '../../../src/contract/jobs.js'
import { type ExpectedValue, type LiveItem, planValueRule, planValues } from '../../../src/pricing/index.js'
import { QUANTITY, readValueRows } from '../../../src/rows/index.js'
import { because, inWords, said } from '../../said.js'

const STOCK = valueSetOf('stock')

const MAX_INT = 2147483647
const item = (Id: number, RemainingQuantity: number | null, more: Partial<LiveItem> = {}): LiveItem =>
  ({ Id, ItemType: 'ShopItem', RemainingQuantity, ...more }) as LiveItem
const planned = async (csv: string, live: LiveItem[], expected?: [number, ExpectedValue][], perCall = 500) =>
  planValues(STOCK, await readValueRows(QUANTITY, [csv]), live, {
    perCall,
    expected: expected === undefined ? undefined : new Map(expected),
  })

describe('a plan of numbers in stock', () => {
  it('has all of each row, with what the live item says', async () => {
    const plan = await planned('_n,Id,OwnReference,Antal\na,1,,5\nb,,B,0\nc,3,,7\nd,,X,1\n', [
      item(1, 3, { ShortDescription: 'Lampa' }),
      item(2, 4, { OwnReferences: ['B'] }),
      item(9, 1),
    ])
    const row = { Title: null, OwnReference: null, Limit: null, Reason: null }
    expect(plan.entries.map(inWords)).to.deep.equal([
      { ...row, Line: 2, Id: 1, Title: 'Lampa', Old: 3, Value: 5, State: 'change' },
      { ...row, Line: 3, Id: 2, OwnReference: 'B', Old: 4, Value: 0, State: 'change' },
      {
        ...row,
        Line: 4,
        Id: 3,
        Old: null,
        Value: 7,
        State: 'unknown',
        Reason: 'no live shop item has id 3',
      },
      {
        ...row,
        Line: 5,
        Id: 0,
        OwnReference: 'X',
        Old: null,
        Value: 1,
        State: 'unknown',
        Reason: 'no live shop item has own reference "X"',
      },
    ])
    expect(plan.extras).to.deep.equal([['a'], ['b'], ['c'], ['d']])
    expect(plan.form).to.include({ kind: 'csv' })
    expect(plan.summary).to.deep.equal({ Rows: 4, Change: 2, Unchanged: 0, Unknown: 2, Held: 0, Calls: 1, Stopped: null })
  })

  it('takes as many calls as its changed rows need', async () => {
    const rows = (count: number) => `Id,Antal\n${Array.from({ length: count }, (_, at) => `${at + 1},5`).join('\n')}\n`
    const live = Array.from({ length: 5 }, (_, at) => item(at + 1, at === 4 ? 5 : 3))
    for (const [count, calls] of [
      [2, 1],
      [3, 2],
      [4, 2],
      [5, 2],
    ] as const) {
      expect((await planned(rows(count), live, undefined, 2)).summary.Calls, String(count)).to.equal(calls)
    }
    expect((await planned(rows(5), live)).summary).to.include({ Rows: 5, Change: 4, Unchanged: 1 })
  })

  it('holds a row whose item has another number than the job has set, and one that must not go back', async () => {
    const { entries } = await planned(
      'Id,Antal\n1,9\n2,9\n3,9\n4,9\n5,3\n',
      [1, 2, 3, 4, 5].map((id) => item(id, 3)),
      [
        [1, { value: 3 }],
        [2, { value: 4 }],
        [3, { value: 3, hold: because('it was sold') }],
        [4, { value: 5, hold: because('it was sold') }],
        [5, { value: 8 }],
      ],
    )
    expect(entries.map(({ State, Hold }) => [State, said({ Hold })])).to.deep.equal([
      ['change', null],
      ['held', 'its stock level is 3, not 4: it has changed since the job set it'],
      ['held', 'it was sold'],
      ['held', 'it was sold'],
      ['unchanged', null],
    ])
  })

  it('holds an own reference that several items have, and takes one that an item has twice', async () => {
    const { entries } = await planned('OwnReference,Antal\nA,9\nB,9\n', [
      item(1, 3, { OwnReferences: ['A'] }),
      item(2, 4, { OwnReferences: ['A', 'B', 'B'] }),
    ])
    expect(entries.map(({ Id, State, Hold }) => [Id, State, said({ Hold })])).to.deep.equal([
      [1, 'held', 'own reference "A" belongs to items 1 and 2'],
      [2, 'change', null],
    ])
  })

  it('leaves alone what is no shop item, and holds a number that is null', async () => {
    const { entries } = await planned('Id,Antal\n1,9\n2,9\n', [item(1, 3, { ItemType: 'Auction' }), item(2, null)])
    expect(entries.map(({ State }) => State)).to.deep.equal(['unknown', 'held'])
  })

  it('does not hold several rows about no item for rows about one', async () => {
    const { entries } = await planned('Id,OwnReference,Antal\n,X,9\n,Y,9\n', [])
    expect(entries.map(({ State }) => State)).to.deep.equal(['unknown', 'unknown'])
  })
})

describe('a rule for numbers in stock', () => {
  it('makes rows of an id and a number, without columns of a seller', async () => {
    const live = [item(1, 3, { ShortDescription: 'Lampa' }), item(2, 4)]
    const plan = await planValueRule(STOCK, { add: 2 }, { live, select: { all: true }, perCall: 1 })
    expect(plan.form).to.deep.equal({ kind: 'rule', columns: ['Id', 'Quantity'] })
    expect(plan.extras).to.deep.equal([[], []])
    expect(plan.entries[0]).to.deep.equal({
      Line: 0,
      Id: 1,
      OwnReference: null,
      Title: 'Lampa',
      Old: 3,
      Value: 5,
      State: 'change',
      Limit: null,
      Hold: null,
    })
    expect(plan.summary).to.deep.equal({ Rows: 2, Change: 2, Unchanged: 0, Unknown: 0, Held: 0, Calls: 2, Stopped: null })
  })

  it('goes neither below 0 nor above what the service can hold', async () => {
    const live = [item(1, 3), item(2, MAX_INT - 1)]
    const quantities = async (rule: { add: number } | { set: number }) =>
      (await planValueRule(STOCK, rule, { live, select: { all: true }, perCall: 500 })).entries.map(({ Value }) => Value)
    expect(await quantities({ add: 1 })).to.deep.equal([4, MAX_INT])
    expect(await quantities({ add: 5 })).to.deep.equal([8, MAX_INT])
    expect(await quantities({ add: -3 })).to.deep.equal([0, MAX_INT - 4])
    expect(await quantities({ add: -4 })).to.deep.equal([0, MAX_INT - 5])
    expect(await quantities({ set: 0 })).to.deep.equal([0, 0])
  })
})
