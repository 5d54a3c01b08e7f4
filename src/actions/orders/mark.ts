/** orders:mark: orders paid or sent, as a job of one row for each. */
import type { Context } from '../../cli/context.js'
import { countOf } from '../../contract/numbers.js'
import { someOf } from '../../contract/some-of.js'
import { SellerError } from '../../errors/index.js'
import { notRead } from '../../format/views/not-read.js'
import { type OrderPlanRowShown, ofOrder, orderPlanView } from '../../format/views/orders.js'
import type { KeptOrders } from '../../jobs/ledger/orders.js'
import { enterMarks } from '../../jobs/orders.js'
import { money, say } from '../../messages/index.js'
import { type InputOptions, idRowsFromArguments, type PriceRows, readIdRows, type Source } from '../../rows/index.js'
import type { Result } from '../result.js'
import { chooseInput, type FileFlags, type RowsInput, readRows } from '../rows/input.js'
import { plannedRows, type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'
import { keptOrders, withStates } from './kept.js'

/** Most orders of a warning that are named. */
const NAMED = 5

export interface MarkFlags extends RowsFlags, FileFlags {
  readonly paid?: boolean | undefined
  readonly sent?: boolean | undefined
  readonly file?: string | undefined
}

/**
 * Marks orders that are not marked so already, as far as the ledger knows; of the others nothing is sent.
 * @returns as runRows
 * @throws {SellerError} usage; validation for the file; what runRows throws
 */
export async function markOrders(ctx: Context, ids: readonly number[], flags: MarkFlags): Promise<Result> {
  if (flags.paid !== true && flags.sent !== true)
    throw new SellerError('nothing_to_do', 'Nothing to mark: no mark was given.', 'Give --paid, --sent or both.')
  const hint = 'Give the ids of orders, or --file FILE.'
  const input = chooseInput(ids, flags, {
    what: 'orders',
    nothing: { code: 'missing_argument', message: 'Missing argument: ORDER.', hint },
  })
  const storedOrders = await keptOrders(ctx)
  // Ids that were typed are enough.
  const sure = { ...flags, yes: flags.yes === true || input.origin.kind === 'arguments' }
  const read = (pieces: Source, options: InputOptions) => readIdRows(pieces, options, 'orders')
  const plan = async () =>
    markPlan(ctx, storedOrders, flags, {
      input,
      rows: await readRows(ctx, input, read, () => idRowsFromArguments(ids, 'OrderId')),
    })
  return runRows(ctx, { flags: sure, input, plan }).finally(async () =>
    enterMarks(await ctx.ledger(), storedOrders, ctx.profile.name),
  )
}

async function markPlan(
  ctx: Context,
  storedOrders: KeptOrders,
  { paid = false, sent = false }: MarkFlags,
  { input, rows }: { readonly input: RowsInput; readonly rows: PriceRows },
): Promise<RowsPlan<OrderPlanRowShown>> {
  const ids = Array.from(rows, ({ id }) => id)
  const knownOrders = new Map(
    (await withStates(ctx, storedOrders, storedOrders.list({ ids }), { offline: true })).map((one) => [one.OrderId, one]),
  )
  const marks = storedOrders.marks()
  const plannedMarks = ids.map((id, at) => {
    const order = knownOrders.get(id)
    const mark = marks.get(id)
    const isPaid = mark?.paid === true || order?.State === 'to-send' || order?.PaidBy === 'payment'
    const [Paid, Sent] = [paid && !isPaid, sent && mark?.sent !== true && order?.State !== 'sent']
    const State = Paid || Sent ? ('change' as const) : ('unchanged' as const)
    const row = ofOrder(order, { Line: rows.at(at).line, OrderId: id, Paid: Paid || null, Sent: Sent || null, State })
    return { shown: row, sent: { id, title: row.Buyer, payload: { Paid, Sent } } }
  })
  const { parts, summary, shownRows } = plannedRows<OrderPlanRowShown>(ctx, 'order', plannedMarks)
  const unpaid = plannedMarks.flatMap(({ shown }) => {
    const order = knownOrders.get(shown.OrderId)
    return shown.Sent === true && !paid && order?.State === 'unpaid' ? [order] : []
  })
  const what = [...(paid ? ['--paid'] : []), ...(sent ? ['--sent'] : [])].join(' ')
  return {
    notRead: ids.every((id) => knownOrders.has(id)) ? [] : [notRead('orders', 'not_kept')],
    ...{ title: `orders:mark ${what} ${input.words}`, form: rows.form, parts, calls: 0 },
    summary: { ...summary, Calls: plannedMarks.reduce((sum, { shown }) => sum + Number(shown.Paid) + Number(shown.Sent), 0) },
    ...{ verb: 'Mark', noun: 'order', toDo: 'to mark' },
    shown: {
      view: orderPlanView,
      rows: () => shownRows,
      also: () => {
        if (unpaid.length === 0) return
        const ids = unpaid.map(({ OrderId }) => OrderId)
        const missing = unpaid.reduce((sum, { Missing }) => sum + Missing, 0)
        const areUnpaid = `${countOf(ids.length, 'order')} to mark as sent ${ids.length === 1 ? 'is' : 'are'} not paid`
        ctx.output.warn(say`${areUnpaid}: ${someOf(ids, NAMED)}. ${money(missing)} is missing.`)
      },
    },
  }
}
