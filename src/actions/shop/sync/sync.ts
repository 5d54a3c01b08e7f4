/** shop:sync: makes the shop like a catalogue. */
import type { Context } from '../../../cli/context.js'
import { SellerError } from '../../../errors/index.js'
import { countOf, type SyncRowShown, type SyncSummaryShown, syncPlanView, syncSummary } from '../../../format/views/index.js'
import { supersede } from '../../../jobs/bulk/index.js'
import { JobsError } from '../../../jobs/index.js'
import { letThrough, stoppedWords } from '../../jobs/words.js'
import type { Result } from '../../result.js'
import { inputFile } from '../../rows/input.js'
import { type RowsFlags, type RowsPlan, runRows } from '../../rows/run-rows.js'
import { newestJob } from './earlier.js'
import { type PlannedSync, planSync, type SyncPlanFlags } from './plan.js'
import { byHandRows, countsOf, partRows, summaryOf, syncRows, tellByHand, tellRest } from './rows.js'

export interface SyncFlags extends SyncPlanFlags, RowsFlags {}

/**
 * Makes the shop like a catalogue.
 * @returns as runRows
 * @throws {SellerError} what planSync throws; guard (6) for too many removals, or where a guard over all prices stops the plan; what runRows
 * throws
 */
export function syncShop(ctx: Context, flags: SyncFlags): Promise<Result> {
  return runRows(ctx, { flags, input: inputFile(flags.file, flags.sheet), plan: () => syncPlan(ctx, flags) })
}

async function syncPlan(ctx: Context, flags: SyncFlags): Promise<RowsPlan<SyncRowShown>> {
  const planned = await planSync(ctx, flags)
  const { catalogue, calls, during, prices } = planned
  const summary = summaryOf(planned)
  const { Rows, Held, Unchanged, Pending, Missing, WithoutReference, Calls, Stopped } = summary
  const Change = summary.Add + summary.Reprice + summary.Restock + summary.Remove
  const ByHand = [...byHandRows(planned)]
  const ledger = await ctx.ledger()
  return {
    parts: partRows(planned),
    title: `shop:sync --file ${flags.file}`,
    form: catalogue.form,
    summary: { Rows, Change, Unchanged, Unknown: 0, Held, Calls, HeldBy: prices.summary.HeldBy, Stopped },
    calls,
    verb: 'Send',
    noun: 'change',
    during,
    sync: {
      counted: countsOf(summary),
      nothing: Pending > 0 ? 'Nothing to do now.' : 'Nothing to do.',
      compared: { Pending, Missing, WithoutReference, ByHand },
      before: () => {
        const newest = newestJob(ledger, ctx.profile.name)
        if (newest > planned.earlier.newest) throw overtaken(newest)
        for (const { JobId } of planned.earlier.unfinished) supersede(ledger, JobId, 'planned anew by a later shop:sync')
      },
    },
    accept: async () => refuseStopped(Stopped),
    shown: {
      view: syncPlanView,
      rows: () => syncRows(planned),
      beside: () => ({ Summary: summary, ByHand }),
      totals: syncSummary(summary),
      also: () => {
        tellEarlier(ctx, planned)
        tellRest(ctx, planned, summary)
        tellByHand(ctx, planned)
      },
    },
  }
}

function tellEarlier({ output }: Context, { earlier }: PlannedSync): void {
  for (const { JobId, Counts } of earlier.unfinished) {
    const are = Counts.unsent === 1 ? 'is' : 'are'
    output.note(`Job ${JobId} was not finished. The ${countOf(Counts.unsent, 'row')} that it had not sent ${are} planned anew.`)
  }
}

/** Where a guard over everything is broken, not even a job of held rows is written: a part of a sync alone is not what was asked for. */
function refuseStopped(stopped: SyncSummaryShown['Stopped']): void {
  if (stopped === null) return
  const { Limit, Reason } = stopped
  throw new SellerError('sync_held', stoppedWords(Reason), letThrough(Limit), { limit: Limit })
}

function overtaken(jobId: number): JobsError {
  return new JobsError(
    'job_locked',
    `Another process has made job ${jobId} while this plan was made, so the plan may be out of date. Nothing was sent.`,
    'Run the command again.',
    { jobId },
  )
}
