/** One job of the ledger with its rows, as jobs:show shows it. */

import type { Context } from '../../cli/context.js'
import type { ShownJob } from '../../contract/index.js'
import { EXIT } from '../../errors/index.js'
import type { Output, View } from '../../format/output/index.js'
import { jobRowsView, jobView, listingStepsView, partRowsView } from '../../format/views/jobs.js'
import { reasonLines } from '../../format/views/plans.js'
import { type HoldShown, isHeldBy } from '../../holds/index.js'
import { type BulkRow, type BulkRowState, bulkRows, hasParts, isBulkKind, listParts } from '../../jobs/bulk/index.js'
import { type Ledger, scheduledAt, showListing } from '../../jobs/index.js'
import { type Result, type Shown, shownList } from '../result.js'
import { explained } from '../rows/explained.js'
import { scheduledWords, shownJob, UNFINISHED, waysToEnd } from './list.js'
import { reasonOf } from './words.js'

/** States of rows for `--failed`: everything that was not carried out, or may not have been. */
const NOT_DONE: readonly BulkRowState[] = ['failed', 'retryable', 'unknown', 'held', 'skipped']

/** Which rows of a job are shown. */
export interface JobRowsFlags {
  readonly failed?: boolean | undefined
  readonly 'held-by'?: readonly string[] | undefined
}

/**
 * A job: for a person a card above its rows, in JSON one document with Rows (or Steps), else the rows.
 * @param failed only rows that were not carried out
 * @param heldBy codes: only rows that one of them holds
 */
export async function oneJob(
  ctx: Context,
  ledger: Ledger,
  jobId: number,
  { failed = false, 'held-by': heldBy }: JobRowsFlags,
): Promise<Result> {
  const job = ledger.jobs.show(jobId)
  const record = shownJob(ledger, job)
  const states = failed ? NOT_DONE : undefined
  const rowFilter = { states, heldBy }
  const hasReasons = failed || heldBy !== undefined
  const above = async (output: Output): Promise<void> => {
    await output.record(jobView, record)
    output.aside('')
  }
  const below = (output: Output): void => {
    const rows = job.Kind !== 'listing'
    // A narrow table cuts the reasons, although the rows are read for them.
    const why = hasReasons && rows && output.human ? [...reasons(ctx, ledger, jobId, heldBy)] : []
    if (why.length > 0) output.aside(['', ...reasonLines(why, output.width)].join('\n'))
    const scheduled = scheduledAt(ledger, job)
    if (scheduled !== undefined) output.hint(scheduledWords(ctx, job, scheduled))
    else if (UNFINISHED.includes(job.State) && !job.Running) output.hint(waysToEnd(ctx, { ...job, JobId: job.PartOf ?? jobId }))
  }
  return { shown: [jobContent()], code: EXIT.ok }

  function jobContent(): Shown {
    if (hasParts(job.Kind)) return shownParts(ctx, ledger, record, { ...rowFilter, above, below })
    if (isBulkKind(job.Kind)) {
      const view: View<JobRow> = { ...jobRowsView(job.Kind), within: { key: 'Rows', record } }
      return shownList({ view, rows: () => jobRows(ctx, ledger, jobId, rowFilter), above, below })
    }
    const { Steps, ...listing } = showListing(ledger, jobId)
    const undone = Steps.filter(({ State }) => State === 'failed' || State === 'unknown' || State === 'skipped')
    const view = { ...listingStepsView, within: { key: 'Steps', record: listing } }
    // No step of a listing is held.
    const steps = heldBy !== undefined ? [] : failed ? undone : Steps
    return shownList({ view, rows: () => steps, above, below })
  }
}

/** The rows of all parts in one list, each with its part. */
function shownParts(
  ctx: Context,
  ledger: Ledger,
  whole: ShownJob,
  { states, heldBy, ...around }: WantedRows & { above(output: Output): Promise<void>; below(output: Output): void },
): Shown {
  const parts = listParts(ledger, whole.JobId)
  const Parts = parts.map(({ JobId, Kind, State, Counts }) => ({ JobId, Kind, State, Counts }))
  const rows = function* () {
    for (const { JobId, Kind } of parts)
      for (const row of jobRows(ctx, ledger, JobId, { states, heldBy })) yield { ...row, JobId, Kind }
  }
  return shownList({ view: { ...partRowsView, within: { key: 'Rows', record: { ...whole, Parts } } }, rows, ...around })
}

/** A row as jobs:show prints it. */
export type JobRow = Omit<BulkRow, 'JobId' | 'Hold'> & HoldShown

/** The rows of a job that are shown: those in some states, and held by one of some codes. */
interface WantedRows {
  readonly states: readonly BulkRowState[] | undefined
  readonly heldBy: readonly string[] | undefined
}

function* jobRows(ctx: Context, ledger: Ledger, jobId: number, { states, heldBy }: WantedRows): Generator<JobRow> {
  for (const { JobId: _, ...row } of bulkRows(ledger, jobId, states)) if (isHeldBy(row.Hold, heldBy)) yield explained(ctx, row)
}

function* reasons(ctx: Context, ledger: Ledger, jobId: number, heldBy: readonly string[] | undefined) {
  for (const { JobId, Kind } of listParts(ledger, jobId))
    for (const row of bulkRows(ledger, JobId, NOT_DONE)) if (isHeldBy(row.Hold, heldBy)) yield reasonOf(ctx, row, Kind)
}
