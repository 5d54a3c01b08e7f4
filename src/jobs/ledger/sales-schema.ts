/**
 * Tables of sales: transactions that were read (for reports) and sales that were delivered (transactions:watch). A shop is a seller at a
 * service under a profile, so that the sandbox's sales never mix with real ones. Times are ms since 1970.
 */
export const SALES = `
  CREATE TABLE sales_shops (
    id INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    address TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    UNIQUE (profile, address, user_id)
  ) STRICT;

  CREATE TABLE transactions (
    shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
    id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    read_at INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    shipped INTEGER NOT NULL,
    rated INTEGER NOT NULL,
    item_id INTEGER,
    title TEXT,
    own_references TEXT NOT NULL,
    buyer_id INTEGER,
    buyer TEXT,
    PRIMARY KEY (shop_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX transactions_by_time ON transactions (shop_id, at);

  CREATE TABLE transaction_ranges (
    shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
    from_at INTEGER NOT NULL,
    to_at INTEGER NOT NULL,
    PRIMARY KEY (shop_id, from_at)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sold_items (
    shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
    item_id INTEGER NOT NULL,
    started_at INTEGER,
    category_id INTEGER,
    asked_at INTEGER NOT NULL,
    PRIMARY KEY (shop_id, item_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sale_watches (
    shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
    name TEXT NOT NULL,
    since INTEGER NOT NULL,
    looked_at INTEGER,
    PRIMARY KEY (shop_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE watched_sales (
    shop_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    owner TEXT,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (shop_id, name, id),
    FOREIGN KEY (shop_id, name) REFERENCES sale_watches (shop_id, name)
  ) STRICT, WITHOUT ROWID;
`
