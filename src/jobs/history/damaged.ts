/** Packed prices that cannot be read are a fault of the ledger, and not of the program. */
import { run, say } from '../../messages/index.js'
import { LedgerError } from '../ledger/errors.js'
import type { Ledger } from '../ledger/ledger.js'

/** Does work that unpacks prices. @throws LedgerError kind `damaged` if they cannot be read */
export function unpacking<T>({ path }: Pick<Ledger, 'path'>, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new LedgerError(
      'damaged',
      path,
      `The price history in the ledger ${path} is damaged: ${error.message}.`,
      say`List what is wrong with: ${run('ledger:check')}. Prices can be set all the same.`,
    )
  }
}
