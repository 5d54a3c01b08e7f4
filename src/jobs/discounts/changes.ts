/** Writes what happens to items of discounts, thousands by one statement. */
import type { StoredHold } from '../../holds/index.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'

const OF_SHOP = 'profile = ?2 AND user_id = ?3'
const SHOP_DISCOUNTS = `SELECT id FROM discounts WHERE ${OF_SHOP}`
const IDS = 'item_id IN (SELECT value->>0 FROM json_each(?1))'
const valuesTable = (...columns: readonly string[]) =>
  `(SELECT ${columns.map((name, at) => `value->>${at} AS ${name}`).join(', ')} FROM json_each(?1)) AS given`
const itemsOf = (set: string, ...columns: readonly string[]) =>
  `UPDATE discount_items SET ${set} FROM ${valuesTable('of_discount', 'id', ...columns)} WHERE discount_id = of_discount AND item_id = id`

/**
 * The changes, in the order in which they are written, and the statement of each. `?1` has the values of the rows as JSON, `?2`
 * and `?3` are the shop.
 */
const STATEMENTS = {
  /** The price that a job was setting is live; a normal price that it changed counts from here on. */
  arrived: `UPDATE discount_prices SET price = sent, sent = NULL, sure_at = NULL, job_id = NULL,
       normal = coalesce((SELECT normal_to FROM discount_changes c WHERE c.job_id = discount_prices.job_id
         AND c.item_id = discount_prices.item_id), normal)
     WHERE ${OF_SHOP} AND sent IS NOT NULL AND ${IDS}`,
  /** The price that a job was setting will not come. */
  notSent: `UPDATE discount_prices SET sent = NULL, sure_at = NULL, job_id = NULL WHERE ${OF_SHOP} AND ${IDS}`,
  /**
   * The reply was lost and the job given up: it may come until then. In this order of the tables: SQLite would look at all rows
   * of the shop for each that is given.
   */
  unsure: `INSERT OR REPLACE INTO discount_prices (profile, user_id, item_id, normal, price, sent, job_id, sure_at)
     SELECT ?2, ?3, id, normal, price, sent, job_id, coalesce(sure_at, until) FROM ${valuesTable('id', 'until')}
     CROSS JOIN discount_prices WHERE ${OF_SHOP} AND item_id = id`,
  /** An item joins a discount with the prices that it was planned with, which are not written again: nearly all do. */
  join: itemsOf("state = 'on', reason = NULL"),
  /** It joins with other prices, those that it really has then. */
  joinMoved: itemsOf("state = 'on', before = normal, price = own, reason = note", 'normal', 'own', 'note'),
  /** The normal price of an item that joins its first discount, where no job sets its price. */
  normal: `INSERT INTO discount_prices (profile, user_id, item_id, normal, price)
     SELECT ?2, ?3, id, normal, normal FROM ${valuesTable('id', 'normal')} WHERE true ON CONFLICT DO NOTHING`,
  /** The reason of the state before is dropped unless one is given. */
  state: itemsOf('state = new, reason = why', 'new', 'why'),
  /** Why an item is as it is; its state stays. */
  note: itemsOf('reason = why', 'why'),
  /** Forgets items that no discount has any more. */
  leave: `DELETE FROM discount_prices WHERE ${OF_SHOP} AND sent IS NULL AND ${IDS} AND NOT EXISTS (SELECT 1 FROM discount_items i
       WHERE i.item_id = discount_prices.item_id AND i.state = 'on' AND i.discount_id IN (${SHOP_DISCOUNTS}))`,
  /** A job is setting a price; `live` is what is live before it. The normal price of an item that is in a discount stays. */
  sending: `INSERT INTO discount_prices (profile, user_id, item_id, normal, price, sent, job_id)
     SELECT ?2, ?3, id, normal, live, wanted, job FROM ${valuesTable('id', 'normal', 'live', 'wanted', 'job')} WHERE true
     ON CONFLICT DO UPDATE SET price = excluded.price, sent = excluded.sent, job_id = excluded.job_id, sure_at = NULL`,
  /** A job changes a normal price. */
  change: `INSERT INTO discount_changes (job_id, item_id, normal_from, normal_to)
     SELECT job, id, was, now FROM ${valuesTable('job', 'id', 'was', 'now')}`,
} as const

/** The values of a row of each change. Kronor, ms since 1970. */
interface Values {
  arrived: [id: number]
  notSent: [id: number]
  unsure: [id: number, until: number]
  join: [discountId: number, id: number]
  joinMoved: [discountId: number, id: number, normal: number, price: number, note: StoredHold | null]
  normal: [id: number, normal: number]
  state: [
    discountId: number,
    id: number,
    state: 'done' | 'held' | 'skipped' | 'failed' | 'planned' | 'on',
    why: StoredHold | null,
  ]
  note: [discountId: number, id: number, why: StoredHold]
  leave: [id: number]
  sending: [id: number, normal: number, live: number, wanted: number, jobId: number]
  change: [jobId: number, id: number, from: number, to: number]
}
type Change = keyof Values
const CHANGES = Object.keys(STATEMENTS) as Change[]

/** One change, with its values. */
export type DiscountChange = { [C in Change]: [change: C, ...values: Values[C]] }[Change]

/** Items whose changes are written in one transaction: some 50 ms, and other processes write between two. */
export const ITEMS_A_PIECE = 2500

export class DiscountChanges {
  readonly #store: Ledger['store']
  readonly #shop: readonly [profile: string, userId: number]
  readonly #rows = new Map<Change, unknown[][]>()
  #items = 0

  constructor({ store }: Pick<Ledger, 'store'>, { profile, userId }: ShopKey) {
    this.#store = store
    this.#shop = [profile, userId ?? 0]
  }

  add(...[change, ...values]: DiscountChange): void {
    const rows = this.#rows.get(change)
    if (rows === undefined) this.#rows.set(change, [values])
    else rows.push(values)
  }

  /** Says that all changes of an item are added. They are written with those of thousands, in a transaction of their own. */
  endItem(): void {
    if (++this.#items === ITEMS_A_PIECE) this.write()
  }

  /** Writes what was added, in one transaction. */
  write(): void {
    this.#items = 0
    if (this.#rows.size === 0) return
    this.#store.transaction(() => {
      for (const change of CHANGES) {
        const rows = this.#rows.get(change)
        if (rows === undefined) continue
        const json = JSON.stringify(rows)
        const sql: string = STATEMENTS[change]
        this.#store.run(sql, json, ...(sql.includes('?3') ? this.#shop : []))
      }
    })
    this.#rows.clear()
  }
}
