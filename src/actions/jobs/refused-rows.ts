/** Files of rows that were not carried out. */

import { lstat, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from '../../cli/context.js'
import { makeDirectory } from '../../cli/directories.js'
import { checkOutputFile, writeOutputFile } from '../../cli/output-file.js'
import { SellerError } from '../../errors/index.js'
import { BULK_DETAIL, type BulkJob, type BulkRowState, listParts, refusedRows } from '../../jobs/bulk/index.js'
import type { JobRecord, Ledger } from '../../jobs/index.js'
import { type InputForm, type RefusedRow, refusedValues, writeRefusedRows } from '../../rows/index.js'
import { errnoOf } from '../../system/errno.js'
import { writeWholeFile } from '../../system/whole-file.js'
import type { CellKind, CellValue } from '../../workbook/write.js'

/** The files of rows that were not carried out. */
export interface RefusedRowsFlags {
  readonly 'held-file'?: string | undefined
  readonly 'failed-file'?: string | undefined
  /** Replaces files that exist. */
  readonly force?: boolean | undefined
}

/**
 * Writes the held rows, unless they go to the failed file anyway, or the only row was typed as an argument.
 * @param parts the jobs that have its rows; a removal that is a part is no row of the input
 * @returns the path; null if there are none
 */
export async function writeHeldRows(
  ctx: Context,
  job: Pick<BulkJob, 'JobId' | 'Counts'>,
  parts: readonly BulkJob[],
  { 'held-file': wanted, 'failed-file': failedFile, force = false }: RefusedRowsFlags,
): Promise<string | null> {
  if (job.Counts.held === 0 || (wanted === undefined && failedFile !== undefined)) return null
  const ledger = await ctx.ledger()
  const form = readForm(ledger, job.JobId)
  const jobIds = parts.filter(({ Kind, PartOf }) => Kind !== 'remove' || PartOf === null).map(({ JobId }) => JobId)
  const rows = () => listRefusedRows(ctx, ledger, jobIds, ['held'])
  if (wanted !== undefined) {
    await writeOutputFile(ctx, wanted, await buildContent(form, rows(), wanted), { force })
    return wanted
  }
  if (form.kind === 'arguments' && parts[0]?.Rows === 1) return null
  const workbook = form.kind === 'xlsx' ? await buildWorkbook(form, rows()) : undefined
  return writeBesideLedger(ctx, { jobId: job.JobId, form }, () => workbook ?? writeRefusedRows(form, rows()))
}

function* listRefusedRows(
  ctx: Pick<Context, 'text'>,
  ledger: Ledger,
  jobIds: readonly number[],
  states?: readonly BulkRowState[],
): Generator<RefusedRow> {
  for (const jobId of jobIds) yield* refusedRows(ledger, jobId, ctx.text, states)
}

/**
 * Writes the rows that failed, were held or name no live item. Rows of orders may name buyers.
 * @returns the path; null if there are none, or no file was asked for
 */
export async function writeFailedRows(
  ctx: Context,
  job: Pick<JobRecord, 'JobId' | 'Kind' | 'Counts'>,
  { 'failed-file': path, force = false }: RefusedRowsFlags,
  parts: readonly number[],
): Promise<string | null> {
  const { failed, retryable, held, skipped } = job.Counts
  if (path === undefined || failed + retryable + held + skipped === 0) return null
  const ledger = await ctx.ledger()
  const content = await buildContent(readForm(ledger, job.JobId), listRefusedRows(ctx, ledger, parts), path)
  await writeOutputFile(ctx, path, content, { force, private: job.Kind === 'order' })
  return path
}

/**
 * Refuses a file of failed rows that exists, before a job continues. The one that an earlier run of the job wrote may be
 * replaced, unless somebody has edited it.
 * @returns true if the file may be replaced
 * @throws {SellerError} usage
 */
export async function mayReplaceFailedRows(
  ctx: Context,
  jobId: number,
  { 'failed-file': path, force = false }: RefusedRowsFlags,
): Promise<boolean> {
  if (path === undefined) return force
  const ledger = await ctx.ledger()
  const parts = listParts(ledger, jobId).map(({ JobId }) => JobId)
  const own =
    force ||
    (await isSame(ctx.path(path), await buildContent(readForm(ledger, jobId), listRefusedRows(ctx, ledger, parts), path)))
  await checkOutputFile(ctx, path, { force: own })
  return own
}

/** True for a file, not a link to one, that has exactly this content. */
async function isSame(path: string, content: Uint8Array | Iterable<string>): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isFile() !== true) return false
  const there = await readFile(path).catch(() => undefined)
  return there?.equals(Buffer.from(content instanceof Uint8Array ? content : [...content].join(''))) === true
}

/**
 * Rows for a file whose name the seller chose: a workbook if it is called one, else the form they came in, CSV for those of a
 * workbook.
 */
async function buildContent(form: InputForm, rows: Iterable<RefusedRow>, path: string): Promise<Uint8Array | Iterable<string>> {
  return /\.xlsx$/i.test(path) ? buildWorkbook(form, rows) : writeRefusedRows(form, rows)
}

async function buildWorkbook(form: InputForm, rows: Iterable<RefusedRow>): Promise<Uint8Array> {
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
export function readForm(ledger: Pick<Ledger, 'jobs'>, jobId: number): InputForm {
  return ledger.jobs.detail(jobId, BULK_DETAIL).form
}

/** Number of files of one name that are tried, in a directory that is never tidied. */
const MOST_NAMESAKES = 1000

/**
 * Refuses an output that would overwrite the input, before anything is read.
 * @param outputs paths by flag, e.g. `--failed-file`
 * @throws {SellerError} usage
 */
export function refuseOverwriting(
  ctx: Pick<Context, 'path'>,
  input: string | undefined,
  outputs: Readonly<Record<string, string | undefined>>,
): void {
  const takenPaths = new Map<string, string>()
  if (input !== undefined && input !== '-') takenPaths.set(resolve(ctx.path(input)), 'the input')
  for (const [flag, path] of Object.entries(outputs)) {
    if (path === undefined) continue
    const other = takenPaths.get(resolve(ctx.path(path)))
    if (other !== undefined)
      throw new SellerError(
        'overwrites_input',
        `${flag}: "${path}" is also ${other}.`,
        'Name another file, or it would be overwritten.',
      )
    takenPaths.set(resolve(ctx.path(path)), `the file of ${flag}`)
  }
}

/**
 * Writes rows to a file named after the job, in its folder beside the ledger. Never overwrites a file.
 * @param make makes the pieces, once for each try
 * @returns the whole path
 */
async function writeBesideLedger(
  ctx: Pick<Context, 'dataDir'>,
  name: { readonly jobId: number; readonly form: InputForm },
  make: () => Iterable<string> | Uint8Array,
): Promise<string> {
  const directory = join(ctx.dataDir, 'jobs', String(name.jobId))
  makeDirectory(directory, 'SELLER_DATA_DIR')
  for (let number = 1; number <= MOST_NAMESAKES; number++) {
    const path = join(directory, `held-${name.jobId}${number === 1 ? '' : `-${number}`}.${extensionOf(name.form)}`)
    try {
      // A ledger that was here before may have had a job with the same number.
      await writeWholeFile(path, make(), { force: false })
      return path
    } catch (error) {
      const code = errnoOf(error)
      if (code === undefined) throw error
      if (code !== 'EEXIST') break
    }
  }
  throw new SellerError(
    'unwritable_file',
    `The file of held rows cannot be written to ${directory}.`,
    'Name a file with --held-file.',
  )
}

function extensionOf({ kind }: InputForm): string {
  if (kind === 'json' || kind === 'xlsx') return kind
  return kind === 'ndjson' || kind === 'yaml' ? 'ndjson' : 'csv'
}
