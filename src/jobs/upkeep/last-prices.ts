/** Finds the jobs that hold the last known price of an item. */
import { IdColumn } from '../../rows/indexes.js'
import type { Room } from '../../system/room.js'
import type { Store } from '../../system/sqlite.js'
import { NO_DISCOUNT_JOB } from '../bulk/discount-jobs.js'
import { priceBatches } from '../bulk/pack.js'
import { ROW_STATES } from '../bulk/types.js'

/** States of rows that set a price, or may have. */
const SET = ['ok', 'queued', 'sending', 'unknown'] as const
const PLACES: ReadonlySet<number> = new Set(SET.map((state) => ROW_STATES.indexOf(state)))

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
  const shops = new Map<string, IdColumn>()
  const found = new Set<number>()
  for (const { id, profile, user_id } of jobs) {
    const shop = JSON.stringify([profile, user_id])
    const seen = shops.get(shop) ?? new IdColumn()
    shops.set(shop, seen)
    let last = false
    for (const { ids, states } of priceBatches(store, id, SET)) {
      for (const [at, item] of ids.entries()) if (item > 0 && PLACES.has(states[at] ?? -1) && seen.add(item) < 0) last = true
      await room()
    }
    if (last && asked.has(id)) found.add(id)
  }
  return new Set([...found].sort((one, other) => one - other))
}
