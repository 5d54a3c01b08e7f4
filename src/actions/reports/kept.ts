/** Keeps transactions in the ledger: reads those at the service that are not kept yet, and again those that may have changed. */

import type { Context } from '../../cli/context.js'
import { dateTimeOf, instantOf, type ParamsOf } from '../../contract/index.js'
import { withRowCount } from '../../format/output/index.js'
import type { TransactionRecord } from '../../format/views/transactions.js'
import {
  joinSpans,
  type KeptSale,
  type KeptSales,
  missingSpans,
  openSales,
  type SalesOwner,
  type SoldItem,
  type Span,
} from '../../jobs/ledger/transactions.js'
import { type CallOptions, type SoapClient, SoapError } from '../../soap/client/index.js'
import { DAY_MS, HOUR_MS } from '../../system/durations.js'
import { noteAbsent } from '../absent.js'
import { ownItems, provenItems } from '../prices/live.js'
import { addressOf } from '../reference/store.js'

/**
 * Payment, shipping and feedback of sales this young may still change, so they are read at each report. Older ones only with
 * --refresh.
 */
export const CHANGING_MS = 90 * DAY_MS
/** The clocks of this machine and the service may differ: what is younger than this is never taken as read for good. */
export const SKEW_MS = DAY_MS
/** A reply of so many rows, in whole fifties, may have been cut by a limit that the service does not name; its halves tell. */
const CUT_FROM = 100
const CUT_STEP = 50
/** A span is not halved below this. */
const LEAST_SPAN_MS = HOUR_MS
/** Number of times that a span is halved because a reply was too large or too slow. */
const MOST_HALVINGS = 5

export interface ReadSales {
  /** Read everything again. */
  readonly refresh?: boolean | undefined
  /** Make no call. */
  readonly offline?: boolean | undefined
  /** For a caller that only shows what there is: a list that the service leaves out is none, and nothing is kept of it. */
  readonly shown?: boolean
}

/** Whose sales the profile's are. */
export function salesOwner(ctx: Pick<Context, 'profile'>): SalesOwner {
  const { name, settings } = ctx.profile
  return { profile: name, address: addressOf(ctx), userId: settings.user_id ?? 0 }
}

/** The kept sales of the profile's seller. */
export async function keptSales(ctx: Context): Promise<KeptSales> {
  return openSales(await ctx.ledger(), salesOwner(ctx))
}

/** Spans to read: those that are not kept, and those that may have changed. */
export function spansToRead(
  span: Span,
  knownSpans: readonly Span[],
  { now, refresh = false }: { now: number; refresh?: boolean | undefined },
): Span[] {
  if (refresh) return [span]
  const missing = missingSpans(span, knownSpans)
  const changingSpan = { from: Math.max(span.from, now - CHANGING_MS), to: span.to }
  return joinSpans(changingSpan.from <= changingSpan.to ? [...missing, changingSpan] : missing)
}

/**
 * Brings what is kept of a span up to date: a call for each part that is missing or may have changed, more where a reply is too
 * large, too slow, or may have been cut. Each part is kept when it is complete, so that a run that is broken off is not paid for
 * twice.
 * @returns the parts that were not read, offline
 * @throws what the client throws
 */
export async function readSpan(ctx: Context, storedSales: KeptSales, span: Span, options: ReadSales): Promise<Span[]> {
  const spans = spansToRead(span, storedSales.spans(), { now: ctx.clock.now(), refresh: options.refresh })
  if (options.offline === true) return missingSpans(span, storedSales.spans())
  if (spans.length === 0) return []
  const client = await ctx.client()
  for (const part of spans) await readPart(ctx, client, storedSales, part, options)
  return []
}

async function readPart(
  ctx: Context,
  client: SoapClient,
  storedSales: KeptSales,
  span: Span,
  { shown = false }: ReadSales,
): Promise<void> {
  const askedAt = ctx.clock.now()
  let isAbsent = false
  const onAbsent = () => {
    isAbsent = true
  }
  const options = { fields: KEPT_FIELDS, ...(shown ? { onAbsent } : {}) }
  const rows = await readInHalves(
    ctx,
    span,
    (part) => gather(ctx, client.stream<'GetSellerTransactions', KeptField>('GetSellerTransactions', requestOf(part), options)),
    ({ Id }) => Id,
  )
  if (isAbsent) return noteAbsent(ctx, 'transactions', storedSales.any())
  const readUntil = { from: span.from, to: Math.min(span.to, askedAt - SKEW_MS) }
  storedSales.replace(span, rows.map(keptSaleOf), readUntil.from <= readUntil.to ? readUntil : undefined, askedAt)
}

/** Transactions of a span. @param span ms; without an end it reaches as far as the service has sales */
export function readTransactions(
  ctx: Context,
  client: SoapClient,
  span: OpenSpan,
  options: Pick<CallOptions, 'onAbsent'> = {},
): Promise<TransactionRecord[]> {
  return readInHalves(
    ctx,
    span,
    (part) => gather(ctx, client.stream('GetSellerTransactions', requestOf(part), options)),
    ({ Id }) => Id,
  )
}

/** A span that may have no end. */
interface OpenSpan {
  readonly from: number
  readonly to: number | null
}

/**
 * Reads a span by as few calls as the service allows: after a reply that failed because of its size, or may have been cut, the
 * halves are read.
 * @param failures halvings after a failure so far
 */
export async function readInHalves<T>(
  ctx: Pick<Context, 'clock' | 'output'>,
  span: OpenSpan,
  read: (span: OpenSpan) => Promise<T[]>,
  idOf: (row: T) => number,
  failures = 0,
): Promise<T[]> {
  const end = span.to ?? ctx.clock.now()
  const smallest = end - span.from < LEAST_SPAN_MS
  let rows: T[] = []
  let failedHalves = 0
  try {
    rows = await read(span)
    if (smallest || rows.length < CUT_FROM || rows.length % CUT_STEP !== 0) return rows
  } catch (error) {
    // A network that is down fails for each half too.
    if (!isTooMuch(error) || smallest || failures === MOST_HALVINGS) throw error
    failedHalves = 1
    const why = error instanceof SoapError && error.kind === 'too-large' ? 'was too large' : 'did not come in time'
    ctx.output.note(`The reply ${why}, so the period is read in two halves.`)
  }
  const middle = Math.floor((span.from + end) / 2)
  const first = await readInHalves(ctx, { from: span.from, to: middle }, read, idOf, failures + failedHalves)
  const second = await readInHalves(ctx, { from: middle + 1, to: span.to }, read, idOf, failures + failedHalves)
  return [...new Map([...rows, ...first, ...second].map((row) => [idOf(row), row])).values()]
}

/** A reply that was too large, or did not come in time. */
function isTooMuch(error: unknown): boolean {
  return error instanceof SoapError && (error.kind === 'too-large' || error.kind === 'interrupted')
}

function requestOf({ from, to }: OpenSpan): ParamsOf<'GetSellerTransactions'> {
  const MaxTransactionDate = to === null ? null : dateTimeOf(to)
  return { request: { MinTransactionDate: dateTimeOf(from), MaxTransactionDate, Filter: 'New' } }
}

async function gather<T>(ctx: Pick<Context, 'output'>, rowStream: AsyncIterable<T>): Promise<T[]> {
  const rows: T[] = []
  for await (const row of withRowCount(ctx.output, 'Reading transactions', rowStream)) rows.push(row)
  return rows
}

/** Fields that are kept. Most of a reply is addresses, and what else its items have. */
const KEPT_FIELDS = [
  ...(['Id', 'OrderId', 'Date', 'LastUpdatedDate', 'Amount'] as const),
  ...(['IsMarkedAsPaidConfirmed', 'IsMarkedAsShipped', 'IsFeedbackLeftBySeller'] as const),
  ...(['Item.Id', 'Item.Title', 'Item.OwnReferences', 'Buyer.Id', 'Buyer.Alias'] as const),
]
type KeptField = Extract<(typeof KEPT_FIELDS)[number], keyof TransactionRecord> | 'Item' | 'Buyer'

/** Part of a transaction that is kept: of the buyer the id and alias, never an address. */
export function keptSaleOf(row: Pick<TransactionRecord, KeptField>): KeptSale {
  const { Item: item, Buyer: buyer } = row
  return {
    Id: row.Id,
    At: instantOf(row.Date),
    // One that was never changed may have .NET's unset date, of the year 1.
    UpdatedAt: Math.max(instantOf(row.Date), instantOf(row.LastUpdatedDate)),
    Amount: row.Amount,
    Paid: row.IsMarkedAsPaidConfirmed,
    Shipped: row.IsMarkedAsShipped,
    Rated: row.IsFeedbackLeftBySeller,
    ItemId: item?.Id ?? null,
    Title: item?.Title ?? null,
    OwnReferences: item?.OwnReferences ?? [],
    BuyerId: buyer?.Id ?? null,
    Buyer: buyer?.Alias ?? null,
    ...(row.OrderId ? { OrderId: row.OrderId } : {}),
  }
}

/**
 * Asks for start and category of the items sold in a span that were never asked about: one call for all of them. Those that the
 * service no longer lists are kept as unknown, and not asked about again.
 * @returns false if some were not asked about, offline
 */
export async function readSoldItems(ctx: Context, storedSales: KeptSales, span: Span, { offline }: ReadSales): Promise<boolean> {
  const { ids, firstAt } = await storedSales.unknownItems(span, ctx.signal)
  if (ids.length === 0) return true
  if (offline === true) return false
  const client = await ctx.client()
  // An item ends with its sale or later; a day for the clocks.
  const query = ownItems({ minEndDate: dateTimeOf(firstAt - SKEW_MS) })
  const items = new Map(ids.map((id): [number, SoldItem] => [id, { ItemId: id, StartedAt: null, CategoryId: null }]))
  const readOptions = { text: 'Reading sold items', fields: ['Id', 'StartDate', 'CategoryId'] } as const
  for await (const { Id, StartDate, CategoryId } of provenItems(ctx, client, query, readOptions)) {
    // An edition may leave either out: then it is unknown.
    const StartedAt = StartDate === undefined ? null : instantOf(StartDate)
    if (items.has(Id)) items.set(Id, { ItemId: Id, StartedAt, CategoryId: CategoryId ?? null })
  }
  storedSales.keepItems([...items.values()])
  return true
}
