/** The rows of a plan: how each is judged beside its live item, its cost and its neighbours, and what is shown and sent of it. */
import { expect } from 'chai'
import {
  DEFAULT_GUARDS,
  type Guards,
  ItemCosts,
  type LiveItem,
  NO_GUARDS,
  PlanCosts,
  planPrices,
  RowPlan,
} from '../../../src/pricing/index.js'
import { type PriceRow, PriceRows, priceRowsFromArguments } from '../../../src/rows/index.js'
import { because, said } from '../../said.js'
import { readCut, shopItem } from '../support.js'

const rowsOf = (list: readonly Omit<PriceRow, 'line'>[], kind: 'ndjson' | 'rule' | 'arguments' = 'ndjson') => {
  const rows = new PriceRows({ kind, columns: ['Id', 'Price'] })
  for (const [at, row] of list.entries()) rows.add({ line: at + 2, ...row })
  return rows
}
const judged = async (
  row: Omit<PriceRow, 'line' | 'id'>,
  old: number | null | undefined,
  { guards = DEFAULT_GUARDS, lowers }: { guards?: Guards; lowers?: boolean } = {},
) => {
  const live = old === undefined ? undefined : [shopItem(1, old)]
  const { State, Limit } = (await planPrices({ rows: rowsOf([{ id: 1, ...row }]), live, guards, lowers })).entry(0)
  return [State, Limit]
}
/** The costs of items 1, 2 …, öre. */
const costsOf = (...costs: number[]) =>
  new PlanCosts(
    new ItemCosts(
      costs.map((Cost, at) => ({ ItemId: at + 1, OwnReference: '', Since: 0, Cost, Lowest: null, Recommended: null })),
    ),
    0.25,
  )

describe('a row of a plan', () => {
  for (const [what, row, old, options, outcome] of [
    ['stays where a rule would go the wrong way, to 0 too', { price: 100, refused: 0 }, 100, {}, ['unchanged', 'wrong_way']],
    ['is held where it expects 0 and another price is live', { price: 110, expected: 0 }, 100, {}, ['held', 'moved']],
    ['is held where it expects a price and none is live', { price: 110, expected: 90 }, null, {}, ['held', 'moved']],
    ['is sent where it expects a price that nobody has read', { price: 110, expected: 90 }, undefined, {}, ['change', null]],
    ['is sent where it expects what is live', { price: 110, expected: 100 }, 100, {}, ['change', null]],
    ['stays where its price is live, whatever it expects', { price: 110, expected: 90 }, 110, {}, ['unchanged', null]],
    ['of a sale is held where it rises', { price: 101 }, 100, { lowers: true }, ['held', 'raises']],
    ['of a sale is sent where it falls', { price: 99 }, 100, { lowers: true }, ['change', null]],
    ['of a sale is held for another reason where no price is live', { price: 99 }, null, { lowers: true }, ['held', 'no_price']],
    ['of a sale is sent where nobody has read the price', { price: 99 }, undefined, { lowers: true }, ['change', null]],
    ['is held at 0, allowed or not', { price: 0, allow: 0 }, 100, {}, ['held', 'below_one']],
    ['is sent at 1 where that is allowed', { price: 1, allow: 1 }, 100, {}, ['change', null]],
    ['is held for the reason that it has', { price: 110, hold: because('it was sold') }, 100, {}, ['held', 'held_in_plan']],
  ] as const) {
    it(what, async () => {
      expect(await judged(row, old, options)).to.deep.equal(outcome)
    })
  }

  it('that no live item answers to says how it names its item', async () => {
    const plan = await planPrices({
      rows: rowsOf([
        { id: 0, reference: 'EX-1', price: 5 },
        { id: 7, reference: 'EX-2', price: 5 },
        { id: 8, price: 5 },
      ]),
      live: [shopItem(1, 100)],
      guards: DEFAULT_GUARDS,
    })
    expect([...plan.entries()].map(({ State, Hold }) => [State, said({ Hold })])).to.deep.equal([
      ['unknown', 'no live shop item has own reference "EX-1"'],
      ['unknown', 'no live shop item has own reference "EX-2"'],
      ['unknown', 'no live shop item has id 8'],
    ])
    expect([...plan.entries()].map(({ OwnReference }) => OwnReference)).to.deep.equal(['EX-1', 'EX-2', null])
  })

  it('is found by an own reference with spaces around it, and fits the one beside its id so', async () => {
    const rows = () => rowsOf([{ id: 0, reference: 'EX-1', price: 110 }])
    const beside = () => rowsOf([{ id: 1, reference: 'EX-1', price: 110 }])
    const outcome = async (made: PriceRows, references: string[] | undefined) =>
      (await planPrices({ rows: made, live: [shopItem(1, 100, { OwnReferences: references })], guards: DEFAULT_GUARDS })).entry(0)
        .State
    expect([await outcome(rows(), [' EX-1 ']), await outcome(rows(), ['X']), await outcome(rows(), undefined)]).to.deep.equal([
      'change',
      'unknown',
      'unknown',
    ])
    expect([
      await outcome(beside(), ['X', ' EX-1 ']),
      await outcome(beside(), []),
      await outcome(beside(), undefined),
    ]).to.deep.equal(['change', 'held', 'held'])
  })

  it('has no price before, no change and no margin where none was live', async () => {
    const rows = rowsOf([
      { id: 1, price: 250 },
      { id: 2, price: 1 },
    ])
    const live = [shopItem(1, null), shopItem(2, 500)]
    const plan = await planPrices({ rows, live, guards: NO_GUARDS, costs: costsOf(10_000, 50) })
    expect(plan.entry(0)).to.include({
      OldPrice: null,
      Change: null,
      Percent: null,
      Cost: 100,
      OldMargin: null,
      NewMargin: 50,
    })
    expect(plan.entry(1)).to.include({ OldPrice: 500, Change: -499, Percent: -99.8, Cost: 0.5, NewMargin: 37.5 })
    expect(plan.summary).to.include({ Up: 0, Down: 1, OldTotal: 500, NewTotal: 251, WithoutCost: 0 })
    expect(plan.largest(5).map(({ Id }) => Id)).to.deep.equal([2])
    expect(plan.histogram()).to.deep.equal([{ From: null, To: -90, Rows: 1 }])
  })

  it('has no cost where it is not live or nothing is known of it, whatever is known of others', async () => {
    const rows = rowsOf([1, 2, 3].map((id) => ({ id, price: 300 })))
    const plan = await planPrices({
      rows,
      live: [shopItem(2, 290), shopItem(3, 290)],
      guards: DEFAULT_GUARDS,
      costs: costsOf(100, 200),
    })
    expect([...plan.entries()].map(({ Cost }) => Cost)).to.deep.equal([null, 2, null])
    expect(plan.summary.WithoutCost).to.equal(1)
    const blind = await planPrices({ rows, guards: DEFAULT_GUARDS, costs: costsOf(100, 200) })
    expect([...blind.entries()].map(({ Cost }) => Cost)).to.deep.equal([1, 2, null])
    const without = await planPrices({ rows, live: [shopItem(2, 290)], guards: DEFAULT_GUARDS, costs: costsOf() })
    expect([without.entry(1).Cost, without.summary.WithoutCost]).to.deep.equal([null, null])
  })

  it('is sent with all that the input and the shop say of it', async () => {
    const rows = rowsOf([
      { id: 1, price: 110, extra: ['a', null] },
      { id: 2, price: 100 },
      { id: 0, reference: 'EX-3', price: 95, allow: 95 },
      { id: 4, price: 9 },
    ])
    const live = [
      shopItem(1, 100, { ShortDescription: 'Lampa' }),
      shopItem(2, 100, { ShortDescription: 'Vas' }),
      shopItem(3, null, { OwnReferences: ['EX-3'] }),
    ]
    const plan = await planPrices({ rows, live, guards: NO_GUARDS, perCall: 1 })
    expect([...plan.toSend()]).to.deep.equal([
      { line: 2, id: 1, price: 110, oldPrice: 100, ownReference: undefined, title: 'Lampa', extra: ['a', null] },
      { line: 4, id: 3, price: 95, oldPrice: null, ownReference: 'EX-3', title: undefined, extra: [] },
    ])
    expect([...plan.indexes()]).to.deep.equal([0, 1, 2, 3])
    expect([...plan.indexes('unchanged', 'unknown')]).to.deep.equal([1, 3])
    expect([0, 1].map((at) => plan.extra(at))).to.deep.equal([['a', null], []])
    expect([0, 2].map((at) => plan.allow(at))).to.deep.equal([0, 95])
    expect(plan.form).to.equal(rows.form)
    expect([plan.length, plan.blind, plan.summary.Calls]).to.deep.equal([4, false, 2])
  })

  it('has nothing known of its cost where the caller has found nothing', () => {
    const plan = new RowPlan(rowsOf([{ id: 1, price: 300 }]), { guards: DEFAULT_GUARDS, costs: costsOf(100, 200) })
    plan.live(0, { old: 290 })
    expect(plan.judge().entry(0)).to.include({ State: 'change', Cost: null })
    plan.live(0, { old: 290, cost: costsOf(100, 200).of({ Id: 2 }) })
    expect(plan.judge().entry(0)).to.include({ Cost: 2 })
  })
})

describe('values beside the price that were edited', () => {
  const edited = async (csv: string, live: Partial<LiveItem>) => {
    const plan = await planPrices({ rows: await readCut(csv), live: [shopItem(1, 100, live)], guards: DEFAULT_GUARDS })
    return plan.editedCells.map(({ Field, Value, Live }) => [Field, Value, Live])
  }
  const csv = 'Id,Price,ShortDescription,RemainingQuantity,CategoryId\n1,110,Vas,0,0\n'

  it('are those that the live item has otherwise', async () => {
    expect(await edited(csv, { ShortDescription: 'Lampa', RemainingQuantity: 5, CategoryId: 7 })).to.deep.equal([
      ['ShortDescription', 'Vas', 'Lampa'],
      ['RemainingQuantity', '0', '5'],
      ['CategoryId', '0', '7'],
    ])
  })
  it('are none where the live item has the same, or its list does not say', async () => {
    expect(await edited(csv, { ShortDescription: ' Vas\n', RemainingQuantity: 0, CategoryId: 0 })).to.deep.equal([])
    expect(await edited(csv, { CategoryId: undefined })).to.deep.equal([])
  })
  it('are none where the row is silent', async () => {
    const live = { ShortDescription: 'Lampa', RemainingQuantity: 5, CategoryId: 7 }
    expect(await edited('Id,Price,ShortDescription,RemainingQuantity,CategoryId\n1,110,,,\n', live)).to.deep.equal([])
    expect(await edited('Id,Price\n1,110\n', live)).to.deep.equal([])
  })
  it('are counted, and the first three named', async () => {
    const rows = await readCut(`Id,Price,RemainingQuantity\n${[1, 2, 3, 4, 5].map((id) => `${id},110,9`).join('\n')}\n`)
    const live = [1, 2, 3, 4, 5].map((id) => shopItem(id, 100, { RemainingQuantity: id }))
    const plan = await planPrices({ rows, live, guards: DEFAULT_GUARDS })
    expect(plan.editedCells).to.deep.equal(
      [1, 2, 3].map((id) => ({ Line: id + 1, Id: id, Field: 'RemainingQuantity', Value: '9', Live: String(id) })),
    )
    expect(plan.editedCount).to.equal(5)
  })
})

describe('rows that are judged together', () => {
  const same = { ...NO_GUARDS, max_same: 0.5 }
  const live = Array.from({ length: 30 }, (_, at) => shopItem(at + 1, 100 + at))
  const held = async (list: readonly Omit<PriceRow, 'line'>[], guards: Guards = same) => {
    const plan = await planPrices({ rows: rowsOf(list), live, guards })
    return { plan, count: plan.summary.HeldBy.same_price ?? 0 }
  }
  const each = (count: number, price: (at: number) => number, more: Partial<PriceRow> = {}) =>
    Array.from({ length: count }, (_, at) => ({ id: at + 1, price: price(at), ...more }))

  it('are not those that stay as they are, are unknown, or were held before', async () => {
    // 6 of 12 get 99 kr; with any other row that has 99 kr it would be more than half.
    const half = each(12, (at) => (at < 6 ? 99 : 500 + at))
    expect((await held(half)).count).to.equal(0)
    expect((await held([...half, { id: 999, price: 99 }])).count).to.equal(0)
    expect((await held([...half, { id: 20, price: 99, hold: because('before') }])).count).to.equal(0)
    const staying = [...live.slice(0, 19), shopItem(20, 99)]
    const plan = await planPrices({ rows: rowsOf([...half, { id: 20, price: 99 }]), live: staying, guards: same })
    expect(plan.summary).to.include({ Change: 12, Unchanged: 1 })
    expect((await held([...half, { id: 20, price: 99 }])).count).to.equal(7)
  })

  it('are also those that are no price, or that a guard over the row holds', async () => {
    const below = each(10, (at) => (at < 4 ? -at : 99))
    const { plan, count } = await held(below)
    expect(count).to.equal(6)
    expect(said(plan.entry(9))).to.equal('6 of 10 changed rows would get 99 kr; the limit is 50 %. Wrong rule or column?')
    expect((await held(each(9, (at) => (at < 3 ? -at : 99)))).count).to.equal(0)
    expect(
      (
        await held(
          each(10, (at) => (at < 4 ? at + 1 : 99)),
          { ...same, min_price: 50 },
        )
      ).count,
    ).to.equal(6)
  })

  it('stop nothing for rows that a rule has left as they are', async () => {
    const rule = [...each(12, (at) => 110 + at), ...[20, 21, 22].map((id) => ({ id, price: 99 + id, refused: 500 }))]
    const plan = await planPrices({ rows: rowsOf(rule, 'rule'), live, guards: DEFAULT_GUARDS })
    expect(plan.summary).to.deep.include({ Change: 12, Unchanged: 3, WrongWay: 3, Stopped: null, HeldBy: {} })
  })

  it('stop nothing for rows without a live price', async () => {
    const free = Array.from({ length: 11 }, (_, at) => shopItem(at + 1, at < 10 ? 100 : null))
    const fall = { ...NO_GUARDS, max_total_fall: 0.3 }
    const plan = await planPrices({ rows: rowsOf(each(11, (at) => (at < 10 ? 60 + (at % 2) : 5000))), live: free, guards: fall })
    expect(said(plan.summary.Stopped)).to.include('would fall from 1 000 kr to 605 kr (-39.5 %)')
    const auction = { ...shopItem(99, 1_000_000), ItemType: 'Auction' }
    const beside = await planPrices({ rows: rowsOf(each(10, () => 60)), live: [...free, auction], guards: fall })
    expect(beside.summary.Stopped?.Limit).to.equal('max_total_fall')
  })

  it('of a file may have slipped by a line; those of a rule and of arguments have none', async () => {
    const slip = Array.from({ length: 12 }, (_, at) => ({ id: at + 1, price: 101 + at }))
    const guards = { ...NO_GUARDS, shifted: true }
    const stopped = async (rows: PriceRows) => (await planPrices({ rows, live, guards })).summary.Stopped?.Limit
    expect(await stopped(rowsOf(slip))).to.equal('shifted')
    expect(await stopped(rowsOf(slip, 'rule'))).to.equal(undefined)
    expect(await stopped(priceRowsFromArguments(slip.map(({ id, price }) => `${id}=${price}`)))).to.equal(undefined)
  })

  it('have slipped where more than half of them got the price of a neighbour, the first and the last too', async () => {
    const guards = { ...NO_GUARDS, shifted: true }
    const reason = async (prices: readonly number[], lives: readonly number[]) => {
      const shop = lives.map((price, at) => shopItem(at + 1, price))
      const plan = await planPrices({ rows: rowsOf(prices.map((price, at) => ({ id: at + 1, price }))), live: shop, guards })
      return said(plan.summary.Stopped)?.match(/\d+ of \d+/)?.[0]
    }
    const lives = Array.from({ length: 12 }, (_, at) => 100 + at)
    const up = (count: number) => lives.map((price, at) => (at < count ? price + 1 : 500 + at))
    expect([await reason(up(6), lives), await reason(up(7), lives), await reason(up(11), lives)]).to.deep.equal([
      undefined,
      '7 of 12',
      '11 of 12',
    ])
    const down = (count: number) => lives.map((price, at) => (at >= 12 - count ? price - 1 : 500 + at))
    expect([await reason(down(6), lives), await reason(down(7), lives), await reason(down(11), lives)]).to.deep.equal([
      undefined,
      '7 of 12',
      '11 of 12',
    ])
    // As many up as down are no slip: it goes one way.
    expect(
      await reason(
        lives.map((price, at) => (at % 4 < 2 ? price + 2 : price - 2)),
        lives,
      ),
    ).to.equal(undefined)
  })
})
