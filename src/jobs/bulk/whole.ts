/** A job with its parts, as it is shown: nothing here sends, so that a list of jobs loads none of it. */
import type { JobRecord } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { countJobRows } from './journal.js'
import { hasParts } from './outcome.js'
import { bulkJob } from './show.js'
import type { BulkJob, BulkKind } from './types.js'

/** The order in which parts are sent: what can be undone first, and what takes something away last. */
const ORDER: readonly BulkKind[] = ['price', 'stock', 'update', 'add-shop', 'remove']

/** The jobs of rows of a job: its parts, in the order in which they are sent. A plain job is its own only part. */
export function listParts(ledger: Ledger, jobId: number): BulkJob[] {
  if (!hasParts(ledger.jobs.show(jobId).Kind)) return [bulkJob(ledger, jobId)]
  return inOrder(
    ledger.jobs.list({ partOf: jobId }).map(({ JobId }) => bulkJob(ledger, JobId)),
    ({ Kind }) => Kind,
  )
}

/** Parts in the order in which they are sent. */
export function inOrder<T>(parts: readonly T[], kindOf: (part: T) => BulkKind): T[] {
  return [...parts].sort((one, other) => ORDER.indexOf(kindOf(one)) - ORDER.indexOf(kindOf(other)))
}

/** A job with the counts of its rows, those of all its parts, as they are now. Those of its record are as old as its last run. */
export function wholeJob(ledger: Ledger, jobId: number): JobRecord {
  const record = ledger.jobs.show(jobId)
  return hasParts(record.Kind) ? { ...record, Counts: countJobRows(ledger, jobId) } : bulkJob(ledger, jobId)
}
