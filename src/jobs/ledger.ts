/** The ledger: one SQLite file, used by several processes at once. */
import type { Clock } from '../soap/index.js'
import type { Calls } from './calls.js'
import type { Jobs } from './jobs.js'
import type { Requests } from './requests.js'
import type { Store } from './store.js'

export interface Ledger {
  readonly path: string
  readonly clock: Clock
  /** Every call made, for the budget. */
  readonly calls: Calls
  /** Every queued request. */
  readonly requests: Requests
  /** Jobs of several steps or rows. */
  readonly jobs: Jobs
  /** The connection (full sync), for rooms with tables of their own. */
  readonly store: Store
  close(): void
}

export declare function openLedger(path: string, clock: Clock): Ledger
