/** Opens pages and pictures of items in the browser. */
import { isWebAddress, openInBrowser } from '../../cli/browser.js'
import type { Context } from '../../cli/context.js'
import { SellerError } from '../../cli/errors.js'
import type { ItemRecord } from '../../format/views/index.js'

/** What the links of the sandbox inside this process need to work. */
const OF_SANDBOX = 'Links of the sandbox work while seller sandbox:start runs.'

/** Says that links of the sandbox do not work by themselves. */
export function tellOfLinks(ctx: Context): void {
  if (ctx.output.human && ctx.profile.embedded) ctx.output.hint(OF_SANDBOX)
}

/**
 * Opens addresses in the browser on a terminal; otherwise prints them, one per line.
 * @throws {SellerError} no_page if there are none
 */
export async function openAddresses(ctx: Context, addresses: readonly string[], ofWhat: string): Promise<void> {
  const usable = addresses.filter(isWebAddress)
  if (usable.length === 0)
    throw new SellerError('no_page', `${ofWhat}: the service gave no address to open.`, 'See the item with: seller items:show')
  for (const address of usable) {
    if (ctx.ownsTerminal && (await openInBrowser(address))) ctx.output.note(`Opened ${address}`)
    else ctx.output.text(address)
  }
  tellOfLinks(ctx)
}

/** The page of an item; empty if the service gave none. */
export function pagesOf({ ItemLink: link }: ItemRecord): string[] {
  return link === undefined ? [] : [link]
}
