/** Times as this room stores them (ms since 1970) and as it shows them. */

/** ISO 8601, UTC, to the millisecond. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoOf(ms)
}

/** A span of time in words, rounded up so that a wait of this length is long enough: `40 s`, `3 min`, `5 h 10 min`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}
