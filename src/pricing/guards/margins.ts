/**
 * Margins over costs. A cost is without VAT, a price with it, so the margin is what is left of the price without VAT: (net -
 * cost) / net. Prices are whole kronor and, unless a seller chose otherwise, rounded up, so that a margin is always reached. All
 * sums are exact: shares count in units of 0.001 %.
 */

/** One in units of a share. */
const ONE = 100_000
const ÖRE = 100

/** VAT in a price: a share (0.25 for 25 %), or that of the margin scheme: a fifth of what the price leaves over the cost. */
export type PriceVat = number | 'margin'

/** Rounding of a price by cost to whole kronor: by default up, so that the margin is reached. */
export type Rounding = 'up' | 'nearest' | 'below'

/** Cost of an item, and the VAT that its price includes. Amounts in öre; undefined where a value is not known. */
export interface CostFacts {
  readonly cost: number | undefined
  /** The lowest price that the seller has set for the item. */
  readonly lowest: number | undefined
  readonly vat: PriceVat
}

/**
 * The lowest whole price that leaves a margin, or the whole price beside it by another rounding.
 * @param cost öre, without VAT
 * @param margin a share of the price without VAT, below 1
 * @returns kronor, with VAT
 */
export function priceForMargin(cost: number, margin: number, vat: PriceVat, rounding: Rounding = 'up'): number {
  // Income is 0.8 P + 0.2 C, the margin 0.8 (P - C): P = C (0.8 + 0.2 m) / (0.8 - 0.8 m).
  if (vat === 'margin') return roundedProduct([cost, 4 * ONE + unitsOf(margin)], 4 * ÖRE * (ONE - unitsOf(margin)), rounding)
  return roundedProduct([cost, ONE + unitsOf(vat)], ÖRE * (ONE - unitsOf(margin)), rounding)
}

/**
 * The lowest whole price that adds a markup to a cost, or the whole price beside it by another rounding.
 * @param cost öre, without VAT
 * @param markup a share of the cost
 * @returns kronor, with VAT
 */
export function priceForMarkup(cost: number, markup: number, vat: PriceVat, rounding: Rounding = 'up'): number {
  // 0.8 (P - C) = k C.
  if (vat === 'margin') return roundedProduct([cost, 4 * ONE + 5 * unitsOf(markup)], 4 * ÖRE * ONE, rounding)
  return roundedProduct([cost, ONE + unitsOf(markup), ONE + unitsOf(vat)], ÖRE * ONE * ONE, rounding)
}

/**
 * The margin that a price leaves, negative below cost.
 * @param price kronor, with VAT, above 0
 * @returns per cent with one decimal, rounded down, so that a margin that is not reached never looks as if it were
 */
export function marginPercent(price: number, cost: number, vat: PriceVat): number {
  const gross = price * ÖRE
  const net = vat === 'margin' ? gross - Math.max(0, gross - cost) / 5 : gross / (1 + vat)
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

function unitsOf(share: number): number {
  return Math.round(share * ONE)
}

/** The product of whole numbers divided by another, as a whole number; half is rounded up. Exact, whatever the amounts. */
function roundedProduct(factors: readonly number[], divisor: number, rounding: Rounding): number {
  const [times, added] = { up: [1, divisor - 1], nearest: [2, divisor], below: [1, 0] }[rounding] as [number, number]
  const product = factors.reduce((so, factor) => so * BigInt(factor), BigInt(times))
  return Number((product + BigInt(added)) / (BigInt(times) * BigInt(divisor)))
}
