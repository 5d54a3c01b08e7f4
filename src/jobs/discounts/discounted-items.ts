/** Items that are in a discount now: their normal price, what is live, and what a job is setting. */
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { type DiscountMembers, discountsWithItems, ROWS_AT_ONCE } from './items.js'

/** Prices in kronor. */
export interface DiscountedItem {
  /** Price that the end restores. */
  readonly normal: number
  /** Price that the discounts, or a job during them, set last. */
  readonly price: number
  /** Price that a job which is not settled sets; null if there is none. */
  readonly sent: number | null
  readonly jobId: number | null
  /** ms since 1970: a price whose reply was lost may be carried out until then. */
  readonly sureAt: number | null
}

type StoredItem = [id: number, normal: number, price: number, sent: number | null, jobId: number | null, sureAt: number | null]

const OF_SHOP = 'profile = ? AND user_id = ?'

/** True if any item of a shop is in a discount. */
export function hasDiscountedItems({ store }: Pick<Ledger, 'store'>, { profile, userId }: ShopKey): boolean {
  return store.first(`SELECT 1 FROM discount_prices WHERE ${OF_SHOP} LIMIT 1`, profile, userId ?? 0) !== undefined
}

/** All of them as they were when it was made. */
export class DiscountedItems {
  readonly #items = new Map<number, DiscountedItem>()
  readonly #discounts: readonly DiscountMembers[]

  constructor(ledger: Pick<Ledger, 'store' | 'discounts'>, shop: ShopKey) {
    this.#discounts = discountsWithItems(ledger, shop, { of: ['running', 'ending'], items: ['on'] })
    const sql = `SELECT item_id, normal, price, sent, job_id, sure_at FROM discount_prices
      WHERE ${OF_SHOP} AND item_id > ? ORDER BY item_id LIMIT ${ROWS_AT_ONCE}`
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows: StoredItem[] = ledger.store.rows<StoredItem>(sql, shop.profile, shop.userId ?? 0, after)
      for (const [id, normal, price, sent, jobId, sureAt] of rows) this.#items.set(id, { normal, price, sent, jobId, sureAt })
      after = rows[ROWS_AT_ONCE - 1]?.[0]
    }
  }

  /** undefined if the item is in no discount. */
  get(id: number): DiscountedItem | undefined {
    return this.#items.get(id)
  }

  /** The discounts that have an item now. */
  having(id: number): readonly DiscountMembers[] {
    return this.#discounts.filter((members) => members.has(id))
  }
}
