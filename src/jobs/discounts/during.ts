/**
 * Prices that are set while items are in a discount. What a seller sets is the normal price: the plan compares it with the normal price, the discount price
 * that follows from it is sent, and the end of the discount restores it.
 */
import { type LiveItem, type LiveItems, lowestPrice } from '../../pricing/index.js'
import type { NewBulkRow } from '../bulk/index.js'
import type { DiscountShop } from '../ledger/discounts.js'
import type { Ledger } from '../ledger/ledger.js'
import { type DiscountPriceRow, DiscountPrices } from './discounted-items.js'
import { settleDiscounts } from './settle.js'

interface Change {
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
  readonly #prices: DiscountPrices
  readonly #rows: ReadonlyMap<number, DiscountPriceRow>
  readonly #terms: ReturnType<DiscountPrices['terms']>
  /** Items that were shown to the plan with their normal price. */
  readonly #shown = new Set<number>()
  #changes: Change[] = []

  /** Use PricesDuringDiscounts.of, which settles first. */
  constructor(ledger: Ledger, prices: DiscountPrices) {
    this.#ledger = ledger
    this.#prices = prices
    this.#rows = prices.all()
    this.#terms = prices.terms()
  }

  /** @returns undefined where no item of the shop is in a discount */
  static of(ledger: Ledger, shop: DiscountShop): PricesDuringDiscounts | undefined {
    const prices = new DiscountPrices(ledger, shop)
    if (!prices.any()) return undefined
    settleDiscounts(ledger, shop)
    return prices.any() ? new PricesDuringDiscounts(ledger, prices) : undefined
  }

  /** Whether an item is in a discount. */
  has(id: number): boolean {
    return this.#rows.has(id)
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
      const row = this.#rows.get(item.Id)
      const price = item.BuyItNowPrice ?? 0
      if (row === undefined || (price !== row.price && price !== row.sent)) yield item
      else if (price !== row.normal && wanted(item) === price) {
        this.kept++
        yield item
      } else {
        this.#shown.add(item.Id)
        yield { ...item, BuyItNowPrice: row.normal }
      }
    }
  }

  /** The rows of a job: of an item in a discount the discount price is sent. */
  *sending(rows: Iterable<NewBulkRow>): Generator<NewBulkRow> {
    this.#changes = []
    for (const row of rows) {
      const known = this.#rows.get(row.id)
      const isSent = row.held == null && row.skipped == null && row.price !== undefined
      if (known === undefined || !isSent) {
        yield row
        continue
      }
      const to = row.price ?? 0
      const live = this.#shown.has(row.id) ? known.price : (row.oldPrice ?? known.price)
      const sent = lowestPrice(
        to,
        (this.#terms.get(row.id) ?? []).map(({ terms }) => terms),
      )
      this.#changes.push({ id: row.id, from: known.normal, to, live, sent })
      yield { ...row, price: sent, oldPrice: row.oldPrice == null ? null : live }
    }
  }

  /** Records which normal prices a job changes. Call it in the transaction that makes the job, once its rows are written. */
  record(jobId: number): void {
    const { store } = this.#ledger
    if (this.#changes.length === 0) return
    store.run("INSERT INTO discount_jobs (job_id, discount_id, part) VALUES (?, NULL, 'change')", jobId)
    for (const { id, from, to, live, sent } of this.#changes) {
      store.run('INSERT INTO discount_changes (job_id, item_id, normal_from, normal_to) VALUES (?, ?, ?, ?)', jobId, id, from, to)
      this.#prices.sending(id, { live, sent, jobId })
    }
  }
}
