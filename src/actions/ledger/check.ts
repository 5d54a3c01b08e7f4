/** ledger:check: everything that is wrong in the ledger. */
import type { Context } from '../../cli/context.js'
import { LedgerError, type LedgerErrorKind } from '../../jobs/index.js'
import { type Finding, findFaults } from '../../jobs/upkeep/index.js'
import { existingLedger, working } from './existing.js'

/** Faults of the file itself, and not of the disk or the moment. */
const OF_THE_FILE: readonly LedgerErrorKind[] = ['damaged', 'newer', 'foreign']

/**
 * @returns the faults; none for a sound ledger
 * @throws {SellerError} not_found without a ledger; LedgerError if it cannot be opened now
 */
export async function checkLedger(ctx: Context): Promise<Finding[]> {
  try {
    const { store } = await existingLedger(ctx)
    return await working(ctx, 'Checking the ledger', 'Nothing was changed; the ledger was not checked to its end.', () =>
      findFaults(store, ctx.signal),
    )
  } catch (error) {
    if (!(error instanceof LedgerError) || !OF_THE_FILE.includes(error.kind)) throw error
    return [{ Check: 'file', Where: 'ledger', Problem: error.message }]
  }
}
