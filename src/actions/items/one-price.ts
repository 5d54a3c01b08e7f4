/** items:price ID: the prices of one auction, checked by the same guards as those of a file. */

import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { readKronor } from '../../cli/values.js'
import { kronorText } from '../../contract/numbers.js'
import { type AuctionPriceRecord, auctionPriceView } from '../../format/views/index.js'
import { auctionJudge, whyUnderWay } from '../../pricing/index.js'
import { knownCosts } from '../prices/costs.js'
import { auctionGuardWords, type GuardFlags, guardsOf } from '../prices/guards.js'
import { readKnownAuctions } from '../prices/ledger-prices.js'
import { type Result, recordResult } from '../result.js'
import { plannedPrices, setPrices, type WishedPrices } from './auction-price.js'

export interface OneAuctionFlags extends GuardFlags {
  /** Kronor; asked for if it is not given. */
  readonly opening?: number
  readonly reserve?: number | null
  readonly 'buy-now'?: number | null
  /** Kronor of fees that are accepted. */
  readonly 'accept-fees'?: number
  readonly yes?: boolean
  readonly vat?: string
  readonly 'dry-run'?: boolean
}

/**
 * Sets the prices of an auction.
 * @returns the old and the new ones, or what would be set
 * @throws {SellerError} validation for prices that are not allowed; guard (6) for a price over a limit and for a fee that was not
 * accepted, nothing sent; not_found; what the client throws
 */
export async function oneAuctionPrice(ctx: Context, itemId: number, flags: OneAuctionFlags): Promise<Result> {
  const guards = guardsOf(flags, ctx.profile.settings)
  const wished: WishedPrices = {
    opening: flags.opening ?? (await askOpening(ctx)),
    reserve: flags.reserve,
    buyNow: flags['buy-now'],
  }
  const client = await ctx.client()
  const item = await client.call('GetItem', { itemId }, { signal: ctx.signal })
  if (item === null)
    throw new SellerError('item_not_found', `There is no item ${itemId}.`, 'See your items with: seller items:list')
  const plan = plannedPrices(item, wished, ctx.clock.now())
  const known = (await readKnownAuctions(ctx, guards)).of(itemId)
  const costs = await knownCosts(ctx, flags.vat)
  const cost = costs.of(costs.find({ Id: itemId, OwnReferences: item.OwnReferences }))
  const underWay = whyUnderWay(plan, known)
  const why = underWay ?? auctionJudge([plan], guards, () => ({ known, cost }))(plan)
  if (flags['dry-run'] === true) {
    if (why !== undefined) ctx.output.warn(`It would be held. ${asSentence(why)}`)
    return recordResult(auctionPriceView, plan)
  }
  if (underWay !== undefined) throw priceUnderWay(plan, underWay)
  if (why !== undefined) await confirmHeldPrice(ctx, plan, { why, yes: flags.yes === true })
  await acceptFee(ctx, plan, flags)
  return recordResult(auctionPriceView, await setPrices(client, plan, ctx.signal))
}

/**
 * A price over a limit needs a person's yes to exactly that price. --yes does not count: scripts contain it, and for shop:price
 * it lets nothing past the guards either.
 */
async function confirmHeldPrice(
  ctx: Context,
  { ItemId }: AuctionPriceRecord,
  { why, yes }: { why: string; yes: boolean },
): Promise<void> {
  const flag = auctionGuardWords()
  if (ctx.prompts.available && !yes) {
    await ctx.prompts.confirm({ message: `Item ${ItemId}: ${asSentence(why)} Set it anyway?`, flag, given: false })
    return
  }
  throw new SellerError(
    'price_held',
    `Item ${ItemId} is held. Nothing was sent. ${asSentence(why)}`,
    `If the price is right, allow it with ${flag}. --yes does not allow it.`,
    { itemId: ItemId },
  )
}

/** Nobody can allow it: the other job would set its own prices again later. */
function priceUnderWay({ ItemId }: AuctionPriceRecord, why: string): SellerError {
  const hint = 'Finish that job, or give it up with seller jobs:drop; then set the price.'
  return new SellerError('price_held', `Item ${ItemId} is held. Nothing was sent. ${asSentence(why)}`, hint, { itemId: ItemId })
}

/** A reason that ends with a question mark needs no full stop. */
function asSentence(why: string): string {
  return why.endsWith('?') ? why : `${why}.`
}

async function acceptFee(ctx: Context, { Fee, ReservedPrice }: AuctionPriceRecord, flags: OneAuctionFlags): Promise<void> {
  if (Fee === 0) return
  const message = `A new reserve price of ${kronorText(ReservedPrice ?? 0)} costs ${kronorText(Fee)} and cannot be removed later.`
  const given = (flags['accept-fees'] ?? 0) >= Fee || flags.yes
  await ctx.prompts.confirm({ message, flag: '--accept-fees', given })
}

async function askOpening(ctx: Context): Promise<number> {
  const question = { key: 'opening', flag: '--opening', message: 'Opening price, kronor', kind: 'int' } as const
  const { opening = '' } = await ctx.prompts.fill([question])
  return readKronor(opening, '--opening')
}
