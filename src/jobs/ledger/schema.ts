/**
 * The ledger's tables, as migrations. Each is applied once, in one transaction that also raises `user_version`. Never edit a
 * migration that was released; append another. Times are ms since 1970; texts of states are those of the interfaces.
 */
import { BATCH_SENT_AT, BULK_MIGRATIONS, BULK_ROWIDS, BULK_TITLES } from './bulk-schema.js'
import { SALES } from './sales-schema.js'
import { SCHEDULED_SALES } from './scheduled-sales-schema.js'

const CORE = `
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
`

/**
 * Calls to the sandbox inside the process are counted separately, because its application id may equal a real one. Only the
 * profile "sandbox" makes them.
 */
const SANDBOX_CALLS = `
  ALTER TABLE calls ADD COLUMN sandbox INTEGER NOT NULL DEFAULT 0;
  UPDATE calls SET sandbox = 1 WHERE profile = 'sandbox';
  DROP INDEX calls_by_application;
  CREATE INDEX calls_by_application ON calls (app_id, sandbox, at);
`

/** Own references and start of an item that a single call added, as JSON. Later additions are compared with them. */
const ADDED = 'ALTER TABLE requests ADD COLUMN adds TEXT'

/** References of electronic-ID sessions, stored when they begin. */
const EID_SESSIONS = `
  CREATE TABLE eid_sessions (
    order_ref TEXT PRIMARY KEY,
    profile TEXT NOT NULL,
    user_id INTEGER,
    begun_at INTEGER NOT NULL,
    ended_at INTEGER,
    outcome TEXT
  ) STRICT;
`

/**
 * Old calls are deleted by age. Without this index, each command that makes calls reads all of them (0.2 s with a long history).
 */
const CALLS_BY_AGE = 'CREATE INDEX calls_by_age ON calls (at)'

/** What items cost: a row for each time from which values hold, öre. An item has an id, or an own reference and the id 0. */
const COSTS = `
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
`

/** Prices that were seen in live lists: all of a shop as they are, and what each reading found changed. The blobs are packed by jobs/history. */
const PRICE_HISTORY = `
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
`

/** Titles of the items of a sale, where the live list had them when it was made. */
const SALE_TITLES = 'ALTER TABLE sale_items ADD COLUMN title TEXT'
/** Jobs of several kinds that are one for the seller: each is a part of a job that has no rows itself. */
const PARTS = `
  ALTER TABLE jobs ADD COLUMN part_of INTEGER REFERENCES jobs (id);
  CREATE INDEX jobs_by_whole ON jobs (part_of) WHERE part_of IS NOT NULL;
`

/** In order. The file's `user_version` is how many of them it has. */
export const MIGRATIONS: readonly string[] = [
  CORE,
  ...BULK_MIGRATIONS,
  SANDBOX_CALLS,
  ADDED,
  EID_SESSIONS,
  BULK_ROWIDS,
  CALLS_BY_AGE,
  COSTS,
  PRICE_HISTORY,
  SALES,
  SCHEDULED_SALES,
  BATCH_SENT_AT,
  BULK_TITLES,
  SALE_TITLES,
  PARTS,
]
