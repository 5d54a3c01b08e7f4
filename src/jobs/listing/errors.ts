/** What a listing says when it cannot go on by itself. */
import { JobsError } from '../ledger/errors.js'
import type { ListingRecord } from './listing.js'
import type { ListingStep } from './steps.js'

/** AddItem went out and its answer is lost. */
export function chooseForItem(jobId: number, step: ListingStep, cause?: unknown): JobsError {
  const when = step.StartedAt === null ? '' : `, sent ${step.StartedAt}`
  return new JobsError(
    'item_outcome_unknown',
    `Whether the service took the item "${step.Subject}"${when} is unknown: its answer was lost. It is not sent again by itself.`,
    `It was sent to be committed later, so it is not on sale; see items:list for its title and time. ` +
      `jobs:resume ${jobId} --send-again sends it once more: the first request stays uncommitted. ` +
      `If you know its request id, jobs:resume ${jobId} --request-id ID goes on with that one.`,
    { jobId, step: step.Step, title: step.Subject, sentAt: step.StartedAt },
    cause,
  )
}

/** An image went out and its answer is lost; the service cannot be asked which images an uncommitted request has. */
export function chooseForImage(jobId: number, step: ListingStep, cause?: unknown): JobsError {
  return new JobsError(
    'image_outcome_unknown',
    `Whether the image "${step.Subject}" arrived is unknown: its answer was lost. It is not sent again by itself, and the item is not committed.`,
    `The service cannot be asked for the images of an uncommitted item. jobs:resume ${jobId} --assume-sent goes on as if it had arrived ` +
      `(it may be missing); jobs:resume ${jobId} --send-again sends it once more (it may be there twice).`,
    { jobId, step: step.Step, path: step.Subject, sentAt: step.StartedAt },
    cause,
  )
}

/** The message of a job whose AddItem the service refused. */
export function itemWasRefused(reason: string): string {
  return `The item was refused, nothing was queued: ${reason}`
}

/** A failed or cancelled job cannot be resumed. */
export function jobIsOver(job: ListingRecord): JobsError {
  const why = job.Message === null ? '' : ` ${job.Message}`
  return new JobsError(
    'job_over',
    `Job ${job.JobId} ("${job.Title}") is over (${job.State}) and cannot be resumed.${why}`,
    job.State === 'cancelled'
      ? 'You dropped it. Add the item anew with items:add.'
      : 'Correct what was refused and add the item anew with items:add.',
    { jobId: job.JobId, state: job.State },
  )
}

export function wrongProfile(jobId: number, own: string, given: string): JobsError {
  return new JobsError(
    'wrong_profile',
    `Job ${jobId} belongs to the profile "${own}", not to "${given}".`,
    `Run it with --profile ${own}.`,
    { jobId, profile: own },
  )
}
