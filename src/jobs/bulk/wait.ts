/** Looks at the results of queued rows: all ids of a portion together, by the one poller. */
import { requestState, resultMeaning } from '../../contract/index.js'
import { type Clock, type SoapClient, SoapError } from '../../soap/client/index.js'
import { BudgetError } from '../ledger/errors.js'
import type { JobLock } from '../ledger/jobs.js'
import type { RequestResultLike } from '../ledger/requests.js'
import { pollResults } from '../poller.js'
import type { Batch } from './batch.js'
import type { BulkJournal } from './journal.js'
import type { BulkStop } from './types.js'

/** Ids waited for at once: one call asks for all of them, and memory stays what it is however many rows a job has. */
const PORTION = 50_000

export interface WaitForRowsOptions {
  readonly journal: BulkJournal
  readonly client: Pick<SoapClient, 'call'>
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
  /** ms in all; 0 looks once. */
  readonly timeoutMs: number
  readonly lock: JobLock
  /** Called after each look with the calls it made, the ms until the next, and why it brought nothing, where it did not. */
  readonly report: (calls: number, nextLookMs: number, problem?: Error) => void
}

export interface WaitForRowsOutcome {
  readonly stop: BulkStop | null
  readonly error: unknown
  /** The time was up with rows still queued. */
  readonly timedOut: boolean
}

/** Waits for the results of all queued rows and writes them as they come. @throws LedgerError, JobsError when the job was taken over */
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
  /** Where the rows of each request id stand: one id may stand for several of them. */
  readonly places: Map<number, { batch: Batch; at: number }[]>
  /** The last batch of it. */
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
      const id = batch.requestIds[at] ?? 0
      const known = places.get(id)
      if (known === undefined) places.set(id, [{ batch, at }])
      else known.push({ batch, at })
    }
  }
  return { batches, places, last }
}

/** @returns whether the time was up with rows still pending */
async function waitForPortion(options: WaitForRowsOptions, portion: Portion, timeoutMs: number): Promise<boolean> {
  const { journal, clock, signal, lock, report } = options
  let calls = 0
  const client: Pick<SoapClient, 'call'> = {
    call: (name, params, callOptions) => {
      calls++
      return options.client.call(name, params, callOptions)
    },
  }
  const looks = pollResults({ client, requestIds: portion.places.keys(), timeoutMs, clock, signal })
  for (;;) {
    const look = await looks.next()
    if (look.done) {
      const { problem, timedOut } = look.value
      // A single look that brought nothing because nobody was there is no "still pending".
      if (problem !== undefined && timeoutMs === 0) throw problem
      return timedOut
    }
    lock.beat()
    write(journal, portion, look.value.results)
    report(calls, look.value.nextLookMs, look.value.problem)
    calls = 0
  }
}

/** Puts results into their rows and writes the batches they stand in. */
function write(journal: BulkJournal, portion: Portion, results: readonly RequestResultLike[]): void {
  const changed = new Set<Batch>()
  for (const result of results) {
    const state = requestState(result.ResultCode)
    if (state === 'pending') continue
    const reason = state === 'ok' ? undefined : reasonOf(result)
    for (const { batch, at } of portion.places.get(result.RequestId) ?? []) {
      batch.set(at, state, reason)
      changed.add(batch)
    }
  }
  if (changed.size === 0) return
  journal.transaction(() => {
    for (const batch of changed) journal.save(batch)
  })
}

/** "Error TryAgain: message", or the codes in words where the service says nothing. */
function reasonOf(result: RequestResultLike): string {
  const message = result.Message?.trim()
  return `${result.ResultCode}: ${message === undefined || message === '' ? resultMeaning(result.ResultCode) : message}`
}

function stopOf(error: unknown): BulkStop | undefined {
  if (error instanceof BudgetError) return 'budget'
  if (!(error instanceof SoapError)) return undefined
  switch (error.kind) {
    case 'quota':
      return 'quota'
    case 'aborted':
      return 'interrupted'
    case 'refused':
      return 'refused'
    case 'fault':
    case 'broken':
    case 'namespace':
    case 'input':
      return 'fault'
    default:
      return 'network'
  }
}
