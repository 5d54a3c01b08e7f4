/** Opens the ledger for its own upkeep, without creating a missing one. */
import { existsSync } from 'node:fs'
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import type { Ledger } from '../../jobs/index.js'

/** @throws {SellerError} not_found if there is none; what opening it throws */
export async function existingLedger(ctx: Context): Promise<Ledger> {
  const { ledgerPath: path } = ctx
  if (existsSync(path)) return ctx.ledger()
  throw new SellerError(
    'ledger_missing',
    `There is no ledger at ${path}.`,
    'The first call creates one. If yours is in another directory, set SELLER_DATA_DIR to it.',
    { path },
  )
}

/** Does long work with progress. @param interrupted what is true if Ctrl-C comes meanwhile */
export async function working<T>(ctx: Context, text: string, interrupted: string, work: () => Promise<T>): Promise<T> {
  ctx.ifInterrupted({ sent: interrupted, again: true })
  const progress = ctx.output.progress({ kind: 'spinner', text })
  try {
    return await work()
  } finally {
    progress.stop()
  }
}
