/** sales:report: what was sold in a period, by day, item, buyer …, compared with the period or the year before. */

import type { Context } from '../../cli/context.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { readFee } from '../../contract/fees.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { EXIT } from '../../errors/index.js'
import {
  dateText,
  fromFirstSale,
  type Grouping,
  type SalesReport,
  type ShopEnd,
  salesReportView,
  salesReportWords,
  shopReportsView,
  shopReportsWords,
} from '../../format/views/index.js'
import { joinSpans, type KeptSale, type Span } from '../../jobs/ledger/transactions.js'
import { ItemCosts } from '../../pricing/index.js'
import { DAY_MS } from '../../system/durations.js'
import { type Room, roomFor } from '../../system/room.js'
import { keptOrders, readChanged } from '../orders/kept.js'
import { shopOf } from '../own.js'
import { emptyPeriod } from '../period.js'
import { vatOf } from '../prices/costs.js'
import { namesOf } from '../reference/names.js'
import { firstStarts } from '../relist/followed.js'
import { type Result, shownList } from '../result.js'
import { addDays, dayOf, startOfDay } from './calendar.js'
import { type Comparison, previousSpan, SalesGroups } from './group.js'
import { keptSales, type ReadSales, readSoldItems, readSpan } from './kept.js'
import { type Charges, chargesOf } from './totals.js'

/** How long after its sale an order is paid, at the latest. */
const PAID_MS = 30 * DAY_MS
/** Costs are stored in öre. */
const ORE = 100
/** Days of a report by default, today included. */
const DEFAULT_DAYS = 30

export interface ReportFlags extends ReadSales {
  readonly by: Grouping
  /** ISO 8601 texts. */
  readonly since?: string
  readonly until?: string
  /** What to compare with; the period before by default. */
  readonly compare?: Comparison
  readonly 'no-compare'?: boolean
  readonly limit?: number
  readonly vat?: string
  /** Write a page to this file. */
  readonly html?: string
  readonly force: boolean
}

/**
 * Makes the report, and writes it as a page where one is asked for.
 * @throws {SellerError} usage for a period that ends before it begins, or a file that cannot be written; what the client throws
 */
export async function reportSales(ctx: Context, flags: ReportFlags): Promise<Result> {
  const { output } = ctx
  const span = periodOf(ctx.clock.now(), flags)
  if (flags.html !== undefined) await checkOutputFile(ctx, flags.html, { force: flags.force })
  ctx.ifInterrupted({ sent: 'What was read is kept.' })
  const report = await makeReport(ctx, span, flags)
  const { Rows, ...record } = report
  const shown = shownList({
    view: { ...salesReportView(report), within: { key: 'Rows', record } },
    rows: (human) => (human ? fromFirstSale(report).Rows : Rows),
    limit: flags.limit,
    below: (below) => below.aside(salesReportWords(report, below)),
  })
  const result = { shown: [shown], code: EXIT.ok }
  if (flags.html === undefined) return result
  const [{ writePage }, { reportPage }] = await Promise.all([
    import('../../format/html/page.js'),
    import('../../format/html/report-page.js'),
  ])
  const about = { shop: ctx.profile.name, at: dateTimeOf(ctx.clock.now()) }
  await writeOutputFile(ctx, flags.html, writePage(reportPage(fromFirstSale(report), about)), { force: flags.force })
  output.note(`The page is in ${flags.html}.`)
  return result
}

/** sales:report --profiles: a row for each shop and, for a person, their sum: all amounts of the service are kronor. */
export async function writeShopReports({ output }: Context, ends: readonly ShopEnd[]): Promise<void> {
  await output.list(shopReportsView(), ends)
  const words = shopReportsWords(ends, output.paint)
  if (words !== '') output.aside(words)
}

/** Both ends included, ms. @throws {SellerError} usage */
function periodOf(now: number, { since, until }: ReportFlags): Span {
  const from = since === undefined ? startOfDay(addDays(dayOf(now), 1 - DEFAULT_DAYS)) : instantOf(since)
  const end = until === undefined ? now : instantOf(until)
  if (from < end) return { from, to: end - 1 }
  throw emptyPeriod(from, end, undefined, until === undefined ? 'Give a time in the past.' : undefined)
}

async function makeReport(ctx: Context, span: Span, flags: ReportFlags): Promise<SalesReport> {
  const { by } = flags
  const vat = vatOf(ctx, flags.vat)
  const compare = flags['no-compare'] === true ? null : (flags.compare ?? 'period')
  const kept = await keptSales(ctx)
  const parts = joinSpans(compare === null ? [span] : [previousSpan(span, compare), span])
  const whole = { from: Math.min(...parts.map(({ from }) => from)), to: span.to }
  const unread: Span[] = []
  for (const part of parts) {
    unread.push(...(await readSpan(ctx, kept, part, flags)))
    await readSoldItems(ctx, kept, part, flags)
  }
  warnUnread(ctx, unread)
  const costOf = await costsOfSales(ctx)
  const first = kept.pages(whole).next().value?.[0]
  const names = by === 'category' && first !== undefined ? await categoryNames(ctx, flags) : undefined
  const fee = readFee(ctx.profile.settings.fee ?? '')
  const room = roomFor(ctx.signal)
  const charges =
    first === undefined
      ? undefined
      : await readCharges(ctx, parts, { from: first.At, room, pages: () => kept.pages(whole) }, flags)
  const beside = { costOf, vat, fee, startOf: await firstStarts(ctx), chargesOf: charges ?? (() => undefined) }
  const groups = new SalesGroups({ by, span, compare, ...beside, salesOf: kept.byIds, categoryName: names })
  const progress = ctx.output.progress({ kind: 'spinner', text: 'Adding up the sales' })
  try {
    for (const sales of kept.pages(whole)) {
      for (const sale of sales) groups.add(sale)
      await room()
    }
  } finally {
    progress.stop()
  }
  return groups.report()
}

/**
 * Shipping and costs of payments, of sales whose order is kept. Orders are read only by a ledger that has some: else a service without orders
 * would be asked in vain at each report.
 */
async function readCharges(
  ctx: Context,
  parts: readonly Span[],
  { from: since, pages, room }: { readonly from: number; pages(): Iterable<readonly KeptSale[]>; readonly room: Room },
  { offline }: ReadSales,
): Promise<((id: number) => Charges | undefined) | undefined> {
  const kept = await keptOrders(ctx)
  if (kept.spans().length === 0) return undefined
  for (const { from, to } of offline === true ? [] : parts) await readChanged(ctx, kept, { from, to: to + PAID_MS })
  return chargesOf(kept.each({ updated: { from: since, to: Number.MAX_SAFE_INTEGER } }), pages(), room)
}

/** The cost of a sale's item when it was sold, kronor without VAT; undefined where none is known. */
export async function costsOfSales(
  ctx: Context,
): Promise<(sale: Pick<KeptSale, 'ItemId' | 'OwnReferences' | 'At'>) => number | undefined> {
  const { costs } = await ctx.ledger()
  const items = new ItemCosts(costs.history(shopOf(ctx)))
  return ({ ItemId, OwnReferences, At }) => {
    const version = items.find(ItemId ?? 0, OwnReferences, At)
    const cost = version < 0 ? undefined : items.of(version).cost
    return cost === undefined ? undefined : cost / ORE
  }
}

/** Names of categories as they are kept for a week; offline there may be none. */
async function categoryNames(ctx: Context, { offline }: ReadSales): Promise<(id: number) => string | undefined> {
  const names = namesOf(ctx, await ctx.client({ describe: offline }), offline === true ? [] : ['categories'])
  await names.load()
  return (id) => names.category(id)?.path
}

function warnUnread({ output }: Context, parts: readonly Span[]): void {
  if (parts.length === 0) return
  const words = parts.map(({ from, to }) => `${dateText(dateTimeOf(from))} to ${dateText(dateTimeOf(to + 1))}`)
  output.warn(`Not read, or read less than a day ago: ${words.join(', ')}. Sales of these times may be missing.`)
  output.hint('Run it without --offline to read them.')
}
