/** The guards: which new price is kept from being sent, and what is said about it. */
import type { Guards, HoldLimit } from '../types.js'

/**
 * From how many changed rows on «more than half get the same price» means something: below, a seller who sets three things to 99 kr is
 * simply doing so; at ten a rule or a column gone wrong is likelier.
 */
export const SAME_PRICE_ROWS = 10

export const DEFAULT_GUARDS: Guards = { maxChange: 0.5, factorTen: true, minPrice: null, maxSame: 0.5 }

/** Limits as bytes in a plan's column; 0 is none. The order is that of the numbers and never changes. */
export const LIMITS: readonly HoldLimit[] = [
  'max_change',
  'factor_ten',
  'min_price',
  'same_price',
  'no_price',
  'below_one',
  'moved',
  'not_shop_item',
  'other_reference',
  'held_in_plan',
  'rule',
]

/** Reads `80%`, or `off` for none. @throws RangeError saying what is expected */
export function readShare(text: string): number | null {
  const trimmed = text.trim()
  if (trimmed.toLowerCase() === 'off') return null
  const match = /^(\d{1,6}(?:[.,]\d{1,3})?)\s*%$/.exec(trimmed)
  if (match === null) throw new RangeError(`«${text}» is no share; write per cent such as 80%, or off`)
  return Number((match[1] ?? '').replace(',', '.')) / 100
}

/**
 * The first guard that a changed price breaks, apart from the one over all rows. Factor ten comes first: it names the likelier
 * cause, a missing or an extra zero.
 * @param old kronor, -1 where no live price was read, 0 where the item has none
 */
export function brokenGuard(guards: Guards, old: number, price: number): HoldLimit | undefined {
  if (price < 1) return 'below_one'
  if (guards.minPrice !== null && price < guards.minPrice) return 'min_price'
  if (old < 0) return undefined
  if (old === 0) return guards.maxChange === null && !guards.factorTen ? undefined : 'no_price'
  if (guards.factorTen && (price >= old * 10 || price * 10 <= old)) return 'factor_ten'
  if (guards.maxChange !== null && Math.abs(price - old) > guards.maxChange * old + 1e-9) return 'max_change'
  return undefined
}

export interface HoldFacts {
  readonly old: number
  readonly price: number
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
  const { old, price, guards } = facts
  switch (limit) {
    case 'max_change':
      return `a change of ${percent(old, price)} is over the limit of ${percentText((guards.maxChange ?? 0) * 100)} % (${old} kr to ${price} kr)`
    case 'factor_ten':
      return price > old
        ? `${price} kr is ten times the present ${old} kr or more: an extra zero, or öre read as kronor?`
        : `${price} kr is a tenth of the present ${old} kr or less: a missing zero?`
    case 'min_price':
      return `${price} kr is below the minimum of ${guards.minPrice} kr`
    case 'same_price':
      return `${facts.same} of ${facts.changed} changed rows would get ${price} kr, over the limit of ${percentText((guards.maxSame ?? 0) * 100)} %: a rule or a column gone wrong?`
    case 'no_price':
      return 'the item has no price now, so the change cannot be judged'
    case 'below_one':
      return `${price} kr is no price: it must be at least 1 kr`
    case 'moved':
      return `the live price is ${old} kr and not ${facts.expected} kr: it was changed since`
    case 'not_shop_item':
      return 'the item is no shop item; its prices are set with items:price'
    case 'other_reference':
      return 'the item does not have the own reference that stands beside its id'
    case 'held_in_plan':
    case 'rule':
      return facts.given ?? 'held'
  }
}

/** «+12.5 %», from old to new. */
function percent(old: number, price: number): string {
  const change = ((price - old) / old) * 100
  return `${change > 0 ? '+' : '−'}${percentText(Math.abs(change))} %`
}

function percentText(value: number): string {
  return String(Math.round(value * 10) / 10)
}
