/** Jobs and their rows as commands show them. */
import { entryAt } from '../../contract/entry-at.js'
import { wordsOf } from '../../holds/index.js'
import { run, say, type Words } from '../../messages/index.js'
import type { RefusedRow } from '../../rows/index.js'
import { JobsError } from '../ledger/errors.js'
import type { JobRecord } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { countJobRows } from './journal.js'
import { type StoredRows, unpackBytes, unpackInts, unpackReasons } from './pack.js'
import { BULK_DETAIL, BULK_KINDS, type BulkJob, type BulkKind, type BulkRow, type BulkRowState, ROW_STATES } from './types.js'

/** True if a kind of job in the ledger has rows. */
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
      say`See its steps with: ${run('jobs:show', { id: jobId })}`,
      { jobId },
    )
  }
  return buildBulkJob(ledger, record, record.Kind)
}

function buildBulkJob(ledger: Ledger, record: JobRecord, kind: BulkKind): BulkJob {
  const counts = countJobRows(ledger, record.JobId)
  const rows = ROW_STATES.reduce((sum, state) => sum + counts[state], 0)
  const { blind, undoOf } = ledger.jobs.detail(record.JobId, BULK_DETAIL)
  const undone = undoOf ?? (record.UndoOf === null ? [] : [record.UndoOf])
  return { ...record, Kind: kind, Counts: counts, Rows: rows, Blind: blind, UndoneJobs: undone }
}

const DONE = new Set((['ok', 'queued'] as const).map((state) => ROW_STATES.indexOf(state)))

const ROWS = `SELECT b.job_id, b.batch, b.first_row, b.count, b.lines, b.ids, b.prices, b.old_prices, b.payloads, b.old_payloads, b.own_references,
  b.extras, b.titles, s.states, s.request_ids, s.item_ids, s.reasons
  FROM bulk_batches b JOIN bulk_states s ON s.job_id = b.job_id AND s.batch = b.batch WHERE b.job_id = ?`

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

/**
 * The rows of some batches after one (0 for the first), read now, and the number of the last of these batches; undefined where no
 * more come.
 */
export function rowsAfter(
  ledger: Pick<Ledger, 'store'>,
  jobId: number,
  after: number,
  states: readonly BulkRowState[] = ROW_STATES,
): { readonly rows: Iterable<BulkRow>; readonly last: number | undefined } {
  const stateBytes = new Set(states.map((state) => ROW_STATES.indexOf(state)))
  const batches = ledger.store.all<StoredRows>(`${ROWS} AND b.batch > ? ORDER BY b.batch LIMIT ${BATCHES_AT_ONCE}`, jobId, after)
  const rows = (function* () {
    for (const batch of batches) yield* unpackRows(batch, stateBytes)
  })()
  return { rows, last: batches.length < BATCHES_AT_ONCE ? undefined : batches.at(-1)?.batch }
}

/** The rows of one batch in some states. */
export function* rowsOfBatch(
  ledger: Pick<Ledger, 'store'>,
  { jobId, batch }: { readonly jobId: number; readonly batch: number },
  states: readonly BulkRowState[],
): Generator<BulkRow> {
  const batchRow = ledger.store.first<StoredRows>(`${ROWS} AND b.batch = ?`, jobId, batch)
  if (batchRow !== undefined) yield* unpackRows(batchRow, new Set(states.map((state) => ROW_STATES.indexOf(state))))
}

function* unpackRows(batch: StoredRows, stateBytes: ReadonlySet<number>): Generator<BulkRow> {
  const bytes = unpackBytes(batch.states)
  const [lines, ids, requestIds] = [unpackInts(batch.lines), unpackInts(batch.ids), unpackInts(batch.request_ids)]
  const itemIds = batch.item_ids === null ? undefined : unpackInts(batch.item_ids)
  const prices = batch.prices === null ? undefined : unpackInts(batch.prices)
  const oldPrices = batch.old_prices === null ? undefined : unpackInts(batch.old_prices)
  const [payloads, oldPayloads] = [list(batch.payloads), list(batch.old_payloads)]
  const [references, extras, titles] = [list(batch.own_references), list(batch.extras), list(batch.titles)]
  const reasons = unpackReasons(batch.reasons)
  for (let at = 0; at < batch.count; at++) {
    const byte = entryAt(bytes, at)
    if (!stateBytes.has(byte)) continue
    const own = positive(ids[at])
    // An auction that is relisted shows the old id, until there is a new one.
    const createdId = own === null || DONE.has(byte) ? positive(itemIds?.[at]) : null
    yield {
      JobId: batch.job_id,
      Row: batch.first_row + at,
      Line: entryAt(lines, at),
      Id: createdId ?? own,
      OwnReference: (references[at] as string | null | undefined) ?? null,
      Title: (titles[at] as string | null | undefined) ?? titleOf(payloads[at]),
      OldPrice: positive(oldPrices?.[at]),
      Price: prices === undefined ? null : entryAt(prices, at),
      Payload: payloads[at] ?? null,
      OldPayload: oldPayloads[at] ?? null,
      State: ROW_STATES[byte] ?? 'unsent',
      RequestId: positive(requestIds[at]),
      Hold: reasons.get(at) ?? null,
      Extra: (extras[at] as unknown[] | null | undefined) ?? [],
    }
  }
}

/** Title of an item that is added. */
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

/**
 * Failed and held rows (or those in some states) for writeRefusedRows, which writes them in the form of the input.
 * @param text turns the words of a reason into text
 */
export function* refusedRows(
  ledger: Pick<Ledger, 'store'>,
  jobId: number,
  text: (words: Words) => string,
  states: readonly BulkRowState[] = GIVEN_BACK,
): Generator<RefusedRow> {
  for (const row of bulkRows(ledger, jobId, states)) {
    yield { fields: fieldsOf(row), extra: row.Extra, reason: row.Hold === null ? row.State : text(wordsOf(row.Hold)) }
  }
}

function fieldsOf(row: BulkRow): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...objectOrEmpty(row.Payload), Id: row.Id }
  if (row.OwnReference !== null) fields.OwnReference = row.OwnReference
  if (row.Price !== null) fields.Price = row.Price
  // Auctions that are put up again: the prices of a row by the names of its columns.
  const { ReservePrice } = objectOrEmpty(fields.Request)
  if (ReservePrice !== undefined) Object.assign(fields, { Reserve: ReservePrice, Price: fields.Price ?? fields.OpeningPrice })
  // A buy-it-now price that was to be removed is written as it was given; an empty cell would keep it.
  const old = objectOrEmpty(row.OldPayload)
  if (fields.BinPrice === null && old.BinPrice !== undefined && old.BinPrice !== null) fields.BinPrice = 'none'
  return fields
}

function objectOrEmpty(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
