/**
 * Prices that are set while items are in a sale. What a seller sets is the normal price: the plan compares it with the normal price, the sale price
 * that follows from it is sent, and the end of the sale restores it.
 */
import { type LiveItem, type LiveItems, lowestPrice } from '../../pricing/index.js'
import type { NewBulkRow } from '../bulk/index.js'
import type { Ledger } from '../ledger/ledger.js'
import type { SaleShop } from '../ledger/sales.js'
import { type SalePriceRow, SalePrices } from './prices.js'
import { settleSales } from './settle.js'

interface Change {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly live: number
  readonly sent: number
}

export class PricesDuringSales {
  /** Rows whose price is the sale price that is live now, and so stays as it is. */
  kept = 0
  readonly #ledger: Ledger
  readonly #prices: SalePrices
  readonly #rows: ReadonlyMap<number, SalePriceRow>
  readonly #terms: ReturnType<SalePrices['terms']>
  /** Items that were shown to the plan with their normal price. */
  readonly #shown = new Set<number>()
  #changes: Change[] = []

  /** Use PricesDuringSales.of, which settles first. */
  constructor(ledger: Ledger, prices: SalePrices) {
    this.#ledger = ledger
    this.#prices = prices
    this.#rows = prices.all()
    this.#terms = prices.terms()
  }

  /** @returns undefined where no item of the shop is in a sale */
  static of(ledger: Ledger, shop: SaleShop): PricesDuringSales | undefined {
    const prices = new SalePrices(ledger, shop)
    if (!prices.any()) return undefined
    settleSales(ledger, shop)
    return prices.any() ? new PricesDuringSales(ledger, prices) : undefined
  }

  /** Whether an item is in a sale. */
  has(id: number): boolean {
    return this.#rows.has(id)
  }

  /**
   * The live list with the normal price of each item in a sale. One whose live price is not that of its sale was changed by somebody else, and
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

  /** The rows of a job: of an item in a sale the sale price is sent. */
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
    store.run("INSERT INTO sale_jobs (job_id, sale_id, part) VALUES (?, NULL, 'change')", jobId)
    for (const { id, from, to, live, sent } of this.#changes) {
      store.run('INSERT INTO sale_changes (job_id, item_id, normal_from, normal_to) VALUES (?, ?, ?, ?)', jobId, id, from, to)
      this.#prices.sending(id, { live, sent, jobId })
    }
  }
}
