/** Checks the rows of bulk jobs. Their columns are packed in blobs, which SQLite cannot check. */
import { keptHold } from '../../holds/index.js'
import type { Store } from '../../system/sqlite.js'
import { type StoredRows, unpackBytes, unpackInts } from '../bulk/pack.js'
import { ROW_STATES } from '../bulk/types.js'
import { type Finding, finding } from './tables.js'

interface StoredBatch extends StoredRows, Record<(typeof ROW_STATES)[number], number> {
  job_id: number
  kind: string
}

const NEXT = `SELECT b.*, j.kind, s.states, s.request_ids, s.item_ids, s.reasons, ${ROW_STATES.map((state) => `s.${state}`).join(', ')}
  FROM bulk_batches b JOIN bulk_states s ON s.job_id = b.job_id AND s.batch = b.batch JOIN jobs j ON j.id = b.job_id
  WHERE (b.job_id, b.batch) > (?, ?) ORDER BY b.job_id, b.batch LIMIT 1`

/** Batches without states, or states without a batch. */
const HALVES = `SELECT b.job_id, b.batch FROM bulk_batches b LEFT JOIN bulk_states s ON s.job_id = b.job_id AND s.batch = b.batch
    WHERE s.job_id IS NULL
  UNION ALL SELECT s.job_id, s.batch FROM bulk_states s LEFT JOIN bulk_batches b ON b.job_id = s.job_id AND b.batch = s.batch
    WHERE b.job_id IS NULL LIMIT 100`

/** Checks every batch, one at a time: a job may have a million rows. Gives undefined after a batch without a fault. */
export function* checkBatches(store: Store): Generator<Finding | undefined> {
  const halves = store.all<{ job_id: number; batch: number }>(HALVES)
  for (const place of halves) yield faultOf(place, 'its rows have no states, or its states no rows')
  let expected = { job: 0, row: 1 }
  for (let at: Pick<StoredBatch, 'job_id' | 'batch'> = { job_id: 0, batch: 0 }; ; ) {
    const batch = store.first<StoredBatch>(NEXT, at.job_id, at.batch)
    if (batch === undefined) return
    at = { job_id: batch.job_id, batch: batch.batch }
    if (batch.job_id !== expected.job) expected = { job: batch.job_id, row: 1 }
    if (batch.first_row !== expected.row) yield faultOf(batch, `it begins at row ${batch.first_row}, not ${expected.row}`)
    expected.row = batch.first_row + batch.count
    for (const problem of findProblems(batch)) yield faultOf(batch, problem)
    yield undefined
  }
}

function* findProblems(batch: StoredBatch): Generator<string> {
  const { count, kind } = batch
  const ints = { lines: batch.lines, ids: batch.ids, request_ids: batch.request_ids }
  const optional = { prices: batch.prices, old_prices: batch.old_prices, item_ids: batch.item_ids }
  for (const [column, blob] of [...Object.entries(ints), ...Object.entries(optional)]) {
    if (blob !== null && blob.byteLength !== count * 4) yield `${column} holds ${blob.byteLength / 4} values for ${count} rows`
  }
  if (batch.states.byteLength !== count) yield `states holds ${batch.states.byteLength} values for ${count} rows`
  if (kind === 'price' && batch.prices === null) yield 'its prices are missing'
  yield* textProblems(batch)
  yield* stateProblems(batch)
}

function* textProblems(batch: StoredBatch): Generator<string> {
  for (const column of ['payloads', 'old_payloads', 'own_references', 'extras'] as const) {
    const text = batch[column]
    if (text === null) continue
    const values = parsed(text)
    if (!Array.isArray(values) || values.length !== batch.count) yield `${column} is not a list of ${batch.count} values`
  }
  if (batch.reasons === null) return
  if (!areReasons(parsed(batch.reasons), batch.count)) yield 'its reasons cannot be read'
}

/** Holds with the places of their rows, or a text for each place as version 0.1 wrote them. */
function areReasons(reasons: unknown, count: number): boolean {
  const isPlace = (at: unknown): boolean => Number.isInteger(Number(at)) && Number(at) < count
  if (!Array.isArray(reasons)) return typeof reasons === 'object' && reasons !== null && Object.keys(reasons).every(isPlace)
  return reasons.every((entry: unknown) => {
    const [kept, places] = Array.isArray(entry) ? (entry as readonly unknown[]) : []
    return keptHold(kept) !== undefined && Array.isArray(places) && places.every(isPlace)
  })
}

function* stateProblems(batch: StoredBatch): Generator<string> {
  const counts = new Array<number>(ROW_STATES.length).fill(0)
  const requests = unpackInts(batch.request_ids)
  const queuedByte = ROW_STATES.indexOf('queued')
  let odd = 0
  let withoutId = 0
  unpackBytes(batch.states).forEach((byte, at) => {
    if (byte >= counts.length) odd++
    else counts[byte] = (counts[byte] ?? 0) + 1
    if (byte === queuedByte && (requests[at] ?? 0) <= 0) withoutId++
  })
  if (odd > 0) yield `${odd} rows have a state that is unknown to this tool`
  if (withoutId > 0) yield `${withoutId} rows are queued without a request id`
  for (const [byte, state] of ROW_STATES.entries()) {
    if (counts[byte] !== batch[state]) yield `it counts ${batch[state]} rows as ${state}, and has ${counts[byte]}`
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function faultOf({ job_id, batch }: { job_id: number; batch: number }, problem: string): Finding {
  return finding('rows', `job ${job_id}, batch ${batch}`, problem)
}
