/** Jobs: work of several steps or rows that outlives the process that began it. */

import type { JobCounts, JobKind, JobRecord, JobState } from '../../contract/jobs.js'
import { run, say } from '../../messages/index.js'
import type { Clock } from '../../soap/client/index.js'
import { isAtWork, isSurelyAlive, ownerWords, readOwner, thisProcess } from '../../system/process-owner.js'
import type { Store } from '../../system/sqlite.js'
import { isoOf, isoOrNull } from '../../system/time.js'
import { conditions } from './conditions.js'
import { readCounts } from './counts.js'
import { JobsError } from './errors.js'
import { heldLease, LEASE_BEAT_MS, LEASE_DEAD_AFTER_MS, type Lease } from './lease.js'
import { type Shape, shapeFault } from './stored.js'

export type { JobKind, JobRecord, JobState }

/** A shop: a profile, and its seller where the profile names one. */
export interface ShopKey {
  readonly profile: string
  readonly userId: number | null
}

export interface NewJob {
  kind: JobKind
  profile: string
  userId?: number | null | undefined
  title: string
  counts?: Readonly<Partial<JobCounts>>
  /** Any JSON value, for the engine of this kind of job. */
  detail?: unknown
  undoOf?: number | null | undefined
  /** The job that it is a part of. */
  partOf?: number | null | undefined
}

interface JobChange {
  state?: JobState
  /** null removes it. */
  message?: string | null
  counts?: Readonly<Partial<JobCounts>>
}

/** A job that this process has locked; `beat` throws `job_lock_lost`. */
export type JobLock = Lease

export interface JobFilter {
  kind?: JobKind | readonly JobKind[] | undefined
  state?: JobState | readonly JobState[] | undefined
  profile?: string | undefined
  /** Without the jobs of other sellers; null for those of all. */
  userId?: number | null | undefined
  /** ms since 1970: created then or later. */
  since?: number | undefined
  /** Only the parts of this job, or only jobs that are no parts. */
  partOf?: number | null | undefined
  limit?: number | undefined
}

/** A row as it is stored: times are ms since 1970. */
interface Stored extends Omit<JobRecord, 'Counts' | 'CreatedAt' | 'FinishedAt' | 'Running'> {
  Counts: string
  CreatedAt: number
  FinishedAt: number | null
  owner: string | null
  beat: number | null
}

const COLUMNS = `id AS JobId, kind AS Kind, profile AS Profile, user_id AS UserId, title AS Title, state AS State, message AS Message,
  counts AS Counts, undo_of AS UndoOf, (SELECT discount_id FROM discount_jobs WHERE job_id = jobs.id) AS DiscountId, part_of AS PartOf,
  created_at AS CreatedAt, finished_at AS FinishedAt, lock_owner AS owner, lock_beat AS beat`

/** The jobs of a ledger. */
export class Jobs {
  readonly #store: Store
  readonly #clock: Clock
  /** Jobs held by this process. By its owner text alone, it could lock its own job twice. */
  readonly #leases = new Map<number, JobLock>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  create({ kind, profile, userId, title, counts = {}, detail = null, undoOf, partOf }: NewJob): JobRecord {
    const { id } = this.#store.insert('jobs', {
      ...{ kind, profile, title, state: 'open', counts: JSON.stringify(counts), detail: JSON.stringify(detail) },
      ...{ user_id: userId, undo_of: undoOf, part_of: partOf, created_at: this.#clock.now() },
    })
    return this.show(id)
  }

  /** @throws JobsError code `job_not_found` */
  update(jobId: number, change: JobChange): JobRecord {
    return this.#change(jobId, change, null)
  }

  /** Like update, and sets FinishedAt. @throws JobsError code `job_not_found` */
  finish(jobId: number, change: JobChange & { state: JobState }): JobRecord {
    return this.#change(jobId, change, this.#clock.now())
  }

  #change(jobId: number, { counts, ...change }: JobChange, finishedAt: number | null): JobRecord {
    const columns = { ...change, counts: counts && JSON.stringify(counts) }
    const set = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
    if (this.#store.update('jobs', { ...set, finished_at: finishedAt }, { id: jobId }) === 0) throw notFound(jobId)
    return this.show(jobId)
  }

  /** @throws JobsError code `job_not_found` */
  show(jobId: number): JobRecord {
    return this.#record(this.#storedJob(jobId))
  }

  /** The detail that create stored. @throws JobsError code `job_not_found`; `job_unreadable` for one that has not the shape */
  detail<T extends object>(jobId: number, shape: Shape<T>): T {
    const row = this.#store.first<{ detail: string }>('SELECT detail FROM jobs WHERE id = ?', jobId)
    if (row === undefined) throw notFound(jobId)
    const detail: unknown = JSON.parse(row.detail)
    const fault = shapeFault(detail, shape)
    if (fault !== undefined) throw unreadable(jobId, fault.words)
    return detail as T
  }

  /** The newest first. */
  list(filter: JobFilter = {}): JobRecord[] {
    const { where, values } = conditions({
      'kind IN': filter.kind,
      'state IN': filter.state,
      'profile = ?': filter.profile,
      '(user_id IS NULL OR user_id = ?)': filter.userId ?? undefined,
      'part_of IS ?': filter.partOf,
      'created_at >= ?': filter.since,
    })
    return this.#store
      .all<Stored>(`SELECT ${COLUMNS} FROM jobs ${where} ORDER BY id DESC LIMIT ?`, ...values, filter.limit ?? -1)
      .map((row) => this.#record(row))
  }

  /**
   * Locks the job for this process, so that two never work on it at once. A job whose holder is dead is taken over.
   * @throws JobsError code `job_locked`, which names the holder; code `job_not_found`
   */
  lock(jobId: number): JobLock {
    const owner = thisProcess()
    this.#store.transaction(() => {
      const job = this.#storedJob(jobId)
      if (job.owner !== null && (this.#leases.has(jobId) || this.#lives(job))) throw locked(job, job.owner)
      this.#store.update('jobs', { lock_owner: owner, lock_beat: this.#clock.now() }, { id: jobId })
    })
    const mine = { id: jobId, lock_owner: owner }
    const lease = heldLease(this.#clock, {
      sureForMs: LEASE_BEAT_MS,
      renew: (now) => this.#store.update('jobs', { lock_beat: now }, mine) > 0,
      lost: () =>
        new JobsError(
          'job_lock_lost',
          `Job ${jobId} was taken over by another process.`,
          say`See it with: ${run('jobs:show', { id: jobId })}. What this process sent is recorded.`,
          { jobId },
        ),
      release: () => {
        this.#leases.delete(jobId)
        this.#store.update('jobs', { lock_owner: null, lock_beat: null }, mine)
      },
    })
    this.#leases.set(jobId, lease)
    return lease
  }

  /** Does work while the job is locked, as by `lock`. */
  whileLocked<T>(jobId: number, work: () => T): T {
    const lock = this.lock(jobId)
    try {
      return work()
    } finally {
      lock.release()
    }
  }

  /** Who holds a job that this process does not hold, in words, and when it last said so, ms since 1970; undefined for nobody. */
  holder(jobId: number): { readonly words: string; readonly at: number } | undefined {
    const { owner, beat } = this.#storedJob(jobId)
    return owner === null || this.#leases.has(jobId) ? undefined : { words: ownerWords(owner), at: beat ?? 0 }
  }

  /**
   * Takes a job, and its parts, from a holder that cannot be judged.
   * @throws JobsError code `job_locked` where it is at work on this machine
   */
  takeOver(jobId: number): void {
    this.#store.transaction(() => {
      const parts = this.#store.all<{ id: number }>('SELECT id FROM jobs WHERE id = ?1 OR part_of = ?1', jobId)
      for (const { id } of parts) {
        const job = this.#storedJob(id)
        if (job.owner !== null && isSurelyAlive(job.owner)) throw locked(job, job.owner)
        this.#store.update('jobs', { lock_owner: null, lock_beat: null }, { id })
      }
    })
  }

  /** True if the job, or the one that it is a part of, was open in a copy of the ledger when that was restored. */
  isRestored(jobId: number): boolean {
    const sql = 'SELECT 1 FROM restored_jobs r JOIN jobs j ON r.job_id IN (j.id, j.part_of) WHERE j.id = ? LIMIT 1'
    return this.#store.first(sql, jobId) !== undefined
  }

  /** The seller has decided on a job that was open in a restored copy. */
  endRestored(jobId: number): void {
    this.#store.run('DELETE FROM restored_jobs WHERE job_id = ?', jobId)
  }

  /** Releases the locks that this process still holds. */
  close(): void {
    for (const lock of [...this.#leases.values()]) lock.release()
  }

  #lives({ JobId, owner, beat }: Stored): boolean {
    // Another ledger of this process may hold it.
    const own = this.#leases.has(JobId) ? 'alive' : 'unknowable'
    const silentMs = this.#clock.now() - (beat ?? 0)
    return owner !== null && isAtWork(owner, { silentMs, patienceMs: LEASE_DEAD_AFTER_MS, own })
  }

  #storedJob(jobId: number): Stored {
    const job = this.#store.first<Stored>(`SELECT ${COLUMNS} FROM jobs WHERE id = ?`, jobId)
    if (job === undefined) throw notFound(jobId)
    return job
  }

  #record(row: Stored): JobRecord {
    const { owner: _, beat: __, ...record } = row
    return {
      ...record,
      Counts: readCounts(row.Counts),
      CreatedAt: isoOf(row.CreatedAt),
      FinishedAt: isoOrNull(row.FinishedAt),
      Running: this.#lives(row),
    }
  }
}

function notFound(jobId: number): JobsError {
  return new JobsError('job_not_found', `There is no job ${jobId} in the ledger.`, say`See all jobs with: ${run('jobs:list')}`, {
    jobId,
  })
}

function locked({ JobId, Title }: Stored, text: string): JobsError {
  const owner = readOwner(text)
  const isHere = text === thisProcess() || isSurelyAlive(text)
  return new JobsError(
    'job_locked',
    `Job ${JobId} ("${Title}") is in use by ${ownerWords(text)}.`,
    isHere
      ? 'Wait until that process has ended. If it hangs, stop it: the job can then be resumed at once.'
      : say`Whether that process still runs is not known here. If it does not, take the job over with: ${run('jobs:resume', { id: JobId, '--take-over': true })}`,
    { jobId: JobId, ...(owner === undefined ? {} : { pid: owner.pid, host: owner.host }) },
  )
}

function unreadable(jobId: number, words: string): JobsError {
  return new JobsError(
    'job_unreadable',
    `Job ${jobId} cannot be read: ${words}. Another version of seller wrote it.`,
    say`Continue with the version that made it, or drop it with: ${run('jobs:drop', { id: jobId })}`,
    { jobId },
  )
}
