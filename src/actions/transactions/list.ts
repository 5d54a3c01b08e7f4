/**
 * Lists sales, which the service selects only by time, so that other filters work here; and marks them as paid, sent or booked.
 */

import type { Context } from '../../cli/context.js'
import { toSellerError } from '../../cli/translate.js'
import { dateTimeOf, instantOf } from '../../contract/index.js'
import { present } from '../../contract/present.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../errors/index.js'
import { type View, withRowCount } from '../../format/output/index.js'
import { markedView, type TransactionRecord, transactionView } from '../../format/views/transactions.js'
import { run, say } from '../../messages/index.js'
import { noteAbsent } from '../absent.js'
import { keptOrders, readByIds, readChanged } from '../orders/kept.js'
import { OrdersOfSales } from '../orders/of-sales.js'
import { paidOrder, stateOfOrder } from '../orders/paid.js'
import { emptyPeriod } from '../period.js'
import { rememberingMembers } from '../reference/members.js'
import { recently } from '../reference/recent.js'
import { followedIds } from '../relist/followed.js'
import { keptSaleOf, keptSales } from '../reports/kept.js'
import { listResult, type Result, shownRecords } from '../result.js'
import { rowsWithin, type WholeFlags } from '../whole.js'

interface SalesQuery extends WholeFlags {
  /** ISO 8601 texts; null means no limit. */
  readonly since?: string | null | undefined
  readonly until?: string | null | undefined
  /** Which time counts: that of the sale, or also that of its last change. */
  readonly filter: 'New' | 'NewAndUpdated'
  /** Only sales whose title, own reference or buyer contains this, in upper or lower case. */
  readonly search?: string | undefined
  /** Only sales of this order. */
  readonly order?: number | undefined
  /** Only sales of this item, under any id that it got when it was put up again. */
  readonly item?: number | undefined
  /** Only sales that are not marked as paid. */
  readonly unpaid?: boolean | undefined
  /** Only sales that are marked as sent, or only those that are not. */
  readonly sent?: boolean | undefined
  /** Only sales that the seller has not rated. */
  readonly unrated?: boolean | undefined
  /** True if a reading of the last minute does not serve. */
  readonly fresh: boolean
}

/** @throws {SellerError} usage, for a period that ends before it begins; what the client throws */
export function listSales(ctx: Context, query: SalesQuery, view: View<TransactionRecord>, limit?: number): Result {
  const { whole } = query
  return listResult({ view, rows: () => rowsWithin(readSales(ctx, query), limit, { whole }), limit: whole ? undefined : limit })
}

/** @throws {SellerError} as listSales */
export async function* readSales(ctx: Context, query: SalesQuery): AsyncGenerator<TransactionRecord, void> {
  const { since = null, until = null, search, order, item } = query
  if (since !== null && until !== null && instantOf(since) >= instantOf(until)) {
    throw emptyPeriod(instantOf(since), instantOf(until))
  }
  const searchText = search?.toLowerCase()
  const ids = item === undefined ? undefined : await followedIds(ctx, item)
  const { unpaid = false, sent, unrated = false } = query
  const isOfOrder = order === undefined ? () => true : salesOfOrder(ctx, order)
  const isPaid = unpaid ? await paidByOrders(ctx, since) : () => false
  for await (const row of readAll(ctx, query)) {
    if (ids !== undefined && !ids.has(row.Item?.Id ?? 0)) continue
    if (unpaid && (row.IsMarkedAsPaidConfirmed || isPaid(row))) continue
    if (sent !== undefined && row.IsMarkedAsShipped !== sent) continue
    if (unrated && row.IsFeedbackLeftBySeller) continue
    if (searchText !== undefined && !isFound(row, searchText)) continue
    if (order === undefined) yield row
    else if (await isOfOrder(row)) yield { ...row, OrderId: order }
  }
}

/**
 * True if a sale is of an order: by its number, where the service gives it, else by the item and buyer of the order, which is
 * then read once. No published description has the number.
 */
function salesOfOrder(ctx: Context, order: number): (row: TransactionRecord) => Promise<boolean> {
  let orders: Promise<OrdersOfSales> | undefined
  const read = async () => {
    const storedOrders = await keptOrders(ctx)
    await readByIds(ctx, storedOrders, [order], { onAbsent: () => undefined })
    const of = new OrdersOfSales()
    for (const each of storedOrders.each()) of.add(each)
    return of
  }
  return async (row) => {
    if ((row.OrderId ?? null) !== null) return row.OrderId === order
    orders ??= read()
    return (await orders).find(keptSaleOf(row)) === order
  }
}

/**
 * True if the order of a sale has a payment of all that it comes to. Where this ledger keeps no orders, a mark is all that is
 * known, and a note says so: a service without orders would be asked in vain.
 */
async function paidByOrders(ctx: Context, since: string | null): Promise<(row: TransactionRecord) => boolean> {
  const storedOrders = await keptOrders(ctx)
  if (storedOrders.spans().length === 0) {
    ctx.output.note(
      say`Not marked as paid: what buyers have paid is known once orders are kept. See ${run('orders:list', { '--unpaid': true })}.`,
    )
    return () => false
  }
  await readChanged(ctx, storedOrders, { from: since === null ? (storedOrders.spans()[0]?.from ?? 0) : instantOf(since) })
  const [of, paid] = [new OrdersOfSales(), new Set<number>()]
  for (const order of storedOrders.each()) {
    of.add(order)
    if (stateOfOrder(paidOrder(order), undefined, undefined).PaidBy === 'payment') paid.add(order.OrderId)
  }
  return (row) => paid.has(of.find(keptSaleOf(row)) ?? 0)
}

/** The transactions of a period, and the aliases in them kept. Without a period, both filters find all. */
async function* readAll(
  ctx: Context,
  { since = null, until = null, filter, search, fresh }: SalesQuery,
): AsyncGenerator<TransactionRecord, void> {
  const client = await ctx.client()
  // The service takes its end as included, and --until is not.
  const MaxTransactionDate = until === null ? null : dateTimeOf(instantOf(until) - 1)
  const request = { MinTransactionDate: since, MaxTransactionDate, Filter: filter }
  // A time such as "7d ago" is another one at each look.
  const query = since === null && until === null ? 'all' : JSON.stringify([since?.slice(0, 16), until?.slice(0, 16), filter])
  const withoutPersonalData = ({ Buyer: buyer, ...row }: TransactionRecord): TransactionRecord =>
    buyer === undefined ? row : { ...row, Buyer: present({ Id: buyer.Id, Alias: buyer.Alias }) }
  let isAbsent = false
  const onAbsent = () => {
    isAbsent = true
  }
  const read = () =>
    withRowCount(ctx.output, 'Reading transactions', client.stream('GetSellerTransactions', { request }, { onAbsent }))
  const recent = recently(
    ctx,
    { kind: 'transactions', query, fresh: fresh || search !== undefined, kept: withoutPersonalData },
    read,
  )
  yield* rememberingMembers(ctx, recent, ({ Buyer }) => [Buyer])
  if (isAbsent) noteAbsent(ctx, 'transactions', (await keptSales(ctx)).any())
}

function isFound({ Item: item, Buyer: buyer }: TransactionRecord, searchText: string): boolean {
  const texts = [item?.Title, ...(item?.OwnReferences ?? []), buyer?.Alias, buyer?.FirstName, buyer?.LastName]
  return texts.some((text) => text?.toLowerCase().includes(searchText) === true)
}

/**
 * Single sales in full. The service has no call for one, so all since `since` are read.
 * @returns them; `error` is transaction_not_found, naming the missing ones
 */
export async function showSales(ctx: Context, ids: readonly number[], { since }: Pick<SalesQuery, 'since'>): Promise<Result> {
  const wantedIds = [...new Set(ids)]
  const sales = new Map<number, TransactionRecord>()
  for await (const sale of readSales(ctx, { since, filter: 'NewAndUpdated', fresh: true })) {
    if (wantedIds.includes(sale.Id)) sales.set(sale.Id, sale)
    if (sales.size === wantedIds.length) break
  }
  const matches = wantedIds.flatMap((id) => sales.get(id) ?? [])
  const missing = wantedIds.filter((id) => !sales.has(id))
  const saleRecords = shownRecords(transactionView, matches, wantedIds.length === 1)
  if (missing.length === 0) return { shown: saleRecords, code: EXIT.ok }
  const error = new SellerError(
    'transaction_not_found',
    missing.length === 1
      ? `Transaction ${missing[0]} is not among your sales.`
      : `Transactions ${missing.join(', ')} are not among your sales.`,
    say`${(since ?? null) === null ? '' : '--since may leave it out. '}See your transactions with: ${run('transactions:list')}`,
  )
  return { shown: saleRecords, code: error.exitCode, error }
}

/** Undefined leaves a mark as it is. */
interface Marks {
  readonly paid?: boolean
  readonly sent?: boolean
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
  { paid = null, sent = null, booked = null }: Partial<Record<keyof Marks, boolean | null>>,
): Promise<Result> {
  if (paid === null && sent === null && booked === null) {
    throw new SellerError(
      'nothing_to_do',
      'Nothing to mark: no mark was given.',
      'Give --paid, --sent or --booked; --no-sent takes a mark away.',
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
      MarkedAsShipped: sent,
      MarkShippingBooked: booked,
    }
    try {
      const sale = await client.call('UpdateTransactionStatus', { transactionStatusUpdateData })
      records.push(sale)
    } catch (error) {
      const failure = toSellerError(error)
      if (failure.code === 'broken_contract') throw unknownMarks(TransactionId, failure, [records.length, ids.length])
      if (failure.category !== 'validation' || ids.length === 1) throw error
      ctx.output.warn(`Transaction ${TransactionId}: ${failure.message}`)
      code = worseExitCode(code, failure.exitCode)
    }
  }
  // Marks were set: a refusal of some is no refusal of the run, which would say that nothing was changed.
  return listResult(
    { view: markedView, rows: () => records },
    code === EXIT.ok || records.length === 0 ? code : EXIT.someRowsFailed,
  )
}

/** The error for marks whose answer cannot be read: they were sent, and may be set. Setting them twice does no harm. */
function unknownMarks(id: number, { message, details }: SellerError, [done, all]: readonly [number, number]): SellerError {
  const before = all === 1 ? '' : ` ${done} of ${all} were marked before.`
  return new SellerError(
    'broken_contract',
    `${message} The marks of transaction ${id} were sent, and may be set or not.${before}`,
    say`See what is set with: ${run('transactions:show', { id })}. Marks may be sent twice: run the command again.`,
    details,
  )
}
