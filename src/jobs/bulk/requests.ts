/** Finds which request ids belong to rows of jobs. Those are in the batches, not among the single requests. */
import type { Ledger } from '../ledger/ledger.js'
import { unpackInts } from './pack.js'

/** The rows of a profile's jobs that have one of these request ids. Reads the ids of all batches: a megabyte for 250,000 rows. */
export function rowsOfRequests(ledger: Pick<Ledger, 'store'>, profile: string, requestIds: readonly number[]): Set<number> {
  const rows = new Set<number>()
  if (requestIds.length === 0) return rows
  const wantedIds = new Set(requestIds)
  const batches = ledger.store.all<{ job_id: number; batch: number }>(
    'SELECT s.job_id, s.batch FROM bulk_states s JOIN jobs j ON j.id = s.job_id WHERE j.profile = ? ORDER BY s.job_id DESC',
    profile,
  )
  for (const { job_id, batch } of batches) {
    const storedRow = ledger.store.first<{ request_ids: ArrayBuffer }>(
      'SELECT request_ids FROM bulk_states WHERE job_id = ? AND batch = ?',
      job_id,
      batch,
    )
    if (storedRow === undefined) continue
    for (const id of unpackInts(storedRow.request_ids)) if (wantedIds.has(id)) rows.add(id)
    if (rows.size === wantedIds.size) break
  }
  return rows
}
