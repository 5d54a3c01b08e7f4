/** shop:stock: the numbers in stock of many shop items, planned against the live list and sent as a job. */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { type StockPlanRowShown, stockPlanView } from '../../format/views/index.js'
import { itemsPerCall, stockJobRows } from '../../jobs/bulk/index.js'
import { planStock, planStockRule, type StockPlan, type StockRule } from '../../pricing/index.js'
import { readStockRows, stockRowsFromArguments } from '../../rows/index.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { liveItems, SHOP_STOCK } from '../prices/live.js'
import { inShort } from '../prices/plan.js'
import { ListDoubt } from '../prices/seen.js'
import { type Chosen, refuseNothingChosen, type SelectFlags, selected, selectionOf, selectionWords } from '../prices/selection.js'
import type { Result } from '../result.js'
import { rowsOfInput } from '../rows/read.js'
import { type PlannedKind, type RowsFlags, runRows } from '../rows/run-rows.js'

export interface StockFlags extends RowsFlags, GuardFlags, SelectFlags {
  readonly file?: string
  readonly sheet?: string
  readonly set?: number
  readonly add?: number
}

/**
 * Plans numbers in stock, and shows or sends the plan.
 * @param args `ID=NUMBER` or `REFERENCE=NUMBER`
 * @returns as runRows
 * @throws {SellerError} usage: no input or several; validation for rows that are not allowed; what runRows throws
 */
export function shopStock(ctx: Context, args: readonly string[], flags: StockFlags): Promise<Result> {
  const rule = ruleOf(flags)
  refuseSeveral(args, flags.file, rule)
  return runRows(ctx, {
    flags,
    input: flags.file,
    plan: async () => {
      const { plan, title, typed } = await plannedStock(ctx, args, flags, rule)
      return { ...stockToSend(plan), title: inShort(`shop:stock ${title}`), calls: 1, verb: 'Set', typed }
    },
  })
}

/** Numbers in stock as a job takes them. */
export function stockToSend(plan: StockPlan): PlannedKind<StockPlanRowShown> {
  const { form, summary } = plan
  return {
    parts: [{ kind: 'stock', rows: stockJobRows(plan) }],
    form,
    summary,
    noun: 'stock level',
    // A person does not need rows that stay as they are.
    shown: { view: stockPlanView, rows: (human) => plan.entries.filter(({ State }) => !human || State !== 'unchanged') },
  }
}

interface Rule {
  readonly select: Chosen
  readonly change: StockRule
  readonly words: string
}

async function plannedStock(ctx: Context, args: readonly string[], flags: StockFlags, rule: Rule | undefined) {
  const { file } = flags
  const perCall = itemsPerCall(await ctx.ledger(), ctx.profile.name)
  if (rule !== undefined) {
    const { change, words } = rule
    const client = await ctx.client()
    const select = await selected(ctx, rule.select)
    const list = 'category' in select ? { ...SHOP_STOCK, categoryId: select.category } : SHOP_STOCK
    const live = liveItems(ctx, client, list)
    const plan = await planStockRule(change, { live, select, perCall })
    if (plan.summary.Rows === 0) refuseNothingChosen(select)
    return { plan, title: words, typed: false }
  }
  const input = await rowsOfInput(ctx, flags, readStockRows, () => stockRowsFromArguments(args))
  const guards = guardsOf(flags, ctx.profile.settings)
  const doubt = new ListDoubt(flags)
  const live = liveItems(ctx, await ctx.client(), { ...SHOP_STOCK, absence: doubt, references: true })
  const plan = await planStock(input, live, { perCall, guards })
  doubt.refuseMissing(plan.summary.Unknown)
  return { plan, title: file === undefined ? args.join(' ') : `--file ${file}`, typed: file === undefined }
}

/** @throws {SellerError} usage if items are chosen without a number, or a number without items */
function ruleOf({ set, add, ...flags }: StockFlags): Rule | undefined {
  const select = selectionOf(flags)
  const change = set !== undefined ? { set } : add === undefined ? undefined : { add }
  if (select === undefined && change === undefined) return undefined
  if (select === undefined || change === undefined) {
    throw new SellerError(
      'rule_without_items',
      select === undefined ? 'A number is given, but no items are chosen.' : 'Items are chosen, but no number is given.',
      'Give --all, --category ID or --reference GLOB together with --set N or --add N.',
    )
  }
  return { select, change, words: `${selectionWords(select)} ${'set' in change ? `--set ${change.set}` : `--add ${change.add}`}` }
}

function refuseSeveral(args: readonly string[], file: string | undefined, rule: Rule | undefined): void {
  const inputs = [
    args.length > 0 ? 'arguments' : '',
    file === undefined ? '' : '--file',
    rule === undefined ? '' : 'a rule',
  ].filter((input) => input !== '')
  if (inputs.length > 1)
    throw new SellerError('several_inputs', `Numbers come from ${inputs.join(' and from ')} at once.`, 'Give one of them.')
  if (inputs.length === 0) {
    const hint = 'Give ID=NUMBER, --file FILE, or a rule such as --all --set 0. See --help.'
    throw new SellerError('nothing_to_do', 'No numbers in stock are given.', hint)
  }
}
