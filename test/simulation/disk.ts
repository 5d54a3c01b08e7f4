/**
 * SQLite under runs, on the driver of Node 20 and 22: statements of a run that was left throw; what changes is told before it
 * happens; what a thread would do is an event. It notes how much of the log a commit has flushed, so that a power cut can take
 * the rest.
 */
import { hooks, driver as real } from './native.js'
import { readFd } from './real.js'
import type { Actor, World } from './world.js'

interface Connection {
  readonly actor: Actor
  readonly path: string
  isFlushed: boolean
  isOpen: boolean
}

/** Content of a log that is on the disk. */
interface Flushed {
  readonly frames: number
  readonly salts: string
}

/**
 * A kernel writes by itself what has waited for half a minute (Linux, vm.dirty_expire_centisecs), and looks every five seconds.
 */
export const WRITE_BACK_MS = 35_000

const CHANGING = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|COMMIT|CREATE|ALTER|DROP|END)\b/i

/** Statements that write the file itself, and not its log. */
const FILING = /wal_checkpoint/

export class Disk {
  /** Every file that was opened. */
  readonly files = new Set<string>()
  readonly #flushed = new Map<string, Flushed>()
  /** Content after the commits that wait to be flushed, and their time. */
  readonly #waiting = new Map<string, (Flushed & { readonly at: number })[]>()
  readonly #connections = new Map<object, Connection>()
  /** The driver ends the process when a closed connection is asked anything. */
  readonly #closed = new WeakSet<object>()
  readonly #statements = new WeakMap<object, { readonly connection: Connection; readonly sql: string }>()

  constructor(
    readonly world: World,
    readonly onChange: (actor: Actor, what: string) => void,
    readonly touched: (path: string) => void,
  ) {
    this.#install()
  }

  /** A new shop begins. */
  clear(): void {
    for (const notes of [this.files, this.#flushed, this.#waiting]) notes.clear()
  }

  /** The part of the log of a database that is on the disk now. */
  flushed(path: string): Flushed {
    const waiting = this.#waiting.get(path) ?? []
    while (waiting[0] !== undefined && waiting[0].at < this.world.now - WRITE_BACK_MS) this.#flushed.set(path, waiting.shift()!)
    // A log that was never flushed may be gone as a whole.
    return this.#flushed.get(path) ?? { frames: 0, salts: '' }
  }

  /** True while a run of this directory holds a transaction: then no other may be stepped. */
  holder(): Actor | undefined {
    for (const [database, { actor, isOpen }] of this.#connections) {
      if (isOpen && !actor.dead && real.databaseInTransaction!.call(undefined, database) === true) return actor
    }
    return undefined
  }

  /** Ends the connections of a run that has ended, as the end of a process does: an open transaction is gone. */
  leave(actor: Actor): void {
    for (const [database, connection] of [...this.#connections]) {
      if (connection.actor !== actor || !connection.isOpen) continue
      connection.isOpen = false
      this.#connections.delete(database)
      this.#closed.add(database)
      if (real.databaseInTransaction!.call(undefined, database) === true) {
        real.databaseExecSync!.call(database, 'ROLLBACK')
      }
      real.databaseClose!.call(database)
    }
  }

  #install(): void {
    const { world } = this
    const connections = this.#connections
    const { files } = this
    const statements = this.#statements
    const closed = this.#closed
    const before = (connection: Connection | undefined, sql: string): void => {
      if (connection === undefined) return
      if (connection.actor.dead || !connection.isOpen) throw new Error('This run was left.')
      const [, synchronous] = /synchronous = (FULL|NORMAL)/.exec(sql) ?? []
      if (synchronous !== undefined) connection.isFlushed = synchronous === 'FULL'
      if (CHANGING.test(sql)) this.onChange(connection.actor, sql)
    }
    const after = (connection: Connection | undefined, database: object, sql: string): void => {
      if (connection === undefined) return
      if (FILING.test(sql)) this.touched(connection.path)
      if (!CHANGING.test(sql)) return
      this.touched(`${connection.path}-wal`)
      const isCommitted = real.databaseInTransaction!.call(undefined, database) !== true
      if (isCommitted) this.#note(connection)
    }
    const event = <T>(work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        world.later(world.current!.chance.between(0.05, 0.35), () => {
          try {
            resolve(work())
          } catch (error) {
            reject(error)
          }
        })
      })
    const databases = new WeakMap<object, object>()
    Object.assign(hooks, {
      databaseOpen(this: unknown, path: string, ...given: unknown[]) {
        const database = real.databaseOpen!.call(this, path, ...given) as object
        const actor = world.current
        if (actor !== undefined) files.add(path)
        if (actor !== undefined) connections.set(database, { actor, path, isFlushed: false, isOpen: true })
        return database
      },
      databaseInTransaction(database: object) {
        return closed.has(database) ? false : real.databaseInTransaction!.call(undefined, database)
      },
      databaseClose(this: object) {
        if (closed.has(this)) return undefined
        const connection = connections.get(this)
        if (connection !== undefined) connection.isOpen = false
        connections.delete(this)
        closed.add(this)
        return real.databaseClose!.call(this)
      },
      databaseExecSync(this: object, sql: string) {
        if (closed.has(this)) throw new Error('This run was left.')
        const connection = connections.get(this)
        before(connection, sql)
        const made = real.databaseExecSync!.call(this, sql)
        after(connection, this, sql)
        return made
      },
      databasePrepareSync(this: object, sql: string) {
        if (closed.has(this)) throw new Error('This run was left.')
        const connection = connections.get(this)
        const statement = real.databasePrepareSync!.call(this, sql) as object
        if (connection !== undefined) {
          statements.set(statement, { connection, sql })
          databases.set(statement, this)
        }
        return statement
      },
      databaseExecAsync(this: object, sql: string) {
        if (world.current === undefined) return real.databaseExecAsync!.call(this, sql)
        return event(() => hooks.databaseExecSync!.call(this, sql))
      },
      databasePrepareAsync(this: object, sql: string) {
        if (world.current === undefined) return real.databasePrepareAsync!.call(this, sql)
        return event(() => hooks.databasePrepareSync!.call(this, sql))
      },
      statementRowsAsync(this: object, ...given: unknown[]) {
        if (world.current === undefined) return real.statementRowsAsync!.apply(this, given)
        return event(() => hooks.statementRowsSync!.apply(this, given))
      },
    })
    for (const name of ['statementRun', 'statementGet', 'statementRowsSync']) {
      hooks[name] = function (this: unknown, ...given: unknown[]) {
        const statement = statements.get(this as object)
        before(statement?.connection, statement?.sql ?? '')
        const made = real[name]!.apply(this, given)
        if (statement !== undefined) after(statement.connection, databases.get(this as object)!, statement.sql)
        return made
      }
    }
  }

  /** The head of the log's index: SQLite's documentation, "The WAL-Index File Format". */
  #note({ path, isFlushed }: Connection): void {
    const head = readFd(`${path}-shm`, 48)
    if (head === undefined) return
    const content = { frames: head.readUInt32LE(16), salts: head.subarray(32, 40).toString('hex') }
    if (isFlushed) {
      this.#flushed.set(path, content)
      this.#waiting.delete(path)
      return
    }
    const waiting = this.#waiting.get(path) ?? []
    waiting.push({ ...content, at: this.world.now })
    this.#waiting.set(path, waiting)
    this.flushed(path)
  }
}
