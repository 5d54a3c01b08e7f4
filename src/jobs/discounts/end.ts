/** Ends a discount before its time, gives up one that has not begun, and lists the jobs of one. */
import type { DiscountRecord } from '../../contract/index.js'
import type { PriceRows } from '../../rows/index.js'
import { bulkRows, pricesAt } from '../bulk/index.js'
import type { Ledger } from '../ledger/ledger.js'
import { DiscountedItems } from './discounted-items.js'
import type { DiscountPart } from './results.js'

/** The end of a discount comes now; prices that failed at its end are tried again. Nothing is sent here. */
export function endDiscountNow({ store, clock }: Ledger, discountId: number): void {
  const now = clock.now()
  store.transaction(() => {
    store.run(
      "UPDATE discount_items SET state = 'on' WHERE discount_id = ? AND state = 'failed' AND EXISTS (SELECT 1 FROM discounts WHERE id = discount_id AND state = 'ended')",
      discountId,
    )
    store.run(
      `UPDATE discounts SET ends_at = min(ends_at, ?1), next_at = ?1, tries = 0, state = CASE state WHEN 'ended' THEN 'ending' ELSE state END,
         ended_at = NULL WHERE id = ?2 AND state IN ('running', 'ending', 'ended')`,
      now,
      discountId,
    )
  })
}

/** Gives up a discount. @returns false where it has begun, or is over: then nothing is changed */
export function dropDiscount({ store, clock }: Ledger, discountId: number): boolean {
  const endState = { state: 'dropped', next_at: null, ended_at: clock.now() }
  return store.update('discounts', endState, { id: discountId, state: 'planned' }) > 0
}

/** The jobs that started or ended a discount, the oldest first. */
export function discountJobs({ store }: Pick<Ledger, 'store'>, discountId: number): { JobId: number; Part: DiscountPart }[] {
  return store.all<{ JobId: number; Part: DiscountPart }>(
    'SELECT job_id AS JobId, part AS Part FROM discount_jobs WHERE discount_id = ? ORDER BY job_id',
    discountId,
  )
}

/**
 * Finds the normal price of an item in a discount, or the price that it had when the discount ended, kronor; undefined for one
 * that the ledger does not know. Where the end had nothing to send, the last job that set the normal price tells.
 */
export function normalPrices(ledger: Ledger, discount: DiscountRecord): (id: number) => number | undefined {
  const { DiscountId, Profile: profile, UserId: userId, EndedAt } = discount
  const items = new DiscountedItems(ledger, { profile, userId })
  const restored = new Map<number, number>()
  for (const { JobId, Part } of discountJobs(ledger, DiscountId)) {
    if (Part !== 'end') continue
    for (const { Id, Price } of bulkRows(ledger, JobId, ['ok'])) if (Id !== null && Price !== null) restored.set(Id, Price)
  }
  let known: PriceRows | undefined
  return (id) => {
    const price = items.get(id)?.normal ?? restored.get(id)
    if (price !== undefined) return price
    known ??= pricesAt(ledger, { profile, userId }, EndedAt === null ? ledger.clock.now() : Date.parse(EndedAt))
    const at = known.find(id)
    return at < 0 ? undefined : known.at(at).price
  }
}
