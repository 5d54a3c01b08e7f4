/**
 * Writes a step into the ledger: its jobs with everything they will send, and what it means for the discounts, in one transaction. Killed before,
 * nothing has happened; killed after, the jobs are there and are gone on with.
 */
import { MINUTE_MS } from '../../system/durations.js'
import { createBulkJob, priceJobRows } from '../bulk/index.js'
import type { DiscountShop, StoredDiscount } from '../ledger/discounts.js'
import type { Ledger } from '../ledger/ledger.js'
import { DiscountPrices } from './discounted-items.js'
import { joinDiscount, noteDiscountItem, setDiscountItem, setDiscountItems } from './items.js'
import { type DiscountPart, unsettledJobs } from './settle.js'
import { begins, type DiscountStep, type ItemChange, isMissed, jobTitle, type MissedStart } from './turns.js'

/** What did not succeed is tried again after 1, 2, 4, … minutes, an hour at most. */
const FIRST_TRY_MS = MINUTE_MS
const LATEST_TRY_MS = 60 * MINUTE_MS

const NEVER_BEGAN = 'the discount ended before it began here: seller jobs:due did not run in its time'
const SKIPPED = 'the discount was to begin earlier, and the profile skips a start that was missed'
const NOT_YET = 'it is not in the live list, so its price is not restored yet'
const NOT_RESTORED = 'not restored: it was not in the live list'
const TOO_LATE = 'the discount ended before this price could be sent'

/** A job that a step has made. */
export interface MadeJob {
  readonly jobId: number
  readonly discount: StoredDiscount
  readonly part: Exclude<DiscountPart, 'change'>
}

/**
 * Marks the discounts whose start was missed for good, and those whose time is up. Call it in front of a step.
 * @returns those that were missed, and the ids of those that end now
 */
export function turnDiscounts(
  ledger: Ledger,
  due: readonly StoredDiscount[],
  setting: MissedStart,
): { missed: StoredDiscount[]; ending: ReadonlySet<number> } {
  const { store, clock } = ledger
  const now = clock.now()
  const missed = due.filter((discount) => isMissed(discount, now, setting))
  const ending = due.filter((discount) => discount.state === 'running' && now >= discount.ends_at)
  store.transaction(() => {
    for (const discount of missed) {
      setDiscountItems(ledger, discount.id, 'planned', 'held', now >= discount.ends_at ? NEVER_BEGAN : SKIPPED)
      store.run("UPDATE discounts SET state = 'missed', ended_at = ?, next_at = NULL WHERE id = ?", now, discount.id)
    }
    for (const discount of ending) {
      setDiscountItems(ledger, discount.id, 'planned', 'held', TOO_LATE)
      store.run("UPDATE discounts SET state = 'ending', tries = 0 WHERE id = ?", discount.id)
    }
  })
  return { missed, ending: new Set(ending.map(({ id }) => id)) }
}

/** Writes a step. @returns the jobs to be run, in that order */
export function applyStep(
  ledger: Ledger,
  { shop, due, step }: { readonly shop: DiscountShop; readonly due: readonly StoredDiscount[]; readonly step: DiscountStep },
): MadeJob[] {
  const prices = new DiscountPrices(ledger, shop)
  const now = ledger.clock.now()
  return ledger.store.transaction(() => {
    // Given up since the step was planned.
    const dropped = new Set(due.flatMap(({ id }) => (ledger.discounts.stored(id).state === 'dropped' ? [id] : [])))
    for (const discount of due) {
      if (dropped.has(discount.id) || !begins(discount, now)) continue
      ledger.store.run(
        "UPDATE discounts SET state = 'running', started_at = coalesce(started_at, ?) WHERE id = ?",
        now,
        discount.id,
      )
    }
    for (const change of step.changes) {
      if (!('discountId' in change) || !dropped.has(change.discountId)) applyChange(ledger, prices, change)
    }
    const made: MadeJob[] = []
    for (const { discount, part, plan, sending } of step.jobs) {
      if (dropped.has(discount.id)) continue
      const { JobId: jobId } = createBulkJob(ledger, {
        kind: 'price',
        profile: shop.profile,
        userId: shop.userId,
        title: jobTitle({ discount, part }),
        form: plan.form,
        rows: priceJobRows(plan),
        distinct: true,
      })
      ledger.store.run('INSERT INTO discount_jobs (job_id, discount_id, part) VALUES (?, ?, ?)', jobId, discount.id, part)
      for (const { id, price, live } of sending) prices.sending(id, { live, sent: price, jobId })
      made.push({ jobId, discount, part })
    }
    return made
  })
}

function applyChange(ledger: Ledger, prices: DiscountPrices, change: ItemChange): void {
  switch (change.kind) {
    case 'join':
      prices.add(change.id, change.normal)
      joinDiscount(ledger, change.discountId, change.id, { before: change.normal, price: change.price, reason: change.note })
      return
    case 'arrived':
      prices.arrived(change.row)
      return
    case 'not sent':
      prices.notSent(change.id)
      return
    case 'absent':
      // The normal price of one that was not restored is kept: discounts:end tries again.
      if (change.last) setDiscountItem(ledger, change.discountId, change.id, 'failed', NOT_RESTORED)
      else noteDiscountItem(ledger, change.discountId, change.id, NOT_YET)
      return
    case 'note':
      noteDiscountItem(ledger, change.discountId, change.id, change.reason)
      return
    default:
      setDiscountItem(ledger, change.discountId, change.id, change.state, change.reason)
      prices.leave(change.id)
  }
}

/**
 * Says of each discount when there is something to do for it next, and ends those of which nothing is left. Call it when the jobs of a step are over,
 * or have stopped.
 */
export function scheduleDiscounts(ledger: Ledger, shop: DiscountShop, due: readonly StoredDiscount[]): void {
  const now = ledger.clock.now()
  ledger.store.transaction(() => {
    for (const { id } of due) {
      const discount = ledger.discounts.stored(id)
      if (discount.state !== 'running' && discount.state !== 'ending') continue
      const { planned, on } = ledger.discounts.show(id).Counts
      const left = unsettledJobs(ledger, shop, id).length + (discount.state === 'running' ? planned : on)
      if (left === 0 && discount.state === 'ending') {
        ledger.store.run("UPDATE discounts SET state = 'ended', ended_at = ?, next_at = NULL, tries = 0 WHERE id = ?", now, id)
        continue
      }
      const again = now + Math.min(LATEST_TRY_MS, FIRST_TRY_MS * 2 ** Math.min(discount.tries, 10))
      const next = discount.state === 'ending' ? again : left === 0 ? discount.ends_at : Math.min(discount.ends_at, again)
      // A start that is still on its way when the discount ends starts counting again there.
      const tries = left === 0 || next === discount.ends_at ? 0 : discount.tries + 1
      ledger.store.run('UPDATE discounts SET next_at = ?, tries = ? WHERE id = ?', next, tries, id)
    }
  })
}
