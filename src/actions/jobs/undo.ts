/** jobs:undo: a new job that restores the prices that one or several jobs have changed, for items that were not changed since. */

import type { Context } from '../../cli/context.js'
import { BULK_KINDS } from '../../contract/jobs.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { thousands } from '../../format/output/index.js'
import type { SyncRowShown } from '../../format/views/sync.js'
import { type Hold, held } from '../../holds/index.js'
import {
  type BulkJob,
  type BulkRow,
  bulkJob,
  bulkRows,
  hasParts,
  isUndoable,
  itemChanges,
  listParts,
  planAuctionUndo,
  planUndo,
  planUpdateUndo,
  planValueUndo,
  UPDATED_FIELDS,
  wholeJob,
} from '../../jobs/bulk/index.js'
import { PricesDuringDiscounts } from '../../jobs/discounts/index.js'
import { JobsError, type Ledger, readPace } from '../../jobs/index.js'
import { run, say } from '../../messages/index.js'
import type { LiveCatalogueItem, LiveItem, LiveItems } from '../../pricing/index.js'
import { StoredList } from '../../rows/index.js'
import { SpillFile } from '../../system/spill-file.js'
import { noteDiscounts } from '../discounts/noted.js'
import { auctionsToSend } from '../items/auction-prices.js'
import { shopOf } from '../own.js'
import { liveItemsFor, SHOP } from '../prices/live.js'
import { pricesToSend } from '../prices/run.js'
import type { Result } from '../result.js'
import { fieldsToSend } from '../rows/fields.js'
import { type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'
import type { PlannedKind, PlanRow } from '../rows/show.js'
import { valuesToSend } from '../rows/values.js'
import { setBackParts } from '../shop/set-back.js'
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
export async function undoJobs(ctx: Context, ids: readonly number[], flags: RowsFlags): Promise<Result> {
  const ledger = await ctx.ledger()
  const undoableJobs = ids.map((jobId) => undoable(ledger, jobId))
  const jobIds = [...new Set(undoableJobs.flatMap(({ jobIds }) => jobIds))].sort((one, other) => one - other)
  const jobs = jobIds.map((jobId) => bulkJob(ledger, jobId))
  for (const job of jobs) {
    refuseOtherShop(ctx, job)
    if (job.Running) throw running(job.JobId)
    refuseDiscountJob(job)
    refuseUnsent(ledger, job)
  }
  const kinds = kindsOf(jobs)
  const [kind = 'price', another] = kinds
  const removalIds = undoableJobs.flatMap(({ removed }) => removed)
  if (another !== undefined || kind === 'add-shop')
    return runRows(ctx, { flags, plan: () => wholeUndo(ctx, { given: [...new Set(ids)], jobs, removed: removalIds, flags }) })
  const undo = <T extends PlanRow>(planKind: (live: LiveItems) => Promise<PlannedKind<T> & Pick<RowsPlan<T>, 'during'>>) => {
    const plan = async () => {
      const client = await ctx.client()
      let looks = 0
      for (const job of jobs) looks += await lookAtQueued(ctx, client, job)
      // Another process may have taken one for the look: what it finds is not known here yet.
      for (const { JobId } of jobs) if (ledger.jobs.show(JobId).Running) throw running(JobId)
      const { items, calls } = await liveItemsFor(ctx, client, { ...listOf(kind), absence: flags }, rowsOfJobs(ledger, jobIds))
      const rows = await planKind(items)
      const title = `jobs:undo ${jobIds.join(' ')}`
      const also = () => {
        rows.shown.also?.()
        noteStays(ctx, ledger, removalIds)
      }
      return { ...rows, shown: { ...rows.shown, also }, title, undoOf: jobIds, calls: calls + looks, verb: 'Set back' }
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
    const prices = pricesToSend(ctx, plan)
    return { ...prices, shown: { ...prices.shown, also: () => noteDiscounts(ctx, ledger, plan) }, noun: 'price', during }
  })
}

/** The jobs that are undone of a given one: itself or, of a sync, its parts. */
interface Undoable {
  readonly jobIds: readonly number[]
  /** Parts whose items were removed, which the service cannot bring back. */
  readonly removed: readonly number[]
}

/** Kinds of which the rows of a shop are taken back as one. */
const OF_SHOP: readonly BulkJob['Kind'][] = ['price', 'stock', 'update', 'add-shop']

/** @throws JobsError `undo_impossible` for a sync that has only removed items */
function undoable(ledger: Ledger, jobId: number): Undoable {
  if (!hasParts(ledger.jobs.show(jobId).Kind)) return { jobIds: [jobId], removed: [] }
  const parts = listParts(ledger, jobId)
  const jobIds = parts.filter(({ Kind }) => OF_SHOP.includes(Kind)).map(({ JobId }) => JobId)
  const removalIds = parts.filter(({ Kind }) => Kind === 'remove').map(({ JobId }) => JobId)
  if (jobIds.length > 0) return { jobIds, removed: removalIds }
  throw new JobsError(
    'undo_impossible',
    `Job ${jobId} has only removed items, so there is nothing to undo.`,
    'The service cannot bring back an item that was removed. Add it again.',
    { jobId },
  )
}

/** The kinds of all jobs. @throws {SellerError} usage where auctions are undone with shop items: different operations set them */
function kindsOf(jobs: readonly BulkJob[]): BulkJob['Kind'][] {
  // The plan refuses a job of any other kind, and says why.
  const kinds = [...new Set(jobs.map(({ Kind }) => Kind))].filter((kind) => isUndoable(kind) || kind === 'add-shop')
  if (kinds.length < 2 || kinds.every((kind) => OF_SHOP.includes(kind))) return kinds
  throw new SellerError(
    'undo_of_several_kinds',
    `These jobs are of different kinds: ${jobs.map(({ JobId, Kind }) => `${JobId} is ${Kind}`).join(', ')}.`,
    'Undo the jobs of one kind at a time.',
  )
}

interface WholeUndo {
  readonly given: readonly number[]
  readonly jobs: readonly BulkJob[]
  readonly removed: readonly number[]
  readonly flags: RowsFlags
}

/** Plans what takes back changes of several kinds, and additions, as one: the list is read once for all. */
async function wholeUndo(ctx: Context, { given, jobs, removed, flags }: WholeUndo): Promise<RowsPlan<SyncRowShown>> {
  const ledger = await ctx.ledger()
  const client = await ctx.client()
  let looks = 0
  for (const job of [...jobs, ...removed.map((jobId) => bulkJob(ledger, jobId))]) looks += await lookAtQueued(ctx, client, job)
  for (const { JobId } of jobs) if (ledger.jobs.show(JobId).Running) throw running(JobId)
  const idsOf = (kind: BulkJob['Kind']) => jobs.filter(({ Kind }) => Kind === kind).map(({ JobId }) => JobId)
  const all = jobs.map(({ JobId }) => JobId)
  const list = { ...SHOP, also: ['RemainingQuantity', ...UPDATED_FIELDS], absence: flags } as const
  const { items, calls } = await liveItemsFor(ctx, client, list, rowsOfJobs(ledger, all))
  const spill = new SpillFile(ctx.dataDir)
  const touchedIds = new Set<number>()
  for (const { id } of rowsOfJobs(ledger, all)) touchedIds.add(id)
  const shop = new StoredList<LiveItem>(spill)
  const additions = addedRows(ledger, idsOf('add-shop'))
  const back = { removals: [] as LiveItem[], heldRemovals: [] as { item: LiveItem; hold: Hold }[] }
  const seenItems = async function* (): AsyncGenerator<LiveCatalogueItem> {
    for await (const item of items) {
      const { Id, ItemType, BuyItNowPrice, ShortDescription, OwnReferences, RemainingQuantity } = item
      const addition = additions.get(Id)
      const hold = addition === undefined ? null : whyStays(item, addition)
      if (hold !== null) back.heldRemovals.push({ item, hold })
      else if (addition !== undefined) back.removals.push(item)
      else if (touchedIds.has(Id)) shop.push({ Id, ItemType, BuyItNowPrice, ShortDescription, OwnReferences, RemainingQuantity })
      // An item that is removed needs nothing else.
      if (addition === undefined) yield item as LiveCatalogueItem
    }
  }
  const whole = { spill, whole: wholeItem(ctx, client) }
  const updates = await planUpdateUndo(itemChanges(ledger, idsOf('update'), spill), seenItems(), whole)
  const [prices, numbers] = [idsOf('price'), idsOf('stock')]
  const during = prices.length === 0 ? undefined : PricesDuringDiscounts.of(ledger, shopOf(ctx))
  const pricePlan =
    prices.length === 0 ? undefined : await planUndo(ledger, prices, during === undefined ? shop : during.normal(shop))
  const parts = setBackParts(ctx, {
    prices: pricePlan,
    numbers: numbers.length === 0 ? undefined : await planValueUndo(ledger, 'stock', numbers, shop),
    updates,
    ...back,
    nothing: 'Everything is as it was before.',
    also: () => {
      if (pricePlan !== undefined) noteDiscounts(ctx, ledger, pricePlan)
      noteStays(ctx, ledger, removed)
      noteAdded(ctx, ledger, idsOf('add-shop'), additions.size - back.removals.length - back.heldRemovals.length)
    },
  })
  return { ...parts, title: `jobs:undo ${given.join(' ')}`, undoOf: given, calls: calls + looks, verb: 'Set back', during }
}

/** Rows of additions that the service has taken, by the items that they made. */
function addedRows(ledger: Ledger, jobIds: readonly number[]): Map<number, BulkRow> {
  const rows = new Map<number, BulkRow>()
  for (const jobId of jobIds)
    for (const row of bulkRows(ledger, jobId, ['ok', 'queued'])) if (row.Id !== null) rows.set(row.Id, row)
  return rows
}

/** An item that was added, and is not as it was added, is somebody's by now. */
function whyStays({ BuyItNowPrice, ShortDescription }: LiveItem, { Payload }: BulkRow): Hold | null {
  const { Title, Price } = Payload as { readonly Title?: string; readonly Price?: number }
  const Fields = [
    ...(Title !== undefined && ShortDescription !== undefined && Title !== ShortDescription ? ['Title'] : []),
    ...(Price !== undefined && BuyItNowPrice !== undefined && Price !== BuyItNowPrice ? ['Price'] : []),
  ]
  return Fields.length === 0 ? null : held('fields_moved', { Fields })
}

/** Removed items that are named. */
const NAMED = 5

/** Names the items that were removed, which the service cannot bring back. @param removed jobs that removed them */
function noteStays(ctx: Context, ledger: Ledger, removalIds: readonly number[]): void {
  const removedRows = removalIds.flatMap((jobId) => [...bulkRows(ledger, jobId, ['ok', 'queued', 'sending'])])
  if (removedRows.length > 0) {
    const itemNames = removedRows.slice(0, NAMED).map(({ Id, OwnReference, Title }) => `${OwnReference ?? Id} "${Title ?? ''}"`)
    const more = removedRows.length > NAMED ? `, and ${thousands(removedRows.length - NAMED)} more` : ''
    const stay = removedRows.length === 1 ? 'stays' : 'stay'
    ctx.output.warn(
      `${countOf(removedRows.length, 'removed item')} ${stay} removed, because the service cannot bring one back: ${itemNames.join(', ')}${more}.`,
    )
    ctx.output.hint(say`All of them: ${run('jobs:show', { id: removalIds[0] ?? 0 })}. Add them again with shop:add.`)
  }
}

/** Says which additions are not taken back. @param absent number of added items that are not live */
function noteAdded(ctx: Context, ledger: Ledger, additionIds: readonly number[], absentCount: number): void {
  if (absentCount > 0)
    ctx.output.warn(
      `${countOf(absentCount, 'added item')} ${absentCount === 1 ? 'is' : 'are'} not live, so nothing is removed: sold, ended, or to begin later.`,
    )
  let lostCount = 0
  for (const jobId of additionIds) for (const _ of bulkRows(ledger, jobId, ['sending', 'unknown'])) lostCount++
  if (lostCount > 0)
    ctx.output.warn(`${countOf(lostCount, 'addition')} whose reply was lost: nothing is removed, because nobody knows the item.`)
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

/** @throws JobsError `undo_impossible` for a job that jobs:due goes on with: what is taken back now would be sent again */
function refuseUnsent(ledger: Ledger, job: BulkJob): void {
  const jobId = job.PartOf ?? job.JobId
  const whole = wholeJob(ledger, jobId)
  if (whole.State === 'cancelled' || whole.Counts.unsent + whole.Counts.sending === 0 || readPace(ledger, whole) === undefined)
    return
  throw new JobsError(
    'undo_impossible',
    say`Job ${jobId} is not finished: ${countOf(whole.Counts.unsent, 'row')} ${whole.Counts.unsent === 1 ? 'is' : 'are'} still to be sent by ${run('jobs:due')}.`,
    say`Drop what it has not sent with: ${run('jobs:drop', { id: jobId })}. Then undo it.`,
    { jobId },
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
