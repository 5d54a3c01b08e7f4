/**
 * The tables of the ledger, as a new file gets them. Times are ms since 1970, prices kronor, texts of states those of the
 * interfaces. A change of the layout is made here, and in `upgrades.ts` for every version that a file may come from.
 */

/** Kept in the file as `user_version`. Raise it with every change of the tables. */
export const LAYOUT_VERSION = 28

/** Each table with its indexes, by its name. A table comes after those that it refers to. */
export const TABLES = {
  calls: `
    CREATE TABLE calls (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      app_id INTEGER NOT NULL,
      profile TEXT NOT NULL,
      service TEXT NOT NULL,
      operation TEXT NOT NULL,
      kind TEXT NOT NULL,
      attempt INTEGER NOT NULL,
      at INTEGER NOT NULL,
      outcome TEXT,
      http_status INTEGER,
      ms INTEGER,
      -- Counted separately: the application id of the sandbox inside the process may equal a real one.
      sandbox INTEGER NOT NULL DEFAULT 0,
      -- Counted here while the quota server was away: 1, then the token of its report; 0 otherwise, and when that has answered.
      alone INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX calls_alone ON calls (app_id, profile) WHERE alone <> 0;
    CREATE INDEX calls_by_application ON calls (app_id, sandbox, at);
    -- Old calls are deleted by age. Without this index, each command that makes calls reads all of them (0.2 s with a long history).
    CREATE INDEX calls_by_age ON calls (at);`,

  jobs: `
    CREATE TABLE jobs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      profile TEXT NOT NULL,
      user_id INTEGER,
      title TEXT NOT NULL,
      state TEXT NOT NULL,
      message TEXT,
      counts TEXT NOT NULL DEFAULT '{}',
      detail TEXT NOT NULL DEFAULT 'null',
      undo_of INTEGER REFERENCES jobs (id),
      created_at INTEGER NOT NULL,
      finished_at INTEGER,
      lock_owner TEXT,
      lock_beat INTEGER,
      -- Jobs of several kinds that are one for the seller: each is a part of a job that has no rows itself.
      part_of INTEGER REFERENCES jobs (id)
    ) STRICT;
    CREATE INDEX jobs_by_state ON jobs (state);
    CREATE INDEX jobs_by_whole ON jobs (part_of) WHERE part_of IS NOT NULL;`,

  requests: `
    CREATE TABLE requests (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      request_id INTEGER,
      item_id INTEGER,
      operation TEXT NOT NULL,
      subject TEXT NOT NULL,
      profile TEXT NOT NULL,
      user_id INTEGER,
      state TEXT NOT NULL,
      result_code TEXT,
      message TEXT,
      sent_at INTEGER NOT NULL,
      finished_at INTEGER,
      job_id INTEGER REFERENCES jobs (id),
      owner TEXT,
      -- Own references and start of an item that a single call added, as JSON. Later additions are compared with them.
      adds TEXT
    ) STRICT;
    CREATE INDEX requests_by_id ON requests (request_id) WHERE request_id IS NOT NULL;
    CREATE INDEX requests_by_state ON requests (state);
    CREATE INDEX requests_by_job ON requests (job_id) WHERE job_id IS NOT NULL;`,

  listing_steps: `
    CREATE TABLE listing_steps (
      job_id INTEGER NOT NULL REFERENCES jobs (id),
      step INTEGER NOT NULL,
      operation TEXT NOT NULL,
      subject TEXT NOT NULL,
      state TEXT NOT NULL,
      message TEXT,
      bytes INTEGER,
      format TEXT,
      mega INTEGER,
      sha256 TEXT,
      started_at INTEGER,
      finished_at INTEGER,
      PRIMARY KEY (job_id, step)
    ) STRICT, WITHOUT ROWID;`,

  /**
   * Bulk jobs have a row per batch, whose rows are packed in blobs: a million items are written and updated in under a second,
   * instead of six seconds with a row per item (measured, SQLite with full sync). What never changes is in another table than
   * what changes at every reply, so that a reply writes 3 kB instead of 11. All blobs are little-endian Int32, except States,
   * which are bytes. Both have row ids: without them SQLite puts all but the first kB of each row on separate pages (a job of a
   * million rows: written in 0.19 s of CPU time instead of 0.27, its blobs read in a third of the time).
   */
  bulk_batches: `
    CREATE TABLE bulk_batches (
      job_id INTEGER NOT NULL REFERENCES jobs (id),
      batch INTEGER NOT NULL,
      first_row INTEGER NOT NULL,
      count INTEGER NOT NULL,
      lines BLOB NOT NULL,
      ids BLOB NOT NULL,
      prices BLOB,
      old_prices BLOB,
      payloads TEXT,
      old_payloads TEXT,
      own_references TEXT,
      extras TEXT,
      -- A JSON list, if they were read.
      titles TEXT,
      PRIMARY KEY (job_id, batch)
    ) STRICT;`,

  bulk_states: `
    CREATE TABLE bulk_states (
      job_id INTEGER NOT NULL REFERENCES jobs (id),
      batch INTEGER NOT NULL,
      unsent INTEGER NOT NULL,
      sending INTEGER NOT NULL,
      queued INTEGER NOT NULL,
      ok INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      retryable INTEGER NOT NULL,
      unknown INTEGER NOT NULL,
      held INTEGER NOT NULL,
      states BLOB NOT NULL,
      request_ids BLOB NOT NULL,
      item_ids BLOB,
      -- Holds, by their codes and values; versions up to 0.3 kept texts.
      reasons TEXT,
      -- Rows whose item is not live: they are neither held nor failed.
      skipped INTEGER NOT NULL DEFAULT 0,
      -- When the rows were first sent: a job may be resumed days after it was made, and its prices hold from then on.
      sent_at INTEGER,
      PRIMARY KEY (job_id, batch)
    ) STRICT;`,

  bulk_settings: `
    CREATE TABLE bulk_settings (
      profile TEXT NOT NULL,
      name TEXT NOT NULL,
      value INTEGER NOT NULL,
      PRIMARY KEY (profile, name)
    ) STRICT, WITHOUT ROWID;`,

  eid_sessions: `
    CREATE TABLE eid_sessions (
      order_ref TEXT PRIMARY KEY,
      profile TEXT NOT NULL,
      user_id INTEGER,
      begun_at INTEGER NOT NULL,
      ended_at INTEGER,
      outcome TEXT
    ) STRICT;`,

  /** Costs of items: a row for each time from which values hold, öre. An item has an id, or an own reference and the id 0. */
  costs: `
    CREATE TABLE costs (
      profile TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      item_id INTEGER NOT NULL,
      own_reference TEXT NOT NULL,
      since INTEGER NOT NULL,
      cost INTEGER,
      lowest INTEGER,
      recommended INTEGER,
      PRIMARY KEY (profile, user_id, item_id, own_reference, since)
    ) STRICT, WITHOUT ROWID;`,

  /** Own references that live lists had, with the item that had each when it was last seen. */
  own_references: `
    CREATE TABLE own_references (
      profile TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      reference TEXT NOT NULL,
      item_id INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      PRIMARY KEY (profile, user_id, reference)
    ) STRICT, WITHOUT ROWID;`,

  /**
   * Prices that were seen in live lists: all of a shop as they are, and what each reading found changed. jobs/history packs the
   * blobs.
   */
  price_shops: `
    CREATE TABLE price_shops (
      id INTEGER PRIMARY KEY,
      profile TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      known_from INTEGER NOT NULL,
      first_job INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      last_job INTEGER NOT NULL,
      open_job INTEGER,
      version INTEGER NOT NULL,
      items INTEGER NOT NULL,
      prices BLOB NOT NULL,
      -- How many of the items had an own reference; NULL where that was not counted.
      referenced INTEGER,
      UNIQUE (profile, user_id)
    ) STRICT;`,

  /** Prices set by the price jobs of a past day, one entry for each item; jobs/bulk/price-folds packs it. */
  price_folds: `
    CREATE TABLE price_folds (
      profile TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      -- Days since 1970, UTC.
      day INTEGER NOT NULL,
      mark TEXT NOT NULL,
      moves BLOB NOT NULL,
      PRIMARY KEY (profile, user_id, day)
    ) STRICT;`,

  price_readings: `
    CREATE TABLE price_readings (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      shop_id INTEGER NOT NULL REFERENCES price_shops (id),
      at INTEGER NOT NULL,
      last_job INTEGER NOT NULL,
      whole INTEGER NOT NULL,
      count INTEGER NOT NULL,
      moves BLOB NOT NULL
    ) STRICT;
    CREATE INDEX price_readings_by_shop ON price_readings (shop_id, id);`,

  /**
   * Transactions that were read (for reports) and sales that were delivered (transactions:watch). A shop is a seller at a service
   * under a profile, so that the sandbox's sales never mix with real ones.
   */
  sales_shops: `
    CREATE TABLE sales_shops (
      id INTEGER PRIMARY KEY,
      profile TEXT NOT NULL,
      address TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      UNIQUE (profile, address, user_id)
    ) STRICT;`,

  transactions: `
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
      order_id INTEGER,
      PRIMARY KEY (shop_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX transactions_by_time ON transactions (shop_id, at);`,

  transaction_ranges: `
    CREATE TABLE transaction_ranges (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      from_at INTEGER NOT NULL,
      to_at INTEGER NOT NULL,
      PRIMARY KEY (shop_id, from_at)
    ) STRICT, WITHOUT ROWID;`,

  sold_items: `
    CREATE TABLE sold_items (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      item_id INTEGER NOT NULL,
      started_at INTEGER,
      category_id INTEGER,
      asked_at INTEGER NOT NULL,
      PRIMARY KEY (shop_id, item_id)
    ) STRICT, WITHOUT ROWID;`,

  /** Orders without anything about persons, as JSON; and that, until `until_at`. */
  orders: `
    CREATE TABLE orders (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      id INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (shop_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX orders_by_creation ON orders (shop_id, created_at);
    CREATE INDEX orders_by_change ON orders (shop_id, updated_at);`,

  order_people: `
    CREATE TABLE order_people (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      id INTEGER NOT NULL,
      at INTEGER NOT NULL,
      until_at INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (shop_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX order_people_by_end ON order_people (until_at);`,

  /**
   * Orders whose buyers were forgotten, also of orders that were never read. Ids alone, and never pruned: what is forgotten stays
   * forgotten.
   */
  forgotten_orders: `
    CREATE TABLE forgotten_orders (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      id INTEGER NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (shop_id, id)
    ) STRICT, WITHOUT ROWID;`,

  /** Spans of the last change of orders that are all kept. */
  order_ranges: `
    CREATE TABLE order_ranges (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      from_at INTEGER NOT NULL,
      to_at INTEGER NOT NULL,
      PRIMARY KEY (shop_id, from_at)
    ) STRICT, WITHOUT ROWID;`,

  /** Orders that jobs have marked, and those that the service no longer has. */
  order_marks: `
    CREATE TABLE order_marks (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      id INTEGER NOT NULL,
      paid INTEGER NOT NULL DEFAULT 0,
      sent INTEGER NOT NULL DEFAULT 0,
      gone INTEGER NOT NULL DEFAULT 0,
      marked_at INTEGER NOT NULL,
      PRIMARY KEY (shop_id, id)
    ) STRICT, WITHOUT ROWID;`,

  /**
   * Entries of exports of new ones: an order as a whole (no event, form `rows`), or one event of the books with its rows, so that
   * what follows is reckoned from what was booked. `body` is null for what version 0.3 exported. Until the file has its name,
   * `half` is where it was made and `inode` what it is there, by the process `owner`; before anything is entered, that is told by
   * a row with the id -1. Never pruned: it would be exported twice.
   */
  exported_orders: `
    CREATE TABLE exported_orders (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      form TEXT NOT NULL,
      id INTEGER NOT NULL,
      event TEXT NOT NULL,
      at INTEGER NOT NULL,
      file TEXT NOT NULL,
      half TEXT,
      inode TEXT,
      owner TEXT,
      body TEXT,
      PRIMARY KEY (shop_id, form, id, event)
    ) STRICT, WITHOUT ROWID;`,

  /** Labels that were given to a printer; `printed` is 0 from before that until the print system has taken them. Never pruned. */
  printed_labels: `
    CREATE TABLE printed_labels (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      id INTEGER NOT NULL,
      at INTEGER NOT NULL,
      printed INTEGER NOT NULL,
      PRIMARY KEY (shop_id, id)
    ) STRICT, WITHOUT ROWID;`,

  /** Facts about orders, for the books, that the seller knows and the service does not. */
  order_facts: `
    CREATE TABLE order_facts (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      id INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (shop_id, id)
    ) STRICT, WITHOUT ROWID;`,

  sale_watches: `
    CREATE TABLE sale_watches (
      shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
      name TEXT NOT NULL,
      since INTEGER NOT NULL,
      looked_at INTEGER,
      PRIMARY KEY (shop_id, name)
    ) STRICT, WITHOUT ROWID;`,

  watched_sales: `
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
    ) STRICT, WITHOUT ROWID;`,

  /**
   * Discounts with a start and an end; `user_id` is 0 where the profile names none. `next_at` is when there is something to do
   * for one, null when never again.
   */
  discounts: `
    CREATE TABLE discounts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      profile TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      name TEXT NOT NULL,
      title TEXT NOT NULL,
      rule TEXT,
      guards TEXT NOT NULL,
      starts_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL,
      state TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      ended_at INTEGER,
      next_at INTEGER,
      tries INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX discounts_by_next ON discounts (profile, user_id, next_at) WHERE next_at IS NOT NULL;`,

  /** The items of a discount, and how far each has come. */
  discount_items: `
    CREATE TABLE discount_items (
      discount_id INTEGER NOT NULL REFERENCES discounts (id),
      item_id INTEGER NOT NULL,
      line INTEGER NOT NULL,
      own_reference TEXT,
      before INTEGER,
      price INTEGER NOT NULL,
      allow INTEGER NOT NULL,
      state TEXT NOT NULL,
      reason TEXT,
      -- Where the live list had it when the discount was made.
      title TEXT,
      PRIMARY KEY (discount_id, item_id)
    ) STRICT, WITHOUT ROWID;
    -- Their order, to go on after a row.
    CREATE INDEX discount_items_by_line ON discount_items (discount_id, line);
    CREATE INDEX discount_items_on ON discount_items (item_id) WHERE state = 'on';`,

  /**
   * Every item that is in a discount now, with its normal price, which the end restores; `price` is what was live last, `sent`
   * what a job that is not settled sets.
   */
  discount_prices: `
    CREATE TABLE discount_prices (
      profile TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      item_id INTEGER NOT NULL,
      normal INTEGER NOT NULL,
      price INTEGER NOT NULL,
      sent INTEGER,
      job_id INTEGER REFERENCES jobs (id),
      sure_at INTEGER,
      PRIMARY KEY (profile, user_id, item_id)
    ) STRICT, WITHOUT ROWID;`,

  /** Which jobs belong to discounts, and whether their rows are recorded here. */
  discount_jobs: `
    CREATE TABLE discount_jobs (
      job_id INTEGER PRIMARY KEY REFERENCES jobs (id),
      discount_id INTEGER REFERENCES discounts (id),
      part TEXT NOT NULL,
      settled INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX discount_jobs_by_discount ON discount_jobs (discount_id);`,

  /** Normal prices that a job has changed during a discount. */
  discount_changes: `
    CREATE TABLE discount_changes (
      job_id INTEGER NOT NULL REFERENCES jobs (id),
      item_id INTEGER NOT NULL,
      normal_from INTEGER NOT NULL,
      normal_to INTEGER NOT NULL,
      PRIMARY KEY (job_id, item_id)
    ) STRICT, WITHOUT ROWID;`,

  /** Runs over several shops, and the job or the discount of each shop, once it has one. Pruning takes those. */
  shop_runs: `
    CREATE TABLE shop_runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      command TEXT NOT NULL,
      call TEXT,
      moves TEXT,
      at INTEGER NOT NULL,
      owner TEXT NOT NULL
    ) STRICT;`,

  shop_run_shops: `
    CREATE TABLE shop_run_shops (
      run_id INTEGER NOT NULL REFERENCES shop_runs (id),
      profile TEXT NOT NULL,
      job_id INTEGER,
      discount_id INTEGER,
      ended INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (run_id, profile)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX shop_run_shops_by_profile ON shop_run_shops (profile);`,

  /**
   * Signs of life, each with its last time: runs of jobs:due, backups, timers that were shown. `profile` is empty for those of no
   * profile.
   */
  signs: `
    CREATE TABLE signs (
      profile TEXT NOT NULL,
      name TEXT NOT NULL,
      at INTEGER NOT NULL,
      -- JSON
      detail TEXT,
      PRIMARY KEY (profile, name)
    ) STRICT, WITHOUT ROWID;`,

  /** Jobs that were open in a copy of the ledger when it was restored: they wait for the seller, and not for jobs:due. */
  restored_jobs: `
    CREATE TABLE restored_jobs (
      job_id INTEGER PRIMARY KEY REFERENCES jobs (id),
      at INTEGER NOT NULL
    ) STRICT;`,

  /**
   * Jobs that send so many calls a day: `sent` are those since the last pause of a day, `last_at` is when the last of them was
   * made. `not_before` is set where the service or a budget has refused more, or only results are still to come.
   */
  paced_jobs: `
    CREATE TABLE paced_jobs (
      job_id INTEGER PRIMARY KEY REFERENCES jobs (id),
      per_day INTEGER NOT NULL,
      sent INTEGER NOT NULL,
      last_at INTEGER,
      not_before INTEGER
    ) STRICT;`,

  /**
   * The time for which a shop is closed, the latest of each; `user_id` is 0 where the profile names none. `before` is how the
   * shop was, as JSON, written before it is closed. `next_at` is when there is something to do, null when never again.
   */
  shop_closings: `
    CREATE TABLE shop_closings (
      profile TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      starts_at INTEGER NOT NULL,
      ends_at INTEGER NOT NULL,
      message TEXT,
      state TEXT NOT NULL,
      before TEXT,
      created_at INTEGER NOT NULL,
      closed_at INTEGER,
      ended_at INTEGER,
      next_at INTEGER,
      tries INTEGER NOT NULL DEFAULT 0,
      changed_at INTEGER NOT NULL,
      PRIMARY KEY (profile, user_id)
    ) STRICT, WITHOUT ROWID;`,

  /** Numbers in stock as they were last read, packed as prices are, and those that fell since: [[item, before, after, time]]. */
  stock_shops: `
    CREATE TABLE stock_shops (
      profile TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      items INTEGER NOT NULL,
      numbers BLOB NOT NULL,
      falls TEXT NOT NULL,
      PRIMARY KEY (profile, user_id)
    ) STRICT, WITHOUT ROWID;`,

  /** Which process works on the discounts of a shop. */
  discount_claims: `
    CREATE TABLE discount_claims (
      profile TEXT NOT NULL,
      user_id INTEGER NOT NULL,
      owner TEXT NOT NULL,
      beat INTEGER NOT NULL,
      PRIMARY KEY (profile, user_id)
    ) STRICT, WITHOUT ROWID;`,
} as const
