/** What a plan shows, what a reading of the live list asks for and keeps, and what is said about sales. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { noteWithoutCost } from '../../../src/actions/prices/costs.js'
import { knownFor, noteDiscounts, shopOf, wantedPrice } from '../../../src/actions/prices/discounts.js'
import { LISTED, liveItems, RUNNING, type SeenItem, SHOP, SHOP_STOCK } from '../../../src/actions/prices/live.js'
import { rowsOfPage, SeenItems } from '../../../src/actions/prices/page.js'
import { fetchPictures } from '../../../src/actions/prices/pictures.js'
import { watchList } from '../../../src/actions/prices/seen.js'
import { shownRow, showPlan, showPricePlan } from '../../../src/actions/prices/show.js'
import { planView } from '../../../src/format/views/index.js'
import { LedgerError } from '../../../src/jobs/index.js'
import type { PlanEntry, PricePlan } from '../../../src/pricing/index.js'
import { PriceRows } from '../../../src/rows/index.js'
import { FORM } from '../../jobs/bulk/support.js'
import { cleanUp, GIF, PNG, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const LIST = { operation: 'GetSellerItems', seller: undefined, shop: 'whole', active: true, records: true } as const

const entry = (Line: number, Outcome: string, more: object = {}) =>
  ({
    Line,
    Id: Line * 10,
    OwnReference: null,
    Title: `T${Line}`,
    OldPrice: 100,
    NewPrice: 110,
    Change: 10,
    ChangePercent: 10,
    Cost: null,
    OldMargin: null,
    NewMargin: null,
    Outcome,
    Limit: null,
    Reason: Outcome === 'change' ? null : `why ${Line}`,
    ...more,
  }) as unknown as PlanEntry

const SUMMARY = {
  Rows: 3,
  Change: 1,
  Unchanged: 1,
  WrongWay: 0,
  Unknown: 0,
  Held: 1,
  Up: 1,
  Down: 0,
  OldTotal: 100,
  NewTotal: 110,
  Calls: 1,
  WithoutCost: null,
  HeldBy: { max_change: 1 },
  Stopped: null,
}

const planOf = (entries: readonly PlanEntry[], more: object = {}): PricePlan =>
  ({
    summary: SUMMARY,
    form: { kind: 'csv' },
    blind: false,
    hasCosts: false,
    largest: (most: number) => entries.slice(0, most),
    histogram: () => [],
    entries: (...outcomes: string[]) => entries.filter(({ Outcome }) => outcomes.length === 0 || outcomes.includes(Outcome)),
    ...more,
  }) as unknown as PricePlan

describe('a plan of prices that is shown', () => {
  afterEach(cleanUp)

  const ENTRIES = [entry(1, 'change'), entry(2, 'unchanged'), entry(3, 'held', { Limit: 'max_change' }), entry(4, 'unknown')]
  const shown = async (plan: PricePlan, options: FakeShopOptions = {}) => {
    const shop = fakeShop(options)
    await showPricePlan(shop.ctx, plan)
    return { ...shop, list: shop.lists[0] }
  }

  it('is one document with every row for a script', async () => {
    const { list, said } = await shown(planOf(ENTRIES))
    expect(list?.rows.map(({ Line, State, Percent }) => [Line, State, Percent])).to.deep.equal([
      [1, 'change', 10],
      [2, 'unchanged', 10],
      [3, 'held', 10],
      [4, 'unknown', 10],
    ])
    expect(list?.view.within?.record).to.deep.equal({
      Summary: SUMMARY,
      Blind: false,
      Largest: ENTRIES.map(shownRow),
      Histogram: [],
    })
    expect(said[0]).to.match(/^note: 3 rows[\s\S]*\nNothing was sent\. Sending takes 1 call\.$/)
    expect(said[1]).to.match(/^hint: Held rows are not sent\./)
    expect(said).to.have.lengthOf(2)
  })

  it('leaves out what stays for a person, and has reasons with lines, none for arguments', async () => {
    const file = await shown(planOf(ENTRIES), { human: true })
    expect(file.list?.rows.map(({ Line }) => Line)).to.deep.equal([1, 3, 4])
    expect(file.said[0]).to.include('Not to be sent\n  line 3, item 30 "T3": why 3\n  line 4, item 40 "T4": why 4')
    const typed = await shown(planOf(ENTRIES, { form: { kind: 'arguments' } }), { human: true })
    expect(typed.said[0]).to.include('Not to be sent\n  item 30 "T3": why 3\n  item 40 "T4": why 4')
  })

  it('names the reason that stops everything once, and then has no hint about held rows', async () => {
    const stopped = { ...SUMMARY, Stopped: { Limit: 'max_change', Reason: 'all of it' } }
    const { said } = await shown(planOf(ENTRIES, { summary: stopped }), { human: true })
    expect(said[0]).to.not.include('why 3')
    expect(said[0]).to.include('why 4')
    expect(said.join('\n')).to.include('warn: All of it.').and.not.include('Held rows are not sent')
    const none = await shown(planOf(ENTRIES, { summary: { ...SUMMARY, Held: 0 } }))
    expect(none.said).to.have.lengthOf(1)
  })

  it('names twenty reasons, and how many more there are', async () => {
    const lines = async (count: number) => {
      const entries = Array.from({ length: count }, (_, at) => entry(at + 1, 'held'))
      const { said } = await shown(planOf(entries), { human: true })
      return (said[0]?.split('Not to be sent\n')[1] ?? '').split('\n\n')[0]?.split('\n') ?? []
    }
    expect(await lines(20)).to.have.lengthOf(20)
    const more = await lines(21)
    expect([more.length, more.at(-1)]).to.deep.equal([21, '  … and 1 more'])
  })

  it('has ten of the largest changes, and margins where costs are known', async () => {
    const many = Array.from({ length: 12 }, (_, at) => entry(at + 1, 'change'))
    const { list } = await shown(planOf(many))
    expect(list?.view.within?.record.Largest).to.have.lengthOf(10)
    expect((await shown(planOf(many))).list?.view.columns).to.equal(planView.columns)
    expect((await shown(planOf(many, { hasCosts: true }))).list?.view.columns).to.not.equal(planView.columns)
  })

  it('of any kind has its charts below, one after the other, and what it does in its sums', async () => {
    const shop = fakeShop({ human: true })
    const rows = [entry(1, 'change')].map(shownRow)
    const charts = { drawn: () => ['', 'chart'], reasons: [] }
    await showPlan(shop.ctx, { view: planView, rows, summary: SUMMARY, toDo: 'to remove', ...charts })
    expect(shop.said[0]).to.match(/^aside: \n.*1 to remove[\s\S]*Sending takes 1 call\.\n\nchart$/)
    await showPlan(shop.ctx, { view: planView, rows, summary: { ...SUMMARY, Calls: 2 } })
    expect(shop.said[1]).to.match(/Sending takes 2 calls\.$/)
  })
})

describe('the rows of a page of a plan', () => {
  it('have as many as fit, and what has no percentage counts as the smallest change', () => {
    const all = [entry(1, 'change', { ChangePercent: null }), entry(2, 'change', { ChangePercent: 1 }), entry(3, 'unchanged')]
    const { rows, left } = rowsOfPage(planOf(all), 2)
    expect([rows.map(({ Line }) => Line), left]).to.deep.equal([[2, 1], 0])
  })

  it('show a title where the list has one, and the picture of the smallest format that has an address', () => {
    const seen = new SeenItems(true)
    seen.see({ Id: 1, ItemType: 'ShopItem' } as SeenItem)
    seen.see({ Id: 2, ItemType: 'ShopItem', ShortDescription: '' } as SeenItem)
    expect([...seen.titles]).to.deep.equal([[2, '']])
    const links = [{ Format: undefined, Url: 'n' }, { Format: 'Thumb' }, { Format: 'MINITHUMB', Url: 'm' }]
    seen.see({ Id: 3, DetailedImageLinks: links } as unknown as SeenItem)
    seen.see({ Id: 4, DetailedImageLinks: [{ Format: 'other', Url: 'o' }], ImageLinks: ['l'] } as unknown as SeenItem)
    seen.see({ Id: 5, DetailedImageLinks: [], ImageLinks: ['l', 'k'] } as unknown as SeenItem)
    expect([...seen.links]).to.deep.equal([
      [3, 'm'],
      [4, 'o'],
      [5, 'l'],
    ])
  })
})

describe('a reading of the live list', () => {
  afterEach(cleanUp)

  const ITEM = { Id: 1, ItemType: 'ShopItem', BuyItNowPrice: 100 }
  const read = async (
    filter: Parameters<typeof liveItems>[2],
    options: FakeShopOptions = {},
    items: readonly object[] = [ITEM],
  ) => {
    const shop = fakeShop({ answers: { GetSellerItems: () => items }, ...options })
    const rows = []
    for await (const item of liveItems(shop.ctx, shop.client, filter)) rows.push(item)
    const ledger = await shop.ctx.ledger()
    return { ...shop, rows, history: ledger.history.shop({ profile: 'shop', userId: 7 }), stream: shop.streams[0] }
  }
  const PLAIN = [
    'Id',
    'ItemType',
    'BuyItNowPrice',
    'OwnReferences',
    'CategoryId',
    'OpeningBid',
    'ReservePrice',
    'TotalBids',
    'ShortDescription',
  ]

  it('asks for what plans need, and for more where that is wanted', async () => {
    const { stream } = await read(SHOP)
    expect(stream?.params).to.deep.equal({
      categoryId: 0,
      minEndDate: null,
      maxEndDate: null,
      maxStartDate: null,
      filterItemType: 'ShopItem',
      filterActive: 'Active',
    })
    expect(stream?.fields).to.deep.equal([...PLAIN, 'Seller.Id'])
    expect((await read(SHOP_STOCK)).stream?.fields).to.deep.equal([...PLAIN, 'RemainingQuantity', 'Seller.Id'])
    expect((await read({ ...SHOP, also: ['VAT'] })).stream?.fields).to.deep.equal([...PLAIN, 'VAT', 'Seller.Id'])
    const look = (pictures: boolean) => ({ ...SHOP, look: { pictures, see: () => undefined } })
    expect((await read(look(true))).stream?.fields).to.deep.equal([...PLAIN, 'ImageLinks', 'DetailedImageLinks', 'Seller.Id'])
    expect((await read(look(false))).stream?.fields).to.deep.equal([...PLAIN, 'Seller.Id'])
    expect((await read({ ...SHOP, categoryId: 5 })).stream?.params).to.include({ categoryId: 5 })
    expect((await read(RUNNING)).stream?.params).to.include({ filterItemType: 'All', filterActive: 'Active' })
    expect((await read(LISTED)).stream?.params).to.include({ filterItemType: 'All', filterActive: 'All' })
  })

  it('shows each item to who looks', async () => {
    const seen: unknown[] = []
    const { rows } = await read({ ...SHOP, look: { pictures: false, see: (item) => void seen.push(item) } })
    expect(seen).to.deep.equal(rows)
    expect(seen).to.have.lengthOf(1)
  })

  it('goes into the price history where it is of active shop items, and their seller is known', async () => {
    const reads = async (filter: Parameters<typeof liveItems>[2], options: FakeShopOptions = {}) =>
      (await read(filter, options)).history !== undefined
    expect(await reads(SHOP)).to.equal(true)
    expect(await reads(RUNNING)).to.equal(true)
    expect(await reads(LISTED)).to.equal(false)
    expect(await reads({ filterItemType: 'Auction', filterActive: 'Active' })).to.equal(false)
    expect(await reads({ filterItemType: 'ShopItem', filterActive: 'Inactive' } as never)).to.equal(false)
    expect(await reads(SHOP, { settings: { user_id: undefined } })).to.equal(false)
  })

  it('of one category does not take other items for gone; auctions are no part of it', async () => {
    const both = [ITEM, { ...ITEM, Id: 2 }, { ...ITEM, Id: 3, ItemType: 'Auction' }]
    const state = { items: both as readonly object[] }
    const shop = fakeShop({ answers: { GetSellerItems: () => state.items } })
    const readAll = async (filter: Parameters<typeof liveItems>[2]) => {
      shop.clock.time += 1000
      for await (const _ of liveItems(shop.ctx, shop.client, filter));
      const ledger = await shop.ctx.ledger()
      return Number(ledger.history.shop({ profile: 'shop', userId: 7 })?.items)
    }
    const first = await readAll(RUNNING)
    state.items = [ITEM]
    expect(await readAll({ ...SHOP, categoryId: 5 })).to.deep.equal(first)
  })

  it('is not kept where the ledger is a copy, and never fails because it cannot be kept', async () => {
    const shop = fakeShop()
    const ledger = await shop.ctx.ledger()
    const copy = { ...shop.ctx, ledger: async () => ({ ...ledger, state: 'copy', history: undefined }) } as never
    const quiet = watchList(copy, LIST)
    await quiet.begin()
    quiet.each(ITEM as never)
    quiet.end()
    expect(shop.said).to.deep.equal([])
    const broken = (error: Error) => {
      const fail = () => {
        throw error
      }
      return {
        ...shop.ctx,
        ledger: async () => ({
          state: 'open',
          path: 'x',
          store: { all: fail, get: fail, first: fail, transaction: fail, run: fail },
          history: new Proxy({}, { get: fail }),
        }),
      } as never
    }
    const watch = watchList(broken(new LedgerError('damaged' as never, 'x', 'it is damaged', 'Look.')), LIST)
    await watch.begin()
    watch.each(ITEM as never)
    watch.end()
    expect(shop.said[0]).to.match(/^warn: The prices that were read are not in the price history: it is damaged/)
    let other: unknown
    try {
      await watchList(broken(new TypeError('a mistake')), LIST).begin()
    } catch (error) {
      other = error
    }
    expect(other).to.be.instanceOf(TypeError)
  })
})

describe('prices of items in a discount', () => {
  afterEach(cleanUp)

  it('are asked by id, else by any own reference, whatever space surrounds it', () => {
    const rows = new PriceRows(FORM)
    rows.add({ line: 1, id: 5, price: 50 })
    rows.add({ line: 2, reference: 'A', price: 60 } as never)
    const wanted = (Id: number, ...OwnReferences: string[]) => wantedPrice(rows, { Id, OwnReferences } as never)
    expect([wanted(5), wanted(6, 'A'), wanted(6, 'B', ' A '), wanted(5, 'A'), wanted(7, 'C'), wanted(7)]).to.deep.equal([
      50,
      60,
      60,
      50,
      undefined,
      undefined,
    ])
    expect(wantedPrice(rows, { Id: 8 } as never)).to.equal(undefined)
  })

  it('for a sale that begins later do not wait for what is on its way now', () => {
    const known = { of: (id: number) => (id === 1 ? { first: 70, pending: { price: 5 } } : undefined) } as never
    expect(knownFor({ command: 'x' }, known)).to.equal(known)
    expect(knownFor({ command: 'x', discount: false }, known)).to.equal(known)
    const later = knownFor({ command: 'x', discount: true }, known)
    expect([later.of(1), later.of(2)]).to.deep.equal([
      { first: 70, pending: undefined },
      { first: 0, pending: undefined },
    ])
  })

  it('are explained: how many are about the normal price, and how many rows stay', () => {
    const said = (inSale: readonly number[], kept: number, none = false) => {
      const shop = fakeShop()
      const plan = { indexes: () => [0, 1, 2], entry: (at: number) => ({ Id: at + 1 }) }
      noteDiscounts(shop.ctx, plan as never, none ? undefined : ({ has: (id: number) => inSale.includes(id), kept } as never))
      return shop.said
    }
    expect([said([], 0), said([1], 5, true)]).to.deep.equal([[], []])
    expect(said([1], 0)[0]).to.match(/^note: 1 of these items is in a discount\./)
    expect(said([1, 3], 1)[0]).to.match(/^note: 2 of these items are in a discount\./)
    expect(said([1], 1)[1]).to.match(/^note: 1 row has the discount price/)
    expect(said([], 2)).to.have.lengthOf(1)
    expect(said([], 2)[0]).to.match(/^note: 2 rows have the discount price/)
    expect(shopOf({ profile: { name: 'a', settings: {} } } as never)).to.deep.equal({ profile: 'a', userId: null })
  })

  it('say nothing of costs where none is known or all are', () => {
    for (const WithoutCost of [null, 0]) {
      const shop = fakeShop()
      noteWithoutCost(shop.ctx, { summary: { WithoutCost } } as never, { min_margin: 0.1 } as never)
      expect(shop.said).to.deep.equal([])
    }
  })
})

describe('pictures of a page', () => {
  afterEach(cleanUp)

  it('are fetched from the web and written in, where they are images', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/a.gif' || request.url === '/b.gif') response.end(GIF)
      else if (request.url === '/p.png') response.end(PNG)
      else if (request.url === '/text') response.end('no image')
      else response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const shop = fakeShop()
      const names = ['a.gif', 'text', 'p.png', 'gone', 'b.gif', 'a.gif', 'a.gif', 'a.gif']
      const pictures = await fetchPictures(
        shop.ctx,
        names.map((name, at): [number, string] => [at, `${base}/${name}`]),
      )
      const gif = `data:image/gif;base64,${GIF.toString('base64')}`
      expect([...pictures].sort(([one], [other]) => one - other)).to.deep.equal([
        [0, gif],
        [2, `data:image/png;base64,${PNG.toString('base64')}`],
        [4, gif],
        [5, gif],
        [6, gif],
        [7, gif],
      ])
      expect(shop.said).to.deep.equal(['note: 2 pictures could not be fetched and are left out.'])
      shop.leaving.abort(new Error('left'))
      expect(await thrown(() => fetchPictures(shop.ctx, [[1, `${base}/a.gif`]]))).to.include({ message: 'left' })
    } finally {
      server.close()
    }
  })

  it('that are not of the web are left out, with how many, and more than 500 are not asked for', async () => {
    const shop = fakeShop()
    const links = (count: number) => Array.from({ length: count }, (_, at): [number, string] => [at, 'file:///etc/x'])
    expect(await fetchPictures(shop.ctx, [])).to.have.property('size', 0)
    expect(shop.said).to.deep.equal([])
    await fetchPictures(shop.ctx, links(1))
    await fetchPictures(shop.ctx, [
      [1, 'no address'],
      [2, 'xhttps://a.example.com'],
      [3, 'httpsx://a.example.com'],
    ])
    await fetchPictures(shop.ctx, links(501))
    expect(shop.said).to.deep.equal([
      'note: 1 picture could not be fetched and is left out.',
      'note: 3 pictures could not be fetched and are left out.',
      'note: 500 pictures could not be fetched and are left out.',
      'note: The page has pictures of the first 500 items of 501.',
    ])
  })
})
