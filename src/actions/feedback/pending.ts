/** Sales that the seller has not rated yet. */
import type { Context } from '../../cli/context.js'
import type { TransactionRecord } from '../../format/views/index.js'
import { followedIds } from '../relist/followed.js'
import { readTransactionList } from '../transactions/list.js'

/** @param span sold at or after `since` and before `until`; either may be null or absent */
export async function* unratedTransactions(
  ctx: Context,
  {
    since = null,
    until = null,
    timeout,
    order,
    item,
    fresh = false,
  }: {
    readonly fresh?: boolean
    readonly order?: number
    /** Under any id that it got when it was put up again. */
    readonly item?: number
    readonly since?: string | null
    readonly until?: string | null /** ms a call may take. */
    readonly timeout?: number
  },
): AsyncGenerator<TransactionRecord> {
  const ids = item === undefined ? undefined : await followedIds(ctx, item, timeout)
  const read = readTransactionList(ctx, { since, until, filter: 'NewAndUpdated', timeoutMs: timeout, fresh })
  for await (const transaction of read) {
    if (ids !== undefined && !ids.has(transaction.Item?.Id ?? 0)) continue
    if (!transaction.IsFeedbackLeftBySeller && (order === undefined || transaction.OrderId === order)) yield transaction
  }
}
