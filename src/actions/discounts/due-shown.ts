/** What jobs:due prints, of one shop and of several. */
import type { Context } from '../../cli/context.js'
import { EXIT } from '../../errors/index.js'
import type { Form } from '../../format/output/index.js'
import { dueView, type ShopEnd, shopsView } from '../../format/views/index.js'
import { nextStart } from '../../jobs/bulk/index.js'
import type { JobRecord } from '../../jobs/index.js'
import { isoOf } from '../../system/time.js'
import { unfinishedJobs } from '../jobs/list.js'
import { recheckOf } from '../jobs/look.js'
import { runJob } from '../jobs/run.js'
import { type Result, shownList } from '../result.js'
import { type DueFlags, DueReport, sendDue } from './due.js'

/** Forms in which nothing is a document too: an empty list. */
const DOCUMENTS: ReadonlySet<Form> = new Set(['json', 'yaml'])

/**
 * Sends what is due.
 * @returns what was done: nothing if nothing is due, or an empty list where the form is a document
 * @throws {SellerError} as sendDue
 */
export async function runDue(ctx: Context, flags: DueFlags): Promise<Result> {
  const report = new DueReport()
  await sendDue(ctx, flags, report)
  await sendDueRelists(ctx, flags, report)
  const { runs, code, error } = report
  const listed = runs.length > 0 || (error === undefined && DOCUMENTS.has(ctx.output.form))
  const words = runs.map(({ Part, Discount, JobId }) =>
    Part === 'relist' ? `auctions of job ${JobId}` : `${Part === 'missed' ? 'missed start' : Part} of "${Discount}"`,
  )
  return {
    shown: listed ? [shownList({ view: dueView, rows: () => runs })] : [],
    code,
    error,
    jobs: runs,
    waiting: runs.some(({ State }) => State === 'due'),
    message: words.length === 0 ? null : words.join(', '),
  }
}

/** A row for each shop in which something was due or went wrong; in json and yaml one for each shop. */
export async function writeDueShops({ output }: Context, ends: readonly ShopEnd[]): Promise<void> {
  const all = DOCUMENTS.has(output.form)
  const shown = all ? ends : ends.filter(({ Result, ExitCode }) => ExitCode !== EXIT.ok || isFilled(Result))
  if (all || shown.length > 0) await output.list(shopsView(), shown)
}

function isFilled(result: unknown): boolean {
  return Array.isArray(result) && result.length > 0
}

/** Sends what is due. A job that another process works on is left to it. */
async function sendDueRelists(ctx: Context, flags: DueFlags, report: DueReport): Promise<void> {
  const ledger = await ctx.ledger()
  for (const job of unfinishedJobs(ctx, ledger).reverse()) {
    const start = job.Kind === 'relist' && !job.Running ? nextStart(ledger, job.JobId) : undefined
    // What was to be sent at once is the seller's to resume.
    if (start === undefined || start === 0 || start > ctx.clock.now()) continue
    await report.attempt(async () => {
      const run = { Part: 'relist', JobId: job.JobId } as const
      if (flags['dry-run'] === true) {
        report.add(undefined, { ...run, State: 'due', DueAt: isoOf(start) })
        return
      }
      const client = await ctx.client()
      const recheck = (part: JobRecord) => recheckOf(ctx, client, ledger, part, flags)
      const end = await runJob(ctx, client, { jobId: job.JobId, flags, recheck })
      report.add(undefined, { ...run, State: end.job.State, Counts: end.job.Counts }, end.code)
    })
  }
}
