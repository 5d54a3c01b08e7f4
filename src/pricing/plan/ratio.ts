/** Finds what all prices of a file have in common against the current ones: no guard over single rows can see it. */
import { entryAt } from '../../contract/entry-at.js'
import type { PriceRatio } from '../guards/facts.js'

/** Rates of VAT, as factors. */
const VAT = [1.25, 1.12, 1.06] as const
/** Factors of a decimal sign that was lost or added. */
const DECIMALS = [10, 100, 0.1, 0.01] as const
/** Kronor for a euro, a pound or a dollar: between these, all rows nearly the same. */
const CURRENCY = { from: 8.5, to: 15 } as const
/** Share of rows that must have the factor, and how near they must be. */
const SHARE = 0.8
const NEAR = 0.005
/** Rates differ less between rows that were converted on one day. */
const RATE_NEAR = 0.02
const LEAST_ROWS = 2
/** Rows that a single guard holds too need more of a pattern. */
const LEAST_OF_OTHERS = 3

/**
 * @param rows prices of the file and the current ones, kronor; those without a current price, or with one that may pass, are
 * passed over
 * @param same further rows, which have the current price
 */
export function ratioOf(
  rows: Iterable<{ readonly old: number; readonly row: { readonly price: number; readonly allow?: number | undefined } }>,
  same = 0,
): PriceRatio | undefined {
  const ratios: number[] = []
  for (const { old, row } of rows) if (old > 0 && row.price > 0 && row.allow !== row.price) ratios.push(old / row.price)
  const of = ratios.length + same
  if (of < LEAST_ROWS || ratios.length < SHARE * of) return undefined
  const near = (factor: number, width: number) => ratios.filter((ratio) => Math.abs(ratio / factor - 1) <= width).length
  const ratioNear = (kind: PriceRatio['kind'], factor: number, width: number): PriceRatio | undefined => {
    const alike = near(factor, width)
    return alike >= (kind === 'vat' ? LEAST_ROWS : LEAST_OF_OTHERS) && alike >= SHARE * of
      ? { kind, factor, rows: alike, of }
      : undefined
  }
  for (const factor of VAT) {
    const ratio = ratioNear('vat', factor, NEAR)
    if (ratio !== undefined) return ratio
  }
  for (const factor of DECIMALS) {
    const ratio = ratioNear('decimals', factor, NEAR)
    if (ratio !== undefined) return ratio
  }
  const sorted = [...ratios].sort((one, other) => one - other)
  const median = entryAt(sorted, ratios.length >> 1)
  if (median < CURRENCY.from || median > CURRENCY.to) return undefined
  const ratio = ratioNear('currency', median, RATE_NEAR)
  return ratio && { ...ratio, factor: Math.round(median * 100) / 100 }
}
