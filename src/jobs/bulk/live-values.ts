/** Live values of a job's items: the list is read once, and not kept. */

import { BULK_KINDS, type ValueSet } from '../../contract/jobs.js'
import type { AuctionPricesSent, LiveItem, LiveItems } from '../../pricing/index.js'
import { readPayload } from './payloads.js'
import { type BulkKind, type BulkRow, valueSent } from './types.js'

/** Kronor from the live list, or the number that rows of a kind set; 0 means no price. */
export interface LiveValues {
  /** Number of different items that were looked for. */
  readonly items: number
  /** The values of an item; undefined if it is not in the list. */
  of(id: number): readonly number[] | undefined
}

/** The values that rows of a kind set, to be compared with those of their items. No price is 0. */
interface Compared {
  /** By their names in the live list. */
  readonly fields: readonly string[]
  /** Values that a row sets; undefined if it sets none of them. */
  set(row: BulkRow): readonly number[] | undefined
  /** Values of the item when the job was planned; undefined if they were not read. */
  old(row: BulkRow): readonly number[] | undefined
}

/** Other kinds only show whether the item exists. */
export function comparedOf(kind: BulkKind): Compared {
  const { sets } = BULK_KINDS[kind]
  if (sets !== undefined)
    return {
      fields: [sets.live],
      set: (row) => [numberOf(kind, sets, readPayload(kind, row.Payload, row))],
      // A list that leaves the number out says 0.
      old: (row) => [row.OldPayload === null ? 0 : numberOf(kind, sets, readPayload(kind, row.OldPayload, row))],
    }
  if (kind === 'auction-price')
    return {
      fields: ['OpeningBid', 'ReservePrice', 'BuyItNowPrice'],
      set: (row) => pricesOf(readPayload(kind, row.Payload, row)),
      old: (row) => (row.OldPayload === null ? undefined : pricesOf(readPayload(kind, row.OldPayload, row))),
    }
  return {
    fields: ['BuyItNowPrice'],
    set: ({ Price }) => (kind === 'price' ? [priceOf(Price)] : undefined),
    old: ({ OldPrice }) => (kind === 'price' ? [OldPrice ?? 0] : undefined),
  }
}

/** The number that rows of a kind set. */
function numberOf(kind: BulkKind, sets: ValueSet, payload: unknown): number {
  const value = valueSent(payload, sets)
  if (value === undefined) throw new TypeError(`A row of ${kind} has no ${sets.name}.`)
  return value
}

function priceOf(price: number | null): number {
  if (price === null) throw new TypeError('A row of price has no price.')
  return price
}

function pricesOf(prices: AuctionPricesSent): readonly number[] {
  return [prices.OpeningPrice, prices.ReservedPrice ?? 0, prices.BinPrice ?? 0]
}

/** A number that the list leaves out: unlike a price, it cannot be none. */
export const NOT_SAID = -1

/** The number that stands for none in the values of a kind. */
export const noneOf = (kind: BulkKind): number => (BULK_KINDS[kind].sets === undefined ? 0 : NOT_SAID)

/** Reads the list to its end. @param rows of the job; an item may have more than one */
export async function readLiveValues(kind: BulkKind, rows: Iterable<Pick<BulkRow, 'Id'>>, live: LiveItems): Promise<LiveValues> {
  const { fields } = comparedOf(kind)
  const none = noneOf(kind)
  const width = fields.length
  const places = new Map<number, number>()
  for (const { Id } of rows) if (Id !== null && !places.has(Id)) places.set(Id, places.size * width)
  const values = new Int32Array(places.size * width)
  const foundPlaces = new Uint8Array(values.length)
  for await (const item of live) {
    const at = places.get(item.Id)
    if (at === undefined) continue
    foundPlaces[at] = 1
    for (const [place, field] of fields.entries()) {
      const value = (item as LiveItem & Readonly<Record<string, unknown>>)[field]
      values[at + place] = typeof value === 'number' ? value : none
    }
  }
  return {
    items: places.size,
    of(id) {
      const at = places.get(id)
      return at === undefined || foundPlaces[at] !== 1 ? undefined : [...values.subarray(at, at + width)]
    },
  }
}
