/**
 * One connection to a SQLite file, made safe for this driver. Measured on libsql 0.5.29: a row iterator left open makes the next write
 * of the same connection fail, `get` puts `_metadata` into its rows, and binding a boolean ends the process; so rows are always read
 * to their end by `all`, parameters always go as one array, and booleans are no parameters.
 */
import type { LedgerError } from './errors.js'

/** What a statement's `?` may hold. */
export type SqlValue = string | number | null | Uint8Array

/** How the store writes: see `Store.open`. */
export type Durability = 'power' | 'process'

export interface RunInfo {
  changes: number
  /** Row id of the last insert. */
  id: number
}

export interface Store {
  /** All rows, read to the end. Statements are prepared once per text. Blobs come as ArrayBuffer. @throws LedgerError */
  all<T>(sql: string, ...values: readonly SqlValue[]): T[]
  /** The first row. @throws LedgerError */
  first<T>(sql: string, ...values: readonly SqlValue[]): T | undefined
  /** @throws LedgerError */
  run(sql: string, ...values: readonly SqlValue[]): RunInfo
  /** Several statements without parameters. @throws LedgerError */
  exec(sql: string): void
  /** Runs `work` in one immediate transaction; inside another one, as part of it. Rolled back when it throws. @throws LedgerError */
  transaction<T>(work: () => T): T
  close(): void
}

export type { LedgerError }
