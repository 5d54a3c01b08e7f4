/**
 * Prices that are set while items are in a discount. What a seller sets is the normal price: the plan compares it with the normal
 * price, the discount price that follows from it is sent, and the end of the discount restores it.
 */

import { held } from '../../holds/index.js'
import { type LiveItem, type LiveItems, lowestPrice } from '../../pricing/index.js'
import { MINUTE_MS } from '../../system/durations.js'
import type { NewBulkRow } from '../bulk/index.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { DiscountChanges } from './changes.js'
import { DiscountedItems, hasDiscountedItems } from './discounted-items.js'
import { takeInResults } from './results.js'

/** A normal price that a job changes, and the discount price that it sends. Kronor. */
interface PriceChange {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly live: number
  readonly sent: number
}

/** A step that begins a discount is written within this time after its beginning, ms. */
const STEP_MS = 10 * MINUTE_MS

/**
 * The rows of a job that sets prices, in the transaction that writes it: of an item that a discount has taken in since the prices
 * were read, the price would end that discount for it. Such a row is held.
 * @param readAt when the prices began to be read, ms since 1970
 */
export function* heldInNewDiscounts(
  rows: Iterable<NewBulkRow>,
  options: { ledger: Ledger; shop: ShopKey; readAt: number; during: PricesDuringDiscounts | undefined },
): Generator<NewBulkRow> {
  const { ledger, shop, readAt, during } = options
  const sql = 'SELECT coalesce(max(started_at), 0) FROM discounts WHERE profile = ? AND user_id = ?'
  const isNew = ledger.store.number(sql, shop.profile, shop.userId ?? 0) > readAt - STEP_MS
  const items = isNew ? new DiscountedItems(ledger, shop) : undefined
  for (const row of rows) {
    const item = row.held == null && row.skipped == null && during?.has(row.id) !== true ? items?.get(row.id) : undefined
    if (item === undefined) yield row
    else yield { ...row, held: held('moved', { Live: item.sent ?? item.price, Expected: row.oldPrice ?? 0, Discount: null }) }
  }
}

export class PricesDuringDiscounts {
  /** Rows whose price is the discount price that is live now, and so stays as it is. */
  kept = 0
  readonly #ledger: Ledger
  readonly #shop: ShopKey
  readonly #items: DiscountedItems
  /** Items that were shown to the plan with their normal price. */
  readonly #shownIds = new Set<number>()
  readonly #changes: PriceChange[] = []

  /** Use PricesDuringDiscounts.of, which takes in results first. */
  constructor(ledger: Ledger, shop: ShopKey) {
    this.#ledger = ledger
    this.#shop = shop
    this.#items = new DiscountedItems(ledger, shop)
  }

  /** @returns undefined where no item of the shop is in a discount */
  static of(ledger: Ledger, shop: ShopKey): PricesDuringDiscounts | undefined {
    if (!hasDiscountedItems(ledger, shop)) return undefined
    takeInResults(ledger, shop)
    return hasDiscountedItems(ledger, shop) ? new PricesDuringDiscounts(ledger, shop) : undefined
  }

  /** True if an item is in a discount. */
  has(id: number): boolean {
    return this.#items.get(id) !== undefined
  }

  /** True if an item came out of `normal` with its normal price. */
  showsNormal(id: number): boolean {
    return this.#shownIds.has(id)
  }

  /**
   * The live list with the normal price of each item in a discount. One whose live price is not that of its discount was changed
   * by somebody else, and is shown as it is.
   * @param wanted the price that a row asks for, kronor, so that one that asks for the live price changes nothing; undefined
   * where it asks for none
   */
  async *normal(
    live: LiveItems,
    wantedPrice: (item: LiveItem) => number | undefined = () => undefined,
  ): AsyncGenerator<LiveItem> {
    this.#shownIds.clear()
    this.kept = 0
    for await (const item of live) {
      const knownItem = this.#items.get(item.Id)
      const price = item.BuyItNowPrice ?? 0
      if (knownItem === undefined || (price !== knownItem.price && price !== knownItem.sent)) yield item
      else if (price !== knownItem.normal && wantedPrice(item) === price) {
        this.kept++
        yield item
      } else {
        this.#shownIds.add(item.Id)
        yield { ...item, BuyItNowPrice: knownItem.normal }
      }
    }
  }

  /** The rows of a job: of an item in a discount the discount price is sent. */
  *sending(rows: Iterable<NewBulkRow>): Generator<NewBulkRow> {
    for (const row of rows) {
      const knownItem = this.#items.get(row.id)
      const isSent = row.held == null && row.skipped == null && row.price !== undefined
      if (knownItem === undefined || !isSent) {
        yield row
        continue
      }
      const to = row.price ?? 0
      const live = this.#shownIds.has(row.id) ? knownItem.price : (row.oldPrice ?? knownItem.price)
      const sentPrice = lowestPrice(
        to,
        this.#items.having(row.id).flatMap((members) => members.terms(row.id) ?? []),
      )
      this.#changes.push({ id: row.id, from: knownItem.normal, to, live, sent: sentPrice })
      yield { ...row, price: sentPrice, oldPrice: row.oldPrice == null ? null : live }
    }
  }

  /** Records which normal prices a job changes. Call it in the transaction that makes the job, once its rows are written. */
  record(jobId: number): void {
    if (this.#changes.length === 0) return
    this.#ledger.store.insert('discount_jobs', { job_id: jobId, discount_id: null, part: 'change' })
    const changes = new DiscountChanges(this.#ledger, this.#shop)
    for (const { id, from, to, live, sent } of this.#changes) {
      changes.add('change', jobId, id, from, to)
      changes.add('sending', id, from, live, sent, jobId)
      changes.endItem()
    }
    changes.write()
  }
}
