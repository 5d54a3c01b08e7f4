/**
 * Shows items: lists them, by what the service filters and what is filtered here, with names in addition to ids; reads whole
 * ones, one call for each; and opens their pages and pictures in the browser.
 */

import { isWebAddress, openInBrowser } from '../../cli/browser.js'
import type { Context } from '../../cli/context.js'
import { wordSearch } from '../../contract/search.js'
import { without } from '../../contract/without.js'
import { EXIT, SellerError } from '../../errors/index.js'
import { type ItemRecord, itemsViewOf, itemViewOf, NO_NAMES } from '../../format/views/items.js'
import { run, say, type Words } from '../../messages/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { fewAtOnce } from '../../system/few-at-once.js'
import { categoryId } from '../input/lazy-ids.js'
import { type ItemFilter, type ItemQuery, itemQuery, provenItems } from '../prices/live.js'
import { rememberingMembers } from '../reference/members.js'
import { openNames, shownKinds, withNames } from '../reference/names.js'
import { type RecentList, recently } from '../reference/recent.js'
import { listResult, type Result, shownRecords } from '../result.js'
import { rowsWithin, type WholeFlags } from '../whole.js'

/** An item as it is shown: without links that lead nowhere. */
async function trueLinks(ctx: Context): Promise<(item: ItemRecord) => ItemRecord> {
  if (await ctx.linksLast()) return (item) => item
  return (item) => without(item, 'ItemLink', 'ThumbnailLink', 'ImageLinks', 'DetailedImageLinks')
}

/** Items one by one, each as it is shown. */
async function* linked(
  items: AsyncIterable<ItemRecord>,
  withLink: (item: ItemRecord) => ItemRecord,
): AsyncGenerator<ItemRecord, void> {
  for await (const item of items) yield withLink(item)
}

/** @param id of an item of which something is to be opened @throws {SellerError} no_page where links lead nowhere */
export async function requireLinks(ctx: Context, id: number): Promise<void> {
  if (await ctx.linksLast()) return
  const why = `Item ${id}: the sandbox serves its pages and pictures only while it runs.`
  throw new SellerError('no_page', why, say`Start it in another terminal with: ${run('sandbox:start')}`)
}

/**
 * Opens addresses in the browser on a terminal; otherwise prints them, one per line.
 * @throws {SellerError} no_page if there are none
 */
export async function openAddresses(ctx: Context, addresses: readonly string[], id: number): Promise<void> {
  await requireLinks(ctx, id)
  const usable = addresses.filter(isWebAddress)
  if (usable.length === 0)
    throw new SellerError(
      'no_page',
      `Item ${id}: the service gave no address to open.`,
      say`See it with: ${run('items:show', { id })}`,
    )
  for (const address of usable) {
    if (ctx.ownsTerminal && (await openInBrowser(address))) ctx.output.note(`Opened ${address}`)
    else ctx.output.text(address)
  }
}

interface ItemListing extends Omit<ItemFilter, 'category'>, WholeFlags {
  /** An id, or words for one. */
  readonly category?: number | string | undefined
  /** Only items with each of these words in the title or an own reference. The service has no search. */
  readonly search?: string | undefined
  /** The most items to show, after sorting. */
  readonly limit?: number | undefined
  /** True if a reading of the last minute does not serve. */
  readonly fresh: boolean
}

/** The columns that names are read for. */
const NAMED = {
  categories: ['CategoryName', 'CategoryPath'],
  payments: ['PaymentNames'],
  shipping: ['ShippingNames'],
  shippingTypes: ['ShippingNames'],
} as const

/** Fields that items are found by, and that tell how many of the shop a list has. */
const FOUND_BY = ['Id', 'ItemType', 'BuyItNowPrice', 'ShortDescription', 'OwnReferences'] as const

/** Reads the items while they are written. @throws {SellerError} usage; what the client throws */
export async function listItems(
  ctx: Context,
  { search, limit, whole, fresh, category = 0, ...filter }: ItemListing,
): Promise<Result> {
  const { output, clock } = ctx
  // Refused before anything is asked.
  itemQuery(filter)
  const client = await ctx.client({ user: filter.seller === undefined })
  const query = itemQuery({ ...filter, category: await categoryId(ctx, category) })
  const around = { now: clock.now(), unit: output.unit }
  const plain = itemsViewOf({ names: NO_NAMES, ...around })
  const shownFields = output.fields(plain)
  const seller = filter.seller === undefined ? [] : (['Seller'] as const)
  const itemStream = recently(ctx, recentList(query, fresh), (isKept) => {
    const fields = isKept ? undefined : shownFields && [...shownFields, ...FOUND_BY, ...seller]
    return provenItems(ctx, client, query, { text: 'Reading items', fields, shown: true })
  })
  const withTrueLink = await trueLinks(ctx)
  let items: AsyncIterable<ItemRecord> = linked(
    search === undefined ? itemStream : matchingItems(itemStream, search),
    withTrueLink,
  )
  if (filter.seller !== undefined) items = rememberingMembers(ctx, items, ({ Seller }) => [Seller])
  const kinds = shownKinds(output, plain, NAMED)
  const names = openNames(ctx, client, kinds)
  const [view, rows] = kinds.length === 0 ? [plain, items] : [itemsViewOf({ names, ...around }), withNames(items, names)]
  return listResult({ view, rows: () => rowsWithin(rows, limit, { whole }), limit: whole ? undefined : limit })
}

/** Everything that was listed includes the items of one type. Of members, the list of an own shop shows nothing. */
function recentList({ name, params }: ItemQuery, fresh: boolean): RecentList<ItemRecord> {
  const listKey = (filterItemType: string) => JSON.stringify([name, { ...params, filterItemType }])
  const { filterItemType: type } = params
  return {
    kind: 'items',
    query: listKey(type),
    wider: { query: listKey('All'), has: ({ ItemType }) => ItemType === type },
    fresh: fresh || name !== 'GetSellerItems',
    kept: (item) => ({ ...without(item, 'Seller', 'MaxBidder', 'LongDescription'), Buyers: [] }),
  }
}

async function* matchingItems(items: AsyncIterable<ItemRecord>, text: string): AsyncGenerator<ItemRecord, void> {
  const has = wordSearch(text)
  for await (const item of items) {
    const { ShortDescription: title = '', OwnReferences: references = [] } = item
    if (has(title, ...references)) yield item
  }
}

interface ItemLook {
  readonly ids: readonly number[]
  /** Only what everyone can see. */
  readonly public: boolean
}

/** The client that sees the most of an item: the seller's, or the public service's if no one is logged in. */
async function clientFor(
  ctx: Context,
  look: ItemLook,
): Promise<{ client: SoapClient; name: 'GetItem' | 'PublicService.GetItem' }> {
  const { settings } = ctx.profile
  const loggedIn = settings.user_id !== undefined && (settings.token ?? settings.token_command) !== undefined
  const name = look.public || !loggedIn ? 'PublicService.GetItem' : 'GetItem'
  return { client: await ctx.client({ user: name === 'GetItem' }), name }
}

/**
 * Reads items in the order of the ids. Missing ones are reported after the others.
 * @throws {SellerError} item_not_found, naming them all, once the last item was handed on
 */
export async function* readItems(ctx: Context, look: ItemLook): AsyncGenerator<ItemRecord, void> {
  const { client, name } = await clientFor(ctx, look)
  const missing: number[] = []
  const read = async (itemId: number) => [itemId, await client.call(name, { itemId })] as const
  // One that is given twice counts once.
  for await (const [itemId, item] of fewAtOnce([...new Set(look.ids)], read)) {
    if (item === null) missing.push(itemId)
    else yield item
  }
  if (missing.length === 0) return
  const which = missing.length === 1 ? `There is no item ${missing[0]}.` : `There are no items ${missing.join(', ')}.`
  throw new SellerError('item_not_found', which, say`See your items with: ${run('items:list')}`)
}

/** Items that are to be changed. @param whyNot why one may not be @returns them, and what is wrong with the others */
export async function itemsToChange(
  client: SoapClient,
  ids: readonly number[],
  whyNot: (item: ItemRecord) => Words | undefined,
): Promise<{ items: ItemRecord[]; faults: Words[] }> {
  const items: ItemRecord[] = []
  const faults: Words[] = []
  const read = async (itemId: number) => [itemId, await client.call('GetItem', { itemId })] as const
  for await (const [itemId, item] of fewAtOnce(ids, read)) {
    const fault = item === null ? `There is no item ${itemId}.` : whyNot(item)
    if (fault !== undefined) faults.push(fault)
    else if (item !== null) items.push(item)
  }
  return { items, faults }
}

/** Reads the items while they are written: one is a record, several are records or a list. */
export async function showItems(ctx: Context, look: ItemLook): Promise<Result> {
  const { output, clock } = ctx
  const around = { now: clock.now(), unit: output.unit }
  const plain = itemViewOf({ names: NO_NAMES, ...around })
  const ids = {
    categories: 'CategoryId',
    payments: 'PaymentOptions',
    shipping: 'ShippingOptions',
    shippingTypes: 'ShippingOptions',
  }
  const kinds = shownKinds(output, plain, NAMED, ids)
  const { client } = await clientFor(ctx, look)
  const names = openNames(ctx, client, kinds)
  const itemStream = rememberingMembers(ctx, readItems(ctx, look), ({ Seller, Buyers, MaxBidder }) => [
    Seller,
    ...Buyers,
    MaxBidder,
  ])
  const items = linked(kinds.length === 0 ? itemStream : withNames(itemStream, names), await trueLinks(ctx))
  return { shown: shownRecords(itemViewOf({ names, ...around }), items, look.ids.length < 2), code: EXIT.ok }
}

/** Opens the pages of the items. @throws {SellerError} no_page; what readItems throws */
export async function browseItems(ctx: Context, look: ItemLook): Promise<void> {
  for await (const { Id, ItemLink: link } of readItems(ctx, look)) await openAddresses(ctx, link === undefined ? [] : [link], Id)
}
