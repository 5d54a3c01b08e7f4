/** sales:report: which period it is of, what it reads for it, and what it says. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { sinceFlag } from '../../../src/actions/reports/flags.js'
import { keptSaleOf, keptSales, readSoldItems, salesOwner, spansToRead } from '../../../src/actions/reports/kept.js'
import { type ReportFlags, reportSales } from '../../../src/actions/reports/sales.js'
import { writeShopReports } from '../../../src/actions/reports/shops.js'
import { storeCosts } from '../../../src/actions/shop/costs.js'
import type { SellerError } from '../../../src/cli/errors.js'
import { dateTimeOf } from '../../../src/contract/index.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const saleAt = (Id: number, at: number, more: object = {}) => ({
  Id,
  Date: dateTimeOf(at),
  LastUpdatedDate: dateTimeOf(at),
  Amount: 125,
  IsMarkedAsPaidConfirmed: true,
  IsMarkedAsShipped: false,
  IsFeedbackLeftBySeller: false,
  Item: { Id: 5, Title: 'Vas', OwnReferences: ['A'] },
  Buyer: { Id: 9, Alias: 'kalle' },
  ...more,
})

const shopWith = (options: FakeShopOptions = {}) => {
  const state = { sales: [] as object[], items: [] as object[] }
  const shop = fakeShop({
    answers: {
      GetSellerTransactions: ({ request }: { request: { MinTransactionDate: string; MaxTransactionDate: string | null } }) =>
        state.sales.filter((sale) => {
          const at = Date.parse((sale as { Date: string }).Date)
          return at >= Date.parse(request.MinTransactionDate) && at <= Date.parse(request.MaxTransactionDate ?? '9999-01-01')
        }),
      GetSellerItems: () => state.items,
      GetCategories: () => [{ Id: 12, Name: 'Glas', Category: [{ Id: 13, Name: 'Vaser', Category: [] }] }],
    },
    human: false,
    ...options,
  })
  const report = async (more: Partial<ReportFlags> = {}) => {
    shop.lists.length = 0
    shop.said.length = 0
    await reportSales(shop.ctx, { by: 'day', compare: false, force: false, ...more })
    const list = shop.lists[0]
    return { rows: list?.rows ?? [], record: list?.view.within?.record ?? {}, options: list?.options, said: [...shop.said] }
  }
  return { ...shop, state, report }
}

describe('a report of sales', () => {
  afterEach(cleanUp)

  it('is of the last 30 Swedish days, today included, where no period is given', async () => {
    const { report, clock, options } = { ...shopWith(), options: undefined }
    const { rows, record } = await report()
    expect(rows.map(({ Key }) => Key)).to.have.lengthOf(30)
    expect([rows[0]?.Key, rows.at(-1)?.Key]).to.deep.equal(['2026-10-04', '2026-11-02'])
    expect(record).to.include({ Since: '2026-10-04T00:00:00+02:00', Until: dateTimeOf(clock.time) })
    expect(record).to.have.property('Previous', null)
    expect(options).to.equal(undefined)
  })

  it('ends before --until, and must begin before it', async () => {
    const shop = shopWith()
    const [from, to] = ['2026-10-01T00:00:00+02:00', '2026-10-03T00:00:00+02:00'] as const
    shop.state.sales = [saleAt(1, Date.parse(from)), saleAt(2, Date.parse(to) - 1000), saleAt(3, Date.parse(to))]
    const { rows, record } = await shop.report({ since: from, until: to, limit: 1 })
    expect(rows.map(({ Key, Sales }) => [Key, Sales])).to.deep.equal([
      ['2026-10-01', 1],
      ['2026-10-02', 1],
    ])
    expect(record).to.include({ Since: from, Until: to })
    expect(shop.lists[0]?.options).to.deep.equal({ limit: 1 })
    expect(shop.interruptions[0]).to.deep.equal({ sent: 'What was read is kept.' })
    const refused = async (flags: Partial<ReportFlags>) => (await thrown(() => shop.report(flags))) as SellerError
    expect(await refused({ since: to, until: to })).to.include({ code: 'empty_period', hint: 'Swap the two dates.' })
    const future = await refused({ since: dateTimeOf(shop.clock.time) })
    expect(future).to.include({ code: 'empty_period', hint: 'Give a time in the past.' })
    expect(future.message).to.match(/^--since .* is not before --until .*: nothing lies between them\.$/)
  })

  it('reads the period before too where it is compared', async () => {
    const shop = shopWith()
    const [from, to] = ['2026-10-03T00:00:00+02:00', '2026-10-05T00:00:00+02:00'] as const
    shop.state.sales = [saleAt(1, Date.parse(from) - HOUR), saleAt(2, Date.parse(from) + HOUR)]
    const compared = await shop.report({ since: from, until: to, compare: true })
    expect(compared.record.Previous).to.include({ Since: '2026-10-01T00:00:00+02:00', Sales: 1 })
    expect(shop.streams[0]?.params.request).to.deep.include({ MinTransactionDate: '2026-10-01T00:00:00+02:00' })
    const alone = shopWith()
    await alone.report({ since: from, until: to })
    expect(alone.streams[0]?.params.request).to.deep.include({ MinTransactionDate: from })
  })

  it('has margins by the cost that held when each was sold, and VAT', async () => {
    const shop = shopWith()
    const at = shop.clock.time - DAY
    await storeCosts(shop.ctx, ['5=50'], { since: dateTimeOf(at - DAY) })
    await storeCosts(shop.ctx, ['5=70'], { since: dateTimeOf(at + HOUR) })
    shop.state.sales = [saleAt(1, at), saleAt(2, at - 2 * DAY), saleAt(3, at + 2 * HOUR), saleAt(4, at, { Item: null })]
    const total = async (flags: Partial<ReportFlags>) => (await shop.report(flags)).record.Total
    expect(await total({})).to.include({ Sales: 4, CostedSales: 3, Cost: 170, Margin: 130 })
    expect(await total({ vat: '0%' })).to.include({ Cost: 170, Margin: 205 })
  })

  it('names categories from the service, and asks for them only where there are sales', async () => {
    const shop = shopWith()
    expect((await shop.report({ by: 'category' })).rows).to.deep.equal([])
    expect(shop.client.calls).to.deep.equal([])
    shop.state.sales = [saleAt(1, shop.clock.time - DAY)]
    shop.state.items = [{ Id: 5, StartDate: dateTimeOf(shop.clock.time - 3 * DAY), CategoryId: 13 }]
    const { rows } = await shop.report({ by: 'category' })
    expect(rows.map(({ Key, Name }) => [Key, Name])).to.deep.equal([['13', 'Glas > Vaser']])
    expect(rows[0]?.MedianDaysToSell).to.equal(2)
    expect(shop.client.names).to.deep.equal(['GetCategories'])
    await shop.report({ by: 'item' })
    expect(shop.client.names).to.have.lengthOf(1)
  })

  it('makes no call offline, and says what it does not know', async () => {
    const shop = shopWith()
    const { said } = await shop.report({ offline: true, by: 'category' })
    expect([shop.streams, shop.client.calls]).to.deep.equal([[], []])
    expect(said[0]).to.match(/^warn: Not read, or read less than a day ago: .* to .*\. Sales of these times may be missing\.$/)
    expect(said[1]).to.equal('hint: Run it without --offline to read them.')
    shop.state.sales = [saleAt(1, shop.clock.time - 5 * DAY)]
    await shop.report()
    shop.streams.length = 0
    const known = await shop.report({ offline: true, by: 'category', until: dateTimeOf(shop.clock.time - 2 * DAY) })
    expect(known.said.join()).to.not.include('Not read')
    expect(known.rows).to.have.lengthOf(1)
    expect(shop.streams).to.deep.equal([])
  })

  it('is a page too, which does not replace a file without --force', async () => {
    const shop = shopWith()
    expect((await shop.report({ html: 'report.html' })).said.at(-1)).to.equal('note: The page is in report.html.')
    expect(existsSync(join(shop.dataDir, 'report.html'))).to.equal(true)
    shop.streams.length = 0
    expect(await thrown(() => shop.report({ html: 'report.html' }))).to.have.property('exitCode', 2)
    expect(shop.streams, 'nothing was read').to.deep.equal([])
    await shop.report({ html: 'report.html', force: true })
    expect((await shop.report()).said.join()).to.not.include('The page')
  })

  it('of several shops is a row for each, with their sum where there is one', async () => {
    const shop = fakeShop()
    await writeShopReports(shop.ctx, [])
    expect([shop.lists[0]?.rows, shop.said]).to.deep.equal([[], []])
  })
})

describe('the beginning of a report', () => {
  const parse = (text: string) => {
    const { parse: read } = sinceFlag() as unknown as { parse: (text: string, context: unknown, flag: object) => Promise<string> }
    const host = { clock: { now: () => Date.parse('2026-11-22T09:00:00Z') } }
    return read(text, { host }, { name: 'since' })
  }

  for (const [text, date] of [
    ['1d', '2026-11-22T00:00:00+01:00'],
    ['30d', '2026-10-24T00:00:00+02:00'],
    ['-7d', '2026-11-16T00:00:00+01:00'],
    [' 2d ', '2026-11-21T00:00:00+01:00'],
  ] as const) {
    it(`is ${date} for "${text}": whole days, today included`, async () => expect(await parse(text)).to.equal(date))
  }

  it('is any date otherwise, in the past where it is a duration', async () => {
    expect(await parse('2026-11-01')).to.match(/^2026-11-01T00:00:00/)
    expect(Date.parse(await parse('12h'))).to.equal(Date.parse('2026-11-21T21:00:00Z'))
    for (const text of ['x1d', '1dx', '']) await thrown(() => parse(text))
  })
})

describe('sales that are kept', () => {
  afterEach(cleanUp)

  it('are read again while they may change, for 90 days', () => {
    const now = 1000 * DAY
    const spans = (from: number, to: number, known: readonly { from: number; to: number }[], refresh = false) =>
      spansToRead(
        { from: from * DAY, to: to * DAY },
        known.map((span) => ({ from: span.from * DAY, to: span.to * DAY })),
        { now, refresh },
      ).map((span) => [span.from / DAY, span.to / DAY])
    expect(spans(100, 200, [{ from: 100, to: 200 }])).to.deep.equal([])
    expect(spans(100, 200, [{ from: 100, to: 200 }], true)).to.deep.equal([[100, 200]])
    expect(spans(800, 1000, [{ from: 800, to: 1000 }])).to.deep.equal([[910, 1000]])
    expect(spans(950, 1000, [{ from: 950, to: 1000 }])).to.deep.equal([[950, 1000]])
    expect(spans(800, 910, [{ from: 800, to: 910 }])).to.deep.equal([[910, 910]])
    expect(spans(800, 909, [{ from: 800, to: 909 }])).to.deep.equal([])
  })

  it('have of a transaction what a report needs, and nothing of a person but id and alias', () => {
    const at = Date.parse('2026-11-01T12:00:00Z')
    expect(keptSaleOf(saleAt(1, at) as never)).to.deep.equal({
      Id: 1,
      At: at,
      UpdatedAt: at,
      Amount: 125,
      Paid: true,
      Shipped: false,
      Rated: false,
      ItemId: 5,
      Title: 'Vas',
      OwnReferences: ['A'],
      BuyerId: 9,
      Buyer: 'kalle',
    })
    expect(keptSaleOf(saleAt(1, at, { Item: undefined, Buyer: null }) as never)).to.deep.include({
      ItemId: null,
      Title: null,
      OwnReferences: [],
      BuyerId: null,
      Buyer: null,
    })
  })

  it('belong to a profile, an address and a seller', () => {
    expect(salesOwner(fakeShop({ settings: { base_url: 'https://a' } }).ctx)).to.deep.equal({
      profile: 'shop',
      address: 'https://a',
      userId: 7,
    })
    expect(salesOwner(fakeShop({ settings: { user_id: undefined }, embedded: true }).ctx)).to.deep.equal({
      profile: 'shop',
      address: 'sandbox',
      userId: 0,
    })
  })

  it('have their items asked about once, also those that the service does not list any more', async () => {
    const shop = shopWith()
    const kept = await keptSales(shop.ctx)
    const at = shop.clock.time - 5 * DAY
    kept.keep([saleAt(1, at), saleAt(2, at, { Item: { Id: 6 } })].map((sale) => keptSaleOf(sale as never)))
    const span = { from: at - DAY, to: at + DAY }
    await readSoldItems(shop.ctx, kept, span, { offline: true })
    expect(shop.streams).to.deep.equal([])
    shop.state.items = [
      { Id: 5, StartDate: dateTimeOf(at - DAY), CategoryId: 13 },
      { Id: 99, StartDate: dateTimeOf(at), CategoryId: 1 },
    ]
    await readSoldItems(shop.ctx, kept, span, { timeoutMs: 7 })
    expect(shop.needs).to.deep.equal([{ timeoutMs: 7 }])
    expect(shop.streams[0]?.params).to.deep.equal({
      categoryId: 0,
      filterActive: 'All',
      minEndDate: dateTimeOf(at - DAY),
      maxEndDate: null,
      filterItemType: 'All',
      maxStartDate: null,
    })
    expect([...kept.items().values()]).to.have.deep.members([
      { ItemId: 5, StartedAt: at - DAY, CategoryId: 13 },
      { ItemId: 6, StartedAt: null, CategoryId: null },
    ])
    await readSoldItems(shop.ctx, kept, span, {})
    expect(shop.streams).to.have.lengthOf(1)
  })
})
