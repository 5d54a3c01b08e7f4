/** Facts that guards check: one row, the rows that would get the same price, or everything that would be sent. */

import type { CostFacts } from './margins.js'

/** One new price and the current one. Kronor. */
export interface RowFacts {
  /** -1 if no live price was read, 0 if the item has none. */
  readonly old: number
  readonly price: number
  /** The first price of the last days that the ledger knows; 0 if it knows none. */
  readonly first: number
  /** Cost of the item; undefined if nothing is known of it. */
  readonly cost?: CostFacts | undefined
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
  /** Number of these that are held. */
  readonly held: number
  /** Number of these that would get the current price of the row above, or of the row below, whichever is more. */
  readonly shifted: number
  /** Total price of all shop items before and after everything is sent, kronor; 0 if the live list was not read. */
  readonly total: number
  readonly totalAfter: number
  /** Coverage of the total: a rule for a category reads only that category. */
  readonly totalOf: 'shop' | 'category'
  /** Factor that most current prices of a file are of its prices; undefined for none. */
  readonly ratio?: PriceRatio | undefined
}

/** A factor between the prices of a file and the current ones that no seller means. */
export interface PriceRatio {
  /**
   * `vat`: the prices of the file are without VAT; `decimals`: their decimal sign was lost; `currency`: they are in euro, or the
   * like.
   */
  readonly kind: 'vat' | 'decimals' | 'currency'
  /** The current prices divided by those of the file. */
  readonly factor: number
  /** Rows with this factor, and all whose item has a price. */
  readonly rows: number
  readonly of: number
}

/** Items that a file would add to a shop. */
export interface AdditionFacts {
  /** New items. */
  readonly rows: number
  /** Shop items now. */
  readonly items: number
  /** New items whose title a live item has. */
  readonly titled: number
}

/** One field of a live item that would change. */
export interface FieldFacts {
  readonly field: string
  /** Characters that a buyer reads, without markup and spaces; null where the field is not a text. */
  readonly before: number | null
  readonly after: number | null
  /** Names of the top categories; null where the field is not the category, or they are not known. */
  readonly branch: string | null
  readonly newBranch: string | null
}

/** All fields of live items that would change. */
export interface UpdateFacts {
  /** Shop items now. */
  readonly items: number
  /** Items whose title would change. */
  readonly titles: number
  /** Number of these that would get the present title of another item. */
  readonly moved: number
  /** Number of these that would get the title that most get, and that title. */
  readonly same: number
  readonly title: string
  /** Items whose images would be replaced by others. */
  readonly replaced: number
  /** Items that would get images, the number of these that would get the first image that most get, and its name. */
  readonly images: number
  readonly sameImage: number
  readonly image: string
}

/** Items that a file would remove from a shop. */
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
  /** Number of these that would get the present number of the row above, or of the row below, whichever is more. */
  readonly shifted: number
  /** Number of these that would get the number that is their price in kronor. */
  readonly priced: number
  /** Number of these that would get ten times the present number, or a tenth of it. */
  readonly tenfold: number
  /** Number of these that would get the number that most get, and that number. */
  readonly same: number
  readonly number: number
}

/** A guard over all rows applies from this many changed rows on. A seller who sets three prices to 99 kr means it. */
export const MANY_ROWS = 10

/**
 * True if a price exceeds a share of another by a whole krona or more. Prices are whole kronor, so a 60 % sale of 199 kr is 80 kr
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
