/** The interface of bulk jobs: create a job from rows, run it, resume it, show it, verify it, undo it. */

export { BulkJobWriter, createBulkJob } from './create.js'
export { dropJob, type InFlight, inFlight, refuseDropped } from './drop.js'
export { itemsPerCall } from './journal.js'
export { knownAuctionPrices, knownPrices } from './known-prices.js'
export { hasParts } from './outcome.js'
export { createWhole, type NewPart, partsOf, recoverParts, supersede, wholeJob } from './parts.js'
export { pricesAt } from './prices-at.js'
export { NOT_LIVE, whyRecheck } from './recheck.js'
export { callsOfRelist, type Relisted, type RelistToSend, restartedReason, restartsOf } from './relist.js'
export { rowsOfRequests } from './requests.js'
export { addJobRows, auctionJobRows, priceJobRows, valueJobRows } from './rows.js'
export { runBulkJob, verdictOf } from './run.js'
export { bulkJob, bulkRows, isBulkKind, refusedRows, rowsAfter } from './show.js'
export type {
  BulkCounts,
  BulkJob,
  BulkKind,
  BulkOutcome,
  BulkProgress,
  BulkRow,
  BulkRowState,
  BulkStop,
  BulkVerdict,
  NewBulkJob,
  NewBulkRow,
  RunBulkOptions,
} from './types.js'
export { isUndoable, planAuctionUndo, planUndo, planValueUndo } from './undo.js'
export { chainOf, findRelists, nextStart, type Relist } from './up-again.js'
export { checkUnknownRows, type Difference, type UnknownRow, type Verification, verifyBulkJob } from './verify.js'
