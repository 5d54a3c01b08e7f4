/** How far a job has come: its rows, or the steps of a listing, by state. One shape for every kind of job. */

/**
 * unsent: not sent yet; sending: sent, no reply seen yet; queued: the service has it, no result yet; ok; failed: refused or failed by
 * the service; retryable: not carried out, may be sent again; unknown: a single write whose reply was lost; held: kept from sending by
 * a guard, because the item is unknown, or because the seller left the step out.
 */
export type RowState = 'unsent' | 'sending' | 'queued' | 'ok' | 'failed' | 'retryable' | 'unknown' | 'held'

/** The bytes of states in the ledger are places in this list; it is never reordered. */
export const ROW_STATES: readonly RowState[] = ['unsent', 'sending', 'queued', 'ok', 'failed', 'retryable', 'unknown', 'held']

/** How many rows or steps of a job are in which state; every state has a number. */
export type JobCounts = Record<RowState, number>

/** All zeros. */
export function noCounts(): JobCounts {
  return { unsent: 0, sending: 0, queued: 0, ok: 0, failed: 0, retryable: 0, unknown: 0, held: 0 }
}

/** Counts from the ledger. Version 0.1 left out states without rows, and wrote `{Steps, Done}` for a listing. */
export function readCounts(text: string): JobCounts {
  const { Steps = 0, Done = 0, ...stored } = JSON.parse(text) as Partial<JobCounts> & { Steps?: number; Done?: number }
  return { ...noCounts(), unsent: Steps - Done, ok: Done, ...stored }
}
