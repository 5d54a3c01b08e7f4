/** Lists sales, which the service selects only by time, so that other filters work here; and marks them as paid, shipped or booked. */
import type { Context } from '../../cli/context.js'
import { toSellerError } from '../../cli/translate.js'
import { instantOf } from '../../contract/index.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../errors/index.js'
import { counted, type View } from '../../format/output/index.js'
import { markedView, type TransactionRecord, transactionView } from '../../format/views/index.js'
import { emptyPeriod } from '../period.js'
import { rememberingMembers } from '../reference/members.js'
import { recently } from '../reference/recent.js'
import { followedIds } from '../relist/followed.js'
import { listResult, type Result, shownRecords } from '../result.js'

interface SalesQuery {
  /** ISO 8601 texts; null means no limit. */
  readonly since?: string | null
  readonly until?: string | null
  /** Which time counts: that of the sale, or also that of its last change. */
  readonly filter: 'New' | 'NewAndUpdated'
  /** Only sales whose title, own reference or buyer contains this, in upper or lower case. */
  readonly search?: string
  /** Only sales of this order. */
  readonly order?: number
  /** Only sales of this item, under any id that it got when it was put up again. */
  readonly item?: number
  /** Only sales that are not marked as paid, or not as sent. */
  readonly unpaid?: boolean
  readonly unsent?: boolean
  /** Only sales that the seller has not rated. */
  readonly unrated?: boolean
  /** Whether a reading of the last minute does not serve. */
  readonly fresh: boolean
}

/** @throws {SellerError} usage, for a period that ends before it begins; what the client throws */
export function listSales(ctx: Context, query: SalesQuery, view: View<TransactionRecord>, limit?: number): Result {
  return listResult({ view, rows: () => readSales(ctx, query), limit })
}

/** @throws {SellerError} as listSales */
export async function* readSales(ctx: Context, query: SalesQuery): AsyncGenerator<TransactionRecord, void> {
  const { since = null, until = null, search, order, item } = query
  if (since !== null && until !== null && instantOf(since) > instantOf(until)) {
    throw emptyPeriod(instantOf(since), instantOf(until))
  }
  const wanted = search?.toLowerCase()
  const ids = item === undefined ? undefined : await followedIds(ctx, item)
  const { unpaid = false, unsent = false, unrated = false } = query
  for await (const row of readAll(ctx, query)) {
    if (ids !== undefined && !ids.has(row.Item?.Id ?? 0)) continue
    if ((unpaid && row.IsMarkedAsPaidConfirmed) || (unsent && row.IsMarkedAsShipped)) continue
    if (unrated && row.IsFeedbackLeftBySeller) continue
    if ((wanted === undefined || isFound(row, wanted)) && (order === undefined || row.OrderId === order)) yield row
  }
}

/** The transactions of a period, and the aliases in them kept. Without a period, both filters find all. */
async function* readAll(
  ctx: Context,
  { since = null, until = null, filter, search, fresh }: SalesQuery,
): AsyncGenerator<TransactionRecord, void> {
  const client = await ctx.client()
  const request = { MinTransactionDate: since, MaxTransactionDate: until, Filter: filter }
  // A time such as "7d ago" is another one at each look.
  const query = since === null && until === null ? 'all' : JSON.stringify([since?.slice(0, 16), until?.slice(0, 16), filter])
  const kept = ({ Buyer: buyer, ...row }: TransactionRecord): TransactionRecord =>
    buyer === undefined ? row : { ...row, Buyer: { Id: buyer.Id, Alias: buyer.Alias } }
  const read = () => counted(ctx.output, 'Reading transactions', client.stream('GetSellerTransactions', { request }))
  const recent = recently(ctx, { kind: 'transactions', query, fresh: fresh || search !== undefined, kept }, read)
  yield* rememberingMembers(ctx, recent, ({ Buyer }) => [Buyer])
}

function isFound({ Item: item, Buyer: buyer }: TransactionRecord, wanted: string): boolean {
  const texts = [item?.Title, ...(item?.OwnReferences ?? []), buyer?.Alias, buyer?.FirstName, buyer?.LastName]
  return texts.some((text) => text?.toLowerCase().includes(wanted) === true)
}

/**
 * Single sales in full. The service has no call for one, so all since `since` are read.
 * @returns them; `error` is transaction_not_found, naming the missing ones
 */
export async function showSales(ctx: Context, ids: readonly number[], { since }: Pick<SalesQuery, 'since'>): Promise<Result> {
  const wanted = [...new Set(ids)]
  const sales = new Map<number, TransactionRecord>()
  for await (const sale of readSales(ctx, { since, filter: 'NewAndUpdated', fresh: true })) {
    if (wanted.includes(sale.Id)) sales.set(sale.Id, sale)
    if (sales.size === wanted.length) break
  }
  const found = wanted.flatMap((id) => sales.get(id) ?? [])
  const missing = wanted.filter((id) => !sales.has(id))
  const shown = shownRecords(transactionView, found, wanted.length === 1)
  if (missing.length === 0) return { shown, code: EXIT.ok }
  const error = new SellerError(
    'transaction_not_found',
    missing.length === 1
      ? `Transaction ${missing[0]} is not among your sales.`
      : `Transactions ${missing.join(', ')} are not among your sales.`,
    `${(since ?? null) === null ? '' : '--since may leave it out. '}See your transactions with: seller transactions:list`,
  )
  return { shown, code: error.exitCode, error }
}

/** Undefined leaves a mark as it is. */
interface Marks {
  readonly paid?: boolean
  readonly shipped?: boolean
  readonly booked?: boolean
}

/**
 * Marks transactions. If the service refuses one, the others are still marked; any other error stops.
 * @returns the transactions as the service has them now; exit code 3 if it refused one
 * @throws {SellerError} usage if nothing is to be marked; what the client throws
 */
export async function markTransactions(
  ctx: Context,
  ids: readonly number[],
  { paid = null, shipped = null, booked = null }: Partial<Record<keyof Marks, boolean | null>>,
): Promise<Result> {
  if (paid === null && shipped === null && booked === null) {
    throw new SellerError(
      'nothing_to_do',
      'Nothing is to be marked.',
      'Give --paid, --shipped or --booked; --no-shipped takes a mark away.',
    )
  }
  const client = await ctx.client()
  const records: TransactionRecord[] = []
  let code: ExitCode = EXIT.ok
  for (const TransactionId of ids) {
    ctx.ifInterrupted({ sent: `${records.length} of ${ids.length} were marked.` })
    const transactionStatusUpdateData = {
      TransactionId,
      MarkAsPaidConfirmed: paid,
      MarkedAsShipped: shipped,
      MarkShippingBooked: booked,
    }
    try {
      const marked = await client.call('UpdateTransactionStatus', { transactionStatusUpdateData })
      records.push(marked)
    } catch (error) {
      const judged = toSellerError(error)
      if (judged.category !== 'validation' || ids.length === 1) throw error
      ctx.output.warn(`Transaction ${TransactionId}: ${judged.message}`)
      code = worseExitCode(code, judged.exitCode)
    }
  }
  return listResult({ view: markedView, rows: () => records }, code)
}
