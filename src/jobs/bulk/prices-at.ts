/** The prices of a shop at some time, as far as the ledger's jobs show. */
import { PriceRows } from '../../rows/index.js'
import { IdColumn, IntColumn } from '../../rows/packed.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { NO_DISCOUNT_JOB, type NormalChange, normalChangesOf } from './discount-jobs.js'
import { type PriceBatch, priceBatch } from './pack.js'
import { ROW_STATES } from './types.js'

/**
 * The batches with rows that were carried out, in the order in which they were sent; without their blobs, so that a long history fits into memory.
 * Batches that were sent before the ledger noted when are as old as their job.
 */
const ORDER = `SELECT s.job_id, s.batch, coalesce(s.sent_at, j.created_at) < ? AS before
  FROM jobs j JOIN bulk_states s ON s.job_id = j.id
  WHERE j.kind = 'price' AND j.profile = ? AND (j.user_id IS NULL OR ? IS NULL OR j.user_id = ?)
    AND j.id ${NO_DISCOUNT_JOB} AND s.ok > 0
  ORDER BY coalesce(s.sent_at, j.created_at), s.job_id, s.batch`
const OK = ROW_STATES.indexOf('ok')

/**
 * Finds the price of each item at a time: what the last row before it set, or what the first row after it found. Only rows that
 * were carried out count, from the moment when they were sent. If the first row after the time had not read the price
 * (--blind), the price is not known. Of an item in a discount the normal price counts, not the discount price.
 * @param at ms since 1970
 * @returns a row for each item whose price is known
 */
export function pricesAt(ledger: Pick<Ledger, 'store'>, { profile, userId }: ShopKey, at: number): PriceRows {
  const found = new FoundPrices()
  const changesOf = normalChangesOf(ledger)
  const order = ledger.store.all<{ job_id: number; batch: number; before: number }>(ORDER, at, profile, userId, userId)
  for (const { job_id: jobId, batch, before } of order) {
    const rows = priceBatch(ledger.store, jobId, batch)
    if (rows !== undefined) gather(found, rows, { before: before === 1, changes: changesOf(jobId) })
  }
  return found.rows()
}

function gather(
  found: FoundPrices,
  { ids, prices, olds, states }: PriceBatch,
  { before, changes }: { readonly before: boolean; readonly changes: ReadonlyMap<number, NormalChange> },
): void {
  for (const [at, state] of states.entries()) {
    if (state !== OK) continue
    const [id = 0, price = 0, old = 0] = [ids[at], prices[at], olds[at]]
    const { from, to } = changes.get(id) ?? { from: old, to: price }
    if (before) found.set(id, to)
    else found.firstAfter(id, from)
  }
}

/** Takes 8 bytes per item, and 8 for the index. */
class FoundPrices {
  readonly #ids = new IdColumn()
  /** Kronor; 0 if the price at the time cannot be known. */
  readonly #prices = new IntColumn()

  /** Notes a price that was set before the time. The last one counts. */
  set(id: number, price: number): void {
    const at = this.#ids.add(id)
    if (at >= 0) this.#prices.set(at, price)
    else this.#prices.push(price)
  }

  /** Notes the price that a row after the time found. Later rows found what that row had set. */
  firstAfter(id: number, old: number): void {
    if (this.#ids.add(id) < 0) this.#prices.push(old)
  }

  rows(): PriceRows {
    const rows = new PriceRows({ kind: 'rule', columns: ['Id', 'Price'] })
    for (let at = 0; at < this.#ids.length; at++) {
      const price = this.#prices.get(at)
      if (price > 0) rows.add({ line: 0, id: this.#ids.get(at), price })
    }
    return rows
  }
}
