/**
 * The SQLite engine: Node's own from Node 24 on, which needs no native file beside the program, and libsql on Node 20 and 22
 * (docs/decisions.md, "One wrapper around SQLite, and Node's own where there is one"). Both take numbers, texts, nulls and bytes,
 * and give whole numbers, texts and blobs in the same form.
 */
import type { ChildProcess } from 'node:child_process'
import Libsql from 'libsql'

/** Part of node:sqlite in use: the types of Node 20 do not have it. */
interface OwnSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly defensive: boolean }) => DatabaseSync
}
interface DatabaseSync {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  exec(sql: string): void
  prepare(sql: string): StatementSync
  close(): void
}
interface StatementSync {
  all(...values: readonly unknown[]): unknown[]
  run(...values: readonly unknown[]): ReturnType<Prepared['run']>
  columns(): readonly { readonly name: string; readonly type: string | null }[]
  setReturnArrays(arrays: boolean): void
}

export interface Prepared {
  /** True if it returns rows. */
  readonly reader: boolean
  all(values: readonly unknown[]): unknown[]
  run(values: readonly unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
}

export interface Engine {
  readonly open: boolean
  readonly inTransaction: boolean
  exec(sql: string): void
  /** @param raw whether rows are arrays with blobs as Buffer; else they are objects with blobs as ArrayBuffer */
  prepare(sql: string, raw: boolean): Prepared
  close(): void
  /**
   * Ends the use of the file, which stays open until the process ends or its memory is collected, so that its log is not folded.
   */
  leave(): void
}

/** A connection beside the event loop. */
export interface BesideEngine {
  exec(sql: string): Promise<void>
  all(sql: string, values: readonly unknown[]): Promise<unknown[]>
  /** @param busy whether a statement still runs: libsql cannot end it, and to close the file would wait for it */
  leave(busy: boolean): void
}

/** The first version of Node whose SQLite has all that is used here. */
const FIRST_OWN = 24
const isOwn = Number.parseInt(process.versions.node, 10) >= FIRST_OWN

/** Opens or creates a file. @throws the error of the engine */
export function openEngine(path: string): Engine {
  // libsql ends the process at a path with a NUL, which no file has.
  if (path.includes('\0')) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
  return isOwn ? new OwnEngine(path) : new LibsqlEngine(path)
}

/** Opens a file beside the event loop. */
export async function openBeside(path: string): Promise<BesideEngine> {
  if (isOwn) return new OwnBeside(path)
  const { default: Driver } = await import('libsql/promise')
  const database = new Driver(path, {})
  return {
    exec: async (sql) => void (await database.exec(sql)),
    all: async (sql, values) => {
      const statement = (await database.prepare(sql)) as { all(values: readonly unknown[]): Promise<unknown[]> }
      return statement.all(values)
    },
    leave: (busy) => void (busy || database.close()),
  }
}

class LibsqlEngine implements Engine {
  readonly #database: Libsql.Database

  constructor(path: string) {
    this.#database = new Libsql(path)
  }

  get open(): boolean {
    return this.#database.open
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  prepare(sql: string, raw: boolean): Prepared {
    const statement = this.#database.prepare(sql)
    return (raw ? statement.raw(true) : statement) as unknown as Prepared
  }

  close(): void {
    this.#database.close()
  }

  leave(): void {
    try {
      // Statements that are not collected yet keep the file open, as this one.
      this.#database.prepare('SELECT 1')
      this.#database.close()
    } catch {
      // A file that was damaged meanwhile: no statement can be prepared.
    }
  }
}

class OwnEngine implements Engine {
  readonly #database: DatabaseSync
  #isLeft = false

  constructor(path: string) {
    this.#database = new (ownSqlite().DatabaseSync)(path, { defensive: false })
  }

  get open(): boolean {
    return this.#database.isOpen && !this.#isLeft
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  prepare(sql: string, raw: boolean): Prepared {
    return new OwnStatement(this.#database.prepare(sql), raw)
  }

  close(): void {
    this.#database.close()
  }

  leave(): void {
    this.#isLeft = true
  }
}

/** Without the warning of Node 24.0 to 24.14 that it is an experiment: it would stand in the output of every command. */
function ownSqlite(): OwnSqlite {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite') as unknown as OwnSqlite
  } finally {
    process.emitWarning = emitWarning
  }
}

class OwnStatement implements Prepared {
  readonly #statement: StatementSync
  readonly #raw: boolean
  readonly reader: boolean
  /** Columns that may hold a blob, by name and number: an expression has no type. */
  readonly #blobs: readonly (string | number)[]

  constructor(statement: StatementSync, raw: boolean) {
    this.#statement = statement
    this.#raw = raw
    const columns = statement.columns()
    this.reader = columns.length > 0
    this.#blobs = columns.flatMap(({ name, type }, at) => (type === null || type === 'BLOB' ? [raw ? at : name] : []))
    if (raw) statement.setReturnArrays(true)
  }

  all(values: readonly unknown[]): unknown[] {
    const rows = this.#statement.all(...values) as Record<string | number, unknown>[]
    for (const name of this.#blobs) {
      for (const row of rows) {
        const value = row[name]
        if (value instanceof Uint8Array) row[name] = this.#raw ? Buffer.from(value.buffer) : value.buffer
      }
    }
    return rows
  }

  run(values: readonly unknown[]): ReturnType<Prepared['run']> {
    return this.#statement.run(...values)
  }
}

/**
 * Program of the process beside: one statement after the other. An error is copied by hand, because its codes are lost on the
 * way.
 */
const BESIDE = `
process.removeAllListeners('warning')
const database = new (require('node:sqlite').DatabaseSync)(process.argv.at(-1))
process.on('message', ([sql, values]) => {
  try {
    process.send({ rows: values === undefined ? database.exec(sql) : database.prepare(sql).all(...values) })
  } catch ({ message, code, errcode }) {
    process.send({ fault: { message, code, errcode } })
  }
})
process.on('disconnect', () => process.exit())`

/**
 * A process, which can be ended in the middle of a statement: the end of this one would wait for a thread's. Out of the reach of
 * Ctrl-C.
 */
class OwnBeside implements BesideEngine {
  readonly #child: ChildProcess
  readonly #pendingReads: { resolve(rows: unknown[]): void; reject(error: unknown): void }[] = []

  constructor(path: string) {
    const { spawn } = process.getBuiltinModule('node:child_process')
    this.#child = spawn(process.execPath, ['-e', BESIDE, path], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    this.#child.on('message', ({ rows = [], fault }: { rows?: unknown[]; fault?: { message: string } }) => {
      const next = this.#pendingReads.shift()
      if (fault === undefined) next?.resolve(rows)
      else next?.reject(Object.assign(new Error(fault.message), fault))
    })
    const end = (error: Error) => {
      for (const { reject } of this.#pendingReads.splice(0)) reject(error)
    }
    this.#child.on('error', end)
    this.#child.on('exit', () => end(new Error('The process beside this one, which works on the file, was ended.')))
  }

  async exec(sql: string): Promise<void> {
    await this.#send([sql])
  }

  all(sql: string, values: readonly unknown[]): Promise<unknown[]> {
    return this.#send([sql, values])
  }

  leave(): void {
    this.#child.kill('SIGKILL')
  }

  #send(message: readonly unknown[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#pendingReads.push({ resolve, reject })
      this.#child.send(message, (error) => error && reject(error))
    })
  }
}
