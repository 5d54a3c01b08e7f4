/** Jobs of the ledger, as commands list and show them. */

import type { Context } from '../../cli/context.js'
import { jobRowsView, jobView, listingStepsView, partRowsView, reasonLines } from '../../format/views/index.js'
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
export function* listedJobs(ledger: Ledger, filter: JobFilter): Generator<JobRecord> {
  for (const job of ledger.jobs.list({ ...filter, partOf: null })) yield shownJob(ledger, job)
}

/** The unfinished jobs of this profile and seller, the newest first. */
export function unfinishedJobs(ctx: Context, ledger: Ledger): JobRecord[] {
  const { name, settings } = ctx.profile
  return ledger.jobs
    .list({ profile: name, state: UNFINISHED, partOf: null })
    .filter(({ UserId }) => UserId === null || settings.user_id === undefined || UserId === settings.user_id)
}

/** The newest of them. One that is not running comes before one that is. */
export function newestUnfinished(ctx: Context, ledger: Ledger): JobRecord | undefined {
  const own = unfinishedJobs(ctx, ledger)
  return own.find(({ Running }) => !Running) ?? own[0]
}

/**
 * Writes a job: for a person a card above its rows, in JSON one document with Rows (or Steps), else the rows.
 * @param failed only rows that were not carried out
 */
export async function writeJob(ctx: Context, ledger: Ledger, jobId: number, failed: boolean): Promise<void> {
  const { output } = ctx
  const job = ledger.jobs.show(jobId)
  const shown = shownJob(ledger, job)
  if (output.human) {
    await output.record(jobView, shown)
    output.aside('')
  }
  if (hasParts(job.Kind)) await writeParts(ctx, ledger, shown, failed)
  else if (isBulkKind(job.Kind)) {
    const rows = bulkRows(ledger, jobId, failed ? NOT_DONE : undefined)
    await output.list<BulkRow>({ ...jobRowsView(job.Kind), within: { key: 'Rows', record: shown } }, rows)
    // A narrow table cuts the reasons, although the rows are read for them.
    if (failed && output.human) output.aside(['', ...reasonLines(reasons(ledger, jobId), output.width)].join('\n'))
  } else {
    const { Steps, ...listing } = showListing(ledger, jobId)
    const steps = failed ? Steps.filter(({ State }) => State === 'failed' || State === 'unknown' || State === 'skipped') : Steps
    await output.list({ ...listingStepsView, within: { key: 'Steps', record: listing } }, steps)
  }
  if (UNFINISHED.includes(job.State) && !job.Running) output.hint(goOn(ctx, { ...job, JobId: job.PartOf ?? jobId }))
}

/** The rows of all parts in one list, each with its part. */
async function writeParts(ctx: Context, ledger: Ledger, whole: JobRecord, failed: boolean): Promise<void> {
  const { output } = ctx
  const parts = partsOf(ledger, whole.JobId)
  const states = failed ? NOT_DONE : undefined
  const Parts = parts.map(({ JobId, Kind, State, Counts }) => ({ JobId, Kind, State, Counts }))
  const rows = function* () {
    for (const { JobId, Kind } of parts) for (const row of bulkRows(ledger, JobId, states)) yield { ...row, JobId, Kind }
  }
  await output.list({ ...partRowsView, within: { key: 'Rows', record: { ...whole, Parts } } }, rows())
  if (!failed || !output.human) return
  const why = parts.flatMap(({ JobId }) => [...reasons(ledger, JobId)])
  output.aside(['', ...reasonLines(why, output.width)].join('\n'))
}

function* reasons(ledger: Ledger, jobId: number) {
  for (const row of bulkRows(ledger, jobId, NOT_DONE)) yield reasonOf(row)
}

/** The commands that end an unfinished job in one way or another. */
export function goOn(ctx: Context, job: Pick<JobRecord, 'JobId' | 'Profile'>): string {
  const flag = flagOf(ctx, job)
  return `Continue with: seller jobs:resume ${job.JobId}${flag}. Or drop it with: seller jobs:drop ${job.JobId}${flag}`
}

/** ` --profile NAME` if the job belongs to another profile than the one in use. */
function flagOf(ctx: Context, job: Pick<JobRecord, 'Profile'>): string {
  return job.Profile === ctx.profile.name ? ctx.profileFlag() : ` --profile ${job.Profile}`
}
