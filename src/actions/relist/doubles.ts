/** Why an auction must not be put up again: it is up already, was sold since, or was put up often enough. */
import type { Context } from '../../cli/context.js'
import { instantOf, type RestartChain } from '../../contract/index.js'
import type { ItemRecord } from '../../format/views/items.js'
import { type Hold, held } from '../../holds/index.js'
import { chainOf, followRestarts, type Relist } from '../../jobs/bulk/index.js'
import { NO_GUARDS } from '../../pricing/index.js'
import { fewAtOnce } from '../../system/few-at-once.js'
import { findDoubles } from '../listing/doubles.js'
import type { Absence } from '../prices/seen.js'
import { keptSales, readSpan } from '../reports/kept.js'
import { readRelists } from './followed.js'

export interface RelistLimits extends Absence {
  readonly again: boolean
  readonly 'max-relists'?: number | undefined
}

export interface Judged {
  /** Why an auction is held; undefined for one that is not. */
  readonly holds: ReadonlyMap<number, Hold>
  /** Number of earlier relists of each, as far as the ledger knows. */
  readonly times: (itemId: number) => number
  /** True if the service tells what was restarted elsewhere. */
  readonly restarts: boolean
  readonly calls: number
}

/**
 * Judges auctions that ended unsold: by what this ledger has put up again, by the sales since, by the live list and by what the
 * service says of restarts.
 * @throws what the client throws
 */
export async function judgeRelists(ctx: Context, items: readonly ItemRecord[], limits: RelistLimits): Promise<Judged> {
  const { again, 'max-relists': most, ...absence } = limits
  const holds = new Map<number, Hold>()
  const remainingItems = (): ItemRecord[] => items.filter(({ Id }) => !holds.has(Id))
  const relists = await readRelists(ctx)
  const idsOf = chainOf(relists)
  const times = (itemId: number): number => idsOf(itemId).indexOf(itemId)
  const allowedTimes = most ?? Number.POSITIVE_INFINITY
  const often = (before: number): Hold => held('relisted_often', { Times: before, Limit: allowedTimes })
  for (const { Id } of items) {
    const before = times(Id)
    const hold = upAlready(relists.get(Id), again) ?? (before >= allowedTimes ? often(before) : undefined)
    if (hold !== undefined) holds.set(Id, hold)
  }
  let calls = await judgeSales(ctx, remainingItems(), { again, hold: (id, why) => holds.set(id, why) })
  if (!again) {
    const fresh = remainingItems()
    const titledItems = fresh.map((item) => ({ Id: item.Id, Title: item.ShortDescription, OwnReferences: item.OwnReferences }))
    const doubles = await findDoubles(ctx, titledItems, { ...absence, guards: NO_GUARDS })
    calls += doubles.calls
    for (const [at, { Id }] of fresh.entries()) {
      const hold = doubles.holds[at]
      if (hold !== undefined) holds.set(Id, hold)
    }
  }
  let restarts = !again
  const client = await ctx.client()
  const read = async ({ Id }: ItemRecord) => [Id, await followRestarts(client, Id)] as const
  const note = (id: number, chain: RestartChain | null): void => {
    calls++
    if (chain === null) restarts = false
    else if (chain.after.length > 0) holds.set(id, held('restarted', { Items: chain.after }))
    else if (chain.before.length >= allowedTimes) holds.set(id, often(chain.before.length))
  }
  // The first tells whether the service has the operation.
  const [first, ...others] = restarts ? remainingItems() : []
  if (first !== undefined) note(...(await read(first)))
  if (restarts) for await (const pair of fewAtOnce(others, read)) note(...pair)
  else if (!again)
    ctx.output.note(
      'The service has no GetItemRestarts, so what was restarted elsewhere is seen by own references and titles only.',
    )
  return { holds, times, restarts, calls }
}

/** Why an auction is not put up that a job of this ledger has put up, or puts up; undefined for another. */
export function upAlready(relist: Relist | undefined, again: boolean): Hold | undefined {
  if (relist === undefined || (relist.state === 'ok' && again)) return undefined
  return held(relist.state === 'ok' ? 'relisted' : 'being_relisted', { Job: relist.jobId, Item: relist.itemId })
}

/** Holds auctions that were sold after their end. @returns calls made */
async function judgeSales(
  ctx: Context,
  items: readonly ItemRecord[],
  { again, hold }: { readonly again: boolean; hold(id: number, why: Hold): void },
): Promise<number> {
  const ends = items.map(({ EndDate }) => instantOf(EndDate))
  if (ends.length === 0) return 0
  const now = ctx.clock.now()
  const span = { from: ends.reduce((least, end) => Math.min(least, end)), to: now }
  const storedSales = await keptSales(ctx)
  await readSpan(ctx, storedSales, span, {})
  const saleByItem = new Map<number, number>()
  const by = new Map<string, { item: number | null; at: number }>()
  for (const { Id, ItemId, OwnReferences, At } of storedSales.list(span)) {
    if (ItemId !== null) saleByItem.set(ItemId, Id)
    for (const reference of OwnReferences) by.set(reference.trim(), { item: ItemId, at: At })
  }
  for (const [at, { Id, OwnReferences = [] }] of items.entries()) {
    const transaction = saleByItem.get(Id)
    const reference = OwnReferences.map((own) => own.trim()).find((own) => (by.get(own)?.at ?? 0) >= (ends[at] ?? now))
    if (transaction !== undefined) hold(Id, held('sold_since', { Transaction: transaction }))
    else if (!again && reference !== undefined)
      hold(Id, held('reference_sold', { OwnReference: reference, Item: by.get(reference)?.item ?? null }))
  }
  return 1
}
