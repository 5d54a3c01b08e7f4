import { expect } from 'chai'
import { DEFAULT_GUARDS, type Guards, parseRule, planAuctionPrices, planPrices, planRule } from '../../../src/pricing/index.js'
import { readAuctionRows } from '../../../src/rows/index.js'
import { because, said } from '../../said.js'
import { readCut, shopItem } from '../support.js'

/** A shop of so many items, sorted by price as sheets often are. */
const shopOf = (prices: readonly number[]) => prices.map((price, at) => shopItem(at + 1, price))
const csvOf = (prices: readonly (number | string)[]) =>
  `Id,Price\n${prices.map((price, at) => `${at + 1},${price}`).join('\n')}\n`
const LADDER = Array.from({ length: 40 }, (_, at) => 200 + at * 7)

const planned = async (prices: readonly number[], live: readonly number[], guards: Partial<Guards> = {}) =>
  planPrices({ rows: await readCut(csvOf(prices)), live: shopOf(live), guards: { ...DEFAULT_GUARDS, ...guards } })

describe('guards over everything that would be sent', () => {
  it('send nothing when more than a tenth of ten or more rows is held', async () => {
    const prices = LADDER.map((price, at) => (at < 5 ? 1 : price + 3))
    const plan = await planned(prices, LADDER)
    expect(plan.summary).to.include({ Change: 0, Held: 40 })
    expect(plan.summary.HeldBy).to.deep.equal({ factor_ten: 5, max_held: 35 })
    expect([plan.summary.Stopped?.Hold, said(plan.summary.Stopped)]).to.deep.equal([
      { Code: 'max_held', Values: { Held: 5, Changed: 40, Limit: 0.1 } },
      'nothing is sent: 5 of 40 rows that change (12.5 %) are held, over the limit of 10 %; is it the right column?',
    ])
    expect([...plan.toSend()]).to.deep.equal([])
    expect(said(plan.entry(10))).to.equal(said(plan.summary.Stopped))
    expect((await planned(prices, LADDER, { max_held: 0.125 })).summary).to.include({ Change: 35, Held: 5, Stopped: null })
  })

  it('let a tenth of the rows be held, and any share of fewer than ten', async () => {
    const tenth = LADDER.map((price, at) => (at < 4 ? 1 : price + 3))
    expect((await planned(tenth, LADDER)).summary).to.include({ Change: 36, Held: 4 })
    const few = LADDER.slice(0, 9)
    expect(
      (
        await planned(
          few.map((price, at) => (at < 5 ? 1 : price + 3)),
          few,
        )
      ).summary,
    ).to.include({ Change: 4, Held: 5 })
  })

  it('count the rows that change, not those that stay', async () => {
    const prices = LADDER.map((price, at) => (at < 2 ? 1 : at < 12 ? price + 3 : price))
    expect((await planned(prices, LADDER)).summary).to.include({ Change: 0, Unchanged: 28, Held: 12 })
  })

  it('do not count what a saved plan held', async () => {
    const rows = await readCut(csvOf(LADDER.map((price) => price + 3)))
    const held = LADDER.map((price, at) => ({
      line: at + 2,
      id: at + 1,
      price: price + 3,
      hold: at < 10 ? because('held then') : undefined,
    }))
    const again = await readCut('Id,Price\n')
    for (const row of held) again.add(row)
    expect(rows.length).to.equal(again.length)
    const plan = await planPrices({ rows: again, live: shopOf(LADDER), guards: DEFAULT_GUARDS })
    expect(plan.summary).to.include({ Change: 30, Held: 10, Stopped: null })
  })

  for (const [what, by] of [
    ['down', -1],
    ['up', 1],
  ] as const) {
    it(`send nothing when the price column has slipped ${what} by a line, however near the prices are`, async () => {
      const slipped = LADDER.map((price, at) => LADDER[at + by] ?? price)
      const plan = await planned(slipped, LADDER)
      expect(plan.summary).to.include({ Change: 0 })
      expect(plan.summary.Stopped?.Limit).to.equal('shifted')
      expect(said(plan.summary.Stopped)).to.match(/3[89] of 39 new prices are the current ones of the next or previous row/)
      expect((await planned(slipped, LADDER, { shifted: false })).summary.Change).to.equal(39)
    })
  }

  it('take nothing for slipped where neighbours get one price, or a rule makes the prices', async () => {
    const pairs = LADDER.map((_, at) => 200 + Math.floor(at / 2) * 10)
    const same = pairs.map((price) => price + 10)
    expect((await planned(same, pairs)).summary.Stopped).to.equal(null)
    const live = shopOf(Array.from({ length: 20 }, (_, at) => 200 + at * 10))
    const plan = await planRule({ live, select: { all: true }, rule: parseRule({ add: '10kr' }), guards: DEFAULT_GUARDS })
    expect(plan.summary).to.include({ Change: 20, Stopped: null })
  })

  it('take nothing for slipped where rows get the price that their neighbours keep', async () => {
    const live = LADDER.map((_, at) => (at % 2 === 0 ? 199 : 249))
    const plan = await planned(
      LADDER.map(() => 249),
      live,
      { max_same: null },
    )
    expect(plan.summary).to.include({ Change: 20, Unchanged: 20, Stopped: null })
  })

  it('send nothing when the sum of the shop falls by more than the limit', async () => {
    const sale = (add: string, guards: Partial<Guards> = {}) =>
      planRule({
        live: shopOf(LADDER),
        select: { all: true },
        rule: parseRule({ add }),
        guards: { ...DEFAULT_GUARDS, ...guards },
      })
    const plan = await sale('-40%')
    expect(plan.summary).to.include({ Change: 0, Held: 40 })
    expect(said(plan.summary.Stopped)).to.match(
      /^nothing is sent: the sum of all prices in the shop would fall from 13 460 kr to \d \d+ kr \(-40 %\), over the limit of 30 %$/,
    )
    const category = await planRule({
      live: shopOf(LADDER).map((item) => ({ ...item, CategoryId: 7 })),
      select: { category: 7 },
      rule: parseRule({ add: '-40%' }),
      guards: DEFAULT_GUARDS,
    })
    expect(said(category.summary.Stopped), 'only the category is read').to.include('the sum of all prices in the category would')
    expect((await sale('-40%', { max_total_fall: 0.4 })).summary).to.include({ Change: 40 })
    expect((await sale('-30%')).summary, 'rounding').to.include({ Change: 40 })
    expect((await sale('+40%')).summary, 'rising').to.include({ Change: 40 })
  })

  it('do not count what is held as fallen', async () => {
    const live = LADDER.map((price, at) => (at < 4 ? 20_000 : price))
    const plan = await planned(
      live.map((price, at) => (at < 4 ? 1 : price + 3)),
      live,
    )
    expect(plan.summary).to.include({ Change: 36, Held: 4, Stopped: null })
  })

  it('measure the fall by the whole shop, not by the rows', async () => {
    const live = [...shopOf(LADDER), ...LADDER.map((price, at) => shopItem(1000 + at, price * 5))]
    const rows = await readCut(csvOf(LADDER.map((price) => Math.round(price * 0.6))))
    expect((await planPrices({ rows, live, guards: DEFAULT_GUARDS })).summary).to.include({ Change: 40, Stopped: null })
  })

  it('let a sale of 60 % pass where 60 % is allowed, whatever it rounds to', async () => {
    const live = shopOf(Array.from({ length: 200 }, (_, at) => 3 + at))
    const guards = { ...DEFAULT_GUARDS, max_change: 0.6, max_drift: 0.6, max_total_fall: 0.6 }
    const plan = await planRule({ live, select: { all: true }, rule: parseRule({ add: '-60%' }), guards })
    expect(plan.summary).to.include({ Held: 0, Stopped: null })
  })

  it('hold all auctions of a file when more than a tenth is held', async () => {
    const auctions = Array.from({ length: 12 }, (_, at) => ({
      Id: at + 1,
      ItemType: 'Auction',
      OpeningBid: 100 + at,
      ReservePrice: null,
      BuyItNowPrice: null,
      TotalBids: 0,
    }))
    const rows = auctions.map(({ Id, OpeningBid }, at) => `${Id},${at < 2 ? 1 : OpeningBid + 5}`).join('\n')
    const plan = async (guards: Guards) =>
      planAuctionPrices(await readAuctionRows([`Id,OpeningPrice\n${rows}\n`]), auctions, { guards })
    const all = await plan(DEFAULT_GUARDS)
    expect(all.summary).to.include({ Change: 0, Held: 12 })
    expect(all.summary.Stopped?.Limit).to.equal('max_held')
    expect(all.entries.every(({ Send }) => Send === null)).to.equal(true)
    expect((await plan({ ...DEFAULT_GUARDS, max_held: null })).summary).to.include({ Change: 10, Held: 2, Stopped: null })
  })
})

describe('a rule that lowers prices', () => {
  const rule = async (flags: Parameters<typeof parseRule>[0], prices: number[]) => {
    const plan = await planRule({ live: shopOf(prices), select: { all: true }, rule: parseRule(flags), guards: DEFAULT_GUARDS })
    return [...plan.entries()].map(({ NewPrice, State, Limit, Hold }) => ({ NewPrice, State, Limit, Reason: said({ Hold }) }))
  }
  it('raises none by its floor or ending: such a price stays, counted and explained', async () => {
    const rows = await rule({ add: '-10%', endWith: '9', floor: '20' }, [100, 20, 15, 26])
    expect(rows.map(({ NewPrice, State }) => [NewPrice, State])).to.deep.equal([
      [89, 'change'],
      [20, 'unchanged'],
      [15, 'unchanged'],
      [26, 'unchanged'],
    ])
    expect(rows[1]).to.include({
      Limit: 'wrong_way',
      Reason: 'the rule lowers prices; it would raise this one to 29 kr, so it is unchanged',
    })
    const plan = await planRule({
      live: shopOf([100, 20]),
      select: { all: true },
      rule: parseRule({ add: '-10%', endWith: '9', floor: '20' }),
      guards: DEFAULT_GUARDS,
    })
    expect(plan.summary).to.include({ Change: 1, Unchanged: 1, WrongWay: 1, Held: 0 })
    expect(plan.summary.WrongWayIds).to.have.length(1)
  })
  it('and one that raises them lowers none', async () => {
    const rows = await rule({ add: '2kr', endWith: '9' }, [101, 105])
    expect(rows.map(({ NewPrice, Limit }) => [NewPrice, Limit])).to.deep.equal([
      [101, 'wrong_way'],
      [109, null],
    ])
    expect(rows[0]?.Reason).to.include('would lower this one to 99 kr')
  })
  it('leaves a floor alone to raise, and a ceiling to lower', async () => {
    const rows = await rule({ floor: '110', ceiling: '130' }, [100, 140])
    expect(rows.map(({ NewPrice, State }) => [NewPrice, State])).to.deep.equal([
      [110, 'change'],
      [130, 'change'],
    ])
  })
})

describe('the column _Old', () => {
  it('holds a row whose live price is another, and is compared with nothing where it is empty', async () => {
    const rows = await readCut('Id,Price,_Old\n1,110,100\n2,210,190\n3,310,\n4,400,390\n')
    const plan = await planPrices({ rows, live: shopOf([100, 200, 300, 400]), guards: DEFAULT_GUARDS })
    expect([...plan.entries()].map(({ State, Limit, Hold }) => [State, Limit, said({ Hold })])).to.deep.equal([
      ['change', null, null],
      ['held', 'moved', 'the live price is 200 kr, not 190 kr: it has changed since'],
      ['change', null, null],
      ['unchanged', null, null],
    ])
    expect(rows.at(1).extra).to.deep.equal(['190'])
  })
  it('must be a price, and needs the live list', async () => {
    const fault = await readCut('Id,Price,_Old\n1,110,x\n').catch((error: Error) => error.message)
    expect(fault).to.include('_Old').and.include('it holds the price that the item has now')
    const rows = await readCut('Id,Price,_Old\n1,110,100\n')
    const blind = await planPrices({ rows, guards: DEFAULT_GUARDS }).catch((error: Error) => error.message)
    expect(blind).to.include('without --blind')
  })
  it('is the opening price of an auction', async () => {
    const auction = { Id: 1, ItemType: 'Auction', OpeningBid: 100, ReservePrice: null, BuyItNowPrice: null, TotalBids: 0 }
    const plan = await planAuctionPrices(await readAuctionRows(['Id,OpeningPrice,_Old\n1,110,90\n']), [auction])
    expect(plan.entries[0]?.State).to.equal('held')
    expect(said(plan.entries[0])).to.equal('OpeningPrice: the live price is 100 kr, not 90 kr: it has changed since')
  })
})
