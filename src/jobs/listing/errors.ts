/** Errors of a listing that cannot continue by itself. */
import { minuteOf } from '../../contract/index.js'
import { JobsError } from '../ledger/errors.js'
import type { ListingRecord } from './listing.js'
import type { ListingStep } from './steps.js'

/** AddItem was sent and its answer was lost. */
export function chooseForItem(jobId: number, step: ListingStep): JobsError {
  const when = step.StartedAt === null ? '' : `, sent ${minuteOf(Date.parse(step.StartedAt))},`
  return new JobsError(
    'item_outcome_unknown',
    `Whether the service took the item "${step.Subject}"${when} is unknown, because the reply was lost. It is not sent again automatically.`,
    `It was sent uncommitted, so it should not be on sale; check with: seller items:list. Send it again with: seller jobs:resume ${jobId} --send-again. ` +
      `The first request then stays uncommitted. ` +
      `If you know its request id: seller jobs:resume ${jobId} --request-id ID.`,
    { jobId, step: step.Step, title: step.Subject, sentAt: step.StartedAt },
  )
}

/** An image was sent and its answer was lost. The service cannot tell which images an uncommitted request has. */
export function chooseForImage(jobId: number, step: ListingStep): JobsError {
  return new JobsError(
    'image_outcome_unknown',
    `Whether the image "${step.Subject}" arrived is unknown, because the reply was lost. It is not sent again automatically, and the item is not committed.`,
    `The service does not show the images of an uncommitted item. Continue as if it arrived (it may be missing): ` +
      `seller jobs:resume ${jobId} --assume-sent. Send it again (it may be there twice): seller jobs:resume ${jobId} --send-again.`,
    { jobId, step: step.Step, path: step.Subject, sentAt: step.StartedAt },
  )
}

/** A failed or cancelled job cannot be resumed. */
export function jobIsOver(job: ListingRecord): JobsError {
  const why = job.Message === null ? '' : ` ${job.Message}`
  return new JobsError(
    'job_over',
    `Job ${job.JobId} ("${job.Title}") is over (${job.State}) and cannot be resumed.${why}`,
    job.State === 'cancelled'
      ? 'You dropped it. Add the item again with: seller items:add'
      : 'Correct what was refused and add the item again with: seller items:add',
    { jobId: job.JobId, state: job.State },
  )
}
