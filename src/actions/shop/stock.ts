/** shop:stock: the numbers in stock of many shop items, planned against the live list and sent as a job. */
import type { Context } from '../../cli/context.js'
import { type ExitCode, SellerError } from '../../cli/errors.js'
import { type JobRunRecord, type StockPlanRowShown, stockPlanView } from '../../format/views/index.js'
import { itemsPerCall, stockJobRows } from '../../jobs/bulk/index.js'
import { planStock, planStockRule, type Selection, type StockPlan, type StockRule } from '../../pricing/index.js'
import { readStockRows, stockRowsFromArguments } from '../../rows/index.js'
import { openInputFile } from '../input/file.js'
import { type RowsShown, shownRows } from '../jobs/confirm.js'
import { refuseOverwriting } from '../jobs/files.js'
import { type StartFlags, startJob } from '../jobs/start.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { liveItems, SHOP_STOCK } from '../prices/live.js'
import { inShort, noteNothingChosen } from '../prices/plan.js'
import { refusing } from '../prices/refusal.js'
import { ListDoubt } from '../prices/seen.js'
import { showPlan } from '../prices/show.js'

export interface StockFlags extends StartFlags, GuardFlags {
  readonly file?: string
  readonly sheet?: string
  readonly all?: boolean
  readonly category?: number
  readonly reference?: string
  readonly set?: number
  readonly add?: number
  readonly 'dry-run'?: boolean
}

/**
 * Plans numbers in stock, and shows or sends the plan.
 * @param args `ID=NUMBER` or `REFERENCE=NUMBER`
 * @returns the result of the run; undefined for a dry run, whose plan is written
 * @throws {SellerError} usage: no input or several; validation for rows that are not allowed; what startJob throws
 */
export async function shopStock(
  ctx: Context,
  args: readonly string[],
  flags: StockFlags,
): Promise<{ record: JobRunRecord; code: ExitCode } | undefined> {
  const { file } = flags
  refuseOverwriting(ctx, file, { '--held-file': flags['held-file'], '--failed-file': flags['failed-file'] })
  const rule = ruleOf(flags)
  refuseSeveral(args, file, rule)
  ctx.ifInterrupted({ sent: 'Nothing was sent.' })
  const { plan, title, typed } = await plannedStock(ctx, args, flags, rule)
  const { form, summary } = plan
  if (flags['dry-run'] === true) {
    const rows = stockRows(plan, ctx.output.human)
    await showPlan(ctx, { view: stockPlanView, rows, summary, reasons: stockReasons(plan) })
    return undefined
  }
  return startJob(ctx, {
    kind: 'stock',
    title: inShort(`shop:stock ${title}`),
    form,
    rows: stockJobRows(plan),
    summary,
    calls: 1,
    verb: 'Set',
    noun: 'stock level',
    typed,
    shown: shownStock(plan),
    flags,
  })
}

interface Rule {
  readonly select: Selection
  readonly change: StockRule
  readonly words: string
}

async function plannedStock(ctx: Context, args: readonly string[], flags: StockFlags, rule: Rule | undefined) {
  const { file, sheet } = flags
  const perCall = itemsPerCall(await ctx.ledger(), ctx.profile.name)
  if (rule !== undefined) {
    const { select, change, words } = rule
    const list = 'category' in select ? { ...SHOP_STOCK, categoryId: select.category } : SHOP_STOCK
    const live = liveItems(ctx, await ctx.client(), list)
    const plan = await planStockRule(change, { live, select, perCall })
    if (plan.summary.Rows === 0) noteNothingChosen(ctx, select)
    return { plan, title: words, typed: false }
  }
  const input = await refusing(file === undefined ? { kind: 'arguments' } : { kind: 'file', path: file }, async () =>
    file === undefined ? stockRowsFromArguments(args) : readStockRows(await openInputFile(ctx, file), sheet),
  )
  for (const note of input.notes) ctx.output.note(note)
  const guards = guardsOf(flags, ctx.profile.settings)
  const doubt = new ListDoubt(flags)
  const live = liveItems(ctx, await ctx.client(), { ...SHOP_STOCK, absence: doubt, references: true })
  const plan = await planStock(input, live, { perCall, guards })
  doubt.settle(plan.summary.Unknown)
  return { plan, title: file === undefined ? args.join(' ') : `--file ${file}`, typed: file === undefined }
}

/** @throws {SellerError} usage if items are chosen without a number, or a number without items */
function ruleOf({ all, category, reference, set, add }: StockFlags): Rule | undefined {
  const select =
    all === true ? { all } : category !== undefined ? { category } : reference === undefined ? undefined : { reference }
  const change = set !== undefined ? { set } : add === undefined ? undefined : { add }
  if (select === undefined && change === undefined) return undefined
  if (select === undefined || change === undefined) {
    throw new SellerError(
      'rule_without_items',
      select === undefined ? 'A number is given, but no items are chosen.' : 'Items are chosen, but no number is given.',
      'Give --all, --category ID or --reference GLOB together with --set N or --add N.',
    )
  }
  const chosen =
    'all' in select ? '--all' : 'category' in select ? `--category ${select.category}` : `--reference ${select.reference}`
  return { select, change, words: `${chosen} ${'set' in change ? `--set ${change.set}` : `--add ${change.add}`}` }
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

/** The rows of a plan for the question. */
export function shownStock(plan: StockPlan): RowsShown {
  return shownRows(stockPlanView, stockRows(plan, true), plan.summary.Change)
}

/** The rows of a plan. A person does not need those that stay as they are. */
export function* stockRows({ entries }: StockPlan, human: boolean): Generator<StockPlanRowShown> {
  for (const { Outcome, ...entry } of entries) if (!human || Outcome !== 'unchanged') yield { ...entry, State: Outcome }
}

/** The rows of a plan that will not be sent. */
export function stockReasons({ entries, summary }: StockPlan): StockPlan['entries'] {
  // A reason that stops everything is reported once.
  const stopped = summary.Stopped?.Limit
  return entries.filter(
    ({ Outcome, Limit }) => Outcome === 'unknown' || (Outcome === 'held' && (Limit === null || Limit !== stopped)),
  )
}
