/** Files of rows that were not carried out. */

import type { Context } from '../../cli/context.js'
import { writeOutputFile } from '../../cli/output-file.js'
import { type BulkJob, type BulkRowState, refusedRows } from '../../jobs/bulk/index.js'
import type { Ledger } from '../../jobs/index.js'
import { type InputForm, type RefusedRow, refusedValues, writeRefusedRows } from '../../rows/index.js'
import type { CellKind, CellValue } from '../../workbook/write.js'
import { writeBesideLedger } from './files.js'

/**
 * Writes the held rows, unless they go to the failed file anyway, or the only row was typed as an argument.
 * @param parts the jobs that have its rows; a removal that is a part is no row of the input
 * @param wanted `--held-file`
 * @returns the path; null if there are none
 */
export async function writeHeldRows(
  ctx: Context,
  job: Pick<BulkJob, 'JobId' | 'Counts'>,
  parts: readonly BulkJob[],
  wanted: string | undefined,
  failedFile: string | undefined,
): Promise<string | null> {
  if (job.Counts.held === 0 || (wanted === undefined && failedFile !== undefined)) return null
  const ledger = await ctx.ledger()
  const form = formOf(ledger, job.JobId)
  const written = parts.filter(({ Kind, PartOf }) => Kind !== 'remove' || PartOf === null).map(({ JobId }) => JobId)
  const rows = () => refusedOf(ledger, written, ['held'])
  if (wanted !== undefined) {
    await writeOutputFile(ctx, wanted, await contentOf(form, rows(), wanted), { force: true })
    return wanted
  }
  if (form.kind === 'arguments' && parts[0]?.Rows === 1) return null
  const workbook = form.kind === 'xlsx' ? await workbookOf(form, rows()) : undefined
  return writeBesideLedger(ctx, { jobId: job.JobId, form }, () => workbook ?? writeRefusedRows(form, rows()))
}

function* refusedOf(ledger: Ledger, jobIds: readonly number[], states?: readonly BulkRowState[]): Generator<RefusedRow> {
  for (const jobId of jobIds) yield* refusedRows(ledger, jobId, states)
}

/**
 * Writes the rows that failed, were held or name no live item.
 * @param path `--failed-file`
 * @returns the path; null if there are none, or no file was asked for
 */
export async function writeFailedRows(
  ctx: Context,
  job: Pick<BulkJob, 'JobId' | 'Counts'>,
  path: string | undefined,
  parts: readonly number[] = [job.JobId],
): Promise<string | null> {
  const { failed, retryable, held, skipped } = job.Counts
  if (path === undefined || failed + retryable + held + skipped === 0) return null
  const ledger = await ctx.ledger()
  await writeOutputFile(ctx, path, await contentOf(formOf(ledger, job.JobId), refusedOf(ledger, parts), path), { force: true })
  return path
}

/** Rows for a file whose name the seller chose: a workbook if it is called one, else the form they came in, CSV for those of a workbook. */
async function contentOf(form: InputForm, rows: Iterable<RefusedRow>, path: string): Promise<Uint8Array | Iterable<string>> {
  return /\.xlsx$/i.test(path) ? workbookOf(form, rows) : writeRefusedRows(form, rows)
}

async function workbookOf(form: InputForm, rows: Iterable<RefusedRow>): Promise<Uint8Array> {
  const { SheetWriter } = await import('../../workbook/write.js')
  const pieces: Uint8Array[] = []
  const columns = form.columns.map((header, index) => ({ header, kind: kindOf(form.fields?.[index] ?? header) }))
  const sheet = new SheetWriter({
    name: 'held and failed',
    columns: [...columns, { header: '_Reason', kind: 'text' }],
    write: (bytes) => void pieces.push(bytes),
  })
  for (const row of rows) await sheet.add(refusedValues(form, row).map(cellOf))
  await sheet.end()
  return Buffer.concat(pieces)
}

function kindOf(field: string): CellKind {
  if (/^(id|number|ownreference)$/i.test(field)) return 'id'
  return /price|bid$/i.test(field) ? 'kronor' : 'text'
}

function cellOf(value: unknown): CellValue {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join('|')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The form in which the rows of a job came in. */
export function formOf(ledger: Pick<Ledger, 'jobs'>, jobId: number): InputForm {
  return ledger.jobs.detail<{ form: InputForm }>(jobId).form
}
