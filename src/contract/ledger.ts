/** The upkeep of the ledger, and the calls in it, as scripts see them. */

/** Old records that pruning removes, and old jobs that it keeps. Ids are in ascending order. */
export interface PrunePlan {
  /** Ids of the jobs that are removed. */
  readonly Jobs: readonly number[]
  /** Rows of these jobs, and steps of listings. */
  readonly Rows: number
  readonly Steps: number
  /** Rows of the table of requests: those of the jobs, and old ones without a job. */
  readonly Requests: number
  readonly Calls: number
  /** Transactions that were kept for reports. */
  readonly Sales: number
  /** Orders that were kept, with the names and addresses of their buyers. */
  readonly Orders: number
  /** Moves of prices that readings of the live list found. */
  readonly Prices: number
  /** Costs that others have followed since. */
  readonly Costs: number
  /** Older jobs that stay. */
  readonly Kept: {
    /** Something in them is not sent, not answered, or of unknown outcome. */
    readonly Unfinished: readonly number[]
    /** They set the last known price of some item. */
    readonly LastPrices: readonly number[]
    /** A job that stays undoes them, or has them as parts. */
    readonly Referred: readonly number[]
  }
}

/** Something to look at after a copy was restored. */
export interface Look {
  readonly What: 'job' | 'discount' | 'request' | 'shop' | 'watch' | 'exports' | 'replaced'
  /** Id of the job, the discount or the request; null where it has none. */
  readonly Id: number | null
  readonly Profile: string | null
  readonly Words: string
  /** Null where no command shows it. */
  readonly Command: string | null
}

/** Calls of this machine in the window of a budget. */
export interface CallCounts {
  /** Start of the window, ISO 8601. */
  readonly Since: string
  /** Calls made from this machine. */
  readonly ByOperation: readonly { readonly Operation: string; readonly Calls: number; readonly Failed: number }[]
  /** Whole hours of UTC, the oldest first. Hours without calls are left out. */
  readonly ByHour: readonly { readonly Hour: string; readonly Calls: number; readonly Failed: number }[]
}
