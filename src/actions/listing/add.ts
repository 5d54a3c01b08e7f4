/** Steps that items:add and shop:add share: the calls of a dry run, the question, and the sending, which the ledger records. */

import type { Context } from '../../cli/context.js'
import type { Input, ItemImageData } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { type ExitCode, SellerError } from '../../errors/index.js'
import { withNumber } from '../../format/views/columns.js'
import type { DryRunRecord } from '../../format/views/sending.js'
import type { HoldShown } from '../../holds/index.js'
import { storedImages } from '../../jobs/bulk/index.js'
import { createListing, type ImageFile, type RequestRow, readImage } from '../../jobs/index.js'
import { blank, joined, money, run, say, type Words } from '../../messages/index.js'
import { type InputKind, ITEM_INPUT, type ItemRequestInput, SHOP_INPUT, type ShopItemInput } from '../input/kinds.js'
import type { ReadRequest } from '../input/read.js'
import { followListing, type WaitFlags } from '../requests/follow.js'
import { sendAndFollow, sendOne } from '../requests/send.js'

export interface AddFlags extends WaitFlags {
  readonly campaign?: string | undefined
  readonly 'commit-anyway'?: boolean | undefined
}

export interface Adding<T> {
  readonly command: 'items:add' | 'shop:add'
  readonly kind: InputKind<T>
  /** Requests that adding the item would send. */
  dryRun(item: ReadRequest<T>, flags: AddFlags): Omit<DryRunRecord, keyof HoldShown | 'NotRead' | 'CategoryName'>
  /**
   * Question to a person; undefined for an item that stays uncommitted, which is not binding.
   * @param categoryName the name of a category; null where none is stored
   */
  question(item: ReadRequest<T>, flags: AddFlags, categoryName: (id: unknown) => string | null): Words | undefined
  /**
   * @returns the request as recorded in the ledger, and the exit code
   * @throws {SellerError} validation for an uncommitted item that would be waited for; what the client and the job throw
   */
  send(ctx: Context, item: ReadRequest<T>, flags: AddFlags): Promise<{ row: RequestRow; code: ExitCode }>
}

/** True if something is attached after AddItem, so that the item is sent uncommitted and as a job of steps. */
function takesSteps({ images }: ReadRequest<ItemRequestInput>, { campaign }: AddFlags): boolean {
  return images.length > 0 || campaign !== undefined
}

/** One call or, with images or a campaign code, the steps of a job. */
export const ADD_ITEM: Adding<ItemRequestInput> = {
  command: 'items:add',
  kind: ITEM_INPUT,
  dryRun(item, flags) {
    const { request, images } = item
    const { campaign } = flags
    const steps = takesSteps(item, flags)
    const calls = ['AddItem', ...images.map(() => 'AddItemImage')]
    if (campaign !== undefined) calls.push('AddItemCampaignCode')
    if (steps) calls.push('AddItemCommit')
    return {
      Operation: 'AddItem',
      Request: { ...request, ...(steps ? { AutoCommit: false } : {}) },
      Images: images.map(shownImage),
      CampaignCode: campaign ?? null,
      Calls: calls,
    }
  },
  question(item, flags, categoryName) {
    const { request, images } = item
    if (request.AutoCommit === false && !takesSteps(item, flags)) return undefined
    const { Title, CategoryId, StartPrice, ReservePrice, BuyItNowPrice, Duration } = request
    const facts = [
      ...priced('opening price ', StartPrice),
      ...priced('reserve price ', ReservePrice),
      ...priced('buy-now price ', BuyItNowPrice),
      countOf(Duration, 'day'),
      `category ${withNumber(categoryName(CategoryId), CategoryId)}`,
      ...imagesText(images.length),
      ...(flags.campaign === undefined ? [] : [`campaign code ${flags.campaign}`]),
    ]
    return say`Add "${Title ?? ''}": ${joined(facts, ', ')}? It goes on sale and cannot be withdrawn.`
  },
  async send(ctx, item, flags) {
    const { request, images } = item
    const steps = takesSteps(item, flags)
    if (request.AutoCommit === false && flags.wait && !steps) throw neverCommitted()
    const client = await ctx.client()
    if (steps) {
      const ledger = await ctx.ledger()
      const { name: profile, settings } = ctx.profile
      const job = {
        ledger,
        profile,
        userId: settings.user_id ?? null,
        itemRequest: request,
        images,
        campaignCode: flags.campaign,
      }
      const { JobId } = createListing(job)
      const { wait, timeout, 'commit-anyway': commitAnyway } = flags
      const followOptions = { jobId: JobId, images, commitAnyway, wait, timeout }
      const { outcome, code } = await followListing(ctx, client, followOptions)
      if (outcome.Request === null) throw new Error(`Job ${JobId} ended without a request.`)
      return { row: outcome.Request, code }
    }
    const addRequest = { name: 'AddItem', params: { itemRequest: request }, subject: request.Title ?? '', adds: request } as const
    if (request.AutoCommit !== false) return sendAndFollow(ctx, addRequest, flags)
    const row = await sendOne(ctx, addRequest)
    ctx.output.hint(
      say`It is not committed. Continue with: ${run('images:upload', { request: row.RequestId ?? blank('REQUEST'), file: blank('[FILE…]'), '--commit': true })}`,
    )
    return { row, code: 0 }
  },
}

/** One call, with the images in it. */
export const ADD_SHOP_ITEM: Adding<ShopItemInput> = {
  command: 'shop:add',
  kind: SHOP_INPUT,
  dryRun({ request: { ItemImages, ...rest }, images }) {
    return {
      Operation: 'AddShopItem',
      Request: rest,
      Images: [...shownWithin(ItemImages), ...images.map(shownImage)],
      CampaignCode: null,
      Calls: ['AddShopItem'],
    }
  },
  question({ request, images }, _flags, categoryName) {
    const { Title, Price, Quantity, AbsoluteQuantity, CategoryId, ItemImages } = request
    const facts = [
      ...priced('', Price ?? 0),
      `quantity ${AbsoluteQuantity ?? Quantity ?? 0}`,
      ...(CategoryId === undefined || CategoryId === null
        ? []
        : [`category ${withNumber(categoryName(CategoryId), CategoryId)}`]),
      ...imagesText(images.length + (ItemImages ?? []).length),
    ]
    return say`Add "${Title ?? ''}" to the shop: ${joined(facts, ', ')}?`
  },
  async send(ctx, { request, images }, flags) {
    const ItemImages = [...(request.ItemImages ?? []), ...(await imagesWithin(images))]
    const shopItemData = { ...request, ...(ItemImages.length > 0 ? { ItemImages } : {}) }
    // Without the bytes of images that came within a document: what was sent of them cannot be compared later.
    const adds = { ...request, Images: request.ItemImages?.length ? [] : storedImages(images) }
    const addRequest = { name: 'AddShopItem', params: { shopItemData }, subject: request.Title ?? '', adds } as const
    return sendAndFollow(ctx, addRequest, flags)
  },
}

function neverCommitted(): SellerError {
  return new SellerError(
    'never_committed',
    'AutoCommit is false and nothing is attached, so the item would never be committed.',
    'Leave out AutoCommit, give --image or --campaign, or add the item without --wait and commit it with images:upload … --commit.',
  )
}

/** 0 means none. */
function priced(name: string, price: number): Words[] {
  return price > 0 ? [say`${name}${money(price)}`] : []
}

function imagesText(count: number): string[] {
  return count === 0 ? [] : [countOf(count, 'image')]
}

/** Images that a shop item contains. */
export function shownWithin(images: ShopItemInput['ItemImages']): DryRunRecord['Images'] {
  return (images ?? []).map(({ Name, Format, Data, HasMega }) => ({
    File: Name ?? '',
    Format,
    Bytes: Data?.length ?? 0,
    HasMega,
  }))
}

function shownImage({ path, format, bytes, mega }: ImageFile): DryRunRecord['Images'][number] {
  return { File: path, Format: format, Bytes: bytes, HasMega: mega }
}

/** Images in the form that a shop item contains. @throws {JobsError} if a file has changed since it was inspected */
export async function imagesWithin(images: readonly ImageFile[]): Promise<Input<typeof ItemImageData>[]> {
  const within: Input<typeof ItemImageData>[] = []
  for (const image of images) {
    const Name = image.path.split(/[\\/]/).at(-1) ?? image.path
    within.push({ HasMega: image.mega, Format: image.format, Data: await readImage(image), Name })
  }
  return within
}
