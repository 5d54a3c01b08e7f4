/** Jobs of the ledger, as commands list and show them. */

import type { Context } from '../../cli/context.js'
import { shellWord } from '../../cli/profiles.js'
import { EXIT } from '../../errors/index.js'
import type { Output, View } from '../../format/output/index.js'
import {
  jobRowsView,
  jobsView,
  jobView,
  listingStepsView,
  partRowsView,
  reasonLines,
  type ShopEnd,
  shopJobsView,
} from '../../format/views/index.js'
import {
  type BulkRow,
  type BulkRowState,
  bulkJob,
  bulkRows,
  hasParts,
  isBulkKind,
  partsOf,
  wholeJob,
} from '../../jobs/bulk/index.js'
import { type JobFilter, type JobRecord, type JobState, type Ledger, showListing } from '../../jobs/index.js'
import { isOwn } from '../own.js'
import { eachProfile } from '../profiles/each.js'
import { sayLeft } from '../profiles/record.js'
import { listResult, type Result, type Shown, shownList } from '../result.js'
import { reasonOf } from './words.js'

/** States of unfinished jobs. */
export const UNFINISHED: readonly JobState[] = ['open', 'waiting', 'unknown']
/** States of rows for `--failed`: everything that was not carried out, or may not have been. */
const NOT_DONE: readonly BulkRowState[] = ['failed', 'retryable', 'unknown', 'held', 'skipped']

/** A job with counts taken from its rows. Those of its record are as old as its last run. */
export function shownJob(ledger: Ledger, job: JobRecord): JobRecord {
  if (hasParts(job.Kind)) return wholeJob(ledger, job.JobId)
  if (!isBulkKind(job.Kind)) return job
  const { Rows: _, ...shown } = bulkJob(ledger, job.JobId)
  return shown
}

/** Jobs, the newest first. The parts of a job are shown with it. */
function* listedJobs(ledger: Ledger, filter: JobFilter): Generator<JobRecord> {
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

/**
 * A job: for a person a card above its rows, in JSON one document with Rows (or Steps), else the rows.
 * @param failed only rows that were not carried out
 */
export async function oneJob(ctx: Context, ledger: Ledger, jobId: number, failed: boolean): Promise<Result> {
  const job = ledger.jobs.show(jobId)
  const record = shownJob(ledger, job)
  const states = failed ? NOT_DONE : undefined
  const above = async (output: Output): Promise<void> => {
    await output.record(jobView, record)
    output.aside('')
  }
  const below = (output: Output): void => {
    const rows = job.Kind !== 'listing'
    // A narrow table cuts the reasons, although the rows are read for them.
    const why = failed && rows && output.human ? [...reasons(ledger, jobId)] : []
    if (why.length > 0) output.aside(['', ...reasonLines(why, output.width)].join('\n'))
    if (UNFINISHED.includes(job.State) && !job.Running) output.hint(waysToEnd(ctx, { ...job, JobId: job.PartOf ?? jobId }))
  }
  return { shown: [contentOf()], code: EXIT.ok }

  function contentOf(): Shown {
    if (hasParts(job.Kind)) return shownParts(ledger, record, { states, above, below })
    if (isBulkKind(job.Kind)) {
      const view: View<BulkRow> = { ...jobRowsView(job.Kind), within: { key: 'Rows', record } }
      return shownList({ view, rows: () => bulkRows(ledger, jobId, states), above, below })
    }
    const { Steps, ...listing } = showListing(ledger, jobId)
    const undone = Steps.filter(({ State }) => State === 'failed' || State === 'unknown' || State === 'skipped')
    const view = { ...listingStepsView, within: { key: 'Steps', record: listing } }
    return shownList({ view, rows: () => (failed ? undone : Steps), above, below })
  }
}

/** The rows of all parts in one list, each with its part. */
function shownParts(
  ledger: Ledger,
  whole: JobRecord,
  { states, ...around }: { states?: readonly BulkRowState[]; above(output: Output): Promise<void>; below(output: Output): void },
): Shown {
  const parts = partsOf(ledger, whole.JobId)
  const Parts = parts.map(({ JobId, Kind, State, Counts }) => ({ JobId, Kind, State, Counts }))
  const rows = function* () {
    for (const { JobId, Kind } of parts) for (const row of bulkRows(ledger, JobId, states)) yield { ...row, JobId, Kind }
  }
  return shownList({ view: { ...partRowsView, within: { key: 'Rows', record: { ...whole, Parts } } }, rows, ...around })
}

function* reasons(ledger: Ledger, jobId: number) {
  for (const { JobId } of partsOf(ledger, jobId)) for (const row of bulkRows(ledger, JobId, NOT_DONE)) yield reasonOf(row)
}

/** The commands that end an unfinished job in one way or another. */
function waysToEnd(ctx: Context, job: Pick<JobRecord, 'JobId' | 'Profile'>): string {
  const flag = flagOf(ctx, job)
  return `Continue with: seller jobs:resume ${job.JobId}${flag}. Or drop it with: seller jobs:drop ${job.JobId}${flag}`
}

/** ` --profile NAME` if the job belongs to another profile than the one in use. */
function flagOf(ctx: Context, job: Pick<JobRecord, 'Profile'>): string {
  return job.Profile === ctx.profile.name ? ctx.profileFlag() : ` --profile ${job.Profile}`
}

interface JobListFlags {
  readonly profiles?: string
  readonly unfinished?: boolean
  readonly 'all-profiles'?: boolean
  readonly limit?: number
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
  const jobs = [...listedJobs(ledger, { profile, state, limit: flags.limit ?? MOST })]
  sayLeft(ctx, ledger, flags.profiles === undefined ? undefined : ctx.profile.name)
  const open = jobs.find(isOpen)
  const below = () => {
    if (open !== undefined) ctx.output.hint(`Job ${open.JobId} is not finished. ${waysToEnd(ctx, open)}`)
  }
  return listResult({ view: jobsView, rows: () => jobs, below })
}

async function writeAll({ output }: Context, ends: readonly ShopEnd[], flags: JobListFlags): Promise<void> {
  const all = ends.flatMap(({ Result }) => (Result ?? []) as readonly JobRecord[])
  const jobs = all.sort((one, other) => other.JobId - one.JobId).slice(0, flags.limit ?? MOST)
  await output.list(shopJobsView, jobs)
  if (jobs.some(isOpen)) {
    output.hint(`Some are not finished. Continue with: seller jobs:resume --profiles ${shellWord(flags.profiles ?? '')}`)
  }
}

function isOpen({ State, Running }: JobRecord): boolean {
  return !Running && UNFINISHED.includes(State)
}
