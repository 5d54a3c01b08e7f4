/**
 * Writes a step into the ledger: its jobs with everything they will send, and what it means for the sales, in one transaction. Killed before,
 * nothing has happened; killed after, the jobs are there and are gone on with.
 */
import { MINUTE_MS } from '../../system/durations.js'
import { createBulkJob, priceJobRows } from '../bulk/index.js'
import type { Ledger } from '../ledger/ledger.js'
import type { SaleShop, StoredSale } from '../ledger/sales.js'
import { joinSale, noteSaleItem, setSaleItem, setSaleItems } from './items.js'
import { SalePrices } from './prices.js'
import { type SalePart, unsettledJobs } from './settle.js'
import { begins, type ItemChange, isMissed, jobTitle, type MissedStart, type SaleStep } from './turns.js'

/** What did not succeed is tried again after 1, 2, 4, … minutes, an hour at most. */
const FIRST_TRY_MS = MINUTE_MS
const LATEST_TRY_MS = 60 * MINUTE_MS

const NEVER_BEGAN = 'the sale ended before it began here: seller jobs:due did not run in its time'
const SKIPPED = 'the sale was to begin earlier, and the profile skips a start that was missed'
const TOO_LATE = 'the sale ended before this price could be sent'

/** A job that a step has made. */
export interface MadeJob {
  readonly jobId: number
  readonly sale: StoredSale
  readonly part: Exclude<SalePart, 'change'>
}

/**
 * Marks the sales whose start was missed for good, and those whose time is up. Call it in front of a step.
 * @returns those that were missed, and the ids of those that end now
 */
export function turnSales(
  ledger: Ledger,
  due: readonly StoredSale[],
  setting: MissedStart,
): { missed: StoredSale[]; ending: ReadonlySet<number> } {
  const { store, clock } = ledger
  const now = clock.now()
  const missed = due.filter((sale) => isMissed(sale, now, setting))
  const ending = due.filter((sale) => sale.state === 'running' && now >= sale.ends_at)
  store.transaction(() => {
    for (const sale of missed) {
      setSaleItems(ledger, sale.id, 'planned', 'held', now >= sale.ends_at ? NEVER_BEGAN : SKIPPED)
      store.run("UPDATE sales SET state = 'missed', ended_at = ?, next_at = NULL WHERE id = ?", now, sale.id)
    }
    for (const sale of ending) {
      setSaleItems(ledger, sale.id, 'planned', 'held', TOO_LATE)
      store.run("UPDATE sales SET state = 'ending', tries = 0 WHERE id = ?", sale.id)
    }
  })
  return { missed, ending: new Set(ending.map(({ id }) => id)) }
}

/** Writes a step. @returns the jobs to be run, in that order */
export function applyStep(
  ledger: Ledger,
  { shop, due, step }: { readonly shop: SaleShop; readonly due: readonly StoredSale[]; readonly step: SaleStep },
): MadeJob[] {
  const prices = new SalePrices(ledger, shop)
  const now = ledger.clock.now()
  return ledger.store.transaction(() => {
    // Given up since the step was planned.
    const dropped = new Set(due.flatMap(({ id }) => (ledger.sales.stored(id).state === 'dropped' ? [id] : [])))
    for (const sale of due) {
      if (dropped.has(sale.id) || !begins(sale, now)) continue
      ledger.store.run("UPDATE sales SET state = 'running', started_at = coalesce(started_at, ?) WHERE id = ?", now, sale.id)
    }
    for (const change of step.changes) {
      if (!('saleId' in change) || !dropped.has(change.saleId)) applyChange(ledger, prices, change)
    }
    const made: MadeJob[] = []
    for (const { sale, part, plan, sending } of step.jobs) {
      if (dropped.has(sale.id)) continue
      const { JobId: jobId } = createBulkJob(ledger, {
        kind: 'price',
        profile: shop.profile,
        userId: shop.userId,
        title: jobTitle({ sale, part }),
        form: plan.form,
        rows: priceJobRows(plan),
        distinct: true,
      })
      ledger.store.run('INSERT INTO sale_jobs (job_id, sale_id, part) VALUES (?, ?, ?)', jobId, sale.id, part)
      for (const { id, price, live } of sending) prices.sending(id, { live, sent: price, jobId })
      made.push({ jobId, sale, part })
    }
    return made
  })
}

function applyChange(ledger: Ledger, prices: SalePrices, change: ItemChange): void {
  switch (change.kind) {
    case 'join':
      prices.add(change.id, change.normal)
      joinSale(ledger, change.saleId, change.id, { before: change.normal, price: change.price, reason: change.note })
      return
    case 'arrived':
      prices.arrived(change.row)
      return
    case 'not sent':
      prices.notSent(change.id)
      return
    case 'note':
      noteSaleItem(ledger, change.saleId, change.id, change.reason)
      return
    default:
      setSaleItem(ledger, change.saleId, change.id, change.state, change.reason)
      prices.leave(change.id)
  }
}

/**
 * Says of each sale when there is something to do for it next, and ends those of which nothing is left. Call it when the jobs of a step are over,
 * or have stopped.
 */
export function scheduleSales(ledger: Ledger, shop: SaleShop, due: readonly StoredSale[]): void {
  const now = ledger.clock.now()
  ledger.store.transaction(() => {
    for (const { id } of due) {
      const sale = ledger.sales.stored(id)
      if (sale.state !== 'running' && sale.state !== 'ending') continue
      const { planned, on } = ledger.sales.show(id).Counts
      const left = unsettledJobs(ledger, shop, id).length + (sale.state === 'running' ? planned : on)
      if (left === 0 && sale.state === 'ending') {
        ledger.store.run("UPDATE sales SET state = 'ended', ended_at = ?, next_at = NULL, tries = 0 WHERE id = ?", now, id)
        continue
      }
      const again = now + Math.min(LATEST_TRY_MS, FIRST_TRY_MS * 2 ** Math.min(sale.tries, 10))
      const next = sale.state === 'ending' ? again : left === 0 ? sale.ends_at : Math.min(sale.ends_at, again)
      // A start that is still on its way when the sale ends starts counting again there.
      const tries = left === 0 || next === sale.ends_at ? 0 : sale.tries + 1
      ledger.store.run('UPDATE sales SET next_at = ?, tries = ? WHERE id = ?', next, tries, id)
    }
  })
}
