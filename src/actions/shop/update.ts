/**
 * Changes shop items. shop:update: some fields of one; prices are left to shop:price, which has guards, a plan and an undo.
 * shop:activate: when several become active; one call sets at most 500, and each is queued under its own request id.
 */
import type { Context } from '../../cli/context.js'
import { InputFaults } from '../../cli/input-faults.js'
import {
  checkInput,
  type InputFault,
  instantOf,
  MAX_SHOP_ITEM_IMAGES,
  operations,
  SHOP_ITEMS_PER_CALL,
  ShopItemData,
} from '../../contract/index.js'
import { EXIT, type ExitCode, worseExitCode } from '../../errors/index.js'
import { type DryRunRecord, requestsView, requestView } from '../../format/views/index.js'
import type { RequestRow } from '../../jobs/index.js'
import { readDocument } from '../input/document.js'
import { readInputFile } from '../input/file.js'
import { type FlagTexts, readField, SHOP_FLAG_FIELDS } from '../input/flag-fields.js'
import { type ShopItemInput, topOf } from '../input/kinds.js'
import { readImages } from '../input/read.js'
import { givenIn, typedFields } from '../input/typed.js'
import { imagesWithin, shownWithin } from '../listing/add.js'
import { followRequests, type WaitFlags } from '../requests/follow.js'
import { sendAndFollow, sendMany } from '../requests/send.js'
import { listResult, type Result, recordResult } from '../result.js'

/** The change: only the given fields. */
type ShopChange = Readonly<Partial<ShopItemInput>>

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

/**
 * Sets the date, and waits if --wait was given.
 * @param at ISO text with its zone
 * @returns the requests as recorded in the ledger; exit code 3 if the service refused one
 * @throws {SellerError} validation for a date that has passed; what the client throws
 */
export async function activateShopItems(ctx: Context, ids: readonly number[], at: string, flags: WaitFlags): Promise<Result> {
  const faults = new InputFaults()
  if (instantOf(at) <= ctx.clock.now())
    faults.add({
      field: '--at',
      value: at,
      message: 'must lie in the future',
      hint: 'An item that is active already needs no date.',
    })
  faults.throwIfAny()
  const client = await ctx.client()
  const sent: RequestRow[] = []
  let code: ExitCode = EXIT.ok
  for (let from = 0; from < ids.length; from += SHOP_ITEMS_PER_CALL) {
    const some = ids.slice(from, from + SHOP_ITEMS_PER_CALL)
    ctx.ifInterrupted({ sent: `${from} of ${ids.length} were sent.`, next: 'seller requests:list' })
    const request = { ShopItems: some.map((Id) => ({ Id, ActivateDate: at })) }
    const send = () => client.call('SetActivateDateOnShopItems', { request })
    const { rows } = await sendMany(ctx, 'SetActivateDateOnShopItems', some, send)
    for (const { Subject, State, Message } of rows) {
      if (State === 'queued') continue
      ctx.output.warn(`Shop ${Subject}: ${Message ?? 'refused.'}`)
      code = worseExitCode(code, State === 'unknown' ? EXIT.unknownOutcome : EXIT.validation)
    }
    sent.push(...rows)
  }
  const followed = await followRequests(ctx, client, sent, flags)
  return listResult({ view: requestsView, rows: () => followed.rows }, worseExitCode(code, followed.code))
}
