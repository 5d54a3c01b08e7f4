/** The pages of plans and reports as they are written; how a browser shows them is in test/slow/html-pages.test.ts. */
import { expect } from 'chai'
import { type Page, writePage } from '../../src/format/html/page.js'
import { type PlanShown, planPage } from '../../src/format/html/plan-page.js'
import { reportPage } from '../../src/format/html/report-page.js'
import type { PlanRowShown, PlanSummaryShown } from '../../src/format/views/plans.js'
import type { Grouping, SalesReport } from '../../src/format/views/reports.js'
import type { KeptSale } from '../../src/jobs/ledger/transactions.js'

const ABOUT = { shop: 'main', at: '2026-11-22T04:00:00+01:00', unit: 'kr' }
const DAY = 86_400_000

const ROW: PlanRowShown = {
  ...{ Line: 1, Id: 1001, OwnReference: null, Title: null, OldPrice: 400, NewPrice: 500, Change: 100, Percent: 25 },
  ...{ Cost: null, OldMargin: null, NewMargin: null, State: 'change', Limit: null, Code: null, Values: null, Reason: null },
}
const SUMMARY: PlanSummaryShown = { Rows: 1, Change: 1, Unchanged: 0, Unknown: 0, Held: 0, Calls: 1 }

const planOf = (plan: Partial<PlanShown>): Page =>
  planPage({
    ...ABOUT,
    ...{ title: 'shop:price', summary: SUMMARY, histogram: [], rows: [ROW], titleOf: () => undefined },
    ...plan,
  })
const html = (page: Page): string => [...writePage(page)].join('')
/** The rows as tables show them, without the rows for the script. */
const body = (page: Page): string => /<tbody id="body">(.*?)<\/tbody>/s.exec(html(page))?.[1] ?? ''
const valuesOf = ({ tiles }: Page) => Object.fromEntries(tiles.map(({ label, value, note }) => [label, note ?? value]))

import { groupSales } from '../actions/reports/grouped.js'

describe('the page of a plan', () => {
  it('warns first where nothing would be sent', () => {
    const Stopped = { Code: 'max_held', Values: {}, Limit: 'max-held', Reason: '7 rows are held & <more>.' }
    expect(html(planOf({ summary: { ...SUMMARY, Stopped } }))).to.include(
      '<main>\n<p class="warning" role="alert">Nothing of this plan would be sent: 7 rows are held &amp; &lt;more&gt;.</p>\n<dl',
    )
    for (const none of [{}, { Stopped: null }]) {
      expect(html(planOf({ summary: { ...SUMMARY, ...none } }))).not.to.include('role="alert"')
    }
  })

  it('has the sums of what changes, with the direction, where all old prices are known', () => {
    const sums = (more: Partial<PlanSummaryShown>) => {
      const { tiles } = planOf({ summary: { ...SUMMARY, ...more } })
      return tiles
        .filter(({ label }) => label.startsWith('Sum'))
        .map(({ label, value, note, tone }) => [label, value, note, tone])
    }
    const before = ['Sum before', '1 000 kr', undefined, undefined]
    expect(sums({ OldTotal: 1000, NewTotal: 1255 })).to.deep.equal([before, ['Sum after', '1 255 kr', '+25.5 %', 'up']])
    expect(sums({ OldTotal: 1000, NewTotal: 900 })).to.deep.equal([before, ['Sum after', '900 kr', '-10 %', 'down']])
    expect(sums({ OldTotal: 1000, NewTotal: 1000 })).to.deep.equal([before, ['Sum after', '1 000 kr', '0 %', undefined]])
    expect(sums({ OldTotal: null, NewTotal: 900 })).to.deep.equal([])
    expect(sums({ OldTotal: 1000 })).to.deep.equal([])
    expect(sums({ OldTotal: 1000, NewTotal: 1000, Change: 0 })).to.deep.equal([])
  })

  it('has columns for references, costs and pictures only where some row has them', () => {
    const headers = (plan: Partial<PlanShown>) => planOf(plan).table.columns.map(({ header }) => header)
    const all = ['Item', 'Id', 'Old', 'New', 'Change', '%', 'State']
    expect(headers({})).to.deep.equal(all)
    expect(headers({ rows: [ROW, { ...ROW, OwnReference: 'A' }] })).to.deep.equal(all.toSpliced(2, 0, 'Reference'))
    expect(headers({ rows: [{ ...ROW, OwnReference: '' }] })).to.deep.equal(all)
    const costs = { rows: [ROW, { ...ROW, Cost: 90.5, OldMargin: 40, NewMargin: 52.1 }] }
    expect(headers(costs)).to.deep.equal(all.toSpliced(-1, 0, 'Cost', 'Margin', 'New margin'))
    expect(planOf(costs).table.rows.map(({ cells }) => cells.slice(-4, -1))).to.deep.equal([
      ['', '', ''],
      ['90.50 kr', '40 %', '52.1 %'],
    ])
    expect(headers({ pictureOf: () => undefined })).to.deep.equal(['', ...all])
  })

  it('shows a picture only from the page itself', () => {
    const picture = 'data:image/png;base64,AAAA'
    expect(body(planOf({ pictureOf: () => picture }))).to.include(`<td class="picture"><img src="${picture}"`)
    for (const address of [
      'http://127.0.0.1/1.png',
      'data:text/html;base64,AAAA',
      'data:image/png;base64,"><script>',
      undefined,
    ]) {
      const page = planOf({ pictureOf: () => address })
      expect(body(page), address).to.include('<td class="picture"></td>')
      if (address !== undefined) expect(html(page)).not.to.include(address)
    }
  })

  it('offers the states that there are, with their numbers', () => {
    const rows = [ROW, ROW, { ...ROW, State: 'held' as const, Reason: 'too "far"' }]
    const page = planOf({ rows })
    expect(page.table.states).to.deep.equal([
      ['held', 'held (1)'],
      ['change', 'to change (2)'],
    ])
    expect(html(page)).to.include('<option value="change">to change (2)</option></select>')
    expect(body(page)).to.include('<span class="note">too &quot;far&quot;</span>')
  })

  it('has 100 rows for readers without scripts, and says so where there are more', () => {
    const page = (count: number) => planOf({ rows: Array.from({ length: count }, (_, at) => ({ ...ROW, Id: at + 1 })) })
    const count = (text: string) => text.match(/<tr/g)?.length
    const hint = '<noscript><p>These are the first 100 rows.'
    expect(count(body(page(100)))).to.equal(100)
    expect(html(page(100))).not.to.include(hint)
    expect(count(body(page(101)))).to.equal(100)
    expect(html(page(101)))
      .to.include(hint)
      .and.to.include('"Item 101","101"')
  })

  it('says that there are no rows', () => {
    expect(html(planOf({ rows: [] }))).to.include('<p id="empty">No row fits.</p>')
    expect(html(planOf({}))).to.include('<p id="empty" hidden>')
  })
})

describe('the page of a report', () => {
  const from = Date.parse('2026-10-01T00:00:00+02:00')
  const sale = (at: number, more: Partial<KeptSale> = {}): KeptSale => ({
    ...{ Id: at, At: from + at * DAY, UpdatedAt: 0, Amount: 100, Paid: true, Shipped: true, Rated: true },
    ...{ ItemId: 1, OwnReferences: [], Title: 'Vas', BuyerId: 1, Buyer: 'eva', ...more },
  })
  interface Wish {
    by?: Grouping
    sales: readonly KeptSale[]
    compare?: 'period' | null
    cost?: number
    days?: number
  }
  const reportOf = ({ by = 'item', sales, compare = 'period', cost, days = 10 }: Wish): SalesReport => ({
    ...groupSales({
      ...{ by, compare, sales, vat: 0.25, span: { from, to: from + days * DAY - 1 } },
      costOf: () => cost,
    }),
    Fee: null,
  })
  const pageOf = (wish: Wish) => reportPage(reportOf(wish), ABOUT)
  /** One sale in the period before, of the same item. */
  const BEFORE = sale(-5, { Id: 99 })

  it('compares each total with the period before, with the direction', () => {
    const [amount, sales, average] = pageOf({ sales: [BEFORE, sale(1), sale(2, { Amount: 50 })] }).tiles
    expect(amount).to.deep.equal({ label: 'Amount', value: '150 kr', note: '+50 %', tone: 'up' })
    expect(sales).to.include({ value: '2', note: '+100 %', tone: 'up' })
    expect(average).to.include({ value: '75 kr', note: '-25 %', tone: 'down' })
    const [same] = pageOf({ sales: [BEFORE, sale(1)] }).tiles
    expect(same).to.deep.equal({ label: 'Amount', value: '100 kr', note: '0 %', tone: undefined })
  })

  it('says that there was nothing before, where there was not', () => {
    const tiles = (sales: readonly KeptSale[], compare: 'period' | null) => valuesOf(pageOf({ sales, compare }))
    expect(tiles([sale(1)], 'period')).to.include({ Amount: 'none before', Buyers: 'none before', Average: '100 kr' })
    expect(tiles([sale(1)], null)).to.include({ Sales: '1', Sent: '100 %', Rated: '100 %' })
    expect(tiles([], 'period')).to.include({
      Amount: '0 kr',
      Sales: '0',
      Average: '–',
      'Marked paid': '–',
      Sent: '–',
      Rated: '–',
      'Median days to sell': '–',
    })
  })

  it('says in words which period it compares with', () => {
    // October of 31 days, which has 25 hours more than 30 days: the clocks change in it.
    const lead = (days: number) => pageOf({ sales: [sale(1)], days }).lead.at(-1)
    expect(lead(31 + 1 / 24)).to.equal('Compared with 2026-09-01 to 2026-10-01, the month before.')
    expect(lead(10)).to.equal('Compared with 2026-09-21 to 2026-10-01, the same length before.')
  })

  it('has what is not marked as paid next to the sums', () => {
    const unpaid = [sale(1), sale(2, { Paid: false, Amount: 30 }), sale(3, { Paid: false, Amount: 7 })]
    const { tiles } = pageOf({ sales: unpaid, compare: null })
    expect(tiles.find(({ label }) => label === 'Not marked as paid')).to.deep.equal({
      ...{ label: 'Not marked as paid', value: '37 kr', note: '2 sales' },
    })
    expect(pageOf({ sales: [sale(1)] }).tiles.map(({ label }) => label)).not.to.include('Not marked as paid')
  })

  it('draws the period before only where something was sold in it', () => {
    const names = (sales: readonly KeptSale[], compare: 'period' | null = 'period') =>
      pageOf({ by: 'day', sales, compare }).charts.map(({ series }) => series.map(({ name }) => name))
    expect(names([BEFORE, sale(1)])).to.deep.equal([['Amount', 'Before']])
    expect(names([sale(1)])).to.deep.equal([['Amount']])
    expect(names([BEFORE, sale(1)], null)).to.deep.equal([['Amount']])
    expect(names([BEFORE])).to.deep.equal([['Amount', 'Before']])
    expect(names([])).to.deep.equal([])
  })

  it('draws all days, without their year, and the first 20 of anything else', () => {
    const day = pageOf({ by: 'day', sales: [sale(1)] }).charts[0]
    expect(day?.labels.slice(0, 2)).to.deep.equal(['10-01', '10-02'])
    expect(day?.title).to.equal('Amount by day')
    const sales = Array.from({ length: 21 }, (_, at) =>
      sale(1, { Id: at + 1, ItemId: at + 1, Title: `Vas ${at + 10} med ett långt namn` }),
    )
    const items = pageOf({ sales }).charts[0]
    expect(items?.title).to.equal('Amount, the first 20 of 21')
    expect(items?.labels).to.have.lengthOf(20)
    expect(items?.labels[0]).to.match(/^Vas \d\d med ett lå…$/)
    expect(pageOf({ sales: sales.slice(0, 20) }).charts[0]?.title).to.equal('Amount by item')
    expect(pageOf({ sales: [sale(1)] }).charts[0]?.labels).to.deep.equal(['Vas'])
  })

  it('has rows with their share of the largest, and their change', () => {
    const rows = (sales: readonly KeptSale[], compare: 'period' | null = 'period') =>
      pageOf({ sales, compare }).table.rows.map(({ cells, tone }) => [...cells.slice(0, 6), tone])
    const sales = [
      BEFORE,
      sale(1, { Amount: 200 }),
      sale(2, { ItemId: 2, Title: 'Krus', Amount: 50 }),
      sale(-3, { ItemId: 3, Title: 'Fat' }),
    ]
    expect(rows(sales)).to.deep.equal([
      ['Vas', '1', '200 kr', 1, '100 kr', '+100 %', 'up'],
      ['Krus', '1', '50 kr', 0.25, '0 kr', 'new', 'up'],
      ['Fat', '0', '0 kr', 0, '100 kr', '-100 %', 'down'],
    ])
    expect(rows([sale(1)], null)[0]?.slice(0, 5)).to.deep.equal(['Vas', '1', '100 kr', 1, '100 kr'])
    const days = pageOf({ by: 'day', sales: [] }).table.rows
    expect(days[0]?.cells.slice(1, 8)).to.deep.equal(['0', '0 kr', 0, '0 kr', '', '', ''])
  })

  it('has the margin where costs are known', () => {
    const report = reportOf({ sales: [sale(1)], cost: 60 })
    const page = reportPage(report, ABOUT)
    const margin = { label: 'Margin', value: '20 kr', note: '25 %, cost known of 1 of 1 sales' }
    expect(page.tiles.at(-1)).to.deep.equal(margin)
    const Total = { ...report.Total, Shipping: 59, Fees: 12.4, RealMargin: 7.6, RealMarginPercent: 9.5 }
    expect(reportPage({ ...report, Total, Fee: '10%' }, ABOUT).tiles.slice(-4)).to.deep.equal([
      margin,
      { label: 'Shipping', value: '59 kr', note: undefined },
      { label: 'Fees', value: '12 kr', note: undefined },
      { label: 'Real margin', value: '8 kr', note: '9.5 %' },
    ])
    // The fee of the marketplace is not set.
    expect(reportPage({ ...report, Total, Fee: null }, ABOUT).tiles.slice(-2)).to.deep.equal([
      { label: 'Fees', value: '12 kr', note: 'of payments alone' },
      { label: 'Real margin', value: '8 kr', note: "9.5 %, before the marketplace's fee" },
    ])
    const at = page.table.columns.findIndex(({ header }) => header === 'Margin')
    expect(page.table.rows[0]?.cells[at]).to.equal('25 %')
    const without = pageOf({ sales: [sale(1)] })
    expect(without.table.columns.map(({ header }) => header)).not.to.include('Margin')
    expect(valuesOf(without)).not.to.have.property('Margin')
    for (const { table } of [page, without]) {
      for (const { cells } of table.rows) expect(cells).to.have.lengthOf(table.columns.length)
    }
  })
})
