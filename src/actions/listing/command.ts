/** items:add and shop:add: one item, given by flags, a file or answers, or those of a file of several. */

import { Readable } from 'node:stream'
import type { Context } from '../../cli/context.js'
import { missingSettings } from '../../cli/profiles.js'
import type { OperationName } from '../../contract/index.js'
import { amountText, countOf } from '../../contract/numbers.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { type NotRead, notRead } from '../../format/views/not-read.js'
import { type AdditionPlanRowShown, additionPlanView } from '../../format/views/plans.js'
import { requestView } from '../../format/views/requests.js'
import { dryRunView } from '../../format/views/sending.js'
import { sentenceOf } from '../../holds/index.js'
import { callsInSteps } from '../../jobs/bulk/index.js'
import type { ItemRequestInput } from '../../jobs/index.js'
import { run, say, type Words } from '../../messages/index.js'
import { isArchive, readItemRecords, readText } from '../../rows/index.js'
import { openListing } from '../guided/guide.js'
import type { GuideFlags } from '../guided/types.js'
import { adviceFor } from '../input/advice.js'
import { profileDefaults, readFlagFields, refuseDefaults } from '../input/defaults.js'
import { readInputFile } from '../input/file.js'
import { type FlagTexts, inWords } from '../input/flag-fields.js'
import { foundIds, withIds } from '../input/ids.js'
import type { InputKind, ShopItemInput, Values } from '../input/kinds.js'
import { lazyIds } from '../input/lazy-ids.js'
import { photosOf } from '../input/photos.js'
import type { Asking } from '../input/read.js'
import { writeSkeleton } from '../input/skeleton.js'
import { confirmOnTerminal } from '../jobs/confirm.js'
import { warnNotCompared } from '../jobs/words.js'
import { chooseVat } from '../prices/costs.js'
import { allowedOver, codeOf, type GuardFlags, readGuards } from '../prices/guards.js'
import { storedCategoryNames } from '../reference/names.js'
import { type Result, recordResult } from '../result.js'
import { explained } from '../rows/explained.js'
import { type FileFlags, inputFile, refusing } from '../rows/input.js'
import { readAnswers } from '../rows/layouts.js'
import { plannedRows, type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'
import type { AddFlags, Adding } from './add.js'
import { findDoubles, refuseDouble, whyHeld } from './doubles.js'
import { imagesOfRows, shownImages } from './row-images.js'
import { listingPeriod, periodWords, reserveFees, type Terms, unknownFees } from './terms.js'

/**
 * Adds what is given.
 * @returns what became of it
 * @throws {SellerError} what the reading and the sending throw; guard (6): declined
 */
export async function addGiven<T>(
  ctx: Context,
  { command, kind, dryRun, question, send }: Adding<T>,
  givenFlags: AdditionFlags & GuideFlags & AddFlags & { readonly skeleton?: boolean },
): Promise<Result> {
  if (givenFlags.skeleton === true) {
    ctx.output.text(writeSkeleton(kind, ctx.clock.now()))
    return { shown: [], code: EXIT.ok }
  }
  refuseDefaults(ctx, kind.flagFields, givenFlags)
  const items = await readAdditions(ctx, givenFlags)
  const flags = await withIds(ctx, givenFlags)
  if (items.several) return addSeveral(ctx, { command, kind, items, flags })
  const listing = await openListing(ctx, kind, { command, asking: items.asking, flags })
  if (flags['dry-run'] === true) {
    const unread = notCompared(ctx, flags)
    warnNotCompared(ctx.output, unread)
    const hold = unread.length > 0 ? null : await whyHeld(ctx, listing.item.request as object, flags)
    if (hold !== null) ctx.output.warn(say`It would be held: ${sentenceOf(hold, false)}`)
    const categoryName = await storedCategoryNames(ctx)
    const dry = dryRun(listing.item, flags)
    const record = { ...dry, CategoryName: categoryName(dry.Request.CategoryId), NotRead: unread }
    return recordResult(dryRunView(kind.struct), explained(ctx, { ...record, Hold: hold }))
  }
  await refuseDouble(ctx, listing.item.request as object, flags)
  await listing.confirm(async (item) => {
    const message = question(item, flags, await storedCategoryNames(ctx))
    if (message !== undefined) await confirmOnTerminal(ctx, message, flags)
  })
  const { row, code } = await listing.send((item) => send(ctx, item, flags))
  const { ItemId, State } = row
  return recordResult(requestView, row, code, (output) => {
    if (State !== 'ok' || ItemId === null || !output.human) return
    output.hint(say`Look at it: ${run('items:show', { id: ItemId })}`)
  })
}

interface AdditionFlags extends RowsFlags, FlagTexts, GuardFlags, FileFlags {
  readonly file?: string | undefined
  /** Also add rows that would be doubles. */
  readonly again?: boolean | undefined
  /** Also write the plan to this file, as a page. */
  readonly html?: string | undefined
}

/** The content of --file: several items, or one (or no file). In that case, `asking` lets stdin be read as if it had not been. */
type Additions =
  | { readonly several: true; readonly bytes: Buffer; readonly file: string }
  | { readonly several: false; readonly asking: Asking }

/** Flags that concern one item. */
const OF_ONE = ['image', 'mega-image', 'campaign', 'commit-anyway', 'description-file', 'attribute']
/** Flags that concern a run of rows. */
const OF_SEVERAL = ['sheet', 'column', 'prices', 'verify', 'concurrency', 'failed-file', 'held-file', 'held-by', 'html']

/**
 * Finds out whether --file contains several items: a workbook, a CSV, a JSON array, NDJSON, a YAML sequence or several YAML
 * documents.
 * @throws {SellerError} usage: the file cannot be read; a flag for one item together with several, or the other way round
 */
async function readAdditions(ctx: Context, flags: AdditionFlags): Promise<Additions> {
  const { file } = flags
  const stray = (names: readonly string[]) => names.filter((name) => flags[name] !== undefined && flags[name] !== false)
  const bytes = file === undefined ? undefined : await readInputFile(ctx, file)
  const several = bytes !== undefined && (isArchive(bytes) || holdsSeveral(await decodedText(bytes)))
  const limits = several ? [] : allowedOver(flags, ({ over }) => over === 'additions').map((each) => `allow ${codeOf(each)}`)
  const wrong = [...stray(several ? OF_ONE : OF_SEVERAL), ...limits]
  if (wrong.length > 0) {
    const names = wrong.map((name) => `--${name}`).join(', ')
    const [are, them] = wrong.length === 1 ? ['is', 'it'] : ['are', 'them']
    throw several
      ? new SellerError(
          'stray_flag',
          `The file holds several items, and ${names} ${are} about one.`,
          wrong.includes('campaign')
            ? 'Add items with a campaign code one at a time.'
            : 'Name the images of each row in the column ItemImages, and its attributes in AttributeValues.',
        )
      : new SellerError(
          'stray_flag',
          `${names} ${are} about a file of several items.`,
          `Leave ${them} out, or give such a file: a workbook, CSV, a JSON array, NDJSON or a YAML list.`,
        )
  }
  if (several) return { several, bytes, file: file ?? '' }
  const context = await createAsking(ctx)
  if (bytes === undefined) return { several: false, asking: context }
  return { several: false, asking: file === '-' ? { ...context, stdin: Readable.from([bytes]) } : context }
}

async function createAsking(ctx: Context): Promise<Asking> {
  const { stdin, path, prompts, clock, currency, output } = ctx
  const note = (text: Words) => output.note(text)
  const { keepMetadata, fitting } = photosOf(ctx).options
  const defaults = await profileDefaults(ctx)
  return { stdin, path, prompts, clock, currency, ids: lazyIds(ctx), note, keepMetadata, fitting, defaults }
}

/** Text in no known encoding is left to the reader of sheets to refuse. */
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
function addSeveral<T>(ctx: Context, addition: AddSeveral<T>): Promise<Result> {
  const { items, flags } = addition
  const input = inputFile(items.file, flags)
  return runRows(ctx, { flags, input, outputs: { '--html': flags.html }, plan: () => additionPlan(ctx, addition) })
}

async function additionPlan<T>(
  ctx: Context,
  { command, kind, items, flags }: AddSeveral<T>,
): Promise<RowsPlan<AdditionPlanRowShown>> {
  const { bytes, file } = items
  const { operation } = kind
  const defaults = await readFlagFields(ctx, kind.flagFields, flags)
  const further = (value: Values) => kind.further(value, ctx.clock.now())
  const rules = { complete: kind.complete, further, words: inWords(kind.flagFields, ctx) }
  const answers = readAnswers(ctx, flags)
  const options = { sheet: flags.sheet, currency: ctx.currency, answers, vat: chooseVat(ctx, undefined) }
  const { records, images } = await refusing({ kind: 'file', path: file }, async () => {
    const itemRecords = await readItemRecords([bytes], operation, defaults, rules, options, (texts) =>
      foundIds(lazyIds(ctx), texts),
    )
    return {
      records: itemRecords,
      images: await imagesOfRows(ctx, itemRecords.records, { file, most: kind.maxImages, fit: flags.fit === true }),
    }
  })
  for (const note of records.notes) ctx.output.note(note)
  await answers.keep()
  const values = records.records.map(({ value }) => value)
  for (const advice of await adviceFor(ctx, values)) ctx.output.warn(advice)
  const unread = notCompared(ctx, flags)
  const compare = () => findDoubles(ctx, values, { ...flags, guards: readGuards(flags, ctx.profile.settings) })
  const { holds, stopped, calls } = unread.length > 0 ? { holds: [], stopped: null, calls: 0 } : await compare()
  const categoryName = await storedCategoryNames(ctx)
  const plannedRequests = records.records.map(({ line, value, extra }, at) => {
    const hold = holds[at] ?? null
    const State = hold === null ? ('change' as const) : ('held' as const)
    const own = images.get(at) ?? []
    const withOwn = (ItemImages: object) => (own.length === 0 ? value : { ...value, ItemImages })
    const CategoryName = categoryName((value as Values).CategoryId)
    const row = { Line: line, Operation: operation, Request: withOwn(shownImages(own)), CategoryName, State }
    return { shown: row, hold, sent: { payload: withOwn(own), extra } }
  })
  const title = `${command} --file ${file}`
  const kindOfJob = operation === 'AddItem' ? 'add-item' : 'add-shop'
  const { parts, summary, shownRows } = plannedRows<AdditionPlanRowShown>(ctx, kindOfJob, plannedRequests, stopped)
  const requests = shownRows.flatMap(({ State, Request }) => (State === 'change' ? [Request as AnyRequest] : []))
  const Calls = countCalls(operation, requests)
  if (flags.html !== undefined) {
    const { writeAdditionsPage } = await import('./page.js')
    const why = summary.Stopped?.Reason
    const page = { title, stopped: why, calls: Calls, rows: shownRows, images }
    await writeAdditionsPage(ctx, page, { html: flags.html, force: flags.force })
  }
  if (summary.Held > 0 && stopped === null) ctx.output.hint('To list the held rows all the same, add them with --again.')
  return {
    ...{ parts, summary: { ...summary, Calls, Fees: reserveFees(requests) }, notRead: unread },
    title,
    form: records.form,
    calls,
    verb: 'Add',
    noun: operation === 'AddItem' ? 'item' : 'shop item',
    toDo: 'to add',
    shown: {
      view: additionPlanView,
      rows: () => shownRows,
      titleOf: ({ Request }) => String(Request.Title ?? ''),
      facts: (unit) => additionFacts(requests, ctx.clock.now(), unit),
    },
  }
}

/** An auction with images takes several calls. */
function countCalls(operation: OperationName, requests: readonly AnyRequest[]): number {
  const calls = ({ ItemImages = [] }: AnyRequest) =>
    operation === 'AddItem' && ItemImages.length > 0 ? callsInSteps(ItemImages.length) : 1
  return requests.reduce((sum, request) => sum + calls(request), 0)
}

type AnyRequest = Terms &
  Partial<Pick<ItemRequestInput, 'StartPrice' | 'BuyItNowPrice'> & Pick<ShopItemInput, 'Price'>> & {
    readonly ItemImages?: readonly object[]
  }

/**
 * Facts that are said yes to beside the rows: the sum of their prices, when they begin and end, and what the service charges.
 * @param now ms since 1970
 */
function additionFacts(requests: readonly AnyRequest[], now: number, unit: string): string[] {
  const sum = requests.reduce(
    (total, { Price, StartPrice, BuyItNowPrice }) => total + (Price ?? (StartPrice || BuyItNowPrice || 0)),
    0,
  )
  const period = periodWords(requests.map((request) => listingPeriod(request, now)))
  const images = requests.reduce((count, { ItemImages }) => count + (ItemImages?.length ?? 0), 0)
  return [
    `Sum of the prices: ${amountText(sum, unit)}.`,
    ...(images === 0 ? [] : [`${countOf(images, 'image')} to send with them.`]),
    ...(period === '' ? [] : [period]),
    ...unknownFees(requests),
  ]
}

/**
 * The live list, where items are not compared with it: by --again, or because nobody is logged in. Such a plan can be shown,
 * which checks the file, and is not sent.
 */
function notCompared({ profile }: Context, { again }: AdditionFlags): NotRead[] {
  if (again === true) return [notRead('live_items', 'again')]
  return missingSettings(profile, true).length > 0 ? [notRead('live_items', 'not_logged_in')] : []
}
