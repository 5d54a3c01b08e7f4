/** The interface of bulk jobs: create a job from rows, run it, resume it, show it, verify it, undo it. */

export { adds, BulkJobWriter, createBulkJob } from './create.js'
export { dropJob, inFlight, refuseDropped } from './drop.js'
export { fieldsAt, planFieldsAt } from './fields-at.js'
export { areSameImages, imagesSent } from './images-sent.js'
export { callsInSteps } from './in-steps.js'
export { countJobRows, itemsPerCall } from './journal.js'
export { knownAuctionPrices, knownPrices } from './known-prices.js'
export { UPDATED_FIELDS } from './live-fields.js'
export { hasParts } from './outcome.js'
export { createWhole, type NewPart, recoverParts, supersede } from './parts.js'
export { pricesAt, stockAt } from './prices-at.js'
export { queuedUpdates } from './queued-updates.js'
export { whyRecheck } from './recheck.js'
export { callsOfRelist } from './relist.js'
export { rowsOfRequests } from './requests.js'
export { followRestarts } from './restarts.js'
export { auctionJobRows, holdOf, priceJobRows, updateJobRows, valueJobRows } from './rows.js'
export { bulkVerdict, runBulkJob } from './run.js'
export { bulkJob, bulkRows, isBulkKind, refusedRows, rowsAfter } from './show.js'
export { type StoredImage, storedImages, storedWithin } from './stored-images.js'
export type {
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
  Relisted,
  RelistToSend,
  RunBulkOptions,
} from './types.js'
export { BULK_DETAIL } from './types.js'
export { isUndoable, itemChanges, planAuctionUndo, planUndo, planValueUndo } from './undo.js'
export { planUpdateUndo, type UpdateUndoPlan } from './undo-updates.js'
export { chainOf, findRelists, type Relist } from './up-again.js'
export { checkUnknownRows, type Difference, type UnknownRow, type Verification, verifyBulkJob } from './verify.js'
export { listParts, wholeJob } from './whole.js'
