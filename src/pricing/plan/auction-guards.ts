/** The guards over the prices of auctions: those of the shop, for each of the three prices that a row changes. */
import type { AuctionChange } from '../../contract/plans.js'
import type { Hold } from '../../holds/index.js'
import { type CostFacts, GUARD_NAMES, type Guards, guardsOver, holdBy, NO_GUARDS, PRICE_GUARDS } from '../guards/index.js'
import { AUCTION_FIELDS, type AuctionField, type KnownAuction } from '../known.js'
import { heldByJob, holdOf, rowJudge } from './guards.js'
import { countEach } from './spread.js'

/** Facts about an auction besides its live prices. */
export interface BesideAuction {
  /** Price history in the ledger. */
  readonly known?: KnownAuction
  readonly cost?: CostFacts | undefined
}

/**
 * Makes the function that checks changes.
 * @param changes all that would be sent: equal prices are counted over them, separately for each of the three prices
 * @param beside what is known of the auction of a change; nothing by default
 * @returns why a change is held, with the guards that its other prices break; undefined for one that breaks none
 */
export function auctionJudge<C extends AuctionChange>(
  changes: readonly C[],
  guards: Guards,
  beside: (change: C) => BesideAuction = () => ({}),
): (change: C) => Hold | undefined {
  const own = auctionGuards(guards)
  const judges = AUCTION_FIELDS.map((field) => ({ field, judge: fieldJudge(changes, field, own) }))
  return (change) => {
    const knownAuction = beside(change)
    const [first, ...more] = judges.flatMap(({ field, judge }) => ofField(field, judge(change, knownAuction)) ?? [])
    return first === undefined || more.length === 0 ? first : ({ ...first, Values: { ...first.Values, Also: more } } as Hold)
  }
}

function ofField(Field: AuctionField, hold: Hold | undefined): Hold | undefined {
  return hold && ({ ...hold, Values: { Field, ...hold.Values } } as Hold)
}

/** The guards, with those switched off that are only for shop items. */
export function auctionGuards(guards: Guards): Guards {
  const only = GUARD_NAMES.filter((name) => !PRICE_GUARDS[name].auctions)
  return { ...guards, ...Object.fromEntries(only.map((name) => [name, NO_GUARDS[name]])) }
}

/** Makes the function that says why a change of one of the three prices is held. */
function fieldJudge(
  changes: readonly AuctionChange[],
  field: AuctionField,
  guards: Guards,
): (change: AuctionChange, beside: BesideAuction) => Hold | undefined {
  const prices = changes.flatMap((change) => changed(change, field) ?? [])
  const equal = guardsOver('equal', guards)
  const rows = countEach(prices)
  const judge = rowJudge(guards)
  return (change, { known, cost }) => {
    const price = changed(change, field)
    if (price === undefined) return undefined
    // A new reserve or buy-now price has nothing to be compared with. An auction without an opening price cannot be checked.
    const old = change[`Old${field}`] ?? (field === 'OpeningPrice' ? 0 : -1)
    // It is not sold below its reserve price, so it may begin below its cost.
    const coversReserve = field === 'OpeningPrice' && change.ReservedPrice !== null
    const facts = { old, price, first: known?.[field]?.first ?? 0, cost: coversReserve ? undefined : cost }
    const limit = judge(facts)
    if (limit !== undefined) return holdOf(limit, { id: 0, ...facts, guards })
    for (const { guard, limit: most } of equal) {
      const equals = { price, same: rows.get(price) ?? 0, changed: prices.length }
      if (guard.holds(most, equals)) return holdBy(guard, most, equals)
    }
    return undefined
  }
}

/**
 * Why the prices of an auction must wait for another job: it was setting other prices when it was stopped, and would set them
 * later if it is resumed.
 */
export function whyUnderWay(change: AuctionChange, auction: KnownAuction): Hold | undefined {
  for (const field of AUCTION_FIELDS) {
    const pending = auction[field]?.pending
    const price = change[field] ?? 0
    if (pending === undefined || pending.price === price) continue
    return ofField(field, heldByJob(pending, price))
  }
  return undefined
}

/** The price that changes; undefined if it stays or is removed. */
function changed(change: AuctionChange, field: AuctionField): number | undefined {
  const price = change[field]
  return price === null || price === change[`Old${field}`] ? undefined : price
}
