/** The prices and the numbers in stock of a shop at some time, as far as the ledger's jobs show. */
import { valueSetOf } from '../../contract/jobs.js'
import type { ExpectedValue } from '../../pricing/index.js'
import { PriceRows, RULE_FORM } from '../../rows/index.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { NO_DISCOUNT_JOB, type NormalChange, normalChangesReader } from './discount-jobs.js'
import { type PriceBatch, priceBatch } from './pack.js'
import { rowsOfBatch } from './show.js'
import { type BulkKind, ROW_STATES, valueSent } from './types.js'

/**
 * The batches with rows that were carried out, in the order in which they were sent; without their blobs, so that a long history
 * fits into memory. Batches that were sent before the ledger noted when are as old as their job.
 */
const ORDER = `SELECT s.job_id, s.batch, coalesce(s.sent_at, j.created_at) < ? AS before
  FROM jobs j JOIN bulk_states s ON s.job_id = j.id
  WHERE j.kind = ? AND j.profile = ? AND (j.user_id IS NULL OR ? IS NULL OR j.user_id = ?)
    AND j.id ${NO_DISCOUNT_JOB} AND s.ok > 0
  ORDER BY coalesce(s.sent_at, j.created_at), s.job_id, s.batch`
const OK = ROW_STATES.indexOf('ok')

interface BatchInOrder {
  readonly jobId: number
  readonly batch: number
  /** True if it was sent before the time. */
  readonly before: boolean
}

/** The batches of a kind, in the order in which they were sent. @param at ms since 1970 */
export function batchesInOrder(
  { store }: Pick<Ledger, 'store'>,
  kind: BulkKind,
  { profile, userId }: ShopKey,
  at: number,
): BatchInOrder[] {
  const order = store.all<{ job_id: number; batch: number; before: number }>(ORDER, at, kind, profile, userId, userId)
  return order.map(({ job_id: jobId, batch, before }) => ({ jobId, batch, before: before === 1 }))
}

/**
 * Finds the price of each item at a time: what the last row before it set, or what the first row after it found. Only rows that
 * were carried out count, from the moment when they were sent. If the first row after the time had not read the price
 * (--blind), the price is not known. Of an item in a discount the normal price counts, not the discount price.
 * @param at ms since 1970
 * @returns a row for each item whose price is known
 */
export function pricesAt(ledger: Pick<Ledger, 'store'>, { profile, userId }: ShopKey, at: number): PriceRows {
  /** Kronor; 0 if the price at the time cannot be known. */
  const prices = new Map<number, number>()
  const changesOf = normalChangesReader(ledger)
  for (const { jobId, batch, before } of batchesInOrder(ledger, 'price', { profile, userId }, at)) {
    const rows = priceBatch(ledger.store, jobId, batch)
    if (rows !== undefined) gather(prices, rows, { before, changes: changesOf(jobId) })
  }
  const priceRows = new PriceRows(RULE_FORM)
  for (const [id, price] of prices) if (price > 0) priceRows.add({ line: 0, id, price })
  return priceRows
}

function gather(
  pricesById: Map<number, number>,
  { ids, prices, olds, states }: PriceBatch,
  { before, changes }: { readonly before: boolean; readonly changes: ReadonlyMap<number, NormalChange> },
): void {
  for (const [at, state] of states.entries()) {
    if (state !== OK) continue
    const [id = 0, price = 0, old = 0] = [ids[at], prices[at], olds[at]]
    const { from, to } = changes.get(id) ?? { from: old, to: price }
    // The last row before the time counts, and of those after it the first: later ones found what that one had set.
    if (before) pricesById.set(id, to)
    else if (!pricesById.has(id)) pricesById.set(id, from)
  }
}

export interface NumbersAtTime {
  /** By item. */
  readonly numbers: ReadonlyMap<number, number>
  /** As the newest job set them. A number that is another one by now has been sold from, or was set elsewhere. */
  readonly expected: ReadonlyMap<number, ExpectedValue>
}

/**
 * Finds the number of each item that jobs have set after a time, as the first of them found it. An item whose number no job has
 * set since then is left out: sales alone have changed it.
 * @param at ms since 1970
 */
export function stockAt(ledger: Pick<Ledger, 'store'>, shop: ShopKey, at: number): NumbersAtTime {
  const set = valueSetOf('stock')
  const numbers = new Map<number, number>()
  const expected = new Map<number, ExpectedValue>()
  for (const { jobId, batch, before } of batchesInOrder(ledger, 'stock', shop, at)) {
    for (const { Id, Payload, OldPayload } of before ? [] : rowsOfBatch(ledger, { jobId, batch }, ['ok'])) {
      const [old, value] = [valueSent(OldPayload, set), valueSent(Payload, set)]
      if (Id === null || value === undefined) continue
      if (!expected.has(Id) && old !== undefined) numbers.set(Id, old)
      expected.set(Id, { value })
    }
  }
  return { numbers, expected }
}
