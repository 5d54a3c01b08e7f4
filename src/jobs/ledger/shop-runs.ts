/**
 * Runs of a command over several shops, recorded before anything is sent: what a killed run has not begun, and what was moved
 * when.
 */
import { run, say } from '../../messages/index.js'
import type { Clock } from '../../system/clock.js'
import { DAY_MS, MINUTE_MS } from '../../system/durations.js'
import { isAtWork, thisProcess } from '../../system/process-owner.js'
import type { Store } from '../../system/sqlite.js'
import { JobsError } from './errors.js'

export interface NewShopRun {
  /** The id of the command, e.g. `shop:price`. */
  readonly command: string
  /** Its arguments and flags, as JSON, to begin the rest with; null where its rows cannot be read again (stdin). */
  readonly call: string | null
  /**
   * The same text for each run that would do the same once more: move prices by the same amount, relative to what they are, or
   * make a discount of that name. Null for other runs.
   */
  readonly moves: string | null
}

/** Job or discount that a run made in a shop. */
export type MadeInShop = { readonly jobId: number } | { readonly discountId: number }

/** Record of a run that makes discounts. @param name of the discount */
export const movesOfDiscount = (name: string): string => JSON.stringify(['shop:discount', name])

/**
 * Record of a run that adds to prices.
 * @param of the items that were chosen; null for all of a shop
 */
export function movesOfPrices(
  { kind, amount }: { readonly kind: string; readonly amount: number },
  of: {
    readonly categories: readonly string[]
    readonly references: readonly string[]
    readonly words?: readonly string[]
  } | null,
): string {
  return JSON.stringify({ add: [kind, amount], of })
}

/**
 * True if two runs do the same to items that both choose. All items are among those of any choice; two choices are compared as
 * they are.
 */
function isSameMove(one: string, other: string): boolean {
  if (one === other) return true
  const [a, b] = [readMove(one), readMove(other)]
  return a !== undefined && b !== undefined && JSON.stringify(a.add) === JSON.stringify(b.add) && (a.of === null || b.of === null)
}

function readMove(text: string): { readonly add: unknown; readonly of: unknown } | undefined {
  const move = JSON.parse(text) as { readonly add?: unknown; readonly of?: unknown }
  return move.add === undefined || move.of === undefined ? undefined : { add: move.add, of: move.of }
}

/** A shop that a run has not begun. */
export interface LeftShop extends NewShopRun {
  readonly runId: number
  readonly profile: string
  /** When the run began, ms since 1970. */
  readonly at: number
}

export type ShopRuns = ReturnType<typeof openShopRuns>

const KEEP_DAYS = 90

/** A process of another machine is believed to be at work for so long, ms. */
const BELIEVED_MS = 10 * MINUTE_MS

export function openShopRuns(store: Store, clock: Clock) {
  return {
    /** Records a run over these shops. @returns its id */
    begin: ({ command, call, moves }: NewShopRun, profiles: readonly string[]): number =>
      store.transaction(() => {
        const old = clock.now() - KEEP_DAYS * DAY_MS
        store.run('DELETE FROM shop_run_shops WHERE run_id IN (SELECT id FROM shop_runs WHERE at < ?)', old)
        store.run('DELETE FROM shop_runs WHERE at < ?', old)
        const { id } = store.insert('shop_runs', { command, call, moves, at: clock.now(), owner: thisProcess() })
        for (const profile of profiles) store.insert('shop_run_shops', { run_id: id, profile })
        return id
      }),
    /**
     * In the transaction that writes the job or the discount of a shop.
     * @throws JobsError code `job_locked`: another process has begun it
     */
    recordBegun(runId: number, profile: string, made: MadeInShop): void {
      const notBegun = { run_id: runId, profile, job_id: null, discount_id: null, ended: 0 }
      const by = 'jobId' in made ? { job_id: made.jobId } : { discount_id: made.discountId }
      if (store.update('shop_run_shops', by, notBegun) === 1) return
      throw new JobsError(
        'job_locked',
        `Another process has begun the shop "${profile}" of this run. Nothing was sent.`,
        say`See what it does with: ${run('jobs:list', { '--profile': profile })}`,
      )
    },
    /** The shop needs nothing, or can have nothing. */
    ended: (runId: number, profile: string): void => {
      store.update('shop_run_shops', { ended: 1 }, { run_id: runId, profile })
    },
    /**
     * Shops that runs whose process has gone did not begin, the oldest first: of each shop the newest run that would move its
     * prices, unless it has got prices since, and of each discount the newest run that would make it, unless the shop has got it
     * since.
     */
    leftShops(): LeftShop[] {
      const rows = store.all<LeftShop & { owner: string }>(
        `SELECT r.id AS runId, r.command, r.call, r.moves, r.at, r.owner, s.profile FROM shop_run_shops s JOIN shop_runs r ON r.id = s.run_id
         WHERE s.job_id IS NULL AND s.discount_id IS NULL AND s.ended = 0
           AND NOT EXISTS (SELECT 1 FROM shop_run_shops o JOIN shop_runs n ON n.id = o.run_id WHERE o.profile = s.profile AND n.id > r.id
             AND n.command = r.command AND (r.command <> 'shop:discount' OR n.moves = r.moves))
           AND CASE r.command WHEN 'shop:discount'
             THEN NOT EXISTS (SELECT 1 FROM discounts WHERE profile = s.profile AND created_at >= r.at AND name = r.moves ->> 1)
             ELSE NOT EXISTS (SELECT 1 FROM jobs WHERE profile = s.profile AND kind = 'price' AND created_at > r.at
               AND id NOT IN (SELECT job_id FROM discount_jobs WHERE part <> 'change')) END
         ORDER BY r.id, s.profile`,
      )
      const silent = (at: number) => ({ silentMs: clock.now() - at, patienceMs: BELIEVED_MS })
      return rows.filter(({ owner, at }) => !isAtWork(owner, silent(at))).map(({ owner: _, ...shop }) => shop)
    },
    /** The shops in which such runs have done it since a time, and when. What was taken back does not count. */
    moved(moves: string, profiles: readonly string[], since: number): { readonly profile: string; readonly at: number }[] {
      const recent = store
        .all<{ id: number; moves: string }>('SELECT id, moves FROM shop_runs WHERE at >= ? AND moves NOT NULL', since)
        .filter((run) => isSameMove(run.moves, moves))
      return store.all(
        `SELECT s.profile, max(r.at) AS at FROM shop_run_shops s JOIN shop_runs r ON r.id = s.run_id
           LEFT JOIN jobs j ON j.id = s.job_id LEFT JOIN discounts d ON d.id = s.discount_id
         WHERE r.id IN (SELECT value FROM json_each(?)) AND s.profile IN (SELECT value FROM json_each(?))
           AND (d.state NOT IN ('dropped', 'missed') OR (NOT EXISTS (SELECT 1 FROM jobs WHERE undo_of = j.id)
             AND EXISTS (SELECT 1 FROM bulk_states b WHERE b.job_id = j.id
               AND (b.ok + b.queued + b.sending + b.unknown > 0 OR (b.unsent > 0 AND j.state <> 'cancelled')))))
         GROUP BY s.profile ORDER BY s.profile`,
        JSON.stringify(recent.map(({ id }) => id)),
        JSON.stringify(profiles),
      )
    },
  }
}
