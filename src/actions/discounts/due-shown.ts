/** Output of jobs:due, for one shop and for several. */
import type { Context } from '../../cli/context.js'
import { capital } from '../../contract/index.js'
import { EXIT, type ExitCode, worseExitCode } from '../../errors/index.js'
import type { Form } from '../../format/output/index.js'
import { type DueRun, dueView } from '../../format/views/discounts.js'
import { type ShopEnd, shopsView } from '../../format/views/shops.js'
import { bulkJob } from '../../jobs/bulk/index.js'
import { type JobRecord, nextStart, overdueWork, profilesWithDueWork } from '../../jobs/index.js'
import { isoOf } from '../../system/time.js'
import { unfinishedJobs } from '../jobs/list.js'
import { recheckOf } from '../jobs/look.js'
import { runJob } from '../jobs/run.js'
import { shopOf } from '../own.js'
import type { IdleQuestion } from '../profiles/types.js'
import { type Result, shownList } from '../result.js'
import { sendDueClosing } from '../shop/closing.js'
import { type DueFlags, DueReport, sendDue } from './due.js'
import { ago, overdueWords } from './overdue.js'

/** Forms in which nothing is a document too: an empty list. */
const DOCUMENTS: ReadonlySet<Form> = new Set(['json', 'yaml'])

/**
 * Sends what is due.
 * @returns what was done: nothing if nothing is due, or an empty list where the form is a document
 * @throws {SellerError} as sendDue
 */
export async function runDue(ctx: Context, flags: DueFlags): Promise<Result> {
  if (flags.check === true) return checkDue(ctx)
  const report = new DueReport()
  await sendDue(ctx, flags, report)
  await sendDueRelists(ctx, flags, report)
  await sendDueClosing(ctx, flags, report)
  const { runs, error } = report
  const code = worseExitCode(report.code, await endOfRun(ctx, flags, report))
  const listed = runs.length > 0 || (error === undefined && DOCUMENTS.has(ctx.output.form))
  const words = runs.map(wordsOfRun)
  return {
    shown: listed ? [shownList({ view: dueView, rows: () => runs })] : [],
    code,
    error,
    jobs: runs,
    waiting: runs.some(({ State }) => State === 'due'),
    message: words.length === 0 ? null : words.join(', '),
  }
}

function wordsOfRun({ Part, Discount, JobId, DiscountId }: DueRun): string {
  if (Part === 'relist') return `auctions of job ${JobId}`
  if (Part === 'close' || Part === 'open') return `the shop ${Part === 'close' ? 'closed' : 'opened'}`
  if (DiscountId === null) return 'the shop not closed'
  return `${Part === 'missed' ? 'missed start' : Part} of "${Discount}"`
}

/**
 * Leaves a sign of life, and says what is still overdue: another process works on it, or has died where that cannot be seen.
 * @returns exit code 8 while something is overdue that this run has neither done nor reported
 */
async function endOfRun(ctx: Context, flags: DueFlags, { runs, code, error }: DueReport): Promise<ExitCode> {
  if (flags['dry-run'] === true) return EXIT.ok
  const ledger = await ctx.ledger()
  const { profile } = shopOf(ctx)
  ledger.signs.note(profile, 'due', { code: error?.exitCode ?? code })
  if (code !== EXIT.ok || error !== undefined || runs.length > 0) return EXIT.ok
  const left = overdueWork(ledger, shopOf(ctx))
  if (left.length > 0) {
    const holder = ledger.discounts.holder(shopOf(ctx))
    const who = holder === undefined ? '' : ` ${capital(holder)} holds the discounts of the shop.`
    ctx.output.warn(`${overdueWords(left, ctx.clock.now())}${who}`)
    return EXIT.pending
  }
  return EXIT.ok
}

/** Says what is overdue, and sends nothing. @returns exit code 5 if something is, for monitors */
async function checkDue(ctx: Context): Promise<Result> {
  const ledger = await ctx.ledger({ reading: true })
  const { profile } = shopOf(ctx)
  const left = overdueWork(ledger, shopOf(ctx))
  const last = ledger.signs.last(profile, 'due')
  const runs = left.map(
    ({ What, Id, Name, since }): DueRun => ({
      DiscountId: What === 'start' || What === 'end' ? Id : null,
      Discount: What === 'start' || What === 'end' ? ledger.discounts.show(Id).Name : null,
      Part: What,
      JobId: What === 'relist' ? Id : null,
      State: 'overdue',
      Counts: null,
      DueAt: isoOf(since),
      ...(Name === '' ? {} : {}),
    }),
  )
  ctx.output.note(
    last === undefined
      ? `jobs:due has not run yet for the profile "${profile}".`
      : `jobs:due last ran ${ago(last.at, ctx.clock.now())}.`,
  )
  const code = left.length > 0 ? EXIT.someRowsFailed : EXIT.ok
  if (left.length > 0) ctx.output.warn(overdueWords(left, ctx.clock.now()))
  const listed = runs.length > 0 || DOCUMENTS.has(ctx.output.form)
  return {
    shown: listed ? [shownList({ view: dueView, rows: () => runs })] : [],
    code,
    message: left.length === 0 ? null : overdueWords(left, ctx.clock.now()),
  }
}

/** The shops of a run for which nothing is due, asked of the ledger once for all; they get the sign of life of this run. */
export async function idleShops(
  ctx: Context,
  { openLedger, profiles }: IdleQuestion,
  flags: DueFlags,
): Promise<ReadonlySet<string>> {
  const reading = flags.check === true
  const ledger = await openLedger({ reading })
  const busy = profilesWithDueWork(ledger)
  const idle = profiles.filter((profile) => !busy.has(profile))
  if (!reading && flags['dry-run'] !== true) ledger.signs.noteAll(idle, 'due', { code: EXIT.ok })
  return new Set(ctx.signal.aborted ? [] : idle)
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
    // Jobs that were to be sent at once are resumed by the seller.
    if (start === undefined || start === 0 || start > ctx.clock.now()) continue
    // The seller may have dropped a job of a restored copy since.
    if (ledger.jobs.isRestored(job.JobId)) continue
    await report.attempt(async () => {
      const run = { Part: 'relist', JobId: job.JobId } as const
      if (flags['dry-run'] === true) {
        report.add(undefined, { ...run, State: 'due', DueAt: isoOf(start) })
        return
      }
      const client = await ctx.client()
      const recheck = (part: JobRecord) => recheckOf(ctx, client, ledger, part, flags)
      const before = bulkJob(ledger, job.JobId).Counts
      const end = await runJob(ctx, client, { jobId: job.JobId, flags, recheck })
      // Rows that were held, or failed, before this run were said then.
      const { held, failed, retryable } = end.job.Counts
      const isNews = held > before.held || failed + retryable > before.failed + before.retryable
      const said = (end.code === EXIT.held || end.code === EXIT.someRowsFailed) && !isNews
      report.add(undefined, { ...run, State: end.job.State, Counts: end.job.Counts }, said ? EXIT.ok : end.code)
    })
  }
}
