/**
 * How the ledger of an older version becomes one of this layout, by the `user_version` of that version. Tables that it does not have
 * are made as in a new file; what it has is changed. Never remove an upgrade while files of that version may be in use.
 */
import { TABLES } from './layout.js'

const made = (...names: (keyof typeof TABLES)[]): string => names.map((name) => TABLES[name]).join('')

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
  )}
  ${made('eid_sessions', 'costs', 'own_references', 'price_shops', 'price_readings', 'price_folds')}
  ${made('sales_shops', 'transactions', 'transaction_ranges', 'sold_items', 'sale_watches', 'watched_sales')}
  ${made('orders', 'order_people', 'order_ranges', 'order_marks', 'exported_orders', 'shop_runs', 'shop_run_shops')}
  ${made('discounts', 'discount_items', 'discount_prices', 'discount_jobs', 'discount_changes', 'discount_claims')}`

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
  ${made('own_references', 'orders', 'order_people', 'order_ranges', 'order_marks', 'exported_orders', 'shop_runs', 'shop_run_shops')}
  ${made('price_folds')}`

/** Rows that are passed over were not counted by 0.1.0; its successor in development, layout 3, did. */
const SKIPPED = 'ALTER TABLE bulk_states ADD COLUMN skipped INTEGER NOT NULL DEFAULT 0;'

/** By the `user_version` that a file has. */
export const UPGRADES: Readonly<Record<number, string>> = { 2: SKIPPED + FROM_0_1, 3: FROM_0_1, 16: FROM_0_2 }
