/** Jobs: work of several steps or rows that outlives the process that began it. */

import type { JobCounts, JobKind, JobRecord, JobState } from '../../contract/jobs.js'
import type { Clock } from '../../soap/client/index.js'
import { isAtWork, readOwner, thisProcess } from '../../system/process-owner.js'
import type { SqlValue, Store } from '../../system/sqlite.js'
import { isoOf, isoOrNull } from '../../system/time.js'
import { conditions, listOf } from './conditions.js'
import { readCounts } from './counts.js'
import { JobsError } from './errors.js'
import { heldLease, LEASE_BEAT_MS, LEASE_DEAD_AFTER_MS, type Lease } from './lease.js'

export type { JobKind, JobRecord, JobState }

export interface NewJob {
  kind: JobKind
  profile: string
  userId?: number | null
  title: string
  counts?: Readonly<Partial<JobCounts>>
  /** Any JSON value, for the engine of this kind of job. */
  detail?: unknown
  undoOf?: number | null
  /** The job that it is a part of. */
  partOf?: number | null
}

interface JobChange {
  state?: JobState
  /** null removes it. */
  message?: string | null
  counts?: Readonly<Partial<JobCounts>>
  detail?: unknown
}

/** A job that this process has locked; `beat` throws `job_lock_lost`. */
export interface JobLock extends Lease {
  readonly jobId: number
}

export interface JobFilter {
  kind?: JobKind | readonly JobKind[]
  state?: JobState | readonly JobState[]
  profile?: string
  /** ms since 1970: created then or later. */
  since?: number
  /** Only the parts of this job, or only jobs that are no parts. */
  partOf?: number | null
  limit?: number
}

export interface Jobs {
  create(job: NewJob): JobRecord
  /**
   * Locks the job for this process, so that two never work on it at once. A job whose holder is dead is taken over.
   * @throws JobsError code `job_locked`, which names the holder; code `job_not_found`
   */
  lock(jobId: number): JobLock
  /** @throws JobsError code `job_not_found` */
  update(jobId: number, change: JobChange): JobRecord
  /** Like update, and sets FinishedAt. @throws JobsError code `job_not_found` */
  finish(jobId: number, change: JobChange & { state: JobState }): JobRecord
  /** @throws JobsError code `job_not_found` */
  show(jobId: number): JobRecord
  /** The detail that create or update stored. @throws JobsError code `job_not_found` */
  detail<T>(jobId: number): T
  /** The newest first. */
  list(filter?: JobFilter): JobRecord[]
  /** Releases the locks that this process still holds. */
  close(): void
}

const COLUMNS = `id, kind, profile, user_id, title, state, message, counts, undo_of, created_at, finished_at, lock_owner, lock_beat, part_of,
  (SELECT discount_id FROM discount_jobs WHERE job_id = jobs.id) AS discount_id`

interface Stored {
  id: number
  kind: JobKind
  profile: string
  user_id: number | null
  title: string
  state: JobState
  message: string | null
  counts: string
  undo_of: number | null
  created_at: number
  finished_at: number | null
  lock_owner: string | null
  lock_beat: number | null
  discount_id: number | null
  part_of: number | null
}

/** The jobs of a ledger. */
export function openJobs(store: Store, clock: Clock): Jobs {
  return new JobTable(store, clock)
}

class JobTable implements Jobs {
  readonly #store: Store
  readonly #clock: Clock
  /** Jobs held by this process. By its owner text alone, it could lock its own job twice. */
  readonly #held = new Map<number, JobLock>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  create(job: NewJob): JobRecord {
    const { id } = this.#store.run(
      `INSERT INTO jobs (kind, profile, user_id, title, state, counts, detail, undo_of, part_of, created_at)
       VALUES (?, ?, ?, ?, 'open', ?, ?, ?, ?, ?)`,
      job.kind,
      job.profile,
      job.userId ?? null,
      job.title,
      JSON.stringify(job.counts ?? {}),
      JSON.stringify(job.detail ?? null),
      job.undoOf ?? null,
      job.partOf ?? null,
      this.#clock.now(),
    )
    return this.show(id)
  }

  update(jobId: number, change: JobChange): JobRecord {
    return this.#change(jobId, change, null)
  }

  finish(jobId: number, change: JobChange & { state: JobState }): JobRecord {
    return this.#change(jobId, change, this.#clock.now())
  }

  #change(jobId: number, change: JobChange, finishedAt: number | null): JobRecord {
    const set: string[] = ['finished_at = ?']
    const values: SqlValue[] = [finishedAt]
    const put = (column: string, value: SqlValue | undefined) => {
      if (value === undefined) return
      set.push(`${column} = ?`)
      values.push(value)
    }
    put('state', change.state)
    put('message', change.message)
    put('counts', change.counts === undefined ? undefined : JSON.stringify(change.counts))
    put('detail', change.detail === undefined ? undefined : JSON.stringify(change.detail))
    const { changes } = this.#store.run(`UPDATE jobs SET ${set.join(', ')} WHERE id = ?`, ...values, jobId)
    if (changes === 0) throw notFound(jobId)
    return this.show(jobId)
  }

  show(jobId: number): JobRecord {
    return this.#record(this.#stored(jobId))
  }

  detail<T>(jobId: number): T {
    const row = this.#store.first<{ detail: string }>('SELECT detail FROM jobs WHERE id = ?', jobId)
    if (row === undefined) throw notFound(jobId)
    return JSON.parse(row.detail) as T
  }

  list(filter: JobFilter = {}): JobRecord[] {
    const { where, values } = conditions({
      'kind IN': listOf(filter.kind),
      'state IN': listOf(filter.state),
      'profile = ?': filter.profile,
      'part_of IS ?': filter.partOf,
      'created_at >= ?': filter.since,
    })
    return this.#store
      .all<Stored>(`SELECT ${COLUMNS} FROM jobs ${where} ORDER BY id DESC LIMIT ?`, ...values, filter.limit ?? -1)
      .map((stored) => this.#record(stored))
  }

  lock(jobId: number): JobLock {
    const owner = thisProcess()
    this.#store.transaction(() => {
      const stored = this.#stored(jobId)
      if (stored.lock_owner !== null && (this.#held.has(jobId) || this.#lives(stored))) throw locked(stored, stored.lock_owner)
      this.#store.run('UPDATE jobs SET lock_owner = ?, lock_beat = ? WHERE id = ?', owner, this.#clock.now(), jobId)
    })
    const lock = this.#holding(jobId, owner)
    this.#held.set(jobId, lock)
    return lock
  }

  #holding(jobId: number, owner: string): JobLock {
    const store = this.#store
    const lease = heldLease(this.#clock, {
      sureForMs: LEASE_BEAT_MS,
      renew: (now) => store.run('UPDATE jobs SET lock_beat = ? WHERE id = ? AND lock_owner = ?', now, jobId, owner).changes > 0,
      lost: () =>
        new JobsError(
          'job_lock_lost',
          `Job ${jobId} was taken over by another process.`,
          `See it with: seller jobs:show ${jobId}. What this process sent is recorded.`,
          { jobId },
        ),
      release: () => {
        this.#held.delete(jobId)
        store.run('UPDATE jobs SET lock_owner = NULL, lock_beat = NULL WHERE id = ? AND lock_owner = ?', jobId, owner)
      },
    })
    return { jobId, ...lease }
  }

  close(): void {
    for (const lock of [...this.#held.values()]) lock.release()
  }

  #lives(stored: Stored): boolean {
    if (stored.lock_owner === null) return false
    // Another ledger of this process may hold it.
    const own = this.#held.has(stored.id) ? 'alive' : 'unknowable'
    const silentMs = this.#clock.now() - (stored.lock_beat ?? 0)
    return isAtWork(stored.lock_owner, { silentMs, patienceMs: LEASE_DEAD_AFTER_MS, own })
  }

  #stored(jobId: number): Stored {
    const stored = this.#store.first<Stored>(`SELECT ${COLUMNS} FROM jobs WHERE id = ?`, jobId)
    if (stored === undefined) throw notFound(jobId)
    return stored
  }

  #record(stored: Stored): JobRecord {
    return {
      JobId: stored.id,
      Kind: stored.kind,
      Profile: stored.profile,
      UserId: stored.user_id,
      Title: stored.title,
      State: stored.state,
      Message: stored.message,
      Counts: readCounts(stored.counts),
      UndoOf: stored.undo_of,
      DiscountId: stored.discount_id,
      PartOf: stored.part_of,
      CreatedAt: isoOf(stored.created_at),
      FinishedAt: isoOrNull(stored.finished_at),
      Running: this.#lives(stored),
    }
  }
}

function notFound(jobId: number): JobsError {
  return new JobsError('job_not_found', `There is no job ${jobId} in the ledger.`, 'See all jobs with: seller jobs:list', {
    jobId,
  })
}

function locked(stored: Stored, text: string): JobsError {
  const owner = readOwner(text)
  const who = owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}`
  return new JobsError(
    'job_locked',
    `Job ${stored.id} ("${stored.title}") is in use by ${who}.`,
    'Wait until that process has ended. If it hangs, stop it: the job can then be resumed at once.',
    { jobId: stored.id, ...(owner === undefined ? {} : { pid: owner.pid, host: owner.host }) },
  )
}
