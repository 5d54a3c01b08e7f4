/** shop:discount: a discount with a start and an end, planned and guarded now, and sent by jobs:due when its time comes. */

import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import { EXIT, SellerError, worseExitCode } from '../../errors/index.js'
import { type Output, swedishTime } from '../../format/output/index.js'
import { countOf, type DiscountItemShown, discountItemsView, planSummary } from '../../format/views/index.js'
import { type DiscountMembers, discountName, discountsWithItems } from '../../jobs/discounts/index.js'
import { movesOfDiscount, type NewDiscountItem } from '../../jobs/index.js'
import { type ItemDiscount, type PlanEntry, type PriceRule, priceAt, type RowPlan } from '../../pricing/index.js'
import { isoOf } from '../../system/time.js'
import { confirmRows } from '../jobs/confirm.js'
import { warnStoppedPlan } from '../jobs/words.js'
import { shopOf } from '../own.js'
import { emptyPeriod } from '../period.js'
import { shownPrices } from '../prices/run.js'
import { givenPrices, type PlannedGiven, type PriceFlags } from '../prices/sources.js'
import type { RunRecord } from '../profiles/types.js'
import { type Result, type Shown, shownList } from '../result.js'
import { inShort, skippedCode } from '../rows/run-rows.js'
import { firstRows, reasonsText } from '../rows/show.js'

export interface DiscountFlags extends PriceFlags {
  /** ISO 8601. */
  readonly from: string
  readonly until: string
  readonly yes?: boolean
  readonly strict?: boolean
  readonly 'dry-run'?: boolean
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
 * @returns every price before, during and after it; exit code 6 where rows are held
 * @throws {SellerError} usage for times that cannot be; what the plan throws; guard (6) without a yes
 */
export async function createDiscount(ctx: Context, name: string, args: readonly string[], flags: DiscountFlags): Promise<Result> {
  if (name.trim() === '')
    throw new SellerError('wrong_usage', 'The name of the discount is empty.', 'Give one, e.g. "Black week".')
  const times = timesOf(ctx, flags)
  ctx.ifInterrupted({ sent: 'Nothing was sent, and no discount was made.' })
  const prices = givenPrices(ctx, args, flags)
  const planned = await prices.plan({ use: { command: `shop:discount "${name}"`, discount: true } })
  const typed = prices.input.origin.kind === 'arguments'
  const { plan } = planned
  const ledger = await ctx.ledger()
  const others = discountsWithItems(ledger, shopOf(ctx), { of: ['planned', 'running'], items: ['planned', 'on'] })
  const shown = shownDiscount(planned, times, others)
  const { Change, Held, Unknown, Stopped } = plan.summary
  ctx.output.note(planSummary(plan.summary, 'in the discount'))
  warnStoppedPlan(ctx.output, Stopped)
  shown.warn(ctx)
  const code = worseExitCode(Held > 0 ? EXIT.held : EXIT.ok, skippedCode(plan.summary, flags.strict === true))
  const result = { plan: plan.summary, waiting: true }
  if (flags['dry-run'] === true || Change === 0) {
    const why = Change === 0 ? 'there is nothing to send' : 'it is a dry run'
    const made = shown.list(null, (output) => output.note(`No discount was made: ${why}.`))
    return { ...result, shown: [made], code: Change === 0 && Held + Unknown === 0 ? EXIT.ok : code }
  }
  await confirmRows(ctx, {
    ...{ rows: Change, verb: 'Make a discount of', noun: 'price', yes: flags.yes, typed, plan: plan.summary },
    shown: firstRows({ shown: shownPrices(plan), summary: plan.summary }),
  })
  const DiscountId = ledger.store.transaction(() => {
    const made = ledger.discounts.create({
      ...shopOf(ctx),
      name,
      title: inShort(planned.title),
      rule: ruleOf(planned),
      guards: { ...prices.guards, vat: flags.vat },
      startsAt: times.starts,
      endsAt: times.ends,
      items: discountItemsOf(plan),
    })
    ctx.onMade?.(ledger, { discountId: made.DiscountId })
    return made.DiscountId
  })
  const list = shown.list(DiscountId, (output) => {
    output.note(`Discount ${DiscountId} "${name}" is planned: ${countOf(Change, 'price')}. Nothing was sent yet.`)
    output.hint('seller jobs:due sends its start and its end. Let the system run it every minute: seller schedule:show cron')
  })
  return { ...result, shown: [list], code, discountId: DiscountId }
}

/** What is recorded of a run over several shops: a discount of the same name would be a second one. */
export function recordOfDiscount(name: string, prices: readonly string[], { again }: { readonly again?: boolean }): RunRecord {
  return { command: 'shop:discount', args: [name, ...prices], moves: movesOfDiscount(name), again: again === true }
}

/** Makes the discount that a run over several shops has left out. If its start is past, it begins late; nothing is made after its end. */
export async function createLeftDiscount(
  ctx: Context,
  [name = '', ...prices]: readonly string[],
  flags: DiscountFlags,
): Promise<Result> {
  const now = ctx.clock.now()
  if (instantOf(flags.until) > now)
    return createDiscount(ctx, name, prices, { ...flags, from: isoOf(Math.max(now, instantOf(flags.from))) })
  ctx.output.warn(`The discount "${name}" is not made in ${ctx.profile.name}: its end is past.`)
  return { shown: [], code: EXIT.held }
}

/** The rule that is applied again when the discount begins. A price that comes from a cost does not follow the normal price: it is fixed. */
function ruleOf({ rule }: PlannedGiven): PriceRule | undefined {
  return rule?.byCost === undefined ? rule : undefined
}

/** @throws {SellerError} usage */
function timesOf(ctx: Context, { from, until }: DiscountFlags): Times {
  const [starts, ends, now] = [instantOf(from), instantOf(until), ctx.clock.now()]
  // "now" of --until is read after that of --from.
  if (ends <= Math.max(starts, now)) throw emptyPeriod(starts, ends, ['--from', '--until'], 'Give a later --until.')
  if (starts < now - JUST_NOW_MS) {
    throw new SellerError('invalid_date', `--from: ${swedishTime(from)} is past.`, 'Give a time to come, or --from now.')
  }
  return { starts, ends }
}

function* discountItemsOf(plan: RowPlan): Generator<NewDiscountItem> {
  for (const at of plan.indexes('change', 'held')) {
    const { Id, Line, OwnReference, Title, OldPrice, NewPrice, State, Reason } = plan.entry(at)
    const held = State === 'held'
    yield {
      id: Id,
      line: Line,
      ownReference: OwnReference,
      title: Title,
      before: OldPrice,
      price: NewPrice,
      allow: plan.allow(at),
      state: held ? 'held' : 'planned',
      reason: held ? (Reason ?? 'held') : null,
    }
  }
}

/** The plan of a discount as its reader sees it. @param others the discounts that items are in, or will be */
function shownDiscount(planned: PlannedGiven, { starts, ends }: Times, others: readonly DiscountMembers[]) {
  const { plan } = planned
  const rule = ruleOf(planned)
  const rowOf = (entry: PlanEntry): DiscountItemShown => {
    const { Line, Id, OwnReference, Title, OldPrice, NewPrice, State: state, Limit, Reason } = entry
    const State = state === 'change' ? 'planned' : state
    const base = { Line, Id, OwnReference, Title, DiscountPrice: NewPrice, State, Limit, Reason }
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
    for (const entry of human ? plan.entries('change', 'held', 'unknown') : plan.entries()) yield rowOf(entry)
  }
  const unsent = function* () {
    for (const entry of plan.entries('held', 'unknown')) if (entry.Limit !== plan.summary.Stopped?.Limit) yield entry
  }
  return {
    /** The items: in JSON one document with the discount's id (null where none was made), its times and the sums. */
    list(DiscountId: number | null, below: (output: Output) => void): Shown {
      const record = { DiscountId, StartsAt: isoOf(starts), EndsAt: isoOf(ends), Summary: plan.summary }
      return shownList({ view: { ...discountItemsView, within: { key: 'Rows', record } }, rows, below })
    },
    /** Reasons in full, and items that are in another discount at the same time. */
    warn({ output }: Context): void {
      const width = output.human ? output.width : undefined
      const reasons = reasonsText(unsent(), width, (count) => `${countOf(count, 'row')} not part of the discount:`)
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
