/** Runs of a command over several shops, recorded before anything is sent: what a killed run has not begun, and what was moved when. */
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
  /** The same text for each run that moves prices by the same amount, relative to what they are; null for other runs. */
  readonly moves: string | null
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
    /** In the transaction that writes the job of a shop. @throws JobsError code `job_locked`: another process has begun it */
    begun(runId: number, profile: string, jobId: number): void {
      const notBegun = { run_id: runId, profile, job_id: null, ended: 0 }
      if (store.update('shop_run_shops', { job_id: jobId }, notBegun) === 1) return
      throw new JobsError(
        'job_locked',
        `Another process has begun the shop "${profile}" of this run. Nothing was sent.`,
        `See what it does with: seller jobs:list --profile ${profile}`,
      )
    },
    /** The shop needs no job, or can have none. */
    ended: (runId: number, profile: string): void => {
      store.update('shop_run_shops', { ended: 1 }, { run_id: runId, profile })
    },
    /** What runs whose process has gone did not begin; of each shop the newest run, unless it has got prices since. */
    left(): LeftShop[] {
      const rows = store.all<LeftShop & { owner: string }>(
        `SELECT r.id AS runId, r.command, r.call, r.moves, r.at, r.owner, s.profile FROM shop_run_shops s JOIN shop_runs r ON r.id = s.run_id
         WHERE s.job_id IS NULL AND s.ended = 0
           AND NOT EXISTS (SELECT 1 FROM shop_run_shops WHERE profile = s.profile AND run_id > r.id)
           AND NOT EXISTS (SELECT 1 FROM jobs WHERE profile = s.profile AND kind = 'price' AND created_at > r.at
             AND id NOT IN (SELECT job_id FROM discount_jobs WHERE part <> 'change'))
         ORDER BY r.id, s.profile`,
      )
      const silent = (at: number) => ({ silentMs: clock.now() - at, patienceMs: BELIEVED_MS })
      return rows.filter(({ owner, at }) => !isAtWork(owner, silent(at))).map(({ owner: _, ...shop }) => shop)
    },
    /** The shops that such runs have moved since a time, and when. What was taken back does not count. */
    moved: (moves: string, profiles: readonly string[], since: number): { readonly profile: string; readonly at: number }[] =>
      store.all(
        `SELECT s.profile, max(r.at) AS at FROM shop_run_shops s JOIN shop_runs r ON r.id = s.run_id JOIN jobs j ON j.id = s.job_id
         WHERE r.moves = ? AND r.at >= ? AND s.profile IN (SELECT value FROM json_each(?))
           AND NOT EXISTS (SELECT 1 FROM jobs WHERE undo_of = j.id)
           AND EXISTS (SELECT 1 FROM bulk_states b WHERE b.job_id = j.id
             AND (b.ok + b.queued + b.sending + b.unknown > 0 OR (b.unsent > 0 AND j.state <> 'cancelled')))
         GROUP BY s.profile ORDER BY s.profile`,
        moves,
        since,
        JSON.stringify(profiles),
      ),
  }
}
