/** Queued requests: how they are added and reported, and which result codes are drawn for them. due-work.ts carries them out. */
import { type Output, type ParamsOf, type RequestResult as Result, resultMeaning } from '../../../contract/index.js'
import { chance } from '../../../system/random.js'
import type { Call, Scene } from '../store/scene.js'
import { takeNumbers } from '../store/store.js'

export type RequestResultValue = Output<typeof Result>

export interface RequestRow {
  first_id: number
  size: number
  operation: string
  user_id: number
  item_id: number | null
  queued_at: number
  due_at: number | null
  auto_commit: number
  payload: string | null
  campaign_code: string | null
  finished_at: number | null
  code: string | null
  message: string | null
  exceptions: string | null
}

/** A request that is due: its time is set, and what was stored for it is still there. */
export interface DueRequest extends RequestRow {
  due_at: number
}

/** Payload that `enqueue` stored for the processing of a request that is not finished. */
export function parsePayload<T>({ payload }: Pick<RequestRow, 'payload'>): T {
  return JSON.parse(payload as string) as T
}

/** Outcome of the processing of a queued request. */
export interface Outcome {
  /** The ResultCode in GetRequestResults. */
  readonly code: string
  /** Description of the event, if the code's own meaning does not say enough. */
  readonly message?: string
  /** JSON {index: code} of the ids that did not end with the code. */
  readonly exceptions?: string
}

export const DONE: Outcome = { code: 'Ok' }

export interface NewRequest {
  readonly itemId: number | null
  /** Number of request ids that it takes (default 1). */
  readonly size?: number
  /** JSON that the processing needs. */
  readonly payload?: string
  /** false if it waits for its commit. */
  readonly autoCommit?: boolean
  readonly campaignCode?: string | undefined
}

/** Adds a request that is due after the queue's delay. @returns its id, or the first of its ids */
export function enqueue(call: Call, request: NewRequest): number {
  const { size = 1, autoCommit = true } = request
  const id = takeNumbers(call.store, 'request', size)
  call.store.run(
    `INSERT INTO requests (first_id, size, operation, user_id, item_id, queued_at, due_at, auto_commit, payload, campaign_code)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, size, call.operation.name, call.userId, request.itemId, call.now],
    ...[autoCommit ? call.now + call.settings.queueDelayMs : null, autoCommit, request.payload, request.campaignCode],
  )
  return id
}

/**
 * The result codes drawn for a request, which ends with them instead of being carried out; undefined for most. The same in every
 * process.
 */
export function drawnCode(scene: Scene, requestId: number): string | undefined {
  const { queueCodes, seed } = scene.settings
  if (queueCodes.length === 0) return undefined
  let remaining = chance(seed, requestId)
  for (const { codes, probability } of queueCodes) {
    if (remaining < probability) return codes
    remaining -= probability
  }
  return undefined
}

/** The result codes drawn for the requests of a row, by their places in it. */
export function drawnCodes(scene: Scene, row: RequestRow): Record<number, string> {
  const codes: Record<number, string> = {}
  for (let index = 0; index < row.size; index++) {
    const code = drawnCode(scene, row.first_id + index)
    if (code !== undefined) codes[index] = code
  }
  return codes
}

interface FoundRequest {
  id: number
  due_at: number | null
  finished_at: number | null
  code: string | null
  message: string | null
  exception: string | null
}

/**
 * One entry for each of the caller's requests that has a result. Ids without one, and unknown ids, are left out (docs/service.md,
 * Waiting for results). A request that was never committed answers Uncommited (docs/service.md, Result codes).
 */
export function getRequestResults(call: Call, { requestIds = [] }: ParamsOf<'GetRequestResults'>): RequestResultValue[] {
  const rows = call.store.all<FoundRequest>(
    `SELECT j.value AS id, r.due_at, r.finished_at, r.code, r.message,
       CASE WHEN r.exceptions IS NULL THEN NULL ELSE json_extract(r.exceptions, '$."' || (j.value - r.first_id) || '"') END AS exception
     FROM json_each(?) j CROSS JOIN requests r ON r.first_id = (SELECT max(first_id) FROM requests WHERE first_id <= j.value)
     WHERE j.value < r.first_id + r.size AND r.user_id = ? ORDER BY j.key`,
    JSON.stringify([...new Set(requestIds)]),
    call.userId,
  )
  return rows.flatMap((row) => {
    const code =
      row.due_at === null ? 'Uncommited' : row.finished_at === null ? undefined : (row.exception ?? row.code ?? 'Error')
    if (code === undefined) return []
    return [{ RequestId: row.id, ResultCode: code, ...messageOf(code, row.exception === null ? row.message : null) }]
  })
}

function messageOf(code: string, message: string | null): { Message?: string } {
  if (message !== null) return { Message: message }
  return code === 'Ok' ? {} : { Message: resultMeaning(code) }
}
