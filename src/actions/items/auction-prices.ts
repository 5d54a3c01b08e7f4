/** items:price of many auctions, by a file or a rule: one call each, with the total of the fees of new reserve prices. */

import type { Context } from '../../cli/context.js'
import { byName } from '../../cli/flags.js'
import { readKronor } from '../../cli/values.js'
import { RESERVE_PRICE_FEE } from '../../contract/index.js'
import { amountText, countOf } from '../../contract/numbers.js'
import { without } from '../../contract/without.js'
import { SellerError } from '../../errors/index.js'
import { type AuctionPlanRowShown, auctionPlanView, fromTo } from '../../format/views/plans.js'
import { type Hold, held, wordsOf } from '../../holds/index.js'
import { auctionJobRows } from '../../jobs/bulk/index.js'
import { type Message, money, say } from '../../messages/index.js'
import { type AuctionPlan, type AuctionPlanOptions, planAuctionPrices, planAuctionRule, ruleWords } from '../../pricing/index.js'
import { readAuctionRows } from '../../rows/index.js'
import { knownCosts } from '../prices/costs.js'
import { type GuardFlags, readGuards } from '../prices/guards.js'
import { AUCTIONS, liveItems, RUNNING } from '../prices/live.js'
import { readKnownAuctions } from '../prices/plan.js'
import { ListDoubt } from '../prices/seen.js'
import {
  CHOICES_HINT,
  listedFor,
  RULING,
  type RuleFlags,
  readSelection,
  refuseNothingChosen,
  type SelectFlags,
  selected,
  selectionWords,
  typedRule,
} from '../prices/selection.js'
import type { Result } from '../result.js'
import { explained, explainedTotals } from '../rows/explained.js'
import { type FileFlags, inputFile, type RowsInput, readRows } from '../rows/input.js'
import { type RowsFlags, refusedPlan, runRows } from '../rows/run-rows.js'
import { largestFirst, type PlannedKind } from '../rows/show.js'

export interface AuctionFlags extends RowsFlags, GuardFlags, SelectFlags, RuleFlags, FileFlags {
  readonly file?: string | undefined
  readonly vat?: string | undefined
  /** Kronor of fees that are accepted. */
  readonly acceptFees?: number | undefined
}

/**
 * Plans the prices of a file, or opening prices by a rule, against the live list, and shows or sends them.
 * @returns as runRows
 * @throws {SellerError} usage for a rule without auctions, and the other way round; validation for the file; guard (6) for fees
 * that are not accepted, before anything is sent; what runRows throws
 */
export function auctionPrices(ctx: Context, flags: AuctionFlags): Promise<Result> {
  const { file } = flags
  const input: RowsInput = file === undefined ? { origin: { kind: 'rule' }, words: '' } : inputFile(file, flags)
  return runRows(ctx, {
    flags,
    input,
    plan: async () => {
      const { plan, words } =
        file === undefined ? await byRule(ctx, flags) : { plan: await ofFile(ctx, input, flags), words: input.words }
      const accepted = flags.acceptFees
      const feeHold = feesHold(plan, accepted)
      const accept = () => acceptFees(ctx, plan, accepted)
      const plannedAuctions = auctionsToSend(ctx, plan)
      return {
        ...(feeHold === undefined ? plannedAuctions : refusedPlan(ctx, plannedAuctions, feesRefusal(feeHold), feeHold)),
        ...{ title: `items:price ${words}`, calls: 1, verb: 'Set the prices of', accept },
      }
    },
  })
}

/** Facts that the guards compare with. */
async function comparedWith(ctx: Context, flags: AuctionFlags): Promise<Required<AuctionPlanOptions>> {
  const guards = readGuards(flags, ctx.profile.settings)
  return { guards, known: await readKnownAuctions(ctx, guards), costs: await knownCosts(ctx, flags.vat) }
}

async function ofFile(ctx: Context, input: RowsInput, flags: AuctionFlags): Promise<AuctionPlan> {
  const rows = await readRows(ctx, input, readAuctionRows)
  const options = await comparedWith(ctx, flags)
  const doubt = new ListDoubt(flags)
  const live = liveItems(ctx, await ctx.client(), { ...RUNNING, absence: doubt })
  const plan = await planAuctionPrices(rows, live, options)
  doubt.refuseMissing(plan.summary.Unknown)
  return plan
}

/** Opening prices by a rule. @returns the plan, and the choice and the rule in words */
async function byRule(ctx: Context, flags: AuctionFlags): Promise<{ plan: AuctionPlan; words: string }> {
  if (!RULING.some((name) => flags[name] !== undefined))
    throw new SellerError(
      'rule_without_items',
      'Auctions are chosen, but no rule is given.',
      'Give --set KR or --add KR|PERCENT with it, e.g. --add -10%.',
    )
  const rule = await typedRule(ctx, flags)
  const selection = readSelection(flags)
  if (selection === undefined)
    throw new SellerError(
      'rule_without_items',
      'A price rule is given, but no auctions are chosen.',
      `Give ${CHOICES_HINT} with it.`,
    )
  const inWords = ruleWords(rule, ctx.output.unit)
  ctx.output.note(`New opening prices: ${inWords}.`)
  const select = await selected(ctx, selection)
  const list = { ...AUCTIONS, ...listedFor(select) }
  const options = await comparedWith(ctx, flags)
  const plan = await planAuctionRule({ ...options, live: liveItems(ctx, await ctx.client(), list), select, rule })
  if (plan.summary.Rows + plan.withBids === 0) refuseNothingChosen(select, 'auction')
  if (plan.withBids > 0)
    ctx.output.note(
      `${countOf(plan.withBids, 'auction')} ${plan.withBids === 1 ? 'has' : 'have'} bids and ${plan.withBids === 1 ? 'is' : 'are'} left out: prices can be changed only before the first bid.`,
    )
  return { plan, words: `${selectionWords(selection)}: ${inWords}` }
}

/** Prices of auctions as a job takes them. */
export function auctionsToSend(ctx: Context, plan: AuctionPlan): PlannedKind<AuctionPlanRowShown> {
  const { form, summary } = plan
  const shownEntry = (entry: Entry) => explained(ctx, without(entry, 'Send'))
  return {
    parts: [{ kind: 'auction-price', rows: auctionJobRows(plan) }],
    form,
    summary: explainedTotals(ctx, summary),
    noun: 'auction',
    shown: {
      view: auctionPlanView,
      rows: () => plan.entries.map(shownEntry),
      largest: () => largestFirst(plan.entries, moveOf).map(shownEntry),
      facts: (unit) => sumsOf(plan, unit),
      guarded: true,
    },
  }
}

type Entry = AuctionPlan['entries'][number]

/** The prices of an auction, each before and after; null for none. */
const PRICES: readonly (readonly [words: string, pairOf: (entry: Entry) => readonly [number | null, number | null]])[] = [
  ['opening', ({ OldOpeningPrice, OpeningPrice }) => [OldOpeningPrice, OpeningPrice]],
  ['reserve', ({ OldReservedPrice, ReservedPrice }) => [OldReservedPrice, ReservedPrice]],
  ['buy-now', ({ OldBinPrice, BinPrice }) => [OldBinPrice, BinPrice]],
]

/** The largest change of a price, as a share of the price before. */
function moveOf(entry: Entry): number {
  const pairs = PRICES.map(([, pairOf]) => pairOf(entry))
  return Math.max(...pairs.map(([old, now]) => (old === null || now === null ? 0 : Math.abs(now - old) / Math.max(1, old))))
}

/** The sums of prices that change, a sentence for each kind of price, of auctions that have it before and after. */
function sumsOf({ entries }: AuctionPlan, unit: string): string[] {
  const changes = entries.filter(({ State }) => State === 'change')
  return PRICES.flatMap(([words, pairOf]) => {
    const pairs = changes.map(pairOf).filter((pair): pair is [number, number] => pair.every((price) => price !== null))
    const [old, now] = [pairs.reduce((sum, [price]) => sum + price, 0), pairs.reduce((sum, [, price]) => sum + price, 0)]
    return old === now ? [] : [`Sum of the ${words} prices: ${fromTo(old, now, (amount) => amountText(amount, unit))}.`]
  })
}

function feesWords({ summary, entries }: AuctionPlan): Message {
  const reserves = entries.filter(({ Fee }) => Fee > 0).length
  return say`${countOf(reserves, 'new reserve price')} ${reserves === 1 ? 'costs' : 'cost'} ${money(summary.Fees)} and cannot be removed later.`
}

/** The hold of a plan whose fees are above the accepted sum, kronor. */
function feesHold({ summary: { Fees }, entries }: AuctionPlan, Accepted: number | undefined) {
  if (Accepted === undefined || Accepted >= Fees) return undefined
  return held('accept_fees', { Reserves: entries.filter(({ Fee }) => Fee > 0).length, Fees, Accepted })
}

function feesRefusal(hold: Hold): SellerError {
  const { Fees: fees, Accepted: accepted } = (hold as Extract<Hold, { Code: 'accept_fees' }>).Values
  return new SellerError(
    'fees_not_accepted',
    say`${wordsOf(hold)}. Nothing was sent.`,
    `Accept them with --accept fees=${fees}, or leave out the reserve prices.`,
    { fees, accepted },
  )
}

async function acceptFees(ctx: Context, plan: AuctionPlan, accepted: number | undefined): Promise<void> {
  const { Fees } = plan.summary
  if (Fees === 0) return
  await ctx.prompts.confirm({
    message: say`${feesWords(plan)} Accept?`,
    flag: `--accept fees=${Fees}`,
    given: accepted !== undefined,
  })
}

/**
 * The fees that --accept lets pass, kronor: those of one reserve price without a value.
 * @throws {SellerError} usage for a name that is given twice, or an amount that cannot be read
 */
export function acceptedFees(
  { currency }: Pick<Context, 'currency'>,
  given: readonly (readonly ['fees', string | undefined])[] = [],
): number | undefined {
  const accepted = byName('--accept', given)
  if (!('fees' in accepted)) return undefined
  return accepted.fees === undefined ? RESERVE_PRICE_FEE : readKronor(accepted.fees, '--accept fees', currency)
}
