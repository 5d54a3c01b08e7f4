/** Reads whole items, one call for each. */

import type { Context } from '../../cli/context.js'
import { EXIT, SellerError } from '../../cli/errors.js'
import { type ItemRecord, itemViewOf, NO_NAMES } from '../../format/views/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { rememberingMembers } from '../reference/members.js'
import { namesOf, shownKinds, withNames } from '../reference/names.js'
import { type Result, shownRecords } from '../result.js'
import { NAMED } from './list.js'
import { linked, openAddresses, trueLinks } from './web.js'

export interface ItemLook {
  readonly ids: readonly number[]
  /** Only what everyone can see. */
  readonly public: boolean
  /** How long a call may take, ms. */
  readonly timeoutMs?: number
}

/** The client that sees the most of an item: the seller's, or the public service's if no one is logged in. */
async function clientFor(
  ctx: Context,
  look: ItemLook,
): Promise<{ client: SoapClient; name: 'GetItem' | 'PublicService.GetItem' }> {
  const { settings } = ctx.profile
  const loggedIn = settings.user_id !== undefined && (settings.token ?? settings.token_command) !== undefined
  const name = look.public || !loggedIn ? 'PublicService.GetItem' : 'GetItem'
  return { client: await ctx.client({ timeoutMs: look.timeoutMs, user: name === 'GetItem' }), name }
}

/**
 * Reads items in the order of the ids. Missing ones are reported after the others.
 * @throws {SellerError} item_not_found, naming them all, once the last item was handed on
 */
export async function* readItems(ctx: Context, look: ItemLook): AsyncGenerator<ItemRecord, void> {
  const { client, name } = await clientFor(ctx, look)
  const missing: number[] = []
  for (const itemId of look.ids) {
    const item = await client.call(name, { itemId }, { signal: ctx.signal })
    if (item === null) missing.push(itemId)
    else yield item
  }
  if (missing.length === 0) return
  const which = missing.length === 1 ? `There is no item ${missing[0]}.` : `There are no items ${missing.join(', ')}.`
  throw new SellerError('item_not_found', which, 'See your items with: seller items:list')
}

/** Items that are to be changed. @param whyNot why one may not be @returns them, and what is wrong with the others */
export async function itemsToChange(
  ctx: Context,
  client: SoapClient,
  ids: readonly number[],
  whyNot: (item: ItemRecord) => string | undefined,
): Promise<{ items: ItemRecord[]; faults: string[] }> {
  const items: ItemRecord[] = []
  const faults: string[] = []
  for (const itemId of ids) {
    const item = await client.call('GetItem', { itemId }, { signal: ctx.signal })
    const fault = item === null ? `There is no item ${itemId}.` : whyNot(item)
    if (fault !== undefined) faults.push(fault)
    else if (item !== null) items.push(item)
  }
  return { items, faults }
}

/** Reads the items while they are written: one is a record, several are records or a list. */
export async function showItems(ctx: Context, look: ItemLook): Promise<Result> {
  const { output, clock } = ctx
  const now = clock.now()
  const plain = itemViewOf({ names: NO_NAMES, now })
  const ids = {
    categories: 'CategoryId',
    payments: 'PaymentOptions',
    shipping: 'ShippingOptions',
    shippingTypes: 'ShippingOptions',
  }
  const kinds = shownKinds(output, plain, NAMED, ids)
  const { client } = await clientFor(ctx, look)
  const names = namesOf(ctx, client, kinds)
  const read = rememberingMembers(ctx, readItems(ctx, look), ({ Seller, Buyers, MaxBidder }) => [Seller, ...Buyers, MaxBidder])
  const items = linked(kinds.length === 0 ? read : withNames(read, names), await trueLinks(ctx))
  return { shown: shownRecords(itemViewOf({ names, now }), items, look.ids.length < 2), code: EXIT.ok }
}

/** Opens the pages of the items. @throws {SellerError} no_page; what readItems throws */
export async function browseItems(ctx: Context, look: ItemLook): Promise<void> {
  for await (const { Id, ItemLink: link } of readItems(ctx, look))
    await openAddresses(ctx, link === undefined ? [] : [link], `Item ${Id}`)
}
