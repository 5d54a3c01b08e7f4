/** Columns of a batch as blobs. The ledger stays on the machine that wrote it, so they use that machine's byte order. */
import { type Hold, held, keptHold, packHold } from '../../holds/index.js'
import type { Store } from '../../system/sqlite.js'
import type { RowState } from '../ledger/counts.js'

/** A blob as the driver returns it (ArrayBuffer), or as it was packed. */
type Blob = ArrayBuffer | Uint8Array

/** The rows of one batch as the ledger stores them: columns packed in blobs, the rest as JSON. */
export interface StoredRows {
  job_id: number
  batch: number
  first_row: number
  count: number
  lines: Blob
  ids: Blob
  prices: Blob | null
  old_prices: Blob | null
  payloads: string | null
  old_payloads: string | null
  own_references: string | null
  extras: string | null
  titles: string | null
  states: Blob
  request_ids: Blob
  item_ids: Blob | null
  reasons: string | null
}

/** Ints as bytes, 4 each. */
export function packInts(ints: Int32Array | readonly number[]): Uint8Array {
  const array = ints instanceof Int32Array ? ints : Int32Array.from(ints)
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

/** A view need not be aligned. */
export function unpackInts(blob: Blob): Int32Array {
  return new Int32Array(unpackBytes(blob).slice().buffer)
}

export function unpackBytes(blob: Blob): Uint8Array {
  return blob instanceof Uint8Array ? blob : new Uint8Array(blob)
}

/**
 * Reasons of the states of rows as JSON, each once with the places of its rows: `[[["max_change", {…}], [0, 1, 2]], …]`; null if
 * no row has one. A failed call gives all of its 500 rows the same reason, and a batch is written at every reply.
 * @param reasons by place in the batch
 */
export function packReasons(reasons: Iterable<readonly [number, Hold]>): string | null {
  const places = new Map<string, number[]>()
  let last: readonly [hold: Hold, at: number[]] | undefined
  for (const [at, hold] of reasons) {
    if (last?.[0] !== hold) {
      const text = packHold(hold)
      last = [hold, places.get(text) ?? []]
      places.set(text, last[1])
    }
    last[1].push(at)
  }
  return places.size === 0 ? null : `[${[...places].map(([hold, at]) => `[${hold},${JSON.stringify(at)}]`).join(',')}]`
}

/**
 * The reasons by place in the batch. Also reads those of older versions: texts in place of holds, and, of version 0.1, an object
 * with a text for each place.
 */
export function unpackReasons(text: string | null): Map<number, Hold> {
  if (text === null) return new Map()
  const reasons = JSON.parse(text) as [unknown, number[]][] | Record<string, string>
  const all = Array.isArray(reasons) ? reasons : Object.entries(reasons).map(([at, said]) => [said, [Number(at)]] as const)
  return new Map(
    all.flatMap(([kept, places]) => {
      const hold = keptHold(kept) ?? held('text', { Said: JSON.stringify(kept) })
      return places.map((at) => [at, hold] as const)
    }),
  )
}

/** Values that the rows of a batch set, in its order. Prices are kronor: 0 where there is none. */
export interface PriceBatch {
  readonly ids: Int32Array
  readonly prices: Int32Array
  readonly olds: Int32Array
  /** The places of states in ROW_STATES. */
  readonly states: Uint8Array
}

/** Batches read at once: 8 kB each, so that a long history is never in memory as a whole. */
const BATCHES_AT_ONCE = 200

const PRICES = `SELECT s.batch, b.ids, b.prices, b.old_prices, s.states FROM bulk_states s
  JOIN bulk_batches b ON b.job_id = s.job_id AND b.batch = s.batch WHERE s.job_id = ?`

/** The batches of a job with rows in some states, in the order of sending. */
export function* priceBatches(store: Store, jobId: number, states: readonly RowState[]): Generator<PriceBatch> {
  const sql = `${PRICES} AND s.batch > ? AND ${states.map((state) => `s.${state}`).join(' + ')} > 0 ORDER BY s.batch LIMIT ${BATCHES_AT_ONCE}`
  for (let after = 0; ; ) {
    const batches = store.all<StoredRows>(sql, jobId, after)
    for (const batch of batches) yield unpackPrices(batch)
    const last = batches.at(-1)
    if (last === undefined || batches.length < BATCHES_AT_ONCE) return
    after = last.batch
  }
}

/** One batch of a job. */
export function priceBatch(store: Store, jobId: number, batch: number): PriceBatch | undefined {
  const rows = store.first<StoredRows>(`${PRICES} AND s.batch = ?`, jobId, batch)
  return rows && unpackPrices(rows)
}

function unpackPrices({ ids, prices, old_prices: olds, states }: StoredRows): PriceBatch {
  const ints = (blob: Blob | null): Int32Array => (blob === null ? new Int32Array() : unpackInts(blob))
  return { ids: unpackInts(ids), prices: ints(prices), olds: ints(olds), states: unpackBytes(states) }
}
