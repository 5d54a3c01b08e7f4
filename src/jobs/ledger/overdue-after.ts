import { MINUTE_MS } from '../../system/durations.js'

/** Time after which work that jobs:due has not done is overdue, ms: it begins every minute, and takes a while. */
export const OVERDUE_AFTER_MS = 5 * MINUTE_MS
