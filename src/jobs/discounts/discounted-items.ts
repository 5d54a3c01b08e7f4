/** Items that are in a discount now: their normal price, what is live, and what a job is setting. */
import type { DiscountTerms } from '../../pricing/index.js'
import type { DiscountShop } from '../ledger/discounts.js'
import type { Ledger } from '../ledger/ledger.js'
import { termsOf } from './terms.js'

/** Prices in kronor. */
export interface DiscountPriceRow {
  readonly item_id: number
  /** What the end restores. */
  readonly normal: number
  /** What the discounts, or a job during them, set last. */
  readonly price: number
  /** What a job that is not settled sets; null where none does. */
  readonly sent: number | null
  readonly job_id: number | null
  /** ms since 1970: a price whose reply was lost may be carried out until then. */
  readonly sure_at: number | null
}

const COLUMNS = 'item_id, normal, price, sent, job_id, sure_at'
const OF_SHOP = 'profile = ? AND user_id = ?'
const SHOP_DISCOUNTS = `discount_id IN (SELECT id FROM discounts WHERE ${OF_SHOP})`

/** The table of items in a discount, of one shop. */
export class DiscountPrices {
  readonly #store: Ledger['store']
  readonly #shop: readonly [profile: string, userId: number]

  constructor({ store }: Pick<Ledger, 'store'>, { profile, userId }: DiscountShop) {
    this.#store = store
    this.#shop = [profile, userId ?? 0]
  }

  /** All of them by item. */
  all(): Map<number, DiscountPriceRow> {
    const rows = this.#store.all<DiscountPriceRow>(`SELECT ${COLUMNS} FROM discount_prices WHERE ${OF_SHOP}`, ...this.#shop)
    return new Map(rows.map((row) => [row.item_id, row]))
  }

  /** Those that a job is setting. */
  ofJob(jobId: number): Map<number, DiscountPriceRow> {
    const rows = this.#store.all<DiscountPriceRow>(
      `SELECT ${COLUMNS} FROM discount_prices WHERE ${OF_SHOP} AND job_id = ?`,
      ...this.#shop,
      jobId,
    )
    return new Map(rows.map((row) => [row.item_id, row]))
  }

  /** An item joins its first discount. Kronor. */
  add(id: number, normal: number): void {
    this.#store.run(
      `INSERT INTO discount_prices (profile, user_id, item_id, normal, price) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (profile, user_id, item_id) DO NOTHING`,
      ...this.#shop,
      id,
      normal,
      normal,
    )
  }

  /** A job is setting a price. @param live kronor, what is live before it */
  sending(id: number, { live, sent, jobId }: { live: number; sent: number; jobId: number }): void {
    this.#set(id, 'price = ?, sent = ?, job_id = ?, sure_at = NULL', live, sent, jobId)
  }

  /** What a job was setting is live; a normal price that it changed counts from here on. */
  arrived({ item_id: id, job_id: jobId, sent }: DiscountPriceRow): void {
    if (sent === null) return
    this.#set(
      id,
      `price = ?, sent = NULL, sure_at = NULL, job_id = NULL,
       normal = coalesce((SELECT normal_to FROM discount_changes c WHERE c.job_id = ? AND c.item_id = discount_prices.item_id), normal)`,
      sent,
      jobId,
    )
  }

  /** What a job was setting will not come. */
  notSent(id: number): void {
    this.#set(id, 'sent = NULL, sure_at = NULL, job_id = NULL')
  }

  /** The reply was lost and the job given up: it may come until then. @param sureAt ms since 1970 */
  unsure(id: number, sureAt: number): void {
    this.#set(id, 'sure_at = coalesce(sure_at, ?)', sureAt)
  }

  /** Whether some discount has the item now. */
  isOn(id: number): boolean {
    return (
      this.#store.first(
        `SELECT 1 FROM discount_items WHERE item_id = ? AND state = 'on' AND ${SHOP_DISCOUNTS} LIMIT 1`,
        id,
        ...this.#shop,
      ) !== undefined
    )
  }

  /** Forgets an item that no discount has any more. */
  leave(id: number): void {
    if (this.isOn(id)) return
    this.#store.run(`DELETE FROM discount_prices WHERE ${OF_SHOP} AND item_id = ? AND sent IS NULL`, ...this.#shop, id)
  }

  /** The discounts that have each item now, by item. */
  terms(): Map<number, { discountId: number; terms: DiscountTerms }[]> {
    const rows = this.#store.all<{ item_id: number; discount_id: number; price: number; rule: string | null }>(
      `SELECT i.item_id, i.discount_id, i.price, s.rule FROM discount_items i JOIN discounts s ON s.id = i.discount_id
       WHERE i.state = 'on' AND s.profile = ? AND s.user_id = ? AND i.item_id > 0 ORDER BY i.discount_id`,
      ...this.#shop,
    )
    const found = new Map<number, { discountId: number; terms: DiscountTerms }[]>()
    for (const { item_id: id, discount_id: discountId, price, rule } of rows) {
      const entry = { discountId, terms: termsOf(rule, price) }
      const others = found.get(id)
      if (others === undefined) found.set(id, [entry])
      else others.push(entry)
    }
    return found
  }

  /** Whether any item of the shop is in a discount. */
  any(): boolean {
    return this.#store.first(`SELECT 1 FROM discount_prices WHERE ${OF_SHOP} LIMIT 1`, ...this.#shop) !== undefined
  }

  #set(id: number, set: string, ...values: readonly (number | null)[]): void {
    this.#store.run(`UPDATE discount_prices SET ${set} WHERE ${OF_SHOP} AND item_id = ?`, ...values, ...this.#shop, id)
  }
}
