/** Sales that the seller has not rated yet. */
import type { Context } from '../../cli/context.js'
import type { TransactionRecord } from '../../format/views/index.js'
import { readTransactionList } from '../transactions/list.js'

/** @param span sold at or after `since` and before `until`; either may be null or absent */
export async function* unratedTransactions(
  ctx: Context,
  {
    since = null,
    until = null,
    timeout,
    order,
    fresh = false,
  }: {
    readonly fresh?: boolean
    readonly order?: number
    readonly since?: string | null
    readonly until?: string | null /** ms a call may take. */
    readonly timeout?: number
  },
): AsyncGenerator<TransactionRecord> {
  const read = readTransactionList(ctx, { since, until, filter: 'NewAndUpdated', timeoutMs: timeout, fresh })
  for await (const transaction of read) {
    if (!transaction.IsFeedbackLeftBySeller && (order === undefined || transaction.OrderId === order)) yield transaction
  }
}
