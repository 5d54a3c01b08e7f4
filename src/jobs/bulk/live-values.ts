/** Live values of a job's items, stored as ints: a list of a million items is read once and never kept. */
import { BULK_KINDS } from '../../contract/jobs.js'
import { type LiveItems, liveValue } from '../../pricing/index.js'
import { IdIndex, IntColumn } from '../../rows/index.js'
import type { BulkKind } from './types.js'

/** Kronor from the live list, or the number that rows of a kind set; 0 means no price. Shop items have one value, auctions three. */
export interface LiveValues {
  /** How many different items were looked for. */
  readonly items: number
  /** The values of an item; undefined if it is not in the list. */
  of(id: number): Int32Array | undefined
}

/** A number that the list leaves out: unlike a price, it cannot be none. */
export const NOT_SAID = -1

/** Reads the list to its end. @param ids of the job's items; an id may occur more than once */
export async function readLiveValues(kind: BulkKind, ids: Iterable<number>, live: LiveItems): Promise<LiveValues> {
  const { sets } = BULK_KINDS[kind]
  const width = kind === 'auction-price' ? 3 : 1
  const known = new IntColumn()
  const index = new IdIndex((at) => known.get(at))
  for (const id of ids) if (index.add(id, known.length) < 0) known.push(id)
  const found = new Uint8Array(known.length)
  const values = new Int32Array(known.length * width)
  for await (const item of live) {
    const at = index.find(item.Id)
    if (at < 0) continue
    found[at] = 1
    if (sets !== undefined) values[at] = liveValue(item, sets) ?? NOT_SAID
    else if (width === 1) values[at] = item.BuyItNowPrice ?? 0
    else values.set([item.OpeningBid ?? 0, item.ReservePrice ?? 0, item.BuyItNowPrice ?? 0], at * width)
  }
  return {
    items: known.length,
    of(id) {
      const at = index.find(id)
      return at >= 0 && found[at] === 1 ? values.subarray(at * width, (at + 1) * width) : undefined
    },
  }
}
