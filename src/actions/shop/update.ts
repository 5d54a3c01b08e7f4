/**
 * shop:update: changes fields of shop items, as a job that has a plan, guards and an undo: those of one item, the same value for
 * the items of a choice, or the rows of a file. Prices are left to shop:price.
 */

import type { Context } from '../../cli/context.js'
import { InputFaults } from '../../cli/input-faults.js'
import { requireOffered } from '../../cli/saved-description.js'
import { checkInput, type InputFault, MAX_SHOP_ITEM_IMAGES, operations, ShopItemData } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import type { SyncRowShown } from '../../format/views/sync.js'
import { storedImages, storedWithin } from '../../jobs/bulk/index.js'
import { ownHelp, run, say } from '../../messages/index.js'
import {
  changedFields,
  type DifferingRow,
  fieldsToCompare,
  isShownField,
  isTextField,
  type LiveCatalogueItem,
  type LiveItem,
  liveField,
  selector,
  type UpdatePlan,
} from '../../pricing/index.js'
import { type InputForm, readCatalogue, StoredList, shopField } from '../../rows/index.js'
import { SpillFile } from '../../system/spill-file.js'
import { readDocument } from '../input/document.js'
import { folderOf, readInputFile } from '../input/file.js'
import { type FlagTexts, inWords, readField, SHOP_FLAG_FIELDS } from '../input/flag-fields.js'
import { givenFields } from '../input/given.js'
import { foundIds, withIds } from '../input/ids.js'
import { type ShopItemInput, topOf } from '../input/kinds.js'
import { lazyIds } from '../input/lazy-ids.js'
import { type Photos, photosOf } from '../input/photos.js'
import { type NamedImage, readImages } from '../input/read.js'
import { typedFields } from '../input/typed.js'
import { itemsToChange } from '../items/show.js'
import { type GuardFlags, readGuards } from '../prices/guards.js'
import { liveItems, SHOP } from '../prices/live.js'
import type { Absence } from '../prices/seen.js'
import {
  CHOICES_HINT,
  readSelection,
  refuseNothingChosen,
  type SelectFlags,
  selected,
  selectionWords,
} from '../prices/selection.js'
import type { Result } from '../result.js'
import { fieldsToSend } from '../rows/fields.js'
import { refusing } from '../rows/input.js'
import { type RowsFlags, type RowsPlan, runRows } from '../rows/run-rows.js'
import { syncShop } from './sync/sync.js'
import { fieldsPlan, wholeItem } from './sync/updates.js'

/** Fields with the values that they get. */
type Given = Readonly<Record<string, unknown>>

export interface UpdateFlags extends RowsFlags, GuardFlags, Absence {
  /** FIELD=VALUE, for one item or the items of a choice. */
  readonly set?: readonly string[] | undefined
  readonly all?: boolean | undefined
  readonly search?: string | undefined
  readonly file?: string | undefined
  readonly sheet?: string | undefined
  /** Also write the plan to this file, as a page. */
  readonly html?: string | undefined
}

/**
 * Plans the change, and shows or sends it.
 * @param id of the item; undefined for a choice, or the rows of a file
 * @param texts of the flags that give or choose
 * @returns as runRows
 * @throws {SellerError} usage: nothing to change; validation with every fault of what is given; what runRows throws
 */
export async function updateShop(ctx: Context, id: number | undefined, flags: UpdateFlags & FlagTexts): Promise<Result> {
  const { set = [], file } = flags
  if (id === undefined && set.length === 0 && file !== undefined) {
    await requireOffered(ctx, 'UpdateShopItem')
    return syncShop(ctx, { ...flags, file, vat: undefined, 'add-none': true })
  }
  if (id === undefined && set.length === 0) {
    const faults = new InputFaults()
    readFields(ctx, flags, faults)
    faults.throwIfAny()
    throw new SellerError(
      'missing_argument',
      'Missing argument: ID.',
      say`Give an id, --file FILE, or --set FIELD=VALUE with ${CHOICES_HINT}. See ${ownHelp}.`,
    )
  }
  const origin = id === undefined ? ({ kind: 'rule' } as const) : ({ kind: 'arguments' } as const)
  const words = id === undefined ? '' : String(id)
  const fields = id === undefined ? undefined : await readChange(ctx, id, flags)
  const plan = async () => {
    if (flags['dry-run'] !== true || id === undefined) await requireOffered(ctx, 'UpdateShopItem')
    return id === undefined || fields === undefined ? chosenPlan(ctx, flags) : onePlan(ctx, { id, given: fields, words }, flags)
  }
  return runRows(ctx, { flags, input: { origin, words }, outputs: { '--html': flags.html }, plan })
}

const form = (fields: Given): InputForm => ({ kind: 'arguments', columns: ['Id', ...Object.keys(fields)] })

/** Plans the change of one item, which is read by itself: it may not be on sale yet. */
async function onePlan(
  ctx: Context,
  { id, given, words }: { readonly id: number; readonly given: Given; readonly words: string },
  flags: UpdateFlags,
): Promise<RowsPlan<SyncRowShown>> {
  const client = await ctx.client()
  const { items, faults } = await itemsToChange(client, [id], ({ ItemType }) =>
    ItemType === 'ShopItem' ? undefined : say`Item ${id} is not a shop item; its type is ${ItemType}.`,
  )
  const [item] = items
  if (item === undefined)
    throw new SellerError(
      'cannot_be_changed',
      faults[0] ?? '',
      say`Nothing was sent. See your shop items with: ${run('items:list', { '--type': 'shop' })}`,
    )
  const rows = differing([[item as LiveItem & LiveCatalogueItem, given]])
  const guards = readGuards(flags, ctx.profile.settings)
  const plan = await fieldsPlan(ctx, client, rows, { guards, shop: [item as LiveItem] })
  const unchanged = rows.length === 0 ? 1 : 0
  return planToSend(ctx, flags, { ...plan, unchanged }, { form: form(given), title: `shop:update ${words}`, calls: 1 })
}

/** The plan as a job takes it. Writes its page, if one is asked for. @param calls made for it */
async function planToSend(
  ctx: Context,
  { html, force }: Pick<UpdateFlags, 'html' | 'force'>,
  plan: UpdatePlan & { readonly unchanged: number },
  { form, title, calls }: Pick<RowsPlan<SyncRowShown>, 'form' | 'title' | 'calls'>,
): Promise<RowsPlan<SyncRowShown>> {
  const rows = fieldsToSend(ctx, plan, form)
  if (html !== undefined) {
    const { imagesOfUpdates, writeChangesPage } = await import('./sync/page.js')
    const { Change: Update, Stopped = null, ...counts } = rows.summary
    const changes = { heading: 'Update', rows: rows.shown.rows(false), images: imagesOfUpdates(plan), title } as const
    await writeChangesPage(ctx, { ...changes, summary: { ...counts, Update, Stopped } }, html, force)
  }
  return { ...rows, title, calls, verb: 'Change' }
}

/** Plans the same values for each item of a choice. */
async function chosenPlan(ctx: Context, flags: UpdateFlags & FlagTexts): Promise<RowsPlan<SyncRowShown>> {
  const { set = [], category, reference } = flags
  const [glob, another] = [reference ?? []].flat().map(String)
  if (another !== undefined)
    throw new SellerError('wrong_usage', '--reference is given twice.', 'One glob chooses items: --reference "A-*".')
  const selection = readSelection({
    all: flags.all,
    search: flags.search,
    reference: glob,
    category: category as SelectFlags['category'],
  })
  if (selection === undefined)
    throw new SellerError(
      'rule_without_items',
      'A field is set, but no items are chosen.',
      `Give ${CHOICES_HINT} together with --set FIELD=VALUE.`,
    )
  const fields = await readSets(ctx, set)
  const select = await selected(ctx, selection)
  const client = await ctx.client()
  const spill = new SpillFile(ctx.dataDir)
  const shop = new StoredList<LiveItem>(spill)
  const rows = new StoredList<DifferingRow>(spill)
  const isSelected = selector(select)
  const whole = wholeItem(ctx, client)
  let [calls, chosenItems] = [1, 0]
  const list = { ...SHOP, also: ['RemainingQuantity', ...fieldsToCompare(Object.keys(fields))] as const }
  for await (const liveItem of liveItems(ctx, client, list)) {
    const { Id, ItemType, CategoryId, ShortDescription, OwnReferences } = liveItem
    shop.push({ Id, ItemType, CategoryId, ShortDescription })
    if (ItemType !== 'ShopItem' || !isSelected(liveItem)) continue
    chosenItems++
    const leavesOut = Object.keys(fields).some(
      (field) => isShownField(field) && liveField(liveItem as LiveCatalogueItem, field) === undefined,
    )
    if (leavesOut) calls++
    const item = (leavesOut ? await whole(Id) : null) ?? (liveItem as LiveCatalogueItem)
    const differences = changedFields(fields, item)
    const row = { line: 0, references: OwnReferences ?? [], given: fields, extra: [] }
    if (differences.length > 0)
      rows.push({ row, item: { Id, ItemType, CategoryId, ShortDescription, OwnReferences }, differences })
  }
  if (chosenItems === 0) refuseNothingChosen(select)
  const guards = readGuards(flags, ctx.profile.settings)
  const plan = await fieldsPlan(ctx, client, rows, { guards, shop })
  const title = `shop:update ${selectionWords(selection)} ${set.map((each) => `--set ${each}`).join(' ')}`
  const form = { kind: 'rule', columns: ['Id', ...Object.keys(fields)] } as const
  return planToSend(ctx, flags, { ...plan, unchanged: chosenItems - rows.length }, { form, title, calls })
}

/** Reads FIELD=VALUE texts, by the names and in the forms that a catalogue takes. An empty value empties a text. */
async function readSets(ctx: Context, texts: readonly string[]): Promise<Given> {
  const faults = new InputFaults()
  const fields: Record<string, unknown> = {}
  const cells: [field: string, value: string][] = []
  for (const text of texts) {
    const [name = '', ...rest] = text.split('=')
    const [field, value] = [shopField(name), rest.join('=').trim()]
    const fault = (message: string) => faults.add({ field: '--set', value: text, message })
    if (rest.length === 0) fault('is not FIELD=VALUE, e.g. VAT=25')
    else if (field === undefined)
      fault('names no field of a shop item, such as Title, Description, CategoryId, VAT or ShippingOptions')
    else if (field === 'Price') fault('is set by shop:price, which checks it and can undo it')
    else if (field === 'OwnReferences' || field === 'Quantity') fault('is not a field that many items have alike')
    else if (value !== '') cells.push([field, value])
    else if (field === 'Title' || !isTextField(field)) fault('cannot be empty: the service has no way to empty it')
    else fields[field] = ''
  }
  faults.throwIfAny()
  if (cells.length === 0) return fields
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const csv = [
    ['OwnReferences', ...cells.map(([field]) => field)],
    ['-', ...cells.map(([, value]) => value)],
  ]
  const source = [csv.map((row) => row.map(quote).join(',')).join('\n')]
  const lookUp = (names: Parameters<typeof foundIds>[1]) => foundIds(lazyIds(ctx), names)
  const { rows } = await refusing({ kind: 'rule' }, () =>
    readCatalogue(source, { currency: ctx.currency, lookUp, words: inWords(SHOP_FLAG_FIELDS, ctx) }),
  )
  const { OwnReferences: _, ...read } = rows.at(0)?.given ?? {}
  return { ...read, ...fields }
}

/** Rows of items that are not as they are wanted. */
function differing(pairs: readonly (readonly [item: LiveItem & LiveCatalogueItem, given: Given])[]): DifferingRow[] {
  return pairs.flatMap(([item, given]) => {
    const differences = changedFields(given, item)
    return differences.length === 0
      ? []
      : [{ row: { line: 0, references: item.OwnReferences ?? [], given, extra: [] }, item, differences }]
  })
}

/** The values of the flags of fields, by the names of the fields. */
function readFields(ctx: Context, flags: FlagTexts, faults: InputFaults): Record<string, unknown> {
  const fieldsWithFlag = SHOP_FLAG_FIELDS.filter(({ flag }) => flags[flag] !== undefined)
  return Object.fromEntries(fieldsWithFlag.map((each) => [each.field, readField(each, flags[each.flag] ?? '', ctx, faults)]))
}

/**
 * Reads a change from flags, image files and a YAML or JSON file; --set overrides the file, and the flags of fields both.
 * @throws {SellerError} with every fault at once: usage if a flag cannot be read, validation if a value is not allowed
 */
async function readChange(ctx: Context, itemId: number, texts: UpdateFlags & FlagTexts): Promise<Given> {
  const flags: FlagTexts = await withIds(ctx, texts)
  const photos = photosOf(ctx, flags)
  const faults = new InputFaults()
  const typingFaults: InputFault[] = []
  const { change, named } =
    typeof flags.file === 'string' ? await fromFile(ctx, flags.file, typingFaults, photos) : { change: {} as Values, named: [] }
  Object.assign(change, await readSets(ctx, texts.set ?? []))
  faults.add(...typingFaults)
  for (const { field } of typingFaults) delete change[topOf(field)]
  const fromFlags = readFields(ctx, flags, faults)
  Object.assign(change, fromFlags)
  const { images, faults: ofImages } = await readImages(ctx, flags, { named }, MAX_SHOP_ITEM_IMAGES, photos)
  faults.add(...ofImages)
  if (change.Price !== undefined && change.Price !== null) {
    faults.add({ field: 'Price', value: change.Price, message: 'is set by shop:price, which checks it and can undo it' })
  }
  if (change.Quantity !== undefined && change.Quantity !== null) {
    faults.add({
      field: 'Quantity',
      value: change.Quantity,
      message: 'would be added to the number in stock; give AbsoluteQuantity',
    })
  }
  // Fields that cannot be read do not hide the faults of others.
  if (faults.all.length === typingFaults.length && (images.length === 0 || Object.keys(change).length > 0)) {
    const contractFaults = checkInput(operations.UpdateShopItem, { updateData: { ItemId: itemId, ItemData: change } })
    const nameGiven = (path: string) => {
      const inner = path.replace(/^updateData\.(?:ItemData\.)?/, '')
      const field = SHOP_FLAG_FIELDS.find((each) => each.field === topOf(inner) && each.field in fromFlags)
      return field === undefined ? inner : `--${field.flag}`
    }
    faults.add(...contractFaults.map((fault) => ({ ...fault, field: nameGiven(fault.field) })))
  }
  faults.throwIfAny()
  for (const note of photos.notes()) ctx.output.note(note)
  const within = (change.ItemImages ?? []) as NonNullable<ShopItemInput['ItemImages']>
  const imagesToStore = images.length > 0 ? storedImages(images) : storedWithin(within)
  return { ...change, ...(imagesToStore.length === 0 ? {} : { ItemImages: imagesToStore }) }
}

type Values = Record<string, unknown>

/** @returns the fields, and the files of images that the document names */
async function fromFile(
  ctx: Context,
  path: string,
  faults: InputFault[],
  photos: Photos,
): Promise<{ change: Values; named: NamedImage[] }> {
  const document = await readDocument(await readInputFile(ctx, path), path)
  for (const note of document.notes) ctx.output.note(note)
  const hint = say`Give the fields to change by name, e.g. Title: Mugg. ${run('shop:add', { '--skeleton': true })} shows all names.`
  const kind = { operation: 'AddShopItem', flagFields: SHOP_FLAG_FIELDS } as const
  const { values, names, images } = givenFields(kind, document, ['the fields of one item are expected.', hint], {
    run: ctx,
    faults,
  })
  const typed = (await typedFields(ShopItemData.fields, values, '', { faults, locate: ctx.path, photos })) as Values
  const [field, folder] = [names.get('ItemImages') ?? '', folderOf(ctx.path, path)]
  return { change: { ...typed }, named: images.map((name) => ({ path: name, field, folder })) }
}
