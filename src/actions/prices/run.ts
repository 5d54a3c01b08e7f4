/** Shows, saves or sends a plan of shop prices, wherever they come from. */

import type { Context } from '../../cli/context.js'
import { notRead } from '../../format/views/not-read.js'
import { changeHistogram, largestMoves, type PlanRowShown, planMarginView, planView } from '../../format/views/plans.js'
import { priceJobRows } from '../../jobs/bulk/index.js'
import { run, say } from '../../messages/index.js'
import type { RowPlan } from '../../pricing/index.js'
import type { Result } from '../result.js'
import { explained, explainedTotals } from '../rows/explained.js'
import type { RowsInput } from '../rows/input.js'
import { inShort, type RowsFlags, runRows } from '../rows/run-rows.js'
import type { PlannedKind, PlanShown } from '../rows/show.js'
import type { PlannedPrices } from './plan.js'
import { type PlanFileFlags, planFiles, type SeenItems } from './plan-files.js'

/** Action to take with a plan. */
export type SendPlanFlags = RowsFlags & PlanFileFlags

/**
 * @param plan makes it; `seen` gets what a page shows of the items
 * @throws {SellerError} usage for a file that cannot be written; what runRows throws
 */
export function runPrices(
  ctx: Context,
  flags: SendPlanFlags,
  plan: (seen?: SeenItems) => Promise<PlannedPrices & { readonly title: string }>,
  input?: RowsInput,
): Promise<Result> {
  const { 'save-plan': save, html, 'dry-run': dryRun } = flags
  return runRows(ctx, {
    ...{ flags, input, outputs: { '--save-plan': save, '--html': html }, showOnly: dryRun || save !== undefined },
    plan: async () => {
      const files = planFiles(ctx, flags)
      const { plan: planned, title, calls, during } = await plan(files.seen)
      await files.write({ plan: planned, title: inShort(title) })
      if (planned.blind && save === undefined && !dryRun)
        ctx.output.note('The live prices were not read: what --blind sends cannot be undone.')
      const next =
        save === undefined ? {} : { next: say`The plan is in ${save}. Send it with: ${run('shop:price', { '--plan': save })}` }
      return { ...pricesToSend(ctx, planned), title, calls, during, verb: 'Send', ...next }
    },
  })
}

const LARGEST = 10

/** Prices of shop items as a job takes them. */
export function pricesToSend(ctx: Context, plan: RowPlan): PlannedKind<PlanRowShown> {
  const { form, blind, summary } = plan
  return {
    parts: [{ kind: 'price', rows: priceJobRows(plan) }],
    form,
    blind,
    notRead: plan.blind ? [notRead('live_items', 'blind')] : [],
    summary: explainedTotals(ctx, summary),
    noun: 'new price',
    shown: shownPrices(ctx, plan),
  }
}

/** Form in which prices are shown: in JSON one document with Summary, Largest, Histogram and Rows. */
export function shownPrices(ctx: Context, plan: RowPlan): PlanShown<PlanRowShown> {
  const largest = () => plan.largest(LARGEST).map((entry) => explained(ctx, entry))
  return {
    view: viewOf(plan),
    *rows(human) {
      const states = human ? (['change', 'held', 'unknown'] as const) : []
      for (const entry of plan.entries(...states)) yield explained(ctx, entry)
    },
    guarded: true,
    largest,
    beside: () => ({ Blind: plan.blind, Largest: largest(), Histogram: plan.histogram() }),
    drawn: (output) => [largestMoves(largest(), output), changeHistogram(plan.histogram(), output)],
  }
}

function viewOf({ hasCosts }: RowPlan): typeof planView {
  return hasCosts ? planMarginView : planView
}
