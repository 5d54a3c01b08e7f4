/** shop:discount: a discount with a start and an end, planned and guarded now, and sent by jobs:due when its time comes. */

import type { Context } from '../../cli/context.js'
import { endAt } from '../../cli/values.js'
import { instantOf, minuteOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, SellerError, worseExitCode } from '../../errors/index.js'
import { type Output, swedishTime } from '../../format/output/index.js'
import { type DiscountItemShown, discountItemsView } from '../../format/views/discounts.js'
import { planSummary } from '../../format/views/plans.js'
import { isHeldBy, storedHold } from '../../holds/index.js'
import { holdOf } from '../../jobs/bulk/index.js'
import { type DiscountMembers, discountName, discountsWithItems } from '../../jobs/discounts/index.js'
import { movesOfDiscount, type NewDiscountItem } from '../../jobs/index.js'
import { run, say } from '../../messages/index.js'
import { type ItemDiscount, type PlanEntry, type PriceRule, priceAt, type RowPlan } from '../../pricing/index.js'
import { isoOf } from '../../system/time.js'
import { confirmRows, showRows } from '../jobs/confirm.js'
import { warnStoppedPlan } from '../jobs/words.js'
import { shopOf } from '../own.js'
import { emptyPeriod } from '../period.js'
import { shownPrices } from '../prices/run.js'
import { givenPrices, type PlannedGiven, type PriceFlags } from '../prices/sources.js'
import type { RunRecord } from '../profiles/types.js'
import { type Result, type Shown, shownList } from '../result.js'
import { explained, explainedTotals } from '../rows/explained.js'
import { inShort, skippedCode } from '../rows/run-rows.js'
import { REASONS_ASKED, reasonsText, rowsToAsk } from '../rows/show.js'

export interface DiscountFlags extends PriceFlags {
  /** ISO 8601. */
  readonly from: string
  /** As readEnd gives it. */
  readonly until: string
  readonly yes?: boolean | undefined
  readonly strict?: boolean | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly 'held-by'?: readonly string[] | undefined
}

/** A start that lies this far back was typed a moment ago, ms. */
const JUST_NOW_MS = 60_000

interface Times {
  /** ms since 1970 */
  readonly starts: number
  readonly ends: number
}

/**
 * Plans a discount, and writes it into the ledger unless it is a dry run.
 * @returns every price before, during and after it; exit code 6 where rows are held, but for a dry run
 * @throws {SellerError} usage for times that cannot be; what the plan throws; guard (6) without a yes
 */
export async function createDiscount(ctx: Context, name: string, args: readonly string[], flags: DiscountFlags): Promise<Result> {
  if (name.trim() === '')
    throw new SellerError('wrong_usage', 'The name of the discount is empty.', 'Give one, e.g. "Black week".')
  const times = readTimes(ctx, flags)
  ctx.ifInterrupted({ sent: 'Nothing was sent, and no discount was made.' })
  const prices = givenPrices(ctx, args, flags)
  const plannedPrices = await prices.plan({ use: { command: `shop:discount "${name}"`, discount: true } })
  const isTyped = prices.input.origin.kind === 'arguments'
  const { plan } = plannedPrices
  const ledger = await ctx.ledger()
  const others = discountsWithItems(ledger, shopOf(ctx), { of: ['planned', 'running'], items: ['planned', 'on'] })
  const planList = shownDiscount(ctx, plannedPrices, times, { others, heldBy: flags['held-by'] })
  const summary = explainedTotals(ctx, plan.summary)
  const { Change, Held, Unknown, Stopped } = summary
  const dryRun = flags['dry-run'] === true
  const period = `from ${minuteOf(times.starts)} until ${minuteOf(times.ends)}`
  const facts = [`It runs ${period}.`]
  const question = {
    ...{ rows: Change, verb: 'Make a discount of', noun: 'price', yes: flags.yes, typed: isTyped, plan: summary, facts },
    // Those that are not sent are named below, with the other notes on the discount.
    shown: rowsToAsk({
      shown: { ...shownPrices(ctx, plan), rows: () => [...plan.entries('change')].map((entry) => explained(ctx, entry)) },
      summary,
      form: plan.form,
    }),
  }
  if (!dryRun) await showRows(ctx, question)
  ctx.output.note([planSummary(summary, ctx.output.unit, 'in the discount'), ...facts].join('\n'))
  warnStoppedPlan(ctx.output, Stopped, dryRun)
  planList.warn(!dryRun && ctx.prompts.available && flags.yes !== true ? REASONS_ASKED : undefined)
  const code = worseExitCode(Held > 0 ? EXIT.held : EXIT.ok, skippedCode(summary, flags.strict === true))
  const result = { plan: summary, waiting: true }
  if (dryRun || Change === 0) {
    const why = Change === 0 ? 'there is nothing to send' : 'it is a dry run'
    const emptyList = planList.list(null, (output) => output.note(`No discount was made: ${why}.`))
    return { ...result, shown: [emptyList], code: dryRun || Held + Unknown === 0 ? EXIT.ok : code }
  }
  await confirmRows(ctx, question)
  const DiscountId = ledger.store.transaction(() => {
    const discount = ledger.discounts.create({
      ...shopOf(ctx),
      name,
      title: inShort(plannedPrices.title),
      rule: ruleOf(plannedPrices),
      guards: { ...prices.guards, vat: flags.vat },
      startsAt: times.starts,
      endsAt: times.ends,
      items: discountItems(plan),
    })
    ctx.onMade?.(ledger, { discountId: discount.DiscountId })
    return discount.DiscountId
  })
  const list = planList.list(DiscountId, (output) => {
    output.note(`Discount ${DiscountId} "${name}" is planned ${period}: ${countOf(Change, 'price')}. Nothing was sent yet.`)
    output.hint(say`${run('jobs:due')} sends its start and its end. Let the system run it every minute: ${run('schedule:show')}`)
  })
  return { ...result, shown: [list], code, discountId: DiscountId }
}

/** Record of a run over several shops: a discount of the same name would be a second one. */
export function recordOfDiscount(
  name: string,
  prices: readonly string[],
  { again, 'dry-run': showOnly }: { readonly again?: boolean; readonly 'dry-run'?: boolean },
): RunRecord {
  const args = [name, ...prices]
  return { command: 'shop:discount', args, moves: movesOfDiscount(name), again: again === true, showOnly }
}

/**
 * Makes the discount that a run over several shops has left out. If its start is past, it begins late; nothing is made after its
 * end.
 */
export async function createLeftDiscount(
  ctx: Context,
  [name = '', ...prices]: readonly string[],
  flags: DiscountFlags,
): Promise<Result> {
  const now = ctx.clock.now()
  const ends = endAt(flags.until, instantOf(flags.from))
  if (ends > now) {
    const from = isoOf(Math.max(now, instantOf(flags.from)))
    return createDiscount(ctx, name, prices, { ...flags, from, until: isoOf(ends) })
  }
  ctx.output.warn(`The discount "${name}" is not made in ${ctx.profile.name}: its end is past.`)
  return { shown: [], code: EXIT.held }
}

/**
 * The rule that is applied again when the discount begins. A price that comes from a cost does not follow the normal price: it is
 * fixed.
 */
function ruleOf({ rule }: PlannedGiven): PriceRule | undefined {
  return rule?.byCost === undefined ? rule : undefined
}

/** @throws {SellerError} usage */
function readTimes(ctx: Context, { from, until }: DiscountFlags): Times {
  const [starts, now] = [instantOf(from), ctx.clock.now()]
  const ends = endAt(until, starts)
  // "now" of --until is read after that of --from.
  if (ends <= Math.max(starts, now)) throw emptyPeriod(starts, ends, ['--from', '--until'], 'Give a later --until.')
  if (starts < now - JUST_NOW_MS) {
    throw new SellerError('invalid_date', `--from: ${swedishTime(from)} is past.`, 'Give a time to come, or --from now.')
  }
  return { starts, ends }
}

function* discountItems(plan: RowPlan): Generator<NewDiscountItem> {
  for (const at of plan.indexes('change', 'held')) {
    const { Id, Line, OwnReference, Title, OldPrice, NewPrice, State, Hold } = plan.entry(at)
    const isHeld = State === 'held'
    yield {
      id: Id,
      line: Line,
      ownReference: OwnReference,
      title: Title,
      before: OldPrice,
      price: NewPrice,
      allow: plan.allow(at),
      state: isHeld ? 'held' : 'planned',
      hold: isHeld ? storedHold(holdOf({ Hold })) : null,
    }
  }
}

/**
 * The plan of a discount as its reader sees it.
 * @param others the discounts that items are in, or will be
 * @param heldBy codes: only rows that one of them holds
 */
function shownDiscount(
  ctx: Context,
  plannedPrices: PlannedGiven,
  { starts, ends }: Times,
  { others, heldBy }: { readonly others: readonly DiscountMembers[]; readonly heldBy: readonly string[] | undefined },
) {
  const { plan } = plannedPrices
  const rule = ruleOf(plannedPrices)
  const rowOf = (entry: PlanEntry): DiscountItemShown => {
    const { Line, Id, OwnReference, Title, OldPrice, NewPrice, State: state, Limit, Hold } = entry
    const State = state === 'change' ? 'planned' : state
    const base = explained(ctx, { Line, Id, OwnReference, Title, DiscountPrice: NewPrice, State, Limit, Hold })
    if (OldPrice === null) return { ...base, Before: null, During: NewPrice, After: null }
    const without = others.flatMap(({ discount, terms }): ItemDiscount[] => {
      const own = terms(Id)
      return own === undefined ? [] : [{ starts: discount.starts_at, ends: discount.ends_at, terms: own }]
    })
    const terms = rule === undefined ? { kronor: NewPrice } : { rule }
    const all = state === 'change' ? [...without, { starts, ends, terms }] : without
    return {
      ...base,
      Before: priceAt(OldPrice, without, starts - 1),
      During: priceAt(OldPrice, all, starts),
      After: priceAt(OldPrice, all, ends),
    }
  }
  const rows = function* (human: boolean) {
    for (const entry of human ? plan.entries('change', 'held', 'unknown') : plan.entries())
      if (isHeldBy(entry.Hold, heldBy)) yield rowOf(entry)
  }
  const unsent = function* () {
    for (const entry of plan.entries('held', 'unknown'))
      if (entry.Limit !== plan.summary.Stopped?.Limit) yield explained(ctx, entry)
  }
  return {
    /** The items: in JSON one document with the discount's id (null where none was made), its times and the sums. */
    list(DiscountId: number | null, below: (output: Output) => void): Shown {
      const record = {
        DiscountId,
        StartsAt: isoOf(starts),
        EndsAt: isoOf(ends),
        Summary: explainedTotals(ctx, plan.summary),
        NotRead: [],
      }
      return shownList({ view: { ...discountItemsView, within: { key: 'Rows', record } }, rows, below })
    },
    /** Reasons in full, and items that are in another discount at the same time. */
    warn(most?: number): void {
      const { output } = ctx
      const width = output.human ? output.width : undefined
      const reasons = reasonsText(unsent(), width, (count) => `${countOf(count, 'row')} not part of the discount:`, most)
      if (reasons !== '') output.warn(reasons)
      for (const { discount, terms } of others) {
        if (discount.starts_at >= ends || starts >= discount.ends_at) continue
        let items = 0
        for (const { Id } of plan.entries('change')) if (terms(Id) !== undefined) items++
        if (items === 0) continue
        output.note(
          `${countOf(items, 'item')} ${items === 1 ? 'is' : 'are'} in ${discountName(discount)} at the same time: the lowest price counts, each from the normal price.`,
        )
      }
    },
  }
}
