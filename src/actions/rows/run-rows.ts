/** The one path of every command that sends rows: read, plan, show or ask, write the job, send it, wait, and say how it ended. */

import type { Context } from '../../cli/context.js'
import { checkOutputFile } from '../../cli/output-file.js'
import { EXIT, type ExitCode, type SellerError, worseExitCode } from '../../errors/index.js'
import type { PlanSummaryShown } from '../../format/views/plans.js'
import type { Hold, HoldShown } from '../../holds/index.js'
import {
  type BulkKind,
  createBulkJob,
  createWhole,
  holdOf,
  listParts,
  type NewBulkRow,
  type NewPart,
  wholeJob,
} from '../../jobs/bulk/index.js'
import type { PricesDuringDiscounts } from '../../jobs/discounts/index.js'
import { type Ledger, setPace } from '../../jobs/index.js'
import type { Words } from '../../messages/index.js'
import { countRows, type Stopped } from '../../pricing/index.js'
import { confirmRows, noteDays, noteDaysAt, printCallEstimate, refuseBinding, showRows } from '../jobs/confirm.js'
import { type Compared, listNewItems, notRun, resultOfRun } from '../jobs/ended.js'
import { type RefusedRowsFlags, refuseOverwriting, writeHeldRows } from '../jobs/refused-rows.js'
import { type JobRun, type RunFlags, runJob } from '../jobs/run.js'
import { warnHeldRows, warnSkippedRows, warnStoppedPlan } from '../jobs/words.js'
import { periodOfJob } from '../listing/terms.js'
import { heldWhereTaken, takenIntoDiscounts } from '../prices/plan.js'
import type { Result } from '../result.js'
import { explained, explainedStop } from './explained.js'
import type { RowsInput } from './input.js'
import { type PlannedKind, type PlanRow, rowsToAsk, totalsLine, wholePlan } from './show.js'

export interface RowsFlags extends RunFlags, RefusedRowsFlags {
  readonly 'dry-run'?: boolean | undefined
  /** Codes: of a dry run only rows that one of them holds are shown. */
  readonly 'held-by'?: readonly string[] | undefined
  readonly yes?: boolean | undefined
  /** True if rows without a live item make the exit code 5. */
  readonly strict?: boolean | undefined
  readonly 'max-calls'?: number | undefined
  /** Calls that send rows, a day; all at once by default. */
  readonly 'per-day'?: number | undefined
}

/** Parts that differ between commands that send rows. */
interface RowsCommand<T> {
  readonly flags: RowsFlags
  /** Where the rows come from; undefined where it is the ledger. */
  readonly input?: RowsInput | undefined
  /** Files that it writes beside those of held and failed rows, by flag: not the input, and replaced with --force only. */
  readonly outputs?: Readonly<Record<string, string | undefined>>
  /** True if the plan is only shown; by default with --dry-run. */
  readonly showOnly?: boolean
  /** Reads the rows and the live list, and plans, guards included. It does not know whether the plan is shown or sent. */
  plan(): Promise<RowsPlan<T>>
}

export interface RowsPlan<T> extends PlannedKind<T> {
  readonly title: string
  /** The jobs that it undoes. */
  readonly undoOf?: readonly number[]
  /** Calls made for the plan. */
  readonly calls: number
  /** Verb in the question: "Send". */
  readonly verb: string
  /** Set where items of the shop are in a discount, which the job is taken into. */
  readonly during?: PricesDuringDiscounts | undefined
  /** Set where the job is a sync. */
  readonly sync?: SyncBesideRows
  /** When its prices began to be read, ms since 1970. */
  readonly readAt?: number
  /** Ends a run before its question, where a guard refuses all rows; the plan then has it as `Stopped`. */
  readonly refused?: SellerError | undefined
  /** Asks for what must be accepted beside the rows. */
  accept?(): Promise<void>
  /** Next step after the plan was only shown. */
  readonly next?: Words
}

/** Facts that only a catalogue compared with the shop has. */
interface SyncBesideRows {
  /** The rows in words: "2 new prices and 1 removal". */
  readonly counted: string
  /** Text for when there is nothing to send. */
  readonly nothing: string
  readonly compared: Compared
  /** Done in the transaction that writes the job, before it. */
  before(): void
}

/**
 * Plans rows, and shows the plan or sends it: prints the totals, asks, writes the job with everything it will send, and runs it.
 * If nothing is to be sent and nothing held, no job is created.
 * @returns the plan, where it is only shown; else the result of the run
 * @throws {SellerError} usage for a file that would be overwritten, or a binding that cannot carry the rows; guard (6) without a
 * yes, before anything is written; what the plan and runJob throw
 */
export function runRows<T extends PlanRow>(ctx: Context, command: RowsCommand<T>): Promise<Result> {
  return prepare(ctx, command).then((result) => (typeof result === 'function' ? result() : result))
}

/**
 * Everything before the first call of the job. What it returns refers to the job, but not to its rows: with the plan behind them,
 * they are 60 MB for a million items and would otherwise stay in memory during the run.
 */
async function prepare<T extends PlanRow>(ctx: Context, command: RowsCommand<T>): Promise<Result | (() => Promise<Result>)> {
  const { flags, input, outputs = {} } = command
  const origin = input?.origin
  refuseOverwriting(ctx, origin?.kind === 'file' ? origin.path : undefined, {
    ...outputs,
    '--held-file': flags['held-file'],
    '--failed-file': flags['failed-file'],
  })
  for (const path of [...Object.values(outputs), flags['held-file'], flags['failed-file']])
    if (path !== undefined) await checkOutputFile(ctx, path, { force: flags.force === true })
  ctx.ifInterrupted({ sent: 'Nothing was sent.', again: true })
  const plan = { readAt: ctx.clock.now(), ...(await command.plan()) }
  const { summary, calls, verb, noun, sync } = plan
  const rowsShown = rowsToAsk(plan)
  const title = inShort(plan.title)
  const kind = sync === undefined ? (plan.parts[0]?.kind ?? null) : 'sync'
  const { output } = ctx
  const { Change, Held, Unknown, Unchanged } = summary
  const perDay = flags['per-day']
  if (Change + Held + Unknown > 0) for (const part of plan.parts) refuseBinding(ctx, part.kind)
  if (command.showOnly ?? flags['dry-run'] === true) {
    if (Change > 0) await noteDays(ctx, summary.Calls, perDay)
    return {
      shown: [wholePlan(plan, { next: plan.next, heldBy: flags['held-by'] })],
      code: EXIT.ok,
      plan: summary,
      waiting: true,
    }
  }
  // Rows that could not be compared are shown, and never sent: this ends in the error that says what is missing.
  if ((plan.notRead ?? []).some(({ Reason }) => Reason === 'not_logged_in')) await ctx.client()
  const isTyped = origin?.kind === 'arguments'
  const facts = Change > 0 ? plan.shown.facts?.(output.unit) : undefined
  const question = {
    rows: Change,
    verb,
    noun,
    counted: sync?.counted,
    yes: flags.yes,
    typed: isTyped,
    plan: summary,
    shown: rowsShown,
    facts,
    perDay,
  }
  if (plan.refused === undefined) await showRows(ctx, question)
  output.note(totalsLine(plan, output))
  plan.shown.also?.()
  if (plan.refused !== undefined) throw plan.refused
  warnStoppedPlan(output, summary.Stopped)
  if (Change + Held + Unknown === 0) {
    output.note(sync?.nothing ?? 'There is nothing to send.')
    return resultOfRun(notRun(kind, title, calls), EXIT.ok, { unchanged: Unchanged, compared: sync?.compared })
  }
  if (Change > 0) {
    const wait = flags.wait || flags.verify === true
    if (perDay !== undefined) noteDaysAt(ctx, summary.Calls, perDay)
    const callsToSend = Math.min(summary.Calls, perDay ?? summary.Calls)
    await printCallEstimate(ctx, { sending: callsToSend, made: calls, maxCalls: flags['max-calls'], wait })
  }
  await plan.accept?.()
  await confirmRows(ctx, question)
  const ledger = await ctx.ledger()
  const jobId = writeJob(ctx, ledger, { ...plan, title }, perDay)
  const [job, parts] = [wholeJob(ledger, jobId), listParts(ledger, jobId)]
  const heldFile = await writeHeldRows(ctx, job, parts, flags)
  warnHeldRows(ctx, ledger, job, heldFile, summary, parts)
  warnSkippedRows(ctx, ledger, job, parts)
  const after = { skipped: skippedCode(summary, flags.strict === true), discounted: plan.during !== undefined }
  return runLater(
    ctx,
    { jobId, flags, callsBefore: calls, heldFile },
    { ...after, unchanged: Unchanged, fees: summary.Fees, compared: sync?.compared },
  )
}

/**
 * A plan of which nothing is sent, because something over all rows is refused: it holds each row that would be sent.
 * @param refused ends a run before its question
 * @param hold why it is refused
 */
export function refusedPlan<T extends PlanRow, P extends PlannedKind<T>>(
  ctx: Context,
  plan: P & PlannedKind<T>,
  refusal: SellerError,
  hold: Hold,
): P & Pick<RowsPlan<T>, 'refused'> {
  const { summary, shown } = plan
  const shownHold = explained(ctx, { Hold: hold })
  const rows = function* (human: boolean): Generator<T> {
    for (const row of shown.rows(human)) yield row.State === 'change' ? { ...row, State: 'held', ...shownHold } : row
  }
  const Stopped = { ...hold, Limit: hold.Code, Reason: shownHold.Reason ?? '' }
  const nothing = { Change: 0, Held: summary.Held + summary.Change, Calls: 0, Stopped }
  return { ...plan, summary: { ...summary, ...nothing }, shown: { ...shown, rows }, refused: refusal }
}

/** Writes the job of a plan. @returns its id */
function writeJob<T>(ctx: Context, ledger: Ledger, plan: RowsPlan<T>, perDay: number | undefined): number {
  const { title, form, blind, undoOf, during, sync } = plan
  const { name: profile, settings } = ctx.profile
  const common = { profile, userId: settings.user_id, title, form }
  const recordJob = (jobId: number) => {
    if (perDay !== undefined) setPace(ledger, jobId, perDay)
    ctx.onMade?.(ledger, { jobId })
  }
  const parts = plan.parts.map(({ kind, rows }): NewPart => {
    // A plan of prices already has an index of its ids. For other kinds the check is cheap beside one call per row.
    if (kind !== 'price') return { kind, rows }
    const own = heldWhereTaken(ctx, ledger, rows, plan)
    return { kind, rows: during?.sending(own) ?? own, distinct: true, recorded: (jobId) => during?.record(jobId) }
  })
  if (sync !== undefined) return createWhole(ledger, { ...common, undoOf, parts, recorded: recordJob }, () => sync.before()).JobId
  const [only] = parts
  if (only === undefined) throw new TypeError('A plan has no rows.')
  const both = (jobId: number) => {
    only.recorded?.(jobId)
    recordJob(jobId)
  }
  return createBulkJob(ledger, { ...common, blind, undoOf, ...only, recorded: both }).JobId
}

interface After {
  /** The exit code for rows without a live item. */
  readonly skipped: ExitCode
  /** True if the job is taken into the discounts of the shop once it has ended. */
  readonly discounted: boolean
  readonly unchanged: number
  /** Kronor. */
  readonly fees: number | undefined
  readonly compared: Compared | undefined
}

/** Outside `prepare`, because every function inside it would keep its variables in memory. */
function runLater(ctx: Context, run: JobRun, { skipped, discounted, ...beside }: After): () => Promise<Result> {
  return async () => {
    const runEnd = runJob(ctx, await ctx.client(), run)
    const end = await (discounted ? takenIntoDiscounts(ctx, runEnd) : runEnd)
    const ledger = await ctx.ledger()
    const additions = { period: periodOfJob(ledger, end.job), newItems: listNewItems(ledger, end.parts) }
    return resultOfRun(end, worseExitCode(end.code, skipped), { ...beside, ...additions })
  }
}

const LONGEST_TITLE = 80

/** Shortens a title to fit a table. */
export function inShort(title: string): string {
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title
}

/** The exit code for rows without a live item: 0 if the others were sent, unless `strict` asks for more. */
export function skippedCode({ Change, Held, Unchanged, Unknown }: PlanSummaryShown, strict: boolean): ExitCode {
  if (Unknown === 0) return EXIT.ok
  if (strict) return EXIT.someRowsFailed
  // If no item is live, the file belongs to another shop or another time.
  return Change + Held + Unchanged === 0 ? EXIT.held : EXIT.ok
}

/** A row as it is shown, and what of it is sent where that is not its line, id, own reference and title. */
interface PlannedRow<T extends PlanRow> {
  readonly shown: Omit<T, keyof HoldShown>
  /** Why it is held, or what is unknown; left out for rows of which none ever is. */
  readonly hold?: Hold | null | undefined
  readonly sent?: Partial<NewBulkRow> | undefined
}

/**
 * @param stopped the guard over all rows that is broken: it holds every row that would be sent
 * @returns the rows as they are shown, those of the job, without the ones that stay as they are, and the totals: one call for
 * each row that is sent
 */
export function plannedRows<T extends PlanRow>(
  ctx: Context,
  kind: BulkKind,
  planned: readonly PlannedRow<T>[],
  stop: Stopped | null = null,
): Pick<RowsPlan<T>, 'parts' | 'summary'> & { readonly shownRows: readonly T[] } {
  const judgedRows = stop === null ? planned : planned.map((row) => heldBy(row, stop.Hold))
  const shownRows = judgedRows.map(
    ({ shown, hold }) => (hold === undefined ? shown : explained(ctx, { ...shown, Hold: hold })) as T,
  )
  const counts = countRows(shownRows)
  const rows = judgedRows.flatMap((row, at) => (shownRows[at]?.State === 'unchanged' ? [] : jobRow(row)))
  return {
    parts: [{ kind, rows }],
    summary: { ...counts, Calls: counts.Change, Stopped: explainedStop(ctx, stop) },
    shownRows,
  }
}

function heldBy<T extends PlanRow>(row: PlannedRow<T>, hold: Hold): PlannedRow<T> {
  return row.shown.State === 'change' ? { ...row, shown: { ...row.shown, State: 'held' }, hold } : row
}

function jobRow<T extends PlanRow>({ shown, hold = null, sent }: PlannedRow<T>): NewBulkRow {
  const { Line, Id, OwnReference, Title, State } = shown
  return {
    ...{ line: Line, id: Id ?? 0, ownReference: OwnReference, title: Title },
    held: State === 'held' ? holdOf({ Hold: hold }) : null,
    skipped: State === 'unknown' ? holdOf({ Hold: hold }) : null,
    ...sent,
  }
}
