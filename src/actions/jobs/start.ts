/** From a plan to a job on disk and its run: the one path of every command that sends rows. */

import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, worseExitCode } from '../../cli/errors.js'
import { type JobRunRecord, type PlanSummaryShown, planSummary } from '../../format/views/index.js'
import { type BulkKind, createBulkJob, type NewBulkRow } from '../../jobs/bulk/index.js'
import type { InputForm } from '../../rows/index.js'
import { refuseBinding } from './binding.js'
import { printCallEstimate } from './budget.js'
import { confirmRows, type RowsShown } from './confirm.js'
import { writeHeldRows } from './refused-rows.js'
import { type JobRun, type RunFlags, recordOfNoRun, runJob } from './run.js'
import { warnHeldRows, warnSkippedRows, warnStoppedPlan } from './words.js'

export interface StartFlags extends RunFlags {
  readonly yes?: boolean
  /** Whether rows without a live item make the exit code 5. */
  readonly strict?: boolean
  readonly 'held-file'?: string
  readonly 'max-calls'?: number
}

export interface JobStart {
  readonly kind: BulkKind
  readonly title: string
  readonly form: InputForm
  readonly blind?: boolean
  /** The jobs that this one undoes. */
  readonly undoOf?: readonly number[]
  readonly rows: Iterable<NewBulkRow>
  readonly summary: PlanSummaryShown
  /** Calls made for the plan. */
  readonly calls: number
  /** For the confirmation: "Send", "new price"; whether each row was typed on the command line. */
  readonly verb: string
  /** What happens to the rows, in the totals; "to change" by default. */
  readonly toDo?: string
  readonly noun: string
  readonly typed?: boolean
  /** What a person is shown of the rows before the question. */
  readonly shown: RowsShown
  /** Called with the job's id once it is written, in the same transaction. */
  readonly recorded?: (jobId: number) => void
  readonly flags: StartFlags
}

export interface JobEnd {
  readonly record: JobRunRecord
  readonly code: ExitCode
}

/**
 * Prints the totals, asks, writes the job with everything it will send, and runs it. If nothing is to be sent and nothing held,
 * no job is created.
 * @throws {SellerError} usage for a binding that cannot carry the rows, guard (6) without a yes, before anything is written; what
 * runJob throws
 */
export function startJob(ctx: Context, start: JobStart): Promise<JobEnd> {
  return prepare(ctx, start).then((prepared) => (typeof prepared === 'function' ? prepared() : prepared))
}

/**
 * Everything before the first call of the job. What it returns refers to the job, but not to its rows: with the plan behind them,
 * they are 60 MB for a million items and would otherwise stay in memory during the run.
 */
async function prepare(ctx: Context, start: JobStart): Promise<JobEnd | (() => Promise<JobEnd>)> {
  const { kind, title, form, blind, undoOf, rows, summary, calls, flags, recorded } = start
  const { output } = ctx
  output.note(planSummary(summary, start.toDo))
  warnStoppedPlan(ctx, summary.Stopped)
  const { Change, Held, Unknown, Unchanged } = summary
  if (Change + Held + Unknown === 0) {
    output.note('There is nothing to send.')
    return { record: recordOfNoRun(kind, title, { calls, unchanged: Unchanged }), code: EXIT.ok }
  }
  refuseBinding(ctx, kind)
  const { wait, verify } = flags
  if (Change > 0) {
    await printCallEstimate(ctx, {
      sending: summary.Calls,
      made: calls,
      maxCalls: flags['max-calls'],
      wait: wait || verify === true,
    })
  }
  const { verb, noun, typed = false, shown } = start
  await confirmRows(ctx, { rows: Change, verb, noun, yes: flags.yes, typed, plan: summary, shown })
  const ledger = await ctx.ledger()
  const { name: profile, settings } = ctx.profile
  // A plan of prices already has an index of its ids. For other kinds the check is cheap beside one call per row.
  const distinct = kind === 'price'
  const job = createBulkJob(ledger, {
    kind,
    profile,
    userId: settings.user_id,
    title,
    form,
    blind,
    undoOf,
    rows,
    distinct,
    recorded,
  })
  const heldFile = await writeHeldRows(ctx, job, flags['held-file'], flags['failed-file'])
  warnHeldRows(ctx, ledger, job, { heldFile, stopped: summary.Stopped ?? null, heldBy: summary.HeldBy })
  warnSkippedRows(ctx, ledger, job)
  const run = { jobId: job.JobId, flags, callsBefore: calls, unchanged: Unchanged, fees: summary.Fees, heldFile }
  return runLater(ctx, run, skippedCode(summary, flags.strict === true))
}

/** Outside `prepare`, because every function inside it would keep its variables in memory. */
function runLater(ctx: Context, run: JobRun, skipped: ExitCode): () => Promise<JobEnd> {
  return async () => {
    const { record, code } = await runJob(ctx, await ctx.client(), run)
    return { record, code: worseExitCode(code, skipped) }
  }
}

/** The exit code for rows without a live item: 0 if the others were sent, unless `strict` asks for more. */
function skippedCode({ Change, Held, Unchanged, Unknown }: PlanSummaryShown, strict: boolean): ExitCode {
  if (Unknown === 0) return EXIT.ok
  if (strict) return EXIT.someRowsFailed
  // If no item is live, the file belongs to another shop or another time.
  return Change + Held + Unchanged === 0 ? EXIT.held : EXIT.ok
}
