/** Ends a sale before its time, gives up one that has not begun, and lists the jobs of one. */
import type { Ledger } from '../ledger/ledger.js'
import type { SalePart } from './settle.js'

/** The end of a sale comes now; prices that failed at its end are tried again. Nothing is sent here. */
export function endSaleNow({ store, clock }: Ledger, saleId: number): void {
  const now = clock.now()
  store.transaction(() => {
    store.run(
      "UPDATE sale_items SET state = 'on' WHERE sale_id = ? AND state = 'failed' AND EXISTS (SELECT 1 FROM sales WHERE id = sale_id AND state = 'ended')",
      saleId,
    )
    store.run(
      `UPDATE sales SET ends_at = min(ends_at, ?1), next_at = ?1, tries = 0, state = CASE state WHEN 'ended' THEN 'ending' ELSE state END,
         ended_at = NULL WHERE id = ?2 AND state IN ('running', 'ending', 'ended')`,
      now,
      saleId,
    )
  })
}

/** Gives up a sale. @returns false where it has begun, or is over: then nothing is changed */
export function dropSale({ store, clock }: Ledger, saleId: number): boolean {
  const sql = "UPDATE sales SET state = 'dropped', next_at = NULL, ended_at = ? WHERE id = ? AND state = 'planned'"
  return store.run(sql, clock.now(), saleId).changes > 0
}

/** The jobs that started or ended a sale, the oldest first. */
export function saleJobs({ store }: Pick<Ledger, 'store'>, saleId: number): { JobId: number; Part: SalePart }[] {
  return store.all<{ JobId: number; Part: SalePart }>(
    'SELECT job_id AS JobId, part AS Part FROM sale_jobs WHERE sale_id = ? ORDER BY job_id',
    saleId,
  )
}
