/** Changes of fields that are on their way: until they are carried out, the live list shows the fields of before. */
import { type Hold, held } from '../../holds/index.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { bulkRows } from './show.js'

/** Holds of the items with a change that was sent and has no result yet, by id. */
export function queuedUpdates(ledger: Pick<Ledger, 'jobs' | 'store'>, { profile, userId }: ShopKey): Map<number, Hold> {
  const holds = new Map<number, Hold>()
  const jobs = ledger.jobs.list({ profile, userId, kind: 'update', state: ['open', 'waiting'] })
  for (const { JobId, PartOf } of jobs)
    for (const { Id } of bulkRows(ledger, JobId, ['queued', 'sending']))
      if (Id !== null) holds.set(Id, held('update_queued', { Job: PartOf ?? JobId }))
  return holds
}
