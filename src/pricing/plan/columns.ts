/** What a plan knows about each row, in typed arrays. State and limit share one byte. */
import { IntColumn } from '../../rows/packed.js'
import type { PriceRows } from '../../rows/price-rows.js'
import type { ItemCost, PlanCosts } from '../costs.js'
import type { CostFacts, Guards } from '../guards/index.js'
import type { Known } from '../known.js'
import type { HoldLimit, LiveItem, PlanState, PlanTerms } from '../types.js'
import { limitByte, limitOf } from './guards.js'
import type { Titles } from './titles.js'

/** Outcomes as bytes: the low two bits of a mark, with the limit (from 1) above them. */
const OUTCOMES: readonly PlanState[] = ['unknown', 'change', 'unchanged', 'held']
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
export function outcomeByte(outcome: PlanState): number {
  return OUTCOMES.indexOf(outcome)
}

export interface RowPlanOptions extends PlanTerms {
  /** Whether the live list is not read. */
  readonly blind?: boolean
  /** What the live list covers; the shop by default. */
  readonly totalOf?: 'shop' | 'category'
  /** Items that a rule by cost has left out, since too little is known of them. */
  readonly withoutCost?: number
  /** Titles of the rows; none by default. */
  readonly titles?: Titles
}

interface PlanInput extends Omit<RowPlanOptions, 'perCall' | 'titles'> {
  readonly rows: PriceRows
  readonly blind: boolean
  readonly known: Known
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
  /** Undefined if the live list is not read. */
  readonly #olds: IntColumn | undefined
  readonly withoutCost: number | undefined
  readonly #costs: PlanCosts | undefined
  /** What is known of the cost of each row's item; only where something is of any. */
  readonly #versions: Int32Array | undefined

  constructor({ rows, guards, blind, known, totalOf = 'shop', costs, withoutCost, lowers = false }: PlanInput) {
    this.rows = rows
    this.guards = guards
    this.blind = blind
    this.known = known
    this.totalOf = totalOf
    this.lowers = lowers
    this.marks = new Uint8Array(rows.length)
    this.withoutCost = withoutCost
    this.#costs = costs
    if (costs !== undefined && !costs.empty) this.#versions = new Int32Array(rows.length).fill(-1)
    // Without the live list, the ids of the rows are all there is.
    if (blind && this.hasCosts) for (let at = 0; at < rows.length; at++) this.setCost(at, this.findCost(namedBy(rows, at)))
    if (blind) return
    this.#olds = new IntColumn()
    for (let at = 0; at < rows.length; at++) this.#olds.push(NO_OLD)
  }

  get length(): number {
    return this.rows.length
  }

  /** The live price, kronor; -1 if not read, 0 if there is none. */
  old(at: number): number {
    return this.#olds?.get(at) ?? NO_OLD
  }

  setOld(at: number, old: number): void {
    this.#olds?.set(at, old)
  }

  /** Whether the cost of any item is known. */
  get hasCosts(): boolean {
    return this.#versions !== undefined
  }

  /** What is known of the cost of a row's item. */
  cost(at: number): (CostFacts & ItemCost) | undefined {
    return this.#costs?.of(this.#versions?.[at] ?? -1)
  }

  /** -1 if nothing is known. */
  findCost(item: Pick<LiveItem, 'Id' | 'OwnReferences'>): number {
    return this.#costs?.find(item) ?? -1
  }

  setCost(at: number, version: number): void {
    if (this.#versions !== undefined) this.#versions[at] = version
  }

  price(at: number): number {
    return this.rows.price(at)
  }

  /** The outcome of the row, as a byte. */
  outcome(at: number): number {
    return (this.marks[at] ?? UNKNOWN) & 3
  }

  outcomeWord(at: number): PlanState {
    return OUTCOMES[this.outcome(at)] ?? 'unknown'
  }

  limit(at: number): HoldLimit | undefined {
    return limitOf((this.marks[at] ?? UNKNOWN) >> 2)
  }
}

/** What a row says of its item. */
function namedBy(rows: PriceRows, at: number): Pick<LiveItem, 'Id' | 'OwnReferences'> {
  const reference = rows.reference(at)
  return { Id: rows.id(at), OwnReferences: reference === undefined ? [] : [reference] }
}
