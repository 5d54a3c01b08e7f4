/** The guards over the prices of auctions: those of the shop, for each of the three prices that a row changes. */
import type { Guards } from '../types.js'
import { brokenGuard, holdReason, SAME_PRICE_ROWS } from './guards.js'
import { frequent } from './spread.js'

/** The prices of one auction before and after, kronor; null is none. */
export interface AuctionChange {
  readonly OldOpeningPrice: number | null
  readonly OldReservedPrice: number | null
  readonly OldBinPrice: number | null
  readonly OpeningPrice: number
  readonly ReservedPrice: number | null
  readonly BinPrice: number | null
}

const FIELDS = ['OpeningPrice', 'ReservedPrice', 'BinPrice'] as const
type Field = (typeof FIELDS)[number]

interface SamePrices {
  /** Rows that would get each price that too many would get. */
  readonly rows: ReadonlyMap<number, number>
  /** Rows that change this price. */
  readonly changed: number
}

/**
 * Makes the judge of some changes.
 * @param changes all that would be sent: equal prices are counted over them, each of the three prices by itself
 * @returns says which guards a change breaks, in a sentence with the numbers in it; undefined where none
 */
export function auctionJudge(changes: readonly AuctionChange[], guards: Guards): (change: AuctionChange) => string | undefined {
  const same = new Map(FIELDS.map((field) => [field, samePrices(changes, field, guards)]))
  return (change) => {
    const reasons = FIELDS.flatMap((field) => {
      const why = whyHeld(change, field, { guards, same: same.get(field) })
      return why === undefined ? [] : [`${field}: ${why}`]
    })
    return reasons.length === 0 ? undefined : reasons.join('; ')
  }
}

function whyHeld(
  change: AuctionChange,
  field: Field,
  { guards, same }: { guards: Guards; same: SamePrices | undefined },
): string | undefined {
  const price = changed(change, field)
  if (price === undefined) return undefined
  // A reserve or buy-now price that is new has nothing to be compared with; an auction without an opening price cannot be judged.
  const old = change[`Old${field}`] ?? (field === 'OpeningPrice' ? 0 : -1)
  const equal = same?.rows.get(price)
  const limit = brokenGuard(guards, old, price) ?? (equal === undefined ? undefined : 'same_price')
  if (limit === undefined) return undefined
  const facts = { old, price, expected: -1, guards, same: equal ?? 0, changed: same?.changed ?? 0, given: undefined }
  return holdReason(limit, facts)
}

function samePrices(changes: readonly AuctionChange[], field: Field, { maxSame }: Guards): SamePrices {
  const prices = changes.flatMap((change) => changed(change, field) ?? [])
  const judged = maxSame !== null && prices.length >= SAME_PRICE_ROWS
  return { rows: judged ? frequent(() => prices, maxSame) : new Map(), changed: prices.length }
}

/** The price that is set anew; undefined where it stays or is removed. */
function changed(change: AuctionChange, field: Field): number | undefined {
  const price = change[field]
  return price === null || price === change[`Old${field}`] ? undefined : price
}
