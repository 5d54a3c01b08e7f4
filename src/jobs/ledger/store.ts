/**
 * One connection to a SQLite file, made safe for this driver. Measured on libsql 0.5.29: a row iterator left open makes the next write
 * of the same connection fail, `get` puts `_metadata` into its rows, and binding a boolean ends the process; so rows are always read
 * to their end, parameters always go as one array, and booleans are no parameters.
 */
import { createRequire } from 'node:module'
import type { Database, Statement } from 'libsql'
import { LedgerError } from './errors.js'

/** What a statement's `?` may hold. */
export type SqlValue = string | number | null | Uint8Array

export interface RunInfo {
  /** Rows inserted, updated or deleted. */
  readonly changes: number
  /** Row id of the last insert of this connection. */
  readonly id: number
}

export interface Store {
  /** All rows, read to the end. A blob comes as ArrayBuffer. @throws LedgerError */
  all<T>(sql: string, ...values: readonly SqlValue[]): T[]
  /** The first row; ask for one row only (LIMIT 1), all are read. @throws LedgerError */
  first<T>(sql: string, ...values: readonly SqlValue[]): T | undefined
  /** @throws LedgerError */
  run(sql: string, ...values: readonly SqlValue[]): RunInfo
  /** One or several statements without parameters. @throws LedgerError */
  exec(sql: string): void
  /** Runs `work` in one immediate transaction; inside another one, as part of that. Rolled back when it throws. @throws LedgerError */
  transaction<T>(work: () => T): T
  close(): void
}

/** How long a writer waits for another process's transaction, ms. Transactions here last milliseconds. */
const BUSY_TIMEOUT_MS = 10_000
/** Between two tries where SQLite does not wait by itself, ms. */
const BUSY_PAUSE_MS = 5

type DatabaseClass = new (path: string) => Database

// The driver is a native module of CommonJS, which takes 20 ms to load: `require` loads it when a ledger is opened, and synchronously.
const require = createRequire(import.meta.url)

/**
 * Opens a connection with a busy time-out and foreign keys on. `power`: a commit survives a power cut (a flush to disk each);
 * `process`: it survives kill -9, and after a power cut the last ones may be missing, never half (WAL with NORMAL sync).
 * @throws LedgerError
 */
export function openStore(path: string, durability: 'power' | 'process'): Store {
  const store = guard(path, () => new SqliteStore(path, new (require('libsql') as DatabaseClass)(path)))
  try {
    store.all(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    store.all('PRAGMA foreign_keys = ON')
    store.all(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`)
  } catch (error) {
    store.close()
    throw error
  }
  return store
}

/**
 * Sets the write-ahead log, which stays a property of the file. Two processes that open a new file at once meet here, and SQLite
 * refuses one of them without waiting (it cannot upgrade its lock), so this waits itself.
 * @throws LedgerError
 */
export function useWriteAheadLog(store: Store): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; ; waited += BUSY_PAUSE_MS) {
    try {
      store.all('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!(error instanceof LedgerError && error.kind === 'busy') || waited > BUSY_TIMEOUT_MS) throw error
      Atomics.wait(pause, 0, 0, BUSY_PAUSE_MS)
    }
  }
}

class SqliteStore implements Store {
  readonly #path: string
  readonly #database: Database
  /** Statements are prepared once: their texts are few, and fixed in the code. */
  readonly #statements = new Map<string, Statement>()
  #depth = 0

  constructor(path: string, database: Database) {
    this.#path = path
    this.#database = database
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  all<T>(sql: string, ...values: readonly SqlValue[]): T[] {
    return guard(this.#path, () => this.#statement(sql).all(values) as T[])
  }

  first<T>(sql: string, ...values: readonly SqlValue[]): T | undefined {
    return this.all<T>(sql, ...values)[0]
  }

  run(sql: string, ...values: readonly SqlValue[]): RunInfo {
    return guard(this.#path, () => {
      const info = this.#statement(sql).run(values)
      return { changes: info.changes, id: Number(info.lastInsertRowid) }
    })
  }

  exec(sql: string): void {
    guard(this.#path, () => this.#database.exec(sql))
  }

  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    this.exec('BEGIN IMMEDIATE')
    this.#depth += 1
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (error) {
      try {
        this.#database.exec('ROLLBACK')
      } catch {
        // SQLite has rolled back by itself (disk full, I/O error): the first error tells why.
      }
      throw error
    } finally {
      this.#depth -= 1
    }
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }
}

/** Turns the driver's errors about the file into ours; any other is a mistake of this program and stays as it is. */
function guard<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw ledgerError(path, error) ?? error
  }
}

/**
 * What an error of the driver or of the file system says about the file; undefined for one that says nothing about it.
 * Codes: https://www.sqlite.org/rescode.html; the driver gives its own texts where SQLite could not open at all.
 */
export function ledgerError(path: string, error: unknown): LedgerError | undefined {
  if (!(error instanceof Error) || error instanceof LedgerError) return undefined
  const code = String((error as { code?: unknown }).code ?? '')
  const named = `The ledger ${path}`
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    return new LedgerError('damaged', path, `${named} is damaged: ${error.message}.`, {
      hint: 'It was left as it is. Move it and its -wal and -shm files aside to begin a new ledger; keep them, they hold the record of what was sent.',
      cause: error,
    })
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new LedgerError('busy', path, `${named} was held by another process for more than ${BUSY_TIMEOUT_MS / 1000} s.`, {
      hint: 'Wait until the other command has ended, or end it, then try again.',
      cause: error,
    })
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return new LedgerError('full', path, `${named} cannot grow: the disk is full.`, {
      hint: 'Nothing is sent that cannot be recorded first. Free some space and try again.',
      cause: error,
    })
  }
  if (
    /^SQLITE_(CANTOPEN|READONLY|PERM|IOERR|AUTH)/.test(code) ||
    /^E[A-Z]+$/.test(code) ||
    /ConnectionFailed/.test(error.message)
  ) {
    const reason = /^E[A-Z]+$/.test(code) ? code : error.message
    return new LedgerError('unreadable', path, `${named} cannot be opened or written: ${reason}.`, {
      hint: 'Check who owns the file and its directory, or name another directory in SELLER_DATA_DIR.',
      cause: error,
    })
  }
  return undefined
}
