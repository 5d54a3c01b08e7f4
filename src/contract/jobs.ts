/** Jobs as scripts see them: the fields of a job, its states, and the states of its rows or steps. */

/**
 * Kinds of jobs of rows. price (SetPriceOnShopItems) and stock (SetQuantityOnShopItems) send many rows per call; the others send one.
 * add-shop and add-item are single writes. A row of relist is an ended auction and becomes a new one by several calls. The rows of order are
 * orders, and no items.
 */
export const BULK_KINDS = ['price', 'auction-price', 'stock', 'remove', 'add-shop', 'add-item', 'relist', 'order'] as const
export type BulkKind = (typeof BULK_KINDS)[number]

/** sync: a job of parts, each of another kind. */
export type JobKind = BulkKind | 'listing' | 'sync'

/**
 * open: something is still to be sent; waiting: everything is sent, results are still to come; unknown: the outcome of a single
 * write is not known, and the seller must decide; ok, partial (some rows failed or were held), failed: finished; cancelled:
 * dropped by the seller, never sent again.
 */
export type JobState = 'open' | 'waiting' | 'unknown' | 'ok' | 'partial' | 'failed' | 'cancelled'

/**
 * unsent: not sent yet; sending: sent, no reply yet; queued: the service has it, no result yet; ok; failed: refused or failed by
 * the service; retryable: not carried out, may be sent again; unknown: a single write whose reply was lost; held: not sent
 * because of a guard, or because the seller left the step out; skipped: the item is not live. The ledger stores a state as its
 * place in this list, so the order must never change.
 */
export const ROW_STATES = ['unsent', 'sending', 'queued', 'ok', 'failed', 'retryable', 'unknown', 'held', 'skipped'] as const
export type RowState = (typeof ROW_STATES)[number]

/** How many rows or steps of a job are in which state; every state has a number. */
export type JobCounts = Record<RowState, number>

/** A job as shown by commands. Times are ISO 8601, UTC. */
export interface JobRecord {
  JobId: number
  Kind: JobKind
  Profile: string
  UserId: number | null
  Title: string
  State: JobState
  Message: string | null
  /** How many rows (of a listing: steps) are in which state. */
  Counts: JobCounts
  /** The job that this one undoes. */
  UndoOf: number | null
  /** All jobs that it undoes, for a job of rows. */
  readonly UndoneJobs?: readonly number[]
  /** The sale that it starts or ends. */
  DiscountId: number | null
  /** The job that this one is a part of. */
  PartOf: number | null
  CreatedAt: string
  FinishedAt: string | null
  /** Whether a process holds it now. */
  Running: boolean
}

const KEYS: Record<keyof JobRecord, true> = {
  JobId: true,
  Kind: true,
  Profile: true,
  UserId: true,
  Title: true,
  State: true,
  Message: true,
  Counts: true,
  UndoOf: true,
  UndoneJobs: true,
  DiscountId: true,
  PartOf: true,
  CreatedAt: true,
  FinishedAt: true,
  Running: true,
}

/** The keys of a job in the order in which they are written. The compiler compares them with JobRecord. */
export const JOB_KEYS = Object.keys(KEYS) as readonly (keyof JobRecord)[]
