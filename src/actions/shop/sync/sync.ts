/** shop:sync: compares a catalogue with the shop, and shows or sends what makes the shop like it. One job, however many kinds of changes. */
import type { Context } from '../../../cli/context.js'
import { EXIT, type ExitCode, SellerError } from '../../../cli/errors.js'
import {
  countOf,
  type SyncRunRecord,
  type SyncSummaryShown,
  syncPlanView,
  syncRunView,
  syncSummary,
} from '../../../format/views/index.js'
import { createWhole, type NewPart, partsOf, supersede, wholeJob } from '../../../jobs/bulk/index.js'
import { settleDiscounts } from '../../../jobs/discounts/index.js'
import { JobsError, noCounts } from '../../../jobs/index.js'
import { refuseBinding } from '../../jobs/binding.js'
import { printCallEstimate } from '../../jobs/budget.js'
import { askAboutRows, shownRows } from '../../jobs/confirm.js'
import { refuseOverwriting } from '../../jobs/files.js'
import { recordOfParts } from '../../jobs/parts.js'
import { writeHeldRows } from '../../jobs/refused-rows.js'
import { runJob } from '../../jobs/run.js'
import { letThrough, stoppedWords, warnHeldRows } from '../../jobs/words.js'
import { shopOf } from '../../prices/discounts.js'
import { inShort } from '../../prices/plan.js'
import { type Result, shownRecord } from '../../result.js'
import type { RowsFlags } from '../../rows/run-rows.js'
import { newestJob } from './known.js'
import { type PlannedSync, planSync, type SyncPlanFlags } from './plan.js'
import { byHandRows, partRows, summaryOf, syncRows } from './rows.js'
import { questionOf, shownSync, tellByHand, tellRest } from './words.js'

export interface SyncFlags extends SyncPlanFlags, RowsFlags {}

/**
 * Makes the shop like a catalogue.
 * @returns the plan of a dry run, else the result of the run
 * @throws {SellerError} what planSync throws; guard (6) without a yes, for too many removals, or where a guard over all prices stops the plan;
 * what the run throws
 */
export async function syncShop(ctx: Context, flags: SyncFlags): Promise<Result> {
  const { file } = flags
  refuseOverwriting(ctx, file, { '--held-file': flags['held-file'], '--failed-file': flags['failed-file'] })
  ctx.ifInterrupted({ sent: 'Nothing was sent.', again: true })
  const planned = await planSync(ctx, flags)
  const summary = summaryOf(planned)
  if (flags['dry-run'] === true) return { shown: [shownSync(ctx, planned, summary)], code: EXIT.ok }
  ctx.output.note(syncSummary(summary))
  tellRest(ctx, planned, summary)
  tellByHand(ctx, planned)
  const title = inShort(`shop:sync --file ${file}`)
  const compared = { Unchanged: summary.Unchanged, Pending: summary.Pending, Missing: summary.Missing }
  const more = { ...compared, WithoutReference: summary.WithoutReference, ByHand: [...byHandRows(planned)] }
  if (summary.Stopped !== null) throw syncHeld(summary.Stopped)
  const changes = summary.Add + summary.Reprice + summary.Restock + summary.Remove
  if (changes + summary.Held === 0) {
    ctx.output.note(summary.Pending > 0 ? 'Nothing to do now.' : 'Nothing to do.')
    return resultOf({ ...recordOfNothing(title, planned.calls), ...more }, EXIT.ok)
  }
  const jobId = await createSync(ctx, planned, { title, summary, changes, flags })
  const ledger = await ctx.ledger()
  const [whole, parts] = [wholeJob(ledger, jobId), partsOf(ledger, jobId)]
  const written = parts.filter(({ Kind }) => Kind !== 'remove').map(({ JobId }) => JobId)
  const heldFile = await writeHeldRows(ctx, whole, flags['held-file'], flags['failed-file'], written)
  warnHeldRows(ctx, ledger, whole, { heldFile, stopped: null, heldBy: planned.prices.summary.HeldBy, parts })
  const end = await runJob(ctx, await ctx.client(), { jobId, flags, callsBefore: planned.calls, heldFile })
  return resultOf({ ...recordOfParts(end), ...more }, end.code)
}

function resultOf(record: SyncRunRecord, code: ExitCode): Result {
  return { shown: [shownRecord(syncRunView, record)], code, jobs: [record] }
}

interface NewSync {
  readonly title: string
  readonly summary: SyncSummaryShown
  readonly changes: number
  readonly flags: SyncFlags
}

/** Asks, and writes the job. @returns its id */
async function createSync(ctx: Context, planned: PlannedSync, { title, summary, changes, flags }: NewSync): Promise<number> {
  const { during, earlier, catalogue, calls } = planned
  // Rows can be read once: one set shows which kinds there are, the other is written.
  const [looked, all] = [partRows(planned), partRows(planned)]
  const kinds = (Object.keys(looked) as (keyof typeof looked)[]).filter((kind) => !isEmpty(looked[kind]))
  for (const kind of kinds) refuseBinding(ctx, kind)
  if (changes > 0) {
    const { wait } = flags
    await printCallEstimate(ctx, { sending: summary.Calls, made: calls, maxCalls: flags['max-calls'], wait })
    const shown = shownRows(syncPlanView, syncRows(planned), changes)
    await askAboutRows(ctx, { message: questionOf(summary), rows: changes, yes: flags.yes, shown })
  }
  const ledger = await ctx.ledger()
  const { name: profile, settings } = ctx.profile
  const parts = kinds.map((kind): NewPart => {
    const rows = all[kind]
    if (kind !== 'price') return { kind, rows, distinct: true }
    return { kind, rows, distinct: true, recorded: (jobId) => during?.record(jobId) }
  })
  const { JobId } = createWhole(ledger, { profile, userId: settings.user_id, title, form: catalogue.form, parts }, () => {
    const newest = newestJob(ledger, profile)
    if (newest > earlier.newest) throw overtaken(newest)
    for (const { JobId: old } of earlier.unfinished) supersede(ledger, old, 'planned anew by a later shop:sync')
  })
  for (const { JobId: old, Counts } of earlier.unfinished) {
    ctx.output.note(`Job ${old} was not finished. The ${countOf(Counts.unsent, 'row')} that it had not sent are planned anew.`)
  }
  if (during !== undefined) settleDiscounts(ledger, shopOf(ctx))
  return JobId
}

function isEmpty(rows: Iterable<unknown>): boolean {
  for (const _ of rows) return false
  return true
}

function syncHeld({ Limit, Reason }: NonNullable<SyncSummaryShown['Stopped']>): SellerError {
  return new SellerError('sync_held', `${stoppedWords(Reason)} Nothing was sent.`, letThrough(Limit), { limit: Limit })
}

function overtaken(jobId: number): JobsError {
  return new JobsError(
    'job_locked',
    `Another process has made job ${jobId} while this plan was made, so the plan may be out of date. Nothing was sent.`,
    'Run the command again.',
    { jobId },
  )
}

function recordOfNothing(title: string, calls: number): SyncRunRecord {
  return {
    JobId: null,
    Kind: 'sync',
    Title: title,
    State: 'ok',
    Message: null,
    Added: 0,
    Repriced: 0,
    Restocked: 0,
    Removed: 0,
    Counts: noCounts(),
    Unchanged: 0,
    Pending: 0,
    Missing: 0,
    WithoutReference: 0,
    ByHand: [],
    Calls: calls,
    HeldFile: null,
    FailedFile: null,
    Parts: [],
    Unknown: null,
  }
}
