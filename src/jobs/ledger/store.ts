/** Opens the ledger's file; the errors for a file that cannot be used. */
import { blank, run, say } from '../../messages/index.js'
import { errnoOf } from '../../system/errno.js'
import { BUSY_TIMEOUT_MS, type SqliteFault, Store } from '../../system/sqlite.js'
import { LedgerError } from './errors.js'

/**
 * Opens a connection to the ledger's file.
 * @param durability `power`: a commit survives a power cut; `process`: it survives kill -9 (system/sqlite)
 * @throws LedgerError, as every method of the store does, if the file cannot be used
 */
export function openStore(path: string, durability: 'power' | 'process'): Store {
  return new Store(path, { durability, foreignKeys: true, errorOf: ledgerError })
}

/** Describes to the seller what is wrong with the ledger's file. */
export function ledgerError({ kind, path, reason, cause }: SqliteFault): LedgerError {
  const ledgerName = `The ledger ${path}`
  switch (kind) {
    case 'damaged':
      return new LedgerError(
        'damaged',
        path,
        `${ledgerName} is damaged: ${reason}.`,
        say`The file was not changed. If you have a copy, restore it with: ${run('ledger:restore', { file: blank('FILE') })}. To start a new ledger, move the file and its -wal and -shm files away. Keep them: they record what was sent.`,
      )
    case 'busy':
      return new LedgerError(
        'busy',
        path,
        `${ledgerName} was locked by another process for more than ${BUSY_TIMEOUT_MS / 1000} s.`,
        'Wait until the other command has ended, or stop it. Then try again.',
      )
    case 'full':
      return new LedgerError(
        'full',
        path,
        `${ledgerName} cannot grow: the disk is full.`,
        'Free some space and try again. Nothing is sent before it is recorded.',
      )
    case 'unusable':
      return new LedgerError(
        'unreadable',
        path,
        `${ledgerName} cannot be opened or written: ${reason}.`,
        errnoOf(cause) === 'EMFILE'
          ? 'Close other programs and try again.'
          : 'Check the owner and permissions of the file and its directory, or set SELLER_DATA_DIR to another directory.',
      )
  }
}
