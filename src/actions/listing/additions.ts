/** shop:add --file and items:add --file with several items: each a call of its own, none ever sent twice by itself. */
import { Readable } from 'node:stream'
import type { Context } from '../../cli/context.js'
import { type ExitCode, SellerError } from '../../cli/errors.js'
import { faultDetail } from '../../cli/translate.js'
import { additionPlanView, type JobRunRecord } from '../../format/views/index.js'
import { addJobRows } from '../../jobs/bulk/index.js'
import { FAULTS_SHOWN, type ItemRecords, readItemRecords } from '../../pricing/index.js'
import { readInputFile } from '../input/file.js'
import type { FlagTexts } from '../input/flag-fields.js'
import type { InputKind } from '../input/index.js'
import { refuseOverwriting } from '../jobs/files.js'
import { type StartFlags, startJob } from '../jobs/start.js'
import { inShort } from '../prices/plan.js'
import { refusing } from '../prices/refusal.js'
import { showPlan } from '../prices/show.js'

export interface AdditionFlags extends StartFlags, FlagTexts {
  readonly file?: string
  readonly 'dry-run'?: boolean
}

/** What --file held: several items, or one (or none was named), for which `asking` reads stdin as if nobody had. */
export type Additions =
  | { readonly several: true; readonly bytes: Buffer; readonly file: string }
  | { readonly several: false; readonly asking: Pick<Context, 'stdin' | 'path' | 'prompts' | 'clock'> }

/** Flags that are about one item. */
const OF_ONE = ['image', 'mega-image', 'campaign', 'commit-anyway', 'description-file']
/** Flags that are about a run of rows. */
const OF_SEVERAL = ['verify', 'concurrency', 'failed-file']

/**
 * Looks whether --file holds several items: a CSV, a JSON array, NDJSON, a YAML sequence or several YAML documents.
 * @throws {SellerError} usage: the file cannot be read; a flag that is about one item beside several, or the other way round
 */
export async function additionsOf(ctx: Context, flags: AdditionFlags): Promise<Additions> {
  const { file } = flags
  const stray = (names: readonly string[]) => names.filter((name) => flags[name] !== undefined && flags[name] !== false)
  const asking = { stdin: ctx.stdin, path: ctx.path, prompts: ctx.prompts, clock: ctx.clock }
  const bytes = file === undefined ? undefined : await readInputFile(ctx, file)
  const several = bytes !== undefined && holdsSeveral(bytes.toString('utf8'))
  const wrong = stray(several ? OF_ONE : OF_SEVERAL)
  if (wrong.length > 0) {
    const names = wrong.map((name) => `--${name}`).join(', ')
    throw several
      ? new SellerError(
          'stray_flag',
          `The file holds several items, and ${names} is about one.`,
          'Add the items with images or a campaign code one at a time.',
        )
      : new SellerError(
          'stray_flag',
          `${names} is about a file of several items.`,
          'Leave it out, or give such a file: CSV, a JSON array, NDJSON or a YAML list.',
        )
  }
  if (bytes === undefined || file === undefined) return { several: false, asking }
  if (several) return { several, bytes, file }
  return { several: false, asking: file === '-' ? { ...asking, stdin: Readable.from([bytes]) } : asking }
}

/** By content, as everywhere: the first line that says something. */
export function holdsSeveral(text: string): boolean {
  const content = text
    .replace(/^\uFEFF/, '')
    .replace(/^(?:\s*(?:#.*)?(?:\r?\n|$))+/, '')
    .trimStart()
  if (content.startsWith('[')) return true
  // Values one after another, each on a line or spread over lines as jq prints them.
  if (content.startsWith('{')) return /\}\s*\n\s*\{/.test(content) && !isOneObject(content)
  if (/^-\s/.test(content)) return true
  const documents = content.replace(/^---.*\n/, '').split(/^---(?:[ \t].*)?$/m)
  if (documents.length > 1 && documents.slice(1).some((document) => document.trim() !== '')) return true
  const first = content.replace(/^---.*\n/, '').split('\n', 1)[0] ?? ''
  if (/^-\s/.test(first)) return true
  return !/^\s*["']?\w+["']?\s*:(?:\s|$)/.test(first) && /[,;\t]/.test(first)
}

function isOneObject(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export interface AddSeveral<T> {
  readonly command: string
  readonly kind: InputKind<T>
  readonly items: Extract<Additions, { several: true }>
  readonly flags: AdditionFlags
}

/**
 * Reads and checks all items, then shows or adds them. Flags that give fields fill what a row leaves out.
 * @returns what the run came to; undefined for a dry run, whose plan is written
 * @throws {SellerError} validation with everything wrong with all rows, before any call; what startJob throws
 */
export async function addSeveral<T>(
  ctx: Context,
  { command, kind, items, flags }: AddSeveral<T>,
): Promise<{ record: JobRunRecord; code: ExitCode } | undefined> {
  const { bytes, file } = items
  refuseOverwriting(ctx, file, { '--failed-file': flags['failed-file'] })
  const { operation } = kind
  const defaults = fieldsOf(kind, flags)
  const records = await refusing({ kind: 'file', path: file }, () => readItemRecords([bytes], operation, defaults, kind.complete))
  refuseFurther(records, kind, { file, now: ctx.clock.now() })
  const { length } = records.records
  const summary = { Rows: length, Change: length, Unchanged: 0, Unknown: 0, Held: 0, Calls: length }
  if (flags['dry-run'] === true) {
    const rows = records.records.map(({ line, value }) => ({ Line: line, Operation: operation, Request: value }))
    await showPlan(ctx, { view: additionPlanView, rows, summary, toDo: 'to add' })
    return undefined
  }
  const title = inShort(`${command} --file ${file}`)
  const start = {
    title,
    form: records.form,
    summary,
    calls: 0,
    verb: 'Add',
    toDo: 'to add',
    noun: operation === 'AddItem' ? 'item' : 'shop item',
    flags,
  }
  return startJob(ctx, { ...start, kind: operation === 'AddItem' ? 'add-item' : 'add-shop', rows: addJobRows(records) })
}

function fieldsOf<T>(kind: InputKind<T>, flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const { flag, field, read, list } of kind.flagFields) {
    const given = flags[flag]
    if (given === undefined) continue
    const values = (Array.isArray(given) ? given : [given]).map((text) => read(String(text), `--${flag}`))
    fields[field] = list === true ? values : values[0]
  }
  return fields
}

/** What the contract cannot know: dates that have passed. */
function refuseFurther<T>({ records }: ItemRecords, kind: InputKind<T>, { file, now }: { file: string; now: number }): void {
  const faults = records.flatMap(({ line, value }) =>
    kind.further(value, now).map(({ field, value: given, message }) => ({ line, field, value: String(given), message })),
  )
  if (faults.length === 0) return
  throw new SellerError(
    'invalid_input',
    [
      `${file === '-' ? 'Stdin' : file} has faults:`,
      ...faults.slice(0, FAULTS_SHOWN).map(({ line, field, value, message }) => `line ${line}, ${field} "${value}": ${message}`),
    ].join('\n'),
    'Nothing was sent.',
    { count: faults.length, faults: faults.slice(0, FAULTS_SHOWN).map(faultDetail) },
  )
}
