/** Follows an auction to the ids that it got when it was put up again. */

import type { Context } from '../../cli/context.js'
import { chainOf, findRelists, followRestarts, type Relist } from '../../jobs/bulk/index.js'
import type { SoldSale } from '../../jobs/ledger/transactions.js'
import { shopOf } from '../own.js'

/** Relists that this ledger knows, by the id of the auction that ended. */
export async function readRelists(ctx: Context): Promise<Map<number, Relist>> {
  return findRelists(await ctx.ledger({ reading: true }), shopOf(ctx))
}

/**
 * All ids of what an item is: those that this ledger knows, and those that the service names, where it does, before and after it;
 * one call.
 * @throws what the client throws
 */
export async function followedIds(ctx: Context, itemId: number): Promise<ReadonlySet<number>> {
  const chain = chainOf(await readRelists(ctx))(itemId)
  const restarts = await followRestarts(await ctx.client(), chain[0] ?? itemId)
  return new Set([...chain, ...(restarts?.before ?? []), ...(restarts?.after ?? [])])
}

/** When the item of a sale started, ms, null if that is not known: one that was put up again, when it was put up first. */
export async function firstStarts(ctx: Context): Promise<(sale: SoldSale) => number | null> {
  const relists = await readRelists(ctx)
  const idsOf = chainOf(relists)
  return ({ ItemId, StartedAt }) => {
    if (ItemId === null || relists.size === 0) return StartedAt
    return relists.get(idsOf(ItemId)[0] ?? ItemId)?.startedAt ?? StartedAt
  }
}
