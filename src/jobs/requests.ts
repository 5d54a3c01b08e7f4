/** Queued requests: each is on disk before its call is sent, and its result when it is known. */
import type { RequestState } from '../contract/index.js'

/** sending: the call is under way; queued: the service took it, no result yet; refused: nothing was queued; unknown: it may have been queued. */
export type RequestRowState = 'sending' | 'queued' | 'ok' | 'retryable' | 'failed' | 'refused' | 'unknown'

/** A queued request as commands show it. Times are ISO 8601, UTC. */
export interface RequestRow {
  Row: number
  RequestId: number | null
  ItemId: number | null
  Operation: string
  Subject: string
  Profile: string
  UserId: number | null
  State: RequestRowState
  ResultCode: string | null
  Message: string | null
  SentAt: string
  FinishedAt: string | null
  JobId: number | null
}

export interface NewRequest {
  operation: string
  /** What the request is about, in the seller's words: a title, an item id. */
  subject: string
  profile: string
  userId?: number | null
  jobId?: number | null
}

/** An entry of GetRequestResults. */
export interface RequestResultLike {
  RequestId: number
  ResultCode: string
  Message?: string
}

export interface RequestFilter {
  state?: RequestRowState | readonly RequestRowState[]
  profile?: string
  operation?: string
  jobId?: number
  /** ms since 1970: sent at or after. */
  since?: number
  limit?: number
}

export interface Requests {
  /** Before the call is sent. @throws LedgerError */
  begin(request: NewRequest): RequestRow
  queued(row: number, response: { RequestId: number; ItemId: number }): RequestRow
  /** Nothing was queued. */
  refused(row: number, message: string): RequestRow
  /** It may have been queued; nobody knows. */
  unknown(row: number, message: string): RequestRow
  /**
   * Records a result. The newest row with the id (of the profile, when given) takes it; an id the ledger does not know gets a row
   * of its own with Operation `Unknown`, once it is finished.
   * @returns the row, and undefined for an unknown id that is still pending
   */
  result(result: RequestResultLike, options?: { profile?: string }): RequestRow | undefined
  /** Several results in one transaction; the rows that are finished by them. */
  results(results: readonly RequestResultLike[], options?: { profile?: string }): RequestRow[]
  /** Rows with a request id and no final result, the oldest first. */
  pending(profile: string, filter?: { jobId?: number; since?: number }): RequestRow[]
  /** The newest first. */
  list(filter?: RequestFilter): RequestRow[]
  byRequestId(requestId: number, profile?: string): RequestRow | undefined
  byRow(row: number): RequestRow | undefined
}

export type { RequestState }
