/**
 * items:end: reads each item, asks for confirmation, and makes one call for each. EndItem answers yes or no; a second look
 * explains a no.
 */

import type { Context } from '../../cli/context.js'
import { countOf } from '../../contract/numbers.js'
import { EXIT, SellerError } from '../../errors/index.js'
import {
  askedItemColumns,
  type EndedRecord,
  endedView,
  hasEnded,
  type ItemRecord,
  togetherWords,
} from '../../format/views/items.js'
import { joined, run, say } from '../../messages/index.js'
import type { SoapClient } from '../../soap/client/index.js'
import { showAsked } from '../jobs/confirm.js'
import { listResult, type Result } from '../result.js'
import { itemsToChange } from './show.js'

export interface EndFlags {
  readonly yes?: boolean | undefined
  readonly 'dry-run'?: boolean | undefined
}

/**
 * Ends items that have no bids. An item that has ended already counts as ended, and nothing is sent for it.
 * @returns a record for each; exit code 3 if one was not ended
 * @throws {SellerError} validation, naming every item that cannot be ended, nothing sent; guard without a yes; what the client
 * throws
 */
export async function endItems(ctx: Context, ids: readonly number[], flags: EndFlags): Promise<Result> {
  const client = await ctx.client()
  const items = await endable(ctx, client, ids)
  const open = items.filter((item) => !hasEnded(item, ctx.clock.now()))
  if (flags['dry-run'] === true) {
    ctx.output.note(`Nothing was sent. ${open.length} of ${items.length} would be ended, one call each:`)
    return listResult({
      view: endedView,
      rows: () => items.map((item) => endedRecord(item, hasEnded(item, ctx.clock.now()), null)),
    })
  }
  const [first, ...others] = open
  if (first !== undefined) {
    await showAsked(ctx, open, { columns: askedItemColumns, yes: flags.yes })
    const what = others.length === 0 ? `item ${first.Id} "${first.ShortDescription ?? ''}"` : countOf(open.length, 'item')
    const sum = togetherWords(open, ctx.output.unit)
    await ctx.prompts.confirm({ message: `${sum}End ${what} now? It cannot be undone.`, flag: '--yes', given: flags.yes })
  }
  const records: EndedRecord[] = []
  for (const item of items) {
    ctx.ifInterrupted({ sent: `${records.length} of ${items.length} were looked at or ended.` })
    const isDone = hasEnded(item, ctx.clock.now())
    records.push(isDone ? endedRecord(item, true, 'it had ended before') : await endOne(ctx, client, item))
  }
  return listResult({ view: endedView, rows: () => records }, records.every(({ Ended }) => Ended) ? EXIT.ok : EXIT.validation)
}

async function endOne(ctx: Context, client: SoapClient, item: ItemRecord): Promise<EndedRecord> {
  if (await client.call('EndItem', { itemId: item.Id })) return endedRecord(item, true, null)
  // A bid may have come since the first look, or an earlier attempt whose reply was lost may have ended it.
  const now = await client.call('GetItem', { itemId: item.Id })
  if (now !== null && hasEnded(now, ctx.clock.now())) return endedRecord(now, true, null)
  const bids = now?.TotalBids ?? 0
  return endedRecord(item, false, bids > 0 ? `it has bids (${bids})` : 'the service did not end it, and did not say why')
}

async function endable(ctx: Context, client: SoapClient, ids: readonly number[]): Promise<ItemRecord[]> {
  const { items, faults } = await itemsToChange(client, ids, (item) => {
    const { Id, ItemType, TotalBids } = item
    if (ItemType === 'ShopItem')
      return say`Item ${Id} is a shop item: take it out of the shop with ${run('shop:remove', { id: Id })}.`
    return TotalBids > 0 && !hasEnded(item, ctx.clock.now())
      ? `Item ${Id} has bids (${TotalBids}): it runs to its end.`
      : undefined
  })
  if (faults.length === 0) return items
  throw new SellerError(
    'cannot_be_ended',
    joined(faults, '\n'),
    'Nothing was sent. Leave out what cannot be ended, and run the command again.',
  )
}

function endedRecord({ Id, ShortDescription }: ItemRecord, Ended: boolean, Reason: string | null): EndedRecord {
  return { ItemId: Id, Title: ShortDescription ?? null, Ended, Reason }
}
