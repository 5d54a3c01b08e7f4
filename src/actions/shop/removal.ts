/**
 * Removes shop items from the shop: the checks that come first (docs/service.md, Removing shop items), then one call for each.
 */

import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../cli/errors.js'
import { toSellerError } from '../../cli/translate.js'
import { instantOf } from '../../contract/index.js'
import { countOf, type ItemRecord, itemsView, requestsView } from '../../format/views/index.js'
import type { RequestRow } from '../../jobs/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { itemsToChange } from '../items/show.js'
import { confirmOnTerminal } from '../jobs/confirm.js'
import { followRequests, type WaitFlags } from '../requests/follow.js'
import { attempt } from '../requests/send-one.js'
import { listResult, type Result } from '../result.js'

export interface RemoveFlags extends WaitFlags {
  /** Also items that are not active yet. */
  readonly force: boolean
  readonly yes?: boolean
  readonly 'dry-run'?: boolean
}

/** How many items the question names. */
const NAMED = 5

/**
 * Looks at the items, names them and asks on a terminal, and sends one RemoveShopItem for each, recorded first. If the service refuses one,
 * the others are still sent; any other error stops.
 * @returns the requests as recorded in the ledger; exit code 3 if the service refused one
 * @throws {SellerError} validation, naming every item that cannot be removed; guard (6): declined; what the client throws
 */
export async function removeShopItems(ctx: Context, ids: readonly number[], flags: RemoveFlags): Promise<Result> {
  const client = await ctx.client()
  const items = await removable(ctx, client, ids, flags.force)
  if (flags['dry-run'] === true) {
    ctx.output.note('Nothing was sent. These would be removed, one call each:')
    return listResult({ view: itemsView, rows: () => items })
  }
  const names = items.slice(0, NAMED).map(({ Id, ShortDescription }) => `${Id} "${ShortDescription ?? ''}"`)
  const more = items.length > NAMED ? ` and ${items.length - NAMED} more` : ''
  const what = `${countOf(items.length, 'shop item')}: ${names.join(', ')}${more}`
  await confirmOnTerminal(ctx, `Remove ${what}? They leave the shop.`, flags)
  const sent: RequestRow[] = []
  let refused: ExitCode = EXIT.ok
  for (const { Id, ShortDescription } of items) {
    ctx.ifInterrupted({ sent: `${sent.length} of ${items.length} were sent.`, next: `seller requests:list${ctx.profileFlag()}` })
    const subject = `${Id} ${ShortDescription ?? ''}`.trim()
    const { row, error } = await attempt(ctx, { name: 'RemoveShopItem', params: { shopItemId: Id }, subject })
    sent.push(row)
    if (error === undefined) continue
    const judged = toSellerError(error)
    if (judged.category !== 'validation') throw error
    ctx.output.warn(`Shop item ${Id}: ${judged.message}`)
    refused = worseExitCode(refused, judged.exitCode)
  }
  const { rows, code } = await followRequests(ctx, client, sent, flags)
  return listResult({ view: requestsView, rows: () => rows }, worseExitCode(refused, code))
}

/** Refuses all of them if one does not exist, is not a shop item, or is not active yet; with `force`, the last case is only a warning. */
async function removable(ctx: Context, client: SoapClient, ids: readonly number[], force: boolean): Promise<ItemRecord[]> {
  let future = false
  const { items, faults } = await itemsToChange(ctx, client, ids, ({ Id, ItemType, StartDate }) => {
    if (ItemType !== 'ShopItem') return `Item ${Id} is not a shop item; its type is ${ItemType}.`
    if (!(instantOf(StartDate) > ctx.clock.now())) return undefined
    const message = `Shop item ${Id} is not active yet (ActivateDate ${StartDate}). The service says not to remove such an item.`
    if (force) ctx.output.warn(message)
    future ||= !force
    return force ? undefined : message
  })
  if (faults.length === 0) return items
  throw new SellerError(
    future ? 'not_active_yet' : 'cannot_be_removed',
    faults.join('\n'),
    future
      ? 'Nothing was sent. Set its quantity to 0 instead, which hides it (seller shop:stock ID=0), wait until it is active, or give --force.'
      : 'Nothing was sent. See your shop items with: seller items:list --type shop',
  )
}
