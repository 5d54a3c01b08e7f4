/** jobs:resume: continues a job of rows or of steps. The seller decides about rows whose outcome is unknown. */

import type { Context } from '../../cli/context.js'
import type { ManifestCommand } from '../../cli/manifest.js'
import { toSellerError } from '../../cli/translate.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../errors/index.js'
import { thousands } from '../../format/output/index.js'
import { countWords } from '../../format/views/columns.js'
import { requestView } from '../../format/views/requests.js'
import { uploadView } from '../../format/views/sending.js'
import { type BulkJob, bulkJob, checkUnknownRows, hasParts, listParts, type UnknownRow } from '../../jobs/bulk/index.js'
import { discountName, scheduleDiscounts, startsDiscount, takeInResults } from '../../jobs/discounts/index.js'
import { type JobRecord, type Ledger, setPace } from '../../jobs/index.js'
import { blank, joined, run, say } from '../../messages/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { durationText } from '../../system/durations.js'
import { periodOfJob } from '../listing/terms.js'
import { uploadRecord } from '../listing/uploads.js'
import { shopOf } from '../own.js'
import { LISTED, liveItems } from '../prices/live.js'
import { beginLeft } from '../profiles/record.js'
import { followListing } from '../requests/follow.js'
import { type Result, shownRecord } from '../result.js'
import { explained } from '../rows/explained.js'
import { refuseBinding } from './confirm.js'
import { listNewItems, notRun, resultOfRun } from './ended.js'
import { newestUnfinished, shownJob, unfinishedJobs } from './list.js'
import { createRecheck } from './look.js'
import { mayReplaceFailedRows } from './refused-rows.js'
import { type RunFlags, refuseOtherShop, runJob } from './run.js'
import { failForImages } from './words.js'

interface ResumeFlags extends RunFlags {
  readonly 'retry-failed'?: boolean | undefined
  readonly unknown?: 'sent' | 'again' | undefined
  readonly row?: readonly number[] | undefined
  readonly 'request-id'?: number | undefined
  readonly 'commit-anyway'?: boolean | undefined
  readonly blind?: boolean | undefined
  readonly 'take-over'?: boolean | undefined
  readonly yes?: boolean | undefined
  /** Calls a day from now on; null for all at once. */
  readonly 'per-day'?: number | null | undefined
}

/**
 * Continues a job, by default the newest unfinished one of this profile.
 * @throws {SellerError} usage for a flag of the other kind of job, or another profile's job; what the run throws
 */
export async function resumeJob(ctx: Context, jobId: number | undefined, flags: ResumeFlags): Promise<Result> {
  const ledger = await ctx.ledger()
  const job = jobId === undefined ? newestUnfinished(ctx, ledger) : ledger.jobs.show(jobId)
  if (job === undefined) {
    ctx.output.note(say`There is no unfinished job. See all jobs with: ${run('jobs:list')}`)
    return ctx.output.human ? { shown: [], code: EXIT.ok } : resultOfRun(notRun(null, null, 0), EXIT.ok)
  }
  if (job.PartOf !== null) {
    ctx.output.note(`Job ${job.JobId} is a part of job ${job.PartOf}, which is continued.`)
    return resumeJob(ctx, job.PartOf, flags)
  }
  refuseStrayFlags(job, flags)
  refuseOtherShop(ctx, job)
  refuseLateStart(ctx, ledger, job)
  const mayReplace = job.Kind === 'listing' ? undefined : await mayReplaceFailedRows(ctx, job.JobId, flags)
  if (flags['take-over'] === true) await takeOver(ctx, ledger, job, flags.yes)
  const client = await ctx.client()
  if (jobId === undefined) ctx.output.note(`Job ${job.JobId}: ${job.Title}`)
  const result = await (job.Kind === 'listing'
    ? resumeListing(ctx, client, { job, flags })
    : resumeRows(ctx, client, { ledger, job, flags: { ...flags, force: mayReplace } }))
  ledger.jobs.endRestored(job.JobId)
  return result
}

/**
 * Takes a job from a process of which it is not known whether it lives, once the seller has seen which.
 * @throws {SellerError} guard (6)
 */
async function takeOver(ctx: Context, ledger: Ledger, { JobId }: JobRecord, yes: boolean | undefined): Promise<void> {
  const holder = ledger.jobs.holder(JobId)
  if (holder === undefined) return
  const ms = ctx.clock.now() - holder.at
  const heldSince = ms >= 0 ? `${durationText(ms)} ago` : `${durationText(-ms)} ahead of this clock`
  const job = shownJob(ledger, ledger.jobs.show(JobId))
  ctx.output.note(`Job ${JobId}: ${job.Title}: ${countWords(job.Counts) || 'nothing sent'}.`)
  ctx.output.note(`Job ${JobId} is held by ${holder.words}, which last said so ${heldSince}.`)
  await ctx.prompts.confirm({
    message: `Take job ${JobId} over? If that process still runs, both send.`,
    flag: '--yes',
    given: yes,
  })
  ledger.jobs.takeOver(JobId)
}

/** The start of a discount is never sent after its end. @throws {SellerError} usage */
function refuseLateStart(ctx: Context, ledger: Ledger, { JobId, DiscountId }: JobRecord): void {
  if (DiscountId === null || !startsDiscount(ledger, JobId)) return
  // The job's own counts are those of the last run that came to its end.
  const { Counts } = bulkJob(ledger, JobId)
  const sale = ledger.discounts.stored(DiscountId)
  if (ctx.clock.now() < sale.ends_at || Counts.unsent + Counts.sending === 0) return
  throw new SellerError(
    'job_of_discount',
    `Job ${JobId} starts ${discountName(sale)}, whose end is past, so its prices are not sent any more.`,
    say`Restore what it has set with: ${run('jobs:due')}`,
    { jobId: JobId, discountId: DiscountId },
  )
}

interface Going {
  readonly ledger: Ledger
  readonly job: JobRecord
  readonly flags: ResumeFlags
}

async function resumeListing(ctx: Context, client: SoapClient, { job, flags }: Omit<Going, 'ledger'>): Promise<Result> {
  const { outcome, code } = await followListing(ctx, client, {
    jobId: job.JobId,
    wait: flags.wait,
    timeout: flags.timeout,
    choice: choiceOf(flags),
    requestId: flags['request-id'],
    commitAnyway: flags['commit-anyway'],
  })
  // As items:add and images:upload would have ended.
  const { JobId, Request } = outcome
  const record = Request === null ? shownRecord(uploadView, uploadRecord(outcome)) : shownRecord(requestView, Request)
  return { shown: [record], code, jobs: [{ JobId }] }
}

/** A job of rows, or of parts that have rows. */
async function resumeRows(ctx: Context, client: SoapClient, { ledger, job, flags }: Going): Promise<Result> {
  for (const { Kind } of listParts(ledger, job.JobId)) refuseBinding(ctx, Kind)
  if (flags['per-day'] !== undefined) setPace(ledger, job.JobId, flags['per-day'])
  const end = await runJob(ctx, client, {
    jobId: job.JobId,
    flags,
    recheck: (part) => createRecheck(ctx, client, ledger, part, flags),
    retryFailed: flags['retry-failed'],
    unknown: choiceOf(flags),
    unknownRows: flags.row === undefined ? undefined : new Set(flags.row),
  })
  settleDiscount(ctx, ledger, job)
  const { failed, retryable } = end.job.Counts
  if (failed > 0 && retryable === 0 && flags['retry-failed'] !== true && !failForImages(ledger, end.parts)) {
    ctx.output.hint(say`Send the failed rows again with: ${run('jobs:resume', { id: job.JobId, '--retry-failed': true })}`)
  }
  const lostPart = end.parts.find(({ Counts }) => Counts.unknown > 0)
  const list = { ...LISTED, absence: flags }
  const rows = lostPart === undefined ? null : await checkUnknownRows(ledger, lostPart.JobId, liveItems(ctx, client, list))
  if (rows !== null) listUnknownRows(ctx, job, rows)
  return resultOfRun({ ...end, calls: end.calls + (rows === null ? 0 : 1) }, end.code, {
    unknown: rows?.map((row) => explained(ctx, row)) ?? null,
    period: periodOfJob(ledger, end.job),
    newItems: listNewItems(ledger, end.parts),
  })
}

/** A discount whose job has ended waits for its end, and not for the job any more. */
function settleDiscount(ctx: Context, ledger: Ledger, { DiscountId }: JobRecord): void {
  if (DiscountId === null) return
  const shop = shopOf(ctx)
  takeInResults(ledger, shop)
  scheduleDiscounts(
    ledger,
    shop,
    ledger.discounts.due(shop).filter(({ id }) => id === DiscountId),
  )
}

/** By the values of --unknown. */
const CHOICES = { sent: 'assume-sent', again: 'send-again' } as const

function choiceOf(flags: ResumeFlags): 'assume-sent' | 'send-again' | undefined {
  return flags.unknown === undefined ? undefined : CHOICES[flags.unknown]
}

/** Lists row by row what to check, and which command follows. */
function listUnknownRows(ctx: Context, job: Pick<BulkJob, 'JobId'>, rows: readonly UnknownRow[]): void {
  const lines = rows.map(({ Row, Line, Title, OwnReferences, Candidates }) => {
    const what = [Title === null ? undefined : `"${Title}"`, ...OwnReferences].filter((text) => text !== undefined).join(', ')
    const candidateWords =
      Candidates.length === 0 ? 'no such item is listed' : `it may be item ${Candidates.slice(0, 5).join(', ')}`
    return `  row ${thousands(Row)} (line ${Line}) ${what}: ${candidateWords}`
  })
  ctx.output.warn(['Check these rows. The live list was read; it does not show items that start later.', ...lines].join('\n'))
  ctx.output.hint(
    joined([
      say`For rows that arrived: ${run('jobs:resume', { id: job.JobId, '--unknown': 'sent', '--row': blank('N') })} (without --row: all of them).`,
      say`For rows that did not: ${run('jobs:resume', { id: job.JobId, '--unknown': 'again', '--row': blank('N') })}.`,
    ]),
  )
}

/** Refuses flags that mean nothing for this kind of job, rather than ignoring them. */
function refuseStrayFlags(job: JobRecord, flags: ResumeFlags): void {
  const ofRows = ['retry-failed', 'row', 'failed-file', 'concurrency', 'verify', 'blind', 'per-day'] as const
  const ofListings = ['request-id', 'commit-anyway'] as const
  const rows = job.Kind !== 'listing'
  // A sync that is run again is its own check, and orders are in no list of items.
  // Rows of relist have times of their own.
  const byDay = job.Kind === 'relist' ? (['per-day'] as const) : []
  const wrong =
    hasParts(job.Kind) || job.Kind === 'order' ? [...ofListings, 'verify' as const] : rows ? [...ofListings, ...byDay] : ofRows
  const stray = wrong.filter((name) => flags[name] !== undefined)
  if (stray.length === 0) return
  const what = hasParts(job.Kind) ? 'a sync' : job.Kind === 'order' ? 'a job of orders' : rows ? 'a job of rows' : 'a listing'
  throw new SellerError(
    'stray_flag',
    `Job ${job.JobId} is ${what}, which takes no ${stray.map((name) => `--${name}`).join(', ')}.`,
    'Leave out what does not apply.',
  )
}

/** Ids are of one ledger, but each job is of one shop. @throws {SellerError} usage */
export function refuseIdOfMany(id: number | undefined, profiles: string | undefined): void {
  if (id === undefined || profiles === undefined) return
  throw new SellerError(
    'too_many_arguments',
    `Job ${id} is of one shop, so it cannot be given with --profiles.`,
    'Leave one of them out: --profiles continues every unfinished job of each shop.',
  )
}

/** After these the next job of the shop would fail in the same way. */
const STOPPING: ReadonlySet<string> = new Set(['auth', 'quota', 'network'])

/**
 * Continues every unfinished job of the shop, the oldest first. A job that cannot go on does not stop the others.
 * @returns the results of all; `error` is the first one of a job, with the most serious exit code
 */
export async function resumeAll(ctx: Context, flags: ResumeFlags, commands: () => readonly ManifestCommand[]): Promise<Result> {
  const ledger = await ctx.ledger()
  const results: Result[] = []
  let code: ExitCode = EXIT.ok
  let first: SellerError | undefined
  for (const job of unfinishedJobs(ctx, ledger).reverse()) {
    if (job.Running) {
      ctx.output.warn(`Job ${job.JobId} is at work in another process.`)
      continue
    }
    try {
      const result = await resumeJob(ctx, job.JobId, flagsFor(job, flags))
      results.push(result)
      code = worseExitCode(code, result.code)
    } catch (failure) {
      const error = toSellerError(failure)
      code = worseExitCode(code, error.exitCode)
      if (first !== undefined) ctx.output.warn(say`${error.words}\n${error.advice}`)
      first ??= error
      if (STOPPING.has(error.category) || error.exitCode === EXIT.interrupted) break
    }
  }
  if (first === undefined) {
    const { shopPrices } = await import('../shop/price.js')
    const { createLeftDiscount } = await import('../discounts/create.js')
    const leftResults = beginLeft(ctx, { wait: flags.wait, commands: commands() }, (own, leftCall) =>
      leftCall.command === 'shop:discount'
        ? createLeftDiscount(own, leftCall.args, leftCall.flags)
        : shopPrices(own, leftCall.args, leftCall.flags),
    )
    for await (const result of leftResults) {
      results.push(result)
      code = worseExitCode(code, result.code)
    }
  }
  return {
    shown: results.flatMap(({ shown }) => shown),
    jobs: results.flatMap(({ jobs = [] }) => jobs),
    discountId: results.find(({ discountId }) => typeof discountId === 'number')?.discountId,
    code,
    error: first?.with({ exitCode: code }),
  }
}

/** The flags that concern a job: a listing is continued by its steps, and a sync that is run again is its own check. */
function flagsFor({ Kind }: JobRecord, flags: ResumeFlags): ResumeFlags {
  if (Kind === 'listing') return { wait: flags.wait, timeout: flags.timeout }
  return hasParts(Kind) ? { ...flags, verify: undefined } : flags
}
