/**
 * Papers of a parcel. orders:labels: the booked labels of orders, in one call, one PDF each or joined, as files or to a
 * command; then the question whether the orders are sent. orders:slips: packing slips as one page to print.
 */

import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directories.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { countOf } from '../../contract/numbers.js'
import { someOf } from '../../contract/some-of.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../errors/index.js'
import type { SlipLanguage } from '../../format/html/slips-page.js'
import {
  type LabelShown,
  labelsView,
  type OrderRecord,
  ofOrder,
  orderAskedColumns,
  type SlipsShown,
  slipsView,
} from '../../format/views/orders.js'
import { openPrintedLabels } from '../../jobs/ledger/printed-labels.js'
import { blank, money, run, say } from '../../messages/index.js'
import { MINUTE_MS } from '../../system/durations.js'
import { showAsked } from '../jobs/confirm.js'
import { dayOf } from '../reports/calendar.js'
import { salesOwner } from '../reports/kept.js'
import { listResult, type Result } from '../result.js'
import { requireProgram, runHandler } from '../transactions/handler.js'
import { keptOrders, paidAt, readByIds, withStates } from './kept.js'
import { namedOrToSend, ordersNotFound } from './list.js'
import { markOrders } from './mark.js'

interface LabelFlags {
  /** The file of all labels in one. */
  readonly out?: string | undefined
  /** Where the files of single labels go; made where it is missing. */
  readonly dir?: string | undefined
  /** A command that gets each PDF, or that of all, on its stdin. */
  readonly print?: string | undefined
  /** Mark the orders as sent, or do not ask. */
  readonly sent?: boolean | undefined
  /** Also print what was printed before. */
  readonly again?: boolean | undefined
  readonly yes?: boolean | undefined
  readonly force: boolean
}

const PRINT_TIMEOUT_MS = 5 * MINUTE_MS

/**
 * Fetches the labels of orders, by default of all that are to be sent.
 * @returns a row for each order; exit code 5 where one has no label or was not printed
 * @throws {SellerError} usage for a file that exists; broken_label; what the client throws
 */
export async function fetchLabels(
  ctx: Context,
  orderIds: readonly number[],
  { out, dir, print, sent, again = false, yes, force }: LabelFlags,
): Promise<Result> {
  if (print !== undefined) await requireProgram(ctx, { command: print, flag: '--print' })
  const ids = await namedOrToSend(ctx, orderIds)
  if (orderIds.length > 0) {
    const storedOrders = await keptOrders(ctx)
    warnOfMissing(ctx, await withStates(ctx, storedOrders, [...storedOrders.list({ ids })], { offline: true }), ', as last read')
  }
  const result = (rows: readonly LabelShown[], code: ExitCode) => listResult({ view: labelsView, rows: () => rows }, code)
  if (ids.length === 0) return result([], EXIT.ok)
  const place = print === undefined && out === undefined ? (dir ?? '.') : dir
  if (dir !== undefined) makeDirectory(ctx.path(dir), '--dir')
  // With the day, so that the labels of yesterday are not in the way.
  const day = dayOf(ctx.clock.now())
  const fileOf = (id: number) => out ?? (place === undefined ? null : `${place}/label-${day}-${id}.pdf`)
  for (const file of new Set(ids.map(fileOf))) if (file !== null) await checkOutputFile(ctx, file, { force })
  const prints = print === undefined ? undefined : openPrintedLabels(await ctx.ledger(), salesOwner(ctx))
  const before = again || prints === undefined ? new Map<number, boolean>() : prints.of(ids)
  sayPrinted(ctx, before)
  const client = await ctx.client()
  const { FreightLabels } = await client.call(
    'GetFreightLabels',
    { request: { OrderIds: ids } },
    // An order without a label is left out, so the list may be too.
    { onAbsent: () => undefined },
  )
  const pdfs = new Map(
    FreightLabels.map(({ OrderId, FreightLabelContent }) => [OrderId, decodePdf(OrderId, FreightLabelContent)]),
  )
  const newIds = ids.filter((id) => pdfs.has(id) && !before.has(id))
  const sheets: (readonly [ids: readonly number[], pdf: Uint8Array])[] =
    out === undefined
      ? newIds.map((id) => [[id], pdfs.get(id) ?? Buffer.alloc(0)])
      : newIds.length === 0
        ? []
        : [[newIds, await joined(newIds, pdfs)]]
  const printedById = new Map<number, boolean>()
  for (const [of, pdf] of sheets) {
    const file = fileOf(of[0] ?? 0)
    if (file !== null) await writeOutputFile(ctx, file, pdf, { force, private: true })
    if (print === undefined || prints === undefined) continue
    // Before the print system has it: a label that is printed twice goes on two parcels.
    prints.begin(of)
    const isTaken = await printLabels(ctx, print, of, pdf)
    if (isTaken) prints.done(of)
    else prints.undo(of)
    for (const id of of) printedById.set(id, isTaken)
  }
  const records = ids.map((id): LabelShown => {
    const Bytes = pdfs.get(id)?.length ?? null
    return {
      OrderId: id,
      File: Bytes === null || before.has(id) ? null : fileOf(id),
      Bytes,
      Printed: printedById.get(id) ?? before.get(id) ?? null,
    }
  })
  const missing = records.filter(({ Bytes }) => Bytes === null).map(({ OrderId }) => OrderId)
  if (missing.length > 0) ctx.output.warn(`No label is booked for ${countOf(missing.length, 'order')}: ${missing.join(', ')}.`)
  const ready = records.filter(({ Bytes, Printed }) => Bytes !== null && Printed !== false).map(({ OrderId }) => OrderId)
  sayWritten(ctx, records, printedById)
  const markCode = ready.length > 0 ? await askWhetherSent(ctx, ready, sent ?? (yes === true ? true : undefined)) : EXIT.ok
  return result(records, worseExitCode(ready.length === ids.length ? EXIT.ok : EXIT.someRowsFailed, markCode))
}

/** Labels printed before, and those that may have been: neither is printed again by itself. */
function sayPrinted(ctx: Context, before: ReadonlyMap<number, boolean>): void {
  const printedIds = [...before].filter(([, printed]) => printed).map(([id]) => id)
  const unsure = [...before].filter(([, printed]) => !printed).map(([id]) => id)
  if (printedIds.length > 0) ctx.output.note(`Printed before: ${printedIds.join(', ')}. To print once more, add --again.`)
  if (unsure.length > 0)
    ctx.output.warn(`A run was killed while it printed: ${unsure.join(', ')}. Look at the printer. To print them, add --again.`)
}

/** Tells what was written before anything is asked: whoever says that the parcels are sent has the labels. */
function sayWritten(ctx: Context, records: readonly LabelShown[], printedById: ReadonlyMap<number, boolean>): void {
  const files = [...new Set(records.flatMap(({ File }) => File ?? []))]
  const count = [...printedById.values()].filter(Boolean).length
  if (files.length > 0)
    ctx.output.note(
      `Wrote ${files.length > 3 ? `${countOf(files.length, 'file')}, ${files[0]} to ${files.at(-1)}` : files.join(', ')}.`,
    )
  if (count > 0) ctx.output.note(`Printed ${countOf(count, 'label')}.`)
}

/** @throws {SellerError} broken_label for what is no PDF from its begin to its end (ISO 32000-1, 7.5.2 and 7.5.5) */
function decodePdf(id: number, content = ''): Buffer {
  const pdf = Buffer.from(content, 'base64')
  if (pdf.subarray(0, 5).toString('latin1') === '%PDF-' && pdf.subarray(-1024).includes('%%EOF')) return pdf
  throw brokenLabel(id, pdf)
}

/** @throws {SellerError} broken_label */
async function joined(ids: readonly number[], pdfs: ReadonlyMap<number, Buffer>): Promise<Uint8Array> {
  const { joinedPdf } = await import('./joined.js')
  const all = ids.map((id) => pdfs.get(id) ?? Buffer.alloc(0))
  const whole = await joinedPdf(all)
  if ('pdf' in whole) return whole.pdf
  throw brokenLabel(ids[whole.broken] ?? 0, all[whole.broken] ?? Buffer.alloc(0))
}

function brokenLabel(id: number, pdf: Uint8Array): SellerError {
  return new SellerError(
    'broken_label',
    `The label of order ${id} is no whole PDF (${pdf.length} bytes).`,
    'Nothing was marked. Try again later, or fetch the label from the website.',
    { orderId: id },
  )
}

async function printLabels(ctx: Context, command: string, ids: readonly number[], pdf: Uint8Array): Promise<boolean> {
  const { code, how, said } = await runHandler(ctx, { command, timeoutMs: PRINT_TIMEOUT_MS, flag: '--print' }, pdf)
  if (code === 0) return true
  ctx.output.warn(
    `${ids.length === 1 ? `Order ${ids[0]}` : countOf(ids.length, 'order')}: the command of --print ${how}. ${said.trim()}`.trim(),
  )
  return false
}

/** Orders that the question names. */
const NAMED = 8

/**
 * On a terminal it is asked; elsewhere the command is shown.
 * @returns the exit code of the marking
 * @throws {SellerError} what stopped it
 */
async function askWhetherSent(ctx: Context, ids: readonly number[], isSent: boolean | undefined): Promise<ExitCode> {
  if (isSent === false) return EXIT.ok
  const message = `Mark ${countOf(ids.length, 'order')} as sent: ${someOf(ids, NAMED)}?`
  if (isSent === undefined && ctx.prompts.available) await showOrders(ctx, ids)
  if (isSent === true || (await saysYes(ctx, message))) {
    const { code, error } = await markOrders(ctx, ids, { sent: true, wait: false, timeout: 0 })
    if (error !== undefined) throw error
    return code
  }
  const few = ids.length <= 20
  const order = few ? ids : undefined
  const mark = run('orders:mark', { order, '--file': few ? undefined : blank('FILE'), '--sent': true })
  ctx.output.hint(say`When they are sent: ${mark}`)
  return EXIT.ok
}

/** Shows whose parcels these are, as last read. */
async function showOrders(ctx: Context, ids: readonly number[]): Promise<void> {
  const storedOrders = await keptOrders(ctx)
  const orders = await withStates(ctx, storedOrders, [...storedOrders.list({ ids })], { offline: true })
  const rows = orders.map((order) => ofOrder(order, { OrderId: order.OrderId, Paid: paidAt(order) > 0 }))
  await showAsked(ctx, rows, { columns: orderAskedColumns, yes: undefined })
}

async function saysYes({ prompts }: Context, message: string): Promise<boolean> {
  if (!prompts.available) return false
  const choices = ['no', 'yes'].map((value) => ({ name: value, value }))
  return (await prompts.fill([{ key: 'sent', flag: '--sent', message, kind: 'select', choices }])).sent === 'yes'
}

/**
 * Says of orders that are paid in part what their buyers owe: such an order is not to be sent, and is here only where it was
 * named.
 */
function warnOfMissing({ output }: Context, orders: readonly OrderRecord[], dateNote = ''): void {
  for (const order of orders) {
    if (order.State !== 'unpaid' || order.Missing <= 0 || paidAt(order) === 0) continue
    output.warn(
      say`Order ${order.OrderId} is paid in part${dateNote}: ${money(order.Missing)} missing. Send it when the rest has come.`,
    )
  }
}

interface SlipFlags {
  readonly out: string
  readonly language: SlipLanguage
  readonly force: boolean
}

/** @throws {SellerError} usage for a file that exists; order_not_found; what the client throws */
export async function writeSlips(ctx: Context, ids: readonly number[], { out, language, force }: SlipFlags): Promise<void> {
  await checkOutputFile(ctx, out, { force })
  // A person has the note.
  const finish = async (record: SlipsShown) => {
    if (ctx.output.form === 'json' || ctx.output.form === 'ndjson' || ctx.output.form === 'yaml')
      await ctx.output.record(slipsView, record)
  }
  // As the service has them now: the list may be without the names and addresses.
  const orderIds = await namedOrToSend(ctx, ids)
  if (orderIds.length === 0) {
    ctx.output.note('No orders to send. Nothing was written.')
    return finish({ File: null, Slips: 0, OrderIds: [] })
  }
  const storedOrders = await keptOrders(ctx)
  const foundOrders = await readByIds(ctx, storedOrders, orderIds)
  const missing = ordersNotFound(orderIds, foundOrders)
  if (missing !== undefined) throw missing
  const orders = await withStates(ctx, storedOrders, foundOrders, { offline: true })
  warnOfMissing(ctx, orders)
  const { slipsPage } = await import('../../format/html/slips-page.js')
  const shop = foundOrders[0]?.Seller?.Alias ?? ctx.profile.name
  await writeOutputFile(ctx, out, slipsPage(orders, language, shop), { force, private: true })
  ctx.output.note(
    `The slips of ${countOf(orders.length, 'order')} are in ${out}. Open it in a browser and print it: one order to a sheet.`,
  )
  await finish({ File: out, Slips: orders.length, OrderIds: orders.map(({ OrderId }) => OrderId) })
}
