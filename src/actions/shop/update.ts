/** shop:update: changes some fields of one shop item. Prices are left to shop:price, which has guards, a plan and an undo. */
import type { Context } from '../../cli/context.js'
import { InputFaults } from '../../cli/input-faults.js'
import { checkInput, type InputFault, MAX_SHOP_ITEM_IMAGES, operations, ShopItemData } from '../../contract/index.js'
import { type DryRunRecord, requestView } from '../../format/views/index.js'
import { readDocument } from '../input/document.js'
import { readInputFile } from '../input/file.js'
import { type FlagTexts, readField, SHOP_FLAG_FIELDS } from '../input/flag-fields.js'
import { type ShopItemInput, topOf } from '../input/kinds.js'
import { readImages } from '../input/read.js'
import { givenIn, typedFields } from '../input/typed.js'
import { imagesWithin, shownWithin } from '../listing/add.js'
import type { WaitFlags } from '../requests/follow.js'
import { sendAndFollow } from '../requests/send.js'
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
  for (const each of SHOP_FLAG_FIELDS) {
    const given = flags[each.flag]
    if (given === undefined) continue
    change[each.field] = readField(each, given, ctx.clock.now(), faults)
    names.set(each.field, `--${each.flag}`)
  }
  const { images, faults: ofImages } = await readImages(ctx, flags, {}, MAX_SHOP_ITEM_IMAGES)
  faults.add(...ofImages)
  if (images.length > 0 && ofImages.length === 0) change.ItemImages = await imagesWithin(images)
  if (change.Price !== undefined && change.Price !== null) {
    faults.add({ field: 'Price', value: change.Price, message: 'is set by shop:price, which checks it and can undo it' })
  }
  if (!faults.any) {
    const found = checkInput(operations.UpdateShopItem, { updateData: { ItemId: itemId, ItemData: change } })
    const nameGiven = (field: string) => {
      const inner = field.replace(/^updateData\.(?:ItemData\.)?/, '')
      return names.get(topOf(inner)) ?? inner
    }
    faults.add(...found.map((fault) => ({ ...fault, field: nameGiven(fault.field) })))
  }
  faults.throwIfAny()
  return change
}

async function fromFile(ctx: Context, path: string, faults: InputFault[]): Promise<Record<string, unknown>> {
  const document = await readDocument(await readInputFile(ctx, path), path)
  for (const note of document.notes) ctx.output.note(note)
  const hint = 'Give the fields to change by name, e.g. Title: Mugg. seller shop:add --skeleton shows all names.'
  const given = givenIn(document, 'the fields of one item are expected.', hint)
  return { ...((await typedFields(ShopItemData.fields, given, '', { faults, locate: ctx.path })) as Record<string, unknown>) }
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
