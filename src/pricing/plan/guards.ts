/** Judges new prices by the guards that are on, and says why one is held. */
import {
  GUARD_LIMITS,
  GUARD_NAMES,
  type GuardLimit,
  type Guards,
  guardOf,
  guardsOver,
  PRICE_GUARDS,
  type RowFacts,
} from '../guards/index.js'
import { FACT_LIMITS, type HoldLimit } from '../types.js'

const LIMITS: readonly HoldLimit[] = [...GUARD_LIMITS, ...FACT_LIMITS]

/**
 * Makes the judge of single rows.
 * @returns the first guard that a changed price breaks, apart from those over all rows. Prices in kronor; -1 as the old one where no live
 * price was read, 0 where the item has none
 */
export function rowJudge(guards: Guards): (facts: RowFacts) => HoldLimit | undefined {
  const active = guardsOver('row', guards)
  const compare = active.some(({ guard }) => guard.compares)
  return (facts) => {
    if (facts.price < 1) return 'below_one'
    const comparable = facts.old > 0
    for (const { guard, limit } of active) {
      if ((comparable || !guard.compares) && guard.holds(limit, facts)) return guard.limit as GuardLimit
    }
    return facts.old === 0 && compare ? 'no_price' : undefined
  }
}

export interface HoldFacts extends RowFacts {
  /** The price that the row counts on being live. */
  readonly expected: number
  readonly guards: Guards
  /** Rows that would get the same price, and changed rows in all. */
  readonly same: number
  readonly changed: number
  /** A reason given with the row. */
  readonly given: string | undefined
}

/** Why a row is held, in a sentence with the numbers in it. */
export function holdReason(limit: HoldLimit, facts: HoldFacts): string {
  const { old, price, expected, given, guards } = facts
  switch (limit) {
    case 'no_price':
      return 'the item has no price now, so the change cannot be judged'
    case 'below_one':
      return `${price} kr is not a price: it must be at least 1 kr`
    case 'moved':
      return `the live price is ${old} kr and not ${expected} kr: it was changed since`
    case 'not_shop_item':
      return 'the item is not a shop item; its prices are set with items:price'
    case 'other_reference':
      return 'the item does not have the own reference that stands beside its id'
    case 'held_in_plan':
    case 'rule':
      return given ?? 'held'
    default: {
      const found = guardOf(limit, guards)
      if (found === undefined) return 'held'
      const { guard } = found
      return guard.over === 'row' ? guard.says(found.limit, facts) : guard.says(found.limit, facts)
    }
  }
}

/** Limits as bytes in the column of a plan that is in memory; 0 is none. */
export function limitByte(limit: HoldLimit): number {
  return LIMITS.indexOf(limit) + 1
}

/** The limit of a byte. */
export function limitOf(byte: number): HoldLimit | undefined {
  return LIMITS[byte - 1]
}

const ROW_LIMITS: ReadonlySet<string> = new Set(
  GUARD_NAMES.flatMap((name) => (PRICE_GUARDS[name].over === 'row' ? [PRICE_GUARDS[name].limit] : [])),
)

/** Whether a limit is that of a guard over single rows: the row changes its price, and only the guard stops it. */
export function isRowGuard(limit: HoldLimit): boolean {
  return ROW_LIMITS.has(limit)
}
