/** What guards check: one row, the rows that would get the same price, or everything that would be sent. */

import type { CostFacts } from './margins.js'

/** One new price and the current one. Kronor. */
export interface RowFacts {
  /** -1 if no live price was read, 0 if the item has none. */
  readonly old: number
  readonly price: number
  /** The first price of the last days that the ledger knows; 0 if it knows none. */
  readonly first: number
  /** What the item costs; undefined where nothing is known of it. */
  readonly cost?: CostFacts
}

/** Rows that would get the same price. */
export interface EqualFacts {
  readonly price: number
  readonly same: number
  /** Rows that change, including held ones. */
  readonly changed: number
}

/** Everything that would be sent. */
export interface WholeFacts {
  /** Rows that would change their price, including held ones. */
  readonly changed: number
  /** How many of these are held. */
  readonly held: number
  /** How many of these would get the current price of the row above, or of the row below, whichever is more. */
  readonly shifted: number
  /** Total price of all shop items before and after everything is sent, kronor; 0 if the live list was not read. */
  readonly total: number
  readonly totalAfter: number
  /** What the total covers: a rule for a category reads only that category. */
  readonly totalOf: 'shop' | 'category'
}

/** What a file would add to a shop. */
export interface AdditionFacts {
  /** New items. */
  readonly rows: number
  /** Shop items now. */
  readonly items: number
  /** New items whose title a live item has. */
  readonly titled: number
}

/** What a file would remove from a shop. */
export interface RemovalFacts {
  readonly rows: number
  /** Shop items now. */
  readonly items: number
}

/** A reading of the live list beside the one before it. */
export interface ListFacts {
  /** Items that there should be: what the ledger has removed itself does not count. */
  readonly before: number
  readonly now: number
}

/** New numbers in stock of many items. */
export interface StockFacts {
  /** Rows that would change their number. */
  readonly changed: number
  /** How many of these would get the present number of the row above, or of the row below, whichever is more. */
  readonly shifted: number
  /** How many of these would get the number that is their price in kronor. */
  readonly priced: number
  /** How many of these would get ten times the present number, or a tenth of it. */
  readonly tenfold: number
  /** How many of these would get the number that most get, and that number. */
  readonly same: number
  readonly number: number
}

/** A guard over all rows applies from this many changed rows on. A seller who sets three prices to 99 kr means it. */
export const MANY_ROWS = 10

/**
 * Whether a price exceeds a share of another by a whole krona or more. Prices are whole kronor, so a 60 % sale of 199 kr is 80 kr
 * or 79 kr, and rounding must not break a guard.
 * @param by how far the price has moved, kronor
 * @param roundings how many roundings of up to 1 kr it contains
 */
export function exceeds(by: number, limit: number, of: number, roundings = 1): boolean {
  // 1e-6: 0.6 * 5 is 3 and not 2.9999.
  return Math.abs(by) - limit * of >= roundings - 1e-6
}

/** A share as people read it: `12.5 %`. */
export function percentText(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}

/** `+12.5 %`, from old to new. */
export function changeText(old: number, price: number): string {
  const change = (price - old) / old
  return `${change > 0 ? '+' : '-'}${percentText(Math.abs(change))}`
}
