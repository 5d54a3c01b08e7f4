/** Adds an item that was read: shows its calls in a dry run, or sends them and records them in the ledger. */

import type { Context } from '../../cli/context.js'
import { type ExitCode, SellerError } from '../../cli/errors.js'
import type { Input, ItemImageData } from '../../contract/index.js'
import type { DryRunRecord } from '../../format/views/index.js'
import { createListing, type ImageFile, type RequestRow, readImage } from '../../jobs/index.js'
import type { ItemRequestInput, ReadRequest, ShopItemInput } from '../input/index.js'
import { followListing, type WaitFlags } from '../requests/follow.js'
import { sendAndFollow, sendOne } from '../requests/send-one.js'

export interface AddItemOptions extends ReadRequest<ItemRequestInput> {
  readonly campaignCode?: string
  readonly commitAnyway?: boolean
  readonly flags: WaitFlags
}

/** Whether something is attached after AddItem, so that the item is sent uncommitted and as a job of steps. */
function takesSteps({ images, campaignCode }: Pick<AddItemOptions, 'images' | 'campaignCode'>): boolean {
  return images.length > 0 || campaignCode !== undefined
}

/**
 * Adds an item: one call or, with images or a campaign code, the steps of a job.
 * @returns the request as recorded in the ledger, and the exit code
 * @throws {SellerError} validation for an uncommitted item that would be waited for; what the client and the job throw
 */
export async function addItem(ctx: Context, options: AddItemOptions): Promise<{ row: RequestRow; code: ExitCode }> {
  const { request, images, campaignCode, commitAnyway, flags } = options
  if (request.AutoCommit === false && flags.wait && !takesSteps(options)) throw neverCommitted()
  const client = await ctx.client()
  if (takesSteps(options)) {
    const ledger = await ctx.ledger()
    const { name: profile, settings } = ctx.profile
    const userId = settings.user_id ?? null
    const { JobId } = createListing({ ledger, profile, userId, itemRequest: request, images, campaignCode })
    const { outcome, code } = await followListing(ctx, client, { jobId: JobId, commitAnyway, ...flags })
    if (outcome.Request === null) throw new Error(`Job ${JobId} ended without a request.`)
    return { row: outcome.Request, code }
  }
  const sending = { name: 'AddItem', params: { itemRequest: request }, subject: request.Title ?? '', adds: request } as const
  if (request.AutoCommit === false) {
    const row = await sendOne(ctx, sending)
    ctx.output.hint(
      `It is not committed. Continue with: seller images:upload ${row.RequestId} [FILE…] --commit${ctx.profileFlag()}`,
    )
    return { row, code: 0 }
  }
  return sendAndFollow(ctx, sending, flags)
}

/**
 * Adds one shop item, with its images in the one call.
 * @returns the request as recorded in the ledger, and the exit code
 */
export async function addShopItem(
  ctx: Context,
  { request, images }: ReadRequest<ShopItemInput>,
  flags: WaitFlags,
): Promise<{ row: RequestRow; code: ExitCode }> {
  const ItemImages = [...(request.ItemImages ?? []), ...(await imagesWithin(images))]
  const shopItemData = { ...request, ...(ItemImages.length > 0 ? { ItemImages } : {}) }
  const sending = { name: 'AddShopItem', params: { shopItemData }, subject: request.Title ?? '', adds: request } as const
  return sendAndFollow(ctx, sending, flags)
}

function neverCommitted(): SellerError {
  return new SellerError(
    'never_committed',
    'AutoCommit is false and nothing is attached, so the item would never be committed.',
    'Leave out AutoCommit, give --image or --campaign, or add the item without --wait and commit it with images:upload … --commit.',
  )
}

/** What adding the item would send. Nothing is sent. */
export function dryRunOfItem({ request, images, campaignCode }: Omit<AddItemOptions, 'flags'>): DryRunRecord {
  const steps = takesSteps({ images, campaignCode })
  const calls = ['AddItem', ...images.map(() => 'AddItemImage')]
  if (campaignCode !== undefined) calls.push('AddItemCampaignCode')
  if (steps) calls.push('AddItemCommit')
  return {
    Operation: 'AddItem',
    Request: { ...request, ...(steps ? { AutoCommit: false } : {}) },
    Images: images.map(shownImage),
    CampaignCode: campaignCode ?? null,
    Calls: calls,
  }
}

/** What adding the shop item would send, with its images in the one call. Nothing is sent. */
export function dryRunOfShopItem({ request, images }: ReadRequest<ShopItemInput>): DryRunRecord {
  const { ItemImages, ...rest } = request
  return {
    Operation: 'AddShopItem',
    Request: rest,
    Images: [...shownWithin(ItemImages), ...images.map(shownImage)],
    CampaignCode: null,
    Calls: ['AddShopItem'],
  }
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
