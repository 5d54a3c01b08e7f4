/** What guards judge: one row, the rows that would get the same price, or everything that would be sent. */

/** One new price beside the present one. Kronor. */
export interface RowFacts {
  /** -1 where no live price was read, 0 where the item has none. */
  readonly old: number
  readonly price: number
  /** The first price that the ledger knows of the last days; 0 where it knows none. */
  readonly first: number
}

/** Rows that would get the same price. */
export interface EqualFacts {
  readonly price: number
  readonly same: number
  /** Rows that change, held ones included. */
  readonly changed: number
}

/** Everything that would be sent. */
export interface WholeFacts {
  /** Rows that would change their price, held ones included. */
  readonly changed: number
  /** Of these, those that are held. */
  readonly held: number
  /** Of these, those whose new price is the present price of the row above, or of the row below, whichever are more. */
  readonly shifted: number
  /** Sum of the prices of all shop items now and once everything is sent, kronor; 0 where the live list was not read. */
  readonly total: number
  readonly totalAfter: number
  /** Whose prices these are: a rule for a category reads that alone. */
  readonly totalOf: 'shop' | 'category'
}

/** From how many changed rows on a guard over all rows judges: below, a seller who sets three prices to 99 kr is simply doing so. */
export const MANY_ROWS = 10

/**
 * Whether a price is over a share of another by a whole krona or more: prices are whole kronor, so a 60 % sale of 199 kr is 80 kr or 79 kr,
 * and the rounding must not trip a guard.
 * @param by how far the price has moved, kronor
 * @param roundings how many roundings of up to 1 kr are in it
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
  return `${change > 0 ? '+' : '−'}${percentText(Math.abs(change))}`
}
