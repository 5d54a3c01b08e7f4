/** Jobs and their rows as commands show them. */
import type { RefusedRow } from '../../rows/index.js'
import { JobsError } from '../ledger/errors.js'
import type { JobRecord } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { countsOf } from './journal.js'
import { type StoredRows, unpackBytes, unpackInts, unpackReasons } from './pack.js'
import { BULK_KINDS, type BulkDetail, type BulkJob, type BulkKind, type BulkRow, type BulkRowState, ROW_STATES } from './types.js'

/** Whether a kind of job in the ledger has rows. */
export function isBulkKind(kind: string): kind is BulkKind {
  return Object.hasOwn(BULK_KINDS, kind)
}

/** Reads a bulk job. @throws JobsError code `job_not_found`, or `no_bulk_job` if it is of another kind */
export function bulkJob(ledger: Ledger, jobId: number): BulkJob {
  const record = ledger.jobs.show(jobId)
  if (!isBulkKind(record.Kind)) {
    throw new JobsError(
      'no_bulk_job',
      `Job ${jobId} is a ${record.Kind} and has no rows.`,
      `See its steps with: seller jobs:show ${jobId}`,
      { jobId },
    )
  }
  return bulkJobOf(ledger, record, record.Kind)
}

function bulkJobOf(ledger: Ledger, record: JobRecord, kind: BulkKind): BulkJob {
  const counts = countsOf(ledger, record.JobId)
  const rows = ROW_STATES.reduce((sum, state) => sum + counts[state], 0)
  const { blind, undoOf } = ledger.jobs.detail<BulkDetail>(record.JobId)
  const undone = undoOf ?? (record.UndoOf === null ? [] : [record.UndoOf])
  return { ...record, Kind: kind, Counts: counts, Rows: rows, Blind: blind, UndoneJobs: undone }
}

const DONE = new Set((['ok', 'queued'] as const).map((state) => ROW_STATES.indexOf(state)))

/** Batches read by one query: about 14 kB each. */
const BATCHES_AT_ONCE = 20

/** The rows of a job in the order of sending, all or those in some states. Reads some batches at a time. */
export function* bulkRows(ledger: Pick<Ledger, 'store'>, jobId: number, states?: readonly BulkRowState[]): Generator<BulkRow> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { rows, last } = rowsAfter(ledger, jobId, after, states)
    yield* rows
    after = last
  }
}

/** The rows of some batches after one (0 for the first), read now, and the number of the last of these batches; undefined where no more come. */
export function rowsAfter(
  ledger: Pick<Ledger, 'store'>,
  jobId: number,
  after: number,
  states: readonly BulkRowState[] = ROW_STATES,
): { readonly rows: Iterable<BulkRow>; readonly last: number | undefined } {
  const wanted = new Set(states.map((state) => ROW_STATES.indexOf(state)))
  const batches = ledger.store.all<StoredRows>(
    `SELECT b.batch, b.first_row, b.count, b.lines, b.ids, b.prices, b.old_prices, b.payloads, b.old_payloads, b.own_references,
       b.extras, b.titles,
       s.states, s.request_ids, s.item_ids, s.reasons
     FROM bulk_batches b JOIN bulk_states s ON s.job_id = b.job_id AND s.batch = b.batch
     WHERE b.job_id = ? AND b.batch > ? ORDER BY b.batch LIMIT ${BATCHES_AT_ONCE}`,
    jobId,
    after,
  )
  const rows = (function* () {
    for (const stored of batches) yield* rowsOf(stored, wanted)
  })()
  return { rows, last: batches.length < BATCHES_AT_ONCE ? undefined : batches.at(-1)?.batch }
}

function* rowsOf(stored: StoredRows, wanted: ReadonlySet<number>): Generator<BulkRow> {
  const bytes = unpackBytes(stored.states)
  const [lines, ids, requestIds] = [unpackInts(stored.lines), unpackInts(stored.ids), unpackInts(stored.request_ids)]
  const itemIds = stored.item_ids === null ? undefined : unpackInts(stored.item_ids)
  const prices = stored.prices === null ? undefined : unpackInts(stored.prices)
  const oldPrices = stored.old_prices === null ? undefined : unpackInts(stored.old_prices)
  const [payloads, oldPayloads] = [list(stored.payloads), list(stored.old_payloads)]
  const [references, extras, titles] = [list(stored.own_references), list(stored.extras), list(stored.titles)]
  const reasons = unpackReasons(stored.reasons)
  for (let at = 0; at < stored.count; at++) {
    const byte = bytes[at] ?? 0
    if (!wanted.has(byte)) continue
    const own = positive(ids[at])
    // Of an auction that is put up again the old one, until there is a new one.
    const made = own === null || DONE.has(byte) ? positive(itemIds?.[at]) : null
    yield {
      Row: stored.first_row + at,
      Line: lines[at] ?? 0,
      Id: made ?? own,
      OwnReference: (references[at] as string | null | undefined) ?? null,
      Title: (titles[at] as string | null | undefined) ?? titleOf(payloads[at]),
      OldPrice: positive(oldPrices?.[at]),
      Price: prices === undefined ? null : (prices[at] ?? 0),
      Payload: payloads[at] ?? null,
      OldPayload: oldPayloads[at] ?? null,
      State: ROW_STATES[byte] ?? 'unsent',
      RequestId: positive(requestIds[at]),
      Reason: reasons.get(at) ?? null,
      Extra: (extras[at] as unknown[] | null | undefined) ?? [],
    }
  }
}

/** Of an item that is added. */
function titleOf(payload: unknown): string | null {
  const { Title } = objectOrEmpty(payload)
  return typeof Title === 'string' ? Title : null
}

function list(text: string | null): readonly unknown[] {
  return text === null ? [] : (JSON.parse(text) as unknown[])
}

function positive(value: number | undefined): number | null {
  return value === undefined || value <= 0 ? null : value
}

/** The states whose rows are written out to be corrected: held, failed, may be sent again, or without a live item. */
export const GIVEN_BACK: readonly BulkRowState[] = ['failed', 'retryable', 'held', 'skipped']

/** Failed and held rows (or those in some states) for writeRefusedRows of pricing, which writes them in the form of the input. */
export function* refusedRows(
  ledger: Pick<Ledger, 'store'>,
  jobId: number,
  states: readonly BulkRowState[] = GIVEN_BACK,
): Generator<RefusedRow> {
  for (const row of bulkRows(ledger, jobId, states)) {
    yield { fields: fieldsOf(row), extra: row.Extra, reason: row.Reason ?? row.State }
  }
}

function fieldsOf(row: BulkRow): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...objectOrEmpty(row.Payload), Id: row.Id }
  if (row.OwnReference !== null) fields.OwnReference = row.OwnReference
  if (row.Price !== null) fields.Price = row.Price
  // A buy-it-now price that was to be removed is written as it was given; an empty cell would keep it.
  const old = objectOrEmpty(row.OldPayload)
  if (fields.BinPrice === null && old.BinPrice !== undefined && old.BinPrice !== null) fields.BinPrice = 'none'
  return fields
}

function objectOrEmpty(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
