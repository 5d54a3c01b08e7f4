/** Shows a plan for prices of shop items: its rows, the largest changes, and how the changes are distributed. */

import {
  changeHistogram,
  largestMoves,
  type PlanRowShown,
  planMarginView,
  planView,
  type ReasonShown,
} from '../../format/views/index.js'
import { priceJobRows } from '../../jobs/bulk/index.js'
import type { PlanEntry, PricePlan } from '../../pricing/index.js'
import type { PlannedKind } from '../rows/run-rows.js'
import type { PlanShown } from '../rows/show.js'

const LARGEST = 10

/** Prices of shop items as a job takes them. */
export function pricesToSend(plan: PricePlan): PlannedKind<PlanRowShown> {
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
export function shownPrices(plan: PricePlan): PlanShown<PlanRowShown> {
  const largest = () => plan.largest(LARGEST).map(shownRow)
  return {
    view: viewOf(plan),
    rows: (human) => rowsOf(plan, human),
    reasons: () => reasonsOf(plan),
    guarded: true,
    beside: () => ({ Blind: plan.blind, Largest: largest(), Histogram: plan.histogram() }),
    drawn: ({ paint, width }) => [largestMoves(largest(), paint), changeHistogram(plan.histogram(), { paint, width })],
  }
}

function viewOf({ hasCosts }: PricePlan): typeof planView {
  return hasCosts ? planMarginView : planView
}

function* reasonsOf(plan: PricePlan): Generator<ReasonShown> {
  const typed = plan.form.kind === 'arguments'
  // Arguments on the command line have no line numbers.
  const stopped = plan.summary.Stopped?.Limit
  for (const entry of plan.entries('held', 'unknown')) {
    // A reason that stops everything is reported once.
    if (entry.Limit === null || entry.Limit !== stopped) yield typed ? { ...entry, Line: 0 } : entry
  }
}

/** A person does not need rows that stay as they are; a script may. */
function* rowsOf(plan: PricePlan, human: boolean): Generator<PlanRowShown> {
  for (const entry of human ? plan.entries('change', 'held', 'unknown') : plan.entries()) yield shownRow(entry)
}

export function shownRow(entry: PlanEntry): PlanRowShown {
  const { ChangePercent: Percent, Outcome: State, Line, Id, OwnReference, Title, OldPrice, NewPrice, Change, ...more } = entry
  const { Cost, OldMargin, NewMargin, Limit, Reason } = more
  return { Line, Id, OwnReference, Title, OldPrice, NewPrice, Change, Percent, Cost, OldMargin, NewMargin, State, Limit, Reason }
}
