/** Fee of the marketplace on a sale, as the setting `fee` gives it: a share of the amount, a fixed sum, and a maximum. */
import { readPercent } from './percent.js'

/** In öre, the share as a part of one. */
export interface Fee {
  readonly share: number
  readonly fixed: number
  /** undefined for no limit. */
  readonly cap: number | undefined
}

const FEE =
  /^(?:([\d.,]+\s*%))?(?:(?:^|\s*\+\s*)(\d{1,6}(?:[.,]\d{1,2})?)\s*kr)?(?:(?:^|,?\s+)max\s+(\d{1,6}(?:[.,]\d{1,2})?)\s*kr)?$/i

/** Reads `10%`, `10%+3kr`, `3kr`, `10%+3kr max 400kr`. @returns undefined for another text */
export function readFee(text: string): Fee | undefined {
  const match = FEE.exec(text.trim())
  if (match === null || (match[1] ?? match[2]) === undefined) return undefined
  const percent = match[1] === undefined ? 0 : readPercent(match[1])
  if (percent === undefined || percent > 100) return undefined
  const ore = (kronor: string | undefined) =>
    kronor === undefined ? undefined : Math.round(Number(kronor.replace(',', '.')) * 100)
  return { share: percent / 100, fixed: ore(match[2]) ?? 0, cap: ore(match[3]) }
}

/** The fee of a sale, öre. @param amount kronor */
export function feeOf({ share, fixed, cap = Number.MAX_SAFE_INTEGER }: Fee, amount: number): number {
  return Math.min(cap, Math.round(amount * 100 * share) + fixed)
}
