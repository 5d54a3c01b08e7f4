/**
 * Margins over costs. A cost is without VAT, a price with it, so the margin is what is left of the price without VAT: (net - cost) / net. Prices
 * are whole kronor and are rounded up, so that a margin is always reached. All sums are exact: shares count in units of 0.001 %.
 */
import { kronorText, thousands, withUnit } from '../../contract/numbers.js'

/** One in units of a share. */
const ONE = 100_000
const ÖRE = 100
/** Products up to here are exact as numbers. */
const EXACT = Number.MAX_SAFE_INTEGER

/** What an item costs, and the VAT that its price includes. Amounts in öre; undefined where a value is not known. */
export interface CostFacts {
  readonly cost: number | undefined
  /** The lowest price that the seller has set for the item. */
  readonly lowest: number | undefined
  /** A share: 0.25 for 25 %. */
  readonly vat: number
}

/**
 * The lowest whole price that leaves a margin.
 * @param cost öre, without VAT
 * @param margin a share of the price without VAT, below 1
 * @param vat a share
 * @returns kronor, with VAT
 */
export function priceForMargin(cost: number, margin: number, vat: number): number {
  return ceilingOf([cost, ONE + unitsOf(vat)], ÖRE * (ONE - unitsOf(margin)))
}

/**
 * The lowest whole price that adds a markup to a cost.
 * @param cost öre, without VAT
 * @param markup a share of the cost
 * @param vat a share
 * @returns kronor, with VAT
 */
export function priceForMarkup(cost: number, markup: number, vat: number): number {
  return ceilingOf([cost, ONE + unitsOf(markup), ONE + unitsOf(vat)], ÖRE * ONE * ONE)
}

/**
 * The margin that a price leaves, negative below cost.
 * @param price kronor, with VAT, above 0
 * @returns per cent with one decimal, rounded down, so that a margin that is not reached never looks as if it were
 */
export function marginPercent(price: number, cost: number, vat: number): number {
  const net = (price * ÖRE) / (1 + vat)
  // 1e-7: 30 % is not 29.9999999 %.
  return Math.floor(((net - cost) / net) * 1000 + 1e-7) / 10
}

/**
 * The lowest price that a margin and the seller's own lowest price allow.
 * @returns kronor; 0 where neither cost nor lowest price is known
 */
export function lowestPrice({ cost, lowest, vat }: CostFacts, margin: number): number {
  const forMargin = cost === undefined ? 0 : priceForMargin(cost, margin, vat)
  return Math.max(forMargin, Math.ceil((lowest ?? 0) / ÖRE))
}

/** Whole kronor for an amount, half a krona up. */
export function nearestKronor(öre: number): number {
  return Math.floor((öre + ÖRE / 2) / ÖRE)
}

/** `249.50 kr`, `250 kr`. */
export function amountText(öre: number): string {
  const [kronor, rest] = [Math.floor(öre / ÖRE), öre % ÖRE]
  return rest === 0 ? kronorText(kronor) : withUnit(`${thousands(kronor)}.${String(rest).padStart(2, '0')}`)
}

function unitsOf(share: number): number {
  return Math.round(share * ONE)
}

/** The product of whole numbers divided by another, rounded up. A quotient of exact numbers is rounded wrongly by no more than it is apart from a whole one. */
function ceilingOf(factors: readonly number[], divisor: number): number {
  const product = factors.reduce((so, factor) => so * factor, 1)
  if (product <= EXACT && divisor <= EXACT) return Math.ceil(product / divisor)
  const exact = factors.reduce((so, factor) => so * BigInt(factor), 1n)
  return Number((exact + BigInt(divisor) - 1n) / BigInt(divisor))
}
