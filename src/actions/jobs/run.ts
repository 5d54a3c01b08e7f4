/** Runs a job for a person: its progress, what stopped it, how it ended, how to continue, and the exit code. */

import type { Context } from '../../cli/context.js'
import { toSellerError } from '../../cli/translate.js'
import { BULK_KINDS, type ShownJob } from '../../contract/jobs.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../errors/index.js'
import {
  type BulkJob,
  type BulkOutcome,
  type BulkVerdict,
  bulkJob,
  bulkRows,
  bulkVerdict,
  type Difference,
  hasParts,
  listParts,
  refuseDropped,
  runBulkJob,
  UPDATED_FIELDS,
  verifyBulkJob,
  wholeJob,
} from '../../jobs/bulk/index.js'
import { type JobRecord, type Ledger, postpone, readPace, settleClock, shownState } from '../../jobs/index.js'
import { blank, run, say } from '../../messages/index.js'
import type { LiveItems } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { HOUR_MS, MINUTE_MS } from '../../system/durations.js'
import { photosOf } from '../input/photos.js'
import { isOwn, otherShopWords } from '../own.js'
import { LISTED, liveItemsFor, RUNNING, SHOP } from '../prices/live.js'
import type { Absence } from '../prices/seen.js'
import { printCallCount } from './confirm.js'
import { RunProgress } from './progress.js'
import { type RefusedRowsFlags, writeFailedRows } from './refused-rows.js'
import { errorOfStop, hintUndo, noteLater, printDifferences, resumeCommand, warnMovedRows, warnUnfinishedRows } from './words.js'

export interface RunFlags extends Absence, Omit<RefusedRowsFlags, 'held-file'> {
  readonly wait: boolean
  /** ms */
  readonly timeout: number
  readonly verify?: boolean | undefined
  readonly concurrency?: number | undefined
}

export interface JobRun {
  readonly jobId: number
  readonly flags: RunFlags
  readonly retryFailed?: boolean | undefined
  /** The seller's choice for rows of unknown outcome. */
  readonly unknown?: 'send-again' | 'assume-sent' | undefined
  /** The rows that the choice is for; by default all of them. */
  readonly unknownRows?: ReadonlySet<number> | undefined
  /**
   * Reads the live list before rows of a part are sent, so that those whose price changed since the plan are held; undefined for
   * a new plan.
   */
  readonly recheck?: ((part: BulkJob) => (() => LiveItems) | undefined) | undefined
  /** Calls made in this run before. */
  readonly callsBefore?: number | undefined
  readonly heldFile?: string | null | undefined
}

/** Outcome of a run of a job. */
export interface JobRunEnd {
  readonly job: ShownJob
  /** The jobs of its rows: its parts, or itself. */
  readonly parts: readonly BulkJob[]
  readonly calls: number
  readonly heldFile: string | null
  readonly failedFile: string | null
  /** null if the list was not read again. */
  readonly differences: readonly Difference[] | null
  readonly code: ExitCode
}

/** The exit code of each result. */
const CODES: Readonly<Record<BulkVerdict, ExitCode>> = {
  unknown_outcome: EXIT.unknownOutcome,
  quota: EXIT.quota,
  interrupted: EXIT.interrupted,
  stopped: EXIT.failure,
  rows_failed: EXIT.someRowsFailed,
  held: EXIT.held,
  pending: EXIT.pending,
  ok: EXIT.ok,
}

/** Names of a job's parts while they are sent. */
const PARTS: Readonly<Record<string, string>> = {
  price: 'prices',
  stock: 'numbers in stock',
  update: 'fields',
  'add-shop': 'new items',
  remove: 'removals',
}

/**
 * Sends what is unsent, waits and verifies if asked, and reports the result on stderr. Of a job with parts, one is sent after
 * another and then all are waited for; one that stops early stops those after it.
 * @throws {SellerError} if it stopped before everything was sent: the reason, the job and the command that continues. The exit
 * code is the most serious one that applies. JobsError codes `job_locked`, `job_over`
 */
export async function runJob(ctx: Context, client: SoapClient, run: JobRun): Promise<JobRunEnd> {
  const ledger = await ctx.ledger()
  const runner = new JobRunner(ctx, client, ledger, run)
  if (!hasParts(ledger.jobs.show(run.jobId).Kind)) return runner.run()
  const lock = ledger.jobs.lock(run.jobId)
  try {
    refuseDropped(ledger.jobs.show(run.jobId))
    return await runner.run()
  } finally {
    lock.release()
  }
}

class JobRunner {
  readonly #ctx: Context
  readonly #client: SoapClient
  readonly #ledger: Ledger
  readonly #run: JobRun
  #calls: number
  #last: Pick<BulkOutcome, 'stop' | 'error'> = { stop: null, error: null }
  #timedOut = false
  /** Rows that wait for their time. */
  #later = 0

  constructor(ctx: Context, client: SoapClient, ledger: Ledger, run: JobRun) {
    this.#ctx = ctx
    this.#client = client
    this.#ledger = ledger
    this.#run = run
    this.#calls = run.callsBefore ?? 0
  }

  async run(): Promise<JobRunEnd> {
    const { jobId, flags } = this.#run
    settleClock(this.#ledger)
    const wait = flags.wait || flags.verify === true
    const [only, ...others] = this.#parts()
    if (only?.JobId === jobId && others.length === 0) {
      await this.#part(only, readPace(this.#ledger, only)?.left !== 0, wait, flags.timeout)
      return this.#end(wait)
    }
    for (const { JobId } of this.#parts()) {
      const part = bulkJob(this.#ledger, JobId)
      // Rows of another day are not compared with the live list today.
      const sends = this.#hasToSend(part) && readPace(this.#ledger, part)?.left !== 0
      if (sends || (!wait && part.Counts.queued > 0)) await this.#part(part, sends, false, 0)
    }
    const { clock } = this.#ctx
    const deadline = clock.now() + flags.timeout
    for (const part of wait ? this.#parts() : []) {
      if (part.Counts.queued === 0) continue
      await this.#part(part, false, true, Math.max(0, deadline - clock.now()))
    }
    return this.#end(wait)
  }

  #parts(): readonly BulkJob[] {
    return listParts(this.#ledger, this.#run.jobId)
  }

  #hasToSend({ Counts }: BulkJob): boolean {
    const { retryFailed, unknown } = this.#run
    const { unsent, sending, failed, retryable } = Counts
    if (unsent + sending > 0 || (retryFailed === true && failed + retryable > 0)) return true
    return unknown !== undefined && Counts.unknown > 0
  }

  /** Runs a part, unless the one before it was stopped. */
  async #part(part: BulkJob, sends: boolean, waits: boolean, timeoutMs: number): Promise<void> {
    if (this.#last.stop !== null) return
    const { jobId, flags, retryFailed, unknown, unknownRows, recheck } = this.#run
    const ctx = this.#ctx
    const live = sends ? recheck?.(part) : undefined
    if (live !== undefined) this.#calls++
    const next = resumeCommand(jobId, flags.wait || flags.verify === true)
    const name = part.JobId === jobId ? undefined : `Job ${jobId}, ${PARTS[part.Kind] ?? part.Kind}`
    const progress = new RunProgress(ctx, part, { ...this.#run, next, name })
    try {
      const { calls, stop, error, moved, timedOut, later } = await runBulkJob({
        ledger: this.#ledger,
        client: this.#client,
        clock: ctx.clock,
        jobId: part.JobId,
        concurrency: flags.concurrency,
        wait: waits,
        timeoutMs,
        // Only while sending: what has failed now has been tried again.
        retryFailed: sends && retryFailed,
        retryUnknown: sends && unknown === 'send-again',
        assumeUnknown: sends && unknown === 'assume-sent',
        unknownRows,
        live,
        pictures: { userAgent: ctx.userAgent, trace: ctx.trace, keepMetadata: photosOf(ctx).options.keepMetadata },
        signal: ctx.signal,
        onProgress: (step) => progress.update(step),
      })
      this.#calls += calls
      this.#last = { stop, error }
      this.#timedOut ||= waits && timedOut
      this.#later = later
      if (moved > 0) warnMovedRows(ctx, { ...part, JobId: jobId }, moved)
    } finally {
      progress.stop()
    }
  }

  /** Says when jobs:due goes on with a job that is sent by the day, where that is not decided by its pace alone. */
  #postpone({ JobId, Counts }: JobRecord, stop: BulkOutcome['stop']): void {
    const now = this.#ctx.clock.now()
    const isRefused = stop !== null && stop !== 'network' && stop !== 'interrupted'
    const isSent = Counts.unsent + Counts.sending === 0
    postpone(this.#ledger, JobId, isRefused ? now + REFUSED_MS : isSent ? now + LOOK_MS : null)
  }

  async #end(wait: boolean): Promise<JobRunEnd> {
    const ctx = this.#ctx
    const ledger = this.#ledger
    const { jobId, flags, heldFile = null } = this.#run
    const job = wholeJob(ledger, jobId)
    const parts = this.#parts()
    const ids = parts.map(({ JobId }) => JobId)
    let fileCode: ExitCode = EXIT.ok
    const failedFile = await writeFailedRows(ctx, job, flags, ids).catch((error: unknown) => {
      if (!(error instanceof SellerError) || error.code !== 'unwritable_file') throw error
      // The rows were sent, so the result is shown all the same.
      fileCode = EXIT.failure
      ctx.output.warn(
        say`${error.words} Write the rows with: ${run('jobs:show', { id: jobId, '--failed': true, '--out': blank('FILE') })}`,
      )
      return null
    })
    const { stop, error } = this.#last
    const pace = readPace(ledger, job)
    if (pace !== undefined) this.#postpone(job, stop)
    const later = pace !== undefined && pace.left === 0 && stop === null ? job.Counts.unsent : this.#later
    warnUnfinishedRows(ctx, ledger, job, parts, { timedOut: this.#timedOut, failedFile, stopped: stop !== null })
    const verdict = worseExitCode(CODES[bulkVerdict(job.Counts, stop, this.#timedOut, later)], fileCode)
    if (stop !== null) {
      await printCallCount(ctx, this.#calls)
      throw errorOfStop(job, { stop, error, verdict, wait })
    }
    const verification = flags.verify === true ? await verifyParts(ctx, this.#client, parts) : NOT_VERIFIED
    const calls = this.#calls + verification.calls
    await printCallCount(ctx, calls)
    if (later > 0) noteLater(ctx, job)
    hintUndo(ctx, job, parts)
    const { differences } = verification
    return {
      job: { ...job, State: shownState(ledger, job) },
      parts,
      calls,
      heldFile,
      failedFile,
      differences,
      code: worseExitCode(verdict, verification.code),
    }
  }
}

/** Time until a job that is sent by the day is tried again after a refusal of more, ms. */
const REFUSED_MS = HOUR_MS
/** Time until the results of its last rows are looked at, ms. */
const LOOK_MS = 10 * MINUTE_MS

interface Verified {
  readonly differences: readonly Difference[] | null
  readonly code: ExitCode
  readonly calls: number
}
const NOT_VERIFIED: Verified = { differences: null, code: EXIT.ok, calls: 0 }

/** The list that shows what a job did. */
export function listOf(kind: BulkJob['Kind']) {
  const { sets } = BULK_KINDS[kind]
  if (sets !== undefined) return { ...SHOP, also: [sets.live] }
  if (kind === 'update') return { ...SHOP, also: UPDATED_FIELDS }
  if (kind === 'price' || kind === 'remove') return SHOP
  return kind === 'auction-price' || kind === 'relist' ? RUNNING : LISTED
}

async function verifyParts(ctx: Context, client: SoapClient, parts: readonly BulkJob[]): Promise<Verified> {
  let all = NOT_VERIFIED
  for (const part of parts) {
    const { differences, code, calls } = await verifyRun(ctx, client, part)
    const both = differences === null ? all.differences : [...(all.differences ?? []), ...differences]
    all = { differences: both, code: worseExitCode(all.code, code), calls: all.calls + calls }
  }
  return all
}

/** The items of jobs' rows, read as far as they are asked for. 0 stands for an item that has no id. */
export function* rowsOfJobs(ledger: Ledger, jobIds: readonly number[]): Generator<{ readonly id: number }> {
  for (const jobId of jobIds) for (const { Id } of bulkRows(ledger, jobId)) yield { id: Id ?? 0 }
}

/** Reads the list again. If that fails, it is reported; it does not change what was sent. */
async function verifyRun(ctx: Context, client: SoapClient, job: BulkJob): Promise<Verified> {
  const ledger = await ctx.ledger()
  try {
    // An item that should be gone is looked for in the list.
    const rows = job.Kind === 'remove' ? undefined : rowsOfJobs(ledger, [job.JobId])
    const { items, calls } = await liveItemsFor(ctx, client, { ...listOf(job.Kind), absence: {} }, rows)
    const verification = await verifyBulkJob(ledger, job.JobId, items)
    printDifferences(ctx, verification)
    // A row that is still queued may still reach its price.
    const differs = verification.Differences.some(({ State }) => State === 'ok')
    return { differences: verification.Differences, code: differs ? EXIT.someRowsFailed : EXIT.ok, calls }
  } catch (error) {
    const failure = toSellerError(error)
    if (failure.exitCode === EXIT.interrupted) throw failure
    ctx.output.warn(`The result could not be verified, because the live list could not be read: ${failure.message}`)
    return { differences: null, code: failure.exitCode, calls: 1 }
  }
}

/** A job of rows runs only for its own shop. @throws {SellerError} usage */
export function refuseOtherShop(ctx: Context, job: Pick<JobRecord, 'JobId' | 'Profile' | 'UserId'>): void {
  if (isOwn(ctx, job)) return
  throw new SellerError(
    'wrong_profile',
    `Job ${job.JobId} belongs to ${otherShopWords(ctx, job)}.`,
    `Use --profile ${job.Profile} with the credentials of that seller.`,
    { jobId: job.JobId, profile: job.Profile },
  )
}
