/** The one poller behind every wait (docs/architecture.md, Waiting). */
import { isUncommitted, type RequestState, requestState } from '../contract/index.js'
import { type Clock, type SoapClient, SoapError } from '../soap/client/index.js'
import { jittered } from '../system/random.js'
import type { Ledger } from './ledger/ledger.js'
import type { RequestResultLike, RequestRow } from './ledger/requests.js'
import { judgeTooMany } from './too-many.js'

export interface PollOptions {
  client: Pick<SoapClient, 'call'>
  requestIds: Iterable<number>
  /** Time to wait, ms; 0 looks once, immediately. */
  timeoutMs: number
  clock: Clock
  signal?: AbortSignal | undefined
  /** The most ids that one call asks for; halved if the service refuses them as too many. */
  chunk?: number | undefined
  /** True to end when only requests are left that the service calls uncommitted: waiting does not bring them a result. */
  endsUncommitted?: boolean | undefined
  /** Ids that are waited for only if the first look brings an answer for them. Nothing else shows that these requests exist. */
  endsUnknown?: ReadonlySet<number> | undefined
}

/** The result of one look. */
export interface Look {
  /** Ids without a final result. */
  pending: number
  /** Results that became final at this look. */
  results: RequestResultLike[]
  /** Until the next look, ms; 0 after the last one. */
  nextLookMs: number
  elapsedMs: number
  /** Why (part of) this look failed. Waiting continues. */
  problem?: SoapError
}

interface PollOutcome {
  pending: number[]
  timedOut: boolean
  /** Those of `pending` that the service called uncommitted at the last look, if there are any. */
  uncommitted?: number[]
  /** Those of `endsUnknown` that the service did not mention. They are not in `pending`. */
  unknown?: number[]
  /** Problem at the last look, if any. */
  problem?: SoapError
}

/** When the first look comes, and the longest time between two, ms. */
const FIRST_LOOK_MS = 1000
const LONGEST_PAUSE_MS = 60_000
/** Time that a look may take when the time is up, ms: one that was just begun deserves its answer. */
const SHORTEST_LOOK_MS = 30_000
/** A commit that was sent just now may not be visible yet, so this many looks in a row must find only uncommitted requests. */
const UNCOMMITTED_LOOKS = 2
/** A word that this tool does not know may be a damaged reply, so this many looks must find one. */
const UNKNOWN_LOOKS = 3
/** Each pause varies by up to this share, so that many waiting programs do not ask at the same moments. */
const JITTER = 0.1

/** Default number of ids in one call: about 1 MB of request, below the 4 MB that an ASMX server accepts by default. */
const IDS_PER_CALL = 50_000
/** Failures that may pass while we wait. A quota, a refusal or a fault does not go away by asking again. */
const PASSING: ReadonlySet<string> = new Set(['unreachable', 'interrupted', 'unavailable', 'not-soap', 'broken'])

/**
 * Asks for the results of queued requests until all are final or the time is up: one GetRequestResults for all pending ids (in
 * chunks), after 1 s, then 2, 4, … 60 s, each plus or minus a tenth. It never sleeps past the deadline, and looks a last time
 * then. Yields after each look. If the service cannot be reached for a while, that is reported and waiting continues; a refusal,
 * a quota or a fault is thrown. It does not use a ledger, for engines that keep results in their own tables; `waitForRequests`
 * does.
 * @throws SoapError, also kind `aborted` when the signal fires; BudgetError
 */
export async function* pollResults(options: PollOptions): AsyncGenerator<Look, PollOutcome> {
  const { clock, signal, timeoutMs } = options
  const began = clock.now()
  const deadline = began + timeoutMs
  const pending = new Set(options.requestIds)
  const asker = new Asker(options.client, options.chunk ?? IDS_PER_CALL)
  let problem: SoapError | undefined
  let uncommittedIds: number[] = []
  let lingeringLooks = 0
  const unknown: number[] = []
  let doubtedIds = options.endsUnknown
  let pause = FIRST_LOOK_MS
  let nextLookMs = Math.min(jittered(pause, JITTER, clock.random()), timeoutMs)
  while (pending.size > 0) {
    await sleep(clock, nextLookMs, signal)
    const lookResult = await asker.look(pending, Math.max(deadline - clock.now(), SHORTEST_LOOK_MS))
    problem = lookResult.problem
    uncommittedIds = lookResult.uncommitted
    if (doubtedIds !== undefined && problem === undefined) {
      for (const id of doubtedIds) if (!lookResult.answered.has(id) && pending.delete(id)) unknown.push(id)
      doubtedIds = undefined
    }
    lingeringLooks = uncommittedIds.length === pending.size ? lingeringLooks + 1 : 0
    const now = clock.now()
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    const isStuck = options.endsUncommitted === true && lingeringLooks >= UNCOMMITTED_LOOKS
    const over = pending.size === 0 || now >= deadline || isStuck
    nextLookMs = over ? 0 : Math.min(jittered(pause, JITTER, clock.random()), deadline - now)
    yield { pending: pending.size, results: lookResult.results, nextLookMs, elapsedMs: now - began, ...(problem && { problem }) }
    if (over) break
  }
  return {
    pending: [...pending],
    timedOut: pending.size > 0,
    ...(uncommittedIds.length > 0 && { uncommitted: uncommittedIds }),
    ...(unknown.length > 0 && { unknown }),
    ...(problem && { problem }),
  }
}

async function sleep(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    signal?.throwIfAborted()
    if (ms > 0) await clock.sleep(ms, signal)
    signal?.throwIfAborted()
  } catch (error) {
    if (!signal?.aborted) throw error
    throw new SoapError('aborted', 'Waiting was interrupted. The requests stay queued at the service.', {
      operation: 'GetRequestResults',
      sent: false,
    })
  }
}

/** Asks for results chunk by chunk, and remembers how many ids the service accepts. */
class Asker {
  readonly #client: Pick<SoapClient, 'call'>
  /** Looks that found a word which nobody knows, by request. */
  readonly #strange = new Map<number, number>()
  #most: number

  constructor(client: Pick<SoapClient, 'call'>, most: number) {
    this.#client = client
    this.#most = Math.max(1, Math.floor(most))
  }

  #isFinal({ RequestId, ResultCode }: RequestResultLike): boolean {
    const state = requestState(ResultCode)
    if (state !== 'unknown') return state !== 'pending'
    const looks = (this.#strange.get(RequestId) ?? 0) + 1
    this.#strange.set(RequestId, looks)
    return looks >= UNKNOWN_LOOKS
  }

  /** Looks once at all of `pending`, and removes from it what is final. */
  async look(
    pending: Set<number>,
    endsWithinMs: number,
  ): Promise<{ results: RequestResultLike[]; uncommitted: number[]; answered: ReadonlySet<number>; problem?: SoapError }> {
    const ids = [...pending]
    const results: RequestResultLike[] = []
    const uncommittedIds = new Set<number>()
    const answeredIds = new Set<number>()
    const takeIn = (answer: readonly RequestResultLike[]) => {
      for (const result of worstOfEach(answer)) {
        answeredIds.add(result.RequestId)
        if (isUncommitted(result.ResultCode) && pending.has(result.RequestId)) uncommittedIds.add(result.RequestId)
        // The result of an id that was not asked for is ignored.
        if (!this.#isFinal(result) || !pending.delete(result.RequestId)) continue
        results.push(result)
      }
    }
    for (let at = 0; at < ids.length; ) {
      const chunk = ids.slice(at, at + this.#most)
      try {
        const answer = await this.#client.call('GetRequestResults', { requestIds: chunk }, { endsWithinMs })
        takeIn(answer)
        at += chunk.length
      } catch (error) {
        // The good entries of a broken answer count: one bad entry must not keep back the results of all others for ever.
        if (error instanceof SoapError && error.intact !== undefined) takeIn(error.intact as readonly RequestResultLike[])
        if (judgeTooMany(error, chunk.length) !== 'no') {
          this.#most = Math.ceil(chunk.length / 2)
          continue
        }
        // Results that were fetched at this look are handed on before anything is thrown at the next one.
        if (error instanceof SoapError && (PASSING.has(error.kind) || (results.length > 0 && error.kind !== 'aborted'))) {
          return { results, uncommitted: [...uncommittedIds], answered: answeredIds, problem: error }
        }
        throw error
      }
    }
    return { results, uncommitted: [...uncommittedIds], answered: answeredIds }
  }
}

/** The result code of one request; undefined if the service gives none. @throws what the client throws */
export async function fetchResultCode(client: Pick<SoapClient, 'call'>, requestId: number): Promise<string | undefined> {
  const answer = await client.call('GetRequestResults', { requestIds: [requestId] })
  // A service that knows none may give nil instead of a list.
  return answer?.find(({ RequestId }) => RequestId === requestId)?.ResultCode
}

/** The most serious first: a request with one failed part has failed. */
const WEIGHT: readonly RequestState[] = ['failed', 'retryable', 'unknown', 'pending', 'ok']

/** One result for each id. Of several for the same id, the most serious one. */
function worstOfEach(answer: readonly RequestResultLike[]): Iterable<RequestResultLike> {
  const byId = new Map<number, RequestResultLike>()
  const weight = ({ ResultCode }: RequestResultLike) => WEIGHT.indexOf(requestState(ResultCode))
  for (const result of answer) {
    const knownResult = byId.get(result.RequestId)
    if (knownResult === undefined || weight(result) < weight(knownResult)) byId.set(result.RequestId, result)
  }
  return byId.values()
}

export interface WaitProgress extends Omit<Look, 'results'> {
  /** Rows that became final at this look. */
  finished: RequestRow[]
}

export interface WaitOutcome extends PollOutcome {
  /** A row for each id that has a final result, including those that had it before. */
  results: RequestRow[]
}

interface WaitOptions extends Omit<PollOptions, 'requestIds'> {
  ledger: Pick<Ledger, 'requests'>
  /** The ids to wait for. The ledger need not know them. */
  requestIds: readonly number[]
  /** The profile of the requests: two services may use the same ids. */
  profile?: string | undefined
}

/**
 * Waits until all requests have a final result or the time is up, and writes results to the ledger as they come. Ids that are
 * already final in the ledger are not asked for again. Schedule and failures are as in pollResults.
 * @throws SoapError (kind `aborted` when the signal fires), BudgetError, LedgerError
 */
export async function* waitForRequests(options: WaitOptions): AsyncGenerator<WaitProgress, WaitOutcome> {
  const { ledger, profile } = options
  /** By RequestRow.Row: one id may belong to several rows. */
  const results = new Map<number, RequestRow>()
  const wantedIds: number[] = []
  for (const id of new Set(options.requestIds)) {
    const row = ledger.requests.byRequestId(id, profile)
    // A result in a word that nobody knows is asked for again.
    if (row !== undefined && row.FinishedAt !== null && row.State !== 'unknown') results.set(row.Row, row)
    else wantedIds.push(id)
  }
  const looks = pollResults({ ...options, requestIds: wantedIds })
  for (;;) {
    const look = await looks.next()
    if (look.done) return { ...look.value, results: [...results.values()] }
    const { pending, nextLookMs, elapsedMs, problem } = look.value
    const finishedRows = ledger.requests.results(look.value.results, { profile })
    for (const row of finishedRows) results.set(row.Row, row)
    yield { pending, finished: finishedRows, nextLookMs, elapsedMs, ...(problem && { problem }) }
  }
}
