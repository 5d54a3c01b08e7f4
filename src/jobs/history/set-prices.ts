/** The prices that the jobs of a shop have set, or may have, in the order of the jobs. */
import { priceBatches } from '../bulk/pack.js'
import { ROW_STATES } from '../bulk/types.js'
import type { CostOwner as ShopOwner } from '../ledger/costs.js'
import type { Ledger } from '../ledger/ledger.js'

/** A row of a job. */
export interface SetPrice {
  readonly id: number
  /** Kronor. */
  readonly price: number
  /** Kronor, as the plan read it; 0 if it read none. */
  readonly oldPrice: number
  readonly job: number
  /** True if the service has said that it is done; otherwise it may be. */
  readonly done: boolean
}

const JOBS = `SELECT id FROM jobs WHERE kind = 'price' AND profile = ? AND (user_id IS NULL OR user_id = ?) AND id >= ? ORDER BY id`
/** States of rows that have set their price, or may have. */
const SET = ['ok', 'queued', 'sending', 'unknown'] as const

const OK = ROW_STATES.indexOf('ok')
const MAYBE: ReadonlySet<number> = new Set(SET.map((state) => ROW_STATES.indexOf(state)))

/**
 * Reads rows of price jobs, oldest job first.
 * @param fromJob the first job that counts
 * @param onlyId rows of one item only
 */
export function* setPrices(
  { store }: Pick<Ledger, 'store'>,
  { profile, userId }: ShopOwner,
  fromJob: number,
  onlyId?: number,
): Generator<SetPrice> {
  for (const { id: job } of store.all<{ id: number }>(JOBS, profile, userId, fromJob)) {
    for (const { ids, prices, olds, states } of priceBatches(store, job, SET)) {
      const first = onlyId === undefined ? 0 : ids.indexOf(onlyId)
      if (first < 0) continue
      const end = onlyId === undefined ? ids.length : first + 1
      for (let at = first; at < end; at++) {
        const state = states[at] ?? -1
        if (MAYBE.has(state)) yield { id: ids[at] ?? 0, price: prices[at] ?? 0, oldPrice: olds[at] ?? 0, job, done: state === OK }
      }
    }
  }
}

/** When a job was created, ms since 1970, and its title; undefined if it was pruned. */
export function jobNamed({ store }: Pick<Ledger, 'store'>, job: number): { at: number; title: string } | undefined {
  return store.first<{ at: number; title: string }>('SELECT created_at AS at, title FROM jobs WHERE id = ?', job)
}
