/** Runs a job for a person: its progress, what stopped it, how it ended, how to continue, and the exit code. */

import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../cli/errors.js'
import { toSellerError } from '../../cli/translate.js'
import type { JobRunRecord } from '../../format/views/index.js'
import {
  type BulkJob,
  type BulkOutcome,
  type BulkVerdict,
  bulkJob,
  type Difference,
  runBulkJob,
  verifyBulkJob,
} from '../../jobs/bulk/index.js'
import { noCounts } from '../../jobs/index.js'
import type { LiveItems } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { LISTED, liveItems, RUNNING, SHOP, SHOP_STOCK } from '../prices/live.js'
import type { Absence } from '../prices/seen.js'
import { printCallCount } from './budget.js'
import { RunProgress } from './progress.js'
import { writeFailedRows } from './refused-rows.js'
import { errorOfStop, hintUndo, printDifferences, resumeCommand, warnMovedRows, warnUnfinishedRows } from './words.js'

export interface RunFlags extends Absence {
  readonly wait: boolean
  /** ms */
  readonly timeout: number
  readonly verify?: boolean
  readonly concurrency?: number
  readonly 'failed-file'?: string
}

export interface JobRun {
  readonly jobId: number
  readonly flags: RunFlags
  readonly retryFailed?: boolean
  /** The seller's choice for rows of unknown outcome. */
  readonly unknown?: 'send-again' | 'assume-sent'
  /** The rows that the choice is for; by default all of them. */
  readonly unknownRows?: ReadonlySet<number>
  /** Reads the live list, so that rows whose price changed since the plan are held. */
  readonly live?: () => LiveItems
  /** Calls made in this run before. */
  readonly callsBefore: number
  readonly unchanged?: number
  /** Kronor. */
  readonly fees?: number
  readonly heldFile?: string | null
}

/** The exit code of each result. */
export const CODES: Readonly<Record<BulkVerdict, ExitCode>> = {
  unknown_outcome: EXIT.unknownOutcome,
  quota: EXIT.quota,
  interrupted: EXIT.interrupted,
  stopped: EXIT.failure,
  rows_failed: EXIT.someRowsFailed,
  held: EXIT.held,
  pending: EXIT.pending,
  ok: EXIT.ok,
}

/**
 * Sends what is unsent, waits and verifies if asked, and reports the result on stderr.
 * @throws {SellerError} if it stopped before everything was sent: the reason, the job and the command that continues. The exit
 * code is the most serious one that applies.
 */
export async function runJob(ctx: Context, client: SoapClient, run: JobRun): Promise<{ record: JobRunRecord; code: ExitCode }> {
  const { jobId, flags } = run
  const ledger = await ctx.ledger()
  const wait = flags.wait || flags.verify === true
  const before = bulkJob(ledger, jobId)
  const progress = new RunProgress(ctx, before, { ...run, next: resumeCommand(ctx, jobId, wait) })
  let outcome: BulkOutcome
  try {
    outcome = await runBulkJob({
      ledger,
      client,
      clock: ctx.clock,
      jobId,
      concurrency: flags.concurrency,
      wait,
      timeoutMs: flags.timeout,
      retryFailed: run.retryFailed,
      retryUnknown: run.unknown === 'send-again',
      assumeUnknown: run.unknown === 'assume-sent',
      unknownRows: run.unknownRows,
      live: run.live,
      signal: ctx.signal,
      onProgress: (step) => progress.update(step),
    })
  } finally {
    progress.stop()
  }
  const { job, calls, verdict } = outcome
  const failedFile = await writeFailedRows(ctx, job, flags['failed-file'])
  if (outcome.moved > 0) warnMovedRows(ctx, job, outcome.moved)
  warnUnfinishedRows(ctx, job, { ledger, timedOut: outcome.timedOut, failedFile })
  if (outcome.stop !== null) {
    await printCallCount(ctx, run.callsBefore + calls)
    throw errorOfStop(ctx, job, { stop: outcome.stop, error: outcome.error, verdict: CODES[verdict], wait })
  }
  const verified = flags.verify === true ? await verifyRun(ctx, client, job) : { differences: null, code: EXIT.ok, calls: 0 }
  const made = run.callsBefore + calls + verified.calls
  await printCallCount(ctx, made)
  hintUndo(ctx, job)
  const record: JobRunRecord = {
    JobId: job.JobId,
    Kind: job.Kind,
    Title: job.Title,
    State: job.State,
    Message: job.Message,
    Counts: job.Counts,
    Unchanged: run.unchanged ?? 0,
    Calls: made,
    Fees: run.fees ?? 0,
    UndoOf: job.UndoOf,
    HeldFile: run.heldFile ?? null,
    FailedFile: failedFile,
    Differences: verified.differences,
    Unknown: null,
  }
  return { record, code: worseExitCode(CODES[verdict], verified.code) }
}

/** The list that shows what a job did. */
export function listOf(kind: BulkJob['Kind']) {
  if (kind === 'stock') return SHOP_STOCK
  if (kind === 'price' || kind === 'remove') return SHOP
  return kind === 'auction-price' ? RUNNING : LISTED
}

/** Reads the list again. If that fails, it is reported; it does not change what was sent. */
async function verifyRun(
  ctx: Context,
  client: SoapClient,
  job: BulkJob,
): Promise<{ differences: readonly Difference[] | null; code: ExitCode; calls: number }> {
  const ledger = await ctx.ledger()
  try {
    const found = await verifyBulkJob(ledger, job.JobId, liveItems(ctx, client, { ...listOf(job.Kind), absence: {} }))
    printDifferences(ctx, found)
    // A row that is still queued may still reach its price.
    const differs = found.Differences.some(({ State }) => State === 'ok')
    return { differences: found.Differences, code: differs ? EXIT.someRowsFailed : EXIT.ok, calls: 1 }
  } catch (error) {
    const failure = toSellerError(error)
    if (failure.exitCode === EXIT.interrupted) throw failure
    ctx.output.warn(`The result could not be verified, because the live list could not be read: ${failure.message}`)
    return { differences: null, code: failure.exitCode, calls: 1 }
  }
}

/** The result of a run with nothing to send. */
export function recordOfNoRun(
  kind: BulkJob['Kind'] | null,
  title: string | null,
  { calls, unchanged }: { calls: number; unchanged: number },
): JobRunRecord {
  return {
    JobId: null,
    Kind: kind,
    Title: title,
    State: 'ok',
    Message: null,
    Counts: noCounts(),
    Unchanged: unchanged,
    Calls: calls,
    Fees: 0,
    UndoOf: null,
    HeldFile: null,
    FailedFile: null,
    Differences: null,
    Unknown: null,
  }
}

/** A job of rows runs only for its own shop. @throws {SellerError} usage */
export function refuseOtherShop(ctx: Context, job: { JobId: number; Profile: string; UserId: number | null }): void {
  const { name, settings } = ctx.profile
  const user = settings.user_id
  if (job.Profile === name && (job.UserId === null || user === undefined || job.UserId === user)) return
  const whose = job.UserId === null ? '' : `, seller ${job.UserId}`
  throw new SellerError(
    'wrong_profile',
    `Job ${job.JobId} belongs to the profile "${job.Profile}"${whose}, but the current profile is "${name}"${user === undefined ? '' : `, seller ${user}`}.`,
    `Use --profile ${job.Profile} with the credentials of that seller.`,
    { jobId: job.JobId, profile: job.Profile },
  )
}
