/**
 * What goes with a parcel. orders:labels: the booked labels of orders, in one call, one PDF each or joined, as files or to a
 * command; then the question whether the orders are sent. orders:slips: packing slips as one page to print.
 */
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directories.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../errors/index.js'
import type { SlipLanguage } from '../../format/html/slips-page.js'
import { countOf, type LabelShown, labelsView } from '../../format/views/index.js'
import { MINUTE_MS } from '../../system/durations.js'
import { listResult, type Result } from '../result.js'
import { runHandler } from '../transactions/handler.js'
import { keptOrders, readByIds, withStates } from './kept.js'
import { namedOrToSend, ordersNotFound } from './list.js'
import { markOrders } from './mark.js'

interface LabelFlags {
  /** The file of all labels in one. */
  readonly out?: string
  /** Where the files of single labels go; made where it is missing. */
  readonly dir?: string
  /** A command that gets each PDF, or that of all, on its stdin. */
  readonly print?: string
  /** Mark the orders as sent, or do not ask. */
  readonly sent?: boolean
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
  asked: readonly number[],
  { out, dir, print, sent, force }: LabelFlags,
): Promise<Result> {
  const ids = await namedOrToSend(ctx, asked)
  const result = (rows: readonly LabelShown[], code: ExitCode) => listResult({ view: labelsView, rows: () => rows }, code)
  if (ids.length === 0) return result([], EXIT.ok)
  const place = print === undefined && out === undefined ? (dir ?? '.') : dir
  if (dir !== undefined) makeDirectory(ctx.path(dir), '--dir')
  const fileOf = (id: number) => out ?? (place === undefined ? null : `${place}/label-${id}.pdf`)
  for (const file of new Set(ids.map(fileOf))) if (file !== null) await checkOutputFile(ctx, file, { force })
  const client = await ctx.client()
  const { FreightLabels } = await client.call('GetFreightLabels', { request: { OrderIds: ids } })
  const pdfs = new Map(FreightLabels.map(({ OrderId, FreightLabelContent }) => [OrderId, pdfOf(OrderId, FreightLabelContent)]))
  const found = ids.filter((id) => pdfs.has(id))
  const sheets: (readonly [ids: readonly number[], pdf: Uint8Array])[] =
    out === undefined
      ? found.map((id) => [[id], pdfs.get(id) ?? Buffer.alloc(0)])
      : found.length === 0
        ? []
        : [[found, await joined(found, pdfs)]]
  const printed = new Map<number, boolean>()
  for (const [of, pdf] of sheets) {
    const file = fileOf(of[0] ?? 0)
    if (file !== null) await writeOutputFile(ctx, file, pdf, { force })
    if (print === undefined) continue
    const taken = await printLabels(ctx, print, of, pdf)
    for (const id of of) printed.set(id, taken)
  }
  const records = ids.map((id): LabelShown => {
    const Bytes = pdfs.get(id)?.length ?? null
    return { OrderId: id, File: Bytes === null ? null : fileOf(id), Bytes, Printed: printed.get(id) ?? null }
  })
  const missing = records.filter(({ Bytes }) => Bytes === null).map(({ OrderId }) => OrderId)
  if (missing.length > 0) ctx.output.warn(`No label is booked for ${countOf(missing.length, 'order')}: ${missing.join(', ')}.`)
  const ready = records.filter(({ Bytes, Printed }) => Bytes !== null && Printed !== false).map(({ OrderId }) => OrderId)
  const marked = ready.length > 0 ? await askWhetherSent(ctx, ready, sent) : EXIT.ok
  return result(records, worseExitCode(ready.length === ids.length ? EXIT.ok : EXIT.someRowsFailed, marked))
}

/** @throws {SellerError} broken_label for what is no PDF from its begin to its end (ISO 32000-1, 7.5.2 and 7.5.5) */
function pdfOf(id: number, content = ''): Buffer {
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

/** On a terminal it is asked; elsewhere the command is shown. @returns the exit code of the marking @throws {SellerError} what stopped it */
async function askWhetherSent(ctx: Context, ids: readonly number[], sent: boolean | undefined): Promise<ExitCode> {
  if (sent === false) return EXIT.ok
  const message = `Mark ${countOf(ids.length, 'order')} as sent?`
  if (sent === true || (await saysYes(ctx, message))) {
    const { code, error } = await markOrders(ctx, ids, { sent: true, wait: false, timeout: 0 })
    if (error !== undefined) throw error
    return code
  }
  const named = ids.length <= 20 ? ids.join(' ') : '--file FILE'
  ctx.output.hint(`When they are sent: seller orders:mark ${named} --sent`)
  return EXIT.ok
}

async function saysYes({ prompts }: Context, message: string): Promise<boolean> {
  if (!prompts.available) return false
  const choices = ['no', 'yes'].map((value) => ({ name: value, value }))
  return (await prompts.fill([{ key: 'sent', flag: '--sent', message, kind: 'select', choices }])).sent === 'yes'
}

interface SlipFlags {
  readonly out: string
  readonly language: SlipLanguage
  readonly force: boolean
}

/** @throws {SellerError} usage for a file that exists; order_not_found; what the client throws */
export async function writeSlips(ctx: Context, ids: readonly number[], { out, language, force }: SlipFlags): Promise<void> {
  await checkOutputFile(ctx, out, { force })
  // As the service has them now: the list may be without the names and addresses.
  const named = await namedOrToSend(ctx, ids)
  if (named.length === 0) return ctx.output.note('No orders to send. Nothing was written.')
  const kept = await keptOrders(ctx)
  const found = await readByIds(ctx, kept, named)
  const missing = ordersNotFound(named, found)
  if (missing !== undefined) throw missing
  const orders = await withStates(ctx, kept, found, { offline: true })
  const { slipsPage } = await import('../../format/html/slips-page.js')
  const shop = found[0]?.Seller?.Alias ?? ctx.profile.name
  await writeOutputFile(ctx, out, slipsPage(orders, language, shop), { force })
  ctx.output.note(
    `The slips of ${countOf(orders.length, 'order')} are in ${out}. Open it in a browser and print it: one order to a sheet.`,
  )
}
