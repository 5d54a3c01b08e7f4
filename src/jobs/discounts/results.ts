/**
 * Takes the results of jobs into the discounts: a price that was set counts as live from then on, one that failed does not. It
 * only reads what the ledger has of the jobs, so it may run at any time and any number of times.
 */
import type { DiscountItemState } from '../../contract/index.js'
import { type Hold, held, storedHold } from '../../holds/index.js'
import { MINUTE_MS } from '../../system/durations.js'
import { type BulkRow, countJobRows, rowsAfter } from '../bulk/index.js'
import type { StoredDiscount } from '../ledger/discounts.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { DiscountChanges } from './changes.js'

/** start and end: the jobs of a discount; change: a job that changed normal prices of items in a discount. */
export type DiscountPart = 'start' | 'end' | 'change'

/**
 * After this, a price whose reply was lost is carried out or will not be, ms. Queued work takes the service minutes
 * (docs/service.md, Waiting for results).
 */
const UNSURE_MS = 15 * MINUTE_MS
/** So many tries to restore a price (an hour apart at last) make a day: then it is given up and reported. */
const MOST_TRIES = 30

/** True if what cannot be restored now is given up. */
export function isLastTry({ tries }: Pick<StoredDiscount, 'tries'>): boolean {
  return tries >= MOST_TRIES
}

export interface DiscountJob {
  readonly job_id: number
  readonly discount_id: number | null
  readonly part: DiscountPart
}

/** The items among those of `?4` whose price a job is setting. */
const SET_BY_JOB = `SELECT item_id FROM discount_prices WHERE profile = ? AND user_id = ? AND job_id = ?
  AND item_id IN (SELECT value FROM json_each(?))`

/**
 * The jobs of a shop's discounts whose rows are not all taken into the discounts, the oldest first.
 * @param discountId only of this discount
 */
export function unsettledJobs(
  { store }: Pick<Ledger, 'store'>,
  { profile, userId }: ShopKey,
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

/**
 * Starts and ends of a shop that are not over although no item waits for them: another job has set the prices of what they had
 * left. The oldest first.
 */
export function overtakenJobs({ store }: Pick<Ledger, 'store'>, { profile, userId }: ShopKey): number[] {
  return store
    .rows<[number]>(
      `SELECT s.job_id FROM discount_jobs s JOIN jobs j ON j.id = s.job_id WHERE s.settled = 1 AND s.part <> 'change'
       AND j.finished_at IS NULL AND j.profile = ? AND coalesce(j.user_id, 0) = ? ORDER BY s.job_id`,
      profile,
      userId ?? 0,
    )
    .map(([id]) => id)
}

/** True if a job starts a discount. */
export function startsDiscount({ store }: Pick<Ledger, 'store'>, jobId: number): boolean {
  return store.first("SELECT 1 FROM discount_jobs WHERE job_id = ? AND part = 'start' LIMIT 1", jobId) !== undefined
}

/** Takes what is known of all jobs of a shop into its discounts, thousands of rows in a transaction. */
export function takeInResults(ledger: Ledger, shop: ShopKey): void {
  for (const job of unsettledJobs(ledger, shop)) takeInJob(ledger, shop, job)
}

function takeInJob(ledger: Ledger, shop: ShopKey, { job_id: jobId, discount_id: discountId, part }: DiscountJob): void {
  const { store } = ledger
  const changes = new DiscountChanges(ledger, shop)
  const isCancelled = ledger.jobs.show(jobId).State === 'cancelled'
  const { unsent, sending, queued, unknown, ...over } = countJobRows(ledger, jobId)
  // There is nothing to take in of a job that waits for its first result.
  if (!isCancelled && unsent + sending + queued + unknown > 0 && Object.values(over).every((rows) => rows === 0)) return
  const discount = discountId === null ? undefined : ledger.discounts.stored(discountId)
  const dropOutcome = { State: 'dropped', Hold: whyDropped(ledger, { discount, part, jobId }) } as const
  let open = 0
  /** Takes in a row that sets the price of an item now. */
  const takeIn = (row: BulkRow, id: number): void => {
    const isUnsent = row.State === 'unsent'
    if (isUnsent || row.State === 'sending' || row.State === 'queued' || row.State === 'unknown') {
      if (!isCancelled) open++
      else if (!isUnsent) changes.add('unsure', id, ledger.clock.now() + UNSURE_MS)
      if (!isCancelled || !isUnsent) return
    }
    // The call may have been made twice, after a lost reply: then the first may have set it. The live list tells the next step.
    if (part === 'start' && row.State === 'retryable') changes.add('unsure', id, ledger.clock.now())
    else changes.add(row.State === 'ok' ? 'arrived' : 'notSent', id)
    const [state, hold] = discount === undefined ? [] : outcomeOf(isUnsent ? dropOutcome : row, discount, part)
    if (discount !== undefined && state !== undefined)
      changes.add('state', discount.id, id, state, hold === undefined ? null : storedHold(hold))
    // The normal price of one that could not be restored is kept: discounts:end tries again.
    if (part !== 'end' || state !== 'failed') changes.add('leave', id)
  }
  // Read and written in one transaction, thousands of rows each: another process may take in the same job meanwhile, and go on to
  // the next one.
  const piece = (after: number): number | undefined => {
    const { rows, last } = rowsAfter(ledger, jobId, after)
    const some = [...rows]
    const ids = JSON.stringify(some.map(({ Id }) => Id))
    const set = new Set(store.rows<[number]>(SET_BY_JOB, shop.profile, shop.userId ?? 0, jobId, ids).map(([id]) => id))
    for (const row of some) if (row.Id !== null && set.has(row.Id)) takeIn(row, row.Id)
    changes.write()
    if (last === undefined && open === 0) store.update('discount_jobs', { settled: 1 }, { job_id: jobId })
    return last
  }
  for (let after: number | undefined = 0; after !== undefined; ) after = store.piece(() => piece(after ?? 0))
}

/** Effect on an item of a row of a job that is over: none where the price of a start was set. */
function outcomeOf(
  { State, Hold: hold }: { readonly State: BulkRow['State'] | 'dropped'; readonly Hold: Hold | null },
  discount: StoredDiscount,
  part: DiscountPart,
): [state?: DiscountItemState, hold?: Hold] {
  const isEnd = part === 'end'
  const why = hold ?? held('text', { Said: State })
  if (State === 'ok') return isEnd ? ['done'] : []
  // The discount price is still live after such an end: discounts:end tries again.
  if (State === 'dropped') return [isEnd ? 'failed' : 'held', why]
  // An item missing from the live list at the end of a discount may be back at the next try.
  if ((State === 'held' || State === 'skipped') && !(isEnd && why.Code === 'gone')) return [State, why]
  if (isEnd) return [isLastTry(discount) ? 'failed' : 'on', why]
  return [State === 'retryable' ? 'planned' : 'failed', why]
}

function whyDropped(
  { clock }: Ledger,
  { discount, part, jobId }: { discount: StoredDiscount | undefined; part: DiscountPart; jobId: number },
): Hold {
  return part === 'start' && discount !== undefined && discount.ends_at <= clock.now()
    ? held('discount_over')
    : held('dropped', { Job: jobId })
}
