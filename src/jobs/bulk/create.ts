/** Creates a job of rows: everything it will send is in the ledger before its first call. */
import { IdIndex } from '../../rows/index.js'
import type { SqlValue } from '../../system/sqlite.js'
import { JobsError } from '../ledger/errors.js'
import type { Ledger } from '../ledger/ledger.js'
import { countsOf, itemsPerCall } from './journal.js'
import { packInts } from './pack.js'
import { packReasons } from './reasons.js'
import { bulkJob } from './show.js'
import {
  type BulkDetail,
  type BulkJob,
  type BulkKind,
  type BulkRowState,
  type NewBulkJob,
  type NewBulkRow,
  ROW_STATES,
} from './types.js'

/** Rows of a batch for kinds that send one row per call; it affects only how they are stored. */
const ROWS_PER_BATCH = 500

const INSERT_BATCH = `INSERT INTO bulk_batches
  (job_id, batch, first_row, count, lines, ids, prices, old_prices, payloads, old_payloads, own_references, extras, titles)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const INSERT_STATES = `INSERT INTO bulk_states (job_id, batch, ${ROW_STATES.join(', ')}, states, request_ids, item_ids, reasons)
  VALUES (?, ?, ${ROW_STATES.map(() => '?').join(', ')}, ?, ?, ?, ?)`

/** Whether the rows of a kind get an id from the service. */
export function adds(kind: BulkKind): boolean {
  return kind === 'add-shop' || kind === 'add-item' || kind === 'relist'
}

/**
 * Writes a job with all its rows in one transaction, so that it is stored whole or not at all. Rows are taken one at a time, and
 * their ids are checked for doubles unless they are known to differ.
 * @throws JobsError code `item_twice` if two rows name the same item
 */
export function createBulkJob(ledger: Ledger, job: NewBulkJob): BulkJob {
  const perBatch = job.kind === 'price' || job.kind === 'stock' ? itemsPerCall(ledger, job.profile) : ROWS_PER_BATCH
  const jobId = ledger.store.transaction(() => {
    const { kind, profile, userId, title, partOf } = job
    const undone = [...(job.undoOf ?? [])].sort((one, other) => one - other)
    const undoOf = undone.at(-1)
    const detail: BulkDetail = { form: job.form, blind: job.blind ?? false, ...(undone.length > 1 ? { undoOf: undone } : {}) }
    const { JobId } = ledger.jobs.create({ kind, profile, userId, title, undoOf, partOf, detail })
    const ids: number[] = []
    const seen = new IdIndex((row) => ids[row] ?? 0)
    const numbering = { batch: 0, row: 1 }
    const place = { ledger, jobId: JobId, kind, numbering }
    // Held rows have batches of their own, so that every batch of rows to be sent fills a call.
    const toSend = new BatchWriter({ ...place, size: perBatch, state: 'unsent' })
    const held = new BatchWriter({ ...place, size: ROWS_PER_BATCH, state: 'held' })
    const skipped = new BatchWriter({ ...place, size: ROWS_PER_BATCH, state: 'skipped' })
    for (const row of job.rows) {
      if (row.id > 0 && job.distinct !== true) {
        if (seen.add(row.id, ids.length) >= 0) throw twice(row)
        ids.push(row.id)
      }
      if (reasonOf(row.skipped)) skipped.add(row)
      else if (reasonOf(row.held)) held.add(row)
      else toSend.add(row)
    }
    toSend.write()
    held.write()
    skipped.write()
    const counts = countsOf(ledger, JobId)
    if (counts.unsent > 0) ledger.jobs.update(JobId, { counts })
    else ledger.jobs.finish(JobId, { state: counts.held + counts.skipped > 0 ? 'partial' : 'ok', counts })
    job.recorded?.(JobId)
    return JobId
  })
  return bulkJob(ledger, jobId)
}

function reasonOf(reason: string | null | undefined): reason is string {
  return reason !== undefined && reason !== null
}

interface BatchPlace {
  readonly ledger: Ledger
  readonly jobId: number
  readonly kind: BulkKind
  /** Number of the last batch and of the next row, over all writers of the job. */
  readonly numbering: { batch: number; row: number }
  /** Rows in a full batch. */
  readonly size: number
  readonly state: Extract<BulkRowState, 'unsent' | 'held' | 'skipped'>
}

/** Collects rows in columns, and writes a batch whenever it is full. */
class BatchWriter {
  readonly #place: BatchPlace
  readonly #lines: Int32Array
  readonly #ids: Int32Array
  readonly #prices: Int32Array
  readonly #oldPrices: Int32Array
  #payloads = new SparseTexts()
  #oldPayloads = new SparseTexts()
  #references = new SparseTexts()
  #extras = new SparseTexts()
  #titles = new SparseTexts()
  #reasons = new Map<number, string>()
  #count = 0

  constructor(place: BatchPlace) {
    this.#place = place
    this.#lines = new Int32Array(place.size)
    this.#ids = new Int32Array(place.size)
    this.#prices = new Int32Array(place.size)
    this.#oldPrices = new Int32Array(place.size)
  }

  add(row: NewBulkRow): void {
    const at = this.#count++
    this.#lines[at] = row.line
    this.#ids[at] = row.id
    this.#prices[at] = row.price ?? 0
    this.#oldPrices[at] = row.oldPrice ?? 0
    this.#payloads.set(at, row.payload)
    this.#oldPayloads.set(at, row.oldPayload)
    this.#references.set(at, row.ownReference)
    this.#titles.set(at, row.title)
    if (row.extra !== undefined && row.extra.length > 0) this.#extras.set(at, row.extra)
    const reason = row.skipped ?? row.held
    if (reasonOf(reason)) this.#reasons.set(at, reason)
    if (this.#count === this.#place.size) this.write()
  }

  /** Writes the collected rows, if there are any. */
  write(): void {
    const count = this.#count
    const place = this.#place
    if (count === 0) return
    const { ledger, jobId, kind, numbering, state } = place
    const batch = ++numbering.batch
    const priced = kind === 'price'
    const ints = (column: Int32Array) => packInts(column.subarray(0, count))
    ledger.store.run(
      INSERT_BATCH,
      jobId,
      batch,
      numbering.row,
      count,
      ints(this.#lines),
      ints(this.#ids),
      priced ? ints(this.#prices) : null,
      priced ? ints(this.#oldPrices) : null,
      this.#payloads.take(count),
      this.#oldPayloads.take(count),
      this.#references.take(count),
      this.#extras.take(count),
      this.#titles.take(count),
    )
    const byte = ROW_STATES.indexOf(state)
    ledger.store.run(
      INSERT_STATES,
      jobId,
      batch,
      ...ROW_STATES.map((_, place): SqlValue => (place === byte ? count : 0)),
      new Uint8Array(count).fill(byte),
      new Uint8Array(count * 4),
      adds(kind) ? new Uint8Array(count * 4) : null,
      packReasons(this.#reasons),
    )
    numbering.row += count
    this.#count = 0
    this.#reasons = new Map()
  }
}

/** A column of values that most rows do not have. */
class SparseTexts {
  #values: unknown[] | undefined

  set(at: number, value: unknown): void {
    if (value === undefined || value === null) return
    this.#values ??= []
    this.#values[at] = value
  }

  /** The column as a JSON list with null for a row without a value; null if no row has one. Empties the column. */
  take(count: number): string | null {
    const values = this.#values
    this.#values = undefined
    return values === undefined ? null : JSON.stringify(Array.from({ length: count }, (_, at) => values[at] ?? null))
  }
}

function twice(row: NewBulkRow): JobsError {
  return new JobsError(
    'item_twice',
    `Item ${row.id} has two rows in the job; line ${row.line} is the second.`,
    'Remove one of the two rows. An item can have only one row in a job.',
    { id: row.id, line: row.line },
  )
}
