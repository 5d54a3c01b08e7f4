/** Queued requests as the ledger takes and gives them. */
import type { NotDone } from './outcome.js'

/**
 * sending: the call is under way; queued: the service has queued it and there is no final result yet; ok, retryable, failed: its
 * result; refused: nothing was queued; unknown: the call was sent and it is not known whether the service queued it.
 */
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
  adds?: AddedItem
}

/** What is stored about an item that a request adds. */
export interface AddedItem {
  readonly OwnReferences?: readonly string[] | null
  /** When a shop item starts, ISO 8601. */
  readonly ActivateDate?: string | null
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
  /** ms since 1970: sent then or later. */
  since?: number
  limit?: number
}

export interface Requests {
  /** Records a request before the call is sent. @throws LedgerError */
  begin(request: NewRequest): RequestRow
  /** Records that the service queued it. `row` is RequestRow.Row. */
  markQueued(row: number, response: { RequestId: number; ItemId: number | null }): RequestRow
  /** Records that nothing was queued, which is proven. */
  markRefused(row: number, why: NotDone): RequestRow
  /** Records that it may have been queued. */
  markUnknown(row: number, message: string): RequestRow
  /**
   * Records a result. It goes to the newest row with the id, and to unfinished rows of the same kind of call with that id (of the
   * profile, if given: two services may use the same ids, and a service that was reset starts again). A final result for an id
   * that the ledger does not know gets its own row, with Operation `Unknown`.
   * @returns the newest row; undefined for an unknown id that is still pending
   */
  result(result: RequestResultLike, options?: { profile?: string }): RequestRow | undefined
  /** Records several results in one transaction. @returns the rows that now have a final result */
  results(results: readonly RequestResultLike[], options?: { profile?: string }): RequestRow[]
  /** Rows with a request id and no final result, the oldest first. */
  pending(profile: string, filter?: { jobId?: number; since?: number }): RequestRow[]
  /** The newest first. */
  list(filter?: RequestFilter): RequestRow[]
  /** The newest row with the id. */
  byRequestId(requestId: number, profile?: string): RequestRow | undefined
  byRow(row: number): RequestRow | undefined
  /** Marks as unknown what an ended process left "sending". @returns how many */
  markAbandoned(): number
}
