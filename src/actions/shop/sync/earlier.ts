/** Facts of the ledger for comparing a catalogue: earlier syncs that are not finished, items that come, items that go. */

import type { Context } from '../../../cli/context.js'
import { held } from '../../../holds/index.js'
import { recoverParts } from '../../../jobs/bulk/index.js'
import { findAdditions, findRemovals, type JobRecord, type Ledger, type Removal } from '../../../jobs/index.js'
import type { CatalogueKnowledge, UnderWay } from '../../../pricing/index.js'
import { UNFINISHED } from '../../jobs/list.js'
import { lookAtAllQueued } from '../../jobs/look.js'
import { LIST_LAGS_MS, seenBefore, whyAdded } from '../../listing/doubles.js'
import { isOwn, shopOf } from '../../own.js'
import { KNOWN_WINDOW_MS } from '../../prices/plan.js'

/** Earlier syncs of the shop with rows that were not sent: a new one plans those rows anew. */
export interface EarlierSyncs {
  readonly unfinished: readonly JobRecord[]
  /**
   * The newest job of the shop that adds items, 0 if it has none: a newer one in the end means that two plans were made at once.
   */
  readonly newest: number
  /** Calls made to learn what became of queued rows. */
  readonly calls: number
}

/**
 * Makes sure of what earlier jobs did, before the live list is read.
 * @throws JobsError code `job_locked` while another process works on a sync of the shop; what the client throws
 */
export async function recoverEarlier(ctx: Context): Promise<EarlierSyncs> {
  const ledger = await ctx.ledger()
  const { name: profile } = ctx.profile
  const syncs = ledger.jobs.list({ profile, kind: 'sync', state: UNFINISHED }).filter((job) => isOwn(ctx, job))
  for (const { JobId } of syncs) recoverParts(ledger, JobId)
  const unfinishedJobs = syncs.map(({ JobId }) => ledger.jobs.show(JobId)).filter(({ Counts }) => Counts.unsent > 0)
  const calls = await lookAtAllQueued(ctx, ['price', 'update', 'add-shop', 'remove'])
  return { unfinished: unfinishedJobs, newest: newestJob(ledger, profile), calls }
}

/** The newest sync or job of additions. Two plans of prices do no harm: the later one wins, and neither adds anything twice. */
export function newestJob(ledger: Ledger, profile: string): number {
  const [newest] = ledger.jobs.list({ profile, kind: ['add-shop', 'sync'], limit: 1 })
  return newest === undefined ? 0 : (newest.PartOf ?? newest.JobId)
}

/**
 * Items that come and go, according to the ledger.
 * @param references of rows whose item is not live
 * @param earlier their unsent rows are planned anew, so they do not count
 * @param again whether what was live before may come again
 */
export async function knownOfCatalogue(
  ctx: Context,
  references: ReadonlySet<string>,
  { earlier: { unfinished }, again }: { readonly earlier: EarlierSyncs; readonly again: boolean },
): Promise<CatalogueKnowledge> {
  const ledger = await ctx.ledger()
  const shop = shopOf(ctx)
  const anew = new Set(unfinished.map(({ JobId }) => JobId))
  const additions = new Map<string, UnderWay>()
  for (const [reference, addition] of findAdditions(ledger, shop, references)) {
    const { jobId, requestId, state } = addition
    if (state === 'unsent' && jobId !== null && anew.has(jobId)) continue
    // Only the seller can say whether a call whose reply was lost arrived.
    const isLost = state === 'sent' && requestId === null
    const hold = whyAdded(ctx, reference, addition, isLost)
    if (hold !== undefined) additions.set(reference, { state: isLost || state === 'unsent' ? 'held' : 'pending', hold })
  }
  const listedBefore = again ? [] : seenBefore(ctx, ledger, references)
  for (const [reference, { hold }] of listedBefore)
    if (!additions.has(reference)) additions.set(reference, { state: 'held', hold })
  const removals = new Map<number, UnderWay>()
  for (const [id, removal] of findRemovals(ledger, shop, ctx.clock.now() - KNOWN_WINDOW_MS)) {
    if (removal.state === 'unsent' && removal.jobId !== null && anew.has(removal.jobId)) continue
    const pendingRemoval = underWay(ctx, removal)
    if (pendingRemoval !== undefined) removals.set(id, pendingRemoval)
  }
  return { added: additions, removed: removals }
}

function underWay(ctx: Context, { jobId: Job, requestId: Request, state, at }: Removal): UnderWay | undefined {
  if (state === 'unsent') return { state: 'held', hold: held('being_removed', { Job, Request, State: state }) }
  // A removed item leaves the list soon. If it does not, it was not removed.
  if (state === 'removed' && ctx.clock.now() - Date.parse(at) > LIST_LAGS_MS) return undefined
  return { state: 'pending', hold: held('being_removed', { Job, Request, State: state === 'removed' ? state : 'sent' }) }
}
