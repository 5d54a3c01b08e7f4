/** Checks new prices by the guards that are on, and says why a price is held. */

import { type Hold, held } from '../../holds/index.js'
import {
  type EqualFacts,
  findGuard,
  GUARD_NAMES,
  type GuardLimit,
  type Guards,
  guardsOver,
  holdBy,
  PRICE_GUARDS,
  type RowFacts,
  type WholeFacts,
} from '../guards/index.js'
import type { PendingPrice } from '../known.js'
import type { HoldLimit } from '../types.js'

/**
 * Makes the function that checks single rows.
 * @returns the first guard that a changed price breaks, not counting those over all rows. Prices in kronor; the old price is -1
 * if no live price was read, 0 if the item has none
 */
export function rowJudge(guards: Guards): (facts: RowFacts) => HoldLimit | undefined {
  const active = guardsOver('row', guards)
  const compare = active.some(({ guard }) => guard.compares)
  return (facts) => {
    if (facts.price < 1) return 'below_one'
    // Going back to an earlier price of the item, to correct a mistake or end a discount, does not break a guard that compares.
    const comparable = facts.old > 0 && facts.price !== facts.first
    for (const { guard, limit } of active) {
      if ((comparable || !guard.compares) && guard.holds(limit, facts)) return guard.limit as GuardLimit
    }
    return facts.old === 0 && compare ? 'no_price' : undefined
  }
}

export interface HoldFacts extends RowFacts {
  readonly id: number
  /** The live price that the row expects. */
  readonly expected?: number | undefined
  readonly guards: Guards
  readonly equal?: EqualFacts | undefined
  readonly whole?: WholeFacts | undefined
  /** The hold that was given with the row. */
  readonly given?: Hold | undefined
  readonly pending?: PendingPrice | undefined
  /** The price of a rule that the row does not take. */
  readonly refused?: number | undefined
}

/** Why a row is held or stays as it is. */
export function holdOf(limit: HoldLimit, facts: HoldFacts): Hold {
  const { id: Id, old: Old, price: Price, expected: Expected = 0, given = UNKNOWN, pending, refused = 0 } = facts
  switch (limit) {
    case 'no_price':
    case 'other_reference':
      return held(limit)
    case 'below_one':
      return held(limit, { Price })
    case 'moved':
      return held(limit, { Live: Old, Expected, Discount: null })
    case 'not_shop_item':
      return held(limit, { Id })
    case 'unreadable':
      return held(limit, { Fields: null })
    case 'queued':
      return pending === undefined ? UNKNOWN : heldByJob(pending, Price)
    case 'wrong_way':
      return held(limit, { Old, Price: refused })
    case 'raises':
      return held(limit, { Old, Price })
    case 'held_in_plan':
      return held(limit, given)
    case 'near_live':
    case 'rule':
      return given
    default:
      return heldByGuard(limit, facts)
  }
}

/** A row whose guard is not known any more, as of a plan that was made with others. */
const UNKNOWN = held('text', { Said: 'held' })

/** A price that another job has on the way. */
export function heldByJob({ price: queued, jobId: Job, state }: PendingPrice, price: number): Hold {
  return held('queued', { Job, Price: queued, Sent: queued === price ? 'same' : state })
}

function heldByGuard(limit: GuardLimit, facts: HoldFacts): Hold {
  const guardLimit = findGuard(limit, facts.guards)
  if (guardLimit === undefined) return UNKNOWN
  const { over } = guardLimit.guard
  const guardFacts = over === 'row' ? facts : over === 'equal' ? facts.equal : over === 'whole' ? facts.whole : undefined
  return guardFacts === undefined ? UNKNOWN : holdBy(guardLimit.guard, guardLimit.limit, guardFacts)
}

const ROW_LIMITS: ReadonlySet<string> = new Set(
  GUARD_NAMES.flatMap((name) => (PRICE_GUARDS[name].over === 'row' ? [PRICE_GUARDS[name].limit] : [])),
)

/** True if a limit is that of a guard over single rows: the row would change its price, and only the guard stops it. */
export function isRowGuard(limit: HoldLimit): boolean {
  return ROW_LIMITS.has(limit)
}
