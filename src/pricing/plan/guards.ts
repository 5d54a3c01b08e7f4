/** Checks new prices by the guards that are on, and says why a price is held. */
import { kronorText } from '../../contract/numbers.js'
import {
  type EqualFacts,
  GUARD_LIMITS,
  GUARD_NAMES,
  type GuardLimit,
  type Guards,
  guardOf,
  guardsOver,
  PRICE_GUARDS,
  type RowFacts,
  type WholeFacts,
} from '../guards/index.js'
import type { PendingPrice } from '../known.js'
import { FACT_LIMITS, type HoldLimit } from '../types.js'

const LIMITS: readonly HoldLimit[] = [...GUARD_LIMITS, ...FACT_LIMITS]

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
  /** The live price that the row expects. */
  readonly expected?: number
  readonly guards: Guards
  readonly equal?: EqualFacts
  readonly whole?: WholeFacts
  /** A reason given with the row. */
  readonly given?: string
  readonly pending?: PendingPrice
  /** The price of a rule that the row does not take. */
  readonly refused?: number
}

/** Why a row is held or stays as it is, in a sentence with the numbers in it. */
export function holdReason(limit: HoldLimit, facts: HoldFacts): string {
  const { old, price, expected = 0, given, pending, refused = 0 } = facts
  switch (limit) {
    case 'no_price':
      return 'the item has no price now, so the change cannot be judged'
    case 'below_one':
      return `${kronorText(price)} is not a price: it must be at least ${kronorText(1)}`
    case 'moved':
      return `the live price is ${kronorText(old)} and not ${kronorText(expected)}: it was changed since`
    case 'not_shop_item':
      return 'the item is not a shop item; its prices are set with items:price'
    case 'other_reference':
      return 'the item does not have the own reference given next to its id'
    case 'queued':
      return pending === undefined ? 'a job has queued a price' : queuedReason(pending, price)
    case 'wrong_way':
      return refused > old
        ? `the rule lowers prices and would raise this one to ${kronorText(refused)}, so it stays`
        : `the rule raises prices and would lower this one to ${kronorText(refused)}, so it stays`
    case 'raises':
      return `a discount lowers prices, and this one would rise from ${kronorText(old)} to ${kronorText(price)}`
    case 'held_in_plan':
    case 'rule':
      return given ?? 'held'
    default:
      return guardReason(limit, facts)
  }
}

function queuedReason({ price: queued, jobId, state }: PendingPrice, price: number): string {
  if (queued === price) return `job ${jobId} has queued this price already`
  return state === 'queued'
    ? `job ${jobId} has queued ${kronorText(queued)}, which may come after this price; wait for it first (seller jobs:resume ${jobId} --wait)`
    : `job ${jobId} was sending ${kronorText(queued)} when it was stopped; finish it first (seller jobs:resume ${jobId})`
}

function guardReason(limit: GuardLimit, facts: HoldFacts): string {
  const found = guardOf(limit, facts.guards)
  if (found === undefined) return 'held'
  const { guard, limit: value } = found
  if (guard.over === 'row') return guard.says(value, facts)
  if (guard.over === 'equal') return facts.equal === undefined ? 'held' : guard.says(value, facts.equal)
  return guard.over !== 'whole' || facts.whole === undefined ? 'held' : guard.says(value, facts.whole)
}

/** Limits as bytes in the column of a plan in memory; 0 means none. */
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

/** Whether a limit is that of a guard over single rows: the row would change its price, and only the guard stops it. */
export function isRowGuard(limit: HoldLimit): boolean {
  return ROW_LIMITS.has(limit)
}
