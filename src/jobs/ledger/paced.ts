/**
 * Jobs that send so many calls a day, and how far each has come. Their other rows wait in the ledger, and jobs:due goes on with
 * them. Paced jobs of one shop share the day: each sends only while all of them together have made fewer calls than it may.
 */
import { DAY_MS } from '../../system/durations.js'
import type { JobRecord } from './jobs.js'
import type { Ledger } from './ledger.js'

/** A paced job as it is stored. Times are ms since 1970. */
interface StoredPace {
  readonly job_id: number
  readonly per_day: number
  /** Calls since the last pause of a day. */
  readonly sent: number
  readonly last_at: number | null
  /** Not to be tried before then, because the service or a budget has refused more. */
  readonly not_before: number | null
}

/** The pace of a job now. */
export interface Pace {
  readonly perDay: number
  /** Calls that it may still make. */
  readonly left: number
  /** When it goes on, ms since 1970; past where it may at once. */
  readonly nextAt: number
}

type Kept = Pick<Ledger, 'store' | 'clock' | 'jobs'>

/** The id under which the pace of a job is kept: that of the whole, where it is a part. */
function wholeJobId({ jobs }: Pick<Kept, 'jobs'>, jobId: number): number {
  return jobs.show(jobId).PartOf ?? jobId
}

function stored({ store }: Pick<Kept, 'store'>, jobId: number): StoredPace | undefined {
  return store.first<StoredPace>('SELECT job_id, per_day, sent, last_at, not_before FROM paced_jobs WHERE job_id = ?', jobId)
}

/** Gives a job a pace, in the transaction that writes it or later. @param perDay null ends its pace */
export function setPace({ store }: Pick<Kept, 'store'>, jobId: number, perDay: number | null): void {
  if (perDay === null) store.run('DELETE FROM paced_jobs WHERE job_id = ?', jobId)
  else if (stored({ store }, jobId) === undefined) store.insert('paced_jobs', { job_id: jobId, per_day: perDay, sent: 0 })
  else store.update('paced_jobs', { per_day: perDay, not_before: null }, { job_id: jobId })
}

/** The pace of a job, or of the one that it is a part of; undefined for one that sends all at once. */
export function readPace(ledger: Kept, job: Pick<JobRecord, 'JobId' | 'PartOf' | 'CreatedAt'>): Pace | undefined {
  const own = stored(ledger, job.PartOf ?? job.JobId)
  if (own === undefined) return undefined
  const now = ledger.clock.now()
  const { calls, firstAt } = callsOfDay(ledger, own.job_id, now)
  const remaining = Math.max(0, own.per_day - calls)
  const since = own.last_at === null ? Date.parse(job.CreatedAt) : own.last_at
  const due = remaining > 0 ? since : firstAt + DAY_MS
  return { perDay: own.per_day, left: remaining, nextAt: Math.max(own.not_before ?? 0, due) }
}

/** Calls that the paced jobs of a shop made within a day, and when the first of these jobs stopped. */
function callsOfDay({ store }: Pick<Kept, 'store'>, jobId: number, now: number): { calls: number; firstAt: number } {
  const [[calls, firstAt] = [0, 0]] = store.rows<[number, number]>(
    `SELECT coalesce(sum(p.sent), 0), coalesce(min(p.last_at), 0) FROM paced_jobs p JOIN jobs j ON j.id = p.job_id
     JOIN jobs own ON own.id = ?1 AND own.profile = j.profile AND own.user_id IS j.user_id WHERE p.last_at > ?2`,
    jobId,
    now - DAY_MS,
  )
  return { calls, firstAt }
}

/**
 * Brings the times of a shop's paced jobs back to now, where the clock was ahead when they were written: the pause of a day then
 * begins now, so that nothing is sent early and nothing waits for a year.
 */
export function settleClock({ store, clock }: Pick<Kept, 'store' | 'clock'>): void {
  const now = clock.now()
  store.run('UPDATE paced_jobs SET last_at = ?1 WHERE last_at > ?1', now)
  store.run('UPDATE paced_jobs SET not_before = ?1 WHERE not_before > ?1', now + DAY_MS)
}

/** Sets when a job is tried again, ms since 1970; null for as soon as its pace allows. */
export function postpone({ store }: Pick<Kept, 'store'>, jobId: number, notBefore: number | null): void {
  store.run('UPDATE paced_jobs SET not_before = ? WHERE job_id = ?', notBefore, jobId)
}

/**
 * Counts the calls of one run of a job, which must be locked. What was taken is in the ledger before the call is made: `save`.
 */
export class PaceMeter {
  readonly #ledger: Kept
  readonly #jobId: number
  #takenToday = 0
  #remaining: number

  /** Use `of`. */
  constructor(ledger: Kept, jobId: number, remaining: number) {
    this.#ledger = ledger
    this.#jobId = jobId
    this.#remaining = remaining
  }

  /** Undefined for a job that sends all at once. */
  static of(ledger: Kept, jobId: number): PaceMeter | undefined {
    const whole = wholeJobId(ledger, jobId)
    const pace = readPace(ledger, ledger.jobs.show(whole))
    return pace === undefined ? undefined : new PaceMeter(ledger, whole, pace.left)
  }

  /** Takes a call. @returns false if the day has no more */
  take(): boolean {
    if (this.#remaining <= 0) return false
    this.#remaining--
    this.#takenToday++
    return true
  }

  /** Gives a call back that was not made. */
  giveBack(): void {
    this.#remaining++
    this.#takenToday--
  }

  /** Writes what was taken, in a transaction of the caller. */
  save(): void {
    if (this.#takenToday === 0) return
    const now = this.#ledger.clock.now()
    this.#ledger.store.run(
      `UPDATE paced_jobs SET sent = max(0, ?1 + CASE WHEN last_at > ?2 THEN sent ELSE 0 END), last_at = ?3 WHERE job_id = ?4`,
      this.#takenToday,
      now - DAY_MS,
      now,
      this.#jobId,
    )
    this.#takenToday = 0
  }
}
