/** Why an auction must not be put up again: it is up already, was sold since, or was put up often enough. */
import type { Context } from '../../cli/context.js'
import { instantOf } from '../../contract/index.js'
import type { ItemRecord } from '../../format/views/index.js'
import { chainOf, type Relist, restartedReason, restartsOf } from '../../jobs/bulk/index.js'
import { NO_GUARDS } from '../../pricing/index.js'
import { findDoubles } from '../listing/doubles.js'
import type { Absence } from '../prices/seen.js'
import { keptSales, readSpan } from '../reports/kept.js'
import { relistsOf } from './followed.js'

export interface RelistLimits extends Absence {
  readonly again: boolean
  readonly 'max-relists'?: number
}

export interface Judged {
  /** Why an auction is held; undefined for one that is not. */
  readonly reasons: ReadonlyMap<number, string>
  /** How often each was put up again before, as far as the ledger knows. */
  readonly times: (itemId: number) => number
  /** Whether the service tells what was restarted elsewhere. */
  readonly restarts: boolean
  readonly calls: number
}

/**
 * Judges auctions that ended unsold: by what this ledger has put up again, by the sales since, by the live list and by what the service says
 * of restarts.
 * @throws what the client throws
 */
export async function judgeRelists(ctx: Context, items: readonly ItemRecord[], limits: RelistLimits): Promise<Judged> {
  const { again, 'max-relists': most, ...absence } = limits
  const reasons = new Map<number, string>()
  const left = (): ItemRecord[] => items.filter(({ Id }) => !reasons.has(Id))
  const relists = await relistsOf(ctx)
  const idsOf = chainOf(relists)
  const times = (itemId: number): number => idsOf(itemId).indexOf(itemId)
  for (const { Id } of items) {
    const [before, allowed] = [times(Id), most ?? Number.POSITIVE_INFINITY]
    const often = `it was put up again ${before} ${before === 1 ? 'time' : 'times'} (--max-relists ${allowed})`
    const reason = upAlready(relists.get(Id), again) ?? (before >= allowed ? often : undefined)
    if (reason !== undefined) reasons.set(Id, reason)
  }
  let calls = await judgeSales(ctx, left(), { again, hold: (id, why) => reasons.set(id, why) })
  if (!again) {
    const fresh = left()
    const titled = fresh.map((item) => ({ Id: item.Id, Title: item.ShortDescription, OwnReferences: item.OwnReferences }))
    const doubles = await findDoubles(ctx, titled, { ...absence, guards: NO_GUARDS })
    calls += doubles.calls
    for (const [at, { Id }] of fresh.entries()) {
      const reason = doubles.reasons[at]
      if (reason !== undefined) reasons.set(Id, reason)
    }
  }
  let restarts = !again
  for (const { Id } of restarts ? left() : []) {
    calls++
    const followed = await restartsOf(await ctx.client(), Id)
    if (followed === null) {
      ctx.output.note(
        'The service has no GetItemRestarts, so what was restarted elsewhere is seen by own references and titles only.',
      )
      restarts = false
      break
    }
    if (followed.length > 0) reasons.set(Id, restartedReason(followed))
  }
  return { reasons, times, restarts, calls }
}

/** Why an auction is not put up that a job of this ledger has put up, or puts up; undefined for another. */
export function upAlready(relist: Relist | undefined, again: boolean): string | undefined {
  if (relist === undefined || (relist.state === 'ok' && again)) return undefined
  const as = relist.itemId === null ? '' : `, as item ${relist.itemId}`
  return `job ${relist.jobId} ${relist.state === 'ok' ? 'has put it up' : 'puts it up'} again${as}`
}

/** Holds auctions that were sold after their end. @returns calls made */
async function judgeSales(
  ctx: Context,
  items: readonly ItemRecord[],
  { again, hold }: { readonly again: boolean; hold(id: number, why: string): void },
): Promise<number> {
  const ends = items.map(({ EndDate }) => instantOf(EndDate))
  if (ends.length === 0) return 0
  const now = ctx.clock.now()
  const span = { from: ends.reduce((least, end) => Math.min(least, end)), to: now }
  const kept = await keptSales(ctx)
  await readSpan(ctx, kept, span, {})
  const sold = new Map<number, number>()
  const by = new Map<string, { item: number | null; at: number }>()
  for (const { Id, ItemId, OwnReferences, At } of kept.list(span)) {
    if (ItemId !== null) sold.set(ItemId, Id)
    for (const reference of OwnReferences) by.set(reference.trim(), { item: ItemId, at: At })
  }
  for (const [at, { Id, OwnReferences = [] }] of items.entries()) {
    const transaction = sold.get(Id)
    const reference = OwnReferences.map((own) => own.trim()).find((own) => (by.get(own)?.at ?? 0) >= (ends[at] ?? now))
    if (transaction !== undefined) hold(Id, `it was sold after its end: transaction ${transaction}`)
    else if (!again && reference !== undefined)
      hold(Id, `its own reference "${reference}" was sold since, as item ${by.get(reference)?.item ?? 'unknown'}`)
  }
  return 1
}
