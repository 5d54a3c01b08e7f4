/** Finds old records that the ledger no longer needs, and removes them. */
import { CALL_QUOTA_WINDOW_MS } from '../../contract/index.js'
import { aside, asideInOne, type Write } from '../../system/aside.js'
import { roomFor } from '../../system/room.js'
import type { Store } from '../../system/sqlite.js'
import type { BulkDetail } from '../bulk/types.js'
import { LedgerError } from '../ledger/errors.js'
import type { Ledger } from '../ledger/ledger.js'
import type { ListingDetail } from '../listing/listing.js'
import { jobsOfOpenDiscounts, removalOfEndedDiscounts } from './discounts.js'
import { jobsWithLastPrices } from './last-prices.js'
import { countOldMoves, OLD_COSTS, removalOfOldMoves } from './price-history.js'
import { OLD_ORDERS, OLD_SALES, removalOfOldSales } from './sales.js'

/** What pruning removes, and which old jobs it keeps. Ids are in ascending order. */
export interface PrunePlan {
  readonly jobs: readonly number[]
  /** Rows of these jobs, and steps of listings. */
  readonly rows: number
  readonly steps: number
  /** Rows of the table of requests: those of the jobs, and old ones without a job. */
  readonly requests: number
  readonly calls: number
  /** Kept sales: a report that needs them reads them again. */
  readonly sales: number
  /** Kept orders, with the names and addresses of their buyers. */
  readonly orders: number
  /** Moves of prices that readings of the live list found. */
  readonly prices: number
  /** Costs that others have followed since. */
  readonly costs: number
  /** Old jobs that stay. */
  readonly kept: {
    /** Something in them is not sent, not answered, or of unknown outcome. */
    readonly unfinished: readonly number[]
    /** They set the last known price of some item. */
    readonly lastPrices: readonly number[]
    /** A job that stays undoes them, or has them as parts. */
    readonly referred: readonly number[]
  }
}

const FINISHED = "('ok', 'partial', 'failed', 'cancelled')"
const OPEN = "('sending', 'queued', 'unknown')"
const OF_JOBS = 'WHERE job_id IN (SELECT value FROM json_each(?))'
/** Requests that pruning removes: those of removed jobs, and old ones without a job unless a kept listing is about them. */
const REQUESTS = `requests WHERE state NOT IN ${OPEN} AND (
    job_id IN (SELECT value FROM json_each(?1))
    OR (job_id IS NULL AND coalesce(finished_at, sent_at) < ?2
      AND coalesce(request_id, 0) NOT IN (SELECT value FROM json_each(?3))))`

/**
 * Finds what was finished before a time and is not needed any more. Nothing is changed.
 * @param before ms since 1970
 * @throws the reason of the signal
 */
export async function planPrune(
  { store, clock }: Pick<Ledger, 'store' | 'clock'>,
  before: number,
  signal?: AbortSignal,
): Promise<PrunePlan> {
  const room = roomFor(signal)
  const old = store
    .all<{ id: number }>(
      `SELECT id FROM jobs WHERE state IN ${FINISHED} AND finished_at < ? AND lock_owner IS NULL ORDER BY id`,
      before,
    )
    .map(({ id }) => id)
  const unfinished = new Set([...unfinishedOf(store, old), ...jobsOfOpenDiscounts(store, old)].sort((one, other) => one - other))
  const ended = old.filter((id) => !unfinished.has(id))
  const lastPrices = await jobsWithLastPrices(store, ended, room)
  const unneeded = ended.filter((id) => !lastPrices.has(id))
  const { removed, referred } = withTheirParts(store, withoutReferred(store, unneeded))
  const count = (from: string, ...values: (string | number)[]): number => store.number(`SELECT count(*) FROM ${from}`, ...values)
  const ids = JSON.stringify(removed)
  return {
    jobs: removed,
    rows: store.number(`SELECT sum(count) FROM bulk_batches ${OF_JOBS}`, ids),
    steps: count(`listing_steps ${OF_JOBS}`, ids),
    requests: count(REQUESTS, ids, before, JSON.stringify(keptRequests(store, removed))),
    calls: count('calls WHERE at < ?', beforeQuota(before, clock.now())),
    sales: count(OLD_SALES, before),
    orders: count(OLD_ORDERS, before),
    prices: await countOldMoves(store, before, room),
    costs: count(OLD_COSTS, before),
    kept: { unfinished: [...unfinished], lastPrices: [...lastPrices], referred },
  }
}

/**
 * Removes what planPrune finds now, in one transaction.
 * @returns what it removed
 * @throws the reason of the signal: nothing was removed, or all, where it came with the end
 */
export function pruneLedger(ledger: Pick<Ledger, 'store' | 'clock'>, before: number, signal?: AbortSignal): Promise<PrunePlan> {
  const { store, clock } = ledger
  return asideInOne(
    store,
    async () => {
      const plan = await planPrune(ledger, before, signal)
      const ids = JSON.stringify(plan.jobs)
      const statements: Write[] = [
        [`DELETE FROM ${REQUESTS}`, ids, before, JSON.stringify(keptRequests(store, plan.jobs))],
        ...['bulk_states', 'bulk_batches', 'listing_steps'].map((table): Write => [`DELETE FROM ${table} ${OF_JOBS}`, ids]),
        ...removalOfEndedDiscounts(before, plan.jobs),
        ['DELETE FROM jobs WHERE id IN (SELECT value FROM json_each(?))', ids],
        ['DELETE FROM calls WHERE at < ?', beforeQuota(before, clock.now())],
        ...removalOfOldSales(before),
        ...(await removalOfOldMoves(store, before, roomFor(signal))),
        [`DELETE FROM ${OLD_COSTS}`, before],
      ]
      return { statements, result: plan }
    },
    signal,
  )
}

/**
 * Returns the space of removed rows to the disk.
 * @returns false if another process is using the ledger; new rows will use the space
 * @throws the reason of the signal: the file is as it was
 */
export async function shrinkLedger({ store }: Pick<Ledger, 'store'>, signal?: AbortSignal): Promise<boolean> {
  try {
    await aside(
      store,
      async (run) => {
        await run('VACUUM')
        await run('PRAGMA wal_checkpoint(TRUNCATE)')
      },
      signal,
    )
    return true
  } catch (error) {
    if (error instanceof LedgerError && error.kind === 'busy') return false
    throw error
  }
}

/** Calls of the last 24 hours count for the quota, however short the given age. */
function beforeQuota(before: number, now: number): number {
  return Math.min(before, now - CALL_QUOTA_WINDOW_MS)
}

/** Of some jobs, those that are not finished. Unsent rows of a dropped job are never sent, so they do not count. */
function unfinishedOf(store: Store, jobIds: readonly number[]): Set<number> {
  const rows = store.all<{ id: number }>(
    `SELECT job_id AS id FROM bulk_states WHERE job_id IN (SELECT value FROM json_each(?1)) AND sending + queued + unknown > 0
     UNION SELECT job_id FROM requests WHERE job_id IN (SELECT value FROM json_each(?1)) AND state IN ${OPEN}
     UNION SELECT job_id FROM listing_steps WHERE job_id IN (SELECT value FROM json_each(?1)) AND state IN ('sending', 'unknown')
     ORDER BY id`,
    JSON.stringify(jobIds),
  )
  return new Set(rows.map(({ id }) => id))
}

/** Keeps what a job that stays refers to. It goes from the newest on, because a job refers only to older ones. */
function withoutReferred(store: Store, jobIds: readonly number[]): { removed: number[]; referred: number[] } {
  const candidates = new Set(jobIds)
  const referred: number[] = []
  const undos = store.all<{ id: number; undo_of: number; detail: string }>(
    'SELECT id, undo_of, detail FROM jobs WHERE undo_of IS NOT NULL ORDER BY id DESC',
  )
  for (const { id, undo_of, detail } of undos) {
    if (candidates.has(id)) continue
    for (const undone of (JSON.parse(detail) as BulkDetail | null)?.undoOf ?? [undo_of]) {
      if (candidates.delete(undone)) referred.push(undone)
    }
  }
  return { removed: [...candidates], referred: referred.sort((one, other) => one - other) }
}

/** A job and its parts stay or go together. */
function withTheirParts(
  store: Store,
  { removed, referred }: { removed: number[]; referred: number[] },
): { removed: number[]; referred: number[] } {
  const going = new Set(removed)
  const kept = new Set<number>()
  const parts = store.all<{ id: number; part_of: number }>('SELECT id, part_of FROM jobs WHERE part_of IS NOT NULL')
  for (const { id, part_of: whole } of parts) if (!going.has(id) || !going.has(whole)) kept.add(whole)
  for (const { id, part_of: whole } of parts) if (kept.has(whole)) kept.add(id)
  const staying = [...kept].filter((id) => going.delete(id))
  return { removed: [...going], referred: [...referred, ...staying].sort((one, other) => one - other) }
}

/** Request ids that kept listings are about: images for a request that was added on its own. */
function keptRequests(store: Store, removed: readonly number[]): number[] {
  const listings = store.all<{ detail: string }>(
    "SELECT detail FROM jobs WHERE kind = 'listing' AND id NOT IN (SELECT value FROM json_each(?))",
    JSON.stringify(removed),
  )
  return listings.flatMap(({ detail }) => (JSON.parse(detail) as ListingDetail | null)?.requestId ?? [])
}
