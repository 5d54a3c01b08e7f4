/** The ledger: one SQLite file, used by several processes at once. */
import { randomInt } from 'node:crypto'
import { chmodSync, closeSync, copyFileSync, existsSync, mkdtempSync, openSync, rmSync, type Stats, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { blank, run, say } from '../../messages/index.js'
import type { Clock } from '../../soap/client/index.js'
import { makeDirectories } from '../../system/directory.js'
import { type Store, sqliteFault, whenReleased } from '../../system/sqlite.js'
import { copyBeforeUpgrade } from '../../system/upgrade-copy.js'
import { Calls } from './calls.js'
import { type Closings, openClosings } from './closings.js'
import { type Costs, openCosts } from './costs.js'
import { type Discounts, openDiscounts } from './discounts.js'
import { type EidSessions, openEidSessions } from './eid-sessions.js'
import { LedgerError } from './errors.js'
import { Jobs } from './jobs.js'
import { LAYOUT_VERSION, TABLES } from './layout.js'
import { endLog, logBefore, refuseOtherLog } from './log.js'
import { removeAllPeople, removeExpiredPeople } from './orders.js'
import { openPriceHistory, type PriceHistory } from './price-history.js'
import { Requests } from './requests.js'
import { openShopRuns, type ShopRuns } from './shop-runs.js'
import { openSigns, type Signs } from './signs.js'
import { ledgerError, openStore } from './store.js'
import { beingRestored, endLeftSwap, isSwapping } from './swap.js'
import { UPGRADES } from './upgrades.js'

export interface Ledger {
  readonly path: string
  readonly clock: Clock
  /** A number that it keeps for ever, by which others know it; a copy has the same. */
  readonly id: () => number
  /** as found; emptied: the file existed but was empty, so records may be lost; copy: a copy, opened only for reading. */
  readonly state: 'as found' | 'emptied' | 'copy'
  /** Every call, for the budget. */
  readonly calls: Calls
  /** Every queued request. */
  readonly requests: Requests
  /** Jobs of several steps or rows. */
  readonly jobs: Jobs
  /** Electronic-ID sessions that were begun here. */
  readonly eidSessions: EidSessions
  /** Discounts with a start and an end. */
  readonly discounts: Discounts
  /** Times for which shops are closed. */
  readonly closings: Closings
  /** Runs over several shops. */
  readonly shopRuns: ShopRuns
  /** Costs of items. */
  readonly costs: Costs
  /** Prices that were seen in live lists. */
  readonly history: PriceHistory
  /** When what runs unattended was last seen. */
  readonly signs: Signs
  /** The connection with full sync, for engines that have their own tables. */
  readonly store: Store
  /**
   * Releases the jobs that this process holds, folds the log into the file where more than counts was written, and lets go of it
   * (log.ts).
   */
  close(): void
}

/** The setting that holds the ledger's own number, of no profile. */
const LEDGER_ID = 'ledger_id'

function ensureId(store: Store): number {
  const key = { profile: '', name: LEDGER_ID }
  store.insert('bulk_settings', { ...key, value: randomInt(1, 2 ** 48 - 1) }, 'ON CONFLICT DO NOTHING')
  return store.number('SELECT value FROM bulk_settings WHERE profile = ? AND name = ?', '', LEDGER_ID)
}

/** Time for which a new file may be empty, until its first commit, ms. One that is empty for longer was emptied. */
const EMPTY_FOR_MS = 60_000

/** Marks a database as this tool's: "SELR" in the file's header (PRAGMA application_id). */
export const APPLICATION_ID = 0x53_45_4c_52

/**
 * Opens the ledger. Creates the file (mode 0600) and the directory (mode 0700) if they do not exist, and upgrades an older file.
 * Loads the database driver, which takes about 20 ms. Several processes may have the file open; call close() when done.
 * @throws LedgerError for a file that cannot be used. It names the file, which stays as it is.
 */
export function openLedger(path: string, clock: Clock): Ledger {
  endLeftSwap(path, clock.now())
  const emptied = makePrivate(path, clock.now())
  const before = logBefore(path)
  const store = openStore(path, 'power')
  const requests = new Requests(store, clock)
  let isMade: boolean
  try {
    refuseForeign(store, path)
    store.useWriteAheadLog()
    // From here on, nobody replaces the file while it is open. It may have been replaced until here.
    const isOther = before.file !== undefined && statSync(path, { throwIfNoEntry: false })?.ino !== before.file.ino
    if (isSwapping(path) || isOther) throw beingRestored(path)
    isMade = layOut(store, path)
    refuseIncomplete(store, path)
    refuseOtherLog(store, before)
    // Marks requests as unknown that a killed process left in the state "sending".
    requests.markAbandoned()
    removeExpiredPeople(store, clock.now())
  } catch (error) {
    store.closeAsItIs()
    throw error
  }
  const calls = new Calls(path, clock)
  const jobs = new Jobs(store, clock)
  return {
    path,
    clock,
    id: () => ensureId(store),
    state: emptied ? 'emptied' : 'as found',
    store,
    calls,
    requests,
    jobs,
    eidSessions: openEidSessions(store, clock),
    discounts: openDiscounts(store, clock),
    closings: openClosings(store, clock),
    shopRuns: openShopRuns(store, clock),
    costs: openCosts(store),
    history: openPriceHistory(store),
    signs: openSigns(store, clock),
    close() {
      jobs.close()
      calls.close()
      endLog(store, isMade)
    },
  }
}

/**
 * Opens the ledger for reading. If it cannot be written (a read-only disk, another user's file), it opens a copy in the directory
 * for temporary files, which is removed on close.
 * @throws LedgerError if it cannot be read either
 */
export function openLedgerToRead(path: string, clock: Clock): Ledger {
  try {
    return openLedger(path, clock)
  } catch (error) {
    if (!(error instanceof LedgerError && error.kind === 'unreadable')) throw error
    const directory = mkdtempSync(join(tmpdir(), 'seller-ledger-'))
    const remove = () => rmSync(directory, { recursive: true, force: true })
    try {
      const copy = join(directory, 'ledger.db')
      if (!existsSync(path)) throw error
      copyAsItIs(path, copy)
      const ledger = openLedger(copy, clock)
      const close = () => {
        ledger.close()
        try {
          remove()
        } catch {
          // Windows removes no file that is open.
          void whenReleased(copy).then(remove)
        }
      }
      return { ...ledger, path, state: 'copy', close }
    } catch (failure) {
      remove()
      throw failure instanceof LedgerError ? failure : error
    }
  }
}

/**
 * SQLite copies a file that another process writes as it is at one moment. Without the index of its log (-shm) no process has the
 * file open, and SQLite, which would have to make one, cannot read it: then nothing changes while the file and its log are
 * copied.
 */
export function copyAsItIs(path: string, copy: string): void {
  makeFile(copy)
  if (existsSync(`${path}-shm`)) {
    const store = openStore(path, 'process')
    try {
      // By exec alone: a prepared statement would keep the file open after its end.
      store.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`)
    } finally {
      store.close()
    }
    return
  }
  // The log holds what is not merged into the file yet.
  for (const end of ['', '-wal'].filter((one) => existsSync(path + one))) {
    copyFileSync(path + end, copy + end)
    chmodSync(copy + end, 0o600)
  }
}

/** Another process may have created an empty file just now. One that has been there for a while was emptied. */
function wasEmptied(path: string, stats: Stats, now: number): boolean {
  return stats.size === 0 && now - stats.mtimeMs > EMPTY_FOR_MS && !existsSync(`${path}-wal`)
}

/**
 * SQLite gives its -wal and -shm files the mode of the main file, so the main file is created before SQLite sees it. An existing
 * file is not opened: closing any descriptor of a file drops all locks that this process has on it (POSIX), including those of a
 * connection that is open, or that the driver keeps until its statements are collected. Another process could then remove the log
 * while we use it.
 * @returns whether the file existed and had been emptied
 */
function makePrivate(path: string, now: number): boolean {
  try {
    makeDirectories(dirname(path), 0o700)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) makeFile(path)
    else if (!stats.isFile()) throw notAFile(path, stats)
    else if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
    return stats !== undefined && wasEmptied(path, stats, now)
  } catch (error) {
    if (error instanceof LedgerError) throw error
    const fault = sqliteFault(path, error)
    throw fault === undefined ? error : ledgerError(fault)
  }
}

/** SQLite would wait for ever for the other end of a FIFO. */
function notAFile(path: string, stats: Stats): LedgerError {
  const what = stats.isDirectory() ? 'a directory' : stats.isFIFO() ? 'a FIFO' : 'no regular file'
  return new LedgerError(
    'unreadable',
    path,
    `The ledger ${path} cannot be opened: it is ${what}.`,
    'Move it away, or set SELLER_DATA_DIR to another directory.',
  )
}

function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process created it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function refuseForeign(store: Store, path: string): void {
  const tables = store.number('SELECT count(*) FROM sqlite_master')
  // Read after the tables: another process may be creating them, and both appear at once.
  const id = store.number('PRAGMA application_id')
  if (id === APPLICATION_ID || (id === 0 && tables === 0)) return
  throw new LedgerError(
    'foreign',
    path,
    `${path} is a database of another program, not a ledger.`,
    'The file was not changed. Set SELLER_DATA_DIR to another directory, or move the file.',
  )
}

/**
 * Makes the tables of a new file, or upgrades those of an older version, in one transaction that also sets `user_version`. Of two
 * processes that open a file at once, the second finds the work done. A file is copied before it is upgraded.
 * @returns whether it did so
 * @throws LedgerError kind `newer` for a file of a later version of this tool
 */
function layOut(store: Store, path: string): boolean {
  // Read before the version: another process may be creating them, and both appear at once.
  const tables = listTables(store)
  const version = readLayout(store, path)
  if (version === LAYOUT_VERSION) return false
  if (version === 0 && tables.length > 0) throw incomplete(path, 'it has tables and no layout version')
  if (version > 0) copyBeforeUpgrade(store, version, (copy) => removePeopleFrom(copy, store))
  store.transaction(() => {
    const layout = readLayout(store, path)
    if (layout === LAYOUT_VERSION) return
    const upgrade = UPGRADES[layout]
    store.exec(upgrade?.sql ?? '')
    store.exec(
      missingTables(store)
        .map((name) => TABLES[name])
        .join(''),
    )
    upgrade?.rows?.(store)
    store.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${LAYOUT_VERSION}`)
  })
  return true
}

/** The layout of the file, 0 for a new one. @throws LedgerError for one that cannot be upgraded */
function readLayout(store: Store, path: string): number {
  const version = store.number('PRAGMA user_version')
  if (version === 0 || version === LAYOUT_VERSION || UPGRADES[version] !== undefined) return version
  if (version < LAYOUT_VERSION) throw incomplete(path, `no version of this tool writes layout ${version}`)
  throw new LedgerError(
    'newer',
    path,
    `The ledger ${path} was written by a newer version of this tool (layout ${version}).`,
    `This version knows layouts up to ${LAYOUT_VERSION}. Use the newer version, or set SELLER_DATA_DIR to another directory.`,
  )
}

/** The copy that an upgrade leaves stays for long, so it has no people. */
function removePeopleFrom(copy: string, of: Store): void {
  const store = openStore(copy, 'power')
  try {
    removeAllPeople(store, of)
  } finally {
    store.close()
  }
}

function listTables(store: Store): string[] {
  return store.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name)
}

/** Tables that the file does not have, in the order in which they can be made. */
function missingTables(store: Store): (keyof typeof TABLES)[] {
  const tables = new Set(listTables(store))
  return (Object.keys(TABLES) as (keyof typeof TABLES)[]).filter((name) => !tables.has(name))
}

/** A missing table took its records with it, so it is not created again as if it had been empty. */
function refuseIncomplete(store: Store, path: string): void {
  const missing = missingTables(store)
  if (missing.length > 0)
    throw incomplete(path, `it lacks ${missing.length === 1 ? 'the table' : 'the tables'} ${missing.join(', ')}`)
}

function incomplete(path: string, why: string): LedgerError {
  return new LedgerError(
    'damaged',
    path,
    `The ledger ${path} is incomplete: ${why}.`,
    say`The file was not changed. Restore a copy with: ${run('ledger:restore', { file: blank('FILE') })}. To start a new ledger, move the file and its -wal and -shm files away. Keep them: they record what was sent.`,
  )
}
