/** Instants: stored as ms since 1970, shown as ISO 8601. */

/**
 * The first and the last day of years with four digits, with room for any zone: ISO 8601 has no other years without an agreement.
 */
const [FIRST_MS, LAST_MS] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')]

/** ISO 8601, UTC, to the millisecond. A time that no clock had, in a damaged file, is the nearest that can be written. */
export function isoOf(ms: number): string {
  return new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString()
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoOf(ms)
}
