/** jobs:due: sends the auctions whose time has come, of jobs that spread their starts. */
import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, type SellerError, worseExitCode } from '../../cli/errors.js'
import { toSellerError } from '../../cli/translate.js'
import type { DueRun } from '../../format/views/index.js'
import { nextStart } from '../../jobs/bulk/index.js'
import type { JobRecord } from '../../jobs/index.js'
import { isoOf } from '../../system/time.js'
import type { DueEnd, DueFlags } from '../discounts/due.js'
import { unfinishedJobs } from '../jobs/list.js'
import { recheckOf } from '../jobs/recheck.js'
import { runJob } from '../jobs/run.js'

/**
 * Sends what is due. A job that another process works on is left to it.
 * @returns what was done; `error` is what stopped it
 */
export async function sendDueRelists(ctx: Context, flags: DueFlags): Promise<DueEnd> {
  const ledger = await ctx.ledger()
  const runs: DueRun[] = []
  let code: ExitCode = EXIT.ok
  let error: SellerError | undefined
  for (const job of unfinishedJobs(ctx, ledger).reverse()) {
    const start = job.Kind === 'relist' && !job.Running ? nextStart(ledger, job.JobId) : undefined
    // What was to be sent at once is the seller's to resume.
    if (start === undefined || start === 0 || start > ctx.clock.now() || error !== undefined) continue
    if (flags['dry-run'] === true) {
      runs.push({ ...relistRun(job), State: 'due', Counts: null, DueAt: isoOf(start) })
      continue
    }
    try {
      const client = await ctx.client()
      const recheck = (part: JobRecord) => recheckOf(ctx, client, ledger, part, flags)
      const end = await runJob(ctx, client, { jobId: job.JobId, flags, recheck })
      runs.push({ ...relistRun(end.job), DueAt: null })
      code = worseExitCode(code, end.code)
    } catch (thrown) {
      error = toSellerError(thrown)
    }
  }
  return error === undefined
    ? { runs, code }
    : { runs, code, error: error.with({ exitCode: worseExitCode(code, error.exitCode) }) }
}

function relistRun({ JobId, State, Counts }: JobRecord): Omit<DueRun, 'DueAt'> {
  return { DiscountId: null, Discount: null, Part: 'relist', JobId, State, Counts }
}
