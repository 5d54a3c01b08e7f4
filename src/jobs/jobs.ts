/** Jobs: work of several steps or rows that outlives the process that began it. */

export type JobKind = 'listing' | 'price' | 'auction-price' | 'remove' | 'add-shop' | 'add-item'

/**
 * open: something is still to be sent; waiting: everything is sent, results are still to come; unknown: the outcome of a single write is
 * not known, and the seller must decide; ok, partial (some rows failed or were held), failed: finished; cancelled: given up by the seller.
 */
export type JobState = 'open' | 'waiting' | 'unknown' | 'ok' | 'partial' | 'failed' | 'cancelled'

/** A job as commands show it. Times are ISO 8601, UTC. */
export interface JobRecord {
  JobId: number
  Kind: JobKind
  Profile: string
  UserId: number | null
  Title: string
  State: JobState
  Message: string | null
  /** How many rows are in which state, by the kind's own names. */
  Counts: Record<string, number>
  /** The job that this one takes back. */
  UndoOf: number | null
  CreatedAt: string
  FinishedAt: string | null
  /** Whether a living process works on it now. */
  Running: boolean
}

export interface NewJob {
  kind: JobKind
  profile: string
  userId?: number | null
  title: string
  counts?: Readonly<Record<string, number>>
  /** Anything that JSON carries, for the job's own engine. */
  detail?: unknown
  undoOf?: number | null
}

export interface JobLock {
  readonly jobId: number
  /** Tells other processes that the holder lives; cheap to call often. @throws JobsError when another process took the job over */
  beat(): void
  release(): void
}

export interface JobFilter {
  kind?: JobKind | readonly JobKind[]
  state?: JobState | readonly JobState[]
  profile?: string
  since?: number
  limit?: number
}

export interface Jobs {
  create(job: NewJob): JobRecord
  /** Takes the job for this process; of a dead holder it is taken over. @throws JobsError code `job_locked` naming the holder, or `job_not_found` */
  lock(jobId: number): JobLock
  update(
    jobId: number,
    change: { state?: JobState; message?: string | null; counts?: Readonly<Record<string, number>>; detail?: unknown },
  ): JobRecord
  /** Like update, and sets FinishedAt. */
  finish(
    jobId: number,
    change: { state: JobState; message?: string | null; counts?: Readonly<Record<string, number>> },
  ): JobRecord
  /** @throws JobsError code `job_not_found` */
  show(jobId: number): JobRecord
  /** What create or update stored as detail. @throws JobsError code `job_not_found` */
  detail<T>(jobId: number): T
  /** The newest first. */
  list(filter?: JobFilter): JobRecord[]
}
