/**
 * Long work beside the event loop, so that Ctrl-C is heard and progress is drawn meanwhile: statements run on a thread of the
 * driver. An interruption leaves a statement behind: the driver cannot end one, and the end of the process
 * does (its transaction is rolled back when the file is next opened).
 */
import Driver from 'libsql/promise'
import type { SqlValue, Store } from './sqlite.js'

/** Runs a statement, and returns its rows: none of one that writes. */
export type Run = <T>(sql: string, ...values: readonly SqlValue[]) => Promise<T[]>

/**
 * Runs statements on the file of a store, over a connection of their own.
 * @throws the reason of the signal; what the store throws for a fault of the file
 */
export async function aside<T>(store: Store, work: (run: Run) => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted()
  const database = new Driver(store.path, {})
  const left = new Set<Promise<unknown>>()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  aborted.catch(() => undefined)
  const run: Run = async <R>(sql: string, ...values: readonly SqlValue[]) => {
    signal?.throwIfAborted()
    const running = (async () => {
      const statement = (await database.prepare(sql)) as { all(values: unknown[]): Promise<R[]> }
      return statement.all(values.map((value) => (typeof value === 'boolean' ? Number(value) : (value ?? null))))
    })()
    left.add(running)
    const ended = running.finally(() => left.delete(running))
    // Nobody asks for the end of one that was left behind.
    ended.catch(() => undefined)
    return Promise.race([ended, aborted])
  }
  try {
    await database.exec(store.settings)
    return await work(run)
  } catch (error) {
    throw signal?.aborted === true ? error : store.errorFor(error)
  } finally {
    // To close it would wait for the statement.
    if (left.size === 0) database.close()
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
