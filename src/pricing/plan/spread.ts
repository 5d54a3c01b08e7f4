/** The largest changes and the distribution of all of them, over a stream of relative changes. */
import type { HistogramBar } from '../types.js'

type Ratios = Iterable<readonly [index: number, ratio: number]>

/** Bounds of the bars in percent, closer together around 0, where most changes are. */
const BOUNDS = [-90, -50, -25, -10, -5, 0, 5, 10, 25, 50, 100, 900] as const

/** Indexes of the `count` largest changes up or down, largest first; of equal ones, earlier rows first. */
export function largestOf(ratios: Ratios, count: number): number[] {
  const kept: { readonly index: number; readonly size: number }[] = []
  for (const [index, ratio] of ratios) {
    const size = Math.abs(ratio)
    let at = kept.length
    while (at > 0 && (kept[at - 1]?.size ?? 0) < size) at--
    // Nearly all rows of a large plan: none of those that are kept is smaller.
    if (at === count) continue
    kept.splice(at, 0, { index, size })
    kept.length = Math.min(kept.length, count)
  }
  return kept.map(({ index }) => index)
}

/** Rows per range of change, lowest first; empty ranges at both ends are left out. */
export function histogramOf(ratios: Ratios): HistogramBar[] {
  const counts = new Array<number>(BOUNDS.length + 1).fill(0)
  for (const [, ratio] of ratios) {
    const percent = ratio * 100
    let bar = 0
    while (bar < BOUNDS.length && percent >= (BOUNDS[bar] ?? 0)) bar++
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  const bars = counts.map((rows, bar) => ({ From: BOUNDS[bar - 1] ?? null, To: BOUNDS[bar] ?? null, Rows: rows }))
  const filled = counts.flatMap((rows, bar) => (rows > 0 ? [bar] : []))
  return filled.length === 0 ? [] : bars.slice(filled[0], (filled.at(-1) ?? 0) + 1)
}

/** A smaller share would need a counter for every price. */
const LEAST_SHARE = 0.001

/**
 * The values that make up more than `share` of a stream, with their counts, in memory that does not grow with the stream: Misra
 * and Gries' counters name the candidates in one pass, and a second pass counts them (a count for each price of a million rows
 * would take 50 MB).
 */
export function frequent(values: () => Iterable<number>, share: number): Map<number, number> {
  const slots = Math.max(1, Math.ceil(1 / Math.max(share, LEAST_SHARE)) - 1)
  const counters = new Map<number, number>()
  let total = 0
  for (const value of values()) {
    total++
    const count = counters.get(value)
    if (count !== undefined) counters.set(value, count + 1)
    else if (counters.size < slots) counters.set(value, 1)
    else {
      for (const [candidate, times] of counters) {
        if (times === 1) counters.delete(candidate)
        else counters.set(candidate, times - 1)
      }
    }
  }
  const exact = new Map<number, number>()
  for (const candidate of counters.keys()) exact.set(candidate, 0)
  for (const value of values()) {
    const count = exact.get(value)
    if (count !== undefined) exact.set(value, count + 1)
  }
  for (const [candidate, count] of exact) if (count <= share * total) exact.delete(candidate)
  return exact
}
