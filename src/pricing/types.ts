import type { PlannedPrice, PriceTotals, RowCounts } from '../contract/plans.js'
import type { Hold } from '../holds/index.js'
import type { PlanCosts } from './costs.js'
import type { GuardLimit, Guards } from './guards/index.js'
import type { Known } from './known.js'

/** Fields of a live item that a plan needs; an entry of GetSellerItems fits. */
export interface LiveItem {
  readonly Id: number
  readonly ItemType: string
  /** The price of a shop item (docs/service.md, What the types do not say). */
  readonly BuyItNowPrice?: number | null | undefined
  readonly OwnReferences?: readonly string[] | undefined
  readonly CategoryId?: number | undefined
  /** VAT of its price, per cent; null where the item says nothing of it. */
  readonly VAT?: number | null | undefined
  readonly OpeningBid?: number | undefined
  readonly ReservePrice?: number | null | undefined
  readonly TotalBids?: number | undefined
  readonly ShortDescription?: string | undefined
  /** Only read for numbers in stock. */
  readonly RemainingQuantity?: number | undefined
}

export type LiveItems = AsyncIterable<LiveItem> | Iterable<LiveItem>

/**
 * Facts about a row or its item that hold it whatever the guards say. Stable words, for scripts. Unchanged rows may have `queued`
 * and `wrong_way` too: a job has queued this very price, or a rule would have moved the price in the wrong direction.
 */
export const FACT_LIMITS = [
  'no_price',
  'below_one',
  'moved',
  'not_shop_item',
  'other_reference',
  'unreadable',
  'held_in_plan',
  'near_live',
  'rule',
  'queued',
  'wrong_way',
  'raises',
] as const

/** The guard or fact that held a row. */
export type HoldLimit = GuardLimit | (typeof FACT_LIMITS)[number]

/** One row of a plan. Keys are in the service's case. */
export interface PlanEntry extends PlannedPrice {
  readonly Limit: HoldLimit | null
  /** Why it is held or unknown, or stays as it is. */
  readonly Hold: Hold | null
}

/** Why nothing of a plan is sent. */
export interface Stopped {
  readonly Limit: HoldLimit
  readonly Hold: Hold
}

/** The totals of a plan whose rows are entries. */
export interface EntriesSummary extends RowCounts {
  /** Calls that sending takes. */
  readonly Calls: number
  /** The guard over all rows that is broken, and why. Nothing at all is sent. */
  readonly Stopped: Stopped | null
}

export interface PlanSummary extends EntriesSummary, PriceTotals {
  /**
   * Items whose cost is not known: those that a rule by cost leaves out, else rows that will be sent. null if no cost of the shop
   * is known.
   */
  readonly WithoutCost: number | null
  /** Held rows, by limit. */
  readonly HeldBy: Readonly<Partial<Record<HoldLimit, number>>>
}

/** A row to be sent. */
export interface PriceToSend {
  readonly line: number
  readonly id: number
  /** Kronor. */
  readonly price: number
  /** Kronor; null if it was not read or there is none. */
  readonly oldPrice: number | null
  /** The own reference by which the row names its item, if it does. */
  readonly ownReference: string | undefined
  readonly title: string | undefined
  /** Values of the `_` columns. */
  readonly extra: readonly unknown[]
}

/** A value in a row that is not a price and differs from the live one. */
export interface EditedCell {
  readonly Line: number
  readonly Id: number
  readonly Field: string
  readonly Value: string
  readonly Live: string
}

/** Terms for planning prices, wherever they come from. */
export interface PlanTerms {
  readonly guards: Guards
  /** Price history in the ledger; none by default. */
  readonly known?: Known | undefined
  /** Rows per call, to count calls. */
  readonly perCall?: number | undefined
  /** Costs of the items; none by default. */
  readonly costs?: PlanCosts | undefined
  /** True if the prices are those of a discount: a row that would raise its price is held. */
  readonly lowers?: boolean | undefined
}
