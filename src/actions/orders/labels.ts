/** orders:labels: the booked labels of orders, in one call, as files or to a command; then the question whether the orders are sent. */
import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../cli/errors.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { countOf, type LabelShown } from '../../format/views/index.js'
import { MINUTE_MS } from '../../system/durations.js'
import { runHandler } from '../transactions/handler.js'
import { listOrders } from './list.js'
import { markOrders } from './mark.js'

export interface LabelFlags {
  /** Where the files go. */
  readonly dir?: string
  /** A command that gets each PDF on its stdin. */
  readonly print?: string
  /** Mark the orders as sent, or do not ask. */
  readonly sent?: boolean
  readonly force: boolean
  readonly timeout?: number
}

const PRINT_TIMEOUT_MS = 5 * MINUTE_MS

/**
 * Fetches the labels of orders, by default of all that are to be sent.
 * @returns a record for each order, and the exit code: 5 where one has no label or was not printed
 * @throws {SellerError} usage for a file that exists; broken_label; what the client throws
 */
export async function fetchLabels(
  ctx: Context,
  asked: readonly number[],
  { dir, print, sent, force, timeout }: LabelFlags,
): Promise<{ records: LabelShown[]; code: ExitCode }> {
  const ids = asked.length > 0 ? asked : (await listOrders(ctx, { states: ['to-send'], timeout })).map(({ OrderId }) => OrderId)
  if (ids.length === 0) return { records: [], code: EXIT.ok }
  const place = print === undefined ? (dir ?? '.') : dir
  const fileOf = (id: number) => (place === undefined ? null : `${place}/label-${id}.pdf`)
  for (const id of ids) {
    const file = fileOf(id)
    if (file !== null) await checkOutputFile(ctx, file, { force })
  }
  const client = await ctx.client({ timeoutMs: timeout })
  const { FreightLabels } = await client.call('GetFreightLabels', { request: { OrderIds: ids } }, { signal: ctx.signal })
  const pdfs = new Map(FreightLabels.map(({ OrderId, FreightLabelContent }) => [OrderId, pdfOf(OrderId, FreightLabelContent)]))
  const records: LabelShown[] = []
  for (const id of ids) {
    const pdf = pdfs.get(id)
    const file = fileOf(id)
    if (pdf !== undefined && file !== null) await writeOutputFile(ctx, file, pdf, { force })
    const Printed = pdf !== undefined && print !== undefined ? await printLabel(ctx, print, id, pdf) : null
    records.push({ OrderId: id, File: pdf === undefined ? null : file, Bytes: pdf?.length ?? null, Printed })
  }
  const missing = records.filter(({ Bytes }) => Bytes === null).map(({ OrderId }) => OrderId)
  if (missing.length > 0) ctx.output.warn(`No label is booked for ${countOf(missing.length, 'order')}: ${missing.join(', ')}.`)
  const ready = records.filter(({ Bytes, Printed }) => Bytes !== null && Printed !== false).map(({ OrderId }) => OrderId)
  const marked = ready.length > 0 ? await askWhetherSent(ctx, ready, sent) : EXIT.ok
  return { records, code: worseExitCode(ready.length === ids.length ? EXIT.ok : EXIT.someRowsFailed, marked) }
}

/** @throws {SellerError} broken_label for what is no PDF */
function pdfOf(id: number, content = ''): Buffer {
  const pdf = Buffer.from(content, 'base64')
  if (pdf.subarray(0, 5).toString('latin1') === '%PDF-') return pdf
  throw new SellerError(
    'broken_label',
    `The label of order ${id} is no PDF (${pdf.length} bytes).`,
    'Nothing was marked. Try again later, or fetch the label from the website.',
    { orderId: id },
  )
}

async function printLabel(ctx: Context, command: string, id: number, pdf: Buffer): Promise<boolean> {
  const { code, how, said } = await runHandler(ctx, { command, timeoutMs: PRINT_TIMEOUT_MS, flag: '--print' }, pdf)
  if (code === 0) return true
  ctx.output.warn(`Order ${id}: the command of --print ${how}. ${said.trim()}`.trim())
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
  ctx.output.hint(`When they are sent: seller orders:mark ${named} --sent${ctx.profileFlag()}`)
  return EXIT.ok
}

async function saysYes({ prompts }: Context, message: string): Promise<boolean> {
  if (!prompts.available) return false
  const choices = ['no', 'yes'].map((value) => ({ name: value, value }))
  return (await prompts.fill([{ key: 'sent', flag: '--sent', message, kind: 'select', choices }])).sent === 'yes'
}
