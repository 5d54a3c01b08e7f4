/** The nouns of bulk jobs: many rows, sent by few calls, each step on disk before it is taken. */

import type { InputForm } from '../../pricing/index.js'
import type { Clock } from '../../soap/clock.js'
import type { SoapClient } from '../../soap/index.js'
import type { Ledger } from '../ledger.js'

/** price: SetPriceOnShopItems, many rows a call; the others send one row a call. The last two are single writes. */
export type BulkKind = 'price' | 'auction-price' | 'remove' | 'add-shop' | 'add-item'

/**
 * unsent: not sent yet; sending: sent, no reply seen yet; queued: the service has it, no result yet; ok; failed: refused or failed by the
 * service for good; retryable: not carried out, may be sent again; unknown: a single write whose reply was lost; held: kept from sending
 * by a guard or because the item is unknown.
 */
export type BulkRowState = 'unsent' | 'sending' | 'queued' | 'ok' | 'failed' | 'retryable' | 'unknown' | 'held'

/** Prices of one auction; null means «none», for BinPrice it removes a present one. */
export interface AuctionPricesToSend {
  readonly OpeningPrice: number
  readonly ReservedPrice: number | null
  readonly BinPrice: number | null
}

/** A row as it is given to a new job. */
export interface NewBulkRow {
  /** Line of the input; 0 where there is none. */
  readonly Line: number
  /** The item; 0 where the row adds one or where no item was found. */
  readonly Id: number
  readonly OwnReference?: string | null
  /** Kronor, for the kind price. */
  readonly Price?: number
  /** Kronor, what undo goes back to; null where it was not read. */
  readonly OldPrice?: number | null
  /** What is sent, for the other kinds: AuctionPricesToSend, an ItemRequest, a ShopItemData; and what undo sends, for auction-price. */
  readonly Payload?: unknown
  readonly OldPayload?: unknown
  /** Set where the row is kept from sending: the reason. */
  readonly Held?: string | null
  /** Values of the input's `_` columns, to be given back with failed rows. */
  readonly Extra?: readonly unknown[]
}

export interface NewBulkJob {
  readonly kind: BulkKind
  readonly profile: string
  readonly userId: number | null
  /** What a person reads in jobs:list: the command in short. No secrets. */
  readonly title: string
  readonly form: InputForm
  /** No live prices were read: undo is impossible. */
  readonly blind: boolean
  readonly rows: Iterable<NewBulkRow>
  /** The job whose prices this one takes back. */
  readonly undoes?: number
}

/** A job as jobs:list shows it. */
export interface BulkJob {
  readonly JobId: number
  readonly Kind: BulkKind
  readonly Profile: string
  readonly UserId: number | null
  readonly Title: string
  readonly Blind: boolean
  readonly Undoes: number | null
  readonly CreatedAt: string
  readonly Form: InputForm
  readonly Rows: number
  readonly Unsent: number
  readonly Sending: number
  readonly Queued: number
  readonly Ok: number
  readonly Failed: number
  readonly Retryable: number
  readonly Unknown: number
  readonly Held: number
}

/** A row as jobs:show shows it. */
export interface BulkRow {
  /** From 1, the held ones last. */
  readonly Row: number
  readonly Line: number
  readonly Id: number | null
  readonly OwnReference: string | null
  readonly OldPrice: number | null
  readonly Price: number | null
  readonly Payload: unknown
  readonly State: BulkRowState
  readonly RequestId: number | null
  readonly Reason: string | null
  readonly Extra: readonly unknown[]
}

export interface BulkProgress {
  readonly phase: 'sending' | 'waiting'
  /** Rows of the job that are to be sent, those that were sent or finished, those without a result. */
  readonly rows: number
  readonly sent: number
  readonly finished: number
  readonly pending: number
  readonly failed: number
  /** Calls made in this run. */
  readonly calls: number
  /** Rows a second since this run began to send; 0 before the first reply. */
  readonly rowsPerSecond: number
  /** Estimated time until the last row is sent, ms; null while unknown and while waiting. */
  readonly leftMs: number | null
  /** Until the next look at the results, ms; null while sending. */
  readonly nextLookMs: number | null
}

export interface RunBulkOptions {
  readonly ledger: Ledger
  readonly client: Pick<SoapClient, 'call'>
  readonly clock: Clock
  readonly jobId: number
  /** Calls at once, 2 unless told. */
  readonly concurrency?: number
  /** Wait for the results of queued rows. */
  readonly wait?: boolean
  /** How long to wait at most, ms. */
  readonly timeoutMs?: number
  /** Sending and polling calls this run may make. */
  readonly maxCalls?: number
  /** Send rows again that are retryable or failed. */
  readonly retryFailed?: boolean
  /** Look at the results of queued rows once, even without wait (a resumed job does). */
  readonly lookOnce?: boolean
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: BulkProgress) => void
}

/** Why a run ended before everything was sent. */
export type BulkStop = 'quota' | 'budget' | 'network' | 'refused' | 'fault' | 'interrupted'

export interface BulkOutcome {
  readonly job: BulkJob
  /** Calls made in this run. */
  readonly calls: number
  /** null when every row was sent. */
  readonly stop: BulkStop | null
  /** What stopped it, as thrown. */
  readonly error: unknown
  /** Waited, and the time was up with rows still pending. */
  readonly timedOut: boolean
  /** Rows a call the service was found to take; undefined when nothing was refused for its size. */
  readonly perCall: number
}
