/** Shows a plan; nothing is sent: rows, totals, the largest changes, and how the changes are distributed. */

import type { Context } from '../../cli/context.js'
import { thousands, type View } from '../../format/output/index.js'
import {
  changeHistogram,
  countOf,
  largestMoves,
  type PlanRowShown,
  type PlanSummaryShown,
  planMarginView,
  planSummary,
  planView,
  type ReasonShown,
  reasonLines,
} from '../../format/views/index.js'
import type { PlanEntry, PricePlan } from '../../pricing/index.js'
import { type RowsShown, shownRows } from '../jobs/confirm.js'
import { hintLetThrough, warnStoppedPlan } from '../jobs/words.js'

const LARGEST = 10
/** How many reasons are shown in full below a table. */
const REASONS = 20

/** Writes the plan for prices of shop items: in JSON one document with Summary, Largest, Histogram and Rows. */
export async function showPricePlan(ctx: Context, plan: PricePlan): Promise<void> {
  const { output } = ctx
  const largest = plan.largest(LARGEST).map(shownRow)
  const histogram = plan.histogram()
  await showPlan(ctx, {
    view: viewOf(plan),
    rows: rowsOf(plan, output.human),
    summary: plan.summary,
    reasons: reasonsOf(plan),
    beside: { Blind: plan.blind, Largest: largest, Histogram: histogram },
    drawn: ({ paint, width }) => [largestMoves(largest, paint), changeHistogram(histogram, { paint, width })],
  })
  if (plan.summary.Held > 0 && plan.summary.Stopped === null) hintLetThrough(ctx, plan.summary.HeldBy)
}

/** The rows of a plan for the question. */
export function shownPrices(plan: PricePlan): RowsShown {
  return shownRows(viewOf(plan), rowsOf(plan, true), plan.summary.Change)
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

/** The full reasons, as many as a person reads. */
function reasonsText(rows: Iterable<ReasonShown>, width: number): string {
  const first: ReasonShown[] = []
  let more = 0
  for (const row of rows)
    if (first.length < REASONS) first.push(row)
    else more++
  if (first.length === 0) return ''
  const rest = more === 0 ? [] : [`  … and ${thousands(more)} more`]
  return ['Not to be sent', ...reasonLines(first, width), ...rest].join('\n')
}

interface ShownPlan<T> {
  readonly view: View<T>
  readonly rows: Iterable<T>
  readonly summary: PlanSummaryShown
  /** What happens to the rows, in the totals; "to change" by default. */
  readonly toDo?: string
  /** Further fields of the JSON document. */
  readonly beside?: object
  /** Rows that will not be sent. A table of this width cuts their reasons. */
  readonly reasons?: Iterable<ReasonShown>
  /** Charts below the table, for a person. */
  readonly drawn?: (canvas: Pick<Context['output'], 'paint' | 'width'>) => string[]
}

/** Writes the rows of any plan, and its totals: below the table for a person, else on stderr. */
export async function showPlan<T>(
  { output }: Context,
  { view, rows, summary, toDo, beside, reasons, drawn }: ShownPlan<T>,
): Promise<void> {
  await output.list({ ...view, within: { key: 'Rows', record: { Summary: summary, ...beside } } }, rows)
  const words = `${planSummary(summary, toDo)}\nNothing was sent. Sending takes ${countOf(summary.Calls, 'call')}.`
  if (output.human) {
    const why = reasons === undefined ? '' : reasonsText(reasons, output.width)
    const below = [why, ...(drawn?.(output) ?? [])].flatMap((text) => (text === '' ? [] : ['', text]))
    output.aside(['', words, ...below].join('\n'))
  } else output.note(words)
  warnStoppedPlan({ output }, summary.Stopped)
}
