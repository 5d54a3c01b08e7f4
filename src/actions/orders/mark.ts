/** orders:mark: orders paid or sent, as a job of one row for each. */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { type OrderPlanRowShown, orderPlanRow, orderPlanView } from '../../format/views/index.js'
import type { KeptOrders } from '../../jobs/ledger/orders.js'
import { enterMarks } from '../../jobs/orders.js'
import { type InputForm, readIdRows } from '../../rows/index.js'
import { inShort } from '../prices/plan.js'
import type { Result } from '../result.js'
import { plannedRows } from '../rows/planned.js'
import { rowsOfFile } from '../rows/read.js'
import { type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'
import { keptOrders, withStates } from './kept.js'

export interface MarkFlags extends RowsFlags {
  readonly paid?: boolean
  readonly sent?: boolean
  readonly file?: string
  readonly sheet?: string
}

interface Named {
  readonly form: InputForm
  readonly orders: readonly { readonly line: number; readonly id: number }[]
}

/**
 * Marks orders that are not marked so already, as far as the ledger knows; of the others nothing is sent.
 * @returns as runRows
 * @throws {SellerError} usage; validation for the file; what runRows throws
 */
export async function markOrders(ctx: Context, ids: readonly number[], flags: MarkFlags): Promise<Result> {
  const { file } = flags
  if (flags.paid !== true && flags.sent !== true)
    throw new SellerError('nothing_to_do', 'Nothing is to be marked.', 'Give --paid, --sent or both.')
  const kept = await keptOrders(ctx)
  // Ids that were typed are enough.
  const sure = { ...flags, yes: flags.yes === true || file === undefined }
  const plan = async () => markPlan(ctx, kept, await named(ctx, ids, flags), flags)
  return runRows(ctx, { flags: sure, input: file, plan }).finally(async () =>
    enterMarks(await ctx.ledger(), kept, ctx.profile.name),
  )
}

async function markPlan(
  ctx: Context,
  kept: KeptOrders,
  { form, orders }: Named,
  { paid = false, sent = false, file }: MarkFlags,
): Promise<RowsPlan<OrderPlanRowShown>> {
  const ids = orders.map(({ id }) => id)
  const known = new Map((await withStates(ctx, kept, kept.list({ ids }), { offline: true })).map((one) => [one.OrderId, one]))
  const marks = kept.marks()
  const rows = orders.map(({ line, id }): OrderPlanRowShown => {
    const order = known.get(id)
    const mark = marks.get(id)
    const isPaid = mark?.paid === true || order?.State === 'to-send' || (order?.SellerOrderPayments.length ?? 0) > 0
    const [Paid, Sent] = [paid && !isPaid, sent && mark?.sent !== true && order?.State !== 'sent']
    return orderPlanRow(order, { Line: line, OrderId: id, Paid, Sent, State: Paid || Sent ? 'change' : 'unchanged' })
  })
  const what = [...(paid ? ['--paid'] : []), ...(sent ? ['--sent'] : [])].join(' ')
  const planned = rows.map((shown) => {
    const { OrderId: id, Buyer: title, Paid, Sent } = shown
    return { shown, sent: { id, title, payload: { Paid, Sent } } }
  })
  const { parts, summary } = plannedRows('order', planned)
  return {
    title: inShort(`orders:mark ${what} ${file === undefined ? ids.join(' ') : `--file ${file}`}`),
    form,
    parts,
    summary: { ...summary, Calls: rows.reduce((sum, { Paid, Sent }) => sum + Number(Paid) + Number(Sent), 0) },
    calls: 0,
    verb: 'Mark',
    noun: 'order',
    toDo: 'to mark',
    shown: { view: orderPlanView, rows: () => rows },
  }
}

/** The orders of the arguments or of a file. @throws {SellerError} usage, validation */
async function named(ctx: Context, ids: readonly number[], { file, sheet }: MarkFlags): Promise<Named> {
  if (file === undefined && ids.length === 0) {
    throw new SellerError('missing_argument', 'Missing argument: ORDER.', 'Give the ids of orders, or --file FILE.')
  }
  if (file === undefined) {
    const orders = [...new Set(ids)].map((id, index) => ({ line: index + 1, id }))
    return { form: { kind: 'arguments', columns: ['OrderId'] }, orders }
  }
  if (ids.length > 0) throw new SellerError('several_inputs', 'Both ids and --file are given.', 'Give either ids or --file.')
  const rows = await rowsOfFile(ctx, { file, sheet }, (pieces, of) => readIdRows(pieces, of, 'orders'))
  const orders = Array.from({ length: rows.length }, (_, at) => ({ line: rows.line(at), id: rows.id(at) }))
  return { form: rows.form, orders }
}
