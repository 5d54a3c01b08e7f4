/** Price history of one item, as far as this ledger knows. */
import type { CostOwner as ShopOwner } from '../ledger/costs.js'
import type { Ledger } from '../ledger/ledger.js'
import type { SeenShop } from '../ledger/price-history.js'
import { unpacking } from './damaged.js'
import { ABSENT, type Move, unpackMoves } from './moves.js'
import { SeenPrices } from './seen-prices.js'
import { jobNamed, type SetPrice, setPrices } from './set-prices.js'

/**
 * first: the price when the history began; job: this ledger set it; outside: someone else did, and a reading found it; new: the
 * item came into the shop; gone: it left.
 */
export type PriceSource = 'first' | 'job' | 'outside' | 'new' | 'gone'

/** One change of a price. */
export interface PriceEvent {
  /** ms since 1970: when the job was made, or when a reading found the change. */
  readonly at: number
  /** Kronor; null if there was none, or it is not known. */
  readonly from: number | null
  /** Kronor; null if there is none any more. */
  readonly to: number | null
  readonly source: PriceSource
  /** The job that set it, which may have been pruned since; null otherwise. */
  readonly jobId: number | null
  /** The title of that job; null if the job was removed. */
  readonly title: string | null
}

/** An event with its place: jobs in the order of their ids, a reading after the newest job that it has seen. */
interface Placed extends PriceEvent {
  readonly order: number
}

/** Reads all changes of an item's price, oldest first; none where nothing is known of it. @throws LedgerError */
export function priceEvents(ledger: Pick<Ledger, 'path' | 'store' | 'history'>, owner: ShopOwner, itemId: number): PriceEvent[] {
  return unpacking(ledger, () => {
    const shop = ledger.history.shop(owner)
    const rows = [...setPrices(ledger, owner, 0, itemId)].filter(({ done }) => done)
    const jobs = new Set(rows.map(({ job }) => job))
    const moves = shop === undefined ? [] : listMoves(ledger, shop, itemId)
    const seenEvents = moves.filter(({ job }) => !jobs.has(job)).map(eventOf)
    const first = shop === undefined ? [] : firstEvent(shop, itemId, moves[0])
    const events = [...first, ...seenEvents, ...rows.map((row) => setBy(ledger, row))]
    return joined(events.sort((one, other) => one.order - other.order))
  })
}

interface PlacedMove extends Move {
  readonly at: number
  readonly order: number
}

function listMoves({ history }: Pick<Ledger, 'history'>, { shopId }: SeenShop, itemId: number): PlacedMove[] {
  const placedMoves: PlacedMove[] = []
  for (const { at, lastJob, moves } of history.readings(shopId)) {
    for (const move of unpackMoves(moves))
      if (move.id === itemId) placedMoves.push({ ...move, at, order: placeOf(move.job, lastJob) })
  }
  return placedMoves
}

function placeOf(job: number, lastJob: number): number {
  return job > 0 ? job : lastJob + 0.5
}

function eventOf({ at, order, from, to, job }: PlacedMove): Placed {
  const source = from === ABSENT ? 'new' : to === ABSENT ? 'gone' : job > 0 ? 'job' : 'outside'
  return { at, order, from: priceOf(from), to: priceOf(to), source, jobId: job > 0 ? job : null, title: null }
}

function setBy(ledger: Pick<Ledger, 'store'>, { job, price, oldPrice }: SetPrice): Placed {
  const { at, title } = jobNamed(ledger, job) ?? { at: 0, title: null }
  return { at, order: job, from: priceOf(oldPrice), to: price, source: 'job', jobId: job, title }
}

/** First known price: from before the first move, or the current one. */
function firstEvent({ prices, items, knownFrom, firstJob }: SeenShop, itemId: number, move: Move | undefined): Placed[] {
  const place = move === undefined ? new SeenPrices(prices, items) : undefined
  const at = place?.find(itemId) ?? -1
  const price = move?.from ?? (at < 0 ? ABSENT : (place?.prices[at] ?? ABSENT))
  if (price === ABSENT) return []
  return [{ at: knownFrom, order: firstJob + 0.25, from: null, to: priceOf(price), source: 'first', jobId: null, title: null }]
}

/** Neither 0 nor ABSENT is a price. */
function priceOf(price: number): number | null {
  return price > 0 ? price : null
}

/** Each event continues the one before it. The first price is not known if a job had set it. */
function joined(events: readonly Placed[]): PriceEvent[] {
  const result: PriceEvent[] = []
  for (const { order: _, ...event } of events) {
    const last = result.at(-1)
    if (event.source === 'first' && last !== undefined) {
      if (last.to !== event.to) result.push({ ...event, from: last.to, source: 'outside' })
    } else result.push(event)
  }
  return result
}
