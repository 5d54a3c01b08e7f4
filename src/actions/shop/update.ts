/** shop:update: changes some fields of one shop item. Prices are left to shop:price, which has guards, a plan and an undo. */
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import { InputFaults } from '../../cli/input-faults.js'
import { checkInput, type InputFault, MAX_SHOP_ITEM_IMAGES, operations, ShopItemData } from '../../contract/index.js'
import { type DryRunRecord, requestView } from '../../format/views/index.js'
import { inspectImages } from '../../jobs/index.js'
import { readDocument } from '../input/document.js'
import { readInputFile } from '../input/file.js'
import { type FlagTexts, SHOP_FLAG_FIELDS } from '../input/flag-fields.js'
import type { ShopItemInput } from '../input/index.js'
import { typedFields } from '../input/typed.js'
import { imagesWithin, shownWithin } from '../listing/add.js'
import type { WaitFlags } from '../requests/follow.js'
import { sendAndFollow } from '../requests/send-one.js'
import { type Result, recordResult } from '../result.js'

/** The change: only the given fields. */
export type ShopChange = Readonly<Partial<ShopItemInput>>

/**
 * Reads a change from flags, image files and a YAML or JSON file; flags override the file.
 * @throws {SellerError} with every fault at once: usage if a flag cannot be read, validation if a value is not allowed
 */
export async function readChange(ctx: Context, itemId: number, flags: FlagTexts): Promise<ShopChange> {
  const faults = new InputFaults()
  const typing: InputFault[] = []
  const change = typeof flags.file === 'string' ? await fromFile(ctx, flags.file, typing) : {}
  faults.add(...typing)
  const names = new Map<string, string>()
  for (const { flag, field, read, list } of SHOP_FLAG_FIELDS) {
    const given = flags[flag]
    if (given === undefined) continue
    const name = `--${flag}`
    const values = (Array.isArray(given) ? given : [given]).map((text) =>
      faults.read(name, text, () => read(String(text), name, ctx.clock.now())),
    )
    change[field] = list === true ? values : values[0]
    names.set(field, name)
  }
  await addImages(ctx, flags, change, faults)
  if (change.Price !== undefined && change.Price !== null) {
    faults.add({ field: 'Price', value: change.Price, message: 'is set by shop:price, which checks it and can undo it' })
  }
  if (!faults.any) {
    const found = checkInput(operations.UpdateShopItem, { updateData: { ItemId: itemId, ItemData: change } })
    faults.add(...found.map((fault) => ({ ...fault, field: nameGiven(fault.field, names) })))
  }
  faults.throwIfAny()
  return change
}

function nameGiven(field: string, names: ReadonlyMap<string, string>): string {
  const inner = field.replace(/^updateData\.(?:ItemData\.)?/, '')
  return names.get(inner.split(/[.[]/, 1)[0] ?? '') ?? inner
}

async function fromFile(ctx: Context, path: string, faults: InputFault[]): Promise<Record<string, unknown>> {
  const { value, name, notes } = await readDocument(await readInputFile(ctx, path), path)
  for (const note of notes) ctx.output.note(note)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const hint = 'Give the fields to change by name, e.g. Title: Mugg. seller shop:add --skeleton shows all names.'
    throw new SellerError('unreadable_input', `${name}: the fields of one item are expected.`, hint)
  }
  const given = Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined))
  return { ...((await typedFields(ShopItemData.fields, given, '', { faults, locate: ctx.path })) as Record<string, unknown>) }
}

async function addImages(ctx: Context, flags: FlagTexts, change: Record<string, unknown>, faults: InputFaults): Promise<void> {
  const named = (flag: string, mega?: true) => ((flags[flag] ?? []) as string[]).map((path) => ({ path: String(path), mega }))
  const files = [...named('image'), ...named('mega-image', true)]
  if (files.length === 0) return
  if (files.length > MAX_SHOP_ITEM_IMAGES) {
    faults.add({ field: '--image', value: files.length, message: `must be at most ${MAX_SHOP_ITEM_IMAGES} images` })
    return
  }
  const { images, faults: found } = await inspectImages(files, ctx.path)
  faults.add(...found.map((fault) => ({ ...fault, field: `--${fault.field}` })))
  if (found.length > 0) return
  change.ItemImages = await imagesWithin(images)
}

/** What would be sent. Nothing is sent. */
export function dryRunOfChange(itemId: number, { ItemImages = [], ...fields }: ShopChange): DryRunRecord {
  return {
    Operation: 'UpdateShopItem',
    Request: { ItemId: itemId, ...fields },
    Images: shownWithin(ItemImages),
    CampaignCode: null,
    Calls: ['UpdateShopItem'],
  }
}

/** Sends a change, recorded first, and waits if --wait was given. @returns the request as recorded in the ledger */
export async function updateShopItem(ctx: Context, itemId: number, change: ShopChange, flags: WaitFlags): Promise<Result> {
  const params = { updateData: { ItemId: itemId, ItemData: change } }
  const { row, code } = await sendAndFollow(ctx, { name: 'UpdateShopItem', params, subject: `item ${itemId}` }, flags)
  return recordResult(requestView, row, code)
}
