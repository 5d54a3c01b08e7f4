/** jobs:drop: drops a job, and asks first if something of it is under way. */

import type { Context } from '../../cli/context.js'
import { minuteOf, type ShownJob } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import { countWords } from '../../format/views/columns.js'
import { dropJob, inFlight } from '../../jobs/bulk/index.js'
import { run, say } from '../../messages/index.js'
import { shownJob } from './list.js'
import { refuseOtherShop } from './run.js'

/**
 * @param yes the answer to the question, if it was given in advance
 * @returns the job after it was dropped
 * @throws {SellerError} usage for another profile's job; guard (6) without a yes; what dropJob throws
 */
export async function confirmAndDrop(ctx: Context, jobId: number, yes: boolean | undefined): Promise<ShownJob> {
  const ledger = await ctx.ledger()
  const job = ledger.jobs.show(jobId)
  refuseOtherShop(ctx, job)
  if (job.PartOf !== null) throw partOfAnother(job.JobId, job.PartOf)
  const { unknown, queued } = inFlight(ledger, jobId)
  // A job that is finished or running is refused without a question.
  const ask = unknown + queued > 0 && job.FinishedAt === null && !job.Running
  if (ask) {
    const what = job.Kind !== 'listing' ? 'row' : 'step'
    const facts = [
      ...(unknown > 0 ? [`The outcome of ${countOf(unknown, what)} is unknown.`] : []),
      ...(queued > 0
        ? [`The service has queued ${countOf(queued, 'request')} and will carry ${queued === 1 ? 'it' : 'them'} out anyway.`]
        : []),
    ]
    if (yes !== true && ctx.prompts.available)
      ctx.prompts.show(
        `Job ${jobId}: ${job.Title}, of ${minuteOf(Date.parse(job.CreatedAt))}: ${countWords(shownJob(ledger, job).Counts) || 'nothing sent'}.`,
      )
    await ctx.prompts.confirm({ message: `${facts.join(' ')} Drop job ${jobId}?`, flag: '--yes', given: yes })
  }
  return shownJob(ledger, dropJob(ledger, jobId, { certain: ask || yes === true }))
}

function partOfAnother(jobId: number, whole: number): SellerError {
  return new SellerError(
    'job_of_another_kind',
    `Job ${jobId} is a part of job ${whole}, and is not dropped by itself.`,
    say`Drop the whole job with: ${run('jobs:drop', { id: whole })}`,
    { jobId, kind: 'part' },
  )
}
