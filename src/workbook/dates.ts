/** Dates of a sheet: days since the last day of 1899, without a zone (ECMA-376 part 1, 18.17.4). */

const DAY_MS = 86_400_000
/** Day 0 as spreadsheet programs count from March 1900 on; before that they know a 29 February 1900 that never was. */
const ORIGIN = Date.UTC(1899, 11, 30)
const FIRST_SURE = Date.UTC(1900, 2, 1)
/** Day 0 of workbooks that were begun on an old Mac. */
const ORIGIN_1904 = Date.UTC(1904, 0, 1)
const END = Date.UTC(10_000, 0, 1)

/**
 * The number of a date and time without a zone, e.g. `2026-11-30T18:00:00`.
 * @returns undefined for one that a sheet cannot hold as a date
 */
export function serialOf(local: string): number | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d))?/.exec(local)
  if (found === null) return undefined
  const [year, month, day, hour, minute, second] = found.slice(1).map((part) => Number(part ?? 0))
  const ms = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
  return ms >= FIRST_SURE && ms < END ? (ms - ORIGIN) / DAY_MS : undefined
}

/**
 * A number as a date without a zone: `2026-11-30`, or `2026-11-30T18:00:00` where it has a time.
 * @returns undefined if it is not a date
 */
export function localOf(serial: number, from1904: boolean): string | undefined {
  // To the second: the fraction of a day is a rounded number.
  const ms = Math.round((serial * DAY_MS) / 1000) * 1000 + (from1904 ? ORIGIN_1904 : ORIGIN)
  if (ms < (from1904 ? ORIGIN_1904 : FIRST_SURE) || ms >= END) return undefined
  const text = new Date(ms).toISOString().slice(0, 19)
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text
}
