/** The one poller behind every wait (design.md, Waiting). */
import type { Clock, SoapClient, SoapError } from '../soap/index.js'
import type { Ledger } from './ledger.js'
import type { RequestResultLike, RequestRow } from './requests.js'

export interface PollOptions {
  client: Pick<SoapClient, 'call'>
  requestIds: Iterable<number>
  /** ms; 0 looks once. */
  timeoutMs: number
  clock: Clock
  signal?: AbortSignal
  /** Most ids asked for at once; halved when the service refuses them as too many. */
  chunk?: number
}

export interface Look {
  /** Ids without a final result. */
  pending: number
  /** Results that became final at this look. */
  results: RequestResultLike[]
  nextLookMs: number
  elapsedMs: number
  /** Why this look brought nothing: the service could not be reached; waiting goes on. */
  problem?: SoapError
}

/** Without a ledger, for engines that keep results in tables of their own. Returns the ids still pending. */
export declare function pollResults(
  options: PollOptions,
): AsyncGenerator<Look, { pending: number[]; timedOut: boolean; problem?: SoapError }>

export interface WaitProgress {
  pending: number
  /** Rows that became final at this look. */
  finished: RequestRow[]
  nextLookMs: number
  elapsedMs: number
  problem?: SoapError
}

export interface WaitOutcome {
  /** A row for each id that has a final result, those that had it before included. */
  results: RequestRow[]
  pending: number[]
  timedOut: boolean
  problem?: SoapError
}

/** Waits until all requests are finished or the time is up, and writes results to the ledger as they come. */
export declare function waitForRequests(
  options: Omit<PollOptions, 'requestIds'> & {
    ledger: Ledger
    requestIds: readonly number[]
    /** Whose requests they are: two services may use the same ids. */
    profile?: string
  },
): AsyncGenerator<WaitProgress, WaitOutcome>
