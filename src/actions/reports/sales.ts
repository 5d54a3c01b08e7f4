/** sales:report: what was sold in a period, by day, item, buyer …, compared with the period before. */
import type { Context } from '../../cli/context.js'
import { EXIT, SellerError } from '../../cli/errors.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { dateText, type Grouping, type SalesReport, salesReportView, salesReportWords } from '../../format/views/index.js'
import { costHistory } from '../../jobs/costs.js'
import type { KeptSale, Span } from '../../jobs/ledger/transactions.js'
import { vatOf } from '../prices/costs.js'
import { namesOf } from '../reference/names.js'
import { type Result, shownList } from '../result.js'
import { addDays, dayOf, startOfDay } from './calendar.js'
import { groupSales, previousSpan } from './group.js'
import { keptSales, type ReadSales, readSoldItems, readSpan } from './kept.js'

/** Costs are stored in öre. */
const ORE = 100
/** Days of a report by default, today included. */
const DEFAULT_DAYS = 30

export interface ReportFlags extends ReadSales {
  readonly by: Grouping
  /** ISO 8601 texts. */
  readonly since?: string
  readonly until?: string
  readonly compare: boolean
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
    rows: () => Rows,
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
  await writeOutputFile(ctx, flags.html, writePage(reportPage(report, about)), { force: flags.force })
  output.note(`The page is in ${flags.html}.`)
  return result
}

/** Both ends included, ms. @throws {SellerError} usage */
function periodOf(now: number, { since, until }: ReportFlags): Span {
  const from = since === undefined ? startOfDay(addDays(dayOf(now), 1 - DEFAULT_DAYS)) : instantOf(since)
  const end = until === undefined ? now : instantOf(until)
  if (from < end) return { from, to: end - 1 }
  throw new SellerError(
    'empty_period',
    `--since ${since ?? dateTimeOf(from)} is not before --until ${until ?? dateTimeOf(end)}: nothing lies between them.`,
    until === undefined ? 'Give a time in the past.' : 'Swap the two dates.',
  )
}

async function makeReport(ctx: Context, span: Span, flags: ReportFlags): Promise<SalesReport> {
  const { by, compare } = flags
  const kept = await keptSales(ctx)
  const whole = { from: compare ? previousSpan(span).from : span.from, to: span.to }
  warnUnread(ctx, await readSpan(ctx, kept, whole, flags))
  await readSoldItems(ctx, kept, whole, flags)
  const costOf = await costsOfSales(ctx)
  const vat = vatOf(ctx, flags.vat)
  const sales = kept.list(whole)
  const names = by === 'category' && sales.length > 0 ? await categoryNames(ctx, flags) : undefined
  return groupSales({ by, span, compare, sales, items: kept.items(), costOf, vat, categoryName: names })
}

/** The cost of a sale's item when it was sold, kronor without VAT; undefined where none is known. */
export async function costsOfSales(
  ctx: Context,
): Promise<(sale: Pick<KeptSale, 'ItemId' | 'OwnReferences' | 'At'>) => number | undefined> {
  const { name: profile, settings } = ctx.profile
  const items = costHistory(await ctx.ledger(), { profile, userId: settings.user_id ?? null })
  return ({ ItemId, OwnReferences, At }) => {
    const version = items.find(ItemId ?? 0, OwnReferences, At)
    const cost = version < 0 ? undefined : items.of(version).cost
    return cost === undefined ? undefined : cost / ORE
  }
}

/** Names of categories as they are kept for a week; offline there may be none. */
async function categoryNames(ctx: Context, { offline, timeoutMs }: ReadSales): Promise<(id: number) => string | undefined> {
  const names = namesOf(ctx, await ctx.client({ timeoutMs, describe: offline }), offline === true ? [] : ['categories'])
  await names.load()
  return (id) => names.category(id)?.path
}

function warnUnread({ output }: Context, parts: readonly Span[]): void {
  if (parts.length === 0) return
  const words = parts.map(({ from, to }) => `${dateText(dateTimeOf(from))} to ${dateText(dateTimeOf(to + 1))}`)
  output.warn(`Not read, or read less than a day ago: ${words.join(', ')}. Sales of these times may be missing.`)
  output.hint('Run it without --offline to read them.')
}
