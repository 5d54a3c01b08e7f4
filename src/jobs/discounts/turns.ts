/** When a discount begins, ends or is missed, and when there is something to do for it next. */
import { held, packHold } from '../../holds/index.js'
import { MINUTE_MS } from '../../system/durations.js'
import { nextTry } from '../closings.js'
import type { StoredDiscount } from '../ledger/discounts.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { unsettledJobs } from './results.js'

/** A start that runs later than this after its time was missed, ms. */
const MISSED_AFTER_MS = 15 * MINUTE_MS

/** Handling of a start that was missed: it runs late, or is skipped. */
export type MissedStart = 'late' | 'skip'

/** True if a discount begins now, or still takes in items, rather than ends. */
export function begins(discount: StoredDiscount, now: number): boolean {
  return (discount.state === 'planned' || discount.state === 'running') && now < discount.ends_at
}

/** True if the start of a discount was missed for good. @param now ms since 1970 */
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
  const missedDiscounts = due.filter((discount) => isMissed(discount, now, setting))
  const ending = due.filter((discount) => discount.state === 'running' && now >= discount.ends_at)
  const holdPlanned = (id: number, why: 'discount_missed' | 'start_skipped' | 'discount_over') =>
    store.update('discount_items', { state: 'held', reason: packHold(held(why)) }, { discount_id: id, state: 'planned' })
  store.transaction(() => {
    for (const discount of missedDiscounts) {
      holdPlanned(discount.id, now >= discount.ends_at ? 'discount_missed' : 'start_skipped')
      store.update('discounts', { state: 'missed', ended_at: now, next_at: null }, { id: discount.id })
    }
    for (const discount of ending) {
      // Its price may be live although the service has failed it: the end looks, and restores it.
      store.run(
        `UPDATE discount_items SET state = 'on' WHERE discount_id = ? AND state = 'planned' AND item_id IN (SELECT item_id
         FROM discount_prices WHERE profile = ? AND user_id = ? AND sent IS NOT NULL)`,
        discount.id,
        discount.profile,
        discount.user_id,
      )
      holdPlanned(discount.id, 'discount_over')
      store.update('discounts', { state: 'ending', tries: 0 }, { id: discount.id })
    }
  })
  return { missed: missedDiscounts, ending: new Set(ending.map(({ id }) => id)) }
}

/**
 * Says of each discount when there is something to do for it next, and ends those of which nothing is left. Call it when the jobs
 * of a step are over, or have stopped.
 */
export function scheduleDiscounts(ledger: Ledger, shop: ShopKey, due: readonly StoredDiscount[]): void {
  const now = ledger.clock.now()
  ledger.store.transaction(() => {
    for (const { id } of due) {
      const discount = ledger.discounts.stored(id)
      if (discount.state !== 'running' && discount.state !== 'ending') continue
      const { planned, on } = ledger.discounts.show(id).Counts
      const remaining = unsettledJobs(ledger, shop, id).length + (discount.state === 'running' ? planned : on)
      if (remaining === 0 && discount.state === 'ending') {
        ledger.store.update('discounts', { state: 'ended', ended_at: now, next_at: null, tries: 0 }, { id })
        continue
      }
      const again = nextTry(now, discount.tries)
      const next = discount.state === 'ending' ? again : remaining === 0 ? discount.ends_at : Math.min(discount.ends_at, again)
      // A start that is still on its way when the discount ends starts counting again there.
      const tries = next === discount.ends_at ? 0 : discount.tries + 1
      ledger.store.update('discounts', { next_at: next, tries }, { id })
    }
  })
}
