/** shop:diff: what changed in the shop since a date, by the price history of the ledger. */

import type { Context } from '../../cli/context.js'
import { instantOf, minuteOf } from '../../contract/index.js'
import { countOf } from '../../contract/numbers.js'
import { SellerError } from '../../errors/index.js'
import type { ShopChangeShown } from '../../format/views/price-history.js'
import { ABSENT, changesSince, lastPrices, type ShopChange } from '../../jobs/history/index.js'
import type { LiveItem } from '../../pricing/index.js'
import { isoOf } from '../../system/time.js'
import { ownerOf } from '../own.js'
import { liveItems, SHOP } from '../prices/live.js'
import type { Absence } from '../prices/seen.js'

/** Fields that a person wants next to an id. */
type Named = Pick<LiveItem, 'ShortDescription' | 'OwnReferences'>

const ORDER: readonly ShopChangeShown['State'][] = ['moved', 'new', 'gone']

/**
 * Reads the live list by one call, which brings the history up to date, and gathers what is not as it was.
 * @param date ISO 8601
 * @returns items with another price, then new ones, then those that are gone
 * @throws {SellerError} usage for a date to come; what the client throws; LedgerError
 */
export async function shopDiff(ctx: Context, date: string, absence: Absence = {}): Promise<ShopChangeShown[]> {
  const since = instantOf(date)
  if (since > ctx.clock.now()) {
    throw new SellerError('invalid_date', `--since: ${date} is still to come.`, 'Give a date or a time that has passed.')
  }
  const client = await ctx.client()
  const ledger = await ctx.ledger()
  const owner = ownerOf(ctx)
  const before = ledger.history.shop(owner)
  const names = new Map<number, Named>()
  // Only what may be shown is kept of the list: what changed before, and what this reading finds.
  const older = new Set(before === undefined ? [] : changesSince(ledger, before, since).map(({ id }) => id))
  const last = before === undefined ? undefined : lastPrices(ledger, owner)
  for await (const { Id, BuyItNowPrice, ShortDescription, OwnReferences } of liveItems(ctx, client, { ...SHOP, absence })) {
    const lastKnown = last?.of(Id)
    // This reading is the first to see the prices that a job has set since the one before.
    const isMoved = lastKnown?.jobId != null || lastKnown?.price !== (BuyItNowPrice ?? 0)
    if (last !== undefined && (older.has(Id) || isMoved)) names.set(Id, { ShortDescription, OwnReferences })
  }
  const shop = ledger.history.shop(owner)
  if (shop === undefined) return []
  if (before === undefined) {
    ctx.output.note('The price history begins now: this is the first reading of the shop.')
  } else if (shop.knownFrom > since) {
    ctx.output.note(`The price history begins at ${minuteOf(shop.knownFrom)}. What changed before is not known.`)
  }
  const changes = changesSince(ledger, shop, since).map((change) => shownChange(change, names.get(change.id)))
  return changes.sort((one, other) => ORDER.indexOf(one.State) - ORDER.indexOf(other.State) || one.Id - other.Id)
}

function shownChange({ id, from, to, at, jobIds, outside }: ShopChange, item: Named | undefined): ShopChangeShown {
  const price = (kronor: number) => (kronor > 0 ? kronor : null)
  const both = from > 0 && to > 0
  const State = from === ABSENT ? 'new' : to === ABSENT ? 'gone' : 'moved'
  return {
    Id: id,
    OwnReference: item?.OwnReferences?.[0] ?? null,
    Title: item?.ShortDescription ?? null,
    State,
    OldPrice: price(from),
    NewPrice: price(to),
    Change: both ? to - from : null,
    Percent: both ? Math.round(((to - from) / from) * 1000) / 10 : null,
    Source: State === 'moved' ? sourceOf(jobIds.length > 0, outside) : null,
    JobIds: jobIds,
    FoundAt: isoOf(at),
  }
}

function sourceOf(job: boolean, outside: boolean): ShopChangeShown['Source'] {
  if (job && outside) return 'both'
  return job ? 'job' : 'outside'
}

/** The changes in a sentence: `12 prices moved (8 by jobs, 4 from outside), 3 items new, 1 gone.` */
export function diffSummary(changes: readonly ShopChangeShown[]): string {
  const count = (state: ShopChangeShown['State']) => changes.filter(({ State }) => State === state).length
  const movedChanges = changes.filter(({ State }) => State === 'moved')
  const outside = movedChanges.filter(({ Source }) => Source !== 'job').length
  const by = movedChanges.length === 0 ? '' : ` (${movedChanges.length - outside} by jobs, ${outside} from outside)`
  return `${countOf(movedChanges.length, 'price')} moved${by}, ${countOf(count('new'), 'item')} new, ${count('gone')} gone.`
}
