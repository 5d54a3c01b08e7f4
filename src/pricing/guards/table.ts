/**
 * The price guards, the only list of them. The flags of shop:price and items:price, the settings of a profile, the flags of auth:login, the
 * table in docs/scripting.md and the messages follow from it. The order is that of judging: the first guard that a row breaks holds it.
 */
import { changeText, type EqualFacts, exceeds, MANY_ROWS, percentText, type RowFacts } from './facts.js'
import { kronor, type LimitKind, type StoredLimit, share, toggle } from './kinds.js'

interface Guard<T, S extends StoredLimit, L extends string, F> {
  readonly kind: LimitKind<T, S>
  readonly default: T
  /** The word by which plans and scripts name it (`Limit`, `HeldBy`). */
  readonly limit: L
  /** What it does, for the help of its flag; the default is added. */
  readonly summary: string
  /** What the value is, for the profile. */
  readonly label: string
  /** Whether it judges prices of auctions too. */
  readonly auctions: boolean
  /** Whether a price is over the limit. Never asked where the guard is off. */
  holds(limit: NonNullable<T>, facts: F): boolean
  /** Why the price is held: a sentence without its full stop, with the numbers in it. */
  says(limit: NonNullable<T>, facts: F): string
}

/** A guard over one row. */
export interface RowGuard<T = unknown, S extends StoredLimit = StoredLimit, L extends string = string>
  extends Guard<T, S, L, RowFacts> {
  readonly over: 'row'
  /** It compares with the present price, so an item without one cannot be judged. */
  readonly compares: boolean
}

/** A guard over the rows that would get the same price. */
export interface EqualGuard<T = unknown, S extends StoredLimit = StoredLimit, L extends string = string>
  extends Guard<T, S, L, EqualFacts> {
  readonly over: 'equal'
}

type Of<G> = Omit<G, 'over'>
const row = <T, S extends StoredLimit, const L extends string>(guard: Of<RowGuard<T, S, L>>): RowGuard<T, S, L> => ({
  over: 'row',
  ...guard,
})
const equal = <T, S extends StoredLimit, const L extends string>(guard: Of<EqualGuard<T, S, L>>): EqualGuard<T, S, L> => ({
  over: 'equal',
  ...guard,
})

export const GUARDS = {
  min_price: row({
    kind: kronor,
    default: null,
    limit: 'min_price',
    summary: 'Hold prices below this.',
    label: 'Lowest price, kronor',
    auctions: true,
    compares: false,
    holds: (limit, { price }) => price < limit,
    says: (limit, { price }) => `${price} kr is below the minimum of ${limit} kr`,
  }),

  // Before max_change: it names the likelier cause.
  factor_ten: row({
    kind: toggle,
    default: true,
    limit: 'factor_ten',
    summary: 'Hold a price ten times the present one or more, or a tenth or less.',
    label: 'Hold prices ten times up or down',
    auctions: true,
    compares: true,
    holds: (_, { old, price }) => price >= old * 10 || price * 10 <= old,
    says: (_, { old, price }) =>
      price > old
        ? `${price} kr is ten times the present ${old} kr or more: an extra zero, or öre read as kronor?`
        : `${price} kr is a tenth of the present ${old} kr or less: a missing zero?`,
  }),

  max_change: row({
    kind: share,
    default: 0.5,
    limit: 'max_change',
    summary: 'Hold a price that changes by more.',
    label: 'Largest price change',
    auctions: true,
    compares: true,
    holds: (limit, { old, price }) => exceeds(price - old, limit, old),
    says: (limit, { old, price }) =>
      `a change of ${changeText(old, price)} is over the limit of ${percentText(limit)} (${old} kr to ${price} kr)`,
  }),

  max_same: equal({
    kind: share,
    default: 0.5,
    limit: 'same_price',
    summary: `Hold one price that more than this share of ${MANY_ROWS} or more changed rows would get.`,
    label: 'Largest share of equal new prices',
    auctions: true,
    holds: (limit, { same, changed }) => changed >= MANY_ROWS && same > limit * changed,
    says: (limit, { price, same, changed }) =>
      `${same} of ${changed} changed rows would get ${price} kr, over the limit of ${percentText(limit)}: a rule or a column gone wrong?`,
  }),
} as const

export type GuardName = keyof typeof GUARDS
type Kind<N extends GuardName> = (typeof GUARDS)[N]['kind']

/** The limits over which prices are held; the `off` of its kind (null, false) switches a guard off. */
export type Guards = { readonly [N in GuardName]: ReturnType<Kind<N>['read']> }

/** The guards that a profile sets, as the settings file holds them. */
export type GuardSettings = { -readonly [N in GuardName]?: ReturnType<Kind<N>['store']> }

/** The words of the guards in `Limit`. */
export type GuardLimit = (typeof GUARDS)[GuardName]['limit']
