/**
 * Brings the results of the jobs of discounts into the discounts: a price that was set counts as live from then on, one that failed does
 * not. It only reads the ledger, so it may run at any time and any number of times.
 */
import { MINUTE_MS } from '../../system/durations.js'
import { type BulkRow, bulkRows, NOT_LIVE } from '../bulk/index.js'
import type { DiscountShop, StoredDiscount } from '../ledger/discounts.js'
import type { Ledger } from '../ledger/ledger.js'
import { type DiscountPriceRow, DiscountPrices } from './discounted-items.js'
import { setDiscountItem } from './items.js'

/** start and end: the jobs of a discount; change: a job that changed normal prices of items in a discount. */
export type DiscountPart = 'start' | 'end' | 'change'

/** After this, a price whose reply was lost is carried out or will not be, ms. Queued work takes the service minutes (docs/service.md, Waiting for results). */
const UNSURE_MS = 15 * MINUTE_MS
/** So many tries to restore a price (an hour apart at last) make a day: then it is given up and reported. */
const MOST_TRIES = 30

/** Whether what cannot be restored now is given up. */
export function isLastTry({ tries }: Pick<StoredDiscount, 'tries'>): boolean {
  return tries >= MOST_TRIES
}

export interface DiscountJob {
  readonly job_id: number
  readonly discount_id: number | null
  readonly part: DiscountPart
}

/** The jobs of a shop's discounts whose rows are not all taken into the discounts, the oldest first. @param discountId only of this discount */
export function unsettledJobs(
  { store }: Pick<Ledger, 'store'>,
  { profile, userId }: DiscountShop,
  discountId?: number,
): DiscountJob[] {
  return store.all<DiscountJob>(
    `SELECT s.job_id, s.discount_id, s.part FROM discount_jobs s JOIN jobs j ON j.id = s.job_id
     WHERE s.settled = 0 AND j.profile = ?1 AND coalesce(j.user_id, 0) = ?2 AND (?3 IS NULL OR s.discount_id = ?3) ORDER BY s.job_id`,
    profile,
    userId ?? 0,
    discountId ?? null,
  )
}

/** Whether a job starts a discount. */
export function startsDiscount({ store }: Pick<Ledger, 'store'>, jobId: number): boolean {
  return store.first("SELECT 1 FROM discount_jobs WHERE job_id = ? AND part = 'start' LIMIT 1", jobId) !== undefined
}

/** Takes what is known of all jobs into the discounts, in one transaction. */
export function settleDiscounts(ledger: Ledger, shop: DiscountShop): void {
  ledger.store.transaction(() => {
    for (const job of unsettledJobs(ledger, shop)) settleJob(ledger, shop, job)
  })
}

function settleJob(ledger: Ledger, shop: DiscountShop, { job_id: jobId, discount_id: discountId, part }: DiscountJob): void {
  const prices = new DiscountPrices(ledger, shop)
  const setting = prices.ofJob(jobId)
  const job = ledger.jobs.show(jobId)
  const cancelled = job.State === 'cancelled'
  const discount = discountId === null ? undefined : ledger.discounts.stored(discountId)
  let open = 0
  for (const row of setting.size === 0 ? [] : bulkRows(ledger, jobId)) {
    const item = setting.get(row.Id ?? 0)
    if (item === undefined) continue
    switch (row.State) {
      case 'ok':
        prices.arrived(item)
        if (discount !== undefined && part === 'end') setDiscountItem(ledger, discount.id, item.item_id, 'done')
        break
      case 'unsent':
      case 'sending':
      case 'queued':
      case 'unknown':
        if (!cancelled) {
          open++
          continue
        }
        if (row.State !== 'unsent') {
          prices.unsure(item.item_id, ledger.clock.now() + UNSURE_MS)
          continue
        }
        prices.notSent(item.item_id)
        // Of an end the discount price is still live: discounts:end tries again.
        if (discount !== undefined)
          setDiscountItem(
            ledger,
            discount.id,
            item.item_id,
            part === 'end' ? 'failed' : 'held',
            dropReason(ledger, { discount, part, jobId }),
          )
        break
      default:
        prices.notSent(item.item_id)
        if (discount !== undefined) failItem(ledger, { discount, part, item, row })
    }
    // The normal price of one that could not be restored is kept: discounts:end tries again.
    if (discount === undefined || part !== 'end' || !hasFailed(ledger, discount.id, item.item_id)) prices.leave(item.item_id)
  }
  if (open === 0) ledger.store.run('UPDATE discount_jobs SET settled = 1 WHERE job_id = ?', jobId)
}

function hasFailed({ store }: Ledger, discountId: number, itemId: number): boolean {
  const sql = "SELECT 1 FROM discount_items WHERE discount_id = ? AND item_id = ? AND state = 'failed' LIMIT 1"
  return store.first(sql, discountId, itemId) !== undefined
}

/** A row that a recheck held, or that the service failed. */
function failItem(
  ledger: Ledger,
  { discount, part, item, row }: { discount: StoredDiscount; part: DiscountPart; item: DiscountPriceRow; row: BulkRow },
): void {
  const reason = row.Reason ?? row.State
  // What is not in the live list at the end of a discount may be there at the next try.
  const isAbsent = part === 'end' && row.Reason === NOT_LIVE
  if (!isAbsent && (row.State === 'held' || row.State === 'skipped'))
    setDiscountItem(ledger, discount.id, item.item_id, row.State, reason)
  else if (part === 'end') setDiscountItem(ledger, discount.id, item.item_id, isLastTry(discount) ? 'failed' : 'on', reason)
  else setDiscountItem(ledger, discount.id, item.item_id, row.State === 'retryable' ? 'planned' : 'failed', reason)
}

function dropReason(
  { clock }: Ledger,
  { discount, part, jobId }: { discount: StoredDiscount; part: DiscountPart; jobId: number },
): string {
  return part === 'start' && discount.ends_at <= clock.now()
    ? 'the discount ended before this price was sent'
    : `job ${jobId} was dropped before this price was sent`
}
