/** The upkeep of kept sales: what pruning removes, and what a check looks for. */
import type { Write } from '../../system/aside.js'
import { removalOfPeople } from '../ledger/orders.js'
import type { Rules } from './types.js'

const ORDER_TABLES = [
  ['order_marks', 'marked_at'],
  ['order_ranges', 'to_at'],
] as const

/** Sales that were delivered, or given up: nothing is open of them. */
const OVER = "('done', 'given up')"

/** Sales made, and orders last changed, before an instant, ms since 1970. */
export const OLD_SALES = 'transactions WHERE at < ?'
export const OLD_ORDERS = 'orders WHERE updated_at < ?'

/**
 * What removes sales made, and orders last changed, before an instant, with what is known of their items, and forgets that they were
 * read: a report that needs them asks the service again.
 */
export function removalOfOldSales(before: number): Write[] {
  return [
    [`DELETE FROM ${OLD_SALES}`, before],
    ['DELETE FROM transaction_ranges WHERE to_at < ?', before],
    ['UPDATE transaction_ranges SET from_at = ?1 WHERE from_at < ?1', before],
    [
      'DELETE FROM sold_items WHERE NOT EXISTS (SELECT 1 FROM transactions t WHERE t.shop_id = sold_items.shop_id AND t.item_id = sold_items.item_id)',
    ],
    [`DELETE FROM ${OLD_ORDERS}`, before],
    ...ORDER_TABLES.map(([table, column]): Write => [`DELETE FROM ${table} WHERE ${column} < ?`, before]),
    ...removalOfPeople(before),
    ['UPDATE order_ranges SET from_at = ?1 WHERE from_at < ?1', before],
    // A watch reads again what lies a day before its last look.
    [
      `DELETE FROM watched_sales WHERE state IN ${OVER} AND at < ? AND at < (SELECT coalesce(w.looked_at, 0) FROM sale_watches w
         WHERE w.shop_id = watched_sales.shop_id AND w.name = watched_sales.name) - ${2 * 86_400_000}`,
      before,
    ],
  ]
}

export const SALES_RULES: Rules = {
  'a span of read sales ends before it begins, or reaches into the next one': `SELECT a.shop_id AS at FROM transaction_ranges a WHERE a.to_at < a.from_at OR EXISTS (
      SELECT 1 FROM transaction_ranges b WHERE b.shop_id = a.shop_id AND b.from_at > a.from_at AND b.from_at <= a.to_at)`,
  'own references of a sale cannot be read':
    'SELECT DISTINCT shop_id AS at FROM transactions WHERE NOT json_valid(own_references)',
  'a watched sale has a state that is unknown to this tool':
    "SELECT DISTINCT shop_id AS at FROM watched_sales WHERE state NOT IN ('begun', 'done', 'failed', 'given up', 'unknown')",
  'a watched sale is marked as being delivered, but no process does it':
    "SELECT DISTINCT shop_id AS at FROM watched_sales WHERE state = 'begun' AND owner IS NULL",
}
