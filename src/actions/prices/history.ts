/** prices:history: shows how the price of one item has changed. */

import type { Context } from '../../cli/context.js'
import { MAX_INT } from '../../contract/index.js'
import { SellerError } from '../../errors/index.js'
import type { PriceEventShown } from '../../format/views/price-history.js'
import { bulkRows, chainOf } from '../../jobs/bulk/index.js'
import { type PriceEvent, priceEvents } from '../../jobs/history/index.js'
import { money, run, say, type Words } from '../../messages/index.js'
import { isoOf } from '../../system/time.js'
import { ownerOf } from '../own.js'
import { readRelists } from '../relist/followed.js'
import { liveItems, SHOP } from './live.js'

/**
 * Reads the history of an item, oldest first; of an auction that was put up again, under all its ids. An own reference is looked
 * up in the live list, by one call.
 * @param name an id, or an own reference
 * @throws {SellerError} not_found for an own reference of no live item; usage for one of several; LedgerError
 */
export async function priceHistory(ctx: Context, name: string): Promise<PriceEventShown[]> {
  const itemId = /^\d+$/.test(name) && Number(name) <= MAX_INT ? Number(name) : await itemWith(ctx, name)
  const relists = await readRelists(ctx)
  const ledger = await ctx.ledger({ reading: true })
  const events: PriceEventShown[] = []
  for (const id of chainOf(relists)(itemId)) {
    for (const event of priceEvents(ledger, ownerOf(ctx), id)) events.push(shownEvent(id, event))
    const relist = relists.get(id)
    if (relist === undefined || relist.itemId === null) continue
    const title = ledger.jobs.show(relist.jobId).Title
    events.push(shownEvent(relist.itemId, { ...relist, source: 'job', title }))
  }
  return events
}

/** Newest jobs that are looked through for a held attempt. */
const LOOKED_THROUGH = 20

/** The newest job that holds a price of the item, if nothing has changed the price since. */
export async function heldAttempt(ctx: Context, events: readonly PriceEventShown[]): Promise<Words | undefined> {
  const last = events.at(-1)
  if (last === undefined) return undefined
  const ledger = await ctx.ledger({ reading: true })
  const { profile, userId } = ownerOf(ctx)
  for (const { JobId, Counts, CreatedAt } of ledger.jobs.list({ profile, userId, kind: ['price'], limit: LOOKED_THROUGH })) {
    if (Date.parse(CreatedAt) < Date.parse(last.At)) return undefined
    if ((Counts.held ?? 0) === 0) continue
    for (const { Id, Price } of bulkRows(ledger, JobId, ['held']))
      if (Id === last.ItemId && Price !== null)
        return say`Job ${JobId} holds ${money(Price)} for it. See why with: ${run('jobs:show', { id: JobId, '--failed': true })}`
  }
  return undefined
}

async function itemWith(ctx: Context, reference: string): Promise<number> {
  const ids: number[] = []
  for await (const { Id, OwnReferences } of liveItems(ctx, await ctx.client(), { ...SHOP, absence: {}, references: true })) {
    if (OwnReferences?.some((own) => own.trim() === reference)) ids.push(Id)
  }
  const [id, other] = ids
  if (id === undefined) {
    throw new SellerError(
      'item_not_found',
      `No live shop item has the own reference "${reference}".`,
      'If the item has left the shop, give its id.',
    )
  }
  if (other === undefined) return id
  throw new SellerError(
    'invalid_values',
    `The own reference "${reference}" belongs to several items: ${ids.slice(0, 10).join(', ')}.`,
    'Give the id of one of them.',
  )
}

function shownEvent(ItemId: number, { at, from, to, source, jobId, title }: PriceEvent): PriceEventShown {
  const Change = from === null || to === null ? null : to - from
  return { At: isoOf(at), ItemId, OldPrice: from, NewPrice: to, Change, Source: source, JobId: jobId, Title: title }
}
