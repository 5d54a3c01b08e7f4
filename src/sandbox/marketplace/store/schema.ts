/** Makes the orders of sales that an older file has without them, and pays those whose sales are. */
export const ORDERS_OF_SALES = `
  INSERT OR IGNORE INTO orders (id, seller_id, buyer_id, created, updated, shipping_cost)
    SELECT order_number, min(seller_id), min(buyer_id), min(date), max(updated), 59 FROM transactions GROUP BY order_number;
  UPDATE orders SET paid_at = updated, payment_type = 'Swish' WHERE paid_at IS NULL
    AND (SELECT min(paid) FROM transactions WHERE order_number = orders.id) = 1;
  UPDATE orders SET shipped = (SELECT min(shipped) FROM transactions WHERE order_number = orders.id);
`

/**
 * The tables, as a list of migrations. The file's user_version is the number of migrations it has had. Times are ms since 1970,
 * prices whole kronor.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- clock_offset (ms), next_request, next_item, next_image, next_transaction, next_order
  CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

  CREATE TABLE applications (app_id INTEGER PRIMARY KEY, app_key TEXT NOT NULL, name TEXT NOT NULL);
  CREATE TABLE calls (call_id INTEGER PRIMARY KEY, app_id INTEGER NOT NULL, at INTEGER NOT NULL, operation TEXT NOT NULL);
  CREATE INDEX calls_by_application ON calls (app_id, at);

  -- shop: JSON (ShopRow) or null where the member has none; payment_options: JSON list of payment type ids
  CREATE TABLE members (
    user_id INTEGER PRIMARY KEY, alias TEXT NOT NULL, first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT NOT NULL,
    rating INTEGER NOT NULL, phone TEXT NOT NULL, mobile TEXT NOT NULL, address TEXT NOT NULL, zip_code TEXT NOT NULL,
    city TEXT NOT NULL, country TEXT NOT NULL, token TEXT NOT NULL, token_expires INTEGER, eid_refusal TEXT,
    payment_options TEXT NOT NULL, shop TEXT
  );

  -- details: JSON of what seldom changes, already in the shape of the contract's Item, so that a row becomes an item by one parse.
  -- price: buy-now price, and the price of a shop item. sold: transactions. settled: 0 while an end with bids is still to be judged.
  CREATE TABLE items (
    id INTEGER PRIMARY KEY, seller_id INTEGER NOT NULL, type INTEGER NOT NULL, category_id INTEGER NOT NULL,
    starts INTEGER NOT NULL, ends INTEGER NOT NULL, opening INTEGER, reserve INTEGER, price INTEGER,
    quantity INTEGER NOT NULL, remaining INTEGER NOT NULL, bids INTEGER NOT NULL DEFAULT 0, max_bid INTEGER, max_bidder INTEGER,
    sold INTEGER NOT NULL DEFAULT 0, settled INTEGER NOT NULL DEFAULT 0, details TEXT NOT NULL
  );
  CREATE INDEX items_by_seller ON items (seller_id, id);
  CREATE INDEX items_to_settle ON items (ends) WHERE settled = 0 AND bids > 0;
  CREATE INDEX items_in_shop ON items (seller_id, ends, starts) WHERE type = 4;

  CREATE TABLE images (image_id INTEGER PRIMARY KEY, format TEXT NOT NULL, bytes BLOB NOT NULL);

  -- One row for request ids first_id to first_id + size - 1: a whole SetPriceOnShopItems call is one row. due_at is null while
  -- uncommitted. exceptions: JSON {index: code} of the ids that did not end with the row's code.
  CREATE TABLE requests (
    first_id INTEGER PRIMARY KEY, size INTEGER NOT NULL, operation TEXT NOT NULL, user_id INTEGER NOT NULL, item_id INTEGER,
    queued_at INTEGER NOT NULL, due_at INTEGER, auto_commit INTEGER NOT NULL, payload TEXT, campaign_code TEXT,
    finished_at INTEGER, code TEXT, message TEXT, exceptions TEXT
  );
  CREATE INDEX requests_due ON requests (due_at) WHERE finished_at IS NULL AND due_at IS NOT NULL;
  CREATE TABLE request_images (
    request_id INTEGER NOT NULL, position INTEGER NOT NULL, image_id INTEGER NOT NULL, mega INTEGER NOT NULL,
    PRIMARY KEY (request_id, position)
  ) WITHOUT ROWID;

  CREATE TABLE transactions (
    id INTEGER PRIMARY KEY, item_id INTEGER NOT NULL, seller_id INTEGER NOT NULL, buyer_id INTEGER NOT NULL,
    order_number INTEGER NOT NULL, amount INTEGER NOT NULL, quantity INTEGER NOT NULL, date INTEGER NOT NULL,
    updated INTEGER NOT NULL, paid INTEGER NOT NULL DEFAULT 0, shipped INTEGER NOT NULL DEFAULT 0,
    shipping_booked INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX transactions_by_seller ON transactions (seller_id, id);
  CREATE INDEX transactions_by_item ON transactions (item_id);
  CREATE INDEX transactions_by_order ON transactions (order_number);
  CREATE TABLE feedback (
    transaction_id INTEGER NOT NULL, from_id INTEGER NOT NULL, to_id INTEGER NOT NULL, type TEXT NOT NULL,
    comment TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (transaction_id, from_id)
  ) WITHOUT ROWID;

  -- categories, users: JSON list of ids the code holds for, null for all
  CREATE TABLE campaigns (
    code TEXT PRIMARY KEY, description TEXT NOT NULL, starts INTEGER NOT NULL, ends INTEGER NOT NULL, categories TEXT, users TEXT,
    discount_factor REAL, provision_factor REAL, max_fee_cap REAL,
    custom_length_free INTEGER NOT NULL, unsold_free INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE campaign_uses (code TEXT NOT NULL, user_id INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (code, user_id))
  WITHOUT ROWID;

  -- outcome: approve, fail or cancel, null while the session is open
  CREATE TABLE eid_sessions (
    order_ref TEXT PRIMARY KEY, user_id INTEGER NOT NULL, on_file INTEGER NOT NULL, auto_start_token TEXT NOT NULL,
    started INTEGER NOT NULL, outcome TEXT, ended INTEGER
  );
  CREATE INDEX eid_by_user ON eid_sessions (user_id, started);
  `,
  `
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY, seller_id INTEGER NOT NULL, buyer_id INTEGER NOT NULL, created INTEGER NOT NULL,
    updated INTEGER NOT NULL, expires INTEGER, shipping_cost INTEGER NOT NULL, paid_at INTEGER, payment_type TEXT,
    shipped INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX orders_by_seller ON orders (seller_id, updated);
  ALTER TABLE applications ADD COLUMN orders INTEGER NOT NULL DEFAULT 1;
  ${ORDERS_OF_SALES}
  `,
  `
  -- Members who have allowed an application on the page of the login, with the secret of that login.
  CREATE TABLE grants (app_id INTEGER NOT NULL, user_id INTEGER NOT NULL, secret TEXT NOT NULL, PRIMARY KEY (app_id, user_id, secret))
  WITHOUT ROWID;
  `,
  `
  CREATE TABLE restarts (next_id INTEGER PRIMARY KEY, item_id INTEGER NOT NULL);
  CREATE INDEX restarts_by_item ON restarts (item_id);
  `,
  `
  -- Payments of an order that were entered one by one: with one of them, paid_at and payment_type of the order say nothing of its payments.
  CREATE TABLE payments (
    order_id INTEGER NOT NULL, amount INTEGER NOT NULL, paid_date TEXT NOT NULL, cost INTEGER NOT NULL, type TEXT NOT NULL
  );
  CREATE INDEX payments_by_order ON payments (order_id);
  -- Of an order that was entered as a whole, JSON: country and zip where it goes, unlisted, bare (without lines).
  ALTER TABLE orders ADD COLUMN given TEXT;
  `,
  `
  -- Number of shop items of a seller, whatever their time: a limit of a shop is checked without a look at each of them.
  CREATE TABLE shop_sizes (seller_id INTEGER PRIMARY KEY, items INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO shop_sizes SELECT seller_id, count(*) FROM items WHERE type = 4 GROUP BY seller_id;
  CREATE TRIGGER shop_grows AFTER INSERT ON items WHEN NEW.type = 4 BEGIN
    INSERT INTO shop_sizes VALUES (NEW.seller_id, 1) ON CONFLICT DO UPDATE SET items = items + 1;
  END;
  CREATE TRIGGER shop_shrinks AFTER DELETE ON items WHEN OLD.type = 4 BEGIN
    UPDATE shop_sizes SET items = items - 1 WHERE seller_id = OLD.seller_id;
  END;
  CREATE INDEX items_to_start ON items (seller_id, starts, ends) WHERE type = 4;
  -- Auctions and the like, which may be few beside a large shop.
  CREATE INDEX items_beside_shop ON items (seller_id, id) WHERE type <> 4;
  `,
]
