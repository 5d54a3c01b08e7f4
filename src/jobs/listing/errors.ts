/** Errors of a listing that cannot continue by itself. */

import { minuteOf, sentence } from '../../contract/index.js'
import { blank, joined, run, say } from '../../messages/index.js'
import { JobsError } from '../ledger/errors.js'
import type { ListingRecord } from './listing.js'
import type { ListingStep } from './steps.js'

/** AddItem was sent and its answer was lost. */
export function chooseForItem(jobId: number, step: ListingStep): JobsError {
  const sentNote = step.StartedAt === null ? '' : `, sent ${minuteOf(Date.parse(step.StartedAt))},`
  return new JobsError(
    'item_outcome_unknown',
    `Whether the service took the item "${step.Subject}"${sentNote} is unknown, because the reply was lost. It is not sent again automatically.`,
    joined([
      say`It was sent uncommitted, so it should not be on sale; check with: ${run('items:list')}.`,
      say`Send it again with: ${run('jobs:resume', { id: jobId, '--unknown': 'again' })}. The first request then stays uncommitted.`,
      say`If you know its request id: ${run('jobs:resume', { id: jobId, '--request-id': blank('ID') })}.`,
    ]),
    { jobId, step: step.Step, title: step.Subject, sentAt: step.StartedAt },
  )
}

/** An image was sent and its answer was lost. The service cannot tell which images an uncommitted request has. */
export function chooseForImage(jobId: number, step: ListingStep): JobsError {
  return new JobsError(
    'image_outcome_unknown',
    `Whether the image "${step.Subject}" arrived is unknown, because the reply was lost. It is not sent again automatically, and the item is not committed.`,
    joined([
      'The service does not show the images of an uncommitted item.',
      say`Continue as if it arrived (it may be missing): ${run('jobs:resume', { id: jobId, '--unknown': 'sent' })}.`,
      say`Send it again (it may be there twice): ${run('jobs:resume', { id: jobId, '--unknown': 'again' })}.`,
    ]),
    { jobId, step: step.Step, path: step.Subject, sentAt: step.StartedAt },
  )
}

/** A failed or cancelled job cannot be resumed. */
export function jobIsOver(job: ListingRecord): JobsError {
  const why = job.Message === null ? '' : ` ${sentence(job.Message)}`
  return new JobsError(
    'job_over',
    `Job ${job.JobId} ("${job.Title}") is over (${job.State}) and cannot be resumed.${why}`,
    job.State === 'cancelled'
      ? say`You dropped it. Add the item again with: ${run('items:add')}`
      : say`Correct what was refused and add the item again with: ${run('items:add')}`,
    { jobId: job.JobId, state: job.State },
  )
}
