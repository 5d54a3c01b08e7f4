/**
 * Prices that are set while items are in a discount. What a seller sets is the normal price: the plan compares it with the normal price, the discount price
 * that follows from it is sent, and the end of the discount restores it.
 */
import { type LiveItem, type LiveItems, lowestPrice } from '../../pricing/index.js'
import { IntColumn } from '../../rows/index.js'
import type { NewBulkRow } from '../bulk/index.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { DiscountChanges } from './changes.js'
import { DiscountedItems, hasDiscountedItems } from './discounted-items.js'
import { takeInResults } from './results.js'

export class PricesDuringDiscounts {
  /** Rows whose price is the discount price that is live now, and so stays as it is. */
  kept = 0
  readonly #ledger: Ledger
  readonly #shop: ShopKey
  readonly #items: DiscountedItems
  /** Items that were shown to the plan with their normal price, by their place. */
  readonly #shown: Uint8Array
  /** What a job changes. Kronor. */
  #changes = { id: new IntColumn(), from: new IntColumn(), to: new IntColumn(), live: new IntColumn(), sent: new IntColumn() }

  /** Use PricesDuringDiscounts.of, which takes in results first. */
  constructor(ledger: Ledger, shop: ShopKey) {
    this.#ledger = ledger
    this.#shop = shop
    this.#items = new DiscountedItems(ledger, shop)
    this.#shown = new Uint8Array(this.#items.size)
  }

  /** @returns undefined where no item of the shop is in a discount */
  static of(ledger: Ledger, shop: ShopKey): PricesDuringDiscounts | undefined {
    if (!hasDiscountedItems(ledger, shop)) return undefined
    takeInResults(ledger, shop)
    return hasDiscountedItems(ledger, shop) ? new PricesDuringDiscounts(ledger, shop) : undefined
  }

  /** Whether an item is in a discount. */
  has(id: number): boolean {
    return this.#items.find(id) >= 0
  }

  /**
   * The live list with the normal price of each item in a discount. One whose live price is not that of its discount was changed by somebody else, and
   * is shown as it is.
   * @param wanted the price that a row asks for, kronor, so that one that asks for the live price changes nothing; undefined where it asks for none
   */
  async *normal(live: LiveItems, wanted: (item: LiveItem) => number | undefined = () => undefined): AsyncGenerator<LiveItem> {
    this.#shown.fill(0)
    this.kept = 0
    for await (const item of live) {
      const known = this.#items.get(item.Id)
      const price = item.BuyItNowPrice ?? 0
      if (known === undefined || (price !== known.price && price !== known.sent)) yield item
      else if (price !== known.normal && wanted(item) === price) {
        this.kept++
        yield item
      } else {
        this.#shown[this.#items.find(item.Id)] = 1
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
      const live = this.#shown[this.#items.find(row.id)] === 1 ? known.price : (row.oldPrice ?? known.price)
      const sent = lowestPrice(
        to,
        this.#items.terms(row.id).map(({ terms }) => terms),
      )
      const { id, from, ...changes } = this.#changes
      id.push(row.id)
      from.push(known.normal)
      changes.to.push(to)
      changes.live.push(live)
      changes.sent.push(sent)
      yield { ...row, price: sent, oldPrice: row.oldPrice == null ? null : live }
    }
  }

  /** Records which normal prices a job changes. Call it in the transaction that makes the job, once its rows are written. */
  record(jobId: number): void {
    const { id, from, to, live, sent } = this.#changes
    if (id.length === 0) return
    this.#ledger.store.insert('discount_jobs', { job_id: jobId, discount_id: null, part: 'change' })
    const changes = new DiscountChanges(this.#ledger, this.#shop)
    for (let at = 0; at < id.length; at++) {
      changes.add('change', jobId, id.get(at), from.get(at), to.get(at))
      changes.add('sending', id.get(at), live.get(at), sent.get(at), jobId)
      changes.endItem()
    }
    changes.write()
  }
}
