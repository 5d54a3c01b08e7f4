/** Removals of shop items that this ledger has made, or will make. The live list may still have such an item. */
import { bulkRows } from './bulk/show.js'
import type { ShopKey } from './ledger/jobs.js'
import type { Ledger } from './ledger/ledger.js'

/** A removal in the ledger. */
export interface Removal {
  /** The job that made it, the whole one if that was a part; null for a single call. */
  readonly jobId: number | null
  readonly requestId: number | null
  /**
   * removed: the service has carried it out; queued: it will; sending: it was sent, and nobody knows whether it arrived; unsent:
   * an unfinished job will send it.
   */
  readonly state: 'removed' | 'queued' | 'sending' | 'unsent'
  /** When it was finished or, until then, recorded; ISO 8601. */
  readonly at: string
}

const STATES = { unsent: 'unsent', sending: 'sending', queued: 'queued', ok: 'removed', unknown: 'sending' } as const
type Known = keyof typeof STATES
const KNOWN = Object.keys(STATES) as Known[]

/** Finds the newest removal of each item, among jobs and single calls. @param since ms since 1970: recorded then or later */
export function findRemovals(
  ledger: Pick<Ledger, 'jobs' | 'requests' | 'store'>,
  { profile, userId }: ShopKey,
  since: number,
): Map<number, Removal> {
  const removals = new Map<number, Removal>()
  for (const job of ledger.jobs.list({ profile, userId, kind: 'remove', since }).reverse()) {
    for (const { Id, RequestId, State } of bulkRows(ledger, job.JobId, KNOWN)) {
      // A dropped job's rows are never sent.
      if (Id === null || (State === 'unsent' && job.State === 'cancelled')) continue
      const at = job.FinishedAt ?? job.CreatedAt
      removals.set(Id, { jobId: job.PartOf ?? job.JobId, requestId: RequestId, state: STATES[State as Known], at })
    }
  }
  const requests = ledger.requests.standing({ profile, userId }, { operation: 'RemoveShopItem', since })
  for (const { ItemId, RequestId: requestId, State, SentAt, FinishedAt } of requests) {
    if (ItemId === null) continue
    removals.set(ItemId, { jobId: null, requestId, state: STATES[State as Known], at: FinishedAt ?? SentAt })
  }
  return removals
}
