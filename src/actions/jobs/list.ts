/**
 * Jobs of the ledger, as commands list them. It imports what it needs of the jobs by itself: all of them are a tenth of a start.
 */

import type { Context } from '../../cli/context.js'
import { minuteOf, type ShownJob } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { jobsView, shopJobsView } from '../../format/views/jobs.js'
import type { ShopEnd } from '../../format/views/shops.js'
import { hasParts } from '../../jobs/bulk/outcome.js'
import { bulkJob, isBulkKind } from '../../jobs/bulk/show.js'
import { wholeJob } from '../../jobs/bulk/whole.js'
import { type JobFilter, type JobRecord, type JobState, type Ledger, scheduledAt, shownState } from '../../jobs/ledger/index.js'
import { type Message, run, say } from '../../messages/index.js'
import { isOwn } from '../own.js'
import { eachProfile } from '../profiles/each.js'
import { sayLeft } from '../profiles/record.js'
import { listResult, type Result } from '../result.js'
import { readLimit, rowsWithin, type WholeFlags } from '../whole.js'

/** States of unfinished jobs. */
export const UNFINISHED: readonly JobState[] = ['open', 'waiting', 'unknown']
/** True if a job in this state has something left to do. */
export function isUnfinished(state: ShownJob['State']): boolean {
  return UNFINISHED.some((one) => one === state)
}

/** A job with counts taken from its rows. Those of its record are as old as its last run. */
export function shownJob(ledger: Ledger, job: JobRecord): ShownJob {
  if (hasParts(job.Kind)) return { ...wholeJob(ledger, job.JobId), State: shownState(ledger, job) }
  if (!isBulkKind(job.Kind)) return job
  const { Rows: _, ...shown } = bulkJob(ledger, job.JobId)
  return { ...shown, State: shownState(ledger, job) }
}

/** Jobs, the newest first. The parts of a job are shown with it. */
function* listedJobs(ledger: Ledger, filter: JobFilter): Generator<ShownJob> {
  for (const job of ledger.jobs.list({ ...filter, partOf: null })) yield shownJob(ledger, job)
}

/** The unfinished jobs of this profile and seller, the newest first. */
export function unfinishedJobs(ctx: Context, ledger: Ledger): JobRecord[] {
  return ledger.jobs.list({ profile: ctx.profile.name, state: UNFINISHED, partOf: null }).filter((job) => isOwn(ctx, job))
}

/** The newest of them. One that is not running comes before one that is. */
export function newestUnfinished(ctx: Context, ledger: Ledger): JobRecord | undefined {
  const own = unfinishedJobs(ctx, ledger)
  return own.find(({ Running }) => !Running) ?? own[0]
}

/** The commands that end an unfinished job in one way or another. It may belong to another profile than the one in use. */
export function waysToEnd(ctx: Context, { JobId: id, Profile }: Pick<JobRecord, 'JobId' | 'Profile'>): Message {
  const other = Profile === ctx.profile.name ? undefined : Profile
  const go = run('jobs:resume', { id, '--profile': other })
  return say`Continue with: ${go}. Or drop it with: ${run('jobs:drop', { id, '--profile': other })}`
}

/** A job that waits for its time, or has waited for longer. */
export function scheduledWords(ctx: Context, { JobId, Kind }: Pick<JobRecord, 'JobId' | 'Kind'>, at: number, jobs = 1): Message {
  const which = jobs === 1 ? `Job ${JobId} is scheduled` : `${countOf(jobs, 'job')} are scheduled`
  return at <= ctx.clock.now()
    ? say`${which}, and was due at ${minuteOf(at)}. Send what is due with: ${run('jobs:due')}`
    : say`${which}: the next ${Kind === 'relist' ? 'auction is' : 'rows are'} sent at ${minuteOf(at)}, by ${run('jobs:due')}.`
}

interface JobListFlags extends WholeFlags {
  readonly profiles?: string | undefined
  readonly unfinished?: boolean | undefined
  readonly 'all-profiles'?: boolean | undefined
  readonly limit?: number | undefined
}

const MOST = 50

/** Jobs, the newest first. @throws {SellerError} as eachProfile */
export function listJobs(ctx: Context, flags: JobListFlags): Promise<Result> {
  return eachProfile(ctx, flags, { work: ownJobs, show: (whole, ends) => writeAll(whole, ends, flags) })
}

async function ownJobs(ctx: Context, flags: JobListFlags): Promise<Result> {
  const ledger = await ctx.ledger({ reading: true })
  const profile = flags['all-profiles'] === true ? undefined : ctx.profile.name
  const state = flags.unfinished === true ? UNFINISHED : undefined
  const jobs = [...listedJobs(ledger, { profile, state, limit: readLimit(flags.limit ?? MOST, flags) })]
  sayLeft(ctx, ledger, flags.profiles === undefined ? undefined : ctx.profile.name)
  const open = jobs.find(isOpen)
  const next = jobs.flatMap((job) => scheduledAt(ledger, job) ?? [])
  const below = () => {
    if (open !== undefined) ctx.output.hint(say`Job ${open.JobId} is not finished. ${waysToEnd(ctx, open)}`)
    const [one] = jobs.filter((job) => scheduledAt(ledger, job) !== undefined)
    if (one !== undefined) ctx.output.hint(scheduledWords(ctx, one, Math.min(...next), next.length))
  }
  return listResult({ view: jobsView, rows: () => rowsWithin(jobs, flags.limit ?? MOST, flags), below })
}

async function writeAll({ output }: Context, ends: readonly ShopEnd[], flags: JobListFlags): Promise<void> {
  const all = ends.flatMap(({ Result }) => (Result ?? []) as readonly ShownJob[])
  const jobs = all.sort((one, other) => other.JobId - one.JobId).slice(0, flags.limit ?? MOST)
  await output.list(shopJobsView, jobs)
  if (jobs.some(isOpen)) {
    output.hint(say`Some are not finished. Continue with: ${run('jobs:resume', { '--profiles': flags.profiles ?? '' })}`)
  }
}

function isOpen({ State, Running }: ShownJob): boolean {
  return !Running && isUnfinished(State)
}
