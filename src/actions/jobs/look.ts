/** Looks once at rows that are queued according to the ledger. Most are done by now, but only the service knows. */
import type { Context } from '../../cli/context.js'
import { type BulkJob, type BulkKind, bulkJob, runBulkJob } from '../../jobs/bulk/index.js'
import { type JobRecord, JobsError } from '../../jobs/index.js'
import type { SoapClient } from '../../soap/client/index.js'

/**
 * Asks once for the results of a job's queued rows, and writes them to the ledger. A job that still has rows to send, runs now or
 * was dropped is left alone, because a run would send them.
 * @returns the number of calls made
 * @throws what the client throws
 */
export async function lookAtQueued(ctx: Context, client: SoapClient, job: BulkJob): Promise<number> {
  const { unsent, sending, queued } = job.Counts
  if (queued === 0 || unsent + sending > 0 || job.State === 'cancelled' || job.Running) return 0
  const run = { ledger: await ctx.ledger(), client, clock: ctx.clock, jobId: job.JobId, signal: ctx.signal }
  try {
    const { calls, stop, error } = await runBulkJob(run)
    if (stop !== null) throw error
    return calls
  } catch (error) {
    // Another process has taken it since `job` was read, perhaps for a look of its own.
    if (error instanceof JobsError && error.code === 'job_locked') return 0
    throw error
  }
}

/**
 * Asks for the results of all jobs of some kinds that have queued rows; of price jobs by default, because only confirmed prices count.
 * @returns the number of calls made
 */
export async function lookAtAllQueued(ctx: Context, kind: readonly BulkKind[] = ['price']): Promise<number> {
  const ledger = await ctx.ledger()
  const { name: profile, settings } = ctx.profile
  const isOurs = ({ UserId, Running }: JobRecord): boolean =>
    !Running && (UserId === null || settings.user_id === undefined || UserId === settings.user_id)
  let looks = 0
  for (const { JobId } of ledger.jobs.list({ profile, kind, state: ['open', 'waiting'] }).filter(isOurs)) {
    const job = bulkJob(ledger, JobId)
    if (job.Counts.queued > 0) looks += await lookAtQueued(ctx, await ctx.client(), job)
  }
  return looks
}
