/** Reads and writes batches in the ledger. */
import { SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import { held } from '../../holds/index.js'
import type { Clock } from '../../system/clock.js'
import type { Store } from '../../system/sqlite.js'
import { noCounts } from '../ledger/counts.js'
import type { Ledger } from '../ledger/ledger.js'
import { Batch, type StoredBatch } from './batch.js'
import { packInts, packReasons } from './pack.js'
import { isSingle, type Strategy } from './strategies.js'
import { type BulkCounts, type BulkRowState, ROW_STATES } from './types.js'

const BATCHES = `SELECT b.batch, b.count, b.first_row, b.ids, b.prices, b.payloads, s.states, s.request_ids, s.item_ids, s.reasons
  FROM bulk_states s JOIN bulk_batches b ON b.job_id = s.job_id AND b.batch = s.batch
  WHERE s.job_id = ? AND s.batch > ?`
const COUNTS = `SELECT ${ROW_STATES.map((state) => `coalesce(sum(${state}), 0) AS ${state}`).join(', ')}
  FROM bulk_states WHERE job_id IN (SELECT id FROM jobs WHERE id = ?1 OR part_of = ?1)`
/** States that a run asks for by name. Each is a column of counts. */
type Wanted = Extract<BulkRowState, 'unsent' | 'sending' | 'queued' | 'failed' | 'retryable' | 'unknown'>
/** Batches read by one query: about 10 kB each. */
const AT_ONCE = 20
/** Columns on the right have the values of before: a batch none of whose rows was sent is sent for the first time. */
const SAVE = `UPDATE bulk_states SET
  sent_at = CASE WHEN ? > 0 AND sending + queued + ok = 0 THEN ? ELSE sent_at END, ${ROW_STATES.map((state) => `${state} = ?`).join(', ')},
  states = ?, request_ids = ?, item_ids = ?, reasons = ? WHERE job_id = ? AND batch = ?`

/** The setting that remembers how many items a call may hold. */
const PER_CALL = 'shop_items_per_call'

/** The batches of one job. */
export class BulkJournal {
  /** Rows of the whole job by state, kept up to date while batches change. */
  readonly tally: BulkCounts
  readonly #store: Store
  readonly #clock: Clock
  readonly #jobId: number
  /** Batches that were read and not handed out yet, and the batch after which reading continues. */
  #ahead: { readonly state: Wanted; readonly batches: StoredBatch[]; after: number } | undefined

  constructor(ledger: Pick<Ledger, 'store' | 'clock'>, jobId: number) {
    this.#store = ledger.store
    this.#clock = ledger.clock
    this.#jobId = jobId
    this.tally = countJobRows(ledger, jobId)
  }

  /** The next batch after one (0 for the first) with rows in a state. */
  next(state: Wanted, after: number): Batch | undefined {
    const row = this.#storedBatch(state, after)
    if (row === undefined) return undefined
    return new Batch(this.#jobId, row, this.tally)
  }

  #storedBatch(state: Wanted, after: number): StoredBatch | undefined {
    if (this.#ahead?.state !== state || this.#ahead.after !== after || this.#ahead.batches.length === 0) {
      const sql = `${BATCHES} AND s.${state} > 0 ORDER BY s.batch LIMIT ${AT_ONCE}`
      this.#ahead = { state, after, batches: this.#store.all<StoredBatch>(sql, this.#jobId, after) }
    }
    const row = this.#ahead.batches.shift()
    if (row !== undefined) this.#ahead.after = row.batch
    return row
  }

  /** Every batch with rows in a state, one at a time. A batch may be changed and saved meanwhile. */
  *all(state: Wanted): Generator<Batch> {
    for (let after = 0; ; ) {
      const batch = this.next(state, after)
      if (batch === undefined) return
      after = batch.batch
      yield batch
    }
  }

  /** Changes the rows that are in a state, in one transaction. @param change puts a row into another state, or leaves it */
  change(state: Wanted, change: (batch: Batch, at: number) => void): void {
    this.transaction(() => {
      for (const batch of this.all(state)) {
        for (const at of batch.places(state)) change(batch, at)
        this.save(batch)
      }
    })
  }

  /** Writes the states of a batch. */
  save(batch: Batch): void {
    // Forgets batches that were read ahead if one of them is saved; they would be handed out as they were before.
    if (this.#ahead?.batches.some((row) => row.batch === batch.batch)) this.#ahead = undefined
    const reasons = packReasons(batch.reasons)
    this.#store.run(
      SAVE,
      batch.counts.sending,
      this.#clock.now(),
      ...ROW_STATES.map((state) => batch.counts[state]),
      batch.states,
      packInts(batch.requestIds),
      batch.itemIds === undefined ? null : packInts(batch.itemIds),
      reasons,
      batch.jobId,
      batch.batch,
    )
  }

  transaction<T>(work: () => T): T {
    return this.#store.transaction(work)
  }
}

/** Rows of a job and of its parts by state, as the ledger has them now. */
export function countJobRows(ledger: Pick<Ledger, 'store'>, jobId: number): BulkCounts {
  return ledger.store.first<BulkCounts>(COUNTS, jobId) ?? noCounts()
}

/** Number of shop items in a call for a profile: what the service was found to accept, or what it recommends. */
export function itemsPerCall(ledger: Pick<Ledger, 'store'>, profile: string): number {
  const itemCount = ledger.store.number('SELECT value FROM bulk_settings WHERE profile = ? AND name = ?', profile, PER_CALL)
  return itemCount || SHOP_ITEMS_PER_CALL
}

/** Remembers how many shop items a call may hold at most. */
export function rememberItemsPerCall(ledger: Pick<Ledger, 'store'>, profile: string, items: number): void {
  ledger.store.put('bulk_settings', { profile, name: PER_CALL, value: items })
}

/**
 * Asks again for results that came in a word which nobody knows: the service has those requests, so it may know their outcome by
 * now. A row in steps asks itself: its request may not be committed.
 */
export function askAgain(journal: BulkJournal, { inSteps }: Pick<Strategy, 'inSteps'>): void {
  journal.change('unknown', (batch, at) => {
    if (batch.requestId(at) > 0 && inSteps?.(batch, at) !== true) batch.set(at, 'queued')
  })
}

/** Handles rows that an ended process left in the middle of a call: they may be sent again, or stay unknown. */
export function recoverSending(journal: BulkJournal, strategy: Strategy): void {
  journal.change('sending', (batch, at) => {
    if (isSingle(strategy, batch, at)) batch.set(at, 'unknown', held('program_ended'))
    else batch.set(at, 'unsent')
  })
}
