/** The seller's items as they are now, read by one call and streamed. */

import type { Context } from '../../cli/context.js'
import type { EntryOf, ParamsOf } from '../../contract/index.js'
import { counted } from '../../format/output/index.js'
import type { SoapClient } from '../../soap/client/index.js'

type Filter = Pick<ParamsOf<'GetSellerItems'>, 'filterItemType' | 'filterActive'>

/** Shop items that are in the shop; one that was removed has no price to be set. */
export const SHOP: Filter = { filterItemType: 'ShopItem', filterActive: 'Active' }
/** Everything that runs: what is no auction is told so. */
export const RUNNING: Filter = { filterItemType: 'All', filterActive: 'Active' }
/** Everything the service lists, ended items too. */
export const LISTED: Filter = { filterItemType: 'All', filterActive: 'All' }

/** GetSellerItems, with the number of items read so far on stderr. */
export function liveItems(ctx: Context, client: SoapClient, filter: Filter): AsyncGenerator<EntryOf<'GetSellerItems'>, void> {
  const params = { categoryId: 0, minEndDate: null, maxEndDate: null, maxStartDate: null, ...filter }
  return counted(ctx.output, 'Reading the live list', client.stream('GetSellerItems', params, { signal: ctx.signal }))
}
