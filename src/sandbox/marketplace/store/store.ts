/**
 * One SQLite file, used by several processes at once: WAL, every change in one transaction, statements prepared once. The driver
 * is loaded when a store is opened (20 ms, measured).
 */
import { createRequire } from 'node:module'
import type { Database, default as Libsql, Statement } from 'libsql'
import { SandboxError } from '../types.js'
import { MIGRATIONS } from './schema.js'

export type Value = number | string | boolean | null | undefined | Uint8Array

/** How long a process waits for another's transaction, ms. None here lasts long. */
const BUSY_TIMEOUT_MS = 10_000
const OPEN_TRIES = 50

export class Store {
  readonly #db: Database
  readonly #path: string
  readonly #statements = new Map<string, Statement<unknown[]>>()
  #depth = 0

  private constructor(db: Database, path: string) {
    this.#db = db
    this.#path = path
  }

  /**
   * Opens the file, makes it where it is not there, brings its tables up to date and calls `fresh` in the same transaction
   * when they were only now made.
   * @throws {SandboxError} when the file cannot be opened, is not an SQLite file, or was made by a newer version
   */
  static open(path: string, fresh: (store: Store) => void): Store {
    const Driver = createRequire(import.meta.url)('libsql') as typeof Libsql
    let db: Database | undefined
    try {
      db = new Driver(path)
      db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      walMode(db)
      // NORMAL loses nothing when a process is killed, only when the machine goes down.
      db.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY')
      const store = new Store(db, path)
      store.#migrate(fresh)
      return store
    } catch (error) {
      db?.close()
      throw error instanceof SandboxError ? error : unusable(path, error)
    }
  }

  #migrate(fresh: (store: Store) => void): void {
    const version = () => this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
    if (version() === MIGRATIONS.length) return
    this.write(() => {
      // Another process may have done it while this one waited for the lock.
      const has = version()
      if (has > MIGRATIONS.length) {
        throw new SandboxError(
          `The sandbox's file "${this.#path}" was made by a newer version (${has}; this one knows ${MIGRATIONS.length}). Update the tool, or name another file.`,
        )
      }
      if (has === MIGRATIONS.length) return
      for (const migration of MIGRATIONS.slice(has)) this.#db.exec(migration)
      this.#db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
      if (has === 0) fresh(this)
    })
  }

  /** All rows as objects. */
  all<T>(sql: string, ...values: Value[]): T[] {
    return this.#statement(sql, false).all(bound(values)) as T[]
  }

  /** All rows as arrays of columns: for long lists, a quarter cheaper than objects (measured on 10,000 items). */
  rows<T extends unknown[]>(sql: string, ...values: Value[]): T[] {
    return this.#statement(sql, true).all(bound(values)) as T[]
  }

  /** The first row; undefined when there is none. */
  get<T>(sql: string, ...values: Value[]): T | undefined {
    return this.#statement(sql, false).get(bound(values)) as T | undefined
  }

  /** @returns how many rows changed */
  run(sql: string, ...values: Value[]): number {
    return this.#statement(sql, false).run(bound(values)).changes
  }

  /**
   * Does the work in one transaction that no other process can come between; all of it or, when it throws, nothing. Within
   * another such work it joins that one.
   * @throws {SandboxError} when other processes held the file for too long
   */
  write<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    try {
      this.#db.exec('BEGIN IMMEDIATE')
    } catch (error) {
      throw unusable(this.#path, error)
    }
    this.#depth = 1
    try {
      const result = work()
      this.#db.exec('COMMIT')
      return result
    } catch (error) {
      // SQLite ends some transactions by itself (a full disk); the first error is the one to tell.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
      throw error
    } finally {
      this.#depth = 0
    }
  }

  /** A number that no process has had, or the first of `count` such. Only within `write`. */
  next(key: 'request' | 'item' | 'image' | 'transaction' | 'order', count = 1): number {
    const row = this.get<{ value: number }>(
      'UPDATE meta SET value = value + ? WHERE key = ? RETURNING value',
      count,
      `next_${key}`,
    )
    if (row === undefined) throw new SandboxError(`The sandbox's file "${this.#path}" lacks its counter of ${key}s; reset it.`)
    return row.value - count
  }

  /** What SQLite finds wrong with the file; empty when it is whole. */
  integrityCheck(): string[] {
    try {
      return this.all<{ integrity_check: string }>('PRAGMA integrity_check')
        .map((row) => row.integrity_check)
        .filter((line) => line !== 'ok')
    } catch (error) {
      // Some damage keeps SQLite from looking any further.
      if (codeOf(error).startsWith('SQLITE_CORRUPT')) return [error instanceof Error ? error.message : String(error)]
      throw error
    }
  }

  close(): void {
    if (!this.#db.open) return
    this.#statements.clear()
    this.#db.close()
  }

  #statement(sql: string, raw: boolean): Statement<unknown[]> {
    if (!this.#db.open) throw new SandboxError('The marketplace is closed.')
    const key = raw ? `raw ${sql}` : sql
    let statement = this.#statements.get(key)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      if (raw) statement.raw(true)
      this.#statements.set(key, statement)
    }
    return statement
  }
}

/**
 * The driver ends the whole process on a boolean, and takes a lone object for named parameters: hence one array, of plain values.
 */
function bound(values: readonly Value[]): unknown[] {
  return values.map((value) => {
    if (typeof value === 'boolean') return value ? 1 : 0
    if (value instanceof Uint8Array) return Buffer.isBuffer(value) ? value : Buffer.from(value)
    return value ?? null
  })
}

/** SQLite does not wait for others when it changes the journal mode, so the waiting is done here. */
function walMode(db: Database): void {
  for (let tries = 1; ; tries++) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (tries === OPEN_TRIES || codeOf(error) !== 'SQLITE_BUSY') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function unusable(path: string, error: unknown): SandboxError {
  const code = codeOf(error)
  if (code.startsWith('SQLITE_BUSY')) {
    return new SandboxError(
      `The sandbox's file "${path}" is held by another process; wait for it to end, or name another file.`,
      {
        cause: error,
      },
    )
  }
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new SandboxError(`"${path}" is not a sandbox, or is damaged. Name another file, or delete this one to start over.`, {
      cause: error,
    })
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return new SandboxError(`The sandbox's file "${path}" cannot grow: the disk is full. Free some space and try again.`, {
      cause: error,
    })
  }
  const reason = error instanceof Error ? error.message : String(error)
  return new SandboxError(
    `The sandbox's file "${path}" cannot be used: ${reason}. Check that its folder exists and can be written.`,
    { cause: error },
  )
}
