/** The ledger: one SQLite file, used by several processes at once. */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../soap/client/index.js'
import { type Store, sqliteFault } from '../../system/sqlite.js'
import { type Calls, openCalls } from './calls.js'
import { LedgerError } from './errors.js'
import { type Jobs, openJobs } from './jobs.js'
import { openRequests, type Requests } from './requests.js'
import { MIGRATIONS } from './schema.js'
import { ledgerError, openStore } from './store.js'

export interface Ledger {
  readonly path: string
  readonly clock: Clock
  /** Every call made, for the budget. */
  readonly calls: Calls
  /** Every queued request. */
  readonly requests: Requests
  /** Jobs of several steps or rows. */
  readonly jobs: Jobs
  /** The connection with full sync, for engines with tables of their own. */
  readonly store: Store
  /** Releases the jobs this process holds, folds the log into the file where nobody else has it open, and closes it. */
  close(): void
}

/** Marks a database as this tool's: "SELR" in the file's header (PRAGMA application_id). */
const APPLICATION_ID = 0x53_45_4c_52

/**
 * Opens the ledger, making file (mode 0600) and directory (mode 0700) when they are not there, and bringing an older file up to date.
 * The database driver is loaded here, about 20 ms. Several processes may have the file open; close() when done.
 * @throws LedgerError for a file that cannot be used; it names the file, and the file is left as it is
 */
export function openLedger(path: string, clock: Clock): Ledger {
  makePrivate(path)
  const store = openStore(path, 'power')
  try {
    refuseForeign(store, path)
    store.useWriteAheadLog()
    migrate(store, path, MIGRATIONS)
  } catch (error) {
    store.close()
    throw error
  }
  const requests = openRequests(store, clock)
  // What a killed process left "sending" is told as unknown from now on.
  requests.markAbandoned()
  const calls = openCalls(path, clock)
  const jobs = openJobs(store, clock)
  return {
    path,
    clock,
    store,
    calls,
    requests,
    jobs,
    close() {
      jobs.close()
      calls.close()
      if (store.open) store.foldLog()
      store.close()
    },
  }
}

/**
 * SQLite gives its -wal and -shm files the mode of the main file, so that one is made before SQLite sees it. One that is there is not opened:
 * closing any descriptor of a file drops all locks that this process has on it (POSIX), also those of a connection that is open, or that the
 * driver keeps until its statements are collected; another process would then take away the log under it.
 */
function makePrivate(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) makeFile(path)
    // A directory: the system says so best.
    else if (!stats.isFile()) closeSync(openSync(path, 'a'))
    else if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
  } catch (error) {
    const fault = sqliteFault(path, error)
    throw fault === undefined ? error : ledgerError(fault)
  }
}

function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process made it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function pragma(store: Store, name: 'application_id' | 'user_version'): number {
  return store.first<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0
}

function refuseForeign(store: Store, path: string): void {
  const tables = store.first<{ n: number }>('SELECT count(*) AS n FROM sqlite_master')?.n ?? 0
  // Read after the tables: another process may be making them, and both appear at once.
  const id = pragma(store, 'application_id')
  if (id === APPLICATION_ID || (id === 0 && tables === 0)) return
  throw new LedgerError(
    'foreign',
    path,
    `${path} is a database of another program, not a ledger.`,
    'It was left as it is. Name another directory in SELLER_DATA_DIR, or move the file.',
  )
}

/**
 * Applies what the file lacks, in one transaction that also raises `user_version`: of two processes that open a new file at once, the
 * second finds the work done.
 * @throws LedgerError kind `newer` for a file of a later version of this tool
 */
export function migrate(store: Store, path: string, migrations: readonly string[]): void {
  const refuseNewer = (version: number) => {
    if (version <= migrations.length) return
    throw new LedgerError(
      'newer',
      path,
      `The ledger ${path} was written by a newer version of this tool (layout ${version}).`,
      `This version knows layouts up to ${migrations.length}. Use the newer version, or name another directory in SELLER_DATA_DIR.`,
    )
  }
  const version = pragma(store, 'user_version')
  refuseNewer(version)
  if (version === migrations.length) return
  store.transaction(() => {
    const present = pragma(store, 'user_version')
    refuseNewer(present)
    for (const sql of migrations.slice(present)) store.exec(sql)
    store.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`)
  })
}
