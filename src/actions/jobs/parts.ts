/** Runs a job that has parts: one part after another, then one wait for all. The seller sees one job, one result, one exit code. */
import type { Context } from '../../cli/context.js'
import type { ExitCode } from '../../cli/errors.js'
import type { SyncRunRecord } from '../../format/views/index.js'
import {
  type BulkJob,
  type BulkOutcome,
  bulkJob,
  partsOf,
  refuseDropped,
  runBulkJob,
  verdictOf,
  wholeJob,
} from '../../jobs/bulk/index.js'
import type { JobRecord, Ledger } from '../../jobs/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { printCallCount } from './budget.js'
import { RunProgress } from './progress.js'
import { recheckOf } from './recheck.js'
import { writeFailedRows } from './refused-rows.js'
import { CODES, type RunFlags } from './run.js'
import { errorOfStop, hintUndo, resumeCommand, warnMovedRows, warnUnfinishedRows } from './words.js'

export interface PartsRun {
  readonly jobId: number
  readonly flags: Omit<RunFlags, 'verify'>
  readonly retryFailed?: boolean
  /** Price rows are sent as planned, without comparing them with the live list first. */
  readonly asPlanned?: boolean
  /** The seller's choice for rows of unknown outcome, and the rows of new items that it is for. */
  readonly unknown?: 'send-again' | 'assume-sent'
  readonly unknownRows?: ReadonlySet<number>
  /** Calls made in this run before. */
  readonly callsBefore: number
  readonly heldFile?: string | null
}

/** What the parts are called while they are sent. */
const NAMES: Readonly<Record<string, string>> = {
  price: 'prices',
  stock: 'numbers in stock',
  'add-shop': 'new items',
  remove: 'removals',
}

/**
 * Sends what is unsent of all parts, waits if asked, and reports the result on stderr. A part that stops early stops those after it.
 * @throws {SellerError} if it stopped before everything was sent: the reason, the job and the command that continues; JobsError codes
 * `job_locked`, `job_over`
 */
export async function runParts(
  ctx: Context,
  client: SoapClient,
  run: PartsRun,
): Promise<{ record: SyncRunRecord; code: ExitCode }> {
  const ledger = await ctx.ledger()
  const lock = ledger.jobs.lock(run.jobId)
  try {
    refuseDropped(ledger.jobs.show(run.jobId))
    return await new PartsRunner(ctx, client, ledger, run).run()
  } finally {
    lock.release()
  }
}

class PartsRunner {
  readonly #ctx: Context
  readonly #client: SoapClient
  readonly #ledger: Ledger
  readonly #run: PartsRun
  #calls: number
  #last: Pick<BulkOutcome, 'stop' | 'error'> = { stop: null, error: null }
  #timedOut = false

  constructor(ctx: Context, client: SoapClient, ledger: Ledger, run: PartsRun) {
    this.#ctx = ctx
    this.#client = client
    this.#ledger = ledger
    this.#run = run
    this.#calls = run.callsBefore
  }

  async run(): Promise<{ record: SyncRunRecord; code: ExitCode }> {
    const { wait, timeout } = this.#run.flags
    await this.#each((part) => this.#hasToSend(part) || (!wait && part.Counts.queued > 0), false)
    const deadline = this.#ctx.clock.now() + timeout
    if (wait)
      await this.#each(
        ({ Counts }) => Counts.queued > 0,
        true,
        () => Math.max(0, deadline - this.#ctx.clock.now()),
      )
    return this.#end()
  }

  #hasToSend({ Counts }: BulkJob): boolean {
    const { retryFailed, unknown } = this.#run
    const { unsent, sending, failed, retryable } = Counts
    if (unsent + sending > 0 || (retryFailed === true && failed + retryable > 0)) return true
    return unknown !== undefined && Counts.unknown > 0
  }

  async #each(wanted: (part: BulkJob) => boolean, wait: boolean, timeoutMs = () => 0): Promise<void> {
    for (const { JobId } of partsOf(this.#ledger, this.#run.jobId)) {
      const part = bulkJob(this.#ledger, JobId)
      if (this.#last.stop === null && wanted(part)) await this.#part(part, wait, timeoutMs())
    }
  }

  async #part(part: BulkJob, wait: boolean, timeoutMs: number): Promise<void> {
    const { retryFailed, unknown, unknownRows, asPlanned, flags, jobId } = this.#run
    const ledger = this.#ledger
    const live = recheckOf(this.#ctx, this.#client, ledger, part, { 'retry-failed': retryFailed, 'as-planned': asPlanned })
    if (live !== undefined) this.#calls++
    const next = resumeCommand(this.#ctx, jobId, flags.wait)
    const progress = new RunProgress(this.#ctx, part, {
      ...this.#run,
      next,
      name: `Job ${jobId}, ${NAMES[part.Kind] ?? part.Kind}`,
    })
    try {
      const { calls, stop, error, moved, timedOut } = await runBulkJob({
        ledger,
        client: this.#client,
        clock: this.#ctx.clock,
        jobId: part.JobId,
        concurrency: flags.concurrency,
        wait,
        timeoutMs,
        // Only while sending: what has failed now has been tried again.
        retryFailed: !wait && retryFailed,
        retryUnknown: !wait && unknown === 'send-again',
        assumeUnknown: !wait && unknown === 'assume-sent',
        unknownRows,
        live,
        signal: this.#ctx.signal,
        onProgress: (step) => progress.update(step),
      })
      this.#calls += calls
      this.#last = { stop, error }
      this.#timedOut ||= wait && timedOut
      if (moved > 0) warnMovedRows(this.#ctx, { ...part, JobId: jobId }, moved)
    } finally {
      progress.stop()
    }
  }

  async #end(): Promise<{ record: SyncRunRecord; code: ExitCode }> {
    const ctx = this.#ctx
    const ledger = this.#ledger
    const { jobId, flags } = this.#run
    const whole = wholeJob(ledger, jobId)
    const parts = partsOf(ledger, jobId)
    const ids = parts.map(({ JobId }) => JobId)
    const failedFile = await writeFailedRows(ctx, whole, flags['failed-file'], ids)
    warnUnfinishedRows(ctx, whole, { ledger, timedOut: this.#timedOut, failedFile, parts })
    const { stop, error } = this.#last
    const verdict = CODES[verdictOf(whole.Counts, stop, this.#timedOut)]
    await printCallCount(ctx, this.#calls)
    if (stop !== null) throw errorOfStop(ctx, whole, { stop, error, verdict, wait: flags.wait })
    for (const part of parts) hintUndo(ctx, part)
    const record = recordOfParts(whole, parts, { calls: this.#calls, heldFile: this.#run.heldFile ?? null, failedFile })
    return { record, code: verdict }
  }
}

/** The result of a job with parts, without what only the comparison knows. */
function recordOfParts(
  whole: JobRecord,
  parts: readonly BulkJob[],
  { calls, heldFile, failedFile }: { calls: number; heldFile: string | null; failedFile: string | null },
): SyncRunRecord {
  const taken = (kind: BulkJob['Kind']): number =>
    parts.filter(({ Kind }) => Kind === kind).reduce((sum, { Counts }) => sum + Counts.ok + Counts.queued, 0)
  return {
    JobId: whole.JobId,
    Kind: 'sync',
    Title: whole.Title,
    State: whole.State,
    Message: whole.Message,
    Added: taken('add-shop'),
    Repriced: taken('price'),
    Restocked: taken('stock'),
    Removed: taken('remove'),
    Counts: whole.Counts,
    Unchanged: null,
    Pending: null,
    Missing: null,
    WithoutReference: null,
    ByHand: null,
    Calls: calls,
    HeldFile: heldFile,
    FailedFile: failedFile,
    Parts: parts.map(({ JobId, Kind, State, Counts }) => ({ JobId, Kind, State, Counts })),
    Unknown: null,
  }
}
