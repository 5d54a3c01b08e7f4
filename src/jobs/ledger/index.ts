/** The interface of the ledger: what is on disk about requests, jobs and calls. */

export { budgetObserver } from './call-budget.js'
export type { StoredClosing } from './closings.js'
export { noCounts } from './counts.js'
export type { NewDiscountItem, StoredDiscount } from './discounts.js'
export type { EidOwner } from './eid-sessions.js'
export { BudgetError, JobsError, LedgerError, type LedgerErrorKind } from './errors.js'
export type { JobFilter, JobKind, JobRecord, JobState, ShopKey } from './jobs.js'
export { type Ledger, openLedger, openLedgerToRead } from './ledger.js'
export { type Overdue, overdueWork, profilesWithDueWork, scheduledAt, shownState } from './overdue.js'
export { postpone, readPace, setPace, settleClock } from './paced.js'
export {
  type CallLimits,
  type CallRecord,
  ledgerQuota,
  type NewCall,
  type Quota,
  type QuotaUsage,
  spentError,
  type Taker,
} from './quota.js'
export type { NewRequest, RequestRow } from './requests.js'
export { type LeftShop, type MadeInShop, movesOfDiscount, movesOfPrices } from './shop-runs.js'
export type { Sign } from './signs.js'
