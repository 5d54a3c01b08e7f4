/** Drops a job: nothing more of it is ever sent. What was sent stays as it is, and stays in the ledger. */
import { run, say } from '../../messages/index.js'
import { JobsError } from '../ledger/errors.js'
import type { JobRecord, JobState } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { countSteps, readSteps } from '../listing/steps.js'
import { countJobRows } from './journal.js'

/** The part of a job that is neither unsent nor done. */
export interface InFlight {
  /** Rows or steps whose outcome is unknown, including those that an ended process left in the middle of a call. */
  readonly unknown: number
  /** Rows, or the one request, that the service has queued. It carries them out whatever happens to the job. */
  readonly queued: number
}

/** States of a job that is not finished. */
const UNFINISHED: readonly JobState[] = ['open', 'waiting', 'unknown']

/** Counts what is under way in a job. @throws JobsError code `job_not_found` */
export function inFlight(ledger: Ledger, jobId: number): InFlight {
  const { Kind, State } = ledger.jobs.show(jobId)
  const counts = Kind === 'listing' ? countSteps(readSteps(ledger.store, jobId)) : countJobRows(ledger, jobId)
  const queuedCount = Kind === 'listing' && State === 'waiting' ? 1 : counts.queued
  return { unknown: counts.sending + counts.unknown, queued: queuedCount }
}

/**
 * Ends an unfinished job as `cancelled`. It is never resumed, and what was not sent is never sent.
 * @param certain drop it even if something of it is under way
 * @throws JobsError codes `job_locked` while a process works on it, `job_over` if it is finished, `job_in_flight` without
 * `certain`, `job_not_found`
 */
export function dropJob(ledger: Ledger, jobId: number, { certain }: { certain: boolean }): JobRecord {
  ledger.jobs.whileLocked(jobId, () => {
    const job = ledger.jobs.show(jobId)
    if (!UNFINISHED.includes(job.State)) {
      throw new JobsError(
        'job_over',
        `Job ${jobId} ("${job.Title}") is already finished (${job.State}), so there is nothing to drop.`,
        say`See its outcome with: ${run('jobs:show', { id: jobId })}`,
        {
          jobId,
          state: job.State,
        },
      )
    }
    const { unknown, queued } = inFlight(ledger, jobId)
    if (!certain && unknown + queued > 0) {
      throw new JobsError(
        'job_in_flight',
        `Job ${jobId} was not dropped, because parts of it are sent and not finished.`,
        say`See them with: ${run('jobs:show', { id: jobId })}. Drop it anyway with: ${run('jobs:drop', { id: jobId, '--yes': true })}`,
        { jobId, unknown, queued },
      )
    }
    ledger.store.transaction(() => {
      const counts = job.Kind === 'listing' ? job.Counts : countJobRows(ledger, jobId)
      ledger.jobs.finish(jobId, { state: 'cancelled', counts, message: job.Message })
      ledger.jobs.endRestored(jobId)
      // Under the lock of the whole, nobody works on a part.
      for (const part of ledger.jobs.list({ partOf: jobId, state: UNFINISHED })) {
        ledger.jobs.finish(part.JobId, { state: 'cancelled', counts: countJobRows(ledger, part.JobId) })
      }
    })
  })
  return ledger.jobs.show(jobId)
}

/** Refuses to run a dropped job. */
export function refuseDropped({ JobId, Title, State }: JobRecord): void {
  if (State !== 'cancelled') return
  throw new JobsError(
    'job_over',
    `Job ${JobId} ("${Title}") was dropped and cannot be resumed.`,
    say`See what it did not send with: ${run('jobs:show', { id: JobId })}. Send that as a new job.`,
    { jobId: JobId, state: State },
  )
}
