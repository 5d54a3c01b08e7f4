/** Words for work that is overdue. */
import { countOf } from '../../contract/numbers.js'
import type { Ledger, Overdue, Sign } from '../../jobs/index.js'
import { durationText, MINUTE_MS } from '../../system/durations.js'

/** A timer begins jobs:due every minute. One that has not for longer is dead, ms. */
export const DEAD_TIMER_MS = 10 * MINUTE_MS

/** Notes a run of jobs:due, and since when runs have followed each other. */
export function noteDue({ signs, clock }: Pick<Ledger, 'signs' | 'clock'>, profiles: Iterable<string>, code: number): void {
  const now = clock.now()
  signs.noteAll(profiles, 'due', (last) => ({
    code,
    since: last !== undefined && now - last.at <= DEAD_TIMER_MS ? runsSince(last) : now,
  }))
}

/** When the runs of jobs:due began of which none came late, ms since 1970. A sign of an older version is of one run. */
export function runsSince({ at, detail }: Sign): number {
  return (detail as { readonly since?: number } | null)?.since ?? at
}

/** `3 days ago` */
export function ago(at: number, now: number): string {
  return `${durationText(Math.max(0, now - at))} ago`
}

/** A sentence without its stop: what was due first, and how much else. @param now ms since 1970 */
export function overdueWords([first, ...others]: readonly Overdue[], now: number): string {
  if (first === undefined) return ''
  const more = others.length === 0 ? '' : `, and ${countOf(others.length, 'more thing')}`
  return `Overdue: ${first.Name}, since ${durationText(now - first.since)}${more}`
}
