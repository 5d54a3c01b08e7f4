/** The one path of every command that sends rows: read, plan, show or ask, write the job, send it, wait, and say how it ended. */

import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, worseExitCode } from '../../cli/errors.js'
import { type JobRunRecord, jobRunView, type PlanSummaryShown, planSummary } from '../../format/views/index.js'
import { type BulkKind, createBulkJob, type NewBulkRow } from '../../jobs/bulk/index.js'
import type { PricesDuringDiscounts } from '../../jobs/discounts/index.js'
import type { InputForm } from '../../rows/index.js'
import { refuseBinding } from '../jobs/binding.js'
import { printCallEstimate } from '../jobs/budget.js'
import { confirmRows } from '../jobs/confirm.js'
import { refuseOverwriting } from '../jobs/files.js'
import { writeHeldRows } from '../jobs/refused-rows.js'
import { type JobRun, type RunFlags, recordOfNoRun, recordOfRun, runJob } from '../jobs/run.js'
import { warnHeldRows, warnSkippedRows, warnStoppedPlan } from '../jobs/words.js'
import { settledAfter } from '../prices/discounts.js'
import { type Result, shownRecord } from '../result.js'
import { firstRows, type PlanShown, shownPlan } from './show.js'

export interface RowsFlags extends RunFlags {
  readonly 'dry-run'?: boolean
  readonly yes?: boolean
  /** Whether rows without a live item make the exit code 5. */
  readonly strict?: boolean
  readonly 'held-file'?: string
  readonly 'max-calls'?: number
}

/** What a command that sends rows has of its own. */
export interface RowsCommand<T> {
  readonly flags: RowsFlags
  /** The file that the rows come from. */
  readonly input?: string
  /** Files that it writes beside those of held and failed rows, by flag. None of them may be the input. */
  readonly outputs?: Readonly<Record<string, string | undefined>>
  /** Whether the plan is only shown; by default with --dry-run. */
  readonly showOnly?: boolean
  /** Reads the rows and the live list, and plans. */
  plan(): Promise<RowsPlan<T>>
}

/** The rows of a plan, as a job takes them and as a person sees them. */
export interface PlannedKind<T> {
  readonly kind: BulkKind
  readonly form: InputForm
  readonly blind?: boolean
  readonly summary: PlanSummaryShown
  readonly rows: Iterable<NewBulkRow>
  /** What the rows are, in the question: "new price". */
  readonly noun: string
  /** What happens to them, in the totals; "to change" by default. */
  readonly toDo?: string
  readonly shown: PlanShown<T>
}

export interface RowsPlan<T> extends PlannedKind<T> {
  readonly title: string
  /** The jobs that it undoes. */
  readonly undoOf?: readonly number[]
  /** Calls made for the plan. */
  readonly calls: number
  /** What is done to the rows, in the question: "Send". */
  readonly verb: string
  /** Whether each row was typed on the command line. */
  readonly typed?: boolean
  /** Set where items of the shop are in a discount, which the job is taken into. */
  readonly during?: PricesDuringDiscounts
  /** Asks for what must be accepted beside the rows. */
  accept?(): Promise<void>
  /** What can be done next, after the plan was only shown. */
  readonly next?: string
}

/**
 * Plans rows, and shows the plan or sends it: prints the totals, asks, writes the job with everything it will send, and runs it. If nothing
 * is to be sent and nothing held, no job is created.
 * @returns the plan, where it is only shown; else the result of the run
 * @throws {SellerError} usage for a file that would be overwritten, or a binding that cannot carry the rows; guard (6) without a yes, before
 * anything is written; what the plan and runJob throw
 */
export function runRows<T extends { readonly State: string }>(ctx: Context, command: RowsCommand<T>): Promise<Result> {
  return prepare(ctx, command).then((prepared) => (typeof prepared === 'function' ? prepared() : prepared))
}

/**
 * Everything before the first call of the job. What it returns refers to the job, but not to its rows: with the plan behind them,
 * they are 60 MB for a million items and would otherwise stay in memory during the run.
 */
async function prepare<T extends { readonly State: string }>(
  ctx: Context,
  command: RowsCommand<T>,
): Promise<Result | (() => Promise<Result>)> {
  const { flags, input, outputs } = command
  refuseOverwriting(ctx, input, { ...outputs, '--held-file': flags['held-file'], '--failed-file': flags['failed-file'] })
  ctx.ifInterrupted({ sent: 'Nothing was sent.', again: true })
  const plan = await command.plan()
  const { kind, title, form, blind, undoOf, rows, summary, calls, verb, noun, toDo, typed = false, during } = plan
  const { output } = ctx
  if (command.showOnly ?? flags['dry-run'] === true) {
    return { shown: [shownPlan(plan, plan.next)], code: EXIT.ok, plan: summary, waiting: true }
  }
  await plan.accept?.()
  output.note(planSummary(summary, toDo))
  warnStoppedPlan(ctx, summary.Stopped)
  const { Change, Held, Unknown, Unchanged } = summary
  if (Change + Held + Unknown === 0) {
    output.note('There is nothing to send.')
    return resultOf(recordOfNoRun(kind, title, { calls, unchanged: Unchanged }), EXIT.ok)
  }
  refuseBinding(ctx, kind)
  if (Change > 0) {
    const wait = flags.wait || flags.verify === true
    await printCallEstimate(ctx, { sending: summary.Calls, made: calls, maxCalls: flags['max-calls'], wait })
  }
  await confirmRows(ctx, { rows: Change, verb, noun, yes: flags.yes, typed, plan: summary, shown: firstRows(plan) })
  const ledger = await ctx.ledger()
  const { name: profile, settings } = ctx.profile
  const job = createBulkJob(ledger, {
    ...{ kind, profile, userId: settings.user_id, title, form, blind, undoOf },
    rows: during === undefined ? rows : during.sending(rows),
    // A plan of prices already has an index of its ids. For other kinds the check is cheap beside one call per row.
    distinct: kind === 'price',
    recorded(jobId) {
      during?.record(jobId)
      ctx.onJob?.(ledger, jobId)
    },
  })
  const heldFile = await writeHeldRows(ctx, job, flags['held-file'], flags['failed-file'])
  warnHeldRows(ctx, ledger, job, { heldFile, stopped: summary.Stopped ?? null, heldBy: summary.HeldBy })
  warnSkippedRows(ctx, ledger, job)
  const after = { skipped: skippedCode(summary, flags.strict === true), settles: during !== undefined }
  return runLater(
    ctx,
    { jobId: job.JobId, flags, callsBefore: calls, heldFile },
    { ...after, unchanged: Unchanged, fees: summary.Fees },
  )
}

interface After {
  /** The exit code for rows without a live item. */
  readonly skipped: ExitCode
  /** Whether the job is taken into the discounts of the shop once it has ended. */
  readonly settles: boolean
  readonly unchanged: number
  /** Kronor. */
  readonly fees: number | undefined
}

/** Outside `prepare`, because every function inside it would keep its variables in memory. */
function runLater(ctx: Context, run: JobRun, { skipped, settles, ...more }: After): () => Promise<Result> {
  return async () => {
    const ended = runJob(ctx, await ctx.client(), run)
    const end = await (settles ? settledAfter(ctx, ended) : ended)
    return resultOf(recordOfRun(end, more), worseExitCode(end.code, skipped))
  }
}

function resultOf(record: JobRunRecord, code: ExitCode): Result {
  return { shown: [shownRecord(jobRunView, record)], code, jobs: [record] }
}

/** The exit code for rows without a live item: 0 if the others were sent, unless `strict` asks for more. */
function skippedCode({ Change, Held, Unchanged, Unknown }: PlanSummaryShown, strict: boolean): ExitCode {
  if (Unknown === 0) return EXIT.ok
  if (strict) return EXIT.someRowsFailed
  // If no item is live, the file belongs to another shop or another time.
  return Change + Held + Unchanged === 0 ? EXIT.held : EXIT.ok
}
