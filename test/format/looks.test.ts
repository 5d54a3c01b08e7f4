/**
 * Looks of each kind of record, compared with a file: to a person on a wide terminal and on a narrow one, and in a pipe, whose
 * columns scripts know by their places. The records follow from the schemas: a whole one, one without all that may be missing,
 * one of zeros, one of less than nothing, and one for each further word of an enumeration.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { operations, ShopItemData } from '../../src/contract/index.js'
import { type Page, writePage } from '../../src/format/html/page.js'
import { planPage } from '../../src/format/html/plan-page.js'
import { reportPage } from '../../src/format/html/report-page.js'
import { slipsPage } from '../../src/format/html/slips-page.js'
import { columnKeys, type View } from '../../src/format/output/index.js'
import * as views from '../../src/format/views/index.js'
import { TAGS } from './cells.js'
import { type Row, rowsOf, type Source, summaryOf } from './samples.js'
import { stand } from './streams.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const GOLDEN = join(root, 'test/format/looks.golden.txt')
const CHANGED =
  'After a change of a type, run "npm run build" first. If the new looks are meant, accept them with "UPDATE_GOLDEN=1 npx mocha test/format/looks.test.ts", and tell scripts in CHANGELOG.md.'

const SOURCES: Readonly<Record<string, Source>> = {
  accountView: ['account:show'],
  activationPlanView: ['shop:activate', 'Line'],
  additionPlanView: ['items:add', 'Line'],
  attachedView: ['campaigns:attach'],
  attributesView: ['reference:attributes'],
  auctionPlanView: ['items:price', 'Line'],
  auctionPriceView: ['items:price', 'ItemId'],
  backupView: ['ledger:backup'],
  booksView: ['orders:export', 'Todo'],
  callsView: ['calls:show', 'Call'],
  campaignView: ['campaigns:validate'],
  catalogueView: ['shop:export', 'OwnReferences'],
  googleView: ['shop:export', 'id'],
  schemaView: ['shop:export', 'sku'],
  closingView: ['shop:settings', 'StartsAt'],
  commandsView: ['commands'],
  costsStoredView: ['shop:costs', 'Rows'],
  costsView: ['shop:costs', 'Id'],
  differencesView: ['service:check'],
  discountItemsView: ['discounts:show'],
  discountView: ['discounts:drop'],
  discountsView: ['discounts:list'],
  doctorView: ['doctor'],
  dueView: ['jobs:due', 'Part'],
  eidView: ['eid:status'],
  endedView: ['items:end'],
  exportView: ['orders:export', 'Kind'],
  feedbackView: ['feedback:leave'],
  findingsView: ['ledger:check'],
  forgottenView: ['orders:forget'],
  slipsView: ['orders:slips'],
  feedbacksView: ['feedback:leave'],
  imageLinksView: ['images:list'],
  itemView: ['items:show'],
  itemsView: ['items:list', 'TotalBids'],
  jobRunView: ['shop:price', 'Kind'],
  jobView: ['jobs:drop'],
  jobsView: ['jobs:list'],
  labelsView: ['orders:labels'],
  listingStepsView: ['jobs:show', 'Step'],
  markedView: ['transactions:mark'],
  officialTimeView: ['reference:time'],
  operationView: ['service:show'],
  operationsView: ['service:operations'],
  orderNoteView: ['orders:note'],
  orderPlanView: ['orders:mark', 'Line'],
  orderView: ['orders:show'],
  ordersView: ['orders:list'],
  pairsView: ['reference:counties'],
  partRowsView: ['jobs:show', 'JobId'],
  paymentOptionsView: ['members:payments'],
  pendingFeedbackView: ['feedback:pending'],
  planMarginView: ['shop:price', 'NewPrice'],
  planView: ['shop:price', 'NewPrice'],
  priceHistoryView: ['prices:history'],
  profilesView: ['auth:status', 'Profile'],
  pruneView: ['ledger:prune'],
  relistPlanView: ['items:relist', 'Line'],
  removalPlanView: ['shop:remove', 'Line'],
  scheduledView: ['items:list', 'Command'],
  requestView: ['requests:show'],
  requestsView: ['requests:list'],
  scheduleView: ['schedule:show'],
  settingsView: ['auth:status', 'Setting'],
  shippingView: ['reference:shipping'],
  shopDiffView: ['shop:diff'],
  shopJobsView: ['jobs:list'],
  shopPlansView: ['shop:price', 'Profile'],
  shopSettingsView: ['shop:settings'],
  shopsTodayView: ['today', 'Profile'],
  syncPlanView: ['shop:sync', 'Line'],
  syncRunView: ['shop:sync', 'Parts'],
  todayView: ['today'],
  tokenView: ['auth:token'],
  transactionView: ['transactions:show'],
  transactionsView: ['transactions:list'],
  updateView: ['update:check'],
  uploadView: ['images:upload'],
  vatReturnView: ['orders:export', 'Boxes'],
  // Made by a function.
  differencesText: ['service:check'],
  orderLine: ['orders:list'],
  'planPage(0)': ['shop:price', 'NewPrice'],
  'planPage(1)': ['shop:price', 'NewPrice'],
  restoreView: ['ledger:restore'],
  'reportPage(day)': ['sales:report', 'Key'],
  'reportPage(item)': ['sales:report', 'Key'],
  'salesReportWords(day)': ['sales:report', 'Key'],
  'salesReportWords(item)': ['sales:report', 'Key'],
  shopReportsWords: ['sales:report', 'Profile'],
  syncSummary: ['shop:sync', 'Line'],
  'slipsPage(en)': ['orders:list'],
  'slipsPage(sv)': ['orders:list'],
  'callUsageView(usage)': ['calls:show', 'Used'],
  'dryRunView(ShopItemData)': ['shop:add', 'Images'],
  'itemViewOf(names)': ['items:show'],
  'itemsViewOf(names)': ['items:list', 'TotalBids'],
  'jobRowsView(add-item)': ['jobs:show', 'Line'],
  'jobRowsView(add-shop)': ['jobs:show', 'Line'],
  'jobRowsView(auction-price)': ['jobs:show', 'Line'],
  'jobRowsView(price)': ['jobs:show', 'Line'],
  'jobRowsView(relist)': ['jobs:show', 'Line'],
  'jobRowsView(remove)': ['jobs:show', 'Line'],
  'jobRowsView(stock)': ['jobs:show', 'Line'],
  'salesReportView(compared)': ['sales:report', 'Key'],
  'salesReportView(little known)': ['sales:report', 'Key'],
  'shopReportsView()': ['sales:report', 'Profile'],
  'shopsView(discount)': ['shop:discount', 'Profile'],
  'shopsView(job)': ['shop:price', 'Profile'],
  'valueView(Item)': ['items:show'],
  'valuePlanView(Quantity)': ['shop:stock', 'Line'],
}

type AnyView = View<Row>

/** Views that are there as they are. */
const ALONE: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(views).filter(([, view]) => typeof view === 'object' && 'columns' in view && view.columns.length > 0),
)

function viewOf(name: string, [row = {}]: readonly Row[]): AnyView {
  const names: views.Names = {
    category: (id) => ({ name: `Category ${id}`, path: `All > Category ${id}` }),
    payment: (id) => `Payment ${id}`,
    county: () => undefined,
    shipping: (provider) => `Provider ${provider}`,
    option: (id) => `Option ${id}`,
  }
  const around = { names, now: Date.parse('2026-11-12T18:00:00+01:00'), unit: 'kr' }
  const [, made = name, by = ''] = /^(\w+)\((.*)\)$/.exec(name) ?? []
  // Each takes records of its own.
  const builders: Readonly<Record<string, () => unknown>> = {
    callUsageView: () => views.callUsageView(row as never),
    dryRunView: () => views.dryRunView(ShopItemData),
    itemViewOf: () => views.itemViewOf(around),
    itemsViewOf: () => views.itemsViewOf(around),
    jobRowsView: () => views.jobRowsView(by),
    salesReportView: () =>
      views.salesReportView(
        by === 'compared'
          ? { By: 'item', Rows: [row as never], Total: row as never, Previous: row as never }
          : { By: 'day', Rows: [], Total: { MarginPercent: null, RealMarginPercent: null } as never, Previous: null },
      ),
    shopReportsView: () => views.shopReportsView(),
    shopsView: () => views.shopsView(by as 'job'),
    valueView: () => views.valueView(operations.GetItem.result.type, row),
    valuePlanView: () => views.valuePlanView(by),
  }
  return (builders[made]?.() ?? ALONE[name]) as AnyView
}

/** Output to a terminal of a width, or to a pipe; colours by their numbers. */
async function written(view: AnyView, rows: readonly Row[], width?: number): Promise<string> {
  const terminal = width !== undefined
  const colours = terminal ? { NO_COLOR: '', FORCE_COLOR: '1' } : {}
  const { output, stdout, stderr } = await stand({ terminal, width, env: colours, form: terminal ? undefined : 'tsv' })
  if (terminal && view.card === true) for (const row of rows) await output.record(view, row)
  else await output.list(view, rows)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours.
  return (stdout.written + stderr.written).replaceAll(/\u001b\[(?:22|39)m/g, '').replaceAll(/\u001b\[(\d+)m/g, '<$1>')
}

/** Without what only a browser reads; a row a line. */
function pageOf(page: Page): string {
  const html = [...writePage(page)]
    .join('')
    .replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/'sha256-[^']*'/g, 'HASH')
  return html.replaceAll(/<\/(?:t[hrd]|div|dt|dd|label|svg)>/g, '$&\n').replaceAll(/\n\n+/g, '\n')
}

/** Texts and pages of records. */
const TEXTS: Readonly<Record<string, (rows: readonly never[], by: string) => string>> = {
  differencesText: (rows) => views.differencesText(rows, 60, TAGS),
  orderLine: (rows) =>
    rows
      .flatMap((row) => [200, 60].map((width) => views.orderLine(row, { width, paint: TAGS, plain: false, unit: 'kr' })))
      .join('\n'),
  planPage: (rows, by) => {
    const summary = summaryOf('shop:price', Number(by)) as views.PlanSummaryShown
    const histogram = [
      { From: null, To: -5, Rows: 3 },
      { From: 0, To: null, Rows: 4 },
    ]
    const about = {
      shop: 'Mugg & Vas',
      at: '2026-11-22T18:00:00+01:00',
      title: 'shop:price',
      unit: 'kr',
      titleOf: () => undefined,
    }
    const pictures = {
      left: 7,
      titleOf: (id: number) => (id > 0 ? `Title of ${id}` : undefined),
      pictureOf: (id: number) => (id > 0 ? 'data:image/png;base64,aaaa' : 'https://example.com/x.png'),
    }
    return pageOf(
      by === '0'
        ? planPage({ ...about, summary, histogram, rows, ...pictures })
        : planPage({ ...about, summary, histogram: [], rows: rows.slice(1, 2) }),
    )
  },
  reportPage: (rows, by) =>
    pageOf(reportPage(reportOf(rows, by as 'day', 0), { shop: 'Mugg & Vas', at: '2026-11-22T18:00:00+01:00', unit: 'kr' })),
  salesReportWords: (rows, by) =>
    [0, 1, 2]
      .map((turn) =>
        views.salesReportWords(reportOf(rows, by as 'day', turn), { width: 80, paint: TAGS, plain: false, unit: 'kr' }),
      )
      .join('\n'),
  shopReportsWords: (rows) =>
    [rows, rows.slice(0, 1), rows.slice(1, 2), rows.slice(2, 3)].map((ends) => views.shopReportsWords(ends, TAGS)).join('\n'),
  slipsPage: (rows, by) =>
    [...slipsPage(rows, by as 'sv', 'Mugg & Vas')].join('').replace(/<style>[\s\S]*<\/style>/, '') +
    [...slipsPage(rows.slice(0, 1), by as 'sv', '')].join('').replace(/[\s\S]*<title>(.*)<\/title>[\s\S]*/, '$1'),
  syncSummary: () => [0, 1, 2].map((turn) => views.syncSummary(summaryOf('shop:sync', turn) as never)).join('\n'),
}

/** @param turn of its totals */
function reportOf(rows: readonly never[], By: views.Grouping, turn: number): views.SalesReport {
  const [Since, Until] = ['2026-11-01T00:00:00+01:00', '2026-11-20T18:30:00+01:00']
  const Total = rows[turn] as unknown as views.SalesReport['Total']
  return {
    NotRead: [],
    Fee: null,
    By,
    Since,
    Until,
    Total,
    Previous: turn === 1 ? null : { ...Total, Basis: 'same_length', Months: null, Since, Until },
    Rows: rows.filter((_, at) => at !== 3),
  }
}

async function lookOf(name: string, source: Source): Promise<string> {
  const rows = rowsOf(source)
  const text = TEXTS[/^\w+/.exec(name)?.[0] ?? '']?.(rows as never, /\((.*)\)/.exec(name)?.[1] ?? '')
  if (text !== undefined) return `## ${name}\n${text}`
  const view = viewOf(name, rows)
  const parts = await Promise.all([
    `names: ${columnKeys(view).join(' ')}`,
    written(view, rows, 400),
    ...(view.card === true ? [] : [70, 40].map(async (width) => (await written(view, rows, width)).split('\n', 1).join())),
    written(view, [], 70).then((text) => text.trimEnd()),
    written(view, rows.slice(0, 3)),
  ])
  return `## ${name}\n${parts.filter((part) => part !== '').join('\n')}`
}

describe('the looks of records', () => {
  const golden = (): Map<string, string> =>
    new Map(
      readFileSync(GOLDEN, 'utf8')
        .split(/^(?=## )/m)
        .map((look) => [/^## (.*)/.exec(look)?.[1] ?? '', look.trimEnd()]),
    )

  it('are kept for every kind of record', async () => {
    // A request as data has no schema.
    expect([...Object.keys(SOURCES), 'describedView']).to.include.members(Object.keys(ALONE))
    if (process.env.UPDATE_GOLDEN) {
      const looks = await Promise.all(Object.entries(SOURCES).map(([name, source]) => lookOf(name, source)))
      writeFileSync(GOLDEN, looks.map((look) => `${look.trimEnd()}\n`).join('\n'))
    }
    expect([...golden().keys()]).to.have.members(Object.keys(SOURCES))
  })

  for (const [name, source] of Object.entries(SOURCES)) {
    it(`stay as they were for ${name}`, async () => {
      expect((await lookOf(name, source)).trimEnd(), CHANGED).to.equal(golden().get(name))
    })
  }
})
