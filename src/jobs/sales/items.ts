/** The items of a sale, and how far each has come. */
import type { SaleItemState } from '../../contract/index.js'
import type { Ledger } from '../ledger/ledger.js'
import type { SaleShop, StoredSale } from '../ledger/sales.js'

/** Prices in kronor. */
export interface SaleItemRow {
  readonly sale_id: number
  readonly item_id: number
  readonly line: number
  readonly own_reference: string | null
  readonly title: string | null
  readonly before: number | null
  readonly price: number
  readonly allow: number
  readonly state: SaleItemState
  readonly reason: string | null
}

type Stored = Pick<Ledger, 'store'>

/** After so many tries (half an hour) the live list is asked what became of a price whose result does not come. */
const LOOK_AFTER_TRIES = 5

/** Items of a sale in the order of the input, all or those in some states. */
export function saleItems({ store }: Stored, saleId: number, states?: readonly SaleItemState[]): SaleItemRow[] {
  const among = states === undefined ? '' : `AND state IN (${states.map((state) => `'${state}'`).join(', ')})`
  return store.all<SaleItemRow>(
    `SELECT sale_id, item_id, line, own_reference, title, before, price, allow, state, reason FROM sale_items
     WHERE sale_id = ? ${among} ORDER BY line, item_id`,
    saleId,
  )
}

/** Puts an item of a sale into a state; the reason of the state before is dropped unless one is given. */
export function setSaleItem(
  { store }: Stored,
  saleId: number,
  itemId: number,
  state: SaleItemState,
  reason: string | null = null,
): void {
  store.run('UPDATE sale_items SET state = ?, reason = ? WHERE sale_id = ? AND item_id = ?', state, reason, saleId, itemId)
}

/** Notes why an item is as it is, and leaves its state. */
export function noteSaleItem({ store }: Stored, saleId: number, itemId: number, reason: string): void {
  store.run('UPDATE sale_items SET reason = ? WHERE sale_id = ? AND item_id = ?', reason, saleId, itemId)
}

/** An item joins the sale, with the prices it really has then. Kronor. */
export function joinSale(
  { store }: Stored,
  saleId: number,
  itemId: number,
  { before, price, reason }: { before: number; price: number; reason: string | null },
): void {
  store.run(
    "UPDATE sale_items SET state = 'on', before = ?, price = ?, reason = ? WHERE sale_id = ? AND item_id = ?",
    before,
    price,
    reason,
    saleId,
    itemId,
  )
}

/** Puts all items of a sale that are in a state into another. @returns how many */
export function setSaleItems(
  { store }: Stored,
  saleId: number,
  from: SaleItemState,
  to: SaleItemState,
  reason: string | null = null,
): number {
  return store.run('UPDATE sale_items SET state = ?, reason = ? WHERE sale_id = ? AND state = ?', to, reason, saleId, from)
    .changes
}

/**
 * How many items of a sale a step may move now: those that wait to join it, or to leave it when its time is up. Those that a job is setting are
 * waited for, and looked at in the live list only when the result has not come for a while.
 */
export function movableItems({ store }: Stored, shop: SaleShop, sale: StoredSale, now: number): number {
  const joining = now < sale.ends_at
  if (joining)
    return (
      store.first<{ n: number }>("SELECT count(*) AS n FROM sale_items WHERE sale_id = ? AND state = 'planned'", sale.id)?.n ?? 0
    )
  const found = store.first<{ n: number }>(
    `SELECT count(*) AS n FROM sale_items i
     LEFT JOIN sale_prices p ON p.profile = ? AND p.user_id = ? AND p.item_id = i.item_id
     WHERE i.sale_id = ? AND (i.state = 'planned' OR (i.state = 'on' AND (p.sent IS NULL OR p.sure_at <= ? OR ?
       OR p.job_id IN (SELECT job_id FROM sale_jobs WHERE part = 'change'))))`,
    shop.profile,
    shop.userId ?? 0,
    sale.id,
    now,
    sale.tries >= LOOK_AFTER_TRIES,
  )
  return found?.n ?? 0
}

/** An item of a sale that has not ended, with what its price there comes from. */
export interface OtherSaleRow {
  readonly item_id: number
  readonly sale_id: number
  readonly name: string
  /** ms since 1970 */
  readonly starts_at: number
  readonly ends_at: number
  readonly rule: string | null
  /** Kronor. */
  readonly price: number
}

/** The items of all sales of a shop that are planned or run. */
export function otherSales({ store }: Stored, { profile, userId }: SaleShop): OtherSaleRow[] {
  return store.all<OtherSaleRow>(
    `SELECT i.item_id, s.id AS sale_id, s.name, s.starts_at, s.ends_at, s.rule, i.price
     FROM sales s JOIN sale_items i ON i.sale_id = s.id
     WHERE s.profile = ? AND s.user_id = ? AND s.state IN ('planned', 'running') AND i.state IN ('planned', 'on')
     ORDER BY s.id`,
    profile,
    userId ?? 0,
  )
}
