/** Commands that set one number of many shop items, by rows or by a rule: planned against the live list and sent as a job. */
import type { Context } from '../../cli/context.js'
import { BULK_KINDS, valueSetOf } from '../../contract/jobs.js'
import { SellerError } from '../../errors/index.js'
import { type ValuePlanRowShown, valuePlanView } from '../../format/views/index.js'
import { type BulkKind, itemsPerCall, valueJobRows } from '../../jobs/bulk/index.js'
import {
  type Guards,
  planValueRule,
  planValues,
  type ValuePlan,
  type ValuePlanOptions,
  type ValueRule,
} from '../../pricing/index.js'
import { type RowValue, readValueRows, type Source, valueRowsFromArguments } from '../../rows/index.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { liveItems, SHOP } from '../prices/live.js'
import { ListDoubt } from '../prices/seen.js'
import { type Chosen, refuseNothingChosen, type SelectFlags, selected, selectionOf, selectionWords } from '../prices/selection.js'
import type { Result } from '../result.js'
import { inputOf, type RowsInput, rowsOf } from './input.js'
import { type RowsFlags, runRows } from './run-rows.js'
import type { PlannedKind } from './show.js'

export interface ValueFlags extends RowsFlags, GuardFlags, SelectFlags {
  readonly file?: string
  readonly sheet?: string
  readonly set?: number
  readonly add?: number
}

/** What a command that sets a number has of its own. */
interface ValueCommand {
  readonly command: string
  readonly kind: BulkKind
  readonly value: RowValue
  /** What it sets, in a sentence about many: "numbers in stock". */
  readonly what: string
  /** What to give where nothing is given. */
  readonly hint: string
  /** The guards over all rows. */
  readonly judge?: (guards: Guards) => ValuePlanOptions['judge']
}

/**
 * Plans the numbers, and shows or sends the plan.
 * @param args `ID=NUMBER` or `REFERENCE=NUMBER`
 * @returns as runRows
 * @throws {SellerError} usage: no input or several; validation for rows that are not allowed; what runRows throws
 */
export function setValues(ctx: Context, args: readonly string[], flags: ValueFlags, own: ValueCommand): Promise<Result> {
  const { command, kind, what, hint } = own
  const rule = ruleOf(flags)
  const nothing = { code: 'nothing_to_do', message: `No ${what} are given.`, hint } as const
  const input = inputOf(args, flags, { what, nothing, others: rule === undefined ? [] : ['a rule'] })
  return runRows(ctx, {
    flags,
    input,
    plan: async () => {
      const plan = rule === undefined ? await planOfRows(ctx, args, flags, own, input) : await planOfRule(ctx, own, rule)
      const words = rule === undefined ? input.words : `${selectionWords(rule.select)} ${rule.words}`
      return { ...valuesToSend(kind, plan), title: `${command} ${words}`, calls: 1, verb: 'Set' }
    },
  })
}

/** Numbers as a job takes them. */
export function valuesToSend(kind: BulkKind, plan: ValuePlan): PlannedKind<ValuePlanRowShown> {
  const { form, summary, entries } = plan
  const set = valueSetOf(kind)
  const { name, noun } = set
  return {
    parts: [{ kind, rows: valueJobRows(set, plan) }],
    form,
    summary,
    noun,
    shown: {
      view: valuePlanView(name),
      // A person does not need rows that stay as they are.
      rows: (human) =>
        entries
          .filter(({ State }) => !human || State !== 'unchanged')
          .map(({ Old, Value, State, Limit, Reason, ...item }) => {
            return { ...item, [`Old${name}`]: Old, [name]: Value, State, Limit, Reason }
          }),
    },
  }
}

async function planOfRows(
  ctx: Context,
  args: readonly string[],
  flags: ValueFlags,
  { kind, value, judge }: ValueCommand,
  input: RowsInput,
): Promise<ValuePlan> {
  const read = (pieces: Source, sheet?: string) => readValueRows(value, pieces, sheet)
  const rows = await rowsOf(ctx, input, read, () => valueRowsFromArguments(value, args))
  const guards = guardsOf(flags, ctx.profile.settings)
  const doubt = new ListDoubt(flags)
  const live = liveItems(ctx, await ctx.client(), { ...SHOP, also: [valueSetOf(kind).live], absence: doubt, references: true })
  const perCall = await rowsPerCall(ctx, kind)
  const plan = await planValues(valueSetOf(kind), rows, live, { perCall, judge: judge?.(guards) })
  doubt.refuseMissing(plan.summary.Unknown)
  return plan
}

async function rowsPerCall(ctx: Context, kind: BulkKind): Promise<number> {
  return BULK_KINDS[kind].many === true ? itemsPerCall(await ctx.ledger(), ctx.profile.name) : 1
}

interface Rule {
  readonly select: Chosen
  readonly change: ValueRule
  readonly words: string
}

async function planOfRule(ctx: Context, { kind }: ValueCommand, { select: chosen, change }: Rule): Promise<ValuePlan> {
  const client = await ctx.client()
  const select = await selected(ctx, chosen)
  const list = { ...SHOP, also: [valueSetOf(kind).live], ...('category' in select ? { categoryId: select.category } : {}) }
  const perCall = await rowsPerCall(ctx, kind)
  const plan = await planValueRule(valueSetOf(kind), change, { live: liveItems(ctx, client, list), select, perCall })
  if (plan.summary.Rows === 0) refuseNothingChosen(select)
  return plan
}

/** @throws {SellerError} usage if items are chosen without a number, or a number without items */
function ruleOf({ set, add, ...flags }: ValueFlags): Rule | undefined {
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
  return { select, change, words: 'set' in change ? `--set ${change.set}` : `--add ${change.add}` }
}
