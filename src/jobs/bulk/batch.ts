/** One batch in memory: what its rows send, and the state of each. */
import { entryAt } from '../../contract/entry-at.js'
import type { Hold } from '../../holds/index.js'
import { noCounts } from '../ledger/counts.js'
import { type StoredRows, unpackBytes, unpackInts, unpackReasons } from './pack.js'
import { type Payload, readPayload } from './payloads.js'
import { type BulkCounts, type BulkKind, type BulkRowState, ROW_STATES } from './types.js'

/** The byte of each state. `set` is called three times for each of up to a million rows. */
const BYTE_OF = Object.fromEntries(ROW_STATES.map((state, byte) => [state, byte])) as Record<BulkRowState, number>

/** Stored form of a batch. */
export type StoredBatch = Pick<
  StoredRows,
  'batch' | 'count' | 'first_row' | 'ids' | 'prices' | 'payloads' | 'states' | 'request_ids' | 'item_ids' | 'reasons'
>

export class Batch {
  readonly jobId: number
  readonly batch: number
  readonly count: number
  /** BulkRow.Row of its first row. */
  readonly firstRow: number
  /** Item ids; 0 if the row adds an item. */
  readonly ids: Int32Array
  /** Kronor; set only for the kind price. */
  readonly prices: Int32Array | undefined
  readonly states: Uint8Array
  readonly requestIds: Int32Array
  /** Ids of the items that rows added; set only for the kinds that add. */
  readonly itemIds: Int32Array | undefined
  readonly counts = noCounts()
  /** Reasons of the states of rows, by place in the batch. */
  readonly reasons: Map<number, Hold>
  /** Payloads of the other kinds. Parsed when the first row is sent. */
  readonly #storedPayloads: string | null
  #parsedPayloads: readonly unknown[] | undefined
  /** Counts of the whole job, kept up to date with those of the batch. */
  readonly #tally: BulkCounts

  constructor(jobId: number, row: StoredBatch, tally: BulkCounts) {
    this.jobId = jobId
    this.batch = row.batch
    this.count = row.count
    this.firstRow = row.first_row
    this.ids = unpackInts(row.ids)
    this.prices = row.prices === null ? undefined : unpackInts(row.prices)
    // A copy, because the states are written to and the driver's buffer is not ours.
    this.states = unpackBytes(row.states).slice()
    this.requestIds = unpackInts(row.request_ids)
    this.itemIds = row.item_ids === null ? undefined : unpackInts(row.item_ids)
    this.#storedPayloads = row.payloads
    this.reasons = unpackReasons(row.reasons)
    this.#tally = tally
    for (const state of this.states) this.counts[entryAt(ROW_STATES, state)]++
  }

  state(at: number): BulkRowState {
    return entryAt(ROW_STATES, entryAt(this.states, at))
  }

  /** Puts a row into a state. The reason of its old state is removed unless a new one is given. */
  set(at: number, state: BulkRowState, reason?: Hold): void {
    const before = this.state(at)
    this.counts[before]--
    this.#tally[before]--
    this.counts[state]++
    this.#tally[state]++
    this.states[at] = BYTE_OF[state]
    if (reason !== undefined) this.reasons.set(at, reason)
    else if (this.reasons.size > 0) this.reasons.delete(at)
  }

  /** Puts rows into a state. */
  setAll(places: readonly number[], state: BulkRowState): void {
    for (const at of places) this.set(at, state)
  }

  /** Records that the service has queued the row. */
  markQueued(at: number, requestId: number, itemId = 0): void {
    this.requestIds[at] = requestId
    if (this.itemIds !== undefined) this.itemIds[at] = itemId
    this.set(at, 'queued')
  }

  /** Places of the first rows in a state, at most `most`. @param wanted of which to leave out those that it refuses */
  places(state: BulkRowState, most = this.count, isWanted?: (batch: this, at: number) => boolean): number[] {
    const byte = BYTE_OF[state]
    const places: number[] = []
    for (let at = 0; at < this.count && places.length < most; at++)
      if (this.states[at] === byte && (isWanted === undefined || isWanted(this, at))) places.push(at)
    return places
  }

  /** The item of a row; 0 if it adds one. */
  id(at: number): number {
    return entryAt(this.ids, at)
  }

  /** The price of a row, kronor; of jobs of the kind price. */
  price(at: number): number {
    return entryAt(this.prices ?? [], at)
  }

  /** The request that queued a row; 0 if there is none. */
  requestId(at: number): number {
    return entryAt(this.requestIds, at)
  }

  /** Payload of a row of a kind. @throws JobsError code `row_unreadable` */
  payload<K extends BulkKind>(kind: K, at: number): Payload<K> {
    this.#parsedPayloads ??= JSON.parse(this.#storedPayloads ?? '[]') as unknown[]
    return readPayload(kind, this.#parsedPayloads[at] ?? null, { JobId: this.jobId, Row: this.firstRow + at })
  }
}
