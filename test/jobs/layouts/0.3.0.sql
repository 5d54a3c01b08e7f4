-- The tables of version 0.3.0.
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
CREATE INDEX calls_by_age ON calls (at);
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
CREATE INDEX jobs_by_whole ON jobs (part_of) WHERE part_of IS NOT NULL;
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
CREATE INDEX requests_by_job ON requests (job_id) WHERE job_id IS NOT NULL;
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
) STRICT, WITHOUT ROWID;
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
) STRICT;
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
  reasons TEXT,
  -- Rows whose item is not live: they are neither held nor failed.
  skipped INTEGER NOT NULL DEFAULT 0,
  -- When the rows were first sent: a job may be resumed days after it was made, and its prices hold from then on.
  sent_at INTEGER,
  PRIMARY KEY (job_id, batch)
) STRICT;
CREATE TABLE bulk_settings (
  profile TEXT NOT NULL,
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (profile, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE eid_sessions (
  order_ref TEXT PRIMARY KEY,
  profile TEXT NOT NULL,
  user_id INTEGER,
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  outcome TEXT
) STRICT;
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
) STRICT, WITHOUT ROWID;
CREATE TABLE own_references (
  profile TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  reference TEXT NOT NULL,
  item_id INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (profile, user_id, reference)
) STRICT, WITHOUT ROWID;
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
) STRICT;
CREATE TABLE price_folds (
  profile TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  -- Days since 1970, UTC.
  day INTEGER NOT NULL,
  mark TEXT NOT NULL,
  moves BLOB NOT NULL,
  PRIMARY KEY (profile, user_id, day)
) STRICT;
CREATE TABLE price_readings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  shop_id INTEGER NOT NULL REFERENCES price_shops (id),
  at INTEGER NOT NULL,
  last_job INTEGER NOT NULL,
  whole INTEGER NOT NULL,
  count INTEGER NOT NULL,
  moves BLOB NOT NULL
) STRICT;
CREATE INDEX price_readings_by_shop ON price_readings (shop_id, id);
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
  order_id INTEGER,
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
CREATE TABLE orders (
  shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
  id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (shop_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX orders_by_creation ON orders (shop_id, created_at);
CREATE INDEX orders_by_change ON orders (shop_id, updated_at);
CREATE TABLE order_people (
  shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
  id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  body TEXT,
  PRIMARY KEY (shop_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX order_people_by_end ON order_people (until_at);
CREATE TABLE order_ranges (
  shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  PRIMARY KEY (shop_id, from_at)
) STRICT, WITHOUT ROWID;
CREATE TABLE order_marks (
  shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
  id INTEGER NOT NULL,
  paid INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 0,
  gone INTEGER NOT NULL DEFAULT 0,
  marked_at INTEGER NOT NULL,
  PRIMARY KEY (shop_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE exported_orders (
  shop_id INTEGER NOT NULL REFERENCES sales_shops (id),
  form TEXT NOT NULL,
  id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  file TEXT NOT NULL,
  half TEXT,
  inode TEXT,
  owner TEXT,
  PRIMARY KEY (shop_id, form, id)
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
CREATE INDEX discounts_by_next ON discounts (profile, user_id, next_at) WHERE next_at IS NOT NULL;
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
CREATE INDEX discount_items_by_line ON discount_items (discount_id, line);
CREATE INDEX discount_items_on ON discount_items (item_id) WHERE state = 'on';
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
) STRICT, WITHOUT ROWID;
CREATE TABLE discount_jobs (
  job_id INTEGER PRIMARY KEY REFERENCES jobs (id),
  discount_id INTEGER REFERENCES discounts (id),
  part TEXT NOT NULL,
  settled INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX discount_jobs_by_discount ON discount_jobs (discount_id);
CREATE TABLE discount_changes (
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  item_id INTEGER NOT NULL,
  normal_from INTEGER NOT NULL,
  normal_to INTEGER NOT NULL,
  PRIMARY KEY (job_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE shop_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  command TEXT NOT NULL,
  call TEXT,
  moves TEXT,
  at INTEGER NOT NULL,
  owner TEXT NOT NULL
) STRICT;
CREATE TABLE shop_run_shops (
  run_id INTEGER NOT NULL REFERENCES shop_runs (id),
  profile TEXT NOT NULL,
  job_id INTEGER,
  discount_id INTEGER,
  ended INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run_id, profile)
) STRICT, WITHOUT ROWID;
CREATE INDEX shop_run_shops_by_profile ON shop_run_shops (profile);
CREATE TABLE discount_claims (
  profile TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  owner TEXT NOT NULL,
  beat INTEGER NOT NULL,
  PRIMARY KEY (profile, user_id)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = 1397050450;
PRAGMA user_version = 23;
