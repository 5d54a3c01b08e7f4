/** The interface of the ledger: what is on disk about requests, jobs and calls. */

export type { RunInfo, SqlValue, Store } from '../../system/sqlite.js'
export { type BudgetOptions, budgetObserver } from './call-budget.js'
export type { CallRow, Calls } from './calls.js'
export type { ClosingChange, Closings, StoredClosing } from './closings.js'
export type { CostOwner, Costs, CostsStored, NewCost } from './costs.js'
export { type JobCounts, noCounts, type RowState } from './counts.js'
export type { Discounts, NewDiscount, NewDiscountItem, StoredDiscount } from './discounts.js'
export type { EidOutcome, EidOwner, EidSessionRow, EidSessions } from './eid-sessions.js'
export { BudgetError, JobsError, LedgerError, type LedgerErrorKind } from './errors.js'
export type { JobFilter, JobKind, JobLock, JobRecord, JobState, Jobs, NewJob, ShopKey } from './jobs.js'
export { type Ledger, openLedger, openLedgerToRead } from './ledger.js'
export { type Overdue, overdueWork, profilesWithDueWork, scheduledAt, shownState } from './overdue.js'
export { type Pace, postpone, readPace, setPace, settleClock } from './paced.js'
export {
  type CallLimits,
  type CallRecord,
  type CallShare,
  ledgerQuota,
  type NewCall,
  type Quota,
  type QuotaUsage,
  spentError,
  type Taker,
} from './quota.js'
export type { NewRequest, RequestFilter, RequestResultLike, RequestRow, RequestRowState, Requests } from './requests.js'
export { type LeftShop, type MadeInShop, movesOfDiscount, movesOfPrices } from './shop-runs.js'
export type { Sign } from './signs.js'
