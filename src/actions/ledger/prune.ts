/** ledger:prune: removes old records that are not needed, after a question. */
import { statSync } from 'node:fs'
import type { Context } from '../../cli/context.js'
import { countOf, type PruneShown } from '../../format/views/index.js'
import { type PrunePlan, planPrune, pruneLedger, shrinkLedger } from '../../jobs/upkeep/index.js'
import { isoOf } from '../../system/time.js'
import { existingLedger, working } from './existing.js'

export interface PruneFlags {
  /** Age in ms. */
  readonly 'older-than': number
  readonly yes?: boolean
  readonly 'dry-run'?: boolean
}

/**
 * Shows what would be removed, asks, and removes it.
 * @returns what was removed, or would be
 * @throws {SellerError} not_found without a ledger; guard (6) without a yes
 */
export async function prune(ctx: Context, flags: PruneFlags): Promise<PruneShown> {
  const ledger = await existingLedger(ctx)
  const before = ctx.clock.now() - flags['older-than']
  ledger.store.foldLog()
  const BytesBefore = statSync(ctx.ledgerPath).size
  const plan = await working(ctx, 'Looking for old records', 'Nothing was removed.', () => planPrune(ledger, before, ctx.signal))
  if (flags['dry-run'] === true || isEmpty(plan)) {
    ctx.output.note(isEmpty(plan) ? `Nothing older than ${isoOf(before)} can be removed.` : 'Nothing was removed. This would be:')
    return { ...prunedRecord(plan, before), BytesBefore, BytesAfter: null }
  }
  if (plan.jobs.length > 0) ctx.output.note(`Jobs to remove: ${idsText(plan.jobs)}.`)
  await ctx.prompts.confirm({
    message: `Remove ${inWords(plan)} from the ledger? This cannot be undone.`,
    flag: '--yes',
    given: flags.yes,
  })
  const removed = await working(ctx, 'Removing old records', MAYBE, () => pruneLedger(ledger, before, ctx.signal))
  if (!(await working(ctx, 'Shrinking the file', SHRINKING, () => shrinkLedger(ledger, ctx.signal)))) {
    ctx.output.note('Another process is using the ledger, so its file does not shrink. New records will reuse the space.')
  }
  ledger.store.foldLog()
  return { ...prunedRecord(removed, before), BytesBefore, BytesAfter: statSync(ctx.ledgerPath).size }
}

/** They are removed in one transaction, which may have ended in this moment. */
const MAYBE = 'All of it is removed, or nothing.'
const SHRINKING = 'The old records are removed. The file is as large as before; new records will use the space.'

/** How many jobs are named before the question. */
const NAMED = 20

function idsText(ids: readonly number[]): string {
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''
  return `${ids.slice(0, NAMED).join(', ')}${more}`
}

function isEmpty({ jobs, requests, calls, sales, orders, prices, costs }: PrunePlan): boolean {
  return jobs.length + requests + calls + sales + orders + prices + costs === 0
}

function inWords({ jobs, rows, requests, calls, sales, orders, prices, costs }: PrunePlan): string {
  const parts = [
    ...(jobs.length > 0 ? [`${countOf(jobs.length, 'job')} with ${countOf(rows, 'row')}`] : []),
    ...(requests > 0 ? [countOf(requests, 'request')] : []),
    ...(calls > 0 ? [countOf(calls, 'call')] : []),
    ...(sales > 0 ? [countOf(sales, 'sale')] : []),
    ...(orders > 0 ? [countOf(orders, 'order')] : []),
    ...(prices > 0 ? [countOf(prices, 'price move')] : []),
    ...(costs > 0 ? [countOf(costs, 'old cost')] : []),
  ]
  return parts.join(', ')
}

function prunedRecord(
  { jobs, rows, steps, requests, calls, sales, orders, prices, costs, kept }: PrunePlan,
  before: number,
): Omit<PruneShown, 'BytesBefore' | 'BytesAfter'> {
  return {
    Before: isoOf(before),
    Jobs: jobs,
    Rows: rows,
    Steps: steps,
    Requests: requests,
    Calls: calls,
    Sales: sales,
    Orders: orders,
    Prices: prices,
    Costs: costs,
    Kept: { Unfinished: kept.unfinished, LastPrices: kept.lastPrices, Referred: kept.referred },
  }
}
