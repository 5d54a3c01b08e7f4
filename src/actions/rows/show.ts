/** Shows a plan; nothing is sent: rows, totals, and why some of them will not be sent. Or its first rows, before the question. */

import type { RowsShown } from '../../cli/shop-parts.js'
import { countOf } from '../../contract/numbers.js'
import { type Canvas, type Output, rowsText, thousands, type View } from '../../format/output/index.js'
import type { NotRead } from '../../format/views/not-read.js'
import { type PlanSummaryShown, planSummary, type ReasonShown, reasonLines } from '../../format/views/plans.js'
import { type AnyHold, isHeldBy } from '../../holds/index.js'
import type { NewPart } from '../../jobs/bulk/index.js'
import type { Words } from '../../messages/index.js'
import type { InputForm } from '../../rows/index.js'
import { hintLetThrough, warnNotCompared, warnStoppedPlan } from '../jobs/words.js'
import { type Shown, shownList } from '../result.js'

/** Number of reasons shown in full below a table. */
const REASONS = 20

/** Columns that every row of a plan has. */
export interface PlanRow {
  readonly State: string
  /** Line of the input; 0 for a row that it does not have. */
  readonly Line: number
  readonly Id?: number | null
  readonly OwnReference?: string | null
  readonly Title?: string | null
  /** Why it is held, or what is unknown: its code, and its words. */
  readonly Code?: string | null
  readonly Values?: object | null
  readonly Reason?: string | null
}

export interface PlanShown<T> {
  readonly view: View<T>
  /** @param human a person does not need rows that stay as they are; a script may */
  rows(human: boolean): Iterable<T>
  /** The title of a row that is not sent, where it is not in the row. */
  readonly titleOf?: (row: T) => string
  /** True if rows may be let through the guards that hold them, one by one. */
  readonly guarded?: boolean
  /** Further fields of the JSON document. */
  readonly beside?: () => object
  /** The totals in words, where they are of several kinds of rows. */
  readonly totals?: string
  /**
   * More of what is said yes to, below the totals, a sentence each: other sums, when it begins and ends, fees. Asked for where a
   * row is sent.
   */
  readonly facts?: (unit: string) => readonly string[]
  /** Says what else the plan found, below the totals. */
  readonly also?: () => void
  /** The largest changes, largest first, which a person is asked about if there are more rows than fit. */
  readonly largest?: () => readonly T[]
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
  /** Lists that the rows were not compared with; by default none. */
  readonly notRead?: readonly NotRead[]
  /** Noun for the rows in the question: "new price". */
  readonly noun: string
  /** Word for the change, in the totals; "to change" by default. */
  readonly toDo?: string
  readonly shown: PlanShown<T>
}

/** Reasons of held rows that are named before a question. */
export const REASONS_ASKED = 3
/** Largest changes that are drawn before a question, if there are more rows than fit. */
const LARGEST_ASKED = 5

/**
 * The rows that a person is asked about: those that a plan sends, or the largest changes if there are more than fit, and why some
 * are not sent. Nothing is read before they are drawn. For no rows only the reasons.
 */
export function rowsToAsk<T extends PlanRow>(plan: Pick<PlannedKind<T>, 'shown' | 'summary' | 'form'>): RowsShown {
  const { shown, summary } = plan
  return async (canvas, count) => {
    const largest = summary.Change > count ? (shown.largest?.() ?? []).slice(0, Math.min(count, LARGEST_ASKED)) : []
    const rows = largest.length > 0 || count === 0 ? largest : firstRows(shown.rows(true), count)
    const table = rows.length === 0 ? '' : await rowsText(shown.view.columns, rows, canvas)
    const remaining = count === 0 ? 0 : summary.Change - rows.length
    const more = `${largest.length === 0 ? '… and' : 'The largest changes;'} ${thousands(remaining)} more; --dry-run shows all.`
    // Rows that somebody must decide about come before those that do not exist.
    const reasons = (function* () {
      for (const state of ['held', 'unknown']) yield* reasonsOf(plan, [state])
    })()
    const heldText = reasonsText(reasons, canvas.width, (count) => `Not to be sent: ${thousands(count)}`, REASONS_ASKED)
    return [table, remaining > 0 ? more : '', heldText].filter((text) => text !== '').join('\n')
  }
}

/** The entries of a plan that are sent, the largest change first. */
export function largestFirst<E extends { readonly State: string }>(entries: readonly E[], moveOf: (entry: E) => number): E[] {
  return entries.filter(({ State }) => State === 'change').sort((one, other) => moveOf(other) - moveOf(one))
}

function firstRows<T extends PlanRow>(rows: Iterable<T>, count: number): T[] {
  const first: T[] = []
  for (const row of rows) {
    if (row.State === 'change') first.push(row)
    if (first.length === count) break
  }
  return first
}

/** The totals in words. @param output has the unit of amounts */
export function totalsLine<T>({ shown, summary, toDo }: PlannedKind<T>, { unit }: Pick<Output, 'unit'>): string {
  const facts = summary.Change > 0 ? (shown.facts?.(unit) ?? []) : []
  return [shown.totals ?? planSummary(summary, unit, toDo), ...facts].join('\n')
}

/**
 * All rows and the totals, which are below the table for a person, else on stderr.
 * @param next what can be done then
 * @param heldBy codes: only rows that one of them holds are shown, and the totals are those of all
 */
export function wholePlan<T extends PlanRow>(
  whole: PlannedKind<T>,
  { next, heldBy }: { readonly next?: Words | undefined; readonly heldBy?: readonly string[] | undefined } = {},
): Shown {
  const plan = heldBy === undefined ? whole : { ...whole, shown: heldRows(whole.shown, heldBy) }
  const { view, rows, beside } = plan.shown
  const below = (output: Output): void => {
    sayTotals(output, plan)
    if (next !== undefined) output.hint(next)
  }
  const within = { key: 'Rows', record: { Summary: plan.summary, NotRead: plan.notRead ?? [], ...beside?.() } }
  return shownList({ view: { ...view, within }, rows, below })
}

function heldRows<T extends PlanRow>(plan: PlanShown<T>, codes: readonly string[]): PlanShown<T> {
  return {
    ...plan,
    *rows(human) {
      for (const row of plan.rows(human)) if (isHeldBy(holdOfRow(row), codes)) yield row
    },
  }
}

function holdOfRow({ Code, Values }: PlanRow): AnyHold | null {
  return typeof Code === 'string' ? { Code, Values: Values ?? {} } : null
}

function sayTotals<T extends PlanRow>(output: Output, plan: PlannedKind<T>): void {
  const { shown, summary } = plan
  const { guarded, drawn } = shown
  const words = `${totalsLine(plan, output)}\nNothing was sent. Sending takes ${countOf(summary.Calls, 'call')}.`
  if (output.human) {
    const texts = [reasonsText(reasonsOf(plan), output.width, () => 'Not to be sent'), ...(drawn?.(output) ?? [])]
    output.aside(['', words, ...texts.flatMap((text) => (text === '' ? [] : ['', text]))].join('\n'))
  } else output.note(words)
  shown.also?.()
  warnNotCompared(output, plan.notRead)
  warnStoppedPlan(output, summary.Stopped, true)
  if (guarded === true && summary.Held > 0 && (summary.Stopped ?? null) === null)
    hintLetThrough(output, summary.HeldBy, plan.form.kind === 'arguments')
}

/** Why rows are not sent. A reason that stops everything is told once, by itself. */
function* reasonsOf<T extends PlanRow>(
  { shown, summary, form }: Pick<PlannedKind<T>, 'shown' | 'summary' | 'form'>,
  states: readonly string[] = ['held', 'unknown'],
): Generator<ReasonShown> {
  for (const row of shown.rows(true)) {
    const { State, Line, Id = null, OwnReference, Title, Code = null, Reason = null } = row
    if (!states.includes(State) || (Code !== null && Code === summary.Stopped?.Code)) continue
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
