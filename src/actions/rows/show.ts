/** Shows a plan; nothing is sent: rows, totals, and why some of them will not be sent. Or its first rows, before the question. */

import type { RowsShown } from '../../cli/shop-parts.js'
import { type Canvas, type Output, rowsText, thousands, type View } from '../../format/output/index.js'
import { countOf, type PlanSummaryShown, planSummary, type ReasonShown, reasonLines } from '../../format/views/index.js'
import type { NewPart } from '../../jobs/bulk/index.js'
import type { InputForm } from '../../rows/index.js'
import { hintLetThrough, warnStoppedPlan } from '../jobs/words.js'
import { type Shown, shownList } from '../result.js'

/** How many reasons are shown in full below a table. */
const REASONS = 20

/** What every row of a plan says. */
export interface PlanRow {
  readonly State: string
  /** Of the input; 0 for a row that it does not have. */
  readonly Line: number
  readonly Id?: number | null
  readonly OwnReference?: string | null
  readonly Title?: string | null
  /** Why it is held, or what is unknown. */
  readonly Reason?: string | null
}

export interface PlanShown<T> {
  readonly view: View<T>
  /** @param human a person does not need rows that stay as they are; a script may */
  rows(human: boolean): Iterable<T>
  /** The title of a row that is not sent, where it is not in the row. */
  readonly titleOf?: (row: T) => string
  /** Whether rows may be let through the guards that hold them, one by one. */
  readonly guarded?: boolean
  /** Further fields of the JSON document. */
  readonly beside?: () => object
  /** The totals in words, where they are of several kinds of rows. */
  readonly totals?: string
  /** Says what else the plan found, below the totals. */
  readonly also?: () => void
  /** Charts below the table, for a person. */
  readonly drawn?: (canvas: Canvas) => string[]
}

/** The rows of a plan, as a job takes them and as a person sees them. */
export interface PlannedKind<T> {
  /** One for each kind of row; a job of a sync has several. */
  readonly parts: readonly Pick<NewPart, 'kind' | 'rows'>[]
  readonly form: InputForm
  readonly blind?: boolean
  readonly summary: PlanSummaryShown
  /** What the rows are, in the question: "new price". */
  readonly noun: string
  /** What happens to them, in the totals; "to change" by default. */
  readonly toDo?: string
  readonly shown: PlanShown<T>
}

/** The first rows that a plan sends, for the person who is asked about them. Nothing is read before they are shown. */
export function firstRows<T extends PlanRow>({ shown, summary }: Pick<PlannedKind<T>, 'shown' | 'summary'>): RowsShown {
  return async (canvas, count) => {
    const first: T[] = []
    for (const row of shown.rows(true)) {
      if (row.State !== 'change') continue
      first.push(row)
      if (first.length === count) break
    }
    const table = await rowsText(shown.view.columns, first, canvas)
    const more = summary.Change - first.length
    return more <= 0 ? table : `${table}\n… and ${thousands(more)} more; --dry-run shows all.`
  }
}

/** The totals in words. */
export function totalsOf<T>({ shown, summary, toDo }: PlannedKind<T>): string {
  return shown.totals ?? planSummary(summary, toDo)
}

/** All rows and the totals, which are below the table for a person, else on stderr. @param next what can be done then */
export function wholePlan<T extends PlanRow>(plan: PlannedKind<T>, next?: string): Shown {
  const { view, rows, beside } = plan.shown
  const below = (output: Output): void => {
    sayTotals(output, plan)
    if (next !== undefined) output.hint(next)
  }
  const within = { key: 'Rows', record: { Summary: plan.summary, ...beside?.() } }
  return shownList({ view: { ...view, within }, rows, below })
}

function sayTotals<T extends PlanRow>(output: Output, plan: PlannedKind<T>): void {
  const { shown, summary } = plan
  const { guarded, drawn } = shown
  const words = `${totalsOf(plan)}\nNothing was sent. Sending takes ${countOf(summary.Calls, 'call')}.`
  if (output.human) {
    const texts = [reasonsText(reasonsOf(plan), output.width, () => 'Not to be sent'), ...(drawn?.(output) ?? [])]
    output.aside(['', words, ...texts.flatMap((text) => (text === '' ? [] : ['', text]))].join('\n'))
  } else output.note(words)
  shown.also?.()
  warnStoppedPlan(output, summary.Stopped, true)
  if (guarded === true && summary.Held > 0 && (summary.Stopped ?? null) === null)
    hintLetThrough(output, summary.HeldBy, plan.form.kind === 'arguments')
}

/** Why rows are not sent. A reason that stops everything is told once, by itself. */
function* reasonsOf<T extends PlanRow>({ shown, summary, form }: PlannedKind<T>): Generator<ReasonShown> {
  for (const row of shown.rows(true)) {
    const { State, Line, Id = null, OwnReference, Title, Reason = null } = row
    if ((State !== 'held' && State !== 'unknown') || (Reason !== null && Reason === summary.Stopped?.Reason)) continue
    // Arguments on the command line have no line numbers.
    yield { Line: form.kind === 'arguments' ? 0 : Line, Id, OwnReference, Title: shown.titleOf?.(row) ?? Title, Reason }
  }
}

/** The full reasons, as many as a person reads; an empty text for no rows. @param title of so many rows */
export function reasonsText(
  rows: Iterable<ReasonShown>,
  width: number | undefined,
  title: (rows: number) => string,
  most = REASONS,
): string {
  const first: ReasonShown[] = []
  let more = 0
  for (const row of rows)
    if (first.length < most) first.push(row)
    else more++
  if (first.length === 0) return ''
  const rest = more === 0 ? [] : [`  … and ${thousands(more)} more`]
  return [title(first.length + more), ...reasonLines(first, width), ...rest].join('\n')
}
