/** The items of a discount, and how far each has come. */
import type { DiscountItemState, DiscountState } from '../../contract/index.js'
import { without } from '../../contract/without.js'
import { type Hold, unpackHold } from '../../holds/index.js'
import type { DiscountTerms } from '../../pricing/index.js'
import type { StoredDiscount } from '../ledger/discounts.js'
import type { ShopKey } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { readTerms } from './terms.js'

/** Prices in kronor. */
export interface DiscountItemRow {
  readonly item_id: number
  readonly line: number
  readonly own_reference: string | null
  readonly title: string | null
  readonly before: number | null
  readonly price: number
  readonly allow: number
  readonly state: DiscountItemState
  /** Why it is as it is, where there is more to say. */
  readonly hold: Hold | null
}

type Stored = Pick<Ledger, 'store'>

/** Rows that are read by one statement: a discount over a shop is never in memory as objects. */
export const ROWS_AT_ONCE = 500

/** After so many tries (half an hour) the live list is asked what became of a price whose result does not come. */
const LOOK_AFTER_TRIES = 5

/** Part of an item that decides what becomes of it. */
export type DiscountItemPrices = Pick<DiscountItemRow, 'item_id' | 'line' | 'before' | 'price' | 'allow'>

/** Items of a discount in the order of the input, all or those in a state. They may be changed while they are read. */
export function* discountItems(ledger: Stored, discountId: number, state?: DiscountItemState): Generator<DiscountItemRow> {
  type Row = Omit<DiscountItemRow, 'hold'> & { readonly reason: string | null }
  const columns = 'item_id, line, own_reference, title, before, price, allow, state, reason'
  for (const row of itemsBy<Row>(ledger, columns, discountId, state))
    yield Object.assign(without(row, 'reason'), { hold: row.reason === null ? null : unpackHold(row.reason) })
}

/** The same with their prices alone. A step reads a whole shop twice: titles and reasons took twice the time. */
export function discountItemPrices(ledger: Stored, discountId: number, state: DiscountItemState): Generator<DiscountItemPrices> {
  return itemsBy<DiscountItemPrices>(ledger, 'item_id, line, before, price, allow', discountId, state)
}

function* itemsBy<R extends Pick<DiscountItemRow, 'item_id' | 'line'>>(
  { store }: Stored,
  columns: string,
  discountId: number,
  state: DiscountItemState | undefined,
): Generator<R> {
  for (let [line, item] = [-1, 0]; ; ) {
    const rows = store.all<R>(
      `SELECT ${columns} FROM discount_items
       WHERE discount_id = ? AND (line, item_id) > (?, ?) ${state === undefined ? '' : `AND state = '${state}'`}
       ORDER BY line, item_id LIMIT ${ROWS_AT_ONCE}`,
      discountId,
      line,
      item,
    )
    yield* rows
    const last = rows[ROWS_AT_ONCE - 1]
    if (last === undefined) return
    ;({ line, item_id: item } = last)
  }
}

/**
 * Number of items of a discount that a step may move now: those that wait to join it, or to leave it when its time is up. Those
 * that a job is setting are waited for, and looked at in the live list only when the result has not come for a while.
 */
export function movableItems({ store }: Stored, shop: ShopKey, discount: StoredDiscount, now: number): number {
  const of = (sql: string, ...values: readonly (string | number | boolean)[]) =>
    store.number(`SELECT count(*) FROM discount_items i ${sql}`, ...values)
  if (now < discount.ends_at) return of("WHERE discount_id = ? AND state = 'planned'", discount.id)
  return of(
    `LEFT JOIN discount_prices p ON p.profile = ? AND p.user_id = ? AND p.item_id = i.item_id
     WHERE i.discount_id = ? AND (i.state = 'planned' OR (i.state = 'on' AND (p.sent IS NULL OR p.sure_at <= ? OR ?
       OR p.job_id IN (SELECT job_id FROM discount_jobs WHERE part = 'change'))))`,
    shop.profile,
    shop.userId ?? 0,
    discount.id,
    now,
    discount.tries >= LOOK_AFTER_TRIES,
  )
}

/** A discount with the items that it has, or will have. */
export class DiscountMembers {
  readonly discount: StoredDiscount
  /** Kronor. */
  readonly #prices = new Map<number, number>()
  #terms: ((kronor: number) => DiscountTerms) | undefined

  /** @param states of the items that are meant */
  constructor({ store }: Stored, discount: StoredDiscount, states: readonly DiscountItemState[]) {
    this.discount = discount
    const among = states.map((state) => `'${state}'`).join(', ')
    const sql = `SELECT item_id, price FROM discount_items WHERE discount_id = ? AND item_id > ? AND state IN (${among})
      ORDER BY item_id LIMIT ${ROWS_AT_ONCE}`
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows: [number, number][] = store.rows<[number, number]>(sql, discount.id, after)
      for (const [id, price] of rows) this.#prices.set(id, price)
      after = rows[ROWS_AT_ONCE - 1]?.[0]
    }
  }

  has(id: number): boolean {
    return this.#prices.has(id)
  }

  /** Terms of the discount for an item; undefined for one that it does not have. @throws JobsError code `discount_unreadable` */
  readonly terms = (id: number): DiscountTerms | undefined => {
    const price = this.#prices.get(id)
    if (price === undefined) return undefined
    this.#terms ??= readTerms(this.discount)
    return this.#terms(price)
  }
}

/** The discounts of a shop in some states, each with its items in some states, the oldest first. */
export function discountsWithItems(
  ledger: Pick<Ledger, 'store' | 'discounts'>,
  shop: ShopKey,
  states: { readonly of: readonly DiscountState[]; readonly items: readonly DiscountItemState[] },
): DiscountMembers[] {
  return ledger.discounts.inStates(shop, states.of).map((discount) => new DiscountMembers(ledger, discount, states.items))
}
