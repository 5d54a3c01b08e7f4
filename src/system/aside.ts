/**
 * Long work beside the event loop, so that Ctrl-C is heard and progress is drawn meanwhile: statements run on a thread of libsql,
 * or in a process of their own, and loops make room now and then. An interruption leaves a statement behind: its transaction is
 * rolled back when the file is next opened.
 */
import { orAborted } from './room.js'
import { bindable, type SqlValue, type Store } from './sqlite.js'
import { openBeside } from './sqlite-driver.js'

/** Time until a signal is heard, ms. */
const HEARD_MS = 50

/** Runs a statement, and returns its rows: none of one that writes. */
export type Run = <T>(sql: string, ...values: readonly SqlValue[]) => Promise<T[]>

/**
 * Runs statements on the file of a store, over a connection of their own.
 * @throws the reason of the signal; what the store throws for a fault of the file
 */
export async function aside<T>(store: Store, work: (run: Run) => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted()
  const database = await openBeside(store.path)
  const left = new Set<Promise<unknown>>()
  const run: Run = async <R>(sql: string, ...values: readonly SqlValue[]) => {
    signal?.throwIfAborted()
    const running = database.all(sql, bindable(values)) as Promise<R[]>
    left.add(running)
    const ended = running.finally(() => left.delete(running))
    // Nobody asks for the end of one that was left behind.
    ended.catch(() => undefined)
    return orAborted(ended, signal)
  }
  try {
    await database.exec(store.settings)
    return await work(run)
  } catch (error) {
    // Ctrl-C may have ended the process beside before it was out of its reach, and is heard here a moment later.
    await new Promise((resolve) => setTimeout(resolve, HEARD_MS))
    signal?.throwIfAborted()
    throw store.errorFor(error)
  } finally {
    database.leave(left.size > 0)
  }
}

/**
 * Runs writes in one transaction: all of them or, if something throws, nothing.
 * @param writes called when no other process can write any more
 */
export async function asideInOne<T>(
  store: Store,
  writes: () => Promise<{ readonly statements: readonly Write[]; readonly result: T }>,
  signal?: AbortSignal,
): Promise<T> {
  return aside(
    store,
    async (run) => {
      await run('BEGIN IMMEDIATE')
      try {
        const { statements, result } = await writes()
        for (const [sql, ...values] of statements) await run(sql, ...values)
        await run('COMMIT')
        return result
      } catch (error) {
        await run('ROLLBACK').catch(() => undefined)
        throw error
      }
    },
    signal,
  )
}

/** A statement that writes, and what its `?` hold. */
export type Write = readonly [sql: string, ...values: SqlValue[]]
