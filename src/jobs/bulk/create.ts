/** Creates a job of rows: everything it will send is in the ledger before its first call. */
import { BULK_KINDS } from '../../contract/jobs.js'
import type { Hold } from '../../holds/index.js'
import { noCounts } from '../ledger/counts.js'
import { JobsError } from '../ledger/errors.js'
import type { Ledger } from '../ledger/ledger.js'
import { itemsPerCall } from './journal.js'
import { packInts, packReasons } from './pack.js'
import { bulkJob } from './show.js'
import {
  type BulkCounts,
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
/** Rows that may have long texts: 20 batches are read at once. */
const TEXTS_PER_BATCH = 50

/** The columns of what rows send, as JSON: null for a row without a value, and for a batch in which no row has one. */
const TEXTS: Readonly<Record<string, (row: NewBulkRow) => unknown>> = {
  payloads: ({ payload }) => payload,
  old_payloads: ({ oldPayload }) => oldPayload,
  own_references: ({ ownReference }) => ownReference,
  extras: ({ extra }) => (extra?.length ? extra : undefined),
  titles: ({ title }) => title,
}

/** True if the rows of a kind get an id from the service. */
export function adds(kind: BulkKind): boolean {
  return kind === 'add-shop' || kind === 'add-item' || kind === 'relist'
}

/**
 * Writes a job with all its rows in one transaction, so that it is stored whole or not at all. Rows are taken one at a time, and
 * their ids are checked for doubles unless they are known to differ.
 * @throws JobsError code `item_twice` if two rows name the same item
 */
export function createBulkJob(ledger: Ledger, { rows, distinct, recorded, ...job }: NewBulkJob): BulkJob {
  const jobId = ledger.store.transaction(() => {
    const writer = new BulkJobWriter(ledger, job)
    const seenIds = new Set<number>()
    for (const row of rows) {
      if (row.id > 0 && distinct !== true) {
        if (seenIds.has(row.id)) throw twice(row)
        seenIds.add(row.id)
      }
      writer.add(row)
    }
    writer.write()
    recorded?.(writer.jobId)
    return writer.jobId
  })
  return bulkJob(ledger, jobId)
}

/** The jobs that one undoes, as it keeps them. */
export function undoDetail(jobIds: readonly number[] = []): { newest: number | undefined; detail: Pick<BulkDetail, 'undoOf'> } {
  const undone = [...jobIds].sort((one, other) => one - other)
  return { newest: undone.at(-1), detail: undone.length > 1 ? { undoOf: undone } : {} }
}

/**
 * Writes a job, and its rows in one transaction or in several: after each `write`, the job is what it would be if these were all.
 */
export class BulkJobWriter {
  readonly jobId: number
  readonly #ledger: Ledger
  readonly #counts = noCounts()
  readonly #toSend: BatchWriter
  /** Held rows have batches of their own, so that every batch of rows to be sent fills a call. */
  readonly #heldRows: BatchWriter
  readonly #skippedRows: BatchWriter

  constructor(ledger: Ledger, job: Omit<NewBulkJob, 'rows' | 'distinct' | 'recorded'>) {
    const { kind, profile, userId, title, partOf } = job
    const undone = undoDetail(job.undoOf)
    const detail: BulkDetail = { form: job.form, blind: job.blind ?? false, ...undone.detail }
    this.jobId = ledger.jobs.create({ kind, profile, userId, title, undoOf: undone.newest, partOf, detail }).JobId
    this.#ledger = ledger
    const rowsStored = kind === 'update' ? TEXTS_PER_BATCH : ROWS_PER_BATCH
    const perCall = BULK_KINDS[kind].many === true ? itemsPerCall(ledger, profile) : rowsStored
    const place = { ledger, jobId: this.jobId, kind, numbering: { batch: 0, row: 1 }, counts: this.#counts }
    this.#toSend = new BatchWriter({ ...place, size: perCall, state: 'unsent' })
    this.#heldRows = new BatchWriter({ ...place, size: rowsStored, state: 'held' })
    this.#skippedRows = new BatchWriter({ ...place, size: rowsStored, state: 'skipped' })
  }

  add(row: NewBulkRow): void {
    const writer = row.skipped ? this.#skippedRows : row.held ? this.#heldRows : this.#toSend
    writer.add(row)
  }

  /**
   * Writes the rows that wait for their batch to be full, and how many the job has. Call it in the transaction in which they were
   * added.
   */
  write(): void {
    for (const writer of [this.#toSend, this.#heldRows, this.#skippedRows]) writer.write()
    const [counts, { jobs }] = [this.#counts, this.#ledger]
    if (counts.unsent > 0) jobs.update(this.jobId, { state: 'open', counts })
    else jobs.finish(this.jobId, { state: counts.held + counts.skipped > 0 ? 'partial' : 'ok', counts })
  }
}

interface BatchPlace {
  readonly ledger: Ledger
  readonly jobId: number
  readonly kind: BulkKind
  /** Number of the last batch and of the next row, over all writers of the job. */
  readonly numbering: { batch: number; row: number }
  /** Rows of the job that are written. */
  readonly counts: BulkCounts
  /** Rows in a full batch. */
  readonly size: number
  readonly state: Extract<BulkRowState, 'unsent' | 'held' | 'skipped'>
}

/** Collects rows, and writes a batch whenever it is full. */
class BatchWriter {
  readonly #place: BatchPlace
  #rows: NewBulkRow[] = []

  constructor(place: BatchPlace) {
    this.#place = place
  }

  add(row: NewBulkRow): void {
    this.#rows.push(row)
    if (this.#rows.length === this.#place.size) this.write()
  }

  /** Writes the collected rows, if there are any. */
  write(): void {
    const rows = this.#rows
    if (rows.length === 0) return
    this.#rows = []
    const { ledger, jobId, kind, numbering, counts, state } = this.#place
    const key = { job_id: jobId, batch: ++numbering.batch }
    // There may be a million rows: a pass for each column took an eighth longer.
    const column = () => new Int32Array(rows.length)
    const [lines, ids, prices, olds] = [column(), column(), column(), column()]
    let at = 0
    for (const { line, id, price, oldPrice } of rows) {
      if (kind === 'price' && price === undefined) throw new TypeError(`Line ${line} of a price job has no price.`)
      lines[at] = line
      ids[at] = id
      prices[at] = price ?? 0
      olds[at++] = oldPrice ?? 0
    }
    const isPrice = kind === 'price'
    ledger.store.insert('bulk_batches', {
      ...{ ...key, first_row: numbering.row, count: rows.length, lines: packInts(lines), ids: packInts(ids) },
      ...{ prices: isPrice ? packInts(prices) : null, old_prices: isPrice ? packInts(olds) : null },
      ...Object.fromEntries(Object.entries(TEXTS).map(([column, of]) => [column, packTexts(rows, of)])),
    })
    ledger.store.insert('bulk_states', {
      ...{ ...key, ...noCounts(), [state]: rows.length },
      states: new Uint8Array(rows.length).fill(ROW_STATES.indexOf(state)),
      request_ids: new Uint8Array(rows.length * 4),
      item_ids: adds(kind) ? new Uint8Array(rows.length * 4) : null,
      reasons: state === 'unsent' ? null : packReasons(listReasons(rows)),
    })
    numbering.row += rows.length
    counts[state] += rows.length
  }
}

function* listReasons(rows: readonly NewBulkRow[]): Generator<[number, Hold]> {
  for (const [at, { skipped, held }] of rows.entries()) {
    const reason = skipped ?? held
    if (reason) yield [at, reason]
  }
}

function packTexts(rows: readonly NewBulkRow[], of: (row: NewBulkRow) => unknown): string | null {
  for (const row of rows) if ((of(row) ?? null) !== null) return JSON.stringify(rows.map(of))
  return null
}

function twice(row: NewBulkRow): JobsError {
  return new JobsError(
    'item_twice',
    `Item ${row.id} has two rows in the job; line ${row.line} is the second.`,
    'Remove one of the two rows. An item can have only one row in a job.',
    { id: row.id, line: row.line },
  )
}
