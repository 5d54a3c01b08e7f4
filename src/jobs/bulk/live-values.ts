/** Live values of a job's items, stored as ints: a list of a million items is read once and never kept. */
import { BULK_KINDS } from '../../contract/jobs.js'
import type { AuctionPricesSent, LiveItems } from '../../pricing/index.js'
import { IdColumn } from '../../rows/indexes.js'
import { type BulkKind, type BulkRow, valueSent } from './types.js'

/** Kronor from the live list, or the number that rows of a kind set; 0 means no price. */
export interface LiveValues {
  /** How many different items were looked for. */
  readonly items: number
  /** The values of an item; undefined if it is not in the list. */
  of(id: number): Int32Array | undefined
}

/** The values that rows of a kind set, to be compared with those of their items. No price is 0. */
interface Compared {
  /** By their names in the live list. */
  readonly fields: readonly string[]
  /** What a row sets; undefined where it sets none of them. */
  set(row: BulkRow): readonly number[] | undefined
  /** What its item had when the job was planned; undefined where that was not read. */
  old(row: BulkRow): readonly number[] | undefined
}

/** Of other kinds it is only seen whether the item is there. */
export function comparedOf(kind: BulkKind): Compared {
  const { sets } = BULK_KINDS[kind]
  if (sets !== undefined)
    return {
      fields: [sets.live],
      set: ({ Payload }) => [valueSent(Payload, sets) ?? 0],
      old: ({ OldPayload }) => [valueSent(OldPayload, sets) ?? 0],
    }
  if (kind === 'auction-price')
    return {
      fields: ['OpeningBid', 'ReservePrice', 'BuyItNowPrice'],
      set: ({ Payload }) => pricesOf(Payload as AuctionPricesSent | null),
      old: ({ OldPayload }) => pricesOf(OldPayload as AuctionPricesSent | null),
    }
  return {
    fields: ['BuyItNowPrice'],
    set: ({ Price }) => (kind === 'price' ? [Price ?? 0] : undefined),
    old: ({ OldPrice }) => (kind === 'price' ? [OldPrice ?? 0] : undefined),
  }
}

function pricesOf(prices: AuctionPricesSent | null): readonly number[] | undefined {
  return prices === null ? undefined : [prices.OpeningPrice, prices.ReservedPrice ?? 0, prices.BinPrice ?? 0]
}

/** A number that the list leaves out: unlike a price, it cannot be none. */
export const NOT_SAID = -1

/** Reads the list to its end. @param ids of the job's items; an id may occur more than once */
export async function readLiveValues(kind: BulkKind, ids: Iterable<number>, live: LiveItems): Promise<LiveValues> {
  const { fields } = comparedOf(kind)
  const none = BULK_KINDS[kind].sets === undefined ? 0 : NOT_SAID
  const width = fields.length
  const known = new IdColumn()
  for (const id of ids) known.add(id)
  const found = new Uint8Array(known.length)
  const values = new Int32Array(known.length * width)
  for await (const item of live) {
    const at = known.find(item.Id)
    if (at < 0) continue
    found[at] = 1
    for (const [place, field] of fields.entries())
      values[at * width + place] = (item as unknown as Record<string, number | null>)[field] ?? none
  }
  return {
    items: known.length,
    of(id) {
      const at = known.find(id)
      return at >= 0 && found[at] === 1 ? values.subarray(at * width, (at + 1) * width) : undefined
    },
  }
}
