/** items:price --file: prices of many auctions, one call each, with the total of the fees of new reserve prices. */

import type { Context } from '../../cli/context.js'
import { type ExitCode, SellerError } from '../../cli/errors.js'
import { RESERVE_PRICE_FEE } from '../../contract/index.js'
import { kronor } from '../../format/output/index.js'
import { type AuctionPlanRowShown, auctionPlanView, countOf, type JobRunRecord } from '../../format/views/index.js'
import { auctionJobRows } from '../../jobs/bulk/index.js'
import { type AuctionPlan, planAuctionPrices } from '../../pricing/index.js'
import { readAuctionRows } from '../../rows/index.js'
import { openInputFile } from '../input/file.js'
import { type RowsShown, shownRows } from '../jobs/confirm.js'
import { refuseOverwriting } from '../jobs/files.js'
import { type StartFlags, startJob } from '../jobs/start.js'
import { hintLetThrough } from '../jobs/words.js'
import { knownCosts } from '../prices/costs.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { readKnownAuctions } from '../prices/known.js'
import { liveItems, RUNNING } from '../prices/live.js'
import { inShort } from '../prices/plan.js'
import { refusing } from '../prices/refusal.js'
import { ListDoubt } from '../prices/seen.js'
import { showPlan } from '../prices/show.js'

export interface AuctionFlags extends StartFlags, GuardFlags {
  readonly file: string
  readonly sheet?: string
  readonly 'dry-run'?: boolean
  readonly vat?: string
  /** Kronor of fees that are accepted. */
  readonly 'accept-fees'?: number
}

/**
 * Plans the prices of a file against the live list, and shows or sends them.
 * @returns the result of the run; undefined for a dry run, whose plan is written
 * @throws {SellerError} validation for the file; guard (6) for fees that are not accepted, before anything is sent; what startJob
 * throws
 */
export async function auctionPrices(
  ctx: Context,
  flags: AuctionFlags,
): Promise<{ record: JobRunRecord; code: ExitCode } | undefined> {
  const { file, sheet } = flags
  refuseOverwriting(ctx, file, { '--held-file': flags['held-file'], '--failed-file': flags['failed-file'] })
  const guards = guardsOf(flags, ctx.profile.settings)
  const input = await refusing({ kind: 'file', path: file }, async () => readAuctionRows(await openInputFile(ctx, file), sheet))
  for (const note of input.notes) ctx.output.note(note)
  ctx.ifInterrupted({ sent: 'Nothing was sent.' })
  const known = await readKnownAuctions(ctx, guards)
  const costs = await knownCosts(ctx, flags.vat)
  const doubt = new ListDoubt(flags)
  const live = liveItems(ctx, await ctx.client(), { ...RUNNING, absence: doubt })
  const plan = await planAuctionPrices(input, live, { guards, known, costs })
  doubt.settle(plan.summary.Unknown)
  const { form, summary } = plan
  if (flags['dry-run'] === true) {
    await showPlan(ctx, { view: auctionPlanView, rows: auctionRows(plan), summary, reasons: auctionReasons(plan) })
    if (summary.Held > 0 && summary.Stopped === null) hintLetThrough(ctx)
    return undefined
  }
  await acceptFees(ctx, plan, flags['accept-fees'])
  const rows = auctionJobRows(plan)
  const title = inShort(`items:price --file ${file}`)
  return startJob(ctx, {
    kind: 'auction-price',
    title,
    form,
    rows,
    summary,
    calls: 1,
    verb: 'Set the prices of',
    noun: 'auction',
    shown: shownAuctions(plan),
    flags,
  })
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

/** The rows of a plan that will not be sent. */
export function auctionReasons({ entries, summary }: AuctionPlan): AuctionPlan['entries'] {
  // A reason that stops everything is reported once.
  return entries.filter(
    ({ Outcome, Reason }) => Outcome === 'unknown' || (Outcome === 'held' && Reason !== summary.Stopped?.Reason),
  )
}

/** The rows of a plan for the question. */
export function shownAuctions(plan: AuctionPlan): RowsShown {
  return shownRows(auctionPlanView, auctionRows(plan), plan.summary.Change)
}

export function* auctionRows({ entries }: AuctionPlan): Generator<AuctionPlanRowShown> {
  for (const entry of entries) {
    const { Outcome, Send: _, ...rest } = entry
    yield { ...rest, State: Outcome }
  }
}
