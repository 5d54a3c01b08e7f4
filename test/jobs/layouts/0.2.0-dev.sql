-- The tables of a ledger of version 0.1.0, as SQLite shows them.
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
  ms INTEGER
) STRICT;
CREATE INDEX calls_by_application ON calls (app_id, at);
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
  lock_beat INTEGER
) STRICT;
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
  owner TEXT
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
  PRIMARY KEY (job_id, batch)
) STRICT, WITHOUT ROWID;
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
  reasons TEXT, skipped INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (job_id, batch)
) STRICT, WITHOUT ROWID;
CREATE TABLE bulk_settings (
  profile TEXT NOT NULL,
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (profile, name)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = 1397050450;
PRAGMA user_version = 3;
