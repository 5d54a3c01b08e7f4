/**
 * items:price ID: the prices of one auction, checked against the live item and by the same guards as those of a file
 * (docs/service.md, Prices of auctions).
 */
import type { Context } from '../../cli/context.js'
import { InputFaults } from '../../cli/input-faults.js'
import { readKronor } from '../../cli/values.js'
import { type InputFault, instantOf, priceOrder, RESERVE_PRICE_FEE, sentence } from '../../contract/index.js'
import { kronorText } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { type AuctionPriceRecord, auctionPriceView, type ItemRecord } from '../../format/views/index.js'
import { wideningFlag } from '../../pricing/guards/index.js'
import { auctionJudge, type HeldAuction, whyUnderWay } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { knownCosts } from '../prices/costs.js'
import { type GuardFlags, guardsOf } from '../prices/guards.js'
import { readKnownAuctions } from '../prices/plan.js'
import { type Result, recordResult } from '../result.js'

interface OneAuctionFlags extends GuardFlags {
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
  const item = await client.call('GetItem', { itemId })
  if (item === null)
    throw new SellerError('item_not_found', `There is no item ${itemId}.`, 'See your items with: seller items:list')
  const plan = plannedPrices(item, wished, ctx.clock.now())
  const known = (await readKnownAuctions(ctx, guards)).of(itemId)
  const costs = await knownCosts(ctx, flags.vat)
  const cost = costs.of(costs.find({ Id: itemId, OwnReferences: item.OwnReferences }))
  const underWay = whyUnderWay(plan, known)
  const over = underWay === undefined ? auctionJudge([plan], guards, () => ({ known, cost }))(plan) : undefined
  const why = underWay ?? over?.reason
  if (flags['dry-run'] === true) {
    if (why !== undefined) ctx.output.warn(`It would be held. ${sentence(why)}`)
    return recordResult(auctionPriceView, plan)
  }
  // Nobody can allow it: the other job would set its own prices again later.
  if (underWay !== undefined)
    throw held(plan, underWay, 'Finish that job, or give it up with seller jobs:drop; then set the price.')
  if (over !== undefined) await confirmHeldPrice(ctx, plan, over, flags.yes === true)
  await acceptFee(ctx, plan, flags)
  return recordResult(auctionPriceView, await setPrices(client, plan))
}

/**
 * A price over a limit needs a person's yes to exactly that price. --yes does not count: scripts contain it, and for shop:price
 * it lets nothing past the guards either.
 */
async function confirmHeldPrice(
  ctx: Context,
  plan: AuctionPriceRecord,
  { reason, limits }: HeldAuction,
  yes: boolean,
): Promise<void> {
  const flag = [...new Set(limits.flatMap((limit) => wideningFlag(limit) ?? []))].join(', and ')
  if (!ctx.prompts.available || yes) throw held(plan, reason, `If the price is right, give ${flag}. --yes does not allow it.`)
  await ctx.prompts.confirm({ message: `Item ${plan.ItemId}: ${sentence(reason)} Set it anyway?`, flag, given: false })
}

function held({ ItemId }: AuctionPriceRecord, why: string, hint: string): SellerError {
  return new SellerError('price_held', `Item ${ItemId} is held. Nothing was sent. ${sentence(why)}`, hint, { itemId: ItemId })
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

/** Kronor. undefined keeps the current price, null removes it. */
interface WishedPrices {
  readonly opening: number
  readonly reserve?: number | null
  readonly buyNow?: number | null
}

const FIELDS = { opening: '--opening', reserve: '--reserve', buyNow: '--buy-now' }

/**
 * The change of prices, with old and new values and its fee.
 * @param now ms since 1970
 * @throws {SellerError} validation, with every reason against it
 */
function plannedPrices(item: ItemRecord, wished: WishedPrices, now: number): AuctionPriceRecord {
  refuseIncomplete(item)
  refuseWrongKind(item)
  const faults = new InputFaults()
  const old = { reserve: item.ReservePrice || null, buyNow: item.BuyItNowPrice || null }
  if (item.TotalBids > 0) {
    faults.add({
      field: `item ${item.Id}`,
      value: undefined,
      message: `has bids (${item.TotalBids}); its prices can no longer be changed`,
    })
  }
  if (instantOf(item.EndDate) <= now) faults.add({ field: `item ${item.Id}`, value: undefined, message: `ended ${item.EndDate}` })
  if (wished.reserve === null && old.reserve !== null) {
    faults.add({
      field: FIELDS.reserve,
      value: 'none',
      message: `a reserve price cannot be removed, only changed; it is ${kronorText(old.reserve)}`,
    })
  }
  // An unset price would be sent as null, which removes a buy-now price and asks to remove a reserve. So the current one is sent
  // instead.
  const reserve = wished.reserve === undefined ? old.reserve : wished.reserve
  const buyNow = wished.buyNow === undefined ? old.buyNow : wished.buyNow
  const zero = { opening: wished.opening, reserve: wished.reserve, buyNow: wished.buyNow }
  for (const [name, price] of Object.entries(zero)) {
    if (price === 0)
      faults.add({ field: FIELDS[name as keyof typeof FIELDS], value: 0, message: 'prices are whole kronor, at least 1' })
  }
  faults.add(...priceOrder({ opening: wished.opening, reserve, buyNow }, FIELDS).map((fault) => aboutKept(fault, wished)))
  faults.throwIfAny()
  return {
    ItemId: item.Id,
    Title: item.ShortDescription ?? null,
    OldOpeningPrice: item.OpeningBid ?? null,
    OpeningPrice: wished.opening,
    OldReservedPrice: old.reserve,
    ReservedPrice: reserve,
    OldBinPrice: old.buyNow,
    BinPrice: buyNow,
    Fee: old.reserve === null && reserve !== null ? RESERVE_PRICE_FEE : 0,
    IsSuccessful: false,
  }
}

/** Refuses an item without a value that the checks below need. A list may lack it, a change of prices may not. */
function refuseIncomplete(item: ItemRecord): void {
  const element = (['ItemType', 'TotalBids', 'EndDate'] as const).find((name) => item[name] === undefined || item[name] === null)
  if (element === undefined) return
  throw new SellerError(
    'broken_contract',
    `GetItem: the reply has no ${element} for item ${item.Id}, and whether its prices may be changed depends on it.`,
    'Nothing was sent. Try again later; --trace shows the reply.',
    { operation: 'GetItem', element: `GetItemResult.${element}` },
  )
}

/** Refuses items whose prices are set in another way, or not at all. */
function refuseWrongKind({ Id, ItemType }: ItemRecord): void {
  const refuse = (message: string, hint: string): SellerError =>
    new SellerError('not_an_auction', `Item ${Id} ${message}`, `Nothing was sent. ${hint}`, { itemType: ItemType })
  if (ItemType === 'ShopItem') throw refuse('is a shop item.', `Set its price with: seller shop:price ${Id}=PRICE`)
  if (ItemType === 'PureBuyItNow') {
    throw refuse(
      'is sold at buy-it-now only; the service changes such a price by its operation UpdateItemPrice, and refuses it here.',
      'seller call UpdateItemPrice --service restricted sends that one, if the service has opened it to you.',
    )
  }
  if (ItemType === 'ContactOnly') throw refuse('is a contact-only item and has none of these prices.', 'See seller items:show.')
}

/** Rewords a fault about a price that was not given: it is about the kept one. */
function aboutKept(fault: InputFault, { reserve, buyNow }: WishedPrices): InputFault {
  const kept =
    (fault.field === FIELDS.reserve && reserve === undefined) || (fault.field === FIELDS.buyNow && buyNow === undefined)
  if (!kept) return fault
  const remove = fault.field === FIELDS.buyNow ? ', or --buy-now none to remove it' : ''
  return { ...fault, hint: `The item has this price now, and keeps it by default. Give ${fault.field} too${remove}.` }
}

/**
 * Sends the prices.
 * @throws {SellerError} validation with the service's reasons if it refuses; what the client throws
 */
async function setPrices(client: SoapClient, plan: AuctionPriceRecord): Promise<AuctionPriceRecord> {
  const { ItemId, OpeningPrice, ReservedPrice, BinPrice } = plan
  const params = { itemId: ItemId, openingPrice: OpeningPrice, ReservedPrice, BinPrice }
  const result = await client.call('SetPricesOnNonShopItems', params)
  if (result.IsSuccessful) return { ...plan, IsSuccessful: true }
  const reasons = result.ValidationErrors.flatMap(({ ErrorMessage }) => (ErrorMessage ? [ErrorMessage] : []))
  throw new SellerError(
    'refused_by_service',
    reasons.join('\n') || 'The service refused the prices without a reason.',
    'Nothing was changed. Correct the prices and try again.',
    { itemId: ItemId, reasons },
  )
}
