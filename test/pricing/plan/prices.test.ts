import { expect } from 'chai'
import fc from 'fast-check'
import { DEFAULT_GUARDS, type Guards, type LiveItem, NO_GUARDS, planPrices } from '../../../src/pricing/index.js'
import { TITLES_KEPT } from '../../../src/pricing/plan/plan.js'
import { inWords, said } from '../../said.js'
import { faultsOf, readCut, shopItem } from '../support.js'

const plan = async (csv: string, live: LiveItem[] | undefined, guards: Partial<Guards> = {}) =>
  planPrices({ rows: await readCut(csv), live, guards: { ...DEFAULT_GUARDS, ...guards } })

const outcomesOf = async (csv: string, live: LiveItem[] | undefined, guards: Partial<Guards> = {}) =>
  [...(await plan(csv, live, guards)).entries()].map(({ Id, State, Limit }) => [Id, State, Limit])

const outcomes = outcomesOf

describe('planning prices', () => {
  it('tells changes, unchanged prices and unknown items apart', async () => {
    const made = await plan('Id,Price\n1,110\n2,200\n3,300\n', [
      shopItem(2, 200, { ShortDescription: 'Vas' }),
      shopItem(1, 100, { ShortDescription: 'Lamp' }),
      shopItem(9, 5),
    ])
    expect([...made.entries()].map(inWords)).to.deep.equal([
      {
        Line: 2,
        Id: 1,
        OwnReference: null,
        Title: 'Lamp',
        OldPrice: 100,
        NewPrice: 110,
        Change: 10,
        Percent: 10,
        Cost: null,
        OldMargin: null,
        NewMargin: null,
        State: 'change',
        Limit: null,
        Reason: null,
      },
      {
        Line: 3,
        Id: 2,
        OwnReference: null,
        Title: null,
        OldPrice: 200,
        NewPrice: 200,
        Change: 0,
        Percent: 0,
        Cost: null,
        OldMargin: null,
        NewMargin: null,
        State: 'unchanged',
        Limit: null,
        Reason: null,
      },
      {
        Line: 4,
        Id: 3,
        OwnReference: null,
        Title: null,
        OldPrice: null,
        NewPrice: 300,
        Change: null,
        Percent: null,
        Cost: null,
        OldMargin: null,
        NewMargin: null,
        State: 'unknown',
        Limit: null,
        Reason: 'no live shop item has id 3',
      },
    ])
    expect(made.summary).to.deep.equal({
      Rows: 3,
      Change: 1,
      Unchanged: 1,
      WrongWay: 0,
      WrongWayIds: [],
      Unknown: 1,
      Held: 0,
      Up: 1,
      Down: 0,
      OldTotal: 100,
      NewTotal: 110,
      Calls: 1,
      WithoutCost: null,
      HeldBy: {},
      Stopped: null,
    })
  })

  for (const [name, old, price, guards, limit] of [
    ['up by 50 %', 100, 150, {}, null],
    ['up by more than 50 %', 100, 151, {}, 'max_change'],
    ['down by 50 %', 100, 50, {}, null],
    ['down by more than 50 %', 100, 49, {}, 'max_change'],
    ['up by 80 % where that is allowed', 100, 180, { max_change: 0.8 }, null],
    ['up by 81 % where 80 % is allowed', 100, 181, { max_change: 0.8 }, 'max_change'],
    ['ten times', 100, 1000, { max_change: null }, 'factor_ten'],
    ['a tenth', 100, 10, { max_change: null }, 'factor_ten'],
    ['nearly ten times', 100, 999, { max_change: null }, null],
    ['anything, unguarded', 100, 10000, { max_change: null, factor_ten: false }, null],
    ['below the minimum', 60, 49, { min_price: 50 }, 'min_price'],
    ['at the minimum', 60, 50, { min_price: 50 }, null],
    ['of an item without a price', null, 50, {}, 'no_price'],
  ] as [string, number | null, number, Partial<Guards>, string | null][]) {
    it(`${limit === null ? 'sends' : 'holds'} a price ${name}`, async () => {
      const [[, outcome, why] = []] = await outcomes(`Id,Price\n1,${price}\n`, [shopItem(1, old)], guards)
      expect([outcome, why]).to.deep.equal(limit === null ? ['change', null] : ['held', limit])
    })
  }

  it('keeps the titles of rows that change or are held, as many as anybody reads', async () => {
    const titled = (id: number, price: number) => shopItem(id, price, { ShortDescription: `Vara ${id}` })
    const held = await plan('Id,Price\n1,10\n', [titled(1, 100)])
    expect([...held.entries()].map(({ State, Title }) => [State, Title])).to.deep.equal([['held', 'Vara 1']])
    const many = Array.from({ length: TITLES_KEPT + 5 }, (_, at) => at + 1)
    const made = await planPrices({
      rows: await readCut(`Id,Price\n${many.map((id) => `${id},${100 + id}`).join('\n')}\n`),
      live: many.map((id) => titled(id, 90 + id)),
      guards: NO_GUARDS,
    })
    const titles = [...made.toSend()].map(({ title }) => title)
    expect([titles[0], titles[TITLES_KEPT - 1], titles[TITLES_KEPT]]).to.deep.equal(['Vara 1', `Vara ${TITLES_KEPT}`, undefined])
  })

  it('holds rows over a limit and lets the others go', async () => {
    const made = await plan('Id,Price\n1,110\n2,2000\n3,310\n', [shopItem(1, 100), shopItem(2, 200), shopItem(3, 300)])
    expect([...made.entries('held')].map(said)).to.deep.equal([
      '2 000 kr is ten times the current 200 kr or more: an extra zero, or öre read as kronor?',
    ])
    expect([...made.indexes('change')]).to.deep.equal([0, 2])
    expect(made.summary.HeldBy).to.deep.equal({ factor_ten: 1 })
  })

  it('lets exactly the price in _Allow through', async () => {
    const live = [shopItem(1, 100), shopItem(2, 100), shopItem(3, 100)]
    expect(await outcomes('Id,Price,_Allow\n1,1000,1000\n2,1000,999\n3,1000,\n', live)).to.deep.equal([
      [1, 'change', null],
      [2, 'held', 'factor_ten'],
      [3, 'held', 'factor_ten'],
    ])
  })

  describe('more than half of the new prices equal', () => {
    // The share of held rows has its own guard.
    const outcomes = (csv: string, live: LiveItem[], guards: Partial<Guards> = {}) =>
      outcomesOf(csv, live, { max_held: null, ...guards })
    const rows = (prices: number[]) => `Id,Price\n${prices.map((price, at) => `${at + 1},${price}`).join('\n')}\n`
    const live = Array.from({ length: 20 }, (_, at) => shopItem(at + 1, 100 + at))

    it('holds those rows and lets the others go', async () => {
      const made = await outcomes(rows([99, 99, 99, 99, 99, 99, 101, 102, 103, 111]), live)
      expect(made.slice(0, 6)).to.deep.equal([1, 2, 3, 4, 5, 6].map((id) => [id, 'held', 'same_price']))
      expect(made.slice(6).every(([, outcome]) => outcome === 'change')).to.equal(true)
    })
    it('lets half of them go', async () => {
      const made = await outcomes(rows([99, 99, 99, 99, 99, 101, 102, 103, 111, 112]), live)
      expect(made.every(([, outcome]) => outcome === 'change')).to.equal(true)
    })
    it('means nothing for fewer than ten changed rows', async () => {
      const made = await outcomes(rows([99, 99, 99, 99, 99, 99, 99, 99, 99]), live)
      expect(made.every(([, outcome]) => outcome === 'change')).to.equal(true)
    })
    it('counts rows that other guards hold', async () => {
      const far = [...Array.from({ length: 9 }, (_, at) => shopItem(at + 1, 1000)), ...live.slice(9, 12)]
      const made = await outcomes(rows(Array(12).fill(99)), far)
      expect(made.map(([, , limit]) => limit)).to.deep.equal([...Array(9).fill('factor_ten'), ...Array(3).fill('same_price')])
    })
    it('does not count rows that change nothing', async () => {
      const made = await outcomes(rows([...Array(8).fill(50), 99, 100]), [
        ...Array.from({ length: 8 }, (_, at) => shopItem(at + 1, 50)),
        ...live.slice(8),
      ])
      expect(made.slice(8).every(([, outcome]) => outcome === 'change')).to.equal(true)
    })
    it('is set by its share, or off', async () => {
      const prices = rows(Array(10).fill(99))
      expect((await outcomes(prices, live, { max_same: 1 })).every(([, outcome]) => outcome === 'change')).to.equal(true)
      expect((await outcomes(prices, live, { max_same: null })).every(([, outcome]) => outcome === 'change')).to.equal(true)
      const two = await outcomes(rows([99, 99, 99, 99, 98, 98, 98, 98, 97, 96]), live, { max_same: 0.3 })
      expect(two.map(([, , limit]) => limit)).to.deep.equal([...Array(8).fill('same_price'), null, null])
    })
    it('lets _Allow through', async () => {
      const csv = `Id,Price,_Allow\n${Array.from({ length: 10 }, (_, at) => `${at + 1},99,${at < 5 ? 99 : ''}`).join('\n')}\n`
      expect((await outcomes(csv, live)).map(([, outcome]) => outcome)).to.deep.equal([
        ...Array(5).fill('change'),
        ...Array(5).fill('held'),
      ])
    })
  })

  it('holds what is no shop item', async () => {
    expect(await outcomes('Id,Price\n1,110\n', [{ ...shopItem(1, 100), ItemType: 'Auction' }])).to.deep.equal([
      [1, 'held', 'not_shop_item'],
    ])
  })

  describe('with own references', () => {
    const live = [
      shopItem(1, 100, { OwnReferences: ['A', 'B'] }),
      shopItem(2, 200, { OwnReferences: ['C', 'C'] }),
      shopItem(3, 300, { OwnReferences: ['D'] }),
      shopItem(4, 300, { OwnReferences: ['D'] }),
    ]
    it('finds the item', async () => {
      expect(await outcomes('OwnReference,Price\nA,110\nC,210\nX,5\n', live)).to.deep.equal([
        [1, 'change', null],
        [2, 'change', null],
        [0, 'unknown', null],
      ])
    })
    it('finds an item that has it twice, once with spaces around it', async () => {
      const spaced = [shopItem(5, 100, { OwnReferences: ['E', ' E '] })]
      expect(await outcomes('OwnReference,Price\nE,110\n', spaced)).to.deep.equal([[5, 'change', null]])
    })
    it('refuses one that belongs to several items', async () => {
      expect((await faultsOf(plan('OwnReference,Price\nD,310\n', live)))[0]).to.contain('belongs to several items, 3 and 4')
    })
    it('refuses two rows for the same item', async () => {
      expect((await faultsOf(plan('OwnReference,Price\nA,110\nB,120\n', live)))[0]).to.contain(
        'is item 1, which line 2 names too',
      )
      expect((await faultsOf(plan('OwnReference,Id,Price\nA,,110\n,1,120\n', live)))[0]).to.contain(
        'is item 1, which line 3 names too',
      )
    })
    it('holds an id that does not have the reference beside it', async () => {
      expect(await outcomes('OwnReference,Id,Price\nA,1,110\nA,2,210\n', live)).to.deep.equal([
        [1, 'change', null],
        [2, 'held', 'other_reference'],
      ])
    })
    it('refuses them without the live list', async () => {
      expect((await faultsOf(plan('OwnReference,Price\nA,110\n', undefined)))[0]).to.contain('--blind')
    })
  })

  it('without the live list knows no old prices, and guards what it can', async () => {
    const made = await plan('Id,Price\n1,110\n2,40\n', undefined, { min_price: 50 })
    expect([...made.entries()].map(({ OldPrice, State, Limit }) => [OldPrice, State, Limit])).to.deep.equal([
      [null, 'change', null],
      [null, 'held', 'min_price'],
    ])
    expect(made.blind).to.equal(true)
    expect(made.summary).to.include({ OldTotal: null, Up: 0, Down: 0, NewTotal: 110 })
  })

  it('shows the largest changes first, and how all spread', async () => {
    const live = [1, 2, 3, 4, 5].map((id) => shopItem(id, 100))
    const made = await plan('Id,Price\n1,101\n2,80\n3,130\n4,150\n5,50\n', live)
    expect(made.largest(3).map((entry) => entry.Id)).to.deep.equal([4, 5, 3])
    expect(made.histogram()).to.deep.equal([
      { From: -50, To: -25, Rows: 1 },
      { From: -25, To: -10, Rows: 1 },
      { From: -10, To: -5, Rows: 0 },
      { From: -5, To: 0, Rows: 0 },
      { From: 0, To: 5, Rows: 1 },
      { From: 5, To: 10, Rows: 0 },
      { From: 10, To: 25, Rows: 0 },
      { From: 25, To: 50, Rows: 1 },
      { From: 50, To: 100, Rows: 1 },
    ])
  })

  it('never sends what breaks a guard, whatever the prices', async () => {
    const row = fc.record({ old: fc.integer({ min: 1, max: 5000 }), price: fc.integer({ min: 1, max: 50_000 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 60 }), async (list) => {
        const csv = `Id,Price\n${list.map((entry, at) => `${at + 1},${entry.price}`).join('\n')}\n`
        const made = await plan(
          csv,
          list.map((entry, at) => shopItem(at + 1, entry.old)),
          { min_price: 20 },
        )
        const { Change, Unchanged, Unknown, Held, Rows } = made.summary
        expect(Change + Unchanged + Unknown + Held).to.equal(Rows)
        for (const entry of made.entries('change')) {
          const { old = 0 } = list[entry.Id - 1] ?? {}
          // Half of the old price, and less than a krona of rounding.
          expect(Math.abs(entry.NewPrice - old)).to.be.below(0.5 * old + 1)
          expect(entry.NewPrice).to.be.at.least(20)
          expect(entry.NewPrice).not.to.equal(old)
        }
        const bars = made.histogram().reduce((sum, bar) => sum + bar.Rows, 0)
        expect(bars).to.equal(Change)
      }),
    )
  })
})

describe('a price that a row allows', () => {
  it('passes the guards, 1 kr too, and only itself', async () => {
    expect(await outcomes('Id,Price,_Allow\n1,1,1\n2,2,1\n', [shopItem(1, 100), shopItem(2, 100)])).to.deep.equal([
      [1, 'change', null],
      [2, 'held', 'factor_ten'],
    ])
  })
})
