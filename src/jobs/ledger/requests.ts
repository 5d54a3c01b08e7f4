/** Queued requests: each is on disk before its call is sent, and so is its result once it is known. */
import { type RequestState, requestState } from '../../contract/index.js'
import type { Clock } from '../../soap/client/index.js'
import { isAtWork, thisProcess } from '../../system/process-owner.js'
import type { Store } from '../../system/sqlite.js'
import { isoOf, isoOrNull } from '../../system/time.js'
import { conditions, listOf } from './conditions.js'
import type { NotDone } from './outcome.js'
import type {
  AddedItem,
  NewRequest,
  RequestFilter,
  RequestResultLike,
  RequestRow,
  RequestRowState,
  Requests,
} from './request-types.js'

/**
 * A row that is "sending" by a process that cannot be checked (on another machine) becomes unknown after this, ms. It is longer
 * than a call can take with its time-outs (10 s to connect, 60 s of silence, three tries) and the upload of 4 MB over a slow
 * line.
 */
const ABANDONED_AFTER_MS = 15 * 60 * 1000

/** Rows with one request id belong to the same work if they were sent within this time, ms. */
const SAME_WORK_MS = 60 * 60 * 1000

const ABANDONED = 'The program ended before the reply came. The request may or may not have been queued.'

const COLUMNS =
  'row, request_id, item_id, operation, subject, profile, user_id, state, result_code, message, sent_at, finished_at, job_id'

interface Stored {
  row: number
  request_id: number | null
  item_id: number | null
  operation: string
  subject: string
  profile: string
  user_id: number | null
  state: RequestRowState
  result_code: string | null
  message: string | null
  sent_at: number
  finished_at: number | null
  job_id: number | null
}

/** The requests of a ledger. */
export function openRequests(store: Store, clock: Clock): Requests {
  return new RequestTable(store, clock)
}

class RequestTable implements Requests {
  readonly #store: Store
  readonly #clock: Clock

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  begin({ operation, subject, profile, userId, jobId, adds }: NewRequest): RequestRow {
    const stored = this.#store.first<Stored>(
      `INSERT INTO requests (operation, subject, profile, user_id, state, sent_at, job_id, owner, adds)
       VALUES (?, ?, ?, ?, 'sending', ?, ?, ?, ?) RETURNING ${COLUMNS}`,
      operation,
      subject,
      profile,
      userId ?? null,
      this.#clock.now(),
      jobId ?? null,
      thisProcess(),
      addedText(adds),
    )
    return requestRow(stored)
  }

  markQueued(row: number, response: { RequestId: number; ItemId: number | null }): RequestRow {
    return requestRow(
      this.#store.first<Stored>(
        `UPDATE requests SET state = 'queued', request_id = ?, item_id = ?, message = NULL, finished_at = NULL, owner = NULL WHERE row = ? RETURNING ${COLUMNS}`,
        response.RequestId,
        response.ItemId,
        row,
      ),
    )
  }

  markRefused(row: number, why: NotDone): RequestRow {
    return this.#end(row, 'refused', why.message)
  }

  markUnknown(row: number, message: string): RequestRow {
    return this.#end(row, 'unknown', message)
  }

  #end(row: number, state: RequestRowState, message: string): RequestRow {
    return requestRow(
      this.#store.first<Stored>(
        `UPDATE requests SET state = ?, message = ?, finished_at = ?, owner = NULL WHERE row = ? RETURNING ${COLUMNS}`,
        state,
        message,
        this.#clock.now(),
        row,
      ),
    )
  }

  result(result: RequestResultLike, options: { profile?: string } = {}): RequestRow | undefined {
    return this.#store.transaction(() => this.#record(result, options.profile)[0])
  }

  results(results: readonly RequestResultLike[], options: { profile?: string } = {}): RequestRow[] {
    if (results.length === 0) return []
    return this.#store.transaction(() => {
      const rows = results.flatMap((result) => this.#record(result, options.profile))
      return rows.filter((row) => row.State !== 'queued')
    })
  }

  /** @returns the rows that the result belongs to, the newest first; none for an unknown id that is still pending */
  #record(result: RequestResultLike, profile: string | undefined): RequestRow[] {
    const judged = requestState(result.ResultCode)
    const finished = judged === 'pending' ? null : this.#clock.now()
    const message = result.Message === undefined || result.Message === '' ? null : result.Message
    const known = this.#standingFor(result.RequestId, profile)
    if (known.length > 0) return known.map((row) => this.#enterResult(row, { ...result, judged, finished, message }))
    if (finished === null) return []
    const stored = this.#store.first<Stored>(
      `INSERT INTO requests (request_id, operation, subject, profile, state, result_code, message, sent_at, finished_at)
       VALUES (?, 'Unknown', 'sent by another program', ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
      result.RequestId,
      profile ?? '',
      judged,
      result.ResultCode,
      message,
      finished,
      finished,
    )
    return [requestRow(stored)]
  }

  /**
   * The newest row of an id, with the unfinished rows of other items that the same kind of call sent under that id shortly
   * before: one id may belong to several items. A much older row belongs to a service that was reset since.
   */
  #standingFor(requestId: number, profile: string | undefined): RequestRow[] {
    const newest = this.byRequestId(requestId, profile)
    if (newest === undefined) return []
    const others = this.#store.all<Stored>(
      `SELECT ${COLUMNS} FROM requests WHERE request_id = ? AND profile = ? AND operation = ? AND job_id IS ? AND row <> ?
         AND item_id IS NOT ? AND sent_at > ? AND finished_at IS NULL ORDER BY row DESC`,
      requestId,
      newest.Profile,
      newest.Operation,
      newest.JobId,
      newest.Row,
      newest.ItemId,
      Date.parse(newest.SentAt) - SAME_WORK_MS,
    )
    return [newest, ...others.map(requestRow)]
  }

  #enterResult(
    known: RequestRow,
    to: { ResultCode: string; judged: RequestState; finished: number | null; message: string | null },
  ): RequestRow {
    const { ResultCode, judged, finished, message } = to
    // A final result stays as it is: another look adds nothing, and its time is when it was first seen.
    if (known.FinishedAt !== null && known.ResultCode === ResultCode) return known
    if (finished !== null && known.JobId !== null) this.#endListing(known.JobId, judged === 'ok', message, finished)
    return requestRow(
      this.#store.first<Stored>(
        `UPDATE requests SET state = ?, result_code = ?, message = ?, finished_at = ?, owner = NULL WHERE row = ? RETURNING ${COLUMNS}`,
        judged === 'pending' ? 'queued' : judged,
        ResultCode,
        message,
        finished,
        known.Row,
      ),
    )
  }

  /** Ends a listing that waits only for the result of its request, whichever command fetched that result. */
  #endListing(jobId: number, ok: boolean, message: string | null, now: number): void {
    this.#store.run(
      "UPDATE jobs SET state = ?, message = ?, finished_at = ? WHERE id = ? AND kind = 'listing' AND state = 'waiting'",
      ok ? 'ok' : 'failed',
      message,
      now,
      jobId,
    )
  }

  pending(profile: string, filter: { jobId?: number; since?: number } = {}): RequestRow[] {
    return this.list({ ...filter, profile, state: 'queued' }).reverse()
  }

  list(filter: RequestFilter = {}): RequestRow[] {
    this.markAbandoned()
    const { where, values } = conditions({
      'state IN': listOf(filter.state),
      'profile = ?': filter.profile,
      'operation = ?': filter.operation,
      'job_id = ?': filter.jobId,
      'sent_at >= ?': filter.since,
    })
    return this.#store
      .all<Stored>(`SELECT ${COLUMNS} FROM requests ${where} ORDER BY row DESC LIMIT ?`, ...values, filter.limit ?? -1)
      .map(requestRow)
  }

  byRequestId(requestId: number, profile?: string): RequestRow | undefined {
    const stored =
      profile === undefined
        ? this.#store.first<Stored>(`SELECT ${COLUMNS} FROM requests WHERE request_id = ? ORDER BY row DESC LIMIT 1`, requestId)
        : this.#store.first<Stored>(
            `SELECT ${COLUMNS} FROM requests WHERE request_id = ? AND profile = ? ORDER BY row DESC LIMIT 1`,
            requestId,
            profile,
          )
    return stored === undefined ? undefined : requestRow(stored)
  }

  byRow(row: number): RequestRow | undefined {
    const stored = this.#store.first<Stored>(`SELECT ${COLUMNS} FROM requests WHERE row = ?`, row)
    return stored === undefined ? undefined : requestRow(stored)
  }

  markAbandoned(): number {
    const sending = this.#store.all<{ row: number; owner: string; sent_at: number }>(
      "SELECT row, owner, sent_at FROM requests WHERE state = 'sending'",
    )
    const left = sending.filter(
      ({ owner, sent_at }) => !isAtWork(owner, { silentMs: this.#clock.now() - sent_at, patienceMs: ABANDONED_AFTER_MS }),
    )
    for (const { row } of left) {
      // Only while it is still "sending": another process may have marked it, or its owner may have answered meanwhile.
      this.#store.run(
        "UPDATE requests SET state = 'unknown', message = ?, finished_at = ?, owner = NULL WHERE row = ? AND state = 'sending'",
        ABANDONED,
        this.#clock.now(),
        row,
      )
    }
    return left.length
  }
}

/** Null if there is no own reference to compare with. */
function addedText({ OwnReferences, ActivateDate }: AddedItem = {}): string | null {
  const references = OwnReferences ?? []
  return references.length === 0 ? null : JSON.stringify({ OwnReferences: references, ActivateDate: ActivateDate ?? null })
}

function requestRow(stored: Stored | undefined): RequestRow {
  if (stored === undefined) throw new Error('The ledger has no such request row.')
  return {
    Row: stored.row,
    RequestId: stored.request_id,
    ItemId: stored.item_id,
    Operation: stored.operation,
    Subject: stored.subject,
    Profile: stored.profile,
    UserId: stored.user_id,
    State: stored.state,
    ResultCode: stored.result_code,
    Message: stored.message,
    SentAt: isoOf(stored.sent_at),
    FinishedAt: isoOrNull(stored.finished_at),
    JobId: stored.job_id,
  }
}
