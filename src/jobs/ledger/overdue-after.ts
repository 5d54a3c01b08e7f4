import { MINUTE_MS } from '../../system/durations.js'

/** Time after which work that jobs:due has not done is overdue, ms: it begins every minute, and takes a while. */
export const OVERDUE_AFTER_MS = 5 * MINUTE_MS

/**
 * True if a discount or a closing has waited for jobs:due for longer than a run takes. What is tried again has its next time to
 * come.
 */
export function isOverdue({ next_at }: { readonly next_at: number | null }, now: number): boolean {
  return next_at !== null && next_at <= now - OVERDUE_AFTER_MS
}
