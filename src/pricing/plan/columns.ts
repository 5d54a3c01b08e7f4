/** What a plan knows about each row, in typed arrays. Outcome and limit share one byte. */
import { IntColumn } from '../columns.js'
import type { Guards } from '../guards/index.js'
import type { Known } from '../known.js'
import type { PriceRows } from '../read/price-rows.js'
import type { HoldLimit, Outcome } from '../types.js'
import { limitByte, limitOf } from './guards.js'

/** Outcomes as bytes: the low two bits of a mark, with the limit (from 1) above them. */
const OUTCOMES: readonly Outcome[] = ['unknown', 'change', 'unchanged', 'held']
export const UNKNOWN = 0
export const CHANGE = 1
export const UNCHANGED = 2
export const HELD = 3

/** No live price was read for the row. */
const NO_OLD = -1

export function mark(outcome: number, limit: HoldLimit): number {
  return outcome | (limitByte(limit) << 2)
}

/** The byte of an outcome. */
export function outcomeByte(outcome: Outcome): number {
  return OUTCOMES.indexOf(outcome)
}

export interface PlanInput {
  readonly rows: PriceRows
  readonly guards: Guards
  /** Whether the live list is not read. */
  readonly blind: boolean
  readonly known: Known
  readonly totalOf?: 'shop' | 'category'
  /** Whether the prices are those of a sale: a row that would raise its price is held. */
  readonly lowers?: boolean
}

/** The columns of a plan: the rows as they came, their live values, and their outcomes. */
export class PlanColumns {
  readonly rows: PriceRows
  readonly guards: Guards
  readonly blind: boolean
  readonly known: Known
  /** Total price of all shop items of the live list, kronor. */
  total = 0
  readonly totalOf: 'shop' | 'category'
  readonly lowers: boolean
  readonly marks: Uint8Array
  readonly #olds = new IntColumn()

  constructor({ rows, guards, blind, known, totalOf = 'shop', lowers = false }: PlanInput) {
    this.rows = rows
    this.guards = guards
    this.blind = blind
    this.known = known
    this.totalOf = totalOf
    this.lowers = lowers
    this.marks = new Uint8Array(rows.length)
    for (let at = 0; at < rows.length; at++) this.#olds.push(NO_OLD)
  }

  get length(): number {
    return this.rows.length
  }

  /** The live price, kronor; -1 if not read, 0 if there is none. */
  old(at: number): number {
    return this.#olds.get(at)
  }

  setOld(at: number, old: number): void {
    this.#olds.set(at, old)
  }

  price(at: number): number {
    return this.rows.price(at)
  }

  /** The outcome of the row, as a byte. */
  outcome(at: number): number {
    return (this.marks[at] ?? UNKNOWN) & 3
  }

  outcomeWord(at: number): Outcome {
    return OUTCOMES[this.outcome(at)] ?? 'unknown'
  }

  limit(at: number): HoldLimit | undefined {
    return limitOf((this.marks[at] ?? UNKNOWN) >> 2)
  }
}
