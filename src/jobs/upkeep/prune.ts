/** Finds old records that the ledger no longer needs, and removes them. */
import { CALL_QUOTA_WINDOW_MS } from '../../contract/index.js'
import type { PrunePlan } from '../../contract/ledger.js'
import { aside, asideInOne, type Write } from '../../system/aside.js'
import { type Room, yieldToEventLoop } from '../../system/room.js'
import type { Store } from '../../system/sqlite.js'
import { NO_DISCOUNT_JOB } from '../bulk/discount-jobs.js'
import { priceBatches } from '../bulk/pack.js'
import { type BulkDetail, ROW_STATES } from '../bulk/types.js'
import { LedgerError } from '../ledger/errors.js'
import type { Ledger } from '../ledger/ledger.js'
import type { ListingDetail } from '../listing/listing.js'
import { countOldMoves, removalOfOldMoves } from './price-history.js'
import { OLD, OVER_DISCOUNTS, removalAfterOldSales, removalOfEndedDiscounts, removalOfJobs } from './tables.js'

const OLD_KINDS = Object.keys(OLD) as (keyof typeof OLD)[]

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
  const room = yieldToEventLoop(signal)
  const old = store
    .all<{ id: number }>(
      `SELECT id FROM jobs WHERE state IN ${FINISHED} AND finished_at < ? AND lock_owner IS NULL ORDER BY id`,
      before,
    )
    .map(({ id }) => id)
  const unfinishedJobs = findUnfinished(store, old)
  const endedJobs = old.filter((id) => !unfinishedJobs.has(id))
  const lastPrices = await jobsWithLastPrices(store, endedJobs, room)
  const unneededJobs = endedJobs.filter((id) => !lastPrices.has(id))
  const { removed, referred } = withTheirParts(store, withoutReferred(store, unneededJobs))
  const count = (from: string, ...values: (string | number)[]): number => store.number(`SELECT count(*) FROM ${from}`, ...values)
  const ids = JSON.stringify(removed)
  const countOld = (what: keyof typeof OLD): number => count(OLD[what], oldBefore(what, before, clock.now()))
  return {
    Jobs: removed,
    Rows: store.number(`SELECT sum(count) FROM bulk_batches ${OF_JOBS}`, ids),
    Steps: count(`listing_steps ${OF_JOBS}`, ids),
    Requests: count(REQUESTS, ids, before, JSON.stringify(keptRequests(store, removed))),
    Calls: countOld('Calls'),
    Sales: countOld('Sales'),
    Orders: countOld('Orders'),
    Prices: await countOldMoves(store, before, room),
    Costs: countOld('Costs'),
    Kept: { Unfinished: [...unfinishedJobs], LastPrices: [...lastPrices], Referred: referred },
  }
}

/** Calls of the last 24 hours count for the quota, however short the given age. */
function oldBefore(what: keyof typeof OLD, before: number, now: number): number {
  return what === 'Calls' ? Math.min(before, now - CALL_QUOTA_WINDOW_MS) : before
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
      const ids = JSON.stringify(plan.Jobs)
      const statements: Write[] = [
        [`DELETE FROM ${REQUESTS}`, ids, before, JSON.stringify(keptRequests(store, plan.Jobs))],
        ...removalOfJobs(ids),
        ...removalOfEndedDiscounts(before),
        ...OLD_KINDS.map((what): Write => [`DELETE FROM ${OLD[what]}`, oldBefore(what, before, clock.now())]),
        ...removalAfterOldSales(before),
        ...(await removalOfOldMoves(store, before, yieldToEventLoop(signal))),
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

/**
 * Jobs that are not finished, or that a discount still needs: it is not over, or has not taken in how they ended. Unsent rows
 * of a dropped job are never sent, so they do not count.
 */
function findUnfinished(store: Store, jobIds: readonly number[]): Set<number> {
  const rows = store.all<{ id: number }>(
    `SELECT job_id AS id FROM bulk_states WHERE job_id IN (SELECT value FROM json_each(?1)) AND sending + queued + unknown > 0
     UNION SELECT job_id FROM requests WHERE job_id IN (SELECT value FROM json_each(?1)) AND state IN ${OPEN}
     UNION SELECT job_id FROM listing_steps WHERE job_id IN (SELECT value FROM json_each(?1)) AND state IN ('sending', 'unknown')
     UNION SELECT j.job_id FROM discount_jobs j LEFT JOIN discounts s ON s.id = j.discount_id
       WHERE j.job_id IN (SELECT value FROM json_each(?1)) AND (j.settled = 0 OR s.state NOT IN ${OVER_DISCOUNTS}
         OR EXISTS (SELECT 1 FROM discount_prices p WHERE p.job_id = j.job_id))
     ORDER BY id`,
    JSON.stringify(jobIds),
  )
  return new Set(rows.map(({ id }) => id))
}

/** Keeps what a job that stays refers to. It goes from the newest on, because a job refers only to older ones. */
function withoutReferred(store: Store, jobIds: readonly number[]): { removed: number[]; referred: number[] } {
  const candidates = new Set(jobIds)
  const referredJobs: number[] = []
  const undos = store.all<{ id: number; undo_of: number; detail: string }>(
    'SELECT id, undo_of, detail FROM jobs WHERE undo_of IS NOT NULL ORDER BY id DESC',
  )
  for (const { id, undo_of, detail } of undos) {
    if (candidates.has(id)) continue
    for (const undone of (JSON.parse(detail) as BulkDetail | null)?.undoOf ?? [undo_of]) {
      if (candidates.delete(undone)) referredJobs.push(undone)
    }
  }
  return { removed: [...candidates], referred: referredJobs.sort((one, other) => one - other) }
}

/** A job and its parts stay or go together. */
function withTheirParts(
  store: Store,
  { removed, referred }: { removed: number[]; referred: number[] },
): { removed: number[]; referred: number[] } {
  const remainingIds = new Set(removed)
  const kept = new Set<number>()
  const parts = store.all<{ id: number; part_of: number }>('SELECT id, part_of FROM jobs WHERE part_of IS NOT NULL')
  for (const { id, part_of: whole } of parts) if (!remainingIds.has(id) || !remainingIds.has(whole)) kept.add(whole)
  for (const { id, part_of: whole } of parts) if (kept.has(whole)) kept.add(id)
  const staying = [...kept].filter((id) => remainingIds.delete(id))
  return { removed: [...remainingIds], referred: [...referred, ...staying].sort((one, other) => one - other) }
}

/** Request ids that kept listings are about: images for a request that was added on its own. */
function keptRequests(store: Store, removedJobs: readonly number[]): number[] {
  const listings = store.all<{ detail: string }>(
    "SELECT detail FROM jobs WHERE kind = 'listing' AND id NOT IN (SELECT value FROM json_each(?))",
    JSON.stringify(removedJobs),
  )
  return listings.flatMap(({ detail }) => (JSON.parse(detail) as ListingDetail | null)?.requestId ?? [])
}

/** States of rows that set a price, or may have. */
const SET = ['ok', 'queued', 'sending', 'unknown'] as const
const PLACES: ReadonlySet<number> = new Set(SET.map((state) => ROW_STATES.indexOf(state)))

/**
 * Jobs with a row whose item got no price from a newer job of the same shop. Without such a job the ledger would
 * forget the item. The start and end of a discount do not count: the price that they leave is not the normal one. Also reads the
 * ids and states of all newer price jobs, starting with the newest.
 */
async function jobsWithLastPrices(store: Store, jobIds: readonly number[], room: Room): Promise<Set<number>> {
  const wantedIds = new Set(jobIds)
  const jobs = store.all<{ id: number; profile: string; user_id: number | null; kind: string }>(
    `SELECT id, profile, user_id, kind FROM jobs WHERE kind IN ('price', 'auction-price') AND id >= ?
       AND id ${NO_DISCOUNT_JOB} ORDER BY id DESC`,
    jobIds.reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER),
  )
  const shops = new Map<string, Set<number>>()
  const lastPriceJobs = new Set<number>()
  for (const { id, profile, user_id } of jobs) {
    const shop = JSON.stringify([profile, user_id])
    const seenItems = shops.get(shop) ?? new Set<number>()
    shops.set(shop, seenItems)
    let last = false
    for (const { ids, states } of priceBatches(store, id, SET)) {
      for (const [at, item] of ids.entries()) {
        if (item === 0 || !PLACES.has(states[at] ?? -1) || seenItems.has(item)) continue
        seenItems.add(item)
        last = true
      }
      await room()
    }
    if (last && wantedIds.has(id)) lastPriceJobs.add(id)
  }
  return new Set([...lastPriceJobs].sort((one, other) => one - other))
}
