/** Output of jobs:due, for one shop and for several. */
import type { Context } from '../../cli/context.js'
import { capital } from '../../contract/index.js'
import { EXIT, type ExitCode, worseExitCode } from '../../errors/index.js'
import type { Form } from '../../format/output/index.js'
import { type DueRun, dueView } from '../../format/views/discounts.js'
import { type ShopEnd, shopsView } from '../../format/views/shops.js'
import { wholeJob } from '../../jobs/bulk/index.js'
import { type JobRecord, type Ledger, overdueWork, profilesWithDueWork, scheduledAt, settleClock } from '../../jobs/index.js'
import { nextCommands, run, say, type Words } from '../../messages/index.js'
import { isoOf } from '../../system/time.js'
import { isUnfinished, scheduledWords, shownJob, unfinishedJobs } from '../jobs/list.js'
import { createRecheck } from '../jobs/look.js'
import { runJob } from '../jobs/run.js'
import { resumeCommand } from '../jobs/words.js'
import { shopOf } from '../own.js'
import type { IdleQuestion } from '../profiles/types.js'
import { type Result, shownList } from '../result.js'
import { sendDueClosing } from '../shop/closing.js'
import { type DueFlags, DueReport, sendDue, unlessLocked } from './due.js'
import { ago, noteDue, overdueWords } from './overdue.js'

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
  await sendDueRows(ctx, flags, report)
  await sendDueClosing(ctx, flags, report)
  const { runs, error } = report
  const code = worseExitCode(report.code, await endOfRun(ctx, flags, report))
  const hasList = runs.length > 0 || (error === undefined && DOCUMENTS.has(ctx.output.form))
  const words = runs.map(wordsOfRun)
  const ledger = await ctx.ledger()
  return {
    shown: hasList ? [shownRuns(ctx, ledger, runs)] : [],
    code,
    error,
    jobs: runs,
    waiting: runs.some(({ State }) => State === 'due'),
    message: words.length === 0 ? null : words.join(', '),
  }
}

type Run = DueReport['runs'][number]

/** Runs with the commands for what is left of each: nobody need type one where all was carried out. */
function shownRuns(ctx: Context, ledger: Ledger, runs: readonly Run[]) {
  const withNext = (due: Run): DueRun => ({ ...due, next: nextCommands([...wordsAfter(ctx, ledger, due)], ctx.edge) })
  return shownList({ view: dueView, rows: () => runs.map(withNext) })
}

function* wordsAfter(ctx: Context, ledger: Ledger, { State, Part, JobId, DiscountId }: Run): Generator<Words> {
  if (State === 'due' || State === 'overdue') yield say`Do it now with: ${run('jobs:due')}`
  else if (JobId !== null) {
    const job = shownJob(ledger, ledger.jobs.show(JobId))
    const at = scheduledAt(ledger, job)
    const { failed, retryable, held, skipped, unknown, unsent, sending } = job.Counts
    if (at !== undefined) yield scheduledWords(ctx, job, at)
    else if (isUnfinished(job.State))
      yield say`${unsent + sending + unknown > 0 ? 'Continue' : 'Wait for the outcome'} with: ${resumeCommand(JobId, true)}`
    if (failed + retryable + held + skipped + unknown > 0)
      yield say`See why rows were not carried out with: ${run('jobs:show', { id: JobId, '--failed': true })}`
  } else if (DiscountId !== null && State !== 'ok') yield say`See its items with: ${run('discounts:show', { id: DiscountId })}`
  else if (Part === 'open' && State === 'held') yield say`Open the shop with: ${run('shop:settings', { '--open': true })}`
}

function wordsOfRun({ Part, Discount, JobId, DiscountId }: Run): string {
  if (Part === 'relist' || Part === 'rows') return `${Part === 'rows' ? Part : 'auctions'} of job ${JobId}`
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
  noteDue(ledger, [profile], error?.exitCode ?? code)
  if (code !== EXIT.ok || error !== undefined || runs.length > 0) return EXIT.ok
  const overdue = overdueWork(ledger, shopOf(ctx))
  if (overdue.length > 0) {
    const holder = ledger.discounts.holder(shopOf(ctx))
    const who = holder === undefined ? '' : ` ${capital(holder)} holds the discounts of the shop.`
    ctx.output.warn(`${overdueWords(overdue, ctx.clock.now())}.${who}`)
    return EXIT.pending
  }
  return EXIT.ok
}

/** Says what is overdue, and sends nothing. @returns exit code 5 if something is, for monitors */
async function checkDue(ctx: Context): Promise<Result> {
  const ledger = await ctx.ledger({ reading: true })
  const { profile } = shopOf(ctx)
  const overdue = overdueWork(ledger, shopOf(ctx))
  const last = ledger.signs.last(profile, 'due')
  const runs = overdue.map(({ What, Id, since }) => ({
    DiscountId: What === 'start' || What === 'end' ? Id : null,
    Discount: What === 'start' || What === 'end' ? ledger.discounts.show(Id).Name : null,
    Part: What,
    JobId: What === 'relist' || What === 'rows' ? Id : null,
    State: 'overdue',
    Counts: null,
    DueAt: isoOf(since),
  }))
  ctx.output.note(
    last === undefined
      ? `jobs:due has not run yet for the profile "${profile}".`
      : `jobs:due last ran ${ago(last.at, ctx.clock.now())}.`,
  )
  const code = overdue.length > 0 ? EXIT.someRowsFailed : EXIT.ok
  if (overdue.length > 0) ctx.output.warn(`${overdueWords(overdue, ctx.clock.now())}.`)
  const hasList = runs.length > 0 || DOCUMENTS.has(ctx.output.form)
  return {
    shown: hasList ? [shownRuns(ctx, ledger, runs)] : [],
    code,
    message: overdue.length === 0 ? null : `${overdueWords(overdue, ctx.clock.now())}.`,
  }
}

/** The shops of a run for which nothing is due, asked of the ledger once for all; they get the sign of life of this run. */
export async function idleShops(
  ctx: Context,
  { openLedger, profiles }: IdleQuestion,
  flags: DueFlags,
): Promise<ReadonlySet<string>> {
  const isReading = flags.check === true
  const ledger = await openLedger({ reading: isReading })
  const busy = profilesWithDueWork(ledger)
  const idle = profiles.filter((profile) => !busy.has(profile))
  if (!isReading && flags['dry-run'] !== true) noteDue(ledger, idle, EXIT.ok)
  return new Set(ctx.signal.aborted ? [] : idle)
}

/** A row for each shop in which something was due or went wrong; in json and yaml one for each shop. */
export async function writeDueShops({ output }: Context, ends: readonly ShopEnd[]): Promise<void> {
  const all = DOCUMENTS.has(output.form)
  const shownEnds = all ? ends : ends.filter(({ Result, ExitCode }) => ExitCode !== EXIT.ok || isFilled(Result))
  if (all || shownEnds.length > 0) await output.list(shopsView(), shownEnds)
}

function isFilled(result: unknown): boolean {
  return Array.isArray(result) && result.length > 0
}

/**
 * Sends rows whose time has come, and those of today of jobs that are sent by the day. A job that another process works on is
 * left to it.
 */
async function sendDueRows(ctx: Context, flags: DueFlags, report: DueReport): Promise<void> {
  const ledger = await ctx.ledger()
  settleClock(ledger)
  for (const job of unfinishedJobs(ctx, ledger).reverse()) {
    // Asked for each: the one before may have used up the calls of the day. The seller resumes jobs that were to be sent at once.
    const start = job.Running ? undefined : scheduledAt(ledger, job)
    if (start === undefined || start > ctx.clock.now()) continue
    // Another process that has taken the job since it was listed sends its rows.
    await report.attempt(() =>
      unlessLocked(async () => {
        const due = { Part: job.Kind === 'relist' ? 'relist' : 'rows', JobId: job.JobId } as const
        if (flags['dry-run'] === true) {
          report.add(undefined, { ...due, State: 'due', DueAt: isoOf(start) })
          return
        }
        const client = await ctx.client()
        const recheck = (part: JobRecord) => createRecheck(ctx, client, ledger, part, flags)
        const before = wholeJob(ledger, job.JobId).Counts
        const end = await report.run(ledger, due, () => runJob(ctx, client, { jobId: job.JobId, flags, recheck }))
        // Rows that were held, or failed, before this run were said then.
        const { held, failed, retryable } = end.job.Counts
        const isNews = held > before.held || failed + retryable > before.failed + before.retryable
        const isSaid = (end.code === EXIT.held || end.code === EXIT.someRowsFailed) && !isNews
        report.add(undefined, { ...due, State: end.job.State, Counts: end.job.Counts }, isSaid ? EXIT.ok : end.code)
      }),
    )
  }
}
