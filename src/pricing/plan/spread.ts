/** The largest changes and the distribution of all of them, over a stream of relative changes. */
import { entryAt } from '../../contract/entry-at.js'
import type { HistogramBar } from '../../contract/plans.js'

/** Index and relative change of rows. */
type Ratios = Iterable<readonly [index: number, ratio: number]>

/** Bounds of the bars in percent, closer together around 0, where most changes are. */
const BOUNDS = [-90, -50, -25, -10, -5, 0, 5, 10, 25, 50, 100, 900] as const

/** Indexes of the `count` largest changes up or down, largest first; of equal ones, earlier rows first. */
export function findLargest(ratios: Ratios, count: number): number[] {
  const largest: { readonly index: number; readonly size: number }[] = []
  for (const [index, ratio] of ratios) {
    const size = Math.abs(ratio)
    let at = largest.length
    while (at > 0 && entryAt(largest, at - 1).size < size) at--
    // Nearly all rows of a large plan: none of those that are kept is smaller.
    if (at === count) continue
    largest.splice(at, 0, { index, size })
    largest.length = Math.min(largest.length, count)
  }
  return largest.map(({ index }) => index)
}

/** Rows per range of change, lowest first; empty ranges at both ends are left out. */
export function buildHistogram(ratios: Ratios): HistogramBar[] {
  const counts = new Array<number>(BOUNDS.length + 1).fill(0)
  for (const [, ratio] of ratios) {
    const percent = ratio * 100
    let bar = 0
    while (bar < BOUNDS.length && percent >= entryAt(BOUNDS, bar)) bar++
    counts[bar] = entryAt(counts, bar) + 1
  }
  const bars = counts.map((rows, bar) => ({ From: BOUNDS[bar - 1] ?? null, To: BOUNDS[bar] ?? null, Rows: rows }))
  const filledBars = counts.flatMap((rows, bar) => (rows > 0 ? [bar] : []))
  return filledBars.length === 0 ? [] : bars.slice(filledBars[0], entryAt(filledBars, filledBars.length - 1) + 1)
}

/** Number of times that each value occurs. */
export function countEach<T>(values: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** The value that occurs most, and how often; the first of several, undefined for none. */
export function mostOf<T>(counts: ReadonlyMap<T, number>): readonly [value: T, count: number] | undefined {
  return [...counts].sort(([, one], [, other]) => other - one)[0]
}
