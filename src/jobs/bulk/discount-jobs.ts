/** Price changes that jobs made to items in a discount. A price sent there is not the normal price that the job set. */
import type { Ledger } from '../ledger/ledger.js'

/** A normal price that a job has changed during a discount, kronor. */
export interface NormalChange {
  readonly from: number
  readonly to: number
}

/** Jobs that start or end a discount, for SQL: they change no normal price. */
export const NO_DISCOUNT_JOB = "NOT IN (SELECT job_id FROM discount_jobs WHERE part <> 'change')"

/** The normal prices that a job has changed during discounts, by item; empty for most jobs. */
function normalChanges({ store }: Pick<Ledger, 'store'>, jobId: number): Map<number, NormalChange> {
  const rows = store.all<{ item_id: number; normal_from: number; normal_to: number }>(
    'SELECT item_id, normal_from, normal_to FROM discount_changes WHERE job_id = ?',
    jobId,
  )
  return new Map(rows.map(({ item_id: id, normal_from: from, normal_to: to }) => [id, { from, to }]))
}

/** The same for job after job in ascending order: that of the last one is kept, so that batches of one job ask once. */
export function normalChangesReader(ledger: Pick<Ledger, 'store'>): (jobId: number) => ReadonlyMap<number, NormalChange> {
  let last: { jobId: number; changes: Map<number, NormalChange> } | undefined
  return (jobId) => {
    if (last?.jobId !== jobId) last = { jobId, changes: normalChanges(ledger, jobId) }
    return last.changes
  }
}
