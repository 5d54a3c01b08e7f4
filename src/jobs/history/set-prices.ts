/** The prices that the jobs of a shop have set, or may have, in the order of the jobs. */
import { unpackBytes, unpackInts } from '../bulk/pack.js'
import { type BulkRowState, ROW_STATES } from '../bulk/types.js'
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
  /** Whether the service has said that it is done; otherwise it may be. */
  readonly done: boolean
}

interface StoredPrices {
  job_id: number
  batch: number
  ids: ArrayBuffer
  prices: ArrayBuffer
  old_prices: ArrayBuffer | null
  states: ArrayBuffer
}

/** Batches read at once: 8 kB each, so that a long history is not in memory whole. */
const BATCHES_AT_ONCE = 200

const PRICES = `SELECT b.job_id, b.batch, b.ids, b.prices, b.old_prices, s.states
  FROM jobs j JOIN bulk_states s ON s.job_id = j.id JOIN bulk_batches b ON b.job_id = s.job_id AND b.batch = s.batch
  WHERE j.kind = 'price' AND j.profile = ? AND (j.user_id IS NULL OR j.user_id = ?)
    AND s.ok + s.queued + s.sending + s.unknown > 0 AND (b.job_id, b.batch) > (?, ?)
  ORDER BY b.job_id, b.batch LIMIT ${BATCHES_AT_ONCE}`

const byteOf = (state: BulkRowState): number => ROW_STATES.indexOf(state)
const OK = byteOf('ok')
const MAYBE: ReadonlySet<number> = new Set([byteOf('queued'), byteOf('sending'), byteOf('unknown')])

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
  for (let after: readonly [job: number, batch: number] = [fromJob, -1]; ; ) {
    const batches = store.all<StoredPrices>(PRICES, profile, userId, ...after)
    for (const batch of batches) yield* rowsOf(batch, onlyId)
    const last = batches.at(-1)
    if (last === undefined || batches.length < BATCHES_AT_ONCE) return
    after = [last.job_id, last.batch]
  }
}

function* rowsOf({ job_id: job, ...blobs }: StoredPrices, onlyId: number | undefined): Generator<SetPrice> {
  const ids = unpackInts(blobs.ids)
  const first = onlyId === undefined ? 0 : ids.indexOf(onlyId)
  if (first < 0) return
  const [prices, olds] = [unpackInts(blobs.prices), blobs.old_prices === null ? undefined : unpackInts(blobs.old_prices)]
  const states = unpackBytes(blobs.states)
  const end = onlyId === undefined ? ids.length : first + 1
  for (let at = first; at < end; at++) {
    const state = states[at] ?? -1
    const done = state === OK
    if (!done && !MAYBE.has(state)) continue
    yield { id: ids[at] ?? 0, price: prices[at] ?? 0, oldPrice: olds?.[at] ?? 0, job, done }
  }
}

/** When a job was created, ms since 1970, and its title; undefined if it was pruned. */
export function jobNamed({ store }: Pick<Ledger, 'store'>, job: number): { at: number; title: string } | undefined {
  return store.first<{ at: number; title: string }>('SELECT created_at AS at, title FROM jobs WHERE id = ?', job)
}
