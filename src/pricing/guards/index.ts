/**
 * The interface of the guards: the table, and what follows from it. It imports only the contract, so that settings may use it.
 */
import { GUARDS, type Guard, type GuardLimit, type GuardName, type Guards, type Over } from './table.js'

export {
  type AdditionFacts,
  type EqualFacts,
  type FieldFacts,
  type ListFacts,
  MANY_ROWS,
  type RemovalFacts,
  type RowFacts,
  type StockFacts,
  type UpdateFacts,
  type WholeFacts,
} from './facts.js'
export { readMargin, readShare, type StoredLimit } from './kinds.js'
export {
  type CostFacts,
  lowestPrice,
  marginPercent,
  nearestKronor,
  type PriceVat,
  priceForMargin,
  priceForMarkup,
  type Rounding,
} from './margins.js'
export { DRIFT_DAYS, type GuardLimit, type GuardName, type GuardSettings, type Guards } from './table.js'

/** A guard of the table, whatever its kind. */
export type AnyGuard = { readonly [O in Over]: Guard<O> }[Over]

/** The guards by name, in the order in which they are checked. */
export const PRICE_GUARDS: Readonly<Record<GuardName, AnyGuard>> = GUARDS
export const GUARD_NAMES = Object.keys(GUARDS) as GuardName[]

/** The limits if neither a flag nor the profile sets them. */
export const DEFAULT_GUARDS = guardValues(({ default: value }) => value)

/** For rows that were checked before: a stored plan, restored prices. */
export const NO_GUARDS = guardValues(({ kind }) => kind.off)

function guardValues(value: (guard: AnyGuard) => unknown): Guards {
  return Object.fromEntries(GUARD_NAMES.map((name) => [name, value(PRICE_GUARDS[name])])) as unknown as Guards
}

/** The guards over one kind of facts that are on, with their limits, in the order in which they are checked. */
export function guardsOver<O extends AnyGuard['over']>(
  over: O,
  guards: Guards,
): { guard: Extract<AnyGuard, { over: O }>; limit: NonNullable<unknown> }[] {
  return GUARD_NAMES.flatMap((name) => {
    const guard = PRICE_GUARDS[name]
    const limit: unknown = guards[name]
    // Off is null, or false; what was stored before there was such a guard has none.
    if (guard.over !== over || (limit ?? false) === false) return []
    return [{ guard: guard as Extract<AnyGuard, { over: O }>, limit: limit as NonNullable<unknown> }]
  })
}

/** Rows that a guard holds: prices, all of one kind that is not a price, or a conclusion from a list. */
export type Guarded = 'prices' | 'fields' | Exclude<Over, 'row' | 'equal' | 'whole' | 'field' | 'updates'>

export function guardedBy({ over }: AnyGuard): Guarded {
  if (over === 'field' || over === 'updates') return 'fields'
  return over === 'row' || over === 'equal' || over === 'whole' ? 'prices' : over
}

/** The hold of a guard: its code, and the values that its words are made of. */
export type GuardHold = {
  [N in GuardName]: { readonly Code: (typeof GUARDS)[N]['limit']; readonly Values: (typeof GUARDS)[N]['example'] }
}[GuardName]

/** The first guard over all of one kind that is broken, as a hold; null if none is. */
export function stoppedBy<O extends Exclude<Over, 'row' | 'equal' | 'field'>>(
  over: O,
  guards: Guards,
  facts: Parameters<Extract<AnyGuard, { over: O }>['holds']>[1],
): { readonly Limit: GuardLimit; readonly Hold: GuardHold } | null {
  // The compiler does not see that the guards of one kind take its facts.
  const active = guardsOver(over, guards) as readonly { guard: Broken; limit: unknown }[]
  const guardHit = active.find(({ guard, limit }) => guard.holds(limit, facts))
  if (guardHit === undefined) return null
  const Hold = holdBy(guardHit.guard, guardHit.limit, facts)
  return { Limit: Hold.Code, Hold }
}

interface Broken {
  readonly limit: string
  holds(limit: unknown, facts: unknown): boolean
  values(limit: unknown, facts: unknown): object
}

/** The hold of a guard that facts break. @param facts those that the guard is over */
export function holdBy(guard: Pick<Broken, 'limit' | 'values'>, limit: unknown, facts: unknown): GuardHold {
  return { Code: guard.limit, Values: guard.values(limit, facts) } as GuardHold
}

/** The guard for a word in `Limit`, with its limit; undefined if the word is not one of a guard. */
export function findGuard(limit: string, guards: Guards): { guard: AnyGuard; limit: NonNullable<unknown> } | undefined {
  const name = GUARD_NAMES.find((each) => PRICE_GUARDS[each].limit === limit)
  if (name === undefined) return undefined
  const value = guards[name]
  return value === undefined || value === null ? undefined : { guard: PRICE_GUARDS[name], limit: value }
}

/** The default of a guard in words: `50%`, `on`, `the limit of max_change`, `30%, or a wider max_change that is given`. */
export function defaultText(name: GuardName): string {
  const { kind, default: value, follows } = PRICE_GUARDS[name]
  const text = kind.write(kind.store(value))
  if (follows === undefined) return text
  return follows.how === 'same' ? `the limit of ${follows.guard}` : `${text}, or a wider ${follows.guard} that is given`
}

/** Flag that lets pass what a guard holds, as used in a sentence: `--allow max_held=PERCENT`, `--allow shifted`. */
export function wideningFlag(limit: string): string | undefined {
  const guard = Object.values(PRICE_GUARDS).find((each) => each.limit === limit)
  if (guard === undefined) return undefined
  const { kind, lets }: AnyGuard = guard
  return lets ?? `--allow ${limit}${kind.off === false ? '' : `=${kind.helpValue.replace('|off', '')}`}`
}
