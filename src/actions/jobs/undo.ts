/** jobs:undo: a new job that sets the old prices back, where nobody has changed them since. */

import type { Context } from '../../cli/context.js'
import type { ExitCode } from '../../cli/errors.js'
import { auctionPlanView, type JobRunRecord } from '../../format/views/index.js'
import {
  auctionJobRows,
  type BulkJob,
  bulkJob,
  planAuctionUndo,
  planUndo,
  priceJobRows,
  runBulkJob,
} from '../../jobs/bulk/index.js'
import { JobsError } from '../../jobs/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { auctionReasons, auctionRows } from '../items/prices.js'
import { liveItems } from '../prices/live.js'
import { showPlan, showPricePlan } from '../prices/show.js'
import { refuseOverwriting } from './files.js'
import { listOf, refuseOtherShop } from './run.js'
import { type StartFlags, startJob } from './start.js'

export interface UndoFlags extends StartFlags {
  readonly 'dry-run'?: boolean
}

/**
 * Takes a job of prices back.
 * @returns what the run came to; undefined for a dry run, whose plan is written
 * @throws {SellerError} usage for another profile's job; JobsError `undo_impossible`, `job_locked` while it is being sent; what startJob throws
 */
export async function undoJob(
  ctx: Context,
  jobId: number,
  flags: UndoFlags,
): Promise<{ record: JobRunRecord; code: ExitCode } | undefined> {
  refuseOverwriting(ctx, undefined, { '--held-file': flags['held-file'], '--failed-file': flags['failed-file'] })
  const ledger = await ctx.ledger()
  const job = bulkJob(ledger, jobId)
  refuseOtherShop(ctx, job)
  if (job.Running) throw running(jobId)
  ctx.ifInterrupted({ sent: 'Nothing was sent.' })
  const client = await ctx.client()
  const looks = await lookAtQueued(ctx, client, job)
  const live = liveItems(ctx, client, listOf(job.Kind))
  const common = { title: `jobs:undo ${jobId}`, undoOf: jobId, calls: 1 + looks, verb: 'Set back', flags }
  if (job.Kind === 'auction-price') {
    const plan = await planAuctionUndo(ledger, jobId, live)
    const { form, summary } = plan
    if (flags['dry-run'] === true) {
      await showPlan(ctx, { view: auctionPlanView, rows: auctionRows(plan), summary, reasons: auctionReasons(plan) })
      return undefined
    }
    return startJob(ctx, { ...common, kind: 'auction-price', form, summary, rows: auctionJobRows(plan), noun: 'auction' })
  }
  // Any other kind is refused by the plan, before the list is read.
  const plan = await planUndo(ledger, jobId, live)
  if (flags['dry-run'] === true) {
    await showPricePlan(ctx, plan)
    return undefined
  }
  const { form, summary } = plan
  return startJob(ctx, { ...common, kind: 'price', form, summary, rows: priceJobRows(plan), noun: 'price' })
}

/**
 * Looks once at rows that the ledger knows as queued: most are done by now, and only what is done can be taken back.
 * @returns the calls it took
 */
async function lookAtQueued(ctx: Context, client: SoapClient, job: BulkJob): Promise<number> {
  const { unsent, sending, queued } = job.Counts
  // A run would send what is unsent, and a dropped job is run no more.
  if (queued === 0 || unsent + sending > 0 || job.State === 'cancelled') return 0
  const { calls, stop, error } = await runBulkJob({
    ledger: await ctx.ledger(),
    client,
    clock: ctx.clock,
    jobId: job.JobId,
    signal: ctx.signal,
  })
  if (stop !== null) throw error
  return calls
}

function running(jobId: number): JobsError {
  return new JobsError('guard', 'job_locked', `Job ${jobId} is being sent now; what it will have set is not known yet.`, {
    hint: 'Wait until it has ended, or end that process; then undo it.',
    details: { jobId },
  })
}
