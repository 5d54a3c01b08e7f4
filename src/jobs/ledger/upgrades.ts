/**
 * Upgrades of the ledger of an older version to this layout, by the `user_version` of that version. They change what it has: the
 * tables that it lacks then are made as in a new file (ledger.ts). Never remove an upgrade while files of that version may be in
 * use.
 */
import type { Store } from '../../system/sqlite.js'
import { TABLES } from './layout.js'
import { partOlderOrders } from './orders.js'

/** Makes a table anew, with row ids, and moves its rows. */
const remade = (table: keyof typeof TABLES, columns: string): string => `
  ALTER TABLE ${table} RENAME TO older_${table};
  ${TABLES[table]}
  INSERT INTO ${table} (${columns}) SELECT ${columns} FROM older_${table} ORDER BY job_id, batch;
  DROP TABLE older_${table};`

const ALONE = `
  ALTER TABLE calls ADD COLUMN alone INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX calls_alone ON calls (app_id, profile) WHERE alone <> 0;`

const FROM_0_1 = `
  ALTER TABLE calls ADD COLUMN sandbox INTEGER NOT NULL DEFAULT 0;
  UPDATE calls SET sandbox = 1 WHERE profile = 'sandbox';
  ${ALONE}
  DROP INDEX calls_by_application;
  CREATE INDEX calls_by_application ON calls (app_id, sandbox, at);
  CREATE INDEX calls_by_age ON calls (at);
  ALTER TABLE requests ADD COLUMN adds TEXT;
  ALTER TABLE jobs ADD COLUMN part_of INTEGER REFERENCES jobs (id);
  CREATE INDEX jobs_by_whole ON jobs (part_of) WHERE part_of IS NOT NULL;
  ${remade(
    'bulk_batches',
    'job_id, batch, first_row, count, lines, ids, prices, old_prices, payloads, old_payloads, own_references, extras',
  )}
  ${remade(
    'bulk_states',
    `job_id, batch, unsent, sending, queued, ok, failed, retryable, unknown, held, skipped, states, request_ids, item_ids, reasons`,
  )}`

/**
 * Since layout 26 a reason is a hold, by its code and values. Those of rows stay: where they are read, a text is taken for one.
 */
const HOLDS = "UPDATE discount_items SET reason = json_array('text', json_object('Said', reason)) WHERE reason IS NOT NULL;"

/** The discounts were called sales, and own references were not kept. */
const FROM_0_2 = `${ALONE}
  ALTER TABLE price_shops ADD COLUMN referenced INTEGER;
  ALTER TABLE sales RENAME TO discounts;
  ALTER TABLE sale_items RENAME TO discount_items;
  ALTER TABLE sale_prices RENAME TO discount_prices;
  ALTER TABLE sale_jobs RENAME TO discount_jobs;
  ALTER TABLE sale_changes RENAME TO discount_changes;
  ALTER TABLE sale_claims RENAME TO discount_claims;
  ALTER TABLE discount_items RENAME COLUMN sale_id TO discount_id;
  ALTER TABLE discount_jobs RENAME COLUMN sale_id TO discount_id;
  DROP INDEX sales_by_next;
  CREATE INDEX discounts_by_next ON discounts (profile, user_id, next_at) WHERE next_at IS NOT NULL;
  DROP INDEX sale_items_on;
  CREATE INDEX discount_items_by_line ON discount_items (discount_id, line);
  CREATE INDEX discount_items_on ON discount_items (item_id) WHERE state = 'on';
  DROP INDEX sale_jobs_by_sale;
  CREATE INDEX discount_jobs_by_discount ON discount_jobs (discount_id);
  ALTER TABLE transactions ADD COLUMN order_id INTEGER;
  ${HOLDS}`

/** Rows that are passed over were not counted by 0.1.0; its successor in development, layout 3, did. */
const SKIPPED = 'ALTER TABLE bulk_states ADD COLUMN skipped INTEGER NOT NULL DEFAULT 0;'

/** An export noted orders as a whole. */
const EVENTS = `
  ALTER TABLE exported_orders RENAME TO older_exports;
  ${TABLES.exported_orders}
  INSERT INTO exported_orders (shop_id, form, id, event, at, file, half, inode, owner)
    SELECT shop_id, form, id, '', at, file, half, inode, owner FROM older_exports;
  DROP TABLE older_exports;`

/** Who was forgotten was a row of people without a body. Its table is made again, where every row has one. */
const FROM_0_3 = `PRAGMA secure_delete = ON;
  ${TABLES.forgotten_orders}
  INSERT INTO forgotten_orders SELECT shop_id, id, at FROM order_people WHERE body IS NULL;
  ALTER TABLE order_people RENAME TO older_people;
  DROP INDEX order_people_by_end;
  ${TABLES.order_people}
  INSERT INTO order_people SELECT * FROM older_people WHERE body IS NOT NULL;
  DROP TABLE older_people;
  ${HOLDS}
  ${EVENTS}`

/** By the `user_version` that a file has: the change of its tables, and of rows that no SQL can change. */
export const UPGRADES: Readonly<Record<number, { readonly sql: string; readonly rows?: (store: Store) => void }>> = {
  2: { sql: SKIPPED + FROM_0_1 },
  3: { sql: FROM_0_1 },
  16: { sql: FROM_0_2 },
  23: { sql: FROM_0_3, rows: partOlderOrders },
  // Builds before 0.4.0, which lack tables alone.
  26: { sql: '' },
  27: { sql: '' },
}
