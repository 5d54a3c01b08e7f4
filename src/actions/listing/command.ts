/** items:add and shop:add: one item, given by flags, a file or answers, or those of a file of several. */

import { Readable } from 'node:stream'
import type { Context } from '../../cli/context.js'
import { missingSettings } from '../../cli/profiles.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { type AdditionPlanRowShown, additionPlanView, dryRunView, requestView } from '../../format/views/index.js'
import { addJobRows } from '../../jobs/bulk/index.js'
import { countsOf } from '../../pricing/index.js'
import { type ItemRecords, isArchive, readItemRecords, readText } from '../../rows/index.js'
import { openListing } from '../guided/guide.js'
import type { GuideFlags } from '../guided/types.js'
import { adviceFor } from '../input/advice.js'
import { fieldsOf, profileDefaults } from '../input/defaults.js'
import { readInputFile } from '../input/file.js'
import type { FlagTexts } from '../input/flag-fields.js'
import { foundIds, idsOf, withIds } from '../input/ids.js'
import type { InputKind, Values } from '../input/kinds.js'
import type { Asking } from '../input/read.js'
import { skeletonOf } from '../input/skeleton.js'
import { confirmOnTerminal } from '../jobs/confirm.js'
import { type GuardFlags, guardFlags, guardsOf } from '../prices/guards.js'
import { type Result, recordResult } from '../result.js'
import { inputFile, refusing } from '../rows/input.js'
import { type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'
import type { AddFlags, Adding } from './add.js'
import { type Doubles, findDoubles, refuseDouble } from './doubles.js'

/** Adds what is given. @returns what became of it @throws {SellerError} what the reading and the sending throw; guard (6): declined */
export async function addGiven<T>(
  ctx: Context,
  { command, kind, dryRun, question, send }: Adding<T>,
  given: AdditionFlags & GuideFlags & AddFlags & { readonly skeleton?: boolean },
): Promise<Result> {
  if (given.skeleton === true) {
    ctx.output.text(skeletonOf(kind, ctx.clock.now()))
    return { shown: [], code: EXIT.ok }
  }
  const items = await additionsOf(ctx, given)
  const flags = await withIds(ctx, given)
  if (items.several) return addSeveral(ctx, { command, kind, items, flags })
  const listing = await openListing(ctx, kind, { command, asking: items.asking, flags })
  if (flags['dry-run'] === true) return recordResult(dryRunView(kind.struct), dryRun(listing.item, flags))
  await refuseDouble(ctx, listing.item.request as object, flags)
  await listing.confirm(async (item) => {
    const message = question(item, flags)
    if (message !== undefined) await confirmOnTerminal(ctx, message, flags)
  })
  const { row, code } = await listing.send((item) => send(ctx, item, flags))
  const { ItemId, State } = row
  return recordResult(requestView, row, code, (output) => {
    if (State !== 'ok' || ItemId === null || !output.human) return
    output.hint(`Look at it: seller items:show ${ItemId}`)
  })
}

interface AdditionFlags extends RowsFlags, FlagTexts, GuardFlags {
  readonly file?: string
  /** Of a workbook. */
  readonly sheet?: string
  /** Also add rows that would be doubles. */
  readonly again?: boolean
}

/** The content of --file: several items, or one (or no file). In that case, `asking` lets stdin be read as if it had not been. */
type Additions =
  | { readonly several: true; readonly bytes: Buffer; readonly file: string }
  | { readonly several: false; readonly asking: Asking }

/** Flags that concern one item. */
const OF_ONE = ['image', 'mega-image', 'campaign', 'commit-anyway', 'description-file', 'attribute']
/** Flags that concern a run of rows. */
const OF_SEVERAL = ['sheet', 'verify', 'concurrency', 'failed-file', 'held-file', ...Object.keys(guardFlags('additions'))]

/**
 * Finds out whether --file contains several items: a workbook, a CSV, a JSON array, NDJSON, a YAML sequence or several YAML documents.
 * @throws {SellerError} usage: the file cannot be read; a flag for one item together with several, or the other way round
 */
async function additionsOf(ctx: Context, flags: AdditionFlags): Promise<Additions> {
  const { file } = flags
  const stray = (names: readonly string[]) => names.filter((name) => flags[name] !== undefined && flags[name] !== false)
  const bytes = file === undefined ? undefined : await readInputFile(ctx, file)
  const several = bytes !== undefined && (isArchive(bytes) || holdsSeveral(await decodedText(bytes)))
  const wrong = stray(several ? OF_ONE : OF_SEVERAL)
  if (wrong.length > 0) {
    const names = wrong.map((name) => `--${name}`).join(', ')
    const [are, them] = wrong.length === 1 ? ['is', 'it'] : ['are', 'them']
    throw several
      ? new SellerError(
          'stray_flag',
          `The file holds several items, and ${names} ${are} about one.`,
          'Add items with images or a campaign code one at a time; attributes have a column, AttributeValues.',
        )
      : new SellerError(
          'stray_flag',
          `${names} ${are} about a file of several items.`,
          `Leave ${them} out, or give such a file: a workbook, CSV, a JSON array, NDJSON or a YAML list.`,
        )
  }
  if (several) return { several, bytes, file: file ?? '' }
  const asking = await askingOf(ctx)
  if (bytes === undefined) return { several: false, asking }
  return { several: false, asking: file === '-' ? { ...asking, stdin: Readable.from([bytes]) } : asking }
}

async function askingOf(ctx: Context): Promise<Asking> {
  const { stdin, path, prompts, clock, output } = ctx
  const note = (text: string) => output.note(text)
  return { stdin, path, prompts, clock, ids: idsOf(ctx), note, defaults: await profileDefaults(ctx) }
}

/** What is text in no encoding is left to the reader of sheets to refuse. */
async function decodedText(bytes: Buffer): Promise<string> {
  return readText(bytes).then(
    ({ text }) => text,
    () => bytes.toString('utf8'),
  )
}

/** Decided by content, as everywhere: by the first line that is not empty. */
export function holdsSeveral(text: string): boolean {
  const content = text
    .replace(/^\uFEFF/, '')
    .replace(/^(?:\s*(?:#.*)?(?:\r?\n|$))+/, '')
    .trimStart()
  if (content.startsWith('[')) return true
  // Values one after another, each on a line or over several lines as jq prints them.
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

interface AddSeveral<T> {
  readonly command: string
  readonly kind: InputKind<T>
  readonly items: Extract<Additions, { several: true }>
  readonly flags: AdditionFlags
}

/**
 * Reads and checks all items, then shows or adds them. Flags for fields apply to rows that leave the field out.
 * @returns as runRows
 * @throws {SellerError} validation with every fault of all rows, before any call; what runRows throws
 */
function addSeveral<T>(ctx: Context, adding: AddSeveral<T>): Promise<Result> {
  const { items, flags } = adding
  return runRows(ctx, { flags, input: inputFile(items.file, flags.sheet), plan: () => additionPlan(ctx, adding) })
}

async function additionPlan<T>(
  ctx: Context,
  { command, kind, items, flags }: AddSeveral<T>,
): Promise<RowsPlan<AdditionPlanRowShown>> {
  const { bytes, file } = items
  const { operation } = kind
  const defaults = await fieldsOf(ctx, kind.flagFields, flags)
  const rules = { complete: kind.complete, further: (value: Values) => kind.further(value, ctx.clock.now()) }
  const records = await refusing({ kind: 'file', path: file }, () =>
    readItemRecords([bytes], operation, defaults, rules, flags.sheet, (texts) => foundIds(idsOf(ctx), texts)),
  )
  for (const note of records.notes) ctx.output.note(note)
  const values = records.records.map(({ value }) => value)
  for (const advice of await adviceFor(ctx, values)) ctx.output.warn(advice)
  const { reasons: found, stopped, calls } = await doublesOf(ctx, records, flags)
  const reasons = stopped === null ? found : found.map((reason) => reason ?? stopped.Reason)
  const planned = records.records.map(({ line, value }, at): AdditionPlanRowShown => {
    const Reason = reasons[at] ?? null
    return { Line: line, Operation: operation, Request: value, State: Reason === null ? 'change' : 'held', Reason }
  })
  const counts = countsOf(planned)
  if (counts.Held > 0 && stopped === null) ctx.output.hint('To list the held rows all the same, add them with --again.')
  return {
    parts: [{ kind: operation === 'AddItem' ? 'add-item' : 'add-shop', rows: addJobRows(records, reasons) }],
    title: `${command} --file ${file}`,
    form: records.form,
    summary: { ...counts, Calls: counts.Change, Stopped: stopped },
    calls,
    verb: 'Add',
    noun: operation === 'AddItem' ? 'item' : 'shop item',
    toDo: 'to add',
    shown: {
      view: additionPlanView,
      rows: () => planned,
      titleOf: ({ Request }) => String(Request.Title ?? ''),
    },
  }
}

/** Why rows would be doubles. A dry run without credentials does not compare, because it has always worked without any. */
async function doublesOf(ctx: Context, { records }: ItemRecords, flags: AdditionFlags): Promise<Doubles> {
  const notLoggedIn = flags['dry-run'] === true && missingSettings(ctx.profile, true).length > 0
  if (flags.again === true || notLoggedIn) return { reasons: records.map(() => undefined), stopped: null, calls: 0 }
  const items = records.map(({ value }) => value)
  return findDoubles(ctx, items, { ...flags, guards: guardsOf(flags, ctx.profile.settings) })
}
