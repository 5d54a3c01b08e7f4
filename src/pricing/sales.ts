/**
 * The price of an item while sales run. The price is the lowest of its normal price and the prices of the sales that run. The
 * price of each sale comes from the normal price and never from that of another sale, so the order in which sales begin and end
 * does not matter.
 */
import { applyRule, type PriceRule } from './rules/rule.js'

/** What a sale does to an item: a fixed price in kronor, or a rule applied to its normal price. */
export type SaleTerms = { readonly kronor: number } | { readonly rule: PriceRule }

/** A sale of one item. Times are ms since 1970; it runs from the first, inclusive, to the second, exclusive. */
export interface ItemSale {
  readonly starts: number
  readonly ends: number
  readonly terms: SaleTerms
}

/**
 * The price of an item in one sale, kronor. It is never above the normal price, because a sale lowers prices. A rule may give
 * less than 1, which the plan holds.
 * @param normal kronor
 */
export function salePrice(terms: SaleTerms, normal: number): number {
  return Math.min(normal, 'kronor' in terms ? terms.kronor : applyRule(terms.rule, normal))
}

/** The price of an item in several sales at once, kronor: the lowest, or the normal price if there are none. */
export function lowestPrice(normal: number, terms: Iterable<SaleTerms>): number {
  let lowest = normal
  for (const each of terms) lowest = Math.min(lowest, salePrice(each, normal))
  return lowest
}

/** Whether a sale runs at a time. */
export function runsAt({ starts, ends }: Pick<ItemSale, 'starts' | 'ends'>, at: number): boolean {
  return starts <= at && at < ends
}

/** The price of an item at a time, kronor. */
export function priceAt(normal: number, sales: readonly ItemSale[], at: number): number {
  return lowestPrice(
    normal,
    sales.filter((sale) => runsAt(sale, at)).map(({ terms }) => terms),
  )
}
