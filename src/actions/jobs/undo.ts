/** jobs:undo: a new job that restores the prices that one or several jobs have changed, for items that were not changed since. */

import type { Context } from '../../cli/context.js'
import { capital } from '../../contract/check.js'
import { BULK_KINDS } from '../../contract/jobs.js'
import { SellerError } from '../../errors/index.js'
import {
  type BulkJob,
  bulkJob,
  hasParts,
  isUndoable,
  itemChanges,
  partsOf,
  planAuctionUndo,
  planUndo,
  planUpdateUndo,
  planValueUndo,
} from '../../jobs/bulk/index.js'
import { PricesDuringDiscounts } from '../../jobs/discounts/index.js'
import { JobsError, type Ledger } from '../../jobs/index.js'
import { joined, run, say } from '../../messages/index.js'
import type { LiveCatalogueItem, LiveItems } from '../../pricing/index.js'
import { SpillFile } from '../../system/spill-file.js'
import { auctionsToSend } from '../items/auction-prices.js'
import { shopOf } from '../own.js'
import { liveItemsFor } from '../prices/live.js'
import { pricesToSend } from '../prices/run.js'
import type { Result } from '../result.js'
import { fieldsToSend } from '../rows/fields.js'
import { type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'
import type { PlannedKind, PlanRow } from '../rows/show.js'
import { valuesToSend } from '../rows/values.js'
import { wholeItem } from '../shop/sync/updates.js'
import { lookAtQueued } from './look.js'
import { listOf, refuseOtherShop, rowsOfJobs } from './run.js'

/**
 * Undoes price jobs, several as if they were one: one plan, one new job.
 * @param given job ids; one that is named twice counts once
 * @returns as runRows
 * @throws {SellerError} usage for another profile's job, or jobs of different kinds; JobsError `undo_impossible`, `job_locked`
 * while one is being sent; what runRows throws
 */
export async function undoJobs(ctx: Context, given: readonly number[], flags: RowsFlags): Promise<Result> {
  const ledger = await ctx.ledger()
  const jobIds = [...new Set(given.flatMap((jobId) => undoable(ledger, jobId)))].sort((one, other) => one - other)
  const jobs = jobIds.map((jobId) => bulkJob(ledger, jobId))
  for (const job of jobs) {
    refuseOtherShop(ctx, job)
    if (job.Running) throw running(job.JobId)
    refuseDiscountJob(job)
  }
  const kind = oneKind(jobs)
  const undo = <T extends PlanRow>(planned: (live: LiveItems) => Promise<PlannedKind<T> & Pick<RowsPlan<T>, 'during'>>) => {
    const plan = async () => {
      const client = await ctx.client()
      let looks = 0
      for (const job of jobs) looks += await lookAtQueued(ctx, client, job)
      // Another process may have taken one for the look: what it finds is not known here yet.
      for (const { JobId } of jobs) if (ledger.jobs.show(JobId).Running) throw running(JobId)
      const { items, calls } = await liveItemsFor(ctx, client, { ...listOf(kind), absence: flags }, rowsOfJobs(ledger, jobIds))
      const rows = await planned(items)
      const title = `jobs:undo ${jobIds.join(' ')}`
      return { ...rows, title, undoOf: jobIds, calls: calls + looks, verb: 'Set back' }
    }
    return runRows(ctx, { flags, plan })
  }
  if (kind === 'auction-price') return undo(async (live) => auctionsToSend(ctx, await planAuctionUndo(ledger, jobIds, live)))
  if (kind === 'update')
    return undo(async (live) => {
      const spill = new SpillFile(ctx.dataDir)
      const options = { spill, whole: wholeItem(ctx, await ctx.client()) }
      const plan = await planUpdateUndo(itemChanges(ledger, jobIds, spill), live as AsyncIterable<LiveCatalogueItem>, options)
      return fieldsToSend(ctx, plan)
    })
  if (BULK_KINDS[kind].sets !== undefined)
    return undo(async (live) => valuesToSend(ctx, kind, await planValueUndo(ledger, kind, jobIds, live)))
  return undo(async (live) => {
    const during = PricesDuringDiscounts.of(ledger, shopOf(ctx))
    // The plan refuses a job of any other kind before the list is read.
    const plan = await planUndo(ledger, jobIds, during === undefined ? live : during.normal(live))
    return { ...pricesToSend(ctx, plan), noun: 'price', during }
  })
}

/**
 * The job itself or, of a sync, the part that can be undone.
 * @throws {SellerError} usage where prices and stock were set: two kinds are undone one at a time
 */
function undoable(ledger: Ledger, jobId: number): number[] {
  if (!hasParts(ledger.jobs.show(jobId).Kind)) return [jobId]
  const parts = partsOf(ledger, jobId).filter(({ Kind }) => isUndoable(Kind))
  const [only, other] = parts
  if (only !== undefined && other === undefined) return [only.JobId]
  if (only === undefined) {
    throw new JobsError(
      'undo_impossible',
      `Job ${jobId} has set no prices, no stock and no fields, so there is nothing to undo.`,
      'The service cannot take back a removal or an addition.',
      { jobId },
    )
  }
  throw new SellerError(
    'undo_of_several_kinds',
    `Job ${jobId} has set ${lastAnd(parts.map(({ Kind }) => SET_BACK[Kind] ?? Kind))}.`,
    joined(
      parts.map(({ JobId, Kind }) => say`${capital(SET_BACK[Kind] ?? Kind)}: ${run('jobs:undo', { id: JobId })}`),
      '. ',
    ),
  )
}

/** Words for what a part of a sync has set. */
const SET_BACK: Readonly<Partial<Record<BulkJob['Kind'], string>>> = {
  price: 'prices',
  stock: 'numbers in stock',
  update: 'fields',
}

function lastAnd(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

/** The kind of all jobs. @throws {SellerError} usage if they differ: different operations set shop items and auctions */
function oneKind(jobs: readonly BulkJob[]): BulkJob['Kind'] {
  const kinds = [...new Set(jobs.map(({ Kind }) => Kind))]
  // The plan refuses a job that set no prices, and says why.
  const priced = kinds.filter(isUndoable)
  const [kind = 'price', other] = priced
  if (other === undefined) return kind
  throw new SellerError(
    'undo_of_several_kinds',
    `These jobs are of different kinds: ${jobs.map(({ JobId, Kind }) => `${JobId} is ${Kind}`).join(', ')}.`,
    'Undo the jobs of one kind at a time.',
  )
}

/** A discount is taken back by its end. @throws {SellerError} usage for a job that starts or ends one */
function refuseDiscountJob({ JobId, DiscountId }: BulkJob): void {
  if (DiscountId === null) return
  throw new SellerError(
    'job_of_discount',
    `Job ${JobId} starts or ends discount ${DiscountId}, so it is not undone by itself.`,
    say`End a running discount, which restores the normal prices, with: ${run('discounts:end', { id: DiscountId })}. To run one again, make a new discount with shop:discount.`,
    { jobId: JobId, discountId: DiscountId },
  )
}

function running(jobId: number): JobsError {
  return new JobsError(
    'job_locked',
    `Job ${jobId} is still being sent, so the prices it sets are not known yet.`,
    'Wait until it has ended, or stop that process. Then undo it.',
    { jobId },
  )
}
