/**
 * Looks before a job goes on: at rows that are queued according to the ledger, of which most are done by now, and at the live
 * list.
 */

import type { Context } from '../../cli/context.js'
import { type BulkJob, type BulkKind, bulkJob, runBulkJob, whyRecheck } from '../../jobs/bulk/index.js'
import { type JobRecord, JobsError, type Ledger } from '../../jobs/index.js'
import type { LiveItems } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { durationText } from '../../system/durations.js'
import { isOwn } from '../own.js'
import { liveItems, RUNNING } from '../prices/live.js'
import type { Absence } from '../prices/seen.js'
import { listOf } from './run.js'

/**
 * Asks once for the results of a job's queued rows, and writes them to the ledger. A job that still has rows to send, runs now or
 * was dropped is left alone, because a run would send them.
 * @returns the number of calls made
 * @throws what the client throws
 */
export async function lookAtQueued(ctx: Context, client: SoapClient, job: BulkJob): Promise<number> {
  const { unsent, sending, queued } = job.Counts
  if (queued === 0 || unsent + sending > 0 || job.State === 'cancelled' || job.Running) return 0
  const run = { ledger: await ctx.ledger(), client, clock: ctx.clock, jobId: job.JobId, signal: ctx.signal }
  try {
    const { calls, stop, error } = await runBulkJob(run)
    if (stop !== null) throw error
    return calls
  } catch (error) {
    // Another process has taken it since `job` was read, perhaps for a look of its own.
    if (error instanceof JobsError && error.code === 'job_locked') return 0
    throw error
  }
}

/**
 * Asks for the results of all jobs of some kinds that have queued rows; of price jobs by default, because only confirmed prices
 * count.
 * @returns the number of calls made
 */
export async function lookAtAllQueued(ctx: Context, kind: readonly BulkKind[] = ['price']): Promise<number> {
  const ledger = await ctx.ledger()
  let looks = 0
  for (const record of ledger.jobs.list({ profile: ctx.profile.name, kind, state: ['open', 'waiting'] })) {
    if (record.Running || !isOwn(ctx, record)) continue
    const job = bulkJob(ledger, record.JobId)
    if (job.Counts.queued > 0) looks += await lookAtQueued(ctx, await ctx.client(), job)
  }
  return looks
}

/** Reads the live list before sending, if the plan of the job may be out of date; undefined if it is not. */
export function createRecheck(
  ctx: Context,
  client: SoapClient,
  ledger: Ledger,
  { JobId }: JobRecord,
  flags: { readonly blind?: boolean | undefined; readonly 'retry-failed'?: boolean | undefined } & Absence,
): (() => LiveItems) | undefined {
  if (flags.blind === true) return undefined
  const job = bulkJob(ledger, JobId)
  const why = whyRecheck(ledger, job, { now: ctx.clock.now(), retryFailed: flags['retry-failed'] === true })
  if (why === undefined) return undefined
  const age =
    why === 'old'
      ? `was planned ${durationText(ctx.clock.now() - Date.parse(job.CreatedAt))} ago`
      : why === 'restored'
        ? 'is from a restored copy of the ledger'
        : 'is older than another job of this shop'
  ctx.output.note(`Job ${JobId} ${age}: comparing its rows with the live list first.`)
  // Only an item that began since the plan is a double of one that is to be added.
  const list = job.Kind === 'add-shop' ? ({ ...RUNNING, also: ['StartDate'], references: true } as const) : listOf(job.Kind)
  return () => liveItems(ctx, client, { ...list, absence: flags })
}
