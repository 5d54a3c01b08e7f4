/** The state of a job that follows from its rows, and the state of the job that it is a part of. */
import type { JobKind, JobState } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { countJobRows } from './journal.js'
import type { BulkCounts } from './types.js'

export function stateOf(counts: BulkCounts): JobState {
  if (counts.unsent + counts.sending > 0) return 'open'
  if (counts.queued > 0) return 'waiting'
  if (counts.unknown > 0) return 'unknown'
  const bad = counts.failed + counts.retryable
  if (bad + counts.held === 0) return counts.ok === 0 && counts.skipped > 0 ? 'partial' : 'ok'
  return counts.ok === 0 && bad > 0 ? 'failed' : 'partial'
}

/** Writes the state and the counts of a job, and those of the job that it is a part of. */
export function recordCounts(ledger: Ledger, jobId: number, counts: BulkCounts, message: string | null): void {
  ledger.store.transaction(() => {
    write(ledger, jobId, counts, message)
    const { PartOf } = ledger.jobs.show(jobId)
    if (PartOf !== null) recordParts(ledger, PartOf, message)
  })
}

/** Writes the state of a job that has parts: that of all their rows together. A dropped job stays dropped. */
export function recordParts(ledger: Ledger, jobId: number, message: string | null): void {
  if (ledger.jobs.show(jobId).State !== 'cancelled') write(ledger, jobId, countJobRows(ledger, jobId), message)
}

/** True if a kind of job has parts. */
export function hasParts(kind: JobKind): boolean {
  return kind === 'sync'
}

function write(ledger: Ledger, jobId: number, counts: BulkCounts, message: string | null): void {
  const state = stateOf(counts)
  const change = { state, counts: { ...counts }, message }
  if (state === 'open' || state === 'waiting' || state === 'unknown') ledger.jobs.update(jobId, change)
  else ledger.jobs.finish(jobId, change)
}
