/**
 * Brings the results of the jobs of sales into the sales: a price that was set counts as live from then on, one that failed does
 * not. It only reads the ledger, so it may run at any time and any number of times.
 */
import { MINUTE_MS } from '../../system/durations.js'
import { type BulkRow, bulkRows } from '../bulk/index.js'
import type { Ledger } from '../ledger/ledger.js'
import type { SaleShop, StoredSale } from '../ledger/sales.js'
import { setSaleItem } from './items.js'
import { type SalePriceRow, SalePrices } from './prices.js'

/** start and end: the jobs of a sale; change: a job that changed normal prices of items in a sale. */
export type SalePart = 'start' | 'end' | 'change'

/** After this, a price whose reply was lost is carried out or will not be, ms. Queued work takes the service minutes (docs/service.md, Waiting for results). */
const UNSURE_MS = 15 * MINUTE_MS
/** So many tries to restore a price (an hour apart at last) make a day: then it is given up and reported. */
const MOST_TRIES = 30

export interface SaleJob {
  readonly job_id: number
  readonly sale_id: number | null
  readonly part: SalePart
}

/** The jobs of a shop's sales whose rows are not all taken into the sales, the oldest first. @param saleId only of this sale */
export function unsettledJobs({ store }: Pick<Ledger, 'store'>, { profile, userId }: SaleShop, saleId?: number): SaleJob[] {
  return store.all<SaleJob>(
    `SELECT s.job_id, s.sale_id, s.part FROM sale_jobs s JOIN jobs j ON j.id = s.job_id
     WHERE s.settled = 0 AND j.profile = ?1 AND coalesce(j.user_id, 0) = ?2 AND (?3 IS NULL OR s.sale_id = ?3) ORDER BY s.job_id`,
    profile,
    userId ?? 0,
    saleId ?? null,
  )
}

/** Whether a job starts a sale. */
export function startsSale({ store }: Pick<Ledger, 'store'>, jobId: number): boolean {
  return store.first("SELECT 1 FROM sale_jobs WHERE job_id = ? AND part = 'start' LIMIT 1", jobId) !== undefined
}

/** Takes what is known of all jobs into the sales, in one transaction. */
export function settleSales(ledger: Ledger, shop: SaleShop): void {
  ledger.store.transaction(() => {
    for (const job of unsettledJobs(ledger, shop)) settleJob(ledger, shop, job)
  })
}

function settleJob(ledger: Ledger, shop: SaleShop, { job_id: jobId, sale_id: saleId, part }: SaleJob): void {
  const prices = new SalePrices(ledger, shop)
  const setting = prices.ofJob(jobId)
  const job = ledger.jobs.show(jobId)
  const cancelled = job.State === 'cancelled'
  const sale = saleId === null ? undefined : ledger.sales.stored(saleId)
  let open = 0
  for (const row of setting.size === 0 ? [] : bulkRows(ledger, jobId)) {
    const item = setting.get(row.Id ?? 0)
    if (item === undefined) continue
    switch (row.State) {
      case 'ok':
        prices.arrived(item)
        if (sale !== undefined && part === 'end') setSaleItem(ledger, sale.id, item.item_id, 'done')
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
        // Of an end the sale price is still live: sales:end tries again.
        if (sale !== undefined)
          setSaleItem(
            ledger,
            sale.id,
            item.item_id,
            part === 'end' ? 'failed' : 'held',
            dropReason(ledger, { sale, part, jobId }),
          )
        break
      default:
        prices.notSent(item.item_id)
        if (sale !== undefined) failItem(ledger, { sale, part, item, row })
    }
    // The normal price of one that could not be restored is kept: sales:end tries again.
    if (sale === undefined || part !== 'end' || !hasFailed(ledger, sale.id, item.item_id)) prices.leave(item.item_id)
  }
  if (open === 0) ledger.store.run('UPDATE sale_jobs SET settled = 1 WHERE job_id = ?', jobId)
}

function hasFailed({ store }: Ledger, saleId: number, itemId: number): boolean {
  const sql = "SELECT 1 FROM sale_items WHERE sale_id = ? AND item_id = ? AND state = 'failed' LIMIT 1"
  return store.first(sql, saleId, itemId) !== undefined
}

/** A row that a recheck held, or that the service failed. */
function failItem(
  ledger: Ledger,
  { sale, part, item, row }: { sale: StoredSale; part: SalePart; item: SalePriceRow; row: BulkRow },
): void {
  const reason = row.Reason ?? row.State
  if (row.State === 'held' || row.State === 'skipped') setSaleItem(ledger, sale.id, item.item_id, row.State, reason)
  else if (part === 'end') setSaleItem(ledger, sale.id, item.item_id, sale.tries >= MOST_TRIES ? 'failed' : 'on', reason)
  else setSaleItem(ledger, sale.id, item.item_id, row.State === 'retryable' ? 'planned' : 'failed', reason)
}

function dropReason({ clock }: Ledger, { sale, part, jobId }: { sale: StoredSale; part: SalePart; jobId: number }): string {
  return part === 'start' && sale.ends_at <= clock.now()
    ? 'the sale ended before this price was sent'
    : `job ${jobId} was dropped before this price was sent`
}
