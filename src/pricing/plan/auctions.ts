/**
 * Plans prices of auctions: checks rules 1 to 5 of SetPricesOnNonShopItems against the live item, then the guards, before
 * anything is sent.
 */

import { priceOrder, RESERVE_PRICE_FEE, unreadFields } from '../../contract/index.js'
import type { AuctionChange, PlannedAuction } from '../../contract/plans.js'
import { type Hold, held as heldFor } from '../../holds/index.js'
import type { AuctionRow, AuctionRows } from '../../rows/auctions.js'
import type { InputForm } from '../../rows/types.js'
import type { PlanCosts } from '../costs.js'
import { type CostFacts, DEFAULT_GUARDS, type Guards, stoppedBy } from '../guards/index.js'
import { type AuctionField, type KnownOfAuctions, NO_AUCTION_KNOWN } from '../known.js'
import { applyRule, type PriceRule } from '../rules/rule.js'
import { isWrongWay, ruleHold, type Selection, selector } from '../rules/select.js'
import type { EntriesSummary, LiveItem, LiveItems, Stopped } from '../types.js'
import { auctionGuards, auctionJudge, whyUnderWay } from './auction-guards.js'
import { countRows } from './summary.js'

/**
 * Values sent to SetPricesOnNonShopItems, kronor. A null BinPrice removes an existing one; a null ReservedPrice neither adds nor
 * removes one.
 */
export type AuctionPricesSent = Pick<AuctionChange, AuctionField>

export interface AuctionPlanEntry extends PlannedAuction {
  readonly Hold: Hold | null
  /** null if nothing is to be sent. */
  readonly Send: AuctionPricesSent | null
}

export interface AuctionPlan {
  readonly form: InputForm
  readonly entries: readonly AuctionPlanEntry[]
  /** Values of the `_` columns of each entry. */
  readonly extras: readonly (readonly unknown[])[]
  readonly summary: EntriesSummary & {
    /** Total of the fees, kronor. */
    readonly Fees: number
  }
}

export interface AuctionPlanOptions {
  readonly guards?: Guards | undefined
  /** Price history in the ledger; none by default. */
  readonly known?: KnownOfAuctions | undefined
  /** Costs of the items; none by default. */
  readonly costs?: PlanCosts | undefined
}

/**
 * Plans rows of auction prices against the live list. A row that breaks a guard is held, unless `_Allow` names exactly its
 * opening price.
 */
export async function planAuctionPrices(
  input: AuctionRows,
  live: LiveItems,
  { guards = DEFAULT_GUARDS, known = NO_AUCTION_KNOWN, costs }: AuctionPlanOptions = {},
): Promise<AuctionPlan> {
  const costOf = new Map<number, CostFacts | undefined>()
  const byId = new Map(input.rows.map((row) => [row.id, row]))
  const entries = new Map<AuctionRow, AuctionPlanEntry>()
  for await (const item of live) {
    const row = byId.get(item.Id)
    if (row === undefined) continue
    entries.set(row, planAuctionRow(row, item))
    costOf.set(item.Id, costs?.of(item))
  }
  const foundEntries = input.rows.map((row) => entries.get(row) ?? unknownAuction(row))
  return judgedPlan(input.form, foundEntries, { rows: input.rows, guards, known, costOf })
}

export interface AuctionRuleOptions extends AuctionPlanOptions {
  readonly live: LiveItems
  readonly select: Selection
  readonly rule: PriceRule
}

export interface AuctionRulePlan extends AuctionPlan {
  /** Selected auctions that have bids: the service changes none of their prices. */
  readonly withBids: number
}

/** Plans the opening prices of the selected auctions without bids by a rule; the reserve and buy-now prices stay. */
export async function planAuctionRule({
  live,
  select,
  rule,
  guards = DEFAULT_GUARDS,
  known = NO_AUCTION_KNOWN,
  costs,
}: AuctionRuleOptions): Promise<AuctionRulePlan> {
  const rows: AuctionRow[] = []
  const entries: AuctionPlanEntry[] = []
  const costOf = new Map<number, CostFacts | undefined>()
  const isSelected = selector(select)
  let withBids = 0
  for await (const item of live) {
    if (item.ItemType !== 'Auction' || !isSelected(item)) continue
    if ((item.TotalBids ?? 0) > 0) {
      withBids++
      continue
    }
    const old = positive(item.OpeningBid) ?? 0
    const price = old > 0 || rule.set !== undefined ? applyRule(rule, old) : 0
    const unchangedFields = { reserve: undefined, buyNow: undefined, allow: undefined, expected: undefined, extra: [] }
    const row = { line: 0, id: item.Id, opening: isWrongWay(rule, old, price) ? old : price, ...unchangedFields }
    const entry = planAuctionRow(row, item)
    const why = ruleHold(old, price, rule.set !== undefined)
    rows.push(row)
    entries.push(why === undefined ? entry : holdRow(entry, why))
    costOf.set(item.Id, costs?.of(item))
  }
  const form = { kind: 'rule', columns: ['Id', 'OpeningPrice', 'ReservedPrice', 'BinPrice'] } as const
  return { ...judgedPlan(form, entries, { rows, guards, known, costOf }), withBids }
}

/** A plan of entries: one call for each that is sent. */
export function buildAuctionPlan(
  form: InputForm,
  entries: readonly AuctionPlanEntry[],
  extras: AuctionPlan['extras'],
  stop: Stopped | null,
): AuctionPlan {
  const counts = countRows(entries)
  const Fees = entries.reduce((sum, { Fee }) => sum + Fee, 0)
  return { form, entries, extras, summary: { ...counts, Fees, Calls: counts.Change, Stopped: stop } }
}

interface Judged {
  readonly rows: readonly AuctionRow[]
  readonly guards: Guards
  readonly known: KnownOfAuctions
  readonly costOf: ReadonlyMap<number, CostFacts | undefined>
}

/** The plan of entries: those that break a guard are held, and all of them if a guard over all is broken. */
function judgedPlan(form: InputForm, entries: readonly AuctionPlanEntry[], { rows, guards, known, costOf }: Judged): AuctionPlan {
  const changes = entries.filter(({ State }) => State === 'change')
  const judge = auctionJudge(changes, guards, ({ Id }) => ({ known: known.of(Id), cost: costOf.get(Id) }))
  // Rows that wait for another job say nothing about the file.
  let waitingCount = 0
  const plannedEntries = entries.map((entry, index) => {
    const { State, OpeningPrice, OldOpeningPrice } = entry
    const row = rows[index]
    const underWay = State === 'change' || State === 'unchanged' ? whyUnderWay(entry, known.of(entry.Id)) : undefined
    if (underWay !== undefined) {
      if (State === 'change') waitingCount++
      return holdRow(entry, underWay)
    }
    if (State === 'change' && row?.expected !== undefined && row.expected !== OldOpeningPrice)
      return holdRow(
        entry,
        heldFor('moved', { Field: 'OpeningPrice', Live: OldOpeningPrice ?? 0, Expected: row.expected, Discount: null }),
      )
    const isAllowed = row?.allow === OpeningPrice
    const why = State === 'change' && !isAllowed ? judge(entry) : undefined
    return why === undefined ? entry : holdRow(entry, why)
  })
  const remainingCount = plannedEntries.filter(({ State }) => State === 'change').length
  // Prices of auctions have neither a useful total nor an order.
  const facts = {
    changed: changes.length - waitingCount,
    held: changes.length - waitingCount - remainingCount,
    shifted: 0,
    total: 0,
    totalAfter: 0,
    totalOf: 'shop',
  } as const
  const stop = stoppedBy('whole', auctionGuards(guards), facts)
  const all =
    stop === null ? plannedEntries : plannedEntries.map((entry) => (entry.State === 'change' ? holdRow(entry, stop.Hold) : entry))
  const extras = rows.map(({ extra }) => extra)
  return buildAuctionPlan(form, all, extras, stop)
}

function holdRow(entry: AuctionPlanEntry, Hold: Hold): AuctionPlanEntry {
  return { ...entry, Fee: 0, State: 'held', Hold, Send: null }
}

type AuctionPrices = Omit<AuctionRow, 'extra' | 'allow' | 'expected'>

/** Plans one row against its live item, by the rules of the service and without the guards. */
export function planAuctionRow(row: AuctionPrices, item: LiveItem): AuctionPlanEntry {
  const oldReserve = positive(item.ReservePrice)
  const oldBin = positive(item.BuyItNowPrice)
  const reserve = row.reserve ?? oldReserve
  const bin = row.buyNow === undefined ? oldBin : row.buyNow
  const base = {
    ...unknownAuction(row),
    Title: item.ShortDescription ?? null,
    OldOpeningPrice: positive(item.OpeningBid),
    OldReservedPrice: oldReserve,
    OldBinPrice: oldBin,
    ReservedPrice: reserve,
    BinPrice: bin,
  }
  const why = whyHeld(item, row.opening, reserve, bin)
  if (why !== undefined) return holdRow(base, why)
  if (row.opening === base.OldOpeningPrice && reserve === oldReserve && bin === oldBin)
    return { ...base, State: 'unchanged', Hold: null }
  return {
    ...base,
    Fee: reserve !== null && oldReserve === null ? RESERVE_PRICE_FEE : 0,
    State: 'change',
    Hold: null,
    // The current reserve price is sent too: null would mean "none", and it is not documented what the service then does with one
    // that is set.
    Send: { OpeningPrice: row.opening, ReservedPrice: reserve, BinPrice: bin },
  }
}

function whyHeld(item: LiveItem, opening: number, reserve: number | null, buyNow: number | null): Hold | undefined {
  if (item.ItemType === 'ShopItem') return heldFor('is_shop_item', { Id: item.Id })
  if (item.ItemType === 'PureBuyItNow') return heldFor('buy_now_only')
  if (item.ItemType === 'ContactOnly') return heldFor('contact_only')
  const unread = unreadFields(item)
  if (unread.length > 0) return heldFor('unreadable', { Fields: unread })
  const bids = item.TotalBids ?? 0
  if (bids > 0) return heldFor('has_bids', { Bids: bids })
  const faults = priceOrder(
    { opening, reserve, buyNow },
    { opening: 'OpeningPrice', reserve: 'ReservedPrice', buyNow: 'BinPrice' },
  )
  if (faults.length === 0) return undefined
  const Faults = faults.map(({ field: Field, value, message: Message }) => ({ Field, Value: value ?? null, Message }))
  return heldFor('invalid_request', { Faults })
}

/** A row whose auction is not live. */
export function unknownAuction(row: AuctionPrices): AuctionPlanEntry {
  return {
    Line: row.line,
    Id: row.id,
    Title: null,
    OldOpeningPrice: null,
    OldReservedPrice: null,
    OldBinPrice: null,
    OpeningPrice: row.opening,
    ReservedPrice: row.reserve ?? null,
    BinPrice: row.buyNow ?? null,
    Fee: 0,
    State: 'unknown',
    Hold: heldFor('not_live', { Id: row.id, OwnReference: null, Type: 'any' }),
    Send: null,
  }
}

function positive(price: number | null | undefined): number | null {
  const kronor = price ?? 0
  return kronor > 0 ? kronor : null
}
