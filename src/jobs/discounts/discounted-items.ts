/** Items that are in a discount now: their normal price, what is live, and what a job is setting. */
import type { DiscountTerms } from '../../pricing/index.js'
import { IdColumn } from '../../rows/indexes.js'
import { IntColumn } from '../../rows/packed.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { type DiscountMembers, discountsWithItems, ROWS_AT_ONCE } from './items.js'

/** Prices in kronor. */
export interface DiscountedItem {
  /** What the end restores. */
  readonly normal: number
  /** What the discounts, or a job during them, set last. */
  readonly price: number
  /** What a job that is not settled sets; null where none does. */
  readonly sent: number | null
  readonly jobId: number | null
  /** ms since 1970: a price whose reply was lost may be carried out until then. */
  readonly sureAt: number | null
}

type StoredItem = [id: number, normal: number, price: number, sent: number | null, jobId: number | null, sureAt: number | null]

const OF_SHOP = 'profile = ? AND user_id = ?'

/** Whether any item of a shop is in a discount. */
export function hasDiscountedItems({ store }: Pick<Ledger, 'store'>, { profile, userId }: ShopKey): boolean {
  return store.first(`SELECT 1 FROM discount_prices WHERE ${OF_SHOP} LIMIT 1`, profile, userId ?? 0) !== undefined
}

/** All of them as they were when it was made: 20 bytes an item, and 8 for each discount that has it. */
export class DiscountedItems {
  readonly #ids = new IdColumn()
  readonly #normals = new IntColumn()
  readonly #prices = new IntColumn()
  /** 0 for none. */
  readonly #sent = new IntColumn()
  readonly #jobs = new IntColumn()
  /** Few replies are lost. */
  readonly #sureAt = new Map<number, number>()
  readonly #discounts: readonly DiscountMembers[]

  constructor(ledger: Pick<Ledger, 'store' | 'discounts'>, shop: ShopKey) {
    this.#discounts = discountsWithItems(ledger, shop, { of: ['running', 'ending'], items: ['on'] })
    const sql = `SELECT item_id, normal, price, sent, job_id, sure_at FROM discount_prices
      WHERE ${OF_SHOP} AND item_id > ? ORDER BY item_id LIMIT ${ROWS_AT_ONCE}`
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows: StoredItem[] = ledger.store.rows<StoredItem>(sql, shop.profile, shop.userId ?? 0, after)
      for (const row of rows) this.#add(...row)
      after = rows[ROWS_AT_ONCE - 1]?.[0]
    }
  }

  get size(): number {
    return this.#ids.length
  }

  /** The place of an item among them; -1 if it is in no discount. */
  find(id: number): number {
    return this.#ids.find(id)
  }

  get(id: number): DiscountedItem | undefined {
    const at = this.find(id)
    if (at < 0) return undefined
    const [normal, price] = [this.#normals.get(at), this.#prices.get(at)]
    return {
      normal,
      price,
      sent: this.#sent.get(at) || null,
      jobId: this.#jobs.get(at) || null,
      sureAt: this.#sureAt.get(at) ?? null,
    }
  }

  /** The discounts that have an item now, and what each does to it. */
  terms(id: number): { readonly discountId: number; readonly terms: DiscountTerms }[] {
    return this.#discounts.flatMap((members) => {
      const terms = members.terms(id)
      return terms === undefined ? [] : [{ discountId: members.discount.id, terms }]
    })
  }

  #add(...[id, normal, price, sent, jobId, sureAt]: StoredItem): void {
    const at = this.#ids.length
    this.#ids.add(id)
    this.#normals.push(normal)
    this.#prices.push(price)
    this.#sent.push(sent ?? 0)
    this.#jobs.push(jobId ?? 0)
    if (sureAt !== null) this.#sureAt.set(at, sureAt)
  }
}
