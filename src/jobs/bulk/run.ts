/** Runs a job: sends what is unsent, reads the results of what is queued, and reports on each row. */
import { minuteOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { held } from '../../holds/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { BudgetError } from '../ledger/errors.js'
import type { Ledger } from '../ledger/ledger.js'
import { PaceMeter, readPace } from '../ledger/paced.js'
import type { Batch } from './batch.js'
import { refuseDropped } from './drop.js'
import { askAgain, BulkJournal, countJobRows, recoverSending } from './journal.js'
import { recordCounts } from './outcome.js'
import { hasPayload } from './payloads.js'
import { holdMovedRows } from './recheck.js'
import { Sender } from './send.js'
import { bulkJob } from './show.js'
import { STRATEGIES, type Strategy } from './strategies.js'
import type { BulkCounts, BulkJob, BulkKind, BulkOutcome, BulkProgress, BulkStop, BulkVerdict, RunBulkOptions } from './types.js'
import { waitForRows } from './wait.js'

const DEFAULT_TIMEOUT_MS = 10 * 60 * 1000

/**
 * Runs or resumes a job. First it reads the results of queued rows; then it sends everything unsent, with up to `concurrency`
 * calls at once; then, with `wait`, it waits for results. It ends early if the service or the network does not let it continue.
 * Everything is in the ledger, and another run continues from there.
 * @throws JobsError code `job_locked` while another process runs it, `job_not_found`, `no_bulk_job`, `job_over` if it was
 * dropped; LedgerError
 */
export async function runBulkJob(options: RunBulkOptions): Promise<BulkOutcome> {
  const { ledger, jobId, clock, client, signal } = options
  const job = bulkJob(ledger, jobId)
  const lock = ledger.jobs.lock(jobId)
  try {
    refuseDropped(ledger.jobs.show(jobId))
    const journal = new BulkJournal(ledger, jobId)
    const strategy = STRATEGIES[job.Kind]
    recoverSending(journal, strategy)
    applyChoices(journal, strategy, options)
    askAgain(journal, strategy)
    const movedCount =
      options.live === undefined || journal.tally.unsent === 0 ? 0 : await holdMovedRows(ledger, journal, job, options.live())
    refuseUnreadable(journal, job.Kind)
    const progress = new ProgressMeter(options, journal.tally)
    const countingClient = progress.counting(client)
    let outcome: { stop: BulkStop | null; error: unknown } = { stop: null, error: null }
    let timedOut = false
    const look = async (timeoutMs: number) => {
      const waitOutcome = await waitForRows({
        journal,
        client: countingClient,
        clock,
        signal,
        timeoutMs,
        lock,
        report: progress.waiting,
      })
      timedOut = waitOutcome.timedOut
      if (waitOutcome.stop !== null) outcome = waitOutcome
    }
    // Requests queued by an earlier run may be done by now. The answer also shows whether the service can be reached at all.
    if (journal.tally.queued > 0 && (journal.tally.unsent > 0 || options.wait !== true)) await look(0)
    if (outcome.stop === null && journal.tally.unsent > 0) {
      const { concurrency } = options
      outcome = await new Sender({
        ledger,
        client: countingClient,
        journal,
        strategy,
        profile: job.Profile,
        concurrency,
        signal,
        lock,
        pictures: options.pictures ?? { userAgent: 'seller' },
        pace: PaceMeter.of(ledger, jobId),
        onCall: progress.sending,
      }).run()
    }
    if (outcome.stop === null && options.wait === true && journal.tally.queued > 0)
      await look(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    // Decided by the rows and not by the clock: for rows that are still queued, the wait was too short.
    const waitExpired = outcome.stop === null && options.wait === true && (timedOut || journal.tally.queued > 0)
    const waitingNote = rowsOfAnotherDay(ledger, job, journal) ?? waitingRows(journal, strategy, clock.now())
    recordCounts(
      ledger,
      jobId,
      journal.tally,
      outcome.stop === null ? waitingNote.words : outcome.error instanceof Error ? outcome.error.message : String(outcome.error),
    )
    const finishedJob = bulkJob(ledger, jobId)
    return {
      job: finishedJob,
      calls: progress.calls,
      ...outcome,
      moved: movedCount,
      timedOut: waitExpired,
      later: waitingNote.rows,
      verdict: bulkVerdict(finishedJob.Counts, outcome.stop, waitExpired, waitingNote.rows),
    }
  } finally {
    lock.release()
  }
}

/**
 * Reads all that is still to be sent, before the first call: what is found in the middle would end calls that are under way.
 * @throws JobsError
 */
function refuseUnreadable(journal: BulkJournal, kind: BulkKind): void {
  if (!hasPayload(kind)) return
  for (const batch of journal.all('unsent')) for (const at of batch.places('unsent')) batch.payload(kind, at)
}

/** Applies the seller's choices: rows to send again, or to count as carried out. */
function applyChoices(journal: BulkJournal, { inSteps }: Strategy, options: RunBulkOptions): void {
  const { retryFailed, retryUnknown, assumeUnknown, unknownRows } = options
  const sendAgain = (batch: Batch, at: number): void => {
    // A row in steps asks first for the state of its request.
    if (inSteps?.(batch, at) !== true) batch.requestIds[at] = 0
    batch.set(at, 'unsent')
  }
  journal.transaction(() => {
    for (const state of retryFailed ? (['failed', 'retryable'] as const) : []) journal.change(state, sendAgain)
    if (!retryUnknown && !assumeUnknown) return
    journal.change('unknown', (batch, at) => {
      if (unknownRows?.has(batch.firstRow + at) === false) return
      if (retryUnknown) sendAgain(batch, at)
      else batch.set(at, 'ok', held('taken_as_sent'))
    })
  })
}

/** Rows that are sent later, and when the next one is. */
function waitingRows(journal: BulkJournal, { starts }: Strategy, now: number): { rows: number; words: string | null } {
  if (starts === undefined || journal.tally.unsent === 0) return { rows: 0, words: null }
  const times = [...journal.all('unsent')].flatMap((batch) => batch.places('unsent').map((at) => starts(batch, at)))
  const later = times.filter((time) => time > now)
  const next = later.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
  return {
    rows: later.length,
    words: later.length === 0 ? null : `${later.length} to start later, the next at ${minuteOf(next)}`,
  }
}

/** Rows of a job that is sent by the day, once the day has no more; undefined where it has, and for any other job. */
function rowsOfAnotherDay(ledger: Ledger, job: BulkJob, { tally }: BulkJournal): { rows: number; words: string } | undefined {
  const pace = tally.unsent === 0 ? undefined : readPace(ledger, job)
  if (pace === undefined || pace.left > 0) return undefined
  const { unsent } = countJobRows(ledger, job.PartOf ?? job.JobId)
  return {
    rows: tally.unsent,
    words: `${unsent} to be sent by ${countOf(pace.perDay, 'call')} a day, the next at ${minuteOf(pace.nextAt)}`,
  }
}

/** The result of a run that ended so. @param later rows that wait for their time */
export function bulkVerdict(counts: BulkCounts, stop: BulkStop | null, timedOut: boolean, later = 0): BulkVerdict {
  if (counts.unknown > 0) return 'unknown_outcome'
  if (stop === 'quota' || stop === 'budget') return 'quota'
  if (stop === 'interrupted') return 'interrupted'
  if (stop !== null || counts.unsent - later + counts.sending > 0) return 'stopped'
  if (counts.failed + counts.retryable > 0) return 'rows_failed'
  if (counts.held > 0) return 'held'
  return timedOut ? 'pending' : 'ok'
}

/** Counts and times for progress reports. */
class ProgressMeter {
  calls = 0
  readonly #options: RunBulkOptions
  readonly #tally: BulkCounts
  readonly #began: number
  readonly #unsentAtFirst: number

  constructor(options: RunBulkOptions, tally: BulkCounts) {
    this.#options = options
    this.#tally = tally
    this.#began = options.clock.now()
    this.#unsentAtFirst = tally.unsent
  }

  readonly sending = (): void => this.#report('sending', null)

  /** The client, with its calls counted: a row may take several. One that a budget refuses was not made. */
  counting(client: Pick<SoapClient, 'call'>): Pick<SoapClient, 'call'> {
    return {
      call: async (name, params, options) => {
        this.calls++
        try {
          return await client.call(name, params, options)
        } catch (error) {
          if (error instanceof BudgetError) this.calls--
          throw error
        }
      },
    }
  }

  readonly waiting = (nextLookMs: number, problem?: Error): void => {
    this.#report('waiting', nextLookMs, problem?.message)
  }

  #report(phase: BulkProgress['phase'], nextLookMs: number | null, problem: string | null = null): void {
    const { onProgress, clock } = this.#options
    if (onProgress === undefined) return
    const { unsent, sending, queued, ok, failed, retryable, unknown } = this.#tally
    const rows = unsent + sending + queued + ok + failed + retryable + unknown
    const remaining = unsent + sending
    const elapsedMs = clock.now() - this.#began
    const answeredCount = this.#unsentAtFirst - remaining
    const rowsPerSecond = elapsedMs <= 0 || answeredCount <= 0 ? 0 : (answeredCount / elapsedMs) * 1000
    const leftMs = phase === 'waiting' || rowsPerSecond === 0 ? null : Math.round((remaining / rowsPerSecond) * 1000)
    const troubledCount = failed + retryable + unknown
    onProgress({
      phase,
      rows,
      sent: rows - remaining,
      pending: queued,
      failed: troubledCount,
      calls: this.calls,
      rowsPerSecond,
      leftMs,
      nextLookMs,
      problem,
    })
  }
}
