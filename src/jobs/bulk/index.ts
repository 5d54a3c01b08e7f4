/** The door of bulk jobs: make a job from rows, run it, resume it, show it, check it, take it back. */
export type {
  AuctionPricesToSend,
  BulkJob,
  BulkKind,
  BulkOutcome,
  BulkProgress,
  BulkRow,
  BulkRowState,
  BulkStop,
  NewBulkJob,
  NewBulkRow,
  RunBulkOptions,
} from './types.js'
// createBulkJob(ledger, job, clock): BulkJob, runBulkJob(options): Promise<BulkOutcome>, bulkJobs(ledger), bulkJob(ledger, id),
// bulkRows(ledger, id, states?), undoPlan(ledger, id, live), verifyBulkJob(ledger, id, live), unknownRows(ledger, id, live).
