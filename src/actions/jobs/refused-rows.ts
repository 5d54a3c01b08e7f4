/** Files of rows that were not carried out. */

import type { Context } from '../../cli/context.js'
import { writeOutputFile } from '../../cli/output-file.js'
import { type BulkJob, refusedRows } from '../../jobs/bulk/index.js'
import type { Ledger } from '../../jobs/index.js'
import { type InputForm, writeRefusedRows } from '../../pricing/index.js'
import { writeHere } from './files.js'

/**
 * Writes the held rows, unless they go to the failed file anyway.
 * @param wanted `--held-file`
 * @returns the path; null if there are none
 */
export async function writeHeldRows(
  ctx: Context,
  job: Pick<BulkJob, 'JobId' | 'Counts'>,
  wanted: string | undefined,
  failedFile: string | undefined,
): Promise<string | null> {
  if (job.Counts.held === 0 || (wanted === undefined && failedFile !== undefined)) return null
  const ledger = await ctx.ledger()
  const form = formOf(ledger, job.JobId)
  const pieces = () => writeRefusedRows(form, refusedRows(ledger, job.JobId, ['held']))
  if (wanted === undefined) return writeHere(ctx, { stem: `held-${job.JobId}`, form }, pieces)
  await writeOutputFile(ctx, wanted, pieces(), true)
  return wanted
}

/**
 * Writes the rows that failed, were held or name no live item.
 * @param path `--failed-file`
 * @returns the path; null if there are none, or no file was asked for
 */
export async function writeFailedRows(ctx: Context, job: BulkJob, path: string | undefined): Promise<string | null> {
  const { failed, retryable, held, skipped } = job.Counts
  if (path === undefined || failed + retryable + held + skipped === 0) return null
  const ledger = await ctx.ledger()
  await writeOutputFile(ctx, path, writeRefusedRows(formOf(ledger, job.JobId), refusedRows(ledger, job.JobId)), true)
  return path
}

/** The form in which the rows of a job came in. */
export function formOf(ledger: Pick<Ledger, 'jobs'>, jobId: number): InputForm {
  return ledger.jobs.detail<{ form: InputForm }>(jobId).form
}
