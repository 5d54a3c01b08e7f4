/** Makes a job of rows: everything it will send is in the ledger before its first call. */
import { IdIndex, type InputForm } from '../../pricing/index.js'
import { JobsError } from '../errors.js'
import type { Ledger } from '../ledger.js'
import type { SqlValue } from '../store.js'
import { countsOf, itemsPerCall } from './book.js'
import { packInts } from './pack.js'
import { bulkJob } from './show.js'
import { type BulkJob, type BulkKind, type BulkRowState, type NewBulkJob, type NewBulkRow, ROW_STATES } from './types.js'

/** Rows of a batch where each goes by a call of its own: only a matter of packing. */
const ROWS_PER_BATCH = 500

const INSERT_BATCH = `INSERT INTO bulk_batches
  (job_id, batch, first_row, count, lines, ids, prices, old_prices, payloads, old_payloads, own_references, extras)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const INSERT_STATES = `INSERT INTO bulk_states (job_id, batch, ${ROW_STATES.join(', ')}, states, request_ids, item_ids, reasons)
  VALUES (?, ?, ${ROW_STATES.map(() => '?').join(', ')}, ?, ?, ?, ?)`

/** What a job's engine needs to know besides its record. */
export interface BulkDetail {
  readonly form: InputForm
  readonly blind: boolean
}

/** Kinds whose rows get an id from the service. */
export function adds(kind: BulkKind): boolean {
  return kind === 'add-shop' || kind === 'add-item'
}

/**
 * Writes a job with all its rows, in one transaction: it is there whole or not at all. Rows are taken one at a time, and
 * their ids are checked to differ unless they are known to.
 * @throws JobsError code `item_twice` when two rows name the same item
 */
export function createBulkJob(ledger: Ledger, job: NewBulkJob): BulkJob {
  const perBatch = job.kind === 'price' ? itemsPerCall(ledger, job.profile) : ROWS_PER_BATCH
  const jobId = ledger.store.transaction(() => {
    const detail: BulkDetail = { form: job.form, blind: job.blind ?? false }
    const { kind, profile, userId, title, undoOf } = job
    const { JobId } = ledger.jobs.create({ kind, profile, userId, title, undoOf, detail })
    const writer = new BatchWriter(ledger, JobId, kind)
    const ids: number[] = []
    const seen = new IdIndex((row) => ids[row] ?? 0)
    let toSend: NewBulkRow[] = []
    let held: NewBulkRow[] = []
    // Held rows have batches of their own, so that every batch of rows to be sent fills a call.
    for (const row of job.rows) {
      if (row.id > 0 && job.distinct !== true) {
        if (seen.add(row.id, ids.length) >= 0) throw twice(row)
        ids.push(row.id)
      }
      const isHeld = row.held !== undefined && row.held !== null
      ;(isHeld ? held : toSend).push(row)
      if (held.length === ROWS_PER_BATCH) {
        writer.write(held, 'held')
        held = []
      }
      if (toSend.length === perBatch) {
        writer.write(toSend, 'unsent')
        toSend = []
      }
    }
    if (toSend.length > 0) writer.write(toSend, 'unsent')
    if (held.length > 0) writer.write(held, 'held')
    const counts = countsOf(ledger, JobId)
    if (counts.unsent > 0) ledger.jobs.update(JobId, { counts })
    else ledger.jobs.finish(JobId, { state: counts.held > 0 ? 'partial' : 'ok', counts })
    return JobId
  })
  return bulkJob(ledger, jobId)
}

class BatchWriter {
  private readonly ledger: Ledger
  private readonly jobId: number
  private readonly kind: BulkKind
  private batch = 0
  private rows = 0

  constructor(ledger: Ledger, jobId: number, kind: BulkKind) {
    this.ledger = ledger
    this.jobId = jobId
    this.kind = kind
  }

  write(rows: readonly NewBulkRow[], state: Extract<BulkRowState, 'unsent' | 'held'>): void {
    const { store } = this.ledger
    const { length } = rows
    this.batch++
    const priced = this.kind === 'price'
    store.run(
      INSERT_BATCH,
      this.jobId,
      this.batch,
      this.rows + 1,
      length,
      ints(rows, (row) => row.line),
      ints(rows, (row) => row.id),
      priced ? ints(rows, (row) => row.price ?? 0) : null,
      priced ? ints(rows, (row) => row.oldPrice ?? 0) : null,
      texts(rows, (row) => row.payload),
      texts(rows, (row) => row.oldPayload),
      texts(rows, (row) => row.ownReference),
      texts(rows, (row) => (row.extra === undefined || row.extra.length === 0 ? undefined : row.extra)),
    )
    const byte = ROW_STATES.indexOf(state)
    const counts = ROW_STATES.map((_, place): SqlValue => (place === byte ? length : 0))
    const reasons = state === 'held' ? JSON.stringify(Object.fromEntries(rows.map((row, at) => [at, row.held]))) : null
    store.run(
      INSERT_STATES,
      this.jobId,
      this.batch,
      ...counts,
      new Uint8Array(length).fill(byte),
      new Uint8Array(length * 4),
      adds(this.kind) ? new Uint8Array(length * 4) : null,
      reasons,
    )
    this.rows += length
  }
}

function ints(rows: readonly NewBulkRow[], of: (row: NewBulkRow) => number): Uint8Array {
  const packed = new Int32Array(rows.length)
  rows.forEach((row, at) => {
    packed[at] = of(row)
  })
  return packInts(packed)
}

/** A list as JSON with null where a row has none; null where no row has one. */
function texts(rows: readonly NewBulkRow[], of: (row: NewBulkRow) => unknown): string | null {
  for (const row of rows) if ((of(row) ?? null) !== null) return JSON.stringify(rows.map((each) => of(each) ?? null))
  return null
}

function twice(row: NewBulkRow): JobsError {
  return new JobsError(
    'validation',
    'item_twice',
    `Item ${row.id} stands in two rows of the job; line ${row.line} is the second.`,
    {
      hint: 'An item can have one row in a job: two would race each other to the service.',
      details: { id: row.id, line: row.line },
    },
  )
}
