/** Exact arithmetic of VAT on öre: rates may have two decimals, the third decimal of an amount decides (5 upwards). */

/** VAT in an amount that includes it. @param gross öre @param rate per cent, as `25` or `25.5` */
export function vatIn(gross: number, rate: string): number {
  const units = Math.round(Number(rate) * 100)
  return roundedQuotient(gross * units, 10_000 + units)
}

/** VAT on an amount that does not include it. @param net öre */
export function vatOn(net: number, rate: string): number {
  return roundedQuotient(net * Math.round(Number(rate) * 100), 10_000)
}

/** Half away from zero. */
export function roundedQuotient(part: number, whole: number): number {
  const [size, sign] = [Math.abs(part), Math.sign(part) * Math.sign(whole)]
  const by = Math.abs(whole)
  return sign * Math.floor((2 * size + by) / (2 * by)) || 0
}

/**
 * Divides an amount in proportion: shares are cut to öre, and what is left goes to the largest remainders, of equal ones to the
 * first.
 * @param weights none negative, one of them at least above 0
 */
export function shares(amount: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  if (whole === 0) return weights.map(() => 0)
  const [size, sign] = [BigInt(Math.abs(amount)), Math.sign(amount)]
  const parts = weights.map((weight) => {
    const product = size * BigInt(weight)
    return { ore: Number(product / BigInt(whole)), rest: Number(product % BigInt(whole)) }
  })
  const remainder = Math.abs(amount) - parts.reduce((sum, { ore }) => sum + ore, 0)
  const order = parts.map((_, at) => at).sort((one, other) => (parts[other]?.rest ?? 0) - (parts[one]?.rest ?? 0) || one - other)
  const raisedParts = new Set(order.slice(0, remainder))
  return parts.map(({ ore }, at) => sign * (ore + Number(raisedParts.has(at))) || 0)
}

/** `1234.50`, for files and reasons. */
export function oreText(ore: number): string {
  return (ore / 100).toFixed(2)
}
