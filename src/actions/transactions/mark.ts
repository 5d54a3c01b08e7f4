/** transactions:mark: paid, shipped, shipping booked; one call for each transaction. */
import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../cli/errors.js'
import { toSellerError } from '../../cli/translate.js'
import { markedView, type TransactionRecord } from '../../format/views/index.js'
import { listResult, type Result } from '../result.js'

/** Undefined leaves a mark as it is. */
export interface Marks {
  readonly paid?: boolean
  readonly shipped?: boolean
  readonly booked?: boolean
}

/**
 * Marks transactions. If the service refuses one, the others are still marked; any other error stops.
 * @returns the transactions as the service has them now; exit code 3 if it refused one
 * @throws {SellerError} usage if nothing is to be marked; what the client throws
 */
export async function markTransactions(
  ctx: Context,
  ids: readonly number[],
  { paid = null, shipped = null, booked = null }: Partial<Record<keyof Marks, boolean | null>>,
): Promise<Result> {
  if (paid === null && shipped === null && booked === null) {
    throw new SellerError(
      'nothing_to_do',
      'Nothing is to be marked.',
      'Give --paid, --shipped or --booked; --no-shipped takes a mark away.',
    )
  }
  const client = await ctx.client()
  const records: TransactionRecord[] = []
  let code: ExitCode = EXIT.ok
  for (const TransactionId of ids) {
    ctx.ifInterrupted({ sent: `${records.length} of ${ids.length} were marked.` })
    const transactionStatusUpdateData = {
      TransactionId,
      MarkAsPaidConfirmed: paid,
      MarkedAsShipped: shipped,
      MarkShippingBooked: booked,
    }
    try {
      const marked = await client.call('UpdateTransactionStatus', { transactionStatusUpdateData }, { signal: ctx.signal })
      records.push(marked)
    } catch (error) {
      const judged = toSellerError(error)
      if (judged.category !== 'validation' || ids.length === 1) throw error
      ctx.output.warn(`Transaction ${TransactionId}: ${judged.message}`)
      code = worseExitCode(code, judged.exitCode)
    }
  }
  return listResult({ view: markedView, rows: () => records }, code)
}
