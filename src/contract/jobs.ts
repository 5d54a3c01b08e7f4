/** Jobs as scripts see them: the fields of a job, its states, and the states of its rows or steps. */

import type { Output } from './inferred.js'
import type { Item } from './items.js'
import type { OperationName } from './operations.js'

/** Rules for sending the rows of a kind, and the values they set. */
interface RowKind {
  /** The operation that sends a row. */
  readonly operation: OperationName
  /** True if a call may hold many rows. */
  readonly many?: true
  /** A single write: if its reply is lost, the row is unknown and is not sent again by itself. */
  readonly single?: true
  /**
   * The parameters of the call that queues a row, from its item and its payload. Kinds without it are sent in their own way
   * (jobs/bulk/strategies.ts).
   */
  readonly params?: (id: number, payload: unknown) => object
  /**
   * The one value of its item that a row sets: it is compared with the live list before and after, and an undo sets the old one.
   */
  readonly sets?: ValueSet
}

/** A whole number that an item has. */
export interface ValueSet {
  /** Its name in plans, and in what is sent. */
  readonly name: string
  /** Its name in the live list. */
  readonly live: keyof Output<typeof Item>
  /** Sentence part about one item. */
  readonly noun: string
}

/**
 * The kinds of jobs of rows, each with all that jobs need to know of it. A row of relist is an ended auction and becomes a new
 * one by several calls. The rows of order are orders, and no items; they are marked as paid, as shipped, or both.
 */
const KINDS = {
  price: { operation: 'SetPriceOnShopItems', many: true },
  'auction-price': { operation: 'SetPricesOnNonShopItems' },
  stock: {
    operation: 'SetQuantityOnShopItems',
    many: true,
    sets: { name: 'Quantity', live: 'RemainingQuantity', noun: 'stock level' },
  },
  activate: { operation: 'SetActivateDateOnShopItems', many: true },
  // Its fields are set and never added to, so that sending a row twice leaves the same item.
  update: {
    operation: 'UpdateShopItem',
    params: (ItemId: number, ItemData: unknown) => ({ updateData: { ItemId, ItemData } }),
  },
  remove: { operation: 'RemoveShopItem', params: (shopItemId: number) => ({ shopItemId }) },
  'add-shop': { operation: 'AddShopItem', single: true, params: (_: number, shopItemData: unknown) => ({ shopItemData }) },
  'add-item': { operation: 'AddItem', single: true, params: (_: number, itemRequest: unknown) => ({ itemRequest }) },
  relist: { operation: 'AddItem' },
  order: { operation: 'SetSellerOrderAsShipped' },
} as const satisfies Readonly<Record<string, RowKind>>

export type BulkKind = keyof typeof KINDS
export const BULK_KINDS: Readonly<Record<BulkKind, RowKind>> = KINDS

/** The value that rows of a kind set. @throws {TypeError} for a kind that sets none */
export function valueSetOf(kind: BulkKind): ValueSet {
  const { sets } = BULK_KINDS[kind]
  if (sets === undefined) throw new TypeError(`Rows of ${kind} set no value.`)
  return sets
}

/** sync: a job of parts, each of another kind. */
export type JobKind = BulkKind | 'listing' | 'sync'

/**
 * open: something is still to be sent; waiting: everything is sent, results are still to come; unknown: the outcome of a single
 * write is not known, and the seller must decide; ok, partial (some rows failed or were held), failed: finished; cancelled:
 * dropped by the seller, never sent again.
 */
export type JobState = 'open' | 'waiting' | 'unknown' | 'ok' | 'partial' | 'failed' | 'cancelled'

/** scheduled: open, and all that is left waits for its time; overdue: its time has passed, and jobs:due has not sent it. */
export type ShownJobState = JobState | 'scheduled' | 'overdue'

/**
 * unsent: not sent yet; sending: sent, no reply yet; queued: the service has it, no result yet; ok; failed: refused or failed by
 * the service; retryable: not carried out, may be sent again; unknown: a single write whose reply was lost; held: not sent
 * because of a guard, or because the seller left the step out; skipped: the item is not live. The ledger stores a state as its
 * place in this list, so the order must never change.
 */
export const ROW_STATES = ['unsent', 'sending', 'queued', 'ok', 'failed', 'retryable', 'unknown', 'held', 'skipped'] as const
export type RowState = (typeof ROW_STATES)[number]

/** Number of rows or steps of a job in each state; every state has a number. */
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
  /** Number of rows (of a listing: steps) in each state. */
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
  /** True if a process holds it now. */
  Running: boolean
}

/** A job as it is listed: by its time, which the ledger does not keep as a state. */
export type ShownJob = Omit<JobRecord, 'State'> & { readonly State: ShownJobState }

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
