/** jobs:undo: a new job that restores the prices that one or several jobs have changed, for items that were not changed since. */

import type { Context } from '../../cli/context.js'
import { type ExitCode, SellerError } from '../../cli/errors.js'
import { auctionPlanView, type JobRunRecord, stockPlanView } from '../../format/views/index.js'
import {
  auctionJobRows,
  type BulkJob,
  bulkJob,
  hasParts,
  partsOf,
  planAuctionUndo,
  planStockUndo,
  planUndo,
  priceJobRows,
  stockJobRows,
} from '../../jobs/bulk/index.js'
import { PricesDuringDiscounts } from '../../jobs/discounts/index.js'
import { JobsError, type Ledger } from '../../jobs/index.js'
import { auctionReasons, auctionRows, shownAuctions } from '../items/prices.js'
import { settledAfter, shopOf } from '../prices/discounts.js'
import { liveItems } from '../prices/live.js'
import { inShort } from '../prices/plan.js'
import { shownPrices, showPlan, showPricePlan } from '../prices/show.js'
import { shownStock, stockReasons, stockRows } from '../shop/stock.js'
import { refuseOverwriting } from './files.js'
import { lookAtQueued } from './look.js'
import { listOf, refuseOtherShop } from './run.js'
import { type StartFlags, startJob } from './start.js'

export interface UndoFlags extends StartFlags {
  readonly 'dry-run'?: boolean
}

/**
 * Undoes price jobs, several as if they were one: one plan, one new job.
 * @param given job ids; one that is named twice counts once
 * @returns the result of the run; undefined for a dry run, whose plan is written
 * @throws {SellerError} usage for another profile's job, or jobs of different kinds; JobsError `undo_impossible`, `job_locked`
 * while one is being sent; what startJob throws
 */
export async function undoJobs(
  ctx: Context,
  given: readonly number[],
  flags: UndoFlags,
): Promise<{ record: JobRunRecord; code: ExitCode } | undefined> {
  refuseOverwriting(ctx, undefined, { '--held-file': flags['held-file'], '--failed-file': flags['failed-file'] })
  const ledger = await ctx.ledger()
  const jobIds = [...new Set(given.flatMap((jobId) => undoable(ctx, ledger, jobId)))].sort((one, other) => one - other)
  const jobs = jobIds.map((jobId) => bulkJob(ledger, jobId))
  for (const job of jobs) {
    refuseOtherShop(ctx, job)
    if (job.Running) throw running(job.JobId)
    refuseDiscountJob(ctx, job)
  }
  const kind = oneKind(jobs)
  ctx.ifInterrupted({ sent: 'Nothing was sent.' })
  const client = await ctx.client()
  let looks = 0
  for (const job of jobs) looks += await lookAtQueued(ctx, client, job)
  // Another process may have taken one for the look: what it finds is not known here yet.
  for (const { JobId } of jobs) if (ledger.jobs.show(JobId).Running) throw running(JobId)
  const live = liveItems(ctx, client, { ...listOf(kind), absence: flags })
  const title = inShort(`jobs:undo ${jobIds.join(' ')}`)
  const common = { title, undoOf: jobIds, calls: 1 + looks, verb: 'Set back', flags }
  if (kind === 'auction-price') {
    const plan = await planAuctionUndo(ledger, jobIds, live)
    const { form, summary } = plan
    if (flags['dry-run'] === true) {
      await showPlan(ctx, { view: auctionPlanView, rows: auctionRows(plan), summary, reasons: auctionReasons(plan) })
      return undefined
    }
    const shown = shownAuctions(plan)
    return startJob(ctx, { ...common, kind, form, summary, rows: auctionJobRows(plan), noun: 'auction', shown })
  }
  if (kind === 'stock') {
    const plan = await planStockUndo(ledger, jobIds, live)
    const { form, summary } = plan
    if (flags['dry-run'] === true) {
      const rows = stockRows(plan, ctx.output.human)
      await showPlan(ctx, { view: stockPlanView, rows, summary, reasons: stockReasons(plan) })
      return undefined
    }
    const shown = shownStock(plan)
    return startJob(ctx, { ...common, kind, form, summary, rows: stockJobRows(plan), noun: 'stock level', shown })
  }
  const during = PricesDuringDiscounts.of(ledger, shopOf(ctx))
  // The plan refuses a job of any other kind before the list is read.
  const plan = await planUndo(ledger, jobIds, during === undefined ? live : during.normal(live))
  if (flags['dry-run'] === true) {
    await showPricePlan(ctx, plan)
    return undefined
  }
  const { form, summary } = plan
  const rows = during === undefined ? priceJobRows(plan) : during.sending(priceJobRows(plan))
  const recorded = (jobId: number): void => during?.record(jobId)
  const shown = shownPrices(plan)
  const ended = startJob(ctx, { ...common, kind: 'price', form, summary, rows, noun: 'price', shown, recorded })
  return during === undefined ? ended : settledAfter(ctx, ended)
}

/**
 * The job itself or, of a sync, the part that can be undone.
 * @throws {SellerError} usage where prices and stock were set: two kinds are undone one at a time
 */
function undoable(ctx: Context, ledger: Ledger, jobId: number): number[] {
  if (!hasParts(ledger.jobs.show(jobId).Kind)) return [jobId]
  const parts = partsOf(ledger, jobId).filter(({ Kind }) => Kind === 'price' || Kind === 'stock')
  const [only, other] = parts
  if (only !== undefined && other === undefined) return [only.JobId]
  if (only === undefined) {
    throw new JobsError(
      'undo_impossible',
      `Job ${jobId} has set no prices and no stock, so there is nothing to undo.`,
      'The service cannot take back a removal or an addition.',
      { jobId },
    )
  }
  const flag = ctx.profileFlag()
  throw new SellerError(
    'undo_of_several_kinds',
    `Job ${jobId} has set prices and numbers in stock.`,
    parts.map(({ JobId, Kind }) => `${Kind === 'price' ? 'Prices' : 'Stock'}: seller jobs:undo ${JobId}${flag}`).join('. '),
  )
}

/** The kind of all jobs. @throws {SellerError} usage if they differ: different operations set shop items and auctions */
function oneKind(jobs: readonly BulkJob[]): BulkJob['Kind'] {
  const kinds = [...new Set(jobs.map(({ Kind }) => Kind))]
  // The plan refuses a job that set no prices, and says why.
  const priced = kinds.filter((kind) => kind === 'price' || kind === 'auction-price' || kind === 'stock')
  const [kind = 'price', other] = priced
  if (other === undefined) return kind
  throw new SellerError(
    'undo_of_several_kinds',
    `These jobs are of different kinds: ${jobs.map(({ JobId, Kind }) => `${JobId} is ${Kind}`).join(', ')}.`,
    'Undo the jobs of one kind at a time.',
  )
}

/** A sale is taken back by its end. @throws {SellerError} usage for a job that starts or ends one */
function refuseDiscountJob(ctx: Context, { JobId, DiscountId }: BulkJob): void {
  if (DiscountId === null) return
  throw new SellerError(
    'job_of_discount',
    `Job ${JobId} starts or ends discount ${DiscountId}, so it is not undone by itself.`,
    `End a running discount, which restores the normal prices, with: seller discounts:end ${DiscountId}${ctx.profileFlag()}. To run one again, make a new discount with shop:discount.`,
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
