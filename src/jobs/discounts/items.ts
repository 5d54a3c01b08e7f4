/** The items of a discount, and how far each has come. */
import type { DiscountItemState } from '../../contract/index.js'
import type { DiscountShop, StoredDiscount } from '../ledger/discounts.js'
import type { Ledger } from '../ledger/ledger.js'

/** Prices in kronor. */
export interface DiscountItemRow {
  readonly discount_id: number
  readonly item_id: number
  readonly line: number
  readonly own_reference: string | null
  readonly title: string | null
  readonly before: number | null
  readonly price: number
  readonly allow: number
  readonly state: DiscountItemState
  readonly reason: string | null
}

type Stored = Pick<Ledger, 'store'>

/** After so many tries (half an hour) the live list is asked what became of a price whose result does not come. */
const LOOK_AFTER_TRIES = 5

/** Items of a discount in the order of the input, all or those in some states. */
export function discountItems({ store }: Stored, discountId: number, states?: readonly DiscountItemState[]): DiscountItemRow[] {
  const among = states === undefined ? '' : `AND state IN (${states.map((state) => `'${state}'`).join(', ')})`
  return store.all<DiscountItemRow>(
    `SELECT discount_id, item_id, line, own_reference, title, before, price, allow, state, reason FROM discount_items
     WHERE discount_id = ? ${among} ORDER BY line, item_id`,
    discountId,
  )
}

/** Puts an item of a discount into a state; the reason of the state before is dropped unless one is given. */
export function setDiscountItem(
  { store }: Stored,
  discountId: number,
  itemId: number,
  state: DiscountItemState,
  reason: string | null = null,
): void {
  store.run(
    'UPDATE discount_items SET state = ?, reason = ? WHERE discount_id = ? AND item_id = ?',
    state,
    reason,
    discountId,
    itemId,
  )
}

/** Notes why an item is as it is, and leaves its state. */
export function noteDiscountItem({ store }: Stored, discountId: number, itemId: number, reason: string): void {
  store.run('UPDATE discount_items SET reason = ? WHERE discount_id = ? AND item_id = ?', reason, discountId, itemId)
}

/** An item joins the discount, with the prices it really has then. Kronor. */
export function joinDiscount(
  { store }: Stored,
  discountId: number,
  itemId: number,
  { before, price, reason }: { before: number; price: number; reason: string | null },
): void {
  store.run(
    "UPDATE discount_items SET state = 'on', before = ?, price = ?, reason = ? WHERE discount_id = ? AND item_id = ?",
    before,
    price,
    reason,
    discountId,
    itemId,
  )
}

/** Puts all items of a discount that are in a state into another. @returns how many */
export function setDiscountItems(
  { store }: Stored,
  discountId: number,
  from: DiscountItemState,
  to: DiscountItemState,
  reason: string | null = null,
): number {
  return store.run(
    'UPDATE discount_items SET state = ?, reason = ? WHERE discount_id = ? AND state = ?',
    to,
    reason,
    discountId,
    from,
  ).changes
}

/**
 * How many items of a discount a step may move now: those that wait to join it, or to leave it when its time is up. Those that a job is setting are
 * waited for, and looked at in the live list only when the result has not come for a while.
 */
export function movableItems({ store }: Stored, shop: DiscountShop, discount: StoredDiscount, now: number): number {
  const joining = now < discount.ends_at
  if (joining)
    return (
      store.first<{ n: number }>(
        "SELECT count(*) AS n FROM discount_items WHERE discount_id = ? AND state = 'planned'",
        discount.id,
      )?.n ?? 0
    )
  const found = store.first<{ n: number }>(
    `SELECT count(*) AS n FROM discount_items i
     LEFT JOIN discount_prices p ON p.profile = ? AND p.user_id = ? AND p.item_id = i.item_id
     WHERE i.discount_id = ? AND (i.state = 'planned' OR (i.state = 'on' AND (p.sent IS NULL OR p.sure_at <= ? OR ?
       OR p.job_id IN (SELECT job_id FROM discount_jobs WHERE part = 'change'))))`,
    shop.profile,
    shop.userId ?? 0,
    discount.id,
    now,
    discount.tries >= LOOK_AFTER_TRIES,
  )
  return found?.n ?? 0
}

/** An item of a discount that has not ended, with what its price there comes from. */
export interface OtherDiscountRow {
  readonly item_id: number
  readonly discount_id: number
  readonly name: string
  /** ms since 1970 */
  readonly starts_at: number
  readonly ends_at: number
  readonly rule: string | null
  /** Kronor. */
  readonly price: number
}

/** The items of all discounts of a shop that are planned or run. */
export function otherDiscounts({ store }: Stored, { profile, userId }: DiscountShop): OtherDiscountRow[] {
  return store.all<OtherDiscountRow>(
    `SELECT i.item_id, s.id AS discount_id, s.name, s.starts_at, s.ends_at, s.rule, i.price
     FROM discounts s JOIN discount_items i ON i.discount_id = s.id
     WHERE s.profile = ? AND s.user_id = ? AND s.state IN ('planned', 'running') AND i.state IN ('planned', 'on')
     ORDER BY s.id`,
    profile,
    userId ?? 0,
  )
}
