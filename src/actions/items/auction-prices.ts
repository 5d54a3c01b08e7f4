/** items:price --file: prices of many auctions, one call each, with the total of the fees of new reserve prices. */

import type { Context } from '../../cli/context.js'
import { RESERVE_PRICE_FEE } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import { kronor } from '../../format/output/index.js'
import { type AuctionPlanRowShown, auctionPlanView, countOf } from '../../format/views/index.js'
import { auctionJobRows } from '../../jobs/bulk/index.js'
import { type AuctionPlan, planAuctionPrices } from '../../pricing/index.js'
import { readAuctionRows } from '../../rows/index.js'
import { knownCosts } from '../prices/costs.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { liveItems, RUNNING } from '../prices/live.js'
import { readKnownAuctions } from '../prices/plan.js'
import { ListDoubt } from '../prices/seen.js'
import type { Result } from '../result.js'
import { inputFile, rowsOf } from '../rows/input.js'
import { type RowsFlags, runRows } from '../rows/run-rows.js'
import type { PlannedKind } from '../rows/show.js'

export interface AuctionFlags extends RowsFlags, GuardFlags {
  readonly file: string
  readonly sheet?: string
  readonly vat?: string
  /** Kronor of fees that are accepted. */
  readonly 'accept-fees'?: number
}

/**
 * Plans the prices of a file against the live list, and shows or sends them.
 * @returns as runRows
 * @throws {SellerError} validation for the file; guard (6) for fees that are not accepted, before anything is sent; what runRows throws
 */
export function auctionPrices(ctx: Context, flags: AuctionFlags): Promise<Result> {
  const input = inputFile(flags.file, flags.sheet)
  return runRows(ctx, {
    flags,
    input,
    plan: async () => {
      const guards = guardsOf(flags, ctx.profile.settings)
      const rows = await rowsOf(ctx, input, readAuctionRows)
      const known = await readKnownAuctions(ctx, guards)
      const costs = await knownCosts(ctx, flags.vat)
      const doubt = new ListDoubt(flags)
      const live = liveItems(ctx, await ctx.client(), { ...RUNNING, absence: doubt })
      const plan = await planAuctionPrices(rows, live, { guards, known, costs })
      doubt.refuseMissing(plan.summary.Unknown)
      const accept = () => acceptFees(ctx, plan, flags['accept-fees'])
      return {
        ...auctionsToSend(plan),
        ...{ title: `items:price ${input.words}`, calls: 1, verb: 'Set the prices of', accept },
      }
    },
  })
}

/** Prices of auctions as a job takes them. */
export function auctionsToSend(plan: AuctionPlan): PlannedKind<AuctionPlanRowShown> {
  const { form, summary } = plan
  return {
    parts: [{ kind: 'auction-price', rows: auctionJobRows(plan) }],
    form,
    summary,
    noun: 'auction',
    shown: { view: auctionPlanView, rows: () => plan.entries.map(({ Send: _, ...row }) => row), guarded: true },
  }
}

async function acceptFees(ctx: Context, { summary, entries }: AuctionPlan, accepted: number | undefined): Promise<void> {
  const { Fees } = summary
  if (Fees === 0) return
  const reserves = entries.filter(({ Fee }) => Fee > 0).length
  const message = `${countOf(reserves, 'new reserve price')} ${reserves === 1 ? 'costs' : 'cost'} ${kronor(Fees)} and cannot be removed later.`
  if (accepted !== undefined && accepted < Fees) {
    throw new SellerError(
      'fees_not_accepted',
      `${message} Only ${kronor(accepted)} are accepted. Nothing was sent.`,
      `Accept them with --accept-fees ${Fees}, or leave out the reserve prices.`,
      { fees: Fees, accepted },
    )
  }
  await ctx.prompts.confirm({ message: `${message} Accept?`, flag: `--accept-fees ${Fees}`, given: accepted !== undefined })
}

/** `--accept-fees` alone means the fee of one reserve price. */
export function acceptingFees(argv: readonly string[]): string[] {
  return argv.map((word, index) => {
    const alone = word === '--accept-fees' && !/^\d/.test(argv[index + 1] ?? '')
    return alone ? `${word}=${RESERVE_PRICE_FEE}` : word
  })
}
