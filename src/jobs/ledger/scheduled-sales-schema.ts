/**
 * Tables of sales with a start and an end. Times are ms since 1970, prices kronor; `user_id` is 0 where the profile names none.
 *
 * sales: one row each; `next_at` is when there is something to do for it, null when never again. sale_items: the items of a sale and how far each
 * has come. sale_prices: every item that is in a sale now, with its normal price, which the end restores; `price` is what was live last, `sent` what
 * a job that is not settled sets. sale_jobs: which jobs belong to sales, and whether their rows are recorded here. sale_changes: normal prices that
 * a job has changed during a sale. sale_claims: which process works on the sales of a shop.
 */
export const SCHEDULED_SALES = `
  CREATE TABLE sales (
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
  CREATE INDEX sales_by_next ON sales (profile, user_id, next_at) WHERE next_at IS NOT NULL;

  CREATE TABLE sale_items (
    sale_id INTEGER NOT NULL REFERENCES sales (id),
    item_id INTEGER NOT NULL,
    line INTEGER NOT NULL,
    own_reference TEXT,
    before INTEGER,
    price INTEGER NOT NULL,
    allow INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    PRIMARY KEY (sale_id, item_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sale_items_on ON sale_items (item_id) WHERE state = 'on';

  CREATE TABLE sale_prices (
    profile TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    item_id INTEGER NOT NULL,
    normal INTEGER NOT NULL,
    price INTEGER NOT NULL,
    sent INTEGER,
    job_id INTEGER REFERENCES jobs (id),
    sure_at INTEGER,
    PRIMARY KEY (profile, user_id, item_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sale_jobs (
    job_id INTEGER PRIMARY KEY REFERENCES jobs (id),
    sale_id INTEGER REFERENCES sales (id),
    part TEXT NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX sale_jobs_by_sale ON sale_jobs (sale_id);

  CREATE TABLE sale_changes (
    job_id INTEGER NOT NULL REFERENCES jobs (id),
    item_id INTEGER NOT NULL,
    normal_from INTEGER NOT NULL,
    normal_to INTEGER NOT NULL,
    PRIMARY KEY (job_id, item_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sale_claims (
    profile TEXT NOT NULL,
    user_id INTEGER NOT NULL,
    owner TEXT NOT NULL,
    beat INTEGER NOT NULL,
    PRIMARY KEY (profile, user_id)
  ) STRICT, WITHOUT ROWID;
`
