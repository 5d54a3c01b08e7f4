/**
 * Prices that are set while items are in a discount. What a seller sets is the normal price: the plan compares it with the normal price, the discount price
 * that follows from it is sent, and the end of the discount restores it.
 */
import { type LiveItem, type LiveItems, lowestPrice } from '../../pricing/index.js'
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

export class PricesDuringDiscounts {
  /** Rows whose price is the discount price that is live now, and so stays as it is. */
  kept = 0
  readonly #ledger: Ledger
  readonly #shop: ShopKey
  readonly #items: DiscountedItems
  /** Items that were shown to the plan with their normal price. */
  readonly #shown = new Set<number>()
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
    return this.#shown.has(id)
  }

  /**
   * The live list with the normal price of each item in a discount. One whose live price is not that of its discount was changed by somebody else, and
   * is shown as it is.
   * @param wanted the price that a row asks for, kronor, so that one that asks for the live price changes nothing; undefined where it asks for none
   */
  async *normal(live: LiveItems, wanted: (item: LiveItem) => number | undefined = () => undefined): AsyncGenerator<LiveItem> {
    this.#shown.clear()
    this.kept = 0
    for await (const item of live) {
      const known = this.#items.get(item.Id)
      const price = item.BuyItNowPrice ?? 0
      if (known === undefined || (price !== known.price && price !== known.sent)) yield item
      else if (price !== known.normal && wanted(item) === price) {
        this.kept++
        yield item
      } else {
        this.#shown.add(item.Id)
        yield { ...item, BuyItNowPrice: known.normal }
      }
    }
  }

  /** The rows of a job: of an item in a discount the discount price is sent. */
  *sending(rows: Iterable<NewBulkRow>): Generator<NewBulkRow> {
    for (const row of rows) {
      const known = this.#items.get(row.id)
      const isSent = row.held == null && row.skipped == null && row.price !== undefined
      if (known === undefined || !isSent) {
        yield row
        continue
      }
      const to = row.price ?? 0
      const live = this.#shown.has(row.id) ? known.price : (row.oldPrice ?? known.price)
      const sent = lowestPrice(
        to,
        this.#items.terms(row.id).map(({ terms }) => terms),
      )
      this.#changes.push({ id: row.id, from: known.normal, to, live, sent })
      yield { ...row, price: sent, oldPrice: row.oldPrice == null ? null : live }
    }
  }

  /** Records which normal prices a job changes. Call it in the transaction that makes the job, once its rows are written. */
  record(jobId: number): void {
    if (this.#changes.length === 0) return
    this.#ledger.store.insert('discount_jobs', { job_id: jobId, discount_id: null, part: 'change' })
    const changes = new DiscountChanges(this.#ledger, this.#shop)
    for (const { id, from, to, live, sent } of this.#changes) {
      changes.add('change', jobId, id, from, to)
      changes.add('sending', id, live, sent, jobId)
      changes.endItem()
    }
    changes.write()
  }
}
