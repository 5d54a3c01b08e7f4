/** Queued requests: each is on disk before its call is sent, and so is its result once it is known. */
import { requestState } from '../../contract/index.js'
import type { Clock } from '../../soap/client/index.js'
import { isAtWork, thisProcess } from '../../system/process-owner.js'
import type { SqlValue, Store } from '../../system/sqlite.js'
import { isoOf, isoOrNull } from '../../system/time.js'
import { conditions } from './conditions.js'
import type { ShopKey } from './jobs.js'
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
  /** Subject of the request in the seller's words: a title, an item id. */
  subject: string
  profile: string
  userId?: number | null | undefined
  jobId?: number | null
  adds?: AddedItem | undefined
}

/** Stored facts about an item that a request adds. */
export interface AddedItem {
  readonly OwnReferences?: readonly string[] | null
  /** When a shop item starts, ISO 8601. */
  readonly ActivateDate?: string | null
  /** Images of a shop item that is added by a call of its own, as rows of jobs keep them: without their bytes. */
  readonly Images?: readonly object[]
}

/** An entry of GetRequestResults. */
export interface RequestResultLike {
  RequestId: number
  ResultCode: string
  Message?: string
}

export interface RequestFilter {
  state?: RequestRowState | readonly RequestRowState[] | undefined
  profile?: string | undefined
  operation?: string | undefined
  jobId?: number | undefined
  /** ms since 1970: sent then or later. */
  since?: number | undefined
  /** ms since 1970: sent before. */
  until?: number | undefined
  limit?: number | undefined
}

/**
 * A row that is "sending" by a process that cannot be checked (on another machine) becomes unknown after this, ms. It is longer
 * than a call can take with its time-outs (10 s to connect, 60 s of silence, three tries) and the upload of 4 MB over a slow
 * line.
 */
const ABANDONED_AFTER_MS = 15 * 60 * 1000

/** Rows with one request id belong to the same work if they were sent within this time, ms. */
const SAME_WORK_MS = 60 * 60 * 1000

const ABANDONED = 'The program ended before the reply came. The request may or may not have been queued.'

const COLUMNS = `row AS Row, request_id AS RequestId, item_id AS ItemId, operation AS Operation, subject AS Subject, profile AS Profile,
  user_id AS UserId, state AS State, result_code AS ResultCode, message AS Message, sent_at AS SentAt, finished_at AS FinishedAt, job_id AS JobId`

/** The requests of a ledger. */
export class Requests {
  readonly #store: Store
  readonly #clock: Clock

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Records a request before the call is sent. @throws LedgerError */
  begin({ operation, subject, profile, userId, jobId, adds }: NewRequest): RequestRow {
    const { id } = this.#store.insert('requests', {
      ...{ operation, subject, profile, user_id: userId, state: 'sending', sent_at: this.#clock.now(), job_id: jobId },
      ...{ owner: thisProcess(), adds: addedText(adds) },
    })
    return this.#requestRow(id)
  }

  /** Records that the service queued it. @param row RequestRow.Row */
  markQueued(row: number, { RequestId, ItemId }: { RequestId: number; ItemId: number | null }): RequestRow {
    return this.#change(row, { state: 'queued', request_id: RequestId, item_id: ItemId, message: null, finished_at: null })
  }

  /** Records that nothing was queued, which is proven. */
  markRefused(row: number, why: NotDone): RequestRow {
    return this.#change(row, { state: 'refused', message: why.message, finished_at: this.#clock.now() })
  }

  /** Records that it may have been queued. */
  markUnknown(row: number, message: string): RequestRow {
    return this.#change(row, { state: 'unknown', message, finished_at: this.#clock.now() })
  }

  #change(row: number, columns: Readonly<Record<string, SqlValue>>): RequestRow {
    this.#store.update('requests', { ...columns, owner: null }, { row })
    return this.#requestRow(row)
  }

  /**
   * Records a result. It goes to the newest row with the id, and to unfinished rows of the same kind of call with that id (of the
   * profile, if given: two services may use the same ids, and a service that was reset starts again). A final result for an id
   * that the ledger does not know gets its own row, with Operation `Unknown`.
   * @returns the newest row; undefined for an unknown id that is still pending
   */
  result(result: RequestResultLike, options: { profile?: string } = {}): RequestRow | undefined {
    return this.#store.transaction(() => this.#record(result, options.profile)[0])
  }

  /** Records several results in one transaction. @returns the rows that now have a final result */
  results(results: readonly RequestResultLike[], options: { profile?: string | undefined } = {}): RequestRow[] {
    if (results.length === 0) return []
    return this.#store.transaction(() => {
      const rows = results.flatMap((result) => this.#record(result, options.profile))
      return rows.filter((row) => row.State !== 'queued')
    })
  }

  /** @returns the rows that the result belongs to, the newest first; none for an unknown id that is still pending */
  #record({ RequestId, ResultCode, Message }: RequestResultLike, profile: string | undefined): RequestRow[] {
    const state = requestState(ResultCode)
    const finishedAt = state === 'pending' ? null : this.#clock.now()
    const result = { state: state === 'pending' ? 'queued' : state, result_code: ResultCode, message: Message || null }
    const standingRows = this.#standingFor(RequestId, profile)
    if (standingRows.length > 0) return standingRows.map((row) => this.#enterResult(row, { ...result, finished_at: finishedAt }))
    if (finishedAt === null) return []
    const sender = { operation: 'Unknown', subject: 'sent by a job or another program', profile: profile ?? '' }
    const times = { sent_at: finishedAt, finished_at: finishedAt }
    return [this.#requestRow(this.#store.insert('requests', { request_id: RequestId, ...sender, ...result, ...times }).id)]
  }

  /**
   * The newest row of an id, with the unfinished rows of other items that the same kind of call sent under that id shortly
   * before: one id may belong to several items. A much older row belongs to a service that was reset since.
   */
  #standingFor(requestId: number, profile: string | undefined): RequestRow[] {
    const newest = this.byRequestId(requestId, profile)
    if (newest === undefined) return []
    const { Profile, Operation, JobId, Row, ItemId, SentAt } = newest
    const others = this.#rows(
      `WHERE request_id = ? AND profile = ? AND operation = ? AND job_id IS ? AND row <> ?
         AND item_id IS NOT ? AND sent_at > ? AND finished_at IS NULL ORDER BY row DESC`,
      ...[requestId, Profile, Operation, JobId, Row, ItemId, Date.parse(SentAt) - SAME_WORK_MS],
    )
    return [newest, ...others]
  }

  #enterResult(
    row: RequestRow,
    to: { state: string; result_code: string; message: string | null; finished_at: number | null },
  ): RequestRow {
    // A final result stays as it is: another look adds nothing, and its time is when it was first seen.
    if (row.FinishedAt !== null && row.ResultCode === to.result_code) return row
    // Ends a listing that waits only for the result of its request, whichever command fetched that result.
    if (to.finished_at !== null && to.state !== 'unknown' && row.JobId !== null) {
      const jobEnd = { state: to.state === 'ok' ? 'ok' : 'failed', message: to.message, finished_at: to.finished_at }
      this.#store.update('jobs', jobEnd, { id: row.JobId, kind: 'listing', state: 'waiting' })
    }
    return this.#change(row.Row, to)
  }

  /** Rows with a request id and no final result, the oldest first. */
  pending(profile: string, filter: { jobId?: number; since?: number } = {}): RequestRow[] {
    return this.list({ ...filter, profile, state: 'queued' }).reverse()
  }

  /** The newest first. */
  list(filter: RequestFilter = {}): RequestRow[] {
    this.markAbandoned()
    const { where, values } = conditions({
      'state IN': filter.state,
      'profile = ?': filter.profile,
      'operation = ?': filter.operation,
      'job_id = ?': filter.jobId,
      'sent_at >= ?': filter.since,
      'sent_at < ?': filter.until,
    })
    return this.#rows(`${where} ORDER BY row DESC LIMIT ?`, ...values, filter.limit ?? -1)
  }

  /**
   * Requests of a shop that the service has carried out, or may carry out, each with what it adds, the oldest first.
   * @param filter `adds`: only single calls that add something
   */
  standing(
    { profile, userId }: ShopKey,
    { adds = false, operation, since }: Pick<RequestFilter, 'operation' | 'since'> & { readonly adds?: boolean },
  ): (RequestRow & { readonly Adds: AddedItem })[] {
    const { where, values } = conditions({
      'state IN': ['sending', 'queued', 'ok', 'unknown'],
      'profile = ?': profile,
      '(user_id IS NULL OR user_id = ?)': userId ?? undefined,
      'operation = ?': operation,
      'sent_at >= ?': since,
      'adds IS NOT ?': adds ? null : undefined,
      'job_id IS ?': adds ? null : undefined,
    })
    const sql = `SELECT ${COLUMNS}, adds FROM requests ${where} ORDER BY row`
    const rows = this.#store.all<Stored & { readonly adds: string | null }>(sql, ...values)
    return rows.map(({ adds: text, ...row }) => ({ ...shown(row), Adds: JSON.parse(text ?? '{}') }))
  }

  /** The newest row with the id. */
  byRequestId(requestId: number, profile?: string): RequestRow | undefined {
    const { where, values } = conditions({ 'request_id = ?': requestId, 'profile = ?': profile })
    return this.#rows(`${where} ORDER BY row DESC LIMIT 1`, ...values)[0]
  }

  byRow(row: number): RequestRow | undefined {
    return this.#rows('WHERE row = ?', row)[0]
  }

  /** Marks as unknown what an ended process left "sending". @returns how many */
  markAbandoned(): number {
    const sendingRows = this.#store.all<{ row: number; owner: string; sent_at: number }>(
      "SELECT row, owner, sent_at FROM requests WHERE state = 'sending'",
    )
    const abandonedRows = sendingRows.filter(
      ({ owner, sent_at }) => !isAtWork(owner, { silentMs: this.#clock.now() - sent_at, patienceMs: ABANDONED_AFTER_MS }),
    )
    const unknown = { state: 'unknown', message: ABANDONED, finished_at: this.#clock.now(), owner: null }
    // Only while it is still "sending": another process may have marked it, or its owner may have answered meanwhile.
    for (const { row } of abandonedRows) this.#store.update('requests', unknown, { row, state: 'sending' })
    return abandonedRows.length
  }

  #requestRow(row: number): RequestRow {
    const request = this.byRow(row)
    if (request === undefined) throw new Error('The ledger has no such request row.')
    return request
  }

  #rows(where: string, ...values: readonly SqlValue[]): RequestRow[] {
    return this.#store.all<Stored>(`SELECT ${COLUMNS} FROM requests ${where}`, ...values).map(shown)
  }
}

type Stored = Omit<RequestRow, 'SentAt' | 'FinishedAt'> & { SentAt: number; FinishedAt: number | null }

function shown(row: Stored): RequestRow {
  return { ...row, SentAt: isoOf(row.SentAt), FinishedAt: isoOrNull(row.FinishedAt) }
}

/** Null if there is no own reference to compare with, and no start to wait for. */
function addedText({ OwnReferences, ActivateDate, Images = [] }: AddedItem = {}): string | null {
  const references = OwnReferences ?? []
  if (references.length === 0 && !ActivateDate && Images.length === 0) return null
  const images = Images.length === 0 ? {} : { Images }
  return JSON.stringify({ OwnReferences: references, ActivateDate: ActivateDate ?? null, ...images })
}
