/** Changes of fields of live items: what the list leaves out is read item by item, and the guards judge the rest. */

import type { Context } from '../../../cli/context.js'
import { countOf } from '../../../contract/numbers.js'
import { queuedUpdates } from '../../../jobs/bulk/index.js'
import {
  type CatalogueMatch,
  type DifferingRow,
  type Guards,
  type LiveCatalogueItem,
  type LiveItem,
  planUpdates,
  type UpdatePlan,
} from '../../../pricing/index.js'
import type { Made } from '../../../rows/index.js'
import { type SoapClient, SoapError } from '../../../soap/client/index.js'
import { yieldToEventLoop } from '../../../system/room.js'
import { shopOf } from '../../own.js'
import { openNames } from '../../reference/names.js'
import { withProgress } from '../../with-progress.js'

/**
 * Reads the items of which the list leaves out a field that their rows give, one call each. An item that cannot be read by itself
 * is held.
 * @returns the number of calls made
 * @throws what the client throws, but for a refusal of one item
 */
export async function readUnread(ctx: Context, client: SoapClient, match: CatalogueMatch): Promise<number> {
  const places = match.unread()
  if (places.length === 0) return 0
  const whole = wholeItem(ctx, client)
  const read = async (): Promise<void> => {
    for (const place of places) {
      const row = match.rows.at(place)
      if (row?.kind !== 'live') continue
      const item = await whole(row.item.Id)
      if (item !== null) match.reread(place, item)
    }
  }
  await withProgress(ctx, `Reading ${countOf(places.length, 'item')} of which the list leaves out a field`, read())
  return places.length
}

/** Reads an item by itself, with what a list leaves out; null where the service refuses to show it. */
export function wholeItem(ctx: Context, client: SoapClient): (id: number) => Promise<LiveCatalogueItem | null> {
  return async (itemId) => {
    const item = await client.call('GetItem', { itemId }, { signal: ctx.signal }).catch((error: unknown) => {
      if (error instanceof SoapError && error.kind === 'fault') return null
      throw error
    })
    return item != null && item.Id === itemId ? item : null
  }
}

/** Plans the changes of fields. @param rows differing ones @param shop the live shop items */
export async function fieldsPlan(
  ctx: Context,
  client: SoapClient,
  rows: Made<DifferingRow>,
  { guards, shop }: { readonly guards: Guards; readonly shop: Made<LiveItem> },
): Promise<UpdatePlan> {
  return planUpdates(rows, {
    guards,
    shop,
    branchOf: guards.other_branch && hasField(rows, 'CategoryId') ? await branches(ctx, client) : undefined,
    underWay: queuedUpdates(await ctx.ledger(), shopOf(ctx)),
    now: ctx.clock.now(),
    room: yieldToEventLoop(ctx.signal),
  })
}

function hasField(rows: Iterable<DifferingRow>, name: string): boolean {
  for (const { differences } of rows) if (differences.some(({ field }) => field === name)) return true
  return false
}

/** Finds the top category of a category; undefined for one that the service does not name. */
async function branches(ctx: Context, client: SoapClient): Promise<(category: number) => string | undefined> {
  const names = openNames(ctx, client, ['categories'])
  await names.load()
  return (category) => names.category(category)?.path.split(' > ', 1)[0]
}
