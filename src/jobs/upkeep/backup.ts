/** Copies the ledger while other processes write to it. */
import { rmSync, statSync } from 'node:fs'
import { aside } from '../../system/aside.js'
import { whenReleased } from '../../system/sqlite.js'
import { fillWholeFile, type WriteOptions } from '../../system/whole-file.js'
import type { Ledger } from '../ledger/ledger.js'
import { removeAllPeople } from '../ledger/orders.js'
import { openStore } from '../ledger/store.js'
import { findFaults } from './check.js'
import type { Finding } from './tables.js'

export interface Backup {
  /** Bytes of the copy. */
  readonly bytes: number
  readonly jobs: number
  readonly requests: number
  /** Faults of the copy, and so of the ledger. The copy is made anyway. */
  readonly faults: readonly Finding[]
}

interface BackupOptions extends Pick<WriteOptions, 'note'> {
  readonly force: boolean
  readonly people?: boolean
  readonly signal?: AbortSignal
}

/**
 * Writes the ledger as it is at one moment to a new file with mode 0600, whole or not at all. SQLite copies it to a temporary
 * name (VACUUM INTO, one read transaction, so it blocks no one); the copy is checked and flushed, and only then gets its name.
 * @param force replaces an existing file
 * @param people whether the copy has who the buyers of orders are
 * @throws the system's error (EEXIST, ENOENT, EISDIR …), LedgerError for a ledger that cannot be read or a disk that is full
 */
export async function backUpLedger(
  ledger: Ledger,
  path: string,
  { force, people = false, signal, note }: BackupOptions,
): Promise<Backup> {
  let faults: readonly Finding[] = []
  let counts = { jobs: 0, requests: 0 }
  const fill = async (beside: string): Promise<void> => {
    try {
      await aside(ledger.store, (run) => run('VACUUM INTO ?', beside), signal)
    } catch (error) {
      // A copy that was broken off leaves its journal.
      rmSync(`${beside}-journal`, { force: true })
      throw error
    }
    const copy = openStore(beside, 'power')
    try {
      if (!people) removeAllPeople(copy, ledger.store)
      faults = await findFaults(copy, signal)
      counts = copy.first<typeof counts>(
        'SELECT (SELECT count(*) FROM jobs) AS jobs, (SELECT count(*) FROM requests) AS requests',
      ) ?? { jobs: 0, requests: 0 }
    } finally {
      copy.close()
      await whenReleased(beside)
    }
  }
  await fillWholeFile(path, fill, { force, mode: 0o600, note })
  return { bytes: statSync(path).size, ...counts, faults }
}
