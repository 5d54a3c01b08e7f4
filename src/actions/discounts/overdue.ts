/** Words for work that is overdue. */
import { countOf } from '../../contract/numbers.js'
import type { Overdue } from '../../jobs/index.js'
import { durationText } from '../../system/durations.js'

/** `3 days ago` */
export function ago(at: number, now: number): string {
  return `${durationText(Math.max(0, now - at))} ago`
}

/** A sentence: what was due first, and how much else. @param now ms since 1970 */
export function overdueWords([first, ...others]: readonly Overdue[], now: number): string {
  if (first === undefined) return ''
  const more = others.length === 0 ? '' : `, and ${countOf(others.length, 'more thing')}`
  return `Overdue: ${first.Name}, since ${durationText(now - first.since)}${more}.`
}
