/**
 * Plans the prices of shop items, wherever they come from: rows or a rule, the live list, what the ledger knows of prices that
 * are being changed, and discounts, beside which a row means the normal price.
 */
import type { Context } from '../../cli/context.js'
import { countOf } from '../../contract/numbers.js'
import { bulkJob, itemsPerCall, knownAuctionPrices, knownPrices, type NewBulkRow } from '../../jobs/bulk/index.js'
import { heldInNewDiscounts, PricesDuringDiscounts, takeInResults } from '../../jobs/discounts/index.js'
import type { Ledger } from '../../jobs/index.js'
import { DRIFT_DAYS } from '../../pricing/guards/index.js'
import type { Guards, Known, KnownOfAuctions, LiveItem, LiveItems, PlanTerms, PriceRule, RowPlan } from '../../pricing/index.js'
import type { PriceRows } from '../../rows/index.js'
import { DAY_MS } from '../../system/durations.js'
import { noteDiscounts } from '../discounts/noted.js'
import { lookAtQueued } from '../jobs/look.js'
import { shopOf } from '../own.js'
import { knownCosts, noteBeforeFee, noteWithoutCost } from './costs.js'
import { type Filter, type LiveLook, liveItemsFor } from './live.js'
import { type Absence, ListDoubt } from './seen.js'

/** Where prices come from, and what they are compared with. */
export interface PriceSource {
  /** The list to read; undefined for a blind plan, and where it was read. */
  readonly list: Filter | undefined
  /** Rows whose items are needed; undefined where any may be. */
  readonly rows?: PriceRows | undefined
  /** The live list, where it was read for something else too. */
  readonly live?: LiveItems | undefined
  /** True if something is concluded from items that the list does not have: those of rows. */
  readonly concludes: boolean
  /** The price that is asked for an item in a discount, where the very price that is live may stay as it is. */
  readonly wanted?: ((item: LiveItem) => number | undefined) | undefined
  readonly rule?: PriceRule
  /** The guards, where they are others than those of the run. */
  readonly guards?: Guards | undefined
  plan(terms: SourceTerms): Promise<RowPlan>
}

/** Terms with what they are planned against. */
export interface SourceTerms extends PlanTerms {
  readonly live?: LiveItems | undefined
  /** True for an item in a discount or with an earlier price on its way: its row may change although it has the live price. */
  readonly isApart: (id: number) => boolean
}

/** Terms for planning the prices of a source. */
interface PriceTerms {
  readonly guards: Guards
  readonly look?: LiveLook | undefined
  readonly use: PlanUse
  /** The limit for a list that is short: a row whose item it lacks is not taken for one of a gone item. */
  readonly absence: Absence
  /** The flag: VAT that the prices include. */
  readonly vat: string | undefined
  /** Calls made to ask about prices that are on their way; they are asked about here by default. */
  readonly looked?: number
}

export interface PlannedPrices {
  readonly plan: RowPlan
  /** Calls made for it: none if it is blind, else one, and more if the results of queued prices were asked for. */
  readonly calls: number
  /** Set where items of the shop are in a discount: their rows are about the normal price. */
  readonly during?: PricesDuringDiscounts | undefined
}

/** Plans prices against the live list (without it if blind), using what the ledger knows. */
export async function planShopPrices(
  ctx: Context,
  { list, rows, live, concludes, wanted, rule, guards: own, plan: planned }: PriceSource,
  { guards: ofRun, look, use, absence, vat, looked }: PriceTerms,
): Promise<PlannedPrices> {
  const guards = own ?? ofRun
  const costs = await knownCosts(ctx, vat)
  const client = list && (await ctx.client())
  const ledger = await ctx.ledger()
  const perCall = itemsPerCall(ledger, ctx.profile.name)
  const doubt = new ListDoubt(absence)
  const looks = looked ?? (use.discount === true ? 0 : await lookAtPending(ctx, guards, rows))
  const pricesForUse = knownFor(use, await readKnown(ctx, guards))
  // Made now: what was asked about may have changed normal prices.
  const during = PricesDuringDiscounts.of(ledger, shopOf(ctx))
  const filter = list && { ...list, look, ...(concludes ? { absence: doubt } : {}) }
  const foundItems = live === undefined && client && filter ? await liveItemsFor(ctx, client, filter, rows) : undefined
  const items = live ?? foundItems?.items
  const plannedItems = items === undefined || during === undefined ? items : during.normal(items, wanted)
  const isApart = (id: number) => during?.has(id) === true || pricesForUse.of(id)?.pending !== undefined
  const prices = { live: plannedItems, guards, known: pricesForUse, perCall, lowers: use.discount, costs, isApart }
  const pricePlan = await planned(prices)
  doubt.refuseMissing(pricePlan.summary.Unknown)
  if (use.discount !== true) {
    noteDiscounts(ctx, ledger, pricePlan)
    noteKept(ctx, during)
  }
  noteWithoutCost(ctx, pricePlan, guards, rule)
  noteBeforeFee(ctx, rule)
  return { plan: pricePlan, calls: looks + (foundItems?.calls ?? 0), during }
}

/** Warns about edited values beside the prices: they stay as they are. */
export function warnEditedValues({ output }: Context, { editedCells, editedCount }: RowPlan): void {
  if (editedCount === 0) return
  const lines = editedCells.map(
    ({ Line, Id, Field, Value, Live }) => `  line ${Line}, item ${Id}: ${Field} is "${Live}", not "${Value}"`,
  )
  const more = editedCount > editedCells.length ? [`  … and ${editedCount - editedCells.length} more`] : []
  const what = `${countOf(editedCount, 'value')} beside the prices ${editedCount === 1 ? 'differs' : 'differ'}`
  output.warn([`${what} from the live item. Only prices are sent.`, ...lines, ...more].join('\n'))
  if (editedCells.some(({ Field }) => Field === 'RemainingQuantity'))
    output.hint('Numbers in stock are set with shop:stock, where the service offers it.')
}

/** Use that the prices have. */
export interface PlanUse {
  /** The command, in front of what it was given in the title. */
  readonly command: string
  /** They are those of a discount that begins later: none may rise, and what is on its way now does not matter. */
  readonly discount?: boolean
}

/** Takes what a job does into the discounts of the shop, once it has ended. @returns its end */
export async function takenIntoDiscounts<End>(ctx: Pick<Context, 'ledger' | 'profile'>, pendingEnd: Promise<End>): Promise<End> {
  const end = await pendingEnd
  takeInResults(await ctx.ledger(), shopOf(ctx))
  return end
}

/**
 * The rows of a job of prices: one whose item a discount has taken in since the prices were read is held. Read them in the
 * transaction of the job.
 */
export function heldWhereTaken(
  ctx: Pick<Context, 'profile'>,
  ledger: Ledger,
  rows: Iterable<NewBulkRow>,
  { readAt = 0, during }: { readonly readAt?: number; readonly during?: PricesDuringDiscounts | undefined },
): Iterable<NewBulkRow> {
  return heldInNewDiscounts(rows, { ledger, shop: shopOf(ctx), readAt, during })
}

/** The price that a row asks for an item, by its id or by one of its own references. */
export function wantedPrice(rows: PriceRows, { Id, OwnReferences = [] }: LiveItem): number | undefined {
  const byId = rows.find(Id)
  const at = byId >= 0 ? byId : (OwnReferences.map((each) => rows.findReference(each.trim())).find((each) => each >= 0) ?? -1)
  return at < 0 ? undefined : rows.at(at).price
}

/** A discount is planned again when it begins: what is on its way now has arrived by then. */
function knownFor({ discount }: PlanUse, prices: Known): Known {
  if (discount !== true) return prices
  return { of: (id) => ({ first: prices.of(id)?.first ?? 0, pending: undefined }) }
}

/** Says which rows ask for the discount price that is live. */
function noteKept({ output }: Context, during: PricesDuringDiscounts | undefined): void {
  if (during === undefined) return
  if (during.kept > 0) {
    const [have, stay] = during.kept === 1 ? ['has', 'It stays as it is'] : ['have', 'They stay as they are']
    output.note(
      `${countOf(during.kept, 'row')} ${have} the discount price that is live now. ${stay}: a discount price is not taken for a normal price.`,
    )
  }
}

/** Span of the ledger that is read. Results of requests that are queued longer will not come, so they are not waited for. */
export const KNOWN_WINDOW_MS = DRIFT_DAYS * DAY_MS

/**
 * Asks for the results of jobs that have queued prices of items. Most are done by then, so that only unfinished ones hold a row.
 * Before the live list is read, which then is read once.
 * @param rows those whose items matter; all by default @returns the number of calls made
 */
export async function lookAtPending(ctx: Context, guards: Guards, rows?: PriceRows): Promise<number> {
  const prices = await readKnown(ctx, guards)
  const ids = rows === undefined || rows.hasReferences || rows.numbered ? undefined : rows
  const ledger = await ctx.ledger()
  let looks = 0
  for (const jobId of prices.queuedIn(ids)) looks += await lookAtQueued(ctx, await ctx.client(), bulkJob(ledger, jobId))
  return looks
}

async function readKnown(ctx: Context, guards: Guards): Promise<ReturnType<typeof knownPrices>> {
  return knownPrices(await ctx.ledger(), scopeOf(ctx, guards))
}

/** Reads what the ledger knows about prices of auctions. */
export async function readKnownAuctions(ctx: Context, guards: Guards): Promise<KnownOfAuctions> {
  return knownAuctionPrices(await ctx.ledger(), scopeOf(ctx, guards))
}

function scopeOf(ctx: Context, guards: Guards) {
  return { ...shopOf(ctx), since: ctx.clock.now() - KNOWN_WINDOW_MS, jump: guards.max_change }
}
