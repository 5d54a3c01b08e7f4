/**
 * Removes shop items from the shop: the checks that come first (docs/service.md, Removing shop items), then one call for each.
 */

import type { Context } from '../../cli/context.js'
import { EXIT, type ExitCode, SellerError, worseExitCode } from '../../cli/errors.js'
import { toSellerError } from '../../cli/translate.js'
import { instantOf } from '../../contract/index.js'
import { countOf, type ItemRecord } from '../../format/views/index.js'
import type { RequestRow } from '../../jobs/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { confirmOnTerminal } from '../listing/binding.js'
import { followRequests, type WaitFlags } from '../requests/follow.js'
import { attempt } from '../requests/send-one.js'

/**
 * Reads the items, and refuses all of them if one cannot be removed: it does not exist, is not a shop item, or is not active yet.
 * With `force`, the last case is only a warning.
 * @throws {SellerError} validation, naming every such item
 */
export async function removable(
  ctx: Context,
  client: SoapClient,
  ids: readonly number[],
  { force }: { force: boolean },
): Promise<ItemRecord[]> {
  const items: ItemRecord[] = []
  const faults: string[] = []
  let future = false
  for (const id of ids) {
    const item = await client.call('GetItem', { itemId: id }, { signal: ctx.signal })
    if (item === null) faults.push(`There is no item ${id}.`)
    else if (item.ItemType !== 'ShopItem') faults.push(`Item ${id} is not a shop item; its type is ${item.ItemType}.`)
    else {
      items.push(item)
      if (!(instantOf(item.StartDate) > ctx.clock.now())) continue
      const message = `Shop item ${id} is not active yet (ActivateDate ${item.StartDate}). The service says not to remove such an item.`
      if (force) ctx.output.warn(message)
      else {
        faults.push(message)
        future = true
      }
    }
  }
  if (faults.length === 0) return items
  throw new SellerError(
    future ? 'not_active_yet' : 'cannot_be_removed',
    faults.join('\n'),
    future
      ? 'Nothing was sent. Set its quantity to 0 instead, which hides it (seller shop:stock ID=0), wait until it is active, or give --force.'
      : 'Nothing was sent. See your shop items with: seller items:list --type shop',
  )
}

/**
 * Names the items and asks, on a terminal. Elsewhere the ids are enough.
 * @throws {SellerError} guard (6): declined
 */
export async function confirmRemoval(
  ctx: Pick<Context, 'prompts'>,
  items: readonly ItemRecord[],
  flags: { readonly yes?: boolean },
): Promise<void> {
  const names = items.slice(0, NAMED).map(({ Id, ShortDescription }) => `${Id} "${ShortDescription ?? ''}"`)
  const more = items.length > NAMED ? ` and ${items.length - NAMED} more` : ''
  await confirmOnTerminal(
    ctx,
    `Remove ${countOf(items.length, 'shop item')}: ${names.join(', ')}${more}? They leave the shop.`,
    flags,
  )
}

/** How many items the question names. */
const NAMED = 5

/**
 * Sends one RemoveShopItem for each item, each recorded first, and waits if --wait was given. If the service refuses one, the
 * others are still sent; any other error stops.
 * @returns the requests as recorded in the ledger, and the exit code: 3 if the service refused one
 */
export async function removeShopItems(
  ctx: Context,
  client: SoapClient,
  items: readonly ItemRecord[],
  flags: WaitFlags,
): Promise<{ rows: RequestRow[]; code: ExitCode }> {
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
  return { rows, code: worseExitCode(refused, code) }
}
