/**
 * A rule makes a new price from an old one, or from a cost. In this order: set, add or the price by cost, round, end with, floor
 * and ceiling. Everything is in whole kronor: percentages are rounded to the nearest krona, half a krona up, and an ending is the
 * nearest to the price before it is rounded.
 */

import { MAX_INT, unitBeside } from '../../contract/index.js'
import { amountText, foreignUnit, MONEY_UNITS, unitOf } from '../../contract/numbers.js'
import { PERCENT_SIGN, readPercent } from '../../contract/percent.js'
import { FaultList } from '../../rows/faults.js'
import { readPrice } from '../../rows/number.js'
import {
  type CostFacts,
  nearestKronor,
  priceForMargin,
  priceForMarkup,
  type Rounding,
  readMargin,
  readShare,
} from '../guards/index.js'

/** kronor: added to the price; percent: of the price. Either may be negative. */
export interface Addition {
  readonly kind: 'kronor' | 'percent'
  readonly amount: number
}

/** A price from what is known of an item's cost: `share` of the price without VAT, or of the cost. */
export type CostRule =
  | { readonly kind: 'margin' | 'markup'; readonly share: number; readonly rounding?: Rounding }
  | { readonly kind: 'recommended' }

export interface PriceRule {
  /** Kronor. */
  readonly set?: number | undefined
  readonly add?: Addition | undefined
  readonly byCost?: CostRule | undefined
  /** The last digits of the price, as written: `9`, `95`, `00`. */
  readonly endWith?: string | undefined
  /** Kronor, both inclusive. */
  readonly floor?: number | undefined
  readonly ceiling?: number | undefined
}

/** The values of the flags as they were typed. */
export interface RuleTexts {
  readonly set?: string | undefined
  readonly add?: string | undefined
  readonly margin?: string | undefined
  readonly markup?: string | undefined
  readonly recommended?: boolean | undefined
  readonly endWith?: string | undefined
  readonly floor?: string | undefined
  readonly ceiling?: string | undefined
}

const MAX_ENDING_DIGITS = 4

/** Options for reading the texts of a rule. */
interface RuleReading {
  /** Rounding of prices by a margin or a markup; up by default. */
  readonly rounding?: Rounding
  /** Currency of the account (ISO 4217), which units next to amounts must be; by default they are not judged. */
  readonly currency?: string
}

/** Reads a rule. @throws InputRefused with everything that is wrong with it */
export function parseRule(flags: RuleTexts, { rounding = 'up', currency }: RuleReading = {}): PriceRule {
  const faults = new FaultList()
  const kronor = (name: 'set' | 'floor' | 'ceiling') => {
    const text = flags[name]
    if (text === undefined) return undefined
    const result = readPrice(text, currency)
    if ('value' in result) return result.value
    faults.add(0, `--${name}`, text, result.why)
    return undefined
  }
  const set = kronor('set')
  const floor = kronor('floor')
  const ceiling = kronor('ceiling')
  const add = flags.add === undefined ? undefined : readAddition(flags.add, faults, currency)
  const endWith = flags.endWith?.trim()
  if (endWith !== undefined && !new RegExp(`^\\d{1,${MAX_ENDING_DIGITS}}$`).test(endWith)) {
    faults.add(
      0,
      '--end-with',
      flags.endWith,
      `is not an ending; write the last 1 to ${MAX_ENDING_DIGITS} digits, such as 9 or 95`,
    )
  }
  const byCost = readCostRule(flags, rounding, faults)
  const [one, other] = BASES.filter((name) => flags[name] !== undefined)
  if (one !== undefined && other !== undefined)
    faults.add(0, `--${other}`, flags[other], `cannot be given together with --${one}: a price comes from one of them`)
  if (Object.values(flags).every((value) => value === undefined)) {
    faults.add(
      0,
      null,
      undefined,
      'A rule is missing: give --set, --add, --margin, --markup, --recommended, --end-with, --floor or --ceiling.',
    )
  }
  if (floor !== undefined && ceiling !== undefined && floor > ceiling) {
    faults.add(0, '--floor', floor, `is above the ceiling of ${amountText(ceiling, unitOf(currency))}`)
  }
  faults.refuse()
  const rule: PriceRule = { set, add, byCost, endWith, floor, ceiling }
  if (endWith !== undefined && firstEnding(floor ?? 1, endWith) > (ceiling ?? MAX_INT)) {
    faults.add(
      0,
      '--end-with',
      endWith,
      `no price from ${floor ?? 1} to ${amountText(ceiling ?? MAX_INT, unitOf(currency))} has this ending`,
    )
  }
  faults.refuse()
  return rule
}

/** Parts of a krona in which a price is a whole number before it is rounded: per cents have two decimals. */
const PARTS = 10_000
const PARTS_OF_ÖRE = 100

/**
 * The new price by a rule, kronor. It may be below 1 if the rule has no floor; the plan holds such a price.
 * @param old kronor
 * @param cost what is known of the item; a rule by cost is for items of which it knows enough (`priceByCost`)
 */
export function applyRule(
  rule: PriceRule,
  old: number,
  cost?: CostFacts & { readonly recommended?: number | undefined },
): number {
  const byCost = rule.byCost === undefined ? undefined : priceByCost(rule.byCost, cost)
  const base = rule.set ?? byCost ?? old
  const recommended = rule.byCost?.kind === 'recommended' ? cost?.recommended : undefined
  let parts = recommended === undefined ? base * PARTS : Math.max(PARTS, recommended * PARTS_OF_ÖRE)
  if (rule.add?.kind === 'kronor') parts += rule.add.amount * PARTS
  if (rule.add?.kind === 'percent') parts += base * Math.round(rule.add.amount * PARTS_OF_ÖRE)
  const price = Math.floor((parts + PARTS / 2) / PARTS)
  if (rule.endWith === undefined) return Math.min(Math.max(price, rule.floor ?? price), rule.ceiling ?? Number.MAX_SAFE_INTEGER)
  // Without a floor, a price below 1 stays as it is so that the plan holds it: an ending must not turn -80 into 9 kr.
  if (price < 1 && rule.floor === undefined) return price
  const { floor = 1, ceiling = MAX_INT } = rule
  // A price that gives a margin is the lowest that does, so an ending may only raise it; so it is with every rounding.
  if (byCost !== undefined && recommended === undefined) return endingAbove(price, rule.endWith, floor, ceiling)
  return ending(parts, rule.endWith, floor, ceiling)
}

/** The price, kronor with VAT, that a rule makes of a cost; undefined where too little is known of the item. */
export function priceByCost(
  rule: CostRule,
  cost: (CostFacts & { readonly recommended?: number | undefined }) | undefined,
): number | undefined {
  if (rule.kind === 'recommended') {
    return cost?.recommended === undefined ? undefined : Math.max(1, nearestKronor(cost.recommended))
  }
  if (cost?.cost === undefined) return undefined
  const price = rule.kind === 'margin' ? priceForMargin : priceForMarkup
  return Math.max(1, price(cost.cost, rule.share, cost.vat, rule.rounding))
}

/**
 * The price nearest to an exact one with the ending, from floor to ceiling; of two equally near, the higher.
 * @param parts of a krona: 453.60 kr is nearer to 449 than to 459, which 454 kr is not
 */
function ending(parts: number, digits: string, floor: number, ceiling: number): number {
  const step = 10 ** digits.length
  const above = firstEnding(Math.ceil(parts / PARTS), digits)
  const nearest = parts - (above - step) * PARTS < above * PARTS - parts ? above - step : above
  if (nearest < floor) return firstEnding(floor, digits)
  return nearest > ceiling ? firstEnding(ceiling - step + 1, digits) : nearest
}

/** The lowest price from `price` and `floor` on with the ending; the highest below the ceiling if that is above it. */
function endingAbove(price: number, digits: string, floor: number, ceiling: number): number {
  const above = firstEnding(Math.max(price, floor), digits)
  return above > ceiling ? firstEnding(ceiling - 10 ** digits.length + 1, digits) : above
}

/** The lowest price of at least `from` with the ending. */
function firstEnding(from: number, digits: string): number {
  const step = 10 ** digits.length
  const last = Number(digits)
  return from + ((((last - from) % step) + step) % step)
}

/** The flags that a price may come from, of which a rule has one at most. */
const BASES = ['set', 'add', 'margin', 'markup', 'recommended'] as const

function readCostRule({ margin, markup, recommended }: RuleTexts, rounding: Rounding, faults: FaultList): CostRule | undefined {
  if (recommended === true) return { kind: 'recommended' }
  const kind = margin !== undefined ? 'margin' : 'markup'
  const text = margin ?? markup
  if (text === undefined) return undefined
  const wrong = (why: string) => faults.add(0, `--${kind}`, text, `${why}; write per cent, such as 30%`)
  try {
    const share = kind === 'margin' ? readMargin(text) : readShare(text)
    if (share !== null) return rounding === 'up' ? { kind, share } : { kind, share, rounding }
    // "off", which only a guard may be.
    wrong('is not a share')
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const limit = kind === 'margin' && readPercent(text) !== undefined
    wrong(limit ? 'is not below 100%, and no price leaves such a margin' : 'is not a share')
  }
  return undefined
}

const ADDITION = new RegExp(`^([+-]?)(\\d{1,9})(?:([.,])(\\d{1,2}))?\\s*(${PERCENT_SIGN}|${MONEY_UNITS})?$`, 'i')

function additionIn(text: string): RegExpExecArray | null {
  return ADDITION.exec(text.trim().replace('−', '-'))
}

/** True if a change is a number without a unit: it may be meant as kronor or as per cent. */
export function lacksUnit(text: string): boolean {
  const match = additionIn(text)
  return match !== null && match[5] === undefined
}

function readAddition(text: string, faults: FaultList, currency: string | undefined): Addition | undefined {
  const match = additionIn(text)
  if (match !== null && match[5] === undefined) {
    const number = text.trim()
    faults.add(
      0,
      '--add',
      text,
      `has no unit; write ${number}kr for kronor, or ${number}% for per cent (${number}pct in a batch file)`,
    )
    return undefined
  }
  const money = match?.[5] === undefined ? undefined : unitBeside(match[5])
  const unit = money === undefined ? 'percent' : 'kronor'
  const foreign = foreignUnit(money, currency)
  if (foreign !== undefined) {
    faults.add(0, '--add', text, foreign)
    return undefined
  }
  if (match === null || (match[3] !== undefined && unit === 'kronor')) {
    faults.add(
      0,
      '--add',
      text,
      'is not a change; write whole kronor such as 25kr or -25kr, or per cent such as -10%, 2.5% or -10pct',
    )
    return undefined
  }
  const size = Number(match[2]) + (match[4] === undefined ? 0 : Number(`0.${match[4]}`))
  return { kind: unit, amount: match[1] === '-' ? -size : size }
}
