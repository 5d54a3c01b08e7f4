/** The nouns of bulk jobs: many rows, sent by few calls, each step on disk before it is taken. */
import type { InputForm, LiveItems } from '../../pricing/index.js'
import type { Clock, SoapClient } from '../../soap/client/index.js'
import type { JobCounts, RowState } from '../ledger/counts.js'
import type { JobRecord } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'

/** price: SetPriceOnShopItems, and stock: SetQuantityOnShopItems, many rows a call; the others send one row a call. The last two are single writes. */
export type BulkKind = 'price' | 'auction-price' | 'stock' | 'remove' | 'add-shop' | 'add-item'

export const BULK_KINDS: readonly BulkKind[] = ['price', 'auction-price', 'stock', 'remove', 'add-shop', 'add-item']

export { ROW_STATES } from '../ledger/counts.js'

export type BulkRowState = RowState
export type BulkCounts = JobCounts

/** Prices of one auction as they are sent; null means "none", which for BinPrice removes a present one. */
export interface AuctionPricesToSend {
  readonly OpeningPrice: number
  readonly ReservedPrice: number | null
  readonly BinPrice: number | null
}

/** The number in stock that a row sets, and what undo goes back to. */
export interface StockToSend {
  readonly Quantity: number
}

/** A row as it is given to a new job. */
export interface NewBulkRow {
  /** Line of the input; 0 where there is none. */
  readonly line: number
  /** The item; 0 where the row adds one or where no item was found. */
  readonly id: number
  readonly ownReference?: string | null
  /** Kronor, for the kind price. */
  readonly price?: number
  /** Kronor, what undo goes back to; null where it was not read. */
  readonly oldPrice?: number | null
  /** What is sent, for the other kinds: AuctionPricesToSend, an ItemRequest, a ShopItemData. */
  readonly payload?: unknown
  /** What undo goes back to, for auction-price: AuctionPricesToSend. */
  readonly oldPayload?: unknown
  /** Set where the row is kept from sending: the reason. */
  readonly held?: string | null
  /** Set where the item is not live, and nothing is sent for it: the reason. */
  readonly skipped?: string | null
  /** Values of the input's `_` columns, to be given back with failed rows. */
  readonly extra?: readonly unknown[]
}

export interface NewBulkJob {
  readonly kind: BulkKind
  readonly profile: string
  readonly userId?: number | null
  /** What a person reads in jobs:list: the command in short. No secrets. */
  readonly title: string
  readonly form: InputForm
  /** No live prices were read: undo is impossible. */
  readonly blind?: boolean
  readonly rows: Iterable<NewBulkRow>
  /** The rows are known to name each item once, as those of a plan do: they are not checked again. */
  readonly distinct?: boolean
  /** The jobs whose prices this one takes back. */
  readonly undoOf?: readonly number[]
}

/** A job as jobs:list and jobs:show give it, its counts taken from its rows. */
export interface BulkJob extends JobRecord {
  Kind: BulkKind
  Counts: BulkCounts
  Rows: number
  /** No live prices were read before it. */
  Blind: boolean
  /** All jobs that this one takes back, the oldest first; UndoOf is the newest of them. Empty for a job that is not an undo. */
  UndoneJobs: readonly number[]
}

/** A row as jobs:show gives it. */
export interface BulkRow {
  /** From 1, batch by batch: rows to be sent in their order, held ones in batches between. */
  readonly Row: number
  readonly Line: number
  /** For a row that adds an item its new id, once the service gave it. */
  readonly Id: number | null
  readonly OwnReference: string | null
  /** Kronor, for the kind price. */
  readonly OldPrice: number | null
  readonly Price: number | null
  /** What is sent, for the other kinds. */
  readonly Payload: unknown
  /** What undo goes back to, for auction-price. */
  readonly OldPayload: unknown
  readonly State: BulkRowState
  readonly RequestId: number | null
  readonly Reason: string | null
  /** Values of the input's `_` columns. */
  readonly Extra: readonly unknown[]
}

export interface BulkProgress {
  readonly phase: 'sending' | 'waiting'
  /** Rows of the job that are sent or to be sent. */
  readonly rows: number
  /** Of these, those that the service has answered for. */
  readonly sent: number
  /** Rows without a final result. */
  readonly pending: number
  readonly failed: number
  /** Calls made in this run, the client's retries not counted. */
  readonly calls: number
  /** Rows a second in this run; 0 before the first reply. */
  readonly rowsPerSecond: number
  /** Estimated time until the last row is sent, ms; null while unknown and while waiting. */
  readonly leftMs: number | null
  /** Until the next look at the results, ms; null while sending. */
  readonly nextLookMs: number | null
  /** Why the last look brought nothing, where waiting goes on all the same; else null. */
  readonly problem: string | null
}

export interface RunBulkOptions {
  readonly ledger: Ledger
  readonly client: Pick<SoapClient, 'call'>
  readonly clock: Clock
  readonly jobId: number
  /** Calls at once; by default as many as the service keeps up with (Pace), and two where each is a single write. */
  readonly concurrency?: number
  /** Wait for the results of queued rows, at most timeoutMs. Without it a run that finds queued rows looks once before it sends. */
  readonly wait?: boolean
  readonly timeoutMs?: number
  /** Send rows again that are retryable or failed. */
  readonly retryFailed?: boolean
  /** Send rows again whose outcome is unknown: only on the seller's word that they are not there. */
  readonly retryUnknown?: boolean
  /** Take rows whose outcome is unknown as carried out: only on the seller's word that they are there. */
  readonly assumeUnknown?: boolean
  /** The rows (BulkRow.Row) that the seller's word on unknown ones is about; all of them by default. */
  readonly unknownRows?: ReadonlySet<number>
  /** Reads the live list: unsent rows whose price moved since the plan are then held before anything is sent. */
  readonly live?: () => LiveItems
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: BulkProgress) => void
}

/**
 * Why a run ended before everything was sent. quota: HTTP 429; budget: the calls allowed are used up; network: no connection, or no
 * reply; refused: HTTP 401 or 403; fault: the service failed call after call; interrupted: the signal.
 */
export type BulkStop = 'quota' | 'budget' | 'network' | 'refused' | 'fault' | 'interrupted'

/** What a run came to, most pressing first: the order in which exit codes win. */
export type BulkVerdict = 'unknown_outcome' | 'quota' | 'interrupted' | 'stopped' | 'rows_failed' | 'held' | 'pending' | 'ok'

export interface BulkOutcome {
  readonly job: BulkJob
  /** Calls made in this run, the client's retries not counted. */
  readonly calls: number
  /** null when every row that may be sent was sent. */
  readonly stop: BulkStop | null
  /** What stopped it, as thrown; null otherwise. */
  readonly error: unknown
  /** Rows that were held because their live price moved since the plan. */
  readonly moved: number
  /** Waited, and the time was up with rows still pending. */
  readonly timedOut: boolean
  readonly verdict: BulkVerdict
}

/** What a job's engine needs to know besides its record. */
export interface BulkDetail {
  readonly form: InputForm
  readonly blind: boolean
  /** All jobs that it takes back, the oldest first; absent where there is one at most. */
  readonly undoOf?: readonly number[]
}
