/**
 * A share of a hundred as it is typed: `30%`, `2,5 %` or `30pct`. In a batch file of Windows a percent sign begins a variable,
 * and what stands between two of them is lost.
 */

/** The sign or its word, for a regular expression that ignores case. */
export const PERCENT_SIGN = '(?:%|pct)'

const PERCENT = new RegExp(`^(\\d{1,6})(?:[.,](\\d{1,3}))?\\s*(${PERCENT_SIGN})?$`, 'i')

/**
 * The number before the sign.
 * @param bare whether the sign may be missing
 * @returns undefined for another text
 */
export function readPercent(text: string, { bare = false, decimals = 3 } = {}): number | undefined {
  const [, digits, fraction = '', sign] = PERCENT.exec(text.trim()) ?? []
  if (digits === undefined || fraction.length > decimals || (sign === undefined && !bare)) return undefined
  return Number(fraction === '' ? digits : `${digits}.${fraction}`)
}
