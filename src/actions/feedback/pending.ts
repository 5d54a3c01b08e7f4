/** Sales that the seller has not rated yet. */
import type { Context } from '../../cli/context.js'
import type { TransactionRecord } from '../../format/views/index.js'
import { rememberingMembers } from '../reference/members.js'

/** @param span sold at or after `since` and before `until`; either may be null or absent */
export async function* unratedTransactions(
  ctx: Context,
  {
    since = null,
    until = null,
    timeout,
    order,
  }: {
    readonly order?: number
    readonly since?: string | null
    readonly until?: string | null /** ms a call may take. */
    readonly timeout?: number
  },
): AsyncGenerator<TransactionRecord> {
  const client = await ctx.client({ timeoutMs: timeout })
  const request = { Filter: 'NewAndUpdated', MinTransactionDate: since, MaxTransactionDate: until } as const
  const rows = client.stream('GetSellerTransactions', { request }, { signal: ctx.signal })
  for await (const transaction of rememberingMembers(ctx, rows, ({ Buyer }) => [Buyer])) {
    if (!transaction.IsFeedbackLeftBySeller && (order === undefined || transaction.OrderId === order)) yield transaction
  }
}
