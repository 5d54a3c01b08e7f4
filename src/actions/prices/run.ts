/** Shows, saves or sends a plan of shop prices, wherever they come from. */
import type { Context } from '../../cli/context.js'
import { changeHistogram, largestMoves, type PlanRowShown, planMarginView, planView } from '../../format/views/index.js'
import { priceJobRows } from '../../jobs/bulk/index.js'
import type { RowPlan } from '../../pricing/index.js'
import type { Result } from '../result.js'
import type { RowsInput } from '../rows/input.js'
import { inShort, type RowsFlags, runRows } from '../rows/run-rows.js'
import type { PlannedKind, PlanShown } from '../rows/show.js'
import type { PlannedPrices } from './plan.js'
import { type PlanFileFlags, planFiles, type SeenItems } from './plan-files.js'

/** What to do with a plan. */
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
      const files = await planFiles(ctx, flags)
      const { plan: planned, title, calls, during } = await plan(files.seen)
      await files.write({ plan: planned, title: inShort(title) })
      if (planned.blind && save === undefined && !dryRun)
        ctx.output.note('The live prices were not read: what --blind sends cannot be undone.')
      const send = `seller shop:price --plan ${save}`
      const next = save === undefined ? undefined : `The plan is in ${save}. Send it with: ${send}`
      return { ...pricesToSend(planned), title, calls, during, verb: 'Send', next }
    },
  })
}

const LARGEST = 10

/** Prices of shop items as a job takes them. */
export function pricesToSend(plan: RowPlan): PlannedKind<PlanRowShown> {
  const { form, blind, summary } = plan
  return {
    parts: [{ kind: 'price', rows: priceJobRows(plan) }],
    form,
    blind,
    summary,
    noun: 'new price',
    shown: shownPrices(plan),
  }
}

/** How the prices are shown: in JSON one document with Summary, Largest, Histogram and Rows. */
export function shownPrices(plan: RowPlan): PlanShown<PlanRowShown> {
  const largest = () => plan.largest(LARGEST)
  return {
    view: viewOf(plan),
    rows: (human) => (human ? plan.entries('change', 'held', 'unknown') : plan.entries()),
    guarded: true,
    beside: () => ({ Blind: plan.blind, Largest: largest(), Histogram: plan.histogram() }),
    drawn: (output) => [largestMoves(largest(), output.paint), changeHistogram(plan.histogram(), output)],
  }
}

function viewOf({ hasCosts }: RowPlan): typeof planView {
  return hasCosts ? planMarginView : planView
}
