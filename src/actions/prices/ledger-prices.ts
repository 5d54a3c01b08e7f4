/** Makes plans with what the ledger knows: prices that are being changed, and how far its runs have moved each price. */

import type { Context } from '../../cli/context.js'
import { bulkJob, knownAuctionPrices, knownPrices } from '../../jobs/bulk/index.js'
import type { Guards, Known, KnownOfAuctions, RowPlan } from '../../pricing/index.js'
import { lookAtQueued } from '../jobs/look.js'
import { shopOf } from '../own.js'

/** How far back the ledger is read. Results of requests that are queued longer will not come, so they are not waited for. */
export const KNOWN_WINDOW_MS = 14 * 24 * 60 * 60 * 1000

/**
 * Makes a plan. If a row meets a price that a job has queued, it asks for the results of that job and plans again. Most queued
 * prices are done by then, so that only unfinished ones hold a row.
 * @param plan reads the live list and plans; called a second time only in that case
 * @returns the plan, and the number of calls that plan and looks took
 */
export async function planWithKnown(
  ctx: Context,
  guards: Guards,
  { plan, calls }: { readonly plan: (known: Known) => Promise<RowPlan>; readonly calls: number },
): Promise<{ plan: RowPlan; calls: number }> {
  const first = await plan(await readKnown(ctx, guards))
  if (first.queuedIn.length === 0) return { plan: first, calls }
  const ledger = await ctx.ledger()
  const client = await ctx.client()
  let looks = 0
  for (const jobId of first.queuedIn) looks += await lookAtQueued(ctx, client, bulkJob(ledger, jobId))
  if (looks === 0) return { plan: first, calls }
  return { plan: await plan(await readKnown(ctx, guards)), calls: 2 * calls + looks }
}

async function readKnown(ctx: Context, guards: Guards): Promise<Known> {
  return knownPrices(await ctx.ledger(), scopeOf(ctx, guards))
}

/** Reads what the ledger knows about prices of auctions. */
export async function readKnownAuctions(ctx: Context, guards: Guards): Promise<KnownOfAuctions> {
  return knownAuctionPrices(await ctx.ledger(), scopeOf(ctx, guards))
}

function scopeOf(ctx: Context, guards: Guards) {
  return { ...shopOf(ctx), since: ctx.clock.now() - KNOWN_WINDOW_MS, jump: guards.max_change }
}
