/** Instants: stored as ms since 1970, shown as ISO 8601. */

/** ISO 8601, UTC, to the millisecond. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoOf(ms)
}
