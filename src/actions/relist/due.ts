/** jobs:due: sends the auctions whose time has come, of jobs that spread their starts. */
import type { Context } from '../../cli/context.js'
import { nextStart } from '../../jobs/bulk/index.js'
import type { JobRecord } from '../../jobs/index.js'
import { isoOf } from '../../system/time.js'
import type { DueFlags, DueReport } from '../discounts/due.js'
import { unfinishedJobs } from '../jobs/list.js'
import { recheckOf } from '../jobs/recheck.js'
import { runJob } from '../jobs/run.js'

/** Sends what is due. A job that another process works on is left to it. */
export async function sendDueRelists(ctx: Context, flags: DueFlags, report: DueReport): Promise<void> {
  const ledger = await ctx.ledger()
  for (const job of unfinishedJobs(ctx, ledger).reverse()) {
    const start = job.Kind === 'relist' && !job.Running ? nextStart(ledger, job.JobId) : undefined
    // What was to be sent at once is the seller's to resume.
    if (start === undefined || start === 0 || start > ctx.clock.now()) continue
    await report.attempt(async () => {
      const run = { Part: 'relist', JobId: job.JobId } as const
      if (flags['dry-run'] === true) {
        report.add({ ...run, State: 'due', DueAt: isoOf(start) })
        return
      }
      const client = await ctx.client()
      const recheck = (part: JobRecord) => recheckOf(ctx, client, ledger, part, flags)
      const end = await runJob(ctx, client, { jobId: job.JobId, flags, recheck })
      report.add({ ...run, State: end.job.State, Counts: end.job.Counts }, end.code)
    })
  }
}
