/** Plans beside costs: prices below them are held, rules make prices of them, and margins are shown. */
import { expect } from 'chai'
import fc from 'fast-check'
import {
  applyRule,
  DEFAULT_GUARDS,
  type Guards,
  ItemCosts,
  PlanCosts,
  parseRule,
  planAuctionPrices,
  planPrices,
  planRule,
  type RuleTexts,
} from '../../../src/pricing/index.js'
import { type CostVersion, readAuctionRows, readPriceRows } from '../../../src/rows/index.js'
import { said } from '../../said.js'
import { shopItem } from '../support.js'

const version = (item: number | string, Cost: number | null, more: Partial<CostVersion> = {}): CostVersion => ({
  ItemId: typeof item === 'number' ? item : 0,
  OwnReference: typeof item === 'string' ? item : '',
  Since: 0,
  Cost,
  Lowest: null,
  Recommended: null,
  ...more,
})
const costsOf = (...versions: CostVersion[]) => new PlanCosts(new ItemCosts(versions), 0.25)
/** Only what is about costs. */
const guards: Guards = { ...DEFAULT_GUARDS, max_change: null, max_drift: null, max_same: null, factor_ten: false, max_held: null }

describe('plans beside costs', () => {
  const live = [shopItem(1, 200), shopItem(2, 200, { OwnReferences: ['EX-2'] }), shopItem(3, 200)]
  const costs = costsOf(version(1, 10_000), version('EX-2', 10_000, { Lowest: 15_000 }))
  const planned = async (csv: string, more: Partial<Guards> = {}) =>
    planPrices({ rows: await readPriceRows([`Id,Price\n${csv}\n`]), live, guards: { ...guards, ...more }, costs })

  it('hold a price below its cost, and send one that is at it', async () => {
    const plan = await planned('1,124\n2,150\n3,1')
    expect([...plan.entries()].map(({ State, Limit }) => [State, Limit])).to.deep.equal([
      ['held', 'min_margin'],
      ['change', null],
      ['change', null],
    ])
    expect(said(plan.entry(0))).to.equal('124 kr is below 125 kr, which covers its cost of 100 kr and 25 % VAT')
    expect((await planned('1,125')).summary.Change).to.equal(1)
    expect(plan.summary.WithoutCost).to.equal(1)
  })

  it('hold a price that leaves less than the margin, and let it go where the guard is off', async () => {
    const plan = await planned('1,178', { min_margin: 0.3 })
    expect(plan.entry(0)).to.include({ State: 'held', Cost: 100, OldMargin: 37.5, NewMargin: 29.7 })
    expect(said(plan.entry(0)))
      .to.include('179 kr')
      .and.to.include('and a margin of 30 %')
    expect((await planned('1,179', { min_margin: 0.3 })).summary.Change).to.equal(1)
    expect((await planned('1,10', { min_margin: null })).summary.Change).to.equal(1)
  })

  it('hold a price below the lowest price of the item', async () => {
    const plan = await planned('2,149')
    expect(said(plan.entry(0))).to.equal('149 kr is below 150 kr, the lowest price of the item (shop:costs)')
  })

  it('let a price pass that _Allow names, and one that stays as it is', async () => {
    const rows = await readPriceRows(['Id,Price,_Allow\n1,50,50\n2,100,\n'])
    const plan = await planPrices({ rows, live: [shopItem(1, 60), shopItem(2, 100, { OwnReferences: ['EX-2'] })], guards, costs })
    expect([...plan.entries()].map(({ State }) => State)).to.deep.equal(['change', 'unchanged'])
  })

  it('hold a file of purchase prices as a whole', async () => {
    const shop = Array.from({ length: 20 }, (_, at) => shopItem(at + 1, 150))
    const known = costsOf(...shop.map(({ Id }) => version(Id, 10_000)))
    const rows = await readPriceRows([`Id,Price\n${shop.map(({ Id }) => `${Id},${100 + Id}`).join('\n')}\n`])
    const without = await planPrices({ rows, live: shop, guards: DEFAULT_GUARDS })
    expect(without.summary).to.include({ Change: 20, Held: 0 })
    const plan = await planPrices({ rows, live: shop, guards: DEFAULT_GUARDS, costs: known })
    expect(plan.summary).to.include({ Change: 0, Held: 20 })
    expect(plan.summary.Stopped?.Limit).to.equal('max_held')
  })

  it('judge blind rows by the ids and references in them', async () => {
    const rows = await readPriceRows(['Id,OwnReference,Price\n1,,124\n2,EX-2,149\n3,,1\n'])
    const plan = await planPrices({ rows, guards, costs })
    expect([...plan.entries()].map(({ State }) => State)).to.deep.equal(['held', 'held', 'change'])
  })

  it('say nothing of costs where none is known', async () => {
    const plan = await planPrices({ rows: await readPriceRows(['Id,Price\n1,5\n']), live, guards, costs: costsOf() })
    expect(plan.summary).to.include({ Change: 1, WithoutCost: null })
    expect(plan.entry(0)).to.include({ Cost: null, OldMargin: null, NewMargin: null })
    expect(plan.hasCosts).to.equal(false)
  })
})

describe('rules by cost', () => {
  const live = [shopItem(1, 200), shopItem(2, 0), shopItem(3, 200)]
  const costs = costsOf(version(1, 10_000, { Recommended: 29_950 }), version(2, 8000))
  const planned = (flags: RuleTexts) =>
    planRule({ live, select: { all: true }, rule: parseRule(flags), guards: { ...guards, min_margin: null }, costs })
  const made = async (flags: RuleTexts) => [...(await planned(flags)).entries()].map(({ Id, NewPrice }) => [Id, NewPrice])

  it('make prices of costs, and leave items whose cost is not known', async () => {
    expect(await made({ margin: '30%' })).to.deep.equal([
      [1, 179],
      [2, 143],
    ])
    expect(await made({ markup: '45%' })).to.deep.equal([
      [1, 182],
      [2, 145],
    ])
    expect(await made({ recommended: true })).to.deep.equal([[1, 300]])
    expect((await planned({ margin: '30%' })).summary).to.include({ Rows: 2, WithoutCost: 1 })
    expect((await planned({ recommended: true })).summary).to.include({ Rows: 1, WithoutCost: 2 })
  })

  it('end as they should without losing the margin, within floor and ceiling', async () => {
    expect(await made({ margin: '30%', endWith: '5' })).to.deep.equal([
      [1, 185],
      [2, 145],
    ])
    expect(await made({ margin: '30%', floor: '150' })).to.deep.equal([
      [1, 179],
      [2, 150],
    ])
    expect(await made({ margin: '30%', endWith: '0', ceiling: '178' })).to.deep.equal([
      [1, 170],
      [2, 150],
    ])
    expect(await made({ margin: '30%', endWith: '0', ceiling: '170' }), 'the ceiling has the ending').to.deep.equal([
      [1, 170],
      [2, 150],
    ])
    expect(await made({ recommended: true, endWith: '9' })).to.deep.equal([[1, 299]])
  })

  it('reach the margin with every ending, by the lowest price that does', () => {
    const cost = fc.integer({ min: 1, max: 10_000_000 })
    fc.assert(
      fc.property(cost, fc.integer({ min: 0, max: 95 }), fc.constantFrom('9', '95', '00', '5'), (öre, margin, endWith) => {
        const known = { cost: öre, lowest: undefined, vat: 0.25 }
        const price = applyRule(parseRule({ margin: `${margin}%`, endWith }), 1, known)
        const least = applyRule(parseRule({ margin: `${margin}%` }), 1, known)
        expect(price).to.be.within(least, least + 10 ** endWith.length - 1)
        expect(String(price).padStart(endWith.length, '0').endsWith(endWith)).to.equal(true)
      }),
    )
  })
})

describe('auctions beside costs', () => {
  const costs = costsOf(version(1, 10_000))
  const auction = (ReservePrice: number | null, BuyItNowPrice: number | null) => ({
    Id: 1,
    ItemType: 'Auction',
    OpeningBid: 130,
    ReservePrice,
    BuyItNowPrice,
    TotalBids: 0,
  })
  const reasonOf = async (row: string, item: ReturnType<typeof auction>) => {
    const rows = await readAuctionRows([`Id,OpeningPrice,ReservedPrice,BinPrice\n${row}\n`])
    return said((await planAuctionPrices(rows, [item], { guards, costs })).entries[0])
  }

  it('are held if they could be sold below cost', async () => {
    expect(await reasonOf('1,100,,', auction(null, null))).to.include('OpeningPrice: 100 kr is below 125 kr')
    expect(await reasonOf('1,10,120,', auction(null, null))).to.include('ReservedPrice: 120 kr is below 125 kr')
    expect(await reasonOf('1,90,,120', auction(100, 300))).to.include('BinPrice: 120 kr is below')
  })

  it('may begin below cost with a reserve price above it', async () => {
    expect(await reasonOf('1,10,130,', auction(null, null))).to.equal(null)
    expect(await reasonOf('1,10,,', auction(150, null))).to.equal(null)
    expect(await reasonOf('1,126,,', auction(null, null))).to.equal(null)
  })
})
