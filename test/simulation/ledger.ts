/** Reads of a ledger and of a sandbox beside the product: by a connection of its own, which sees only what is committed. */
import { createHash } from 'node:crypto'
import Libsql from 'libsql'
import { real } from './real.js'

type Row = Record<string, unknown>
type Statement = ReturnType<Libsql.Database['prepare']>

/**
 * A file that stays open for reading and changing: of the sandbox, which the service has open anyway. A ledger is opened for each
 * look.
 */
export class OpenFile {
  readonly #database: Libsql.Database
  readonly #statements = new Map<string, Statement>()

  constructor(readonly path: string) {
    this.#database = new Libsql(path)
  }

  rows<T = Row>(sql: string, ...values: readonly unknown[]): T[] {
    return this.#statement(sql).all([...values]) as T[]
  }

  first<T = Row>(sql: string, ...values: readonly unknown[]): T | undefined {
    return this.rows<T>(sql, ...values)[0]
  }

  /** Changes it as somebody next to the tool does. */
  change(sql: string, ...values: readonly unknown[]): void {
    this.#statement(sql).run([...values])
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const made = this.#database.prepare(sql)
    this.#statements.set(sql, made)
    return made
  }
}

/** Rows of a statement on a file; none if the file or the table does not exist. */
export function rowsOf<T = Row>(path: string, sql: string, ...values: readonly unknown[]): T[] {
  if (!real.existsSync(path)) return []
  const database = new Libsql(path)
  try {
    return database.prepare(sql).all([...values]) as T[]
  } catch (error) {
    if (/no such table|file is not a database/.test(String(error))) return []
    throw error
  } finally {
    database.close()
  }
}

/** One number for all rows of all tables of some files, in whatever directory they are. */
export function digestOf(paths: readonly string[], root: RegExp): string {
  const hash = createHash('sha256')
  for (const path of paths) {
    const tables = rowsOf<{ name: string }>(
      path,
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    )
    for (const { name } of tables) {
      const rows = rowsOf(path, `SELECT * FROM ${name}`).map((row) =>
        JSON.stringify(row, (_, value) => (value instanceof ArrayBuffer ? Buffer.from(value).toString('hex') : value)),
      )
      hash.update(`${name}\n${rows.sort().join('\n').replace(root, 'ROOT')}\n`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}
