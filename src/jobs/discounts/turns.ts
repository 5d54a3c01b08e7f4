/** When a discount begins, ends or is missed, and when there is something to do for it next. */
import { MINUTE_MS } from '../../system/durations.js'
import type { StoredDiscount } from '../ledger/discounts.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { unsettledJobs } from './results.js'

/** A start that runs later than this after its time was missed, ms. */
const MISSED_AFTER_MS = 15 * MINUTE_MS

/** What did not succeed is tried again after 1, 2, 4, … minutes, an hour at most. */
const FIRST_TRY_MS = MINUTE_MS
const LATEST_TRY_MS = 60 * MINUTE_MS

const NEVER_BEGAN = 'the discount ended before it began here: seller jobs:due did not run in its time'
const SKIPPED = 'the discount was to begin earlier, and the profile skips a start that was missed'
const TOO_LATE = 'the discount ended before this price could be sent'

/** What becomes of the start of a discount that was missed: it runs late, or not at all. */
export type MissedStart = 'late' | 'skip'

/** Whether a discount begins now, or still takes in items, rather than ends. */
export function begins(discount: StoredDiscount, now: number): boolean {
  return (discount.state === 'planned' || discount.state === 'running') && now < discount.ends_at
}

/** Whether the start of a discount was missed for good. @param now ms since 1970 */
export function isMissed(discount: StoredDiscount, now: number, setting: MissedStart): boolean {
  if (discount.state !== 'planned') return false
  return now >= discount.ends_at || (setting === 'skip' && now - discount.starts_at > MISSED_AFTER_MS)
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
  const holdPlanned = (id: number, reason: string) =>
    store.update('discount_items', { state: 'held', reason }, { discount_id: id, state: 'planned' })
  store.transaction(() => {
    for (const discount of missed) {
      holdPlanned(discount.id, now >= discount.ends_at ? NEVER_BEGAN : SKIPPED)
      store.update('discounts', { state: 'missed', ended_at: now, next_at: null }, { id: discount.id })
    }
    for (const discount of ending) {
      holdPlanned(discount.id, TOO_LATE)
      store.update('discounts', { state: 'ending', tries: 0 }, { id: discount.id })
    }
  })
  return { missed, ending: new Set(ending.map(({ id }) => id)) }
}

/**
 * Says of each discount when there is something to do for it next, and ends those of which nothing is left. Call it when the jobs of a step are over,
 * or have stopped.
 */
export function scheduleDiscounts(ledger: Ledger, shop: ShopKey, due: readonly StoredDiscount[]): void {
  const now = ledger.clock.now()
  ledger.store.transaction(() => {
    for (const { id } of due) {
      const discount = ledger.discounts.stored(id)
      if (discount.state !== 'running' && discount.state !== 'ending') continue
      const { planned, on } = ledger.discounts.show(id).Counts
      const left = unsettledJobs(ledger, shop, id).length + (discount.state === 'running' ? planned : on)
      if (left === 0 && discount.state === 'ending') {
        ledger.store.update('discounts', { state: 'ended', ended_at: now, next_at: null, tries: 0 }, { id })
        continue
      }
      const again = now + Math.min(LATEST_TRY_MS, FIRST_TRY_MS * 2 ** Math.min(discount.tries, 10))
      const next = discount.state === 'ending' ? again : left === 0 ? discount.ends_at : Math.min(discount.ends_at, again)
      // A start that is still on its way when the discount ends starts counting again there.
      const tries = left === 0 || next === discount.ends_at ? 0 : discount.tries + 1
      ledger.store.update('discounts', { next_at: next, tries }, { id })
    }
  })
}
