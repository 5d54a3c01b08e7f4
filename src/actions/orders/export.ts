/** orders:export: what was sold and paid, as rows for other programs or for the books. */

import type { Context } from '../../cli/context.js'
import { instantOf, minuteOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { type ExportRowShown, exportView } from '../../format/views/orders.js'
import { type Exports, openExports, type UnsureExport } from '../../jobs/ledger/exports.js'
import type { ImpersonalOrder, KeptOrders } from '../../jobs/ledger/orders.js'
import { blank, run, say } from '../../messages/index.js'
import { DAY_MS } from '../../system/durations.js'
import { yieldToEventLoop } from '../../system/room.js'
import { paymentKeys } from '../books/book.js'
import { bookSettings } from '../books/collect.js'
import { type BooksFlags, showVatReturn, writeBooks } from '../books/export.js'
import { exportRows } from '../books/rows.js'
import { emptyPeriod } from '../period.js'
import { addDays, dayOf, startOfDay } from '../reports/calendar.js'
import { salesOwner } from '../reports/kept.js'
import type { Result } from '../result.js'
import { tellMissing, type WholeFlags } from '../whole.js'
import { withProgress } from '../with-progress.js'
import { inFull, keptOrders, missingOrders, paidAt, readBack, readByIds, readChanged } from './kept.js'

const DEFAULT_DAYS = 30

interface ExportFlags extends BooksFlags, WholeFlags {
  readonly form: 'rows' | 'sie' | 'vat'
}

interface Paid {
  readonly OrderId: number
  /** ms since 1970. */
  readonly paidAt: number
  /** Empty for the order, else its refund (paymentKeys). */
  readonly event: string
}

/** @throws {SellerError} usage; export_unknown; what the client throws */
export async function exportOrders(ctx: Context, flags: ExportFlags): Promise<Result | undefined> {
  const { form, out } = flags
  if (form === 'vat' && (flags.new || flags.again))
    throw new SellerError(
      'wrong_usage',
      '--form vat is of a period: --new and --again are for files.',
      'Give e.g. --period 2026-10.',
    )
  if ((form === 'sie' || flags.new) && out === undefined) {
    const why = form === 'sie' ? '--form sie writes a file' : '--new writes a file, so that a break leaves no half of it'
    throw new SellerError('wrong_usage', `${why}, and none is named.`, 'Name it with --out FILE.')
  }
  const exports = openExports(await ctx.ledger(), salesOwner(ctx), form === 'vat' ? 'sie' : form)
  ctx.ifInterrupted({ sent: 'What was read is kept.' })
  if (form === 'sie') return writeBooks(ctx, flags, exports, recovered(exports, flags))
  if (form === 'vat') return showVatReturn(ctx, flags, exports)
  const storedOrders = await keptOrders(ctx)
  const unsure = recovered(exports, flags)
  const paidOrders = flags.again
    ? await lastPaid(ctx, storedOrders, exports.last(unsure))
    : await paidIn(ctx, storedOrders, exports, flags)
  const entry = flags.new
    ? exports.entry(paidOrders.map(({ OrderId, event }) => ({ id: OrderId, event, body: null })))
    : undefined
  const settings = bookSettings(ctx, flags)
  const facts = storedOrders.facts()
  const rows = function* (): Generator<ExportRowShown> {
    for (const [order, one] of inFull(storedOrders.each, paidOrders))
      yield* exportRows(order, one, settings, facts.get(order.OrderId) ?? {})
  }
  await ctx.output.list(exportView, rows())
  if (entry !== undefined || unsure.length > 0) await ctx.nameFile(entry)
  exports.settle(unsure)
  return undefined
}

/** Payments and refunds of the period; with --new those that no such export had. @throws {SellerError} usage */
async function paidIn(ctx: Context, storedOrders: KeptOrders, exports: Exports, flags: ExportFlags): Promise<Paid[]> {
  const now = ctx.clock.now()
  const earlier = flags.new ? exports.last() : undefined
  // Nights may have been left out.
  const begin = Math.min(startOfDay(addDays(dayOf(now), -DEFAULT_DAYS)), (earlier?.at ?? now) - DAY_MS)
  const from = flags.since === undefined ? begin : instantOf(flags.since)
  const to = flags.until === undefined ? now + DAY_MS : instantOf(flags.until)
  if (from >= to) throw emptyPeriod(from, to)
  // A payment changes the order, so what was paid in the period has changed since it began.
  if (flags.offline === true) tellMissing(ctx, missingOrders(storedOrders, { from, to: Math.min(to - 1, now) }), flags)
  else await (flags.refresh === true ? readBack(ctx, storedOrders, from) : readChanged(ctx, storedOrders, { from }, flags))
  const exported = new Set(flags.new ? exports.all().map(({ id, event }) => `${id} ${event}`) : [])
  const marks = storedOrders.marks()
  const all = await findPaid(ctx, storedOrders.each({ updated: { from, to: Number.MAX_SAFE_INTEGER } }))
  return all.filter(
    ({ OrderId, paidAt: at, event }) =>
      at >= from && at < to && !exported.has(`${OrderId} ${event}`) && marks.get(OrderId)?.gone !== true,
  )
}

/** The orders of the last export of what is new. @throws {SellerError} usage */
async function lastPaid(ctx: Context, storedOrders: KeptOrders, last: ReturnType<Exports['last']>): Promise<Paid[]> {
  const { ids, entries } = last ?? { ids: [], entries: [] }
  if (ids.length === 0) throw nothingYet()
  const there = new Set(Array.from(storedOrders.each({ ids }), ({ OrderId }) => OrderId))
  // Those that ledger:prune has removed.
  await readByIds(
    ctx,
    storedOrders,
    ids.filter((id) => !there.has(id)),
  )
  const wantedEvents = new Set(entries.map(({ id, event }) => `${id} ${event}`))
  return (await findPaid(ctx, storedOrders.each({ ids }))).filter(({ OrderId, event }) => wantedEvents.has(`${OrderId} ${event}`))
}

/** When each was paid, and paid back, in that order. */
function findPaid(ctx: Context, orders: Iterable<ImpersonalOrder>): Promise<Paid[]> {
  const look = async () => {
    const room = yieldToEventLoop(ctx.signal)
    const orderPayments: Paid[] = []
    for (const order of orders) {
      const { OrderId, SellerOrderPayments: payments } = order
      if (paidAt(order) > 0) orderPayments.push({ OrderId, paidAt: paidAt(order), event: '' })
      const keys = paymentKeys(payments)
      for (const [at, { Amount, PaidDate }] of payments.entries())
        if (Amount < 0) orderPayments.push({ OrderId, paidAt: instantOf(PaidDate), event: keys[at] ?? '' })
      await room()
    }
    return orderPayments.sort((one, other) => one.paidAt - other.paidAt || one.OrderId - other.OrderId)
  }
  return withProgress(ctx, 'Looking for the paid orders', look())
}

function nothingYet(): SellerError {
  return new SellerError(
    'nothing_to_do',
    'Nothing was exported with --new in the form rows yet.',
    say`Export what is new with: ${run('orders:export', { '--new': true, '--out': blank('FILE') })}`,
  )
}

/**
 * Decides what killed exports have left. Nothing new is exported while one is unsure: its orders would be left out in silence.
 * @returns exports whose file is nowhere, for --again, which passes on
 * @throws {SellerError} export_unknown with --new, for an export whose file is nowhere
 */
function recovered(exports: Exports, { new: isNew, again, form }: ExportFlags): readonly UnsureExport[] {
  if (!isNew && !again) return []
  const unsure = exports.recover()
  const [broken] = unsure
  if (broken === undefined || again) return unsure
  const { file, at } = broken
  const orders = countOf(
    unsure.reduce((sum, one) => sum + one.orders, 0),
    'order',
  )
  const writeAgain = run('orders:export', {
    '--form': form === 'sie' ? 'sie' : undefined,
    '--again': true,
    '--out': blank('FILE'),
  })
  throw new SellerError(
    'export_unknown',
    `The export of ${minuteOf(at)} broke off, and its file ${file} is not there: it was taken away, or it never got its name.`,
    say`Write its ${orders} once more with: ${writeAgain}. After that --new goes on. If they reached you before, drop that file.`,
    { file },
  )
}
