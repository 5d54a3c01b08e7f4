/** The price history and the costs: what is old in them, and what must hold of them. */
import type { Write } from '../../system/aside.js'
import type { Room } from '../../system/room.js'
import type { Store } from '../../system/sqlite.js'
import { ABSENT, type Move, packMoves, unpackMoves } from '../history/moves.js'
import { SeenPrices } from '../history/seen-prices.js'
import { openPriceHistory, type PriceHistory, type ReadingRow } from '../ledger/price-history.js'
import { type Finding, finding } from './tables.js'

/**
 * Counts the moves of prices that removalOfOldMoves removes.
 * @param before ms since 1970
 * @param room called after each reading
 */
export async function countOldMoves(store: Store, before: number, room: Room): Promise<number> {
  let count = 0
  for (const { row, kept } of oldReadings(openPriceHistory(store), before)) {
    count += row.count - kept.length
    await room()
  }
  return count
}

/** Removes moves that were found before a time. The last known price of an item stays, also of one that is gone. */
export async function removalOfOldMoves(store: Store, before: number, room: Room): Promise<Write[]> {
  const history = openPriceHistory(store)
  const writes: Write[] = []
  for (const { shopId, row, kept } of oldReadings(history, before)) {
    if (kept.length < row.count) writes.push(...history.shortened(shopId, row, kept.length === 0 ? undefined : packMoves(kept)))
    await room()
  }
  return writes
}

interface OldReading {
  readonly shopId: number
  readonly row: ReadingRow
  /** The moves that stay. */
  readonly kept: readonly Move[]
}

function* oldReadings(history: PriceHistory, before: number): Generator<OldReading> {
  for (const shopId of history.shops()) {
    const last = lastDepartures(history, shopId)
    for (const row of history.readings(shopId)) {
      if (row.at >= before) break
      const keptMoves = [...unpackMoves(row.moves)].filter(({ id, to }) => to === ABSENT && last.get(id) === row.readingId)
      yield { shopId, row, kept: keptMoves }
    }
  }
}

/** Readings that found an item gone, for each of them: its move has the last price that is known. */
function lastDepartures(history: PriceHistory, shopId: number): Map<number, number> {
  const last = new Map<number, number>()
  for (const { readingId, moves } of history.readings(shopId)) {
    for (const { id, to } of unpackMoves(moves)) {
      if (to === ABSENT) last.set(id, readingId)
      else last.delete(id)
    }
  }
  return last
}

/**
 * Faults of the price history and the costs, undefined for a part that is sound. Both are packed or simple enough that only we
 * know.
 */
export function* checkPriceHistory(store: Store): Generator<Finding | undefined> {
  const history = openPriceHistory(store)
  for (const shopId of history.shops()) {
    yield* shopFaults(store, shopId)
    yield* readingFaults(history, shopId)
  }
  yield* costFaults(store)
}

function shopFaults(store: Store, shopId: number): Finding[] {
  const shop = store.first<{ items: number; prices: ArrayBuffer }>('SELECT items, prices FROM price_shops WHERE id = ?', shopId)
  const where = `shop ${shopId}`
  if (shop === undefined) return []
  try {
    const { ids, prices } = new SeenPrices(new Uint8Array(shop.prices), shop.items)
    return [
      ...(new Set(ids).size < ids.length ? [finding('prices', where, 'an item is in it twice')] : []),
      ...(ids.some((id) => id < 1) || prices.some((price) => price < 0)
        ? [finding('prices', where, 'an id or a price is below 0')]
        : []),
    ]
  } catch (error) {
    return [finding('prices', where, `its prices cannot be read: ${unreadable(error)}`)]
  }
}

function* readingFaults(history: PriceHistory, shopId: number): Generator<Finding | undefined> {
  for (const { readingId, count, moves } of history.readings(shopId)) {
    const where = `shop ${shopId}, reading ${readingId}`
    try {
      const storedMoves = [...unpackMoves(moves)]
      if (storedMoves.length !== count) yield finding('prices', where, `it counts ${count} moves, and has ${storedMoves.length}`)
      if (storedMoves.some(({ id, from, to, job }) => id < 1 || from < ABSENT || to < ABSENT || job < 0 || from === to)) {
        yield finding('prices', where, 'a move has an id, a job or a price that cannot be')
      }
    } catch (error) {
      yield finding('prices', where, `its moves cannot be read: ${unreadable(error)}`)
    }
    yield undefined
  }
}

function costFaults(store: Store): Finding[] {
  const rows = store.all<{ item_id: number; own_reference: string }>(
    `SELECT item_id, own_reference FROM costs WHERE (item_id > 0) = (own_reference <> '') OR item_id < 0
      OR min(coalesce(cost, 0), coalesce(lowest, 0), coalesce(recommended, 0)) < 0 LIMIT 100`,
  )
  const problem = 'it has both an id and an own reference, or neither, or an amount below 0'
  return rows.map(({ item_id, own_reference }) => finding('costs', `item ${item_id > 0 ? item_id : own_reference}`, problem))
}

function unreadable(error: unknown): string {
  if (error instanceof RangeError) return error.message
  throw error
}
