/** How the ledger opens its file, and what it says when the file cannot be used. */
import { BUSY_TIMEOUT_MS, type SqliteFault, Store } from '../../system/sqlite.js'
import { LedgerError } from './errors.js'

/**
 * Opens a connection to the ledger's file.
 * @param durability `power`: a commit survives a power cut; `process`: it survives kill -9 (system/sqlite)
 * @throws LedgerError, as every method of the store does, when the file cannot be used
 */
export function openStore(path: string, durability: 'power' | 'process'): Store {
  return new Store(path, { durability, foreignKeys: true, errorOf: ledgerError })
}

/** What is wrong with the ledger's file, for the seller. */
export function ledgerError({ kind, path, reason, cause }: SqliteFault): LedgerError {
  const named = `The ledger ${path}`
  switch (kind) {
    case 'damaged':
      return new LedgerError(
        'damaged',
        path,
        `${named} is damaged: ${reason}.`,
        'The file was not changed. To start a new ledger, move it and its -wal and -shm files away. Keep them: they record what was sent.',
        cause,
      )
    case 'busy':
      return new LedgerError(
        'busy',
        path,
        `${named} was held by another process for more than ${BUSY_TIMEOUT_MS / 1000} s.`,
        'Wait until the other command has ended, or end it, then try again.',
        cause,
      )
    case 'full':
      return new LedgerError(
        'full',
        path,
        `${named} cannot grow: the disk is full.`,
        'Nothing is sent that cannot be recorded first. Free some space and try again.',
        cause,
      )
    case 'unusable':
      return new LedgerError(
        'unreadable',
        path,
        `${named} cannot be opened or written: ${reason}.`,
        'Check who owns the file and its directory, or name another directory in SELLER_DATA_DIR.',
        cause,
      )
  }
}
