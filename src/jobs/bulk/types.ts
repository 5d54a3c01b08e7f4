/** The types of bulk jobs: many rows, sent by few calls, each step on disk before it is taken. */

import type { BulkKind, ValueSet } from '../../contract/jobs.js'
import type { Hold } from '../../holds/index.js'
import type { LiveItems } from '../../pricing/index.js'
import type { InputForm } from '../../rows/index.js'
import type { Clock, FetchOptions, SoapClient } from '../../soap/client/index.js'
import type { JobCounts, RowState } from '../ledger/counts.js'
import type { JobRecord } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { isBoolean, isInt, isObject, isText, listOf, orMissing, type Shape } from '../ledger/stored.js'
import type { ItemRequestInput } from '../listing/listing.js'

export { BULK_KINDS, type BulkKind } from '../../contract/jobs.js'
export { ROW_STATES } from '../ledger/counts.js'

export type BulkRowState = RowState
export type BulkCounts = JobCounts

/** The number that a row sets, or that an undo restores, in its payload; undefined where there is none. */
export function valueSent(payload: unknown, { name }: ValueSet): number | undefined {
  const value = (payload as Readonly<Record<string, unknown>> | null)?.[name]
  return typeof value === 'number' ? value : undefined
}

/** The marks that a row gives to an order. */
export interface MarksToSend {
  readonly Paid: boolean
  readonly Sent: boolean
}

/** Request of a row that relists an ended auction. */
export interface RelistToSend {
  /** The start price, kronor. */
  readonly OpeningPrice: number
  readonly Request: ItemRequestInput & { readonly RestartedFromItemId: number }
  /** Addresses of its images, in their order. */
  readonly Images: readonly string[]
  /** When it is sent at the earliest, ISO 8601; null for at once. */
  readonly StartsAt: string | null
  /** True if the service tells what an auction was restarted as. */
  readonly Restarts: boolean
}

/** Values of an auction that ended. */
export interface Relisted {
  readonly OpeningPrice: number | null
  readonly StartDate: string
}

/** A row for a new job. */
export interface NewBulkRow {
  /** Line of the input; 0 if there is none. */
  readonly line: number
  /** The item; 0 if the row adds one or no item was found. */
  readonly id: number
  readonly ownReference?: string | null | undefined
  /** The title of the item, if it is known. A row that adds an item has it in its payload. */
  readonly title?: string | null | undefined
  /** Kronor, for the kind price. */
  readonly price?: number | undefined
  /** The price that an undo restores, kronor; null if it was not read. */
  readonly oldPrice?: number | null
  /** Payload of the other kinds: AuctionPricesSent, an ItemRequest, a ShopItemData. */
  readonly payload?: unknown | undefined
  /** For auction-price: the prices that an undo restores (AuctionPricesSent). */
  readonly oldPayload?: unknown | undefined
  /** Set if the row must not be sent. */
  readonly held?: Hold | null | undefined
  /** Set if the item is not live, so that nothing is sent for it. */
  readonly skipped?: Hold | null | undefined
  /** Values of the input's `_` columns, which are written back with failed rows. */
  readonly extra?: readonly unknown[]
}

export interface NewBulkJob {
  readonly kind: BulkKind
  readonly profile: string
  readonly userId?: number | null | undefined
  /** The title in jobs:list: the command, shortened. No secrets. */
  readonly title: string
  readonly form: InputForm
  /** No live prices were read, so the job cannot be undone. */
  readonly blind?: boolean | undefined
  readonly rows: Iterable<NewBulkRow>
  /** The rows are known to name each item once, like those of a plan, and need no check. */
  readonly distinct?: boolean
  /** The jobs that this one undoes. */
  readonly undoOf?: readonly number[] | undefined
  /** The job that it is a part of. */
  readonly partOf?: number | undefined
  /** Called with the job's id once it is written, in the same transaction. */
  readonly recorded?: (jobId: number) => void
}

/** A job as jobs:list and jobs:show print it, with counts taken from its rows. */
export interface BulkJob extends JobRecord {
  Kind: BulkKind
  Counts: BulkCounts
  Rows: number
  /** No live prices were read before it was planned. */
  Blind: boolean
  /** All jobs that this one undoes, the oldest first; UndoOf is the newest of them. Empty if the job is not an undo. */
  UndoneJobs: readonly number[]
}

/** A row of a job. */
export interface BulkRow {
  readonly JobId: number
  /** From 1, batch by batch: the rows to be sent are in order, with batches of held ones in between. */
  readonly Row: number
  readonly Line: number
  /** The item; for a row that adds one its new id, once the service has given it. */
  readonly Id: number | null
  readonly OwnReference: string | null
  /** The title of the item when the job was created, or the one it is added with; null if it was not read. */
  readonly Title: string | null
  /** Kronor, for the kind price. */
  readonly OldPrice: number | null
  readonly Price: number | null
  /** Payload of the other kinds. */
  readonly Payload: unknown
  /** For auction-price: what an undo restores. */
  readonly OldPayload: unknown
  readonly State: BulkRowState
  readonly RequestId: number | null
  /** Why it is in its state, where there is more to say. */
  readonly Hold: Hold | null
  /** Values of the input's `_` columns. */
  readonly Extra: readonly unknown[]
}

export interface BulkProgress {
  readonly phase: 'sending' | 'waiting'
  /** Rows of the job that were sent or will be. */
  readonly rows: number
  /** Number of these that the service has answered. */
  readonly sent: number
  /** Rows without a final result. */
  readonly pending: number
  readonly failed: number
  /** Calls made in this run, without the client's retries. */
  readonly calls: number
  /** Rows per second in this run; 0 before the first reply. */
  readonly rowsPerSecond: number
  /** Estimated time until the last row is sent, ms; null while unknown and while waiting. */
  readonly leftMs: number | null
  /** Until the results are read again, ms; null while sending. */
  readonly nextLookMs: number | null
  /** Why the last look failed if waiting continues; else null. */
  readonly problem: string | null
}

export interface RunBulkOptions {
  readonly ledger: Ledger
  readonly client: Pick<SoapClient, 'call'>
  readonly clock: Clock
  readonly jobId: number
  /** Calls at once; by default as many as the service keeps up with (Pace), and two if each is a single write. */
  readonly concurrency?: number | undefined
  /**
   * Wait for the results of queued rows, at most timeoutMs. Without it, a run that finds queued rows reads their results once
   * before it sends.
   */
  readonly wait?: boolean | undefined
  readonly timeoutMs?: number | undefined
  /** Send retryable and failed rows again. */
  readonly retryFailed?: boolean | undefined
  /** Send rows of unknown outcome again. Only if the seller says that they did not arrive. */
  readonly retryUnknown?: boolean | undefined
  /** Count rows of unknown outcome as carried out. Only if the seller says that they arrived. */
  readonly assumeUnknown?: boolean | undefined
  /** The rows (BulkRow.Row) that the seller's choice is about; by default all of unknown outcome. */
  readonly unknownRows?: ReadonlySet<number> | undefined
  /** Reads the live list. Unsent rows whose price changed since the plan are then held before anything is sent. */
  readonly live?: (() => LiveItems) | undefined
  /** Options for fetching and sending pictures, by rows that need them. */
  readonly pictures?: (Pick<FetchOptions, 'userAgent' | 'trace'> & { readonly keepMetadata?: boolean }) | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined
}

/**
 * Why a run ended before everything was sent. quota: HTTP 429; budget: the allowed calls are used up; network: no connection, or
 * no reply; refused: HTTP 401 or 403; fault: the service failed call after call; interrupted: the signal.
 */
export type BulkStop = 'quota' | 'budget' | 'network' | 'refused' | 'fault' | 'interrupted'

/** The result of a run, the most urgent first: the order in which exit codes win. */
export type BulkVerdict = 'unknown_outcome' | 'quota' | 'interrupted' | 'stopped' | 'rows_failed' | 'held' | 'pending' | 'ok'

export interface BulkOutcome {
  readonly job: BulkJob
  /** Calls made in this run, without the client's retries. */
  readonly calls: number
  /** null if every row that may be sent was sent. */
  readonly stop: BulkStop | null
  /** The error that stopped it; null otherwise. */
  readonly error: unknown
  /** Rows that were held because their live price changed since the plan. */
  readonly moved: number
  /** The time for waiting was over while rows were still pending. */
  readonly timedOut: boolean
  /** Rows that wait for their time. */
  readonly later: number
  readonly verdict: BulkVerdict
}

/** Options of a job's engine besides its record. */
export interface BulkDetail {
  readonly form: InputForm
  readonly blind: boolean
  /** All jobs that it undoes, the oldest first; absent if there is at most one. */
  readonly undoOf?: readonly number[]
}

/** Shape of a BulkDetail. */
export const BULK_DETAIL: Shape<BulkDetail> = {
  form: (value) => isObject(value) && isText((value as Partial<InputForm>).kind),
  blind: isBoolean,
  undoOf: orMissing(listOf(isInt)),
}
