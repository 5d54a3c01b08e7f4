/** Finds the jobs that hold the last known price of an item. */
import { IdIndex, IntColumn } from '../../rows/index.js'
import type { Room } from '../../system/room.js'
import type { Store } from '../../system/sqlite.js'
import { NO_DISCOUNT_JOB } from '../bulk/discount-jobs.js'
import { unpackBytes, unpackInts } from '../bulk/pack.js'
import { type BulkRowState, ROW_STATES } from '../bulk/types.js'

/** States of rows that set a price, or may have. */
const SET: ReadonlySet<BulkRowState> = new Set<BulkRowState>(['ok', 'queued', 'sending', 'unknown'])

/**
 * Of some jobs, those with a row whose item got no price from a newer job of the same shop. Without such a job the ledger would
 * forget the item. The start and end of a discount do not count: the price that they leave is not the normal one. Also reads the ids and states of all newer price jobs, starting with the newest.
 */
export async function jobsWithLastPrices(store: Store, jobIds: readonly number[], room: Room): Promise<Set<number>> {
  const asked = new Set(jobIds)
  const jobs = store.all<{ id: number; profile: string; user_id: number | null; kind: string }>(
    `SELECT id, profile, user_id, kind FROM jobs WHERE kind IN ('price', 'auction-price') AND id >= ?
       AND id ${NO_DISCOUNT_JOB} ORDER BY id DESC`,
    jobIds.reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER),
  )
  const shops = new Map<string, SeenItems>()
  const found = new Set<number>()
  for (const { id, profile, user_id } of jobs) {
    const shop = JSON.stringify([profile, user_id])
    const seen = shops.get(shop) ?? new SeenItems()
    shops.set(shop, seen)
    let last = false
    for (const items of pricedItems(store, id)) {
      for (const item of items) if (seen.add(item)) last = true
      await room()
    }
    if (last && asked.has(id)) found.add(id)
  }
  return new Set([...found].sort((one, other) => one - other))
}

class SeenItems {
  readonly #ids = new IntColumn()
  readonly #index = new IdIndex((at) => this.#ids.get(at))

  /** Adds an id. @returns whether it is new */
  add(id: number): boolean {
    if (this.#index.add(id, this.#ids.length) >= 0) return false
    this.#ids.push(id)
    return true
  }
}

/** The priced items of each batch. */
function* pricedItems(store: Store, jobId: number): Generator<number[]> {
  for (let after = 0; ; ) {
    const batch = store.first<{ batch: number; ids: ArrayBuffer; states: ArrayBuffer }>(
      `SELECT b.batch, b.ids, s.states FROM bulk_batches b JOIN bulk_states s ON s.job_id = b.job_id AND s.batch = b.batch
       WHERE b.job_id = ? AND b.batch > ? ORDER BY b.batch LIMIT 1`,
      jobId,
      after,
    )
    if (batch === undefined) return
    after = batch.batch
    const ids = unpackInts(batch.ids)
    const states = unpackBytes(batch.states)
    yield [...ids].filter((id, at) => id > 0 && SET.has(ROW_STATES[states[at] ?? -1] as BulkRowState))
  }
}
