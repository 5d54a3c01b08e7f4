/** Opens the marketplace's file, takes numbers for new records, and reports a file that cannot be used. */
import { type SqliteFault, Store } from '../../../system/sqlite.js'
import { copyBeforeUpgrade } from '../../../system/upgrade-copy.js'
import { SandboxError } from '../types.js'
import { MIGRATIONS } from './schema.js'

/**
 * Opens the file, creates it if it does not exist, migrates its tables, and calls `seed` in the same transaction if they are new.
 * A commit survives kill -9; a power cut may lose the last ones.
 * @throws {SandboxError}, as every method of the store does, if the file cannot be opened, is not an SQLite file, or was made by
 * a newer version
 */
export function openMarketStore(path: string, seed: (store: Store) => void): Store {
  const store = new Store(path, { durability: 'process', foreignKeys: false, errorOf: sandboxError })
  try {
    store.useWriteAheadLog()
    store.exec('PRAGMA temp_store = MEMORY')
    migrate(store, seed)
    return store
  } catch (error) {
    store.close()
    throw error
  }
}

function migrate(store: Store, seed: (store: Store) => void): void {
  const version = () => store.first<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
  const before = version()
  if (before === MIGRATIONS.length) return
  if (before > 0 && before < MIGRATIONS.length) copyBeforeUpgrade(store, before)
  store.transaction(() => {
    // Another process may have done it while this one waited for the lock.
    const has = version()
    if (has > MIGRATIONS.length) {
      throw new SandboxError(
        `The sandbox's file "${store.path}" was made by a newer version (${has}; this one knows ${MIGRATIONS.length}). Update the tool, or name another file.`,
      )
    }
    if (has === MIGRATIONS.length) return
    for (const migration of MIGRATIONS.slice(has)) store.exec(migration)
    store.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
    if (has === 0) seed(store)
  })
}

/** Takes `count` consecutive numbers that no process has used. Call it only within a transaction. @returns the first of them */
export function takeNumbers(store: Store, key: 'request' | 'item' | 'image' | 'transaction' | 'order', count = 1): number {
  const row = store.first<{ value: number }>(
    'UPDATE meta SET value = value + ? WHERE key = ? RETURNING value',
    count,
    `next_${key}`,
  )
  if (row === undefined) throw new SandboxError(`The sandbox's file "${store.path}" lacks its counter of ${key}s; reset it.`)
  return row.value - count
}

/** Describes to the user what is wrong with the sandbox's file. */
function sandboxError(fault: SqliteFault): SandboxError {
  return new SandboxError(sentenceOf(fault), { cause: fault })
}

function sentenceOf({ kind, path, reason }: SqliteFault): string {
  switch (kind) {
    case 'busy':
      return `The sandbox's file "${path}" is held by another process; wait for it to end, or name another file.`
    case 'damaged':
      return `"${path}" is not a sandbox, or is damaged. Name another file, or delete this one to start over.`
    case 'full':
      return `The sandbox's file "${path}" cannot grow: the disk is full. Free some space and try again.`
    case 'unusable':
      return `The sandbox's file "${path}" cannot be used: ${reason}. Check that its folder exists and can be written.`
  }
}
