/**
 * items:price ID: the prices of one auction, checked against the live item and by the same guards as those of a file
 * (docs/service.md, Prices of auctions).
 */

import type { Context } from '../../cli/context.js'
import { InputFaults } from '../../cli/input-faults.js'
import { readKronor } from '../../cli/values.js'
import { type InputFault, priceOrder, RESERVE_PRICE_FEE } from '../../contract/index.js'
import { amountText } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { hasEnded, type ItemRecord } from '../../format/views/items.js'
import { type AuctionPriceRecord, auctionPriceView } from '../../format/views/sending.js'
import { codesOf, type Hold, passFlags, sentenceOf } from '../../holds/index.js'
import { bulkRows, createBulkJob } from '../../jobs/bulk/index.js'
import { blank, joined, type Message, money, run, say, type Words } from '../../messages/index.js'
import { auctionJudge, whyUnderWay } from '../../pricing/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { confirmOnTerminal } from '../jobs/confirm.js'
import { runJob } from '../jobs/run.js'
import { knownCosts } from '../prices/costs.js'
import { type GuardFlags, readGuards } from '../prices/guards.js'
import { readKnownAuctions } from '../prices/plan.js'
import { type Result, recordResult } from '../result.js'
import { explained } from '../rows/explained.js'
import { inShort } from '../rows/run-rows.js'

interface OneAuctionFlags extends GuardFlags {
  /** Kronor; asked for if it is not given. */
  readonly opening?: number | undefined
  readonly reserve?: number | null | undefined
  readonly 'buy-now'?: number | null | undefined
  /** Kronor of fees that are accepted. */
  readonly acceptFees?: number | undefined
  readonly yes?: boolean | undefined
  readonly vat?: string | undefined
  readonly 'dry-run'?: boolean | undefined
}

/**
 * Sets the prices of an auction.
 * @returns the old and the new ones, or what would be set
 * @throws {SellerError} validation for prices that are not allowed; guard (6) for a price over a limit and for a fee that was not
 * accepted, nothing sent; not_found; what the client throws
 */
export async function oneAuctionPrice(ctx: Context, itemId: number, flags: OneAuctionFlags): Promise<Result> {
  const guards = readGuards(flags, ctx.profile.settings)
  const wishes: WishedPrices = {
    opening: flags.opening ?? (await askOpening(ctx)),
    reserve: flags.reserve,
    buyNow: flags['buy-now'],
  }
  const client = await ctx.client()
  const item = await client.call('GetItem', { itemId })
  if (item === null)
    throw new SellerError('item_not_found', `There is no item ${itemId}.`, say`See your items with: ${run('items:list')}`)
  const plan = plannedPrices(ctx, item, wishes)
  const knownAuction = (await readKnownAuctions(ctx, guards)).of(itemId)
  const costs = await knownCosts(ctx, flags.vat)
  const cost = costs.of({ Id: itemId, OwnReferences: item.OwnReferences, VAT: item.VAT })
  const underWay = whyUnderWay(plan, knownAuction)
  const over = underWay === undefined ? auctionJudge([plan], guards, () => ({ known: knownAuction, cost }))(plan) : undefined
  const why = underWay ?? over
  if (flags['dry-run'] === true) {
    if (why !== undefined) ctx.output.warn(say`It would be held. ${sentenceOf(why)}`)
    return recordResult(auctionPriceView, explained(ctx, { ...plan, Hold: why ?? null }))
  }
  // Nobody can allow it: the other job would set its own prices again later.
  if (underWay !== undefined)
    throw heldError(
      plan,
      underWay,
      say`Finish that job, or give it up with ${run('jobs:drop', { id: blank('JOB') })}; then set the price.`,
    )
  if (over !== undefined) await confirmHeldPrice(ctx, plan, over, flags.yes === true)
  await acceptFee(ctx, plan, flags, over !== undefined)
  // Whoever was asked about a limit or a fee has said yes to these prices.
  if (over === undefined && plan.Fee === 0) await confirmOnTerminal(ctx, say`${changeOf(plan)}. Set it?`, flags)
  return recordResult(auctionPriceView, await setPrices(ctx, client, plan, flags))
}

/** `Item 7 "Vas": opening price 100 kr to 120 kr` */
function changeOf({ ItemId, Title, ...prices }: AuctionPriceRecord): Message {
  const amount = (kronor: number | null): Words => (kronor === null ? 'none' : say`${money(kronor)}`)
  const changes = (
    [
      ['opening price', prices.OldOpeningPrice, prices.OpeningPrice],
      ['reserve price', prices.OldReservedPrice, prices.ReservedPrice],
      ['buy-now price', prices.OldBinPrice, prices.BinPrice],
    ] as const
  ).flatMap(([name, old, price]) => (old === price ? [] : [say`${name} ${amount(old)} to ${amount(price)}`]))
  return say`Item ${ItemId} "${Title ?? ''}": ${changes.length === 0 ? 'the prices that it has' : joined(changes, ', ')}`
}

/**
 * A price over a limit needs a person's yes to exactly that price. --yes does not count: scripts contain it, and for shop:price
 * it lets nothing past the guards either.
 */
async function confirmHeldPrice(ctx: Context, plan: AuctionPriceRecord, hold: Hold, yes: boolean): Promise<void> {
  const flag = passFlags(codesOf(hold)).join(', and ')
  if (!ctx.prompts.available || yes) throw heldError(plan, hold, `If the price is right, give ${flag}. --yes does not allow it.`)
  showPrices(ctx, plan)
  await ctx.prompts.confirm({ message: say`Item ${plan.ItemId}: ${sentenceOf(hold)} Set it anyway?`, flag, given: false })
}

/** Shows the item and its prices, before and after, to the person who is asked about one of them. */
function showPrices(ctx: Context, plan: AuctionPriceRecord): void {
  if (ctx.prompts.available) ctx.prompts.show(ctx.text(say`${changeOf(plan)}.`))
}

function heldError({ ItemId }: AuctionPriceRecord, why: Hold, hint: Words): SellerError {
  return new SellerError('price_held', say`Item ${ItemId} is held. Nothing was sent. ${sentenceOf(why)}`, hint, {
    itemId: ItemId,
  })
}

/** @param shown true if the prices were shown for another question */
async function acceptFee(ctx: Context, plan: AuctionPriceRecord, flags: OneAuctionFlags, isShown: boolean): Promise<void> {
  const { Fee, ReservedPrice } = plan
  if (Fee === 0) return
  const message = say`A new reserve price of ${money(ReservedPrice ?? 0)} costs ${money(Fee)} and cannot be removed later.`
  const hasConsent = (flags.acceptFees ?? 0) >= Fee || flags.yes
  if (hasConsent !== true && !isShown) showPrices(ctx, plan)
  await ctx.prompts.confirm({ message, flag: '--accept fees', given: hasConsent })
}

async function askOpening(ctx: Context): Promise<number> {
  const question = { key: 'opening', flag: '--opening', message: 'Opening price, kronor', kind: 'int' } as const
  const { opening = '' } = await ctx.prompts.fill([question])
  return readKronor(opening, '--opening', ctx.currency)
}

/** Kronor. undefined keeps the current price, null removes it. */
interface WishedPrices {
  readonly opening: number
  readonly reserve?: number | null | undefined
  readonly buyNow?: number | null | undefined
}

const FIELDS = { opening: '--opening', reserve: '--reserve', buyNow: '--buy-now' }

/**
 * The change of prices, with old and new values and its fee.
 * @throws {SellerError} validation, with every reason against it
 */
function plannedPrices({ clock, output }: Context, item: ItemRecord, wishes: WishedPrices): AuctionPriceRecord {
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
  if (hasEnded(item, clock.now())) faults.add({ field: `item ${item.Id}`, value: undefined, message: `ended ${item.EndDate}` })
  if (wishes.reserve === null && old.reserve !== null) {
    faults.add({
      field: FIELDS.reserve,
      value: 'none',
      message: `cannot take the reserve price away; it is ${amountText(old.reserve, output.unit)}, and can only be changed`,
    })
  }
  // An unset price would be sent as null, which removes a buy-now price and asks to remove a reserve. So the current one is sent
  // instead.
  const reserve = wishes.reserve === undefined ? old.reserve : wishes.reserve
  const buyNow = wishes.buyNow === undefined ? old.buyNow : wishes.buyNow
  const zero = { opening: wishes.opening, reserve: wishes.reserve, buyNow: wishes.buyNow }
  for (const [name, price] of Object.entries(zero)) {
    if (price === 0) faults.add({ field: FIELDS[name as keyof typeof FIELDS], value: 0, message: 'must be at least 1' })
  }
  faults.add(...priceOrder({ opening: wishes.opening, reserve, buyNow }, FIELDS).map((fault) => aboutKept(fault, wishes)))
  faults.throwIfAny()
  return {
    ItemId: item.Id,
    Title: item.ShortDescription ?? null,
    OldOpeningPrice: item.OpeningBid ?? null,
    OpeningPrice: wishes.opening,
    OldReservedPrice: old.reserve,
    ReservedPrice: reserve,
    OldBinPrice: old.buyNow,
    BinPrice: buyNow,
    Fee: old.reserve === null && reserve !== null ? RESERVE_PRICE_FEE : 0,
    IsSuccessful: false,
    JobId: null,
    ...{ Code: null, Values: null, Reason: null },
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
  const refuse = (message: string, hint: Words): SellerError =>
    new SellerError('not_an_auction', `Item ${Id} ${message}`, say`Nothing was sent. ${hint}`, { itemType: ItemType })
  if (ItemType === 'ShopItem')
    throw refuse('is a shop item.', say`Set its price with: ${run('shop:price', { price: blank(`${Id}=PRICE`) })}`)
  if (ItemType === 'PureBuyItNow') {
    throw refuse(
      'is sold at buy-it-now only; the service changes such a price by its operation UpdateItemPrice, and refuses it here.',
      say`${run('call', { operation: 'UpdateItemPrice', '--service': 'restricted' })} sends that one, if the service has opened it to you.`,
    )
  }
  if (ItemType === 'ContactOnly')
    throw refuse('is a contact-only item and has none of these prices.', say`See ${run('items:show', { id: Id })}.`)
}

/** Rewords a fault about a price that was not given: it is about the kept one. */
function aboutKept(fault: InputFault, { reserve, buyNow }: WishedPrices): InputFault {
  const isKept =
    (fault.field === FIELDS.reserve && reserve === undefined) || (fault.field === FIELDS.buyNow && buyNow === undefined)
  if (!isKept) return fault
  const remove = fault.field === FIELDS.buyNow ? ', or --buy-now none to remove it' : ''
  return { ...fault, hint: `The item has this price now, and keeps it by default. Give ${fault.field} too${remove}.` }
}

/**
 * Sends the prices as a job of one row, which jobs:undo takes back.
 * @throws {SellerError} validation with the service's reason if it refuses; what runJob throws
 */
async function setPrices(
  ctx: Context,
  client: SoapClient,
  plan: AuctionPriceRecord,
  flags: OneAuctionFlags,
): Promise<AuctionPriceRecord> {
  const { ItemId, Title, OpeningPrice, ReservedPrice, BinPrice, OldOpeningPrice } = plan
  const old = { OpeningPrice: OldOpeningPrice, ReservedPrice: plan.OldReservedPrice, BinPrice: plan.OldBinPrice }
  const ledger = await ctx.ledger()
  const { JobId } = createBulkJob(ledger, {
    ...{ kind: 'auction-price', profile: ctx.profile.name, userId: ctx.profile.settings.user_id },
    title: inShort(`items:price ${ItemId} --opening ${OpeningPrice}`),
    form: { kind: 'arguments', columns: ['Id', 'OpeningPrice', 'ReservedPrice', 'BinPrice'] },
    rows: [
      {
        ...{ line: 1, id: ItemId, title: Title, payload: { OpeningPrice, ReservedPrice, BinPrice } },
        oldPayload: OldOpeningPrice === null ? undefined : old,
      },
    ],
  })
  const { job } = await runJob(ctx, client, { jobId: JobId, flags: { ...flags, wait: false, timeout: 0 } })
  if (job.Counts.ok === 1) return { ...plan, IsSuccessful: true, JobId }
  const [row] = bulkRows(ledger, JobId)
  const reason = row?.Hold ? ctx.text(sentenceOf(row.Hold)) : 'The service refused the prices without a reason.'
  throw new SellerError('refused_by_service', reason, 'Nothing was changed. Correct the prices and try again.', {
    ...{ itemId: ItemId, reasons: [reason], jobId: JobId },
  })
}
