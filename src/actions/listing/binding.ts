/** Asks before an action that cannot be undone, on a terminal. Otherwise a single action runs as it was typed. */
import type { Context } from '../../cli/context.js'
import { kronor } from '../../format/output/index.js'
import { countOf } from '../../format/views/index.js'
import type { ReadRequest, ShopItemInput } from '../input/index.js'
import type { AddItemOptions } from './add.js'

/** The answer of `--yes`. */
interface Asked {
  readonly yes?: boolean
}

/**
 * Asks on a terminal. Does nothing elsewhere, or if the flag has answered.
 * @throws {SellerError} guard (6): declined
 */
export async function confirmOnTerminal(ctx: Pick<Context, 'prompts'>, message: string, { yes }: Asked): Promise<void> {
  if (ctx.prompts.available && yes !== true) await ctx.prompts.confirm({ message, flag: '--yes', given: yes })
}

/** Shows an item and asks whether to add it. An item that stays uncommitted is not binding, so there is no question. */
export async function confirmItem(
  ctx: Pick<Context, 'prompts'>,
  { request, images, campaignCode }: Pick<AddItemOptions, 'request' | 'images' | 'campaignCode'>,
  asked: Asked,
): Promise<void> {
  if (request.AutoCommit === false && images.length === 0 && campaignCode === undefined) return
  const { Title, CategoryId, StartPrice, ReservePrice, BuyItNowPrice, Duration } = request
  const facts = [
    ...priced('start price', StartPrice),
    ...priced('reserve price', ReservePrice),
    ...priced('buy-now price', BuyItNowPrice),
    countOf(Duration, 'day'),
    `category ${CategoryId}`,
    ...imagesText(images.length),
    ...(campaignCode === undefined ? [] : [`campaign code ${campaignCode}`]),
  ]
  const message = `Add "${Title ?? ''}": ${facts.join(', ')}? It goes on sale and cannot be withdrawn.`
  await confirmOnTerminal(ctx, message, asked)
}

/** Shows a shop item and asks whether to add it. */
export async function confirmShopItem(
  ctx: Pick<Context, 'prompts'>,
  { request, images }: ReadRequest<ShopItemInput>,
  asked: Asked,
): Promise<void> {
  const { Title, Price, Quantity, AbsoluteQuantity, CategoryId, ItemImages } = request
  const facts = [
    ...priced('', Price ?? 0),
    `quantity ${AbsoluteQuantity ?? Quantity ?? 0}`,
    ...(CategoryId === undefined || CategoryId === null ? [] : [`category ${CategoryId}`]),
    ...imagesText(images.length + (ItemImages ?? []).length),
  ]
  await confirmOnTerminal(ctx, `Add "${Title ?? ''}" to the shop: ${facts.join(', ')}?`, asked)
}

/** 0 means none. */
function priced(name: string, price: number): string[] {
  return price > 0 ? [`${name} ${kronor(price)}`.trim()] : []
}

function imagesText(count: number): string[] {
  return count === 0 ? [] : [countOf(count, 'image')]
}
