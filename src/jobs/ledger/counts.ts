/** The counts of a job in the ledger. */
import { type JobCounts, ROW_STATES, type RowState } from '../../contract/jobs.js'

export { type JobCounts, ROW_STATES, type RowState }

/** All zeros. */
export function noCounts(): JobCounts {
  return { unsent: 0, sending: 0, queued: 0, ok: 0, failed: 0, retryable: 0, unknown: 0, held: 0, skipped: 0 }
}

/** Counts from the ledger. Version 0.1 left out states without rows, and wrote `{Steps, Done}` for a listing. */
export function readCounts(text: string): JobCounts {
  const { Steps = 0, Done = 0, ...stored } = JSON.parse(text) as Partial<JobCounts> & { Steps?: number; Done?: number }
  return { ...noCounts(), unsent: Steps - Done, ok: Done, ...stored }
}
