/** Drops a job: nothing more of it is ever sent. What was sent stays as it is, and stays in the ledger. */
import { JobsError } from '../ledger/errors.js'
import type { JobRecord, JobState } from '../ledger/jobs.js'
import type { Ledger } from '../ledger/ledger.js'
import { readSteps } from '../listing/steps.js'
import { countsOf } from './journal.js'
import { countsOfParts, hasParts } from './outcome.js'
import { isBulkKind } from './show.js'

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
  if (isBulkKind(Kind) || hasParts(Kind)) {
    const { sending, unknown, queued } = hasParts(Kind) ? countsOfParts(ledger, jobId) : countsOf(ledger, jobId)
    return { unknown: sending + unknown, queued }
  }
  const steps = readSteps(ledger.store, jobId)
  return {
    unknown: steps.filter((step) => step.State === 'sending' || step.State === 'unknown').length,
    queued: State === 'waiting' ? 1 : 0,
  }
}

/**
 * Ends an unfinished job as `cancelled`. It is never resumed, and what was not sent is never sent.
 * @param certain drop it even if something of it is under way
 * @throws JobsError codes `job_locked` while a process works on it, `job_over` if it is finished, `job_in_flight` without
 * `certain`, `job_not_found`
 */
export function dropJob(ledger: Ledger, jobId: number, { certain }: { certain: boolean }): JobRecord {
  const lock = ledger.jobs.lock(jobId)
  try {
    const job = ledger.jobs.show(jobId)
    if (!UNFINISHED.includes(job.State)) {
      throw new JobsError(
        'job_over',
        `Job ${jobId} ("${job.Title}") is already finished (${job.State}), so there is nothing to drop.`,
        `See its outcome with: seller jobs:show ${jobId}`,
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
        `See them with: seller jobs:show ${jobId}. Drop it anyway with: seller jobs:drop ${jobId} --yes`,
        { jobId, unknown, queued },
      )
    }
    ledger.store.transaction(() => {
      const counts = hasParts(job.Kind)
        ? countsOfParts(ledger, jobId)
        : isBulkKind(job.Kind)
          ? { ...countsOf(ledger, jobId) }
          : job.Counts
      ledger.jobs.finish(jobId, { state: 'cancelled', counts, message: job.Message })
      // Under the lock of the whole, nobody works on a part.
      for (const part of hasParts(job.Kind) ? ledger.jobs.list({ partOf: jobId, state: UNFINISHED }) : []) {
        ledger.jobs.finish(part.JobId, { state: 'cancelled', counts: countsOf(ledger, part.JobId) })
      }
    })
  } finally {
    lock.release()
  }
  return ledger.jobs.show(jobId)
}

/** Refuses to run a dropped job. */
export function refuseDropped({ JobId, Title, State }: JobRecord): void {
  if (State !== 'cancelled') return
  throw new JobsError(
    'job_over',
    `Job ${JobId} ("${Title}") was dropped and cannot be resumed.`,
    `See what it did not send with: seller jobs:show ${JobId}. Send that as a new job.`,
    { jobId: JobId, state: State },
  )
}
