/**
 * The price of an item while discounts run. The price is the lowest of its normal price and the prices of the discounts that run.
 * The price of each discount comes from the normal price and never from that of another discount, so the order in which discounts
 * begin and end does not matter.
 */
import { applyRule, type PriceRule } from './rules/rule.js'

/** Terms of a discount for an item: a fixed price in kronor, or a rule applied to its normal price. */
export type DiscountTerms = { readonly kronor: number } | { readonly rule: PriceRule }

/** A discount of one item. Times are ms since 1970; it runs from the first, inclusive, to the second, exclusive. */
export interface ItemDiscount {
  readonly starts: number
  readonly ends: number
  readonly terms: DiscountTerms
}

/**
 * The price of an item in one discount, kronor. It is never above the normal price, because a discount lowers prices. A rule may
 * give less than 1, which the plan holds.
 * @param normal kronor
 */
export function discountPrice(terms: DiscountTerms, normal: number): number {
  return Math.min(normal, 'kronor' in terms ? terms.kronor : applyRule(terms.rule, normal))
}

/** The price of an item in several discounts at once, kronor: the lowest, or the normal price if there are none. */
export function lowestPrice(normal: number, terms: Iterable<DiscountTerms>): number {
  let lowest = normal
  for (const each of terms) lowest = Math.min(lowest, discountPrice(each, normal))
  return lowest
}

/** True if a discount runs at a time. */
export function runsAt({ starts, ends }: Pick<ItemDiscount, 'starts' | 'ends'>, at: number): boolean {
  return starts <= at && at < ends
}

/** The price of an item at a time, kronor. */
export function priceAt(normal: number, discounts: readonly ItemDiscount[], at: number): number {
  return lowestPrice(
    normal,
    discounts.filter((discount) => runsAt(discount, at)).map(({ terms }) => terms),
  )
}
