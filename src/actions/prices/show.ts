/** Shows a plan for prices of shop items: its rows, the largest changes, and how the changes are distributed. */

import { changeHistogram, largestMoves, type PlanRowShown, planMarginView, planView } from '../../format/views/index.js'
import { priceJobRows } from '../../jobs/bulk/index.js'
import type { RowPlan } from '../../pricing/index.js'
import type { PlannedKind } from '../rows/run-rows.js'
import type { PlanShown } from '../rows/show.js'

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
