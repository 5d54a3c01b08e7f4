-- The tables of a ledger of version 0.2.0, as SQLite shows them.
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
  ms INTEGER, sandbox INTEGER NOT NULL DEFAULT 0) STRICT;
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
  lock_beat INTEGER, part_of INTEGER REFERENCES jobs (id)) STRICT;
CREATE INDEX jobs_by_state ON jobs (state);
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
  owner TEXT, adds TEXT) STRICT;
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
CREATE TABLE bulk_settings (
  profile TEXT NOT NULL,
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (profile, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_by_application ON calls (app_id, sandbox, at);
CREATE TABLE eid_sessions (
  order_ref TEXT PRIMARY KEY,
  profile TEXT NOT NULL,
  user_id INTEGER,
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  outcome TEXT
) STRICT;
CREATE TABLE bulk_batches (job_id INTEGER NOT NULL REFERENCES jobs (id), batch INTEGER NOT NULL, first_row INTEGER NOT NULL, count INTEGER NOT NULL,
  lines BLOB NOT NULL, ids BLOB NOT NULL, prices BLOB, old_prices BLOB, payloads TEXT, old_payloads TEXT, own_references TEXT, extras TEXT, titles TEXT, PRIMARY KEY (job_id, batch)) STRICT;
CREATE TABLE bulk_states (job_id INTEGER NOT NULL REFERENCES jobs (id), batch INTEGER NOT NULL, unsent INTEGER NOT NULL, sending INTEGER NOT NULL, queued INTEGER NOT NULL, ok INTEGER NOT NULL, failed INTEGER NOT NULL, retryable INTEGER NOT NULL, unknown INTEGER NOT NULL, held INTEGER NOT NULL,
  states BLOB NOT NULL, request_ids BLOB NOT NULL, item_ids BLOB, reasons TEXT, skipped INTEGER NOT NULL DEFAULT 0, sent_at INTEGER, PRIMARY KEY (job_id, batch)) STRICT;
CREATE INDEX calls_by_age ON calls (at);
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
  UNIQUE (profile, user_id)
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
  reason TEXT, title TEXT,
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
CREATE INDEX jobs_by_whole ON jobs (part_of) WHERE part_of IS NOT NULL;
PRAGMA application_id = 1397050450;
PRAGMA user_version = 16;
