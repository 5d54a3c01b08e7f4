/**
 * One connection to a SQLite file that several processes use at once. It works around these faults of libsql, the
 * engine on Node 20 and 22, measured on 0.5.29 and checked by test/system/libsql.test.ts:
 * - A boolean or a single buffer as parameter ends the whole process: parameters are passed as one array, booleans as 1 and 0.
 * - An iterator left open, or `run` of a statement that returns rows, keeps its view of the file: the next commit fails, or the
 * next
 *   write once another process has written. So rows are always read to their end, and `run` refuses such statements.
 * - A closed file stays open until its statements are collected: Windows neither moves nor removes it before (whenReleased).
 * - `get` adds `_metadata` to its row, and returns a blob as Buffer where `all` returns an ArrayBuffer. So `all` reads the first
 * row.
 */

import { closeSync, openSync, renameSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { steadyMs } from './clock.js'
import { errnoOf, errnoWords, whenFree } from './errno.js'
import { type Engine, openEngine, type Prepared } from './sqlite-driver.js'

/** Value of a statement's `?`. A boolean is stored as 1 or 0, undefined as null. */
export type SqlValue = string | number | boolean | null | undefined | Uint8Array

export interface RunInfo {
  /** Rows inserted, updated or deleted. */
  readonly changes: number
  /** Row id of the last insert of this connection. */
  readonly id: number
}

/**
 * Fault of the file. damaged: not a database, or a broken one; busy: another process held it for longer than BUSY_TIMEOUT_MS;
 * full: the disk has no space left; unusable: the file or its directory cannot be opened, read or written.
 */
export type SqliteFaultKind = 'damaged' | 'busy' | 'full' | 'unusable'

/** An error about the file, not about a statement. `cause` is the error of the driver or of the file system. */
export class SqliteFault extends Error {
  override readonly name = 'SqliteFault'

  constructor(
    readonly kind: SqliteFaultKind,
    readonly path: string,
    /** Why, in words: those of the system's code, or the driver's text. */
    readonly reason: string,
    cause: unknown,
  ) {
    super(`${path}: ${reason}`, { cause })
  }
}

export interface SqliteOptions {
  /**
   * `power`: a commit survives a power cut (a flush to disk each; on macOS one that the disk itself obeys, which fsync(2) there
   * does not ask for). `process`: it survives kill -9; a power cut may take the last ones, never half of one.
   */
  readonly durability: 'power' | 'process'
  /** True if SQLite enforces the references between tables. */
  readonly foreignKeys: boolean
  /** The error that callers see for an error about the file. */
  readonly errorOf: (fault: SqliteFault) => Error
}

/** Time that a writer waits for another process's transaction, ms. Transactions here last milliseconds. */
export const BUSY_TIMEOUT_MS = 10_000
/** Pause between two tries if SQLite does not wait by itself, ms. */
const BUSY_PAUSE_MS = 5
/**
 * A long work in pieces pauses for LET_IN_MS after so many ms of writing: a process that waits for the file looks for it every
 * 100 ms (sqliteDefaultBusyCallback).
 */
const LET_IN_AFTER_MS = 500
const LET_IN_MS = 110

/** Number of files that the driver opens: the database, its log and its index, and what its threads wait on (measured: 9). */
const FILES_NEEDED = 12

/** Connections to files that cannot be used, with a log next to them: one that is closed or collected folds it. */
const UNUSABLE: Engine[] = []

/** The driver ends the whole process where it can open no more files, so they are opened and closed first. @throws EMFILE */
function requireFiles(): void {
  const opened: number[] = []
  try {
    while (opened.length < FILES_NEEDED) opened.push(openSync(devNull, 'r'))
  } finally {
    for (const file of opened) closeSync(file)
  }
}

/** Waits until a file whose Store was closed can be moved or removed, on Windows; for about a second. */
export async function whenReleased(path: string): Promise<void> {
  if (process.platform !== 'win32') return
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')])
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Windows moves no open file, not even to where it is.
  await whenFree(async () => {
    collect()
    // Collected memory is returned in a later turn.
    await new Promise((resolve) => setTimeout(resolve))
    renameSync(path, path)
  }).catch(() => undefined)
}

/**
 * An open file. Every method throws the opener's error (`errorOf`) for faults of the file, and the driver's error for a wrong
 * statement.
 */
export class Store {
  readonly path: string
  /** Statements that a connection to the file begins with. */
  readonly settings: string
  readonly #database: Engine
  readonly #errorOf: SqliteOptions['errorOf']
  /** Statements are prepared once: their texts are few, and fixed in the code. */
  readonly #statements = new Map<string, Prepared>()
  readonly #rawStatements = new Map<string, Prepared>()
  #depth = 0
  /** Changes that `light` made. */
  #light = 0
  /** Spent in pieces since the last pause. */
  #inPiecesMs = 0

  /**
   * Opens or creates the file.
   * @throws what `errorOf` makes of it, if the file cannot be used
   */
  constructor(path: string, options: SqliteOptions) {
    this.path = path
    this.#errorOf = options.errorOf
    this.settings = `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
      PRAGMA foreign_keys = ${options.foreignKeys ? 'ON' : 'OFF'};
      PRAGMA synchronous = ${options.durability === 'power' ? 'FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON' : 'NORMAL'}`
    this.#database = this.#guard(() => {
      requireFiles()
      return openEngine(path)
    })
    try {
      this.exec(this.settings)
    } catch (error) {
      this.closeAsItIs()
      throw error
    }
  }

  get open(): boolean {
    return this.#database.open
  }

  /** All rows as objects. A blob comes as ArrayBuffer. */
  all<T>(sql: string, ...values: readonly SqlValue[]): T[] {
    return this.#guard(() => this.#statement(sql, this.#statements, false).all(bindable(values)) as T[])
  }

  /** All rows as arrays of columns: for long lists, 10 to 20% cheaper than objects. A blob comes as Buffer. */
  rows<T extends unknown[]>(sql: string, ...values: readonly SqlValue[]): T[] {
    return this.#guard(() => this.#statement(sql, this.#rawStatements, true).all(bindable(values)) as T[])
  }

  /** The first row. Add LIMIT 1 to the statement, because all rows are read. A blob comes as ArrayBuffer. */
  first<T>(sql: string, ...values: readonly SqlValue[]): T | undefined {
    return this.all<T>(sql, ...values)[0]
  }

  /** The first column of the first row, a number: a count, a sum, a setting. 0 where it is null or there is no row. */
  number(sql: string, ...values: readonly SqlValue[]): number {
    return this.rows<[number | null]>(sql, ...values)[0]?.[0] ?? 0
  }

  /**
   * Runs a statement that returns no rows.
   * @throws RangeError if it returns rows (SELECT, RETURNING); use `all` or `first`
   */
  run(sql: string, ...values: readonly SqlValue[]): RunInfo {
    return this.#guard(() => {
      const statement = this.#statement(sql, this.#statements, false)
      if (statement.reader) throw new RangeError(`This statement returns rows, run leaves it open: ${sql}`)
      const { changes, lastInsertRowid } = statement.run(bindable(values))
      return { changes: Number(changes), id: Number(lastInsertRowid) }
    })
  }

  /** Inserts a row, given by its columns. @param conflict what an INSERT ends with, for a row whose key is there already */
  insert(table: string, row: Readonly<Record<string, SqlValue>>, conflict = ''): RunInfo {
    const columns = Object.keys(row)
    const places = columns.map(() => '?').join(', ')
    return this.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ${conflict}`, ...Object.values(row))
  }

  /** Inserts a row, or gives these columns to the row that has its key. */
  put(table: string, row: Readonly<Record<string, SqlValue>>): void {
    const given = Object.keys(row).map((column) => `${column} = excluded.${column}`)
    this.insert(table, row, `ON CONFLICT DO UPDATE SET ${given.join(', ')}`)
  }

  /** Gives columns to the rows where others are equal to these values (null too). @returns how many rows */
  update(table: string, columns: Readonly<Record<string, SqlValue>>, where: Readonly<Record<string, SqlValue>>): number {
    const [set, equal] = [Object.keys(columns).map((name) => `${name} = ?`), Object.keys(where).map((name) => `${name} IS ?`)]
    const sql = `UPDATE ${table} SET ${set.join(', ')} WHERE ${equal.join(' AND ')}`
    return this.run(sql, ...Object.values(columns), ...Object.values(where)).changes
  }

  /** Runs one or more statements without parameters. */
  exec(sql: string): void {
    this.#guard(() => this.#database.exec(sql))
  }

  /**
   * Runs the work in one exclusive transaction: all of it or, if it throws, nothing. Inside another transaction it joins that
   * one.
   */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    this.exec('BEGIN IMMEDIATE')
    this.#depth = 1
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    } finally {
      this.#depth = 0
    }
  }

  /**
   * Like transaction, for what can be read again: it flushes nothing, so that a power cut may take it, whole. Inside another
   * transaction it joins that one.
   */
  light<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    const before = this.#changes()
    this.exec('PRAGMA synchronous = NORMAL')
    try {
      return this.transaction(work)
    } finally {
      this.exec(this.settings)
      this.#light += this.#changes() - before
    }
  }

  /** True if this connection has changed more than what `light` changed. */
  get isChanged(): boolean {
    return this.#changes() > this.#light
  }

  #changes(): number {
    return this.number('SELECT total_changes()')
  }

  /** Like transaction, for one of the many of a long work. Now and then it first leaves the file to whoever waits for it. */
  piece<T>(work: () => T): T {
    if (this.#inPiecesMs > LET_IN_AFTER_MS) {
      pause(LET_IN_MS)
      this.#inPiecesMs = 0
    }
    const began = steadyMs()
    try {
      return this.transaction(work)
    } finally {
      this.#inPiecesMs += steadyMs() - began
    }
  }

  /**
   * Turns on the write-ahead log, which is a lasting property of the file. If two processes open a new file at once, SQLite
   * refuses one of them without waiting (it cannot upgrade its lock), so this method waits.
   */
  useWriteAheadLog(): void {
    this.#guard(() => {
      for (let waited = 0; ; waited += BUSY_PAUSE_MS) {
        try {
          this.#database.exec('PRAGMA journal_mode = WAL')
          return
        } catch (error) {
          if (sqliteFault(this.path, error)?.kind !== 'busy' || waited > BUSY_TIMEOUT_MS) throw error
          pause(BUSY_PAUSE_MS)
        }
      }
    })
  }

  /**
   * Writes the write-ahead log back into the file and empties it, so that the file alone holds everything. Does not wait: a
   * process that still reads or writes does this when it closes. Never throws, because committed data is safe either way.
   * The log is written once more before, so that it is never older than the file: it stays if another process reads it, or if
   * this one is killed.
   * @returns whether the log is empty
   */
  foldLog(): boolean {
    try {
      this.#database.exec('PRAGMA busy_timeout = 0')
      this.light(() => this.exec(`PRAGMA user_version = ${this.number('PRAGMA user_version')}`))
      this.#database.exec('PRAGMA busy_timeout = 0')
      const [row] = this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)', false).all([]) as { readonly busy: number }[]
      this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      return row?.busy === 0
    } catch {
      // Busy, or a read-only disk: the log stays next to the file.
      return false
    }
  }

  /** Closes the file; may be called twice. */
  close(): void {
    this.#forget()
    if (this.#database.open) this.#database.close()
  }

  /**
   * Lets go of the file and leaves its log as it is: the last connection to close would fold it, which flushes. The file is
   * closed when the process ends, or its memory is collected.
   */
  leave(): void {
    this.#forget()
    if (this.#database.open) this.#database.leave()
  }

  /**
   * Closes a file that cannot be used, so that it stays as it is: a log next to it is not folded into it, not even when memory
   * is collected.
   */
  closeAsItIs(): void {
    const log = statSync(`${this.path}-wal`, { throwIfNoEntry: false })
    if (log === undefined || log.size === 0) this.close()
    else UNUSABLE.push(this.#database)
  }

  #forget(): void {
    this.#statements.clear()
    this.#rawStatements.clear()
  }

  #statement(sql: string, prepared: Map<string, Prepared>, raw: boolean): Prepared {
    let statement = prepared.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql, raw)
      prepared.set(sql, statement)
    }
    return statement
  }

  /** Rolls back, if SQLite did not already (disk full, I/O error). Never throws: the first error is the one to report. */
  #rollBack(): void {
    try {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
    } catch {
      // The first error is reported.
    }
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw this.errorFor(error)
    }
  }

  /** Error that callers see for one of the driver: the opener's error for a fault of the file. */
  errorFor(error: unknown): unknown {
    const fault = sqliteFault(this.path, error)
    return fault === undefined ? error : this.#errorOf(fault)
  }
}

/** Waits without a turn of the event loop. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** The values as both engines take them. */
export function bindable(values: readonly SqlValue[]): unknown[] {
  return values.map((value) => (typeof value === 'boolean' ? Number(value) : (value ?? null)))
}

/**
 * Node's engine has only numbers, and libsql has no name for some extended codes (measured: 1544, a file in a directory that is
 * not writable, is UNKNOWN_SQLITE_ERROR_1544). The lowest byte of one is its primary code: https://www.sqlite.org/rescode.html
 */
const PRIMARY_CODES: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
}

function codeOf(error: Error): string {
  const { code, errcode, rawCode = errcode ?? 0 } = error as { code?: unknown; errcode?: number; rawCode?: number }
  const text = String(code ?? '')
  return /^(UNKNOWN_SQLITE|ERR_SQLITE)_ERROR/.test(text) ? (PRIMARY_CODES[rawCode & 0xff] ?? text) : text
}

/**
 * Reads an error of the driver or the file system as a fault of the file; undefined if it is not about the file.
 * Codes: https://www.sqlite.org/rescode.html; the driver has its own texts for files that SQLite could not open.
 */
export function sqliteFault(path: string, error: unknown): SqliteFault | undefined {
  if (!(error instanceof Error)) return undefined
  const code = codeOf(error)
  const errno = errnoOf(error)
  const fault = (kind: SqliteFaultKind) =>
    new SqliteFault(kind, path, errno === undefined ? error.message : errnoWords(errno), error)
  // A header that names a format of the future has no code of its own.
  const isForeign = code === 'SQLITE_ERROR' && /unsupported file format/.test(error.message)
  if (isForeign || /^SQLITE_(NOTADB|CORRUPT)/.test(code)) return fault('damaged')
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return fault('busy')
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(code)) return fault('full')
  const isUnusable = /^SQLITE_(CANTOPEN|READONLY|PERM|IOERR|AUTH)/.test(code) || /ConnectionFailed/.test(error.message)
  return errno !== undefined || isUnusable ? fault('unusable') : undefined
}
