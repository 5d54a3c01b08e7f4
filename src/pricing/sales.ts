/**
 * What an item costs while sales run. One rule: the price is the lowest of its normal price and of the prices of the sales that run. Each sale's
 * price comes from the normal price and never from that of another sale, so the order in which sales begin and end does not matter.
 */
import { applyRule, type PriceRule } from './rules/rule.js'

/** What a sale makes of an item: a price of its own in kronor, or a rule over its normal price. */
export type SaleTerms = { readonly kronor: number } | { readonly rule: PriceRule }

/** A sale as it concerns one item. Times are ms since 1970; it runs from the first, included, to the second, excluded. */
export interface ItemSale {
  readonly starts: number
  readonly ends: number
  readonly terms: SaleTerms
}

/**
 * The price of an item in one sale, kronor: never above the normal price, for a sale lowers prices. It may be below 1 by a rule, which the plan
 * holds.
 * @param normal kronor
 */
export function salePrice(terms: SaleTerms, normal: number): number {
  return Math.min(normal, 'kronor' in terms ? terms.kronor : applyRule(terms.rule, normal))
}

/** The price of an item in some sales at once, kronor: the lowest; the normal price where there is none. */
export function lowestPrice(normal: number, terms: Iterable<SaleTerms>): number {
  let lowest = normal
  for (const each of terms) lowest = Math.min(lowest, salePrice(each, normal))
  return lowest
}

/** Whether a sale runs at an instant. */
export function runsAt({ starts, ends }: Pick<ItemSale, 'starts' | 'ends'>, at: number): boolean {
  return starts <= at && at < ends
}

/** The price of an item at an instant, kronor. */
export function priceAt(normal: number, sales: readonly ItemSale[], at: number): number {
  return lowestPrice(
    normal,
    sales.filter((sale) => runsAt(sale, at)).map(({ terms }) => terms),
  )
}
