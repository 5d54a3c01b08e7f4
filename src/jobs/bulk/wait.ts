/** Reads the results of queued rows through the one poller, all ids of a portion together. */
import { requestState, resultMeaning } from '../../contract/index.js'
import { type Hold, held } from '../../holds/index.js'
import type { JobLock } from '../ledger/jobs.js'
import type { RequestResultLike } from '../ledger/requests.js'
import { pollResults } from '../poller.js'
import type { Batch } from './batch.js'
import type { BulkJournal } from './journal.js'
import { stopOf } from './trouble.js'
import type { BulkStop, RunBulkOptions } from './types.js'

/** Ids waited for at once. One call asks for all of them, and memory does not grow with the rows of a job. */
const PORTION = 50_000

export interface WaitForRowsOptions extends Pick<RunBulkOptions, 'client' | 'clock' | 'signal'> {
  readonly journal: BulkJournal
  /** ms in all; 0 reads the results once. */
  readonly timeoutMs: number
  readonly lock: JobLock
  /** Called after each look with the ms until the next look, and the error if it failed. */
  readonly report: (nextLookMs: number, problem?: Error) => void
}

export interface WaitForRowsOutcome {
  readonly stop: BulkStop | null
  readonly error: unknown
  /** The time was up while rows were still queued. */
  readonly timedOut: boolean
}

/**
 * Waits for the results of all queued rows and writes them as they come. @throws LedgerError, JobsError if the job was taken over
 */
export async function waitForRows(options: WaitForRowsOptions): Promise<WaitForRowsOutcome> {
  const { journal, clock, timeoutMs } = options
  const deadline = clock.now() + timeoutMs
  let timedOut = false
  try {
    for (let after = 0; ; ) {
      const portion = nextPortion(journal, after)
      if (portion.batches.length === 0) break
      after = portion.last
      timedOut = (await waitForPortion(options, portion, Math.max(0, deadline - clock.now()))) || timedOut
    }
    return { stop: null, error: null, timedOut }
  } catch (error) {
    const stop = stopOf(error)
    if (stop === undefined) throw error
    return { stop, error, timedOut: false }
  }
}

interface Portion {
  readonly batches: Batch[]
  /** The rows of each request id. One id may belong to several rows. */
  readonly places: Map<number, { batch: Batch; at: number }[]>
  /** The last batch of the portion. */
  readonly last: number
}

function nextPortion(journal: BulkJournal, after: number): Portion {
  const batches: Batch[] = []
  const places: Portion['places'] = new Map()
  let last = after
  while (places.size < PORTION) {
    const batch = journal.next('queued', last)
    if (batch === undefined) break
    last = batch.batch
    batches.push(batch)
    for (const at of batch.places('queued')) {
      const id = batch.requestId(at)
      const knownPlaces = places.get(id)
      if (knownPlaces === undefined) places.set(id, [{ batch, at }])
      else knownPlaces.push({ batch, at })
    }
  }
  return { batches, places, last }
}

/** @returns whether the time was up while rows were still pending */
async function waitForPortion(options: WaitForRowsOptions, portion: Portion, timeoutMs: number): Promise<boolean> {
  const { journal, client, clock, signal, lock, report } = options
  const looks = pollResults({ client, requestIds: portion.places.keys(), timeoutMs, clock, signal })
  for (;;) {
    const look = await looks.next()
    if (look.done) {
      const { problem, timedOut } = look.value
      // A single look that failed because the service could not be reached does not mean "still pending".
      if (problem !== undefined && timeoutMs === 0) throw problem
      return timedOut
    }
    lock.beat()
    write(journal, portion, look.value.results)
    report(look.value.nextLookMs, look.value.problem)
  }
}

/** Writes results into their rows and saves their batches. */
function write(journal: BulkJournal, portion: Portion, results: readonly RequestResultLike[]): void {
  const changedBatches = new Set<Batch>()
  for (const result of results) {
    const state = requestState(result.ResultCode)
    if (state === 'pending') continue
    const reason = state === 'ok' ? undefined : reasonOf(result)
    for (const { batch, at } of portion.places.get(result.RequestId) ?? []) {
      batch.set(at, state, reason)
      changedBatches.add(batch)
    }
  }
  if (changedBatches.size === 0) return
  journal.transaction(() => {
    for (const batch of changedBatches) journal.save(batch)
  })
}

/** The code and the message, or the meaning of the code if the service gives no message. */
function reasonOf({ ResultCode: Result, Message }: RequestResultLike): Hold {
  return held('service_said', { Result, Said: Message?.trim() || resultMeaning(Result) })
}
