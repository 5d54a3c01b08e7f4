/** sales:report: what was sold in a period, by day, item, buyer …, compared with the period or the year before. */

import type { Context } from '../../cli/context.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { readAccounts } from '../../contract/accounts.js'
import { readBooks, readCountries, readRatesAbroad } from '../../contract/books.js'
import { placeOf } from '../../contract/countries.js'
import { readFee } from '../../contract/fees.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { EXIT } from '../../errors/index.js'
import type { Output } from '../../format/output/index.js'
import { type NotRead, notRead } from '../../format/views/not-read.js'
import {
  dateText,
  fromFirstSale,
  type Grouping,
  type SalesReport,
  salesReportView,
  salesReportWords,
  unpaidLabel,
} from '../../format/views/reports.js'
import { shopReportsView, shopReportsWords } from '../../format/views/shop-reports.js'
import type { ShopEnd } from '../../format/views/shops.js'
import type { ImpersonalOrder, KeptOrders } from '../../jobs/ledger/orders.js'
import { joinSpans, type KeptSale, type Span } from '../../jobs/ledger/transactions.js'
import { blank, count, run, say } from '../../messages/index.js'
import { ItemCosts } from '../../pricing/index.js'
import { DAY_MS } from '../../system/durations.js'
import { bothAtOnce } from '../../system/few-at-once.js'
import { type Room, yieldToEventLoop } from '../../system/room.js'
import { linesOf } from '../books/rows.js'
import { keptOrders, missingOrders, readChanged } from '../orders/kept.js'
import { paidOrder, stateOfOrder } from '../orders/paid.js'
import { shopOf } from '../own.js'
import { emptyPeriod } from '../period.js'
import { chooseVat } from '../prices/costs.js'
import { openNames } from '../reference/names.js'
import { firstStarts } from '../relist/followed.js'
import { type Result, shownList } from '../result.js'
import { addDays, dayOf, startOfDay } from './calendar.js'
import { type Comparison, comparedWith, SalesGroups } from './group.js'
import { keptSales, type ReadSales, readSoldItems, readSpan } from './kept.js'
import { type Charges, type OrderTold, sumCharges } from './totals.js'

/** Longest time between a sale and the payment of its order. */
const PAID_MS = 30 * DAY_MS
/** Costs are stored in öre. */
const ORE = 100
/** Days of a report by default, today included. */
const DEFAULT_DAYS = 30

export interface ReportFlags extends ReadSales {
  readonly by: Grouping
  /** ISO 8601 texts. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Period to compare with; by default the period before. */
  readonly compare?: Comparison | 'none' | undefined
  readonly limit?: number | undefined
  readonly vat?: string | undefined
  /** Write a page to this file. */
  readonly html?: string | undefined
  readonly force: boolean
}

/**
 * Makes the report, and writes it as a page where one is asked for.
 * @throws {SellerError} usage for a period that ends before it begins, or a file that cannot be written; what the client throws
 */
export async function reportSales(ctx: Context, flags: ReportFlags): Promise<Result> {
  const { output } = ctx
  const span = reportPeriod(ctx.clock.now(), flags)
  if (flags.html !== undefined) await checkOutputFile(ctx, flags.html, { force: flags.force })
  ctx.ifInterrupted({ sent: 'What was read is kept.' })
  const report = await makeReport(ctx, span, flags)
  const { Rows } = report
  const cutNotes = isCut(Rows, flags.limit) ? [notRead('rows', 'limit')] : []
  const { Rows: _, ...record } = { ...report, NotRead: [...report.NotRead, ...cutNotes] }
  const reportList = shownList({
    view: { ...salesReportView(report), within: { key: 'Rows', record } },
    rows: (human) => (human ? fromFirstSale(report).Rows : Rows),
    limit: flags.limit,
    below: (below) => {
      below.aside(salesReportWords(report, below))
      tellUnpaid(below, report, flags)
      if (isWithoutFee(report)) below.hint(say`${withoutFee(report)} Set the fee with: ${SET_FEE}`)
    },
  })
  const result = { shown: [reportList], code: EXIT.ok }
  if (flags.html === undefined) return result
  const [{ writePage }, { reportPage }] = await Promise.all([
    import('../../format/html/page.js'),
    import('../../format/html/report-page.js'),
  ])
  const about = { shop: ctx.profile.name, at: dateTimeOf(ctx.clock.now()), unit: output.unit }
  await writeOutputFile(ctx, flags.html, writePage(reportPage(fromFirstSale(report), about)), {
    force: flags.force,
    private: true,
  })
  output.note(`The page is in ${flags.html}.`)
  return result
}

/** Names the command that lists the sales which are not known to be paid: exactly those that the report counts. */
function tellUnpaid(output: Output, { Total, Since, Until }: SalesReport, { until }: ReportFlags): void {
  if (Total.UnpaidSales === 0) return
  const list = run('transactions:list', {
    '--unpaid': true,
    '--since': dayOrTime(Since),
    '--until': until === undefined ? undefined : dayOrTime(Until),
  })
  output.hint(
    say`orders:export books what is paid, so its sums may differ. List the sales that are ${unpaidLabel(Total)} with: ${list}`,
  )
}

/** `2026-11-01` for a Swedish midnight, else the whole time. */
function dayOrTime(iso: string): string {
  return iso.slice(10, 19) === 'T00:00:00' && iso.length === 25 ? iso.slice(0, 10) : iso
}

const SET_FEE = run('auth:login', { '--setting': blank('fee=FEE') })

/** True if fees or a margin are shown, and the fee of the marketplace is not in them. */
function isWithoutFee({ Fee, Total: { Fees, Margin } }: SalesReport): boolean {
  return Fee === null && (Fees !== null || Margin !== null)
}

function withoutFee({ Total: { Fees, Margin, RealMargin } }: SalesReport): string {
  const incomplete = [
    ...(Fees === null ? [] : ['the fees are those of payments alone']),
    ...(Margin === null ? [] : [`the ${RealMargin === null ? 'margin' : 'real margin'} is before it`]),
  ]
  return `The marketplace's fee is not set: ${incomplete.join(', and ')}.`
}

/** sales:report --profiles: a row for each shop and, for a person, the sums of those in one currency. */
export async function writeShopReports({ output }: Context, ends: readonly ShopEnd[]): Promise<void> {
  await output.list(shopReportsView(), ends)
  const words = shopReportsWords(ends, output.paint)
  if (words !== '') output.aside(words)
  const withoutFees = ends.filter(({ Result }) => Result !== null && isWithoutFee(Result as SalesReport))
  if (withoutFees.length === 0) return
  const names = withoutFees.map(({ Profile }) => Profile)
  const shops = names.length > 5 ? count(names.length, 'shop') : names.join(', ')
  const setFee = run('auth:login', { '--setting': blank('fee=FEE'), '--profile': names.length === 1 ? names[0] : blank('NAME') })
  output.hint(say`The marketplace's fee is not set for ${shops}: fees and margins are before it. Set the fee with: ${setFee}`)
}

/** True if there are more rows than are listed. */
function isCut(rows: Iterable<unknown>, limit = Number.POSITIVE_INFINITY): boolean {
  let count = 0
  for (const _ of rows) if (++count > limit) return true
  return false
}

/** Both ends included, ms. @throws {SellerError} usage */
function reportPeriod(now: number, { since, until }: ReportFlags): Span {
  const from = since === undefined ? startOfDay(addDays(dayOf(now), 1 - DEFAULT_DAYS)) : instantOf(since)
  const end = until === undefined ? now : instantOf(until)
  if (from < end) return { from, to: end - 1 }
  throw emptyPeriod(from, end, undefined, until === undefined ? 'Give a time in the past.' : undefined)
}

async function makeReport(ctx: Context, span: Span, flags: ReportFlags): Promise<SalesReport> {
  const { by } = flags
  const vat = chooseVat(ctx, flags.vat)
  const compare = flags.compare === 'none' ? null : (flags.compare ?? 'period')
  const storedSales = await keptSales(ctx)
  const parts = joinSpans(compare === null ? [span] : [comparedWith(span, compare).before, span])
  const whole = { from: Math.min(...parts.map(({ from }) => from)), to: span.to }
  const unread: Span[] = []
  const missing: NotRead[] = []
  for (const part of parts) {
    unread.push(...(await readSpan(ctx, storedSales, part, { ...flags, shown: true })))
  }
  warnUnread(ctx, unread)
  missing.push(...unread.map((part) => notRead('sales', 'offline', part)))
  const costOf = await costsOfSales(ctx)
  const first = storedSales.pages(whole).next().value?.[0]
  const names = by === 'category' && first !== undefined ? await categoryNames(ctx, flags) : undefined
  const fee = readFee(ctx.profile.settings.fee ?? '')
  const room = yieldToEventLoop(ctx.signal)
  const items = async (): Promise<void> => {
    for (const part of parts)
      if (!(await readSoldItems(ctx, storedSales, part, flags))) missing.push(notRead('sold_items', 'offline', part))
  }
  const ofOrders = async () =>
    first === undefined
      ? undefined
      : readCharges(ctx, parts, { from: first.At, room, pages: () => storedSales.pages(whole) }, flags)
  const [, { charges, unread: orders = [] } = {}] = await bothAtOnce(items(), ofOrders())
  missing.push(...orders)
  const beside = {
    costOf,
    vat,
    fee,
    ordersKnown: charges !== undefined,
    startOf: await firstStarts(ctx),
    chargesOf: charges ?? (() => undefined),
  }
  const groups = new SalesGroups({ by, span, compare, ...beside, salesOf: storedSales.byIds, categoryName: names })
  const progress = ctx.output.progress({ kind: 'spinner', text: 'Adding up the sales' })
  try {
    for (const sales of storedSales.pages(whole)) {
      for (const sale of sales) groups.add(sale)
      await room()
    }
  } finally {
    progress.stop()
  }
  return { ...groups.report(missing), Fee: fee === undefined ? null : (ctx.profile.settings.fee ?? null) }
}

/**
 * Shipping and costs of payments, of sales whose order is kept. Orders are read only by a ledger that has some: else a service
 * without orders would be asked in vain at each report.
 */
async function readCharges(
  ctx: Context,
  parts: readonly Span[],
  { from: since, pages, room }: { readonly from: number; pages(): Iterable<readonly KeptSale[]>; readonly room: Room },
  { offline }: ReadSales,
): Promise<{ readonly charges?: (id: number) => Charges | undefined; readonly unread: readonly NotRead[] }> {
  const storedOrders = await keptOrders(ctx)
  if (storedOrders.spans().length === 0) return { unread: parts.map((part) => notRead('orders', 'not_kept', part)) }
  for (const { from, to } of offline === true ? [] : parts) await readChanged(ctx, storedOrders, { from, to: to + PAID_MS })
  const unread = offline === true ? parts.flatMap((part) => missingOrders(storedOrders, part)) : []
  const factsOfOrder = orderFacts(ctx, storedOrders)
  const charges = sumCharges(
    storedOrders.each({ updated: { from: since, to: Number.MAX_SAFE_INTEGER } }),
    pages(),
    room,
    factsOfOrder,
  )
  return { charges: await charges, unread }
}

/** Facts from orders for a report: the VAT of their lines, their destination and whether they are paid. */
function orderFacts(ctx: Context, storedOrders: KeptOrders): (order: ImpersonalOrder) => OrderTold {
  const { accounts = '', books = '', countries = '', vat_abroad: abroad = '' } = ctx.profile.settings
  const settings = {
    ...{ terms: readBooks(books), accounts: readAccounts(accounts) },
    ...{ countries: readCountries(countries), ratesAbroad: readRatesAbroad(abroad) },
  }
  const facts = storedOrders.facts()
  return (order) => ({
    lines: linesOf(order, settings, facts.get(order.OrderId) ?? {}),
    paid: stateOfOrder(paidOrder(order), undefined, undefined).PaidBy === 'payment',
    country: placeOf(order)?.name,
  })
}

/** The cost of a sale's item when it was sold, kronor without VAT; undefined where none is known. */
export async function costsOfSales(
  ctx: Context,
): Promise<(sale: Pick<KeptSale, 'ItemId' | 'OwnReferences' | 'At'>) => number | undefined> {
  const { costs } = await ctx.ledger()
  const items = new ItemCosts(costs.history(shopOf(ctx)))
  return ({ ItemId, OwnReferences, At }) => {
    const cost = items.of(ItemId ?? 0, OwnReferences, At)?.cost
    return cost === undefined ? undefined : cost / ORE
  }
}

/** Names of categories as they are kept for a week; offline there may be none. */
async function categoryNames(ctx: Context, { offline }: ReadSales): Promise<(id: number) => string | undefined> {
  const names = openNames(ctx, await ctx.client({ describe: offline }), offline === true ? [] : ['categories'])
  await names.load()
  return (id) => names.category(id)?.path
}

function warnUnread({ output }: Context, parts: readonly Span[]): void {
  if (parts.length === 0) return
  const words = parts.map(({ from, to }) => `${dateText(dateTimeOf(from))} to ${dateText(dateTimeOf(to + 1))}`)
  output.warn(`Not read, or read less than a day ago: ${words.join(', ')}. Sales of these times may be missing.`)
  output.hint('Run it without --offline to read them.')
}
