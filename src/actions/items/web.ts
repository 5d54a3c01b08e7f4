/** Opens pages and pictures of items in the browser. */
import { isWebAddress, openInBrowser } from '../../cli/browser.js'
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import type { ItemRecord } from '../../format/views/index.js'

/** An item as it is shown: without links that lead nowhere. */
export async function trueLinks(ctx: Context): Promise<(item: ItemRecord) => ItemRecord> {
  if (await ctx.linksLast()) return (item) => item
  return ({ ItemLink: _page, ThumbnailLink: _picture, ...item }) => ({ ...item, ImageLinks: [], DetailedImageLinks: [] })
}

/** Items one by one, each as it is shown. */
export async function* linked(
  items: AsyncIterable<ItemRecord>,
  shown: (item: ItemRecord) => ItemRecord,
): AsyncGenerator<ItemRecord, void> {
  for await (const item of items) yield shown(item)
}

/** @param ofWhat of which something is to be opened @throws {SellerError} no_page where links lead nowhere */
export async function requireLinks(ctx: Context, ofWhat: string): Promise<void> {
  if (await ctx.linksLast()) return
  const why = `${ofWhat}: the sandbox serves its pages and pictures only while it runs.`
  throw new SellerError('no_page', why, 'Start it in another terminal with: seller sandbox:start')
}

/**
 * Opens addresses in the browser on a terminal; otherwise prints them, one per line.
 * @throws {SellerError} no_page if there are none
 */
export async function openAddresses(ctx: Context, addresses: readonly string[], ofWhat: string): Promise<void> {
  await requireLinks(ctx, ofWhat)
  const usable = addresses.filter(isWebAddress)
  if (usable.length === 0)
    throw new SellerError('no_page', `${ofWhat}: the service gave no address to open.`, 'See the item with: seller items:show')
  for (const address of usable) {
    if (ctx.ownsTerminal && (await openInBrowser(address))) ctx.output.note(`Opened ${address}`)
    else ctx.output.text(address)
  }
}
