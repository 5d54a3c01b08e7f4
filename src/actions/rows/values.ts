/** Commands that set one number of many shop items, by rows or by a rule: planned against the live list and sent as a job. */

import type { Context } from '../../cli/context.js'
import { BULK_KINDS, valueSetOf } from '../../contract/jobs.js'
import { SellerError } from '../../errors/index.js'
import { thousands } from '../../format/output/index.js'
import { fromTo, type ValuePlanRowShown, valuePlanView } from '../../format/views/plans.js'
import { type BulkKind, itemsPerCall, valueJobRows } from '../../jobs/bulk/index.js'
import { numbersBeforeSales } from '../../jobs/history/index.js'
import type { Words } from '../../messages/index.js'
import {
  type Guards,
  planValueRule,
  planValues,
  type ValuePlan,
  type ValuePlanOptions,
  type ValueRule,
} from '../../pricing/index.js'
import { type InputOptions, type RowValue, readValueRows, type Source, valueRowsFromArguments } from '../../rows/index.js'
import { shopOf } from '../own.js'
import { type GuardFlags, readGuards } from '../prices/guards.js'
import { liveItems, liveItemsFor, SHOP } from '../prices/live.js'
import { ListDoubt } from '../prices/seen.js'
import {
  CHOICES_HINT,
  type Chosen,
  listedFor,
  readSelection,
  refuseNothingChosen,
  type SelectFlags,
  selected,
  selectionWords,
} from '../prices/selection.js'
import type { Result } from '../result.js'
import { explained, explainedTotals } from './explained.js'
import { chooseInput, type FileFlags, type RowsInput, readRows } from './input.js'
import { type RowsFlags, runRows } from './run-rows.js'
import { largestFirst, type PlannedKind } from './show.js'

export interface ValueFlags extends RowsFlags, GuardFlags, SelectFlags, FileFlags {
  readonly file?: string | undefined
  readonly set?: number | undefined
  readonly add?: number | undefined
}

/** Parts that differ between commands that set a number. */
interface ValueCommand {
  readonly command: string
  readonly kind: BulkKind
  readonly value: RowValue
  /** Noun in a sentence about many: "numbers in stock". */
  readonly what: string
  /** Advice for when nothing is given. */
  readonly hint: Words
  /** True if numbers from before a sale are held. */
  readonly fromSales?: boolean
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
  const rule = valueRule(flags)
  const nothing = { code: 'nothing_to_do', message: `No ${what} are given.`, hint } as const
  const input = chooseInput(args, flags, { what, nothing, others: rule === undefined ? [] : ['a rule'] })
  return runRows(ctx, {
    flags,
    input,
    plan: async () => {
      const { plan, calls } =
        rule === undefined ? await planOfRows(ctx, args, flags, own, input) : await planOfRule(ctx, own, rule)
      const words = rule === undefined ? input.words : `${selectionWords(rule.select)} ${rule.words}`
      return { ...valuesToSend(ctx, kind, plan), title: `${command} ${words}`, calls, verb: 'Set' }
    },
  })
}

/** Numbers as a job takes them. */
export function valuesToSend(ctx: Context, kind: BulkKind, plan: ValuePlan): PlannedKind<ValuePlanRowShown> {
  const { form, summary, entries } = plan
  const set = valueSetOf(kind)
  const { name, noun } = set
  const shownEntry = ({ Old, Value, State, Limit, Hold, ...item }: ValueEntry) =>
    explained(ctx, { ...item, [`Old${name}`]: Old, [name]: Value, State, Limit, Hold })
  return {
    parts: [{ kind, rows: valueJobRows(set, plan) }],
    form,
    summary: explainedTotals(ctx, summary),
    noun,
    shown: {
      view: valuePlanView(name),
      // A person does not need rows that stay as they are.
      rows: (human) => entries.filter(({ State }) => !human || State !== 'unchanged').map(shownEntry),
      largest: () => largestFirst(entries, moveOf).map(shownEntry),
      // The sum of a rate says nothing.
      facts: () => (name === 'Quantity' ? [`In stock: ${stockWords(entries)}.`] : []),
    },
  }
}

type ValueEntry = ValuePlan['entries'][number]

/** The size of a change; greatest where the number of before is not known. */
const moveOf = ({ Old, Value }: ValueEntry): number => (Old === null ? Number.POSITIVE_INFINITY : Math.abs(Value - Old))

/** `120 to 90 (-25 %)`: the numbers before and after, of what is sent and whose number of before is known. */
export function stockWords(entries: readonly ValueEntry[]): string {
  const changes = entries.filter(({ State, Old }) => State === 'change' && Old !== null)
  const [old, now] = [changes.reduce((sum, { Old }) => sum + (Old ?? 0), 0), changes.reduce((sum, { Value }) => sum + Value, 0)]
  return fromTo(old, now, thousands)
}

interface Planned {
  readonly plan: ValuePlan
  /** Calls made for it. */
  readonly calls: number
}

async function planOfRows(
  ctx: Context,
  args: readonly string[],
  flags: ValueFlags,
  { kind, value, judge, fromSales = false }: ValueCommand,
  input: RowsInput,
): Promise<Planned> {
  const read = (pieces: Source, options: InputOptions) => readValueRows(value, pieces, options)
  const rows = await readRows(ctx, input, read, () => valueRowsFromArguments(value, args))
  const guards = readGuards(flags, ctx.profile.settings)
  const doubt = new ListDoubt(flags)
  const filter = { ...SHOP, also: [valueSetOf(kind).live], absence: doubt, references: true } as const
  const { rows: each, numbered = false } = rows
  const { items, calls } = await liveItemsFor(ctx, await ctx.client(), filter, numbered ? undefined : each)
  const perCall = await rowsPerCall(ctx, kind)
  const plan = await planValues(valueSetOf(kind), rows, items, {
    perCall,
    judge: judge?.(guards),
    sold: fromSales ? await soldNumbers(ctx) : undefined,
  })
  doubt.refuseMissing(plan.summary.Unknown)
  return { plan, calls }
}

/** Makes what tells the numbers in stock that fell by sales, as the ledger knows them once the live list was read. */
export async function soldNumbers(ctx: Context): Promise<NonNullable<ValuePlanOptions['sold']>> {
  const ledger = await ctx.ledger()
  const { profile, userId } = shopOf(ctx)
  return () => (userId === null ? undefined : numbersBeforeSales(ledger, { profile, userId }))
}

async function rowsPerCall(ctx: Context, kind: BulkKind): Promise<number> {
  return BULK_KINDS[kind].many === true ? itemsPerCall(await ctx.ledger(), ctx.profile.name) : 1
}

interface Rule {
  readonly select: Chosen
  readonly change: ValueRule
  readonly words: string
}

async function planOfRule(ctx: Context, { kind }: ValueCommand, { select: chosen, change }: Rule): Promise<Planned> {
  const client = await ctx.client()
  const select = await selected(ctx, chosen)
  const list = { ...SHOP, also: [valueSetOf(kind).live], ...listedFor(select) }
  const perCall = await rowsPerCall(ctx, kind)
  const plan = await planValueRule(valueSetOf(kind), change, { live: liveItems(ctx, client, list), select, perCall })
  if (plan.summary.Rows === 0) refuseNothingChosen(select)
  return { plan, calls: 1 }
}

/** @throws {SellerError} usage if items are chosen without a number, or a number without items */
function valueRule({ set, add, ...flags }: ValueFlags): Rule | undefined {
  const select = readSelection(flags)
  const change = set !== undefined ? { set } : add === undefined ? undefined : { add }
  if (select === undefined && change === undefined) return undefined
  if (select === undefined || change === undefined) {
    throw new SellerError(
      'rule_without_items',
      select === undefined ? 'A number is given, but no items are chosen.' : 'Items are chosen, but no number is given.',
      `Give ${CHOICES_HINT} together with --set N or --add N.`,
    )
  }
  return { select, change, words: 'set' in change ? `--set ${change.set}` : `--add ${change.add}` }
}
