/** Plans of prices as scripts see them: the fields of their rows and of their totals. Prices in kronor. */

/** change: will be sent; unchanged: has the price already; unknown: no such item; held: a guard stopped the row. */
export type PlanState = 'change' | 'unchanged' | 'unknown' | 'held'

/** A new price of a shop item. */
export interface PlannedPrice {
  /** Line of the input, from 1; position of the argument; 0 if a rule made the row. */
  readonly Line: number
  /** 0 if an own reference belongs to no live item. */
  readonly Id: number
  readonly OwnReference: string | null
  /** Title of the live item; null where it was not read, has its price already, or is beyond the first 10,000 that change. */
  readonly Title: string | null
  /** null if it was not read or there is none. */
  readonly OldPrice: number | null
  readonly NewPrice: number
  /** null without an old price. */
  readonly Change: number | null
  /** Percent with one decimal; null without an old price. */
  readonly Percent: number | null
  /** Without VAT; null if it is not known. */
  readonly Cost: number | null
  /** Per cent of the price without VAT that is left over the cost, with one decimal; null without a cost, or a price. */
  readonly OldMargin: number | null
  readonly NewMargin: number | null
  readonly State: PlanState
}

/** The prices of one auction before and after; null means none. */
export interface AuctionChange {
  readonly OldOpeningPrice: number | null
  readonly OldReservedPrice: number | null
  readonly OldBinPrice: number | null
  readonly OpeningPrice: number
  readonly ReservedPrice: number | null
  readonly BinPrice: number | null
}

/** New prices of an auction. The reserve price is that of the item once the row was sent. */
export interface PlannedAuction extends AuctionChange {
  readonly Line: number
  readonly Id: number
  /** Title of the live item; null if there is none. */
  readonly Title: string | null
  /** Fee of the service for a new reserve price. */
  readonly Fee: number
  readonly State: PlanState
}

/** Number of rows, and of each outcome. */
export interface RowCounts {
  readonly Rows: number
  readonly Change: number
  readonly Unchanged: number
  readonly Unknown: number
  readonly Held: number
}

/** Totals of new prices besides the number of rows. */
export interface PriceTotals {
  /** Number of unchanged rows that a rule would have moved in the wrong direction. */
  readonly WrongWay: number
  /** Ids of their items. */
  readonly WrongWayIds: readonly number[]
  /** Number of rows that will be sent with a higher price. */
  readonly Up: number
  readonly Down: number
  /** Totals of the old and the new prices of the rows that will be sent; old is null without live prices. */
  readonly OldTotal: number | null
  readonly NewTotal: number
}

/** Rows whose change is from `From` (inclusive) to `To` percent (exclusive); null means no bound. */
export interface HistogramBar {
  readonly From: number | null
  readonly To: number | null
  readonly Rows: number
}
