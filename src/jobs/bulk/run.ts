/** Runs a job: sends what is unsent, reads the results of what is queued, and reports on each row. */
import { minuteOf } from '../../contract/index.js'
import { held } from '../../holds/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { BudgetError } from '../ledger/errors.js'
import type { Batch } from './batch.js'
import { refuseDropped } from './drop.js'
import { askAgain, BulkJournal, recoverSending } from './journal.js'
import { recordCounts } from './outcome.js'
import { hasPayload } from './payloads.js'
import { holdMovedRows } from './recheck.js'
import { Sender } from './send.js'
import { bulkJob } from './show.js'
import { STRATEGIES, type Strategy } from './strategies.js'
import type { BulkCounts, BulkKind, BulkOutcome, BulkProgress, BulkStop, BulkVerdict, RunBulkOptions } from './types.js'
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
    recoverSending(journal, strategy.single)
    applyChoices(journal, strategy, options)
    // The commit of a relist is another call, whose result says nothing of the rest.
    if (job.Kind !== 'relist') askAgain(journal)
    const moved =
      options.live === undefined || journal.tally.unsent === 0 ? 0 : await holdMovedRows(ledger, journal, job, options.live())
    refuseUnreadable(journal, job.Kind)
    const progress = new ProgressMeter(options, journal.tally)
    const counted = progress.counting(client)
    let ended: { stop: BulkStop | null; error: unknown } = { stop: null, error: null }
    let timedOut = false
    const look = async (timeoutMs: number) => {
      const seen = await waitForRows({ journal, client: counted, clock, signal, timeoutMs, lock, report: progress.waiting })
      timedOut = seen.timedOut
      if (seen.stop !== null) ended = seen
    }
    // Requests queued by an earlier run may be done by now. The answer also shows whether the service can be reached at all.
    if (journal.tally.queued > 0 && (journal.tally.unsent > 0 || options.wait !== true)) await look(0)
    if (ended.stop === null && journal.tally.unsent > 0) {
      const { concurrency } = options
      ended = await new Sender({
        ledger,
        client: counted,
        journal,
        strategy,
        profile: job.Profile,
        concurrency,
        signal,
        lock,
        pictures: options.pictures ?? { userAgent: 'seller' },
        onCall: progress.sending,
      }).run()
    }
    if (ended.stop === null && options.wait === true && journal.tally.queued > 0)
      await look(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    // Decided by the rows and not by the clock: for rows that are still queued, the wait was too short.
    const waited = ended.stop === null && options.wait === true && (timedOut || journal.tally.queued > 0)
    const waiting = waitingRows(journal, strategy, clock.now())
    recordCounts(
      ledger,
      jobId,
      journal.tally,
      ended.stop === null ? waiting.words : ended.error instanceof Error ? ended.error.message : String(ended.error),
    )
    const done = bulkJob(ledger, jobId)
    return {
      job: done,
      calls: progress.calls,
      ...ended,
      moved,
      timedOut: waited,
      later: waiting.rows,
      verdict: verdictOf(done.Counts, ended.stop, waited, waiting.rows),
    }
  } finally {
    lock.release()
  }
}

/** Reads all that is still to be sent, before the first call: what is found in the middle would end calls that are under way. @throws JobsError */
function refuseUnreadable(journal: BulkJournal, kind: BulkKind): void {
  if (!hasPayload(kind)) return
  for (const batch of journal.all('unsent')) for (const at of batch.places('unsent')) batch.payload(kind, at)
}

/** Applies the seller's choices: rows to send again, or to count as carried out. */
function applyChoices(journal: BulkJournal, strategy: Strategy, options: RunBulkOptions): void {
  const { retryFailed, retryUnknown, assumeUnknown, unknownRows } = options
  journal.transaction(() => {
    for (const state of retryFailed ? (['failed', 'retryable'] as const) : []) {
      for (const batch of journal.all(state)) markUnsent(journal, batch, batch.places(state), strategy)
    }
    if (!retryUnknown && !assumeUnknown) return
    for (const batch of journal.all('unknown')) {
      const places = batch.places('unknown').filter((at) => unknownRows?.has(batch.firstRow + at) ?? true)
      if (retryUnknown) markUnsent(journal, batch, places, strategy)
      else for (const at of places) batch.set(at, 'ok', held('taken_as_sent'))
      journal.save(batch)
    }
  })
}

function markUnsent(journal: BulkJournal, batch: Batch, places: readonly number[], { starts }: Strategy): void {
  for (const at of places) {
    // Rows that wait for their time ask first what became of their request.
    if (starts === undefined) batch.requestIds[at] = 0
    batch.set(at, 'unsent')
  }
  journal.save(batch)
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

/** The result of a run that ended so. @param later rows that wait for their time */
export function verdictOf(counts: BulkCounts, stop: BulkStop | null, timedOut: boolean, later = 0): BulkVerdict {
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
    const left = unsent + sending
    const elapsed = clock.now() - this.#began
    const answered = this.#unsentAtFirst - left
    const rowsPerSecond = elapsed <= 0 || answered <= 0 ? 0 : (answered / elapsed) * 1000
    const leftMs = phase === 'waiting' || rowsPerSecond === 0 ? null : Math.round((left / rowsPerSecond) * 1000)
    const troubled = failed + retryable + unknown
    onProgress({
      phase,
      rows,
      sent: rows - left,
      pending: queued,
      failed: troubled,
      calls: this.calls,
      rowsPerSecond,
      leftMs,
      nextLookMs,
      problem,
    })
  }
}
