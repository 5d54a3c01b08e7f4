/** What the run of a job with parts came to, for its result. */
import type { SyncRunRecord } from '../../format/views/index.js'
import type { BulkJob } from '../../jobs/bulk/index.js'
import type { JobRunEnd } from './run.js'

/** The result of a job with parts, without what only the comparison knows. */
export function recordOfParts({ job, parts, calls, heldFile, failedFile }: JobRunEnd): SyncRunRecord {
  const taken = (kind: BulkJob['Kind']): number =>
    parts.filter(({ Kind }) => Kind === kind).reduce((sum, { Counts }) => sum + Counts.ok + Counts.queued, 0)
  return {
    JobId: job.JobId,
    Kind: 'sync',
    Title: job.Title,
    State: job.State,
    Message: job.Message,
    Added: taken('add-shop'),
    Repriced: taken('price'),
    Restocked: taken('stock'),
    Removed: taken('remove'),
    Counts: job.Counts,
    Unchanged: null,
    Pending: null,
    Missing: null,
    WithoutReference: null,
    ByHand: null,
    Calls: calls,
    HeldFile: heldFile,
    FailedFile: failedFile,
    Parts: parts.map(({ JobId, Kind, State, Counts }) => ({ JobId, Kind, State, Counts })),
    Unknown: null,
  }
}
