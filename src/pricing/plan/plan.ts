/** The plan: price rows beside live prices, in typed arrays; entries are made when asked for. */
import { SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import { IntColumn } from '../columns.js'
import { type Guards, guardsOver } from '../guards/index.js'
import type { PriceRows } from '../read/price-rows.js'
import type { HistogramBar, HoldLimit, InputForm, Outcome, PlanEntry, PlanSummary, PricePlan, PriceToSend } from '../types.js'
import { holdReason, isRowGuard, limitByte, limitOf, rowJudge } from './guards.js'
import { frequent, histogramOf, largestOf } from './spread.js'

/** Outcomes as bytes. */
export const OUTCOMES: readonly Outcome[] = ['unknown', 'change', 'unchanged', 'held']
const UNKNOWN = 0
const CHANGE = 1
const UNCHANGED = 2
const HELD = 3

/** Where no live price was read for a row. */
export const NO_OLD = -1

export class RowPlan implements PricePlan {
  readonly guards: Guards
  readonly blind: boolean
  #summed: PlanSummary | undefined
  readonly #rows: PriceRows
  /** Kronor; NO_OLD not read; 0 no price. */
  readonly #olds = new IntColumn()
  /** Outcome in the low two bits, limit (from 1) above. */
  readonly #marks: Uint8Array
  /** The prices that too many rows would get, and how many. */
  #sameRows = new Map<number, number>()
  #changedRows = 0
  readonly #perCall: number

  constructor(rows: PriceRows, guards: Guards, blind: boolean, perCall: number = SHOP_ITEMS_PER_CALL) {
    this.#rows = rows
    this.guards = guards
    this.blind = blind
    this.#perCall = perCall
    this.#marks = new Uint8Array(rows.length)
    for (let at = 0; at < rows.length; at++) this.#olds.push(NO_OLD)
  }

  get summary(): PlanSummary {
    this.#summed ??= this.#summarise()
    return this.#summed
  }

  get form(): InputForm {
    return this.#rows.form
  }

  get length(): number {
    return this.#rows.length
  }

  /** Notes what is live for a row. @param old kronor, 0 where the item has no price */
  live(index: number, old: number, limit: HoldLimit | undefined): void {
    this.#olds.set(index, old)
    // Found; judged once all rows are.
    this.#marks[index] = limit === undefined ? CHANGE : HELD | (limitByte(limit) << 2)
  }

  /** Judges every row by the guards, then the rows among themselves. Called once, after the last live item. */
  judge(): this {
    const judge = rowJudge(this.guards)
    for (let at = 0; at < this.length; at++) this.#marks[at] = this.#judged(at, judge)
    this.#judgeEqual()
    this.#summed = undefined
    return this
  }

  entry(index: number): PlanEntry {
    const mark = this.#marks[index] ?? UNKNOWN
    const outcome = OUTCOMES[mark & 3] ?? 'unknown'
    const old = this.#olds.get(index)
    const price = this.#rows.price(index)
    const limit = limitOf(mark >> 2) ?? null
    const change = old > 0 ? price - old : null
    return {
      Line: this.#rows.line(index),
      Id: this.#rows.id(index),
      OwnReference: this.#rows.reference(index) ?? null,
      OldPrice: old > 0 ? old : null,
      NewPrice: price,
      Change: change,
      ChangePercent: change === null ? null : Math.round((change / old) * 1000) / 10,
      Outcome: outcome,
      Limit: limit,
      Reason: this.#reason(index, outcome, limit),
    }
  }

  extra(index: number): readonly unknown[] {
    return this.#rows.extra(index)
  }

  *indexes(...outcomes: Outcome[]): Generator<number> {
    const wanted = new Set(outcomes.map((outcome) => OUTCOMES.indexOf(outcome)))
    for (let at = 0; at < this.length; at++) {
      if (wanted.size === 0 || wanted.has((this.#marks[at] ?? UNKNOWN) & 3)) yield at
    }
  }

  *entries(...outcomes: Outcome[]): Generator<PlanEntry> {
    for (const at of this.indexes(...outcomes)) yield this.entry(at)
  }

  *toSend(): Generator<PriceToSend> {
    const rows = this.#rows
    for (let at = 0; at < this.length; at++) {
      if (((this.#marks[at] ?? 0) & 3) !== CHANGE) continue
      const old = this.#olds.get(at)
      yield {
        line: rows.line(at),
        id: rows.id(at),
        price: rows.price(at),
        oldPrice: old > 0 ? old : null,
        ownReference: rows.reference(at),
        extra: rows.extra(at),
      }
    }
  }

  largest(count: number): PlanEntry[] {
    return largestOf(this.#ratios(), count).map((index) => this.entry(index))
  }

  histogram(): HistogramBar[] {
    return histogramOf(this.#ratios())
  }

  /** Index and relative change of each row to be sent that has an old price. */
  *#ratios(): Generator<readonly [index: number, ratio: number]> {
    for (let at = 0; at < this.length; at++) {
      const old = this.#olds.get(at)
      if (((this.#marks[at] ?? 0) & 3) === CHANGE && old > 0) yield [at, (this.#rows.price(at) - old) / old]
    }
  }

  #judged(at: number, judge: ReturnType<typeof rowJudge>): number {
    const mark = this.#marks[at] ?? UNKNOWN
    const given = this.#rows.hold(at)
    if (!this.blind && mark !== CHANGE) return mark
    if (given !== undefined) return held(this.form.kind === 'rule' ? 'rule' : 'held_in_plan')
    const old = this.#olds.get(at)
    const price = this.#rows.price(at)
    const expected = this.#rows.expected(at)
    // Before «moved»: what somebody else has set to the very price that is wanted needs nothing.
    if (old === price) return UNCHANGED
    if (expected >= 0 && old >= 0 && expected !== old) return held('moved')
    if (price >= 1 && this.#rows.allow(at) === price) return CHANGE
    const limit = judge({ old, price })
    return limit === undefined ? CHANGE : held(limit)
  }

  /** Holds the rows of every price that too many of all changed rows would get. */
  #judgeEqual(): void {
    for (const { guard, limit } of guardsOver('equal', this.guards)) {
      this.#sameRows = typeof limit === 'number' ? frequent(() => this.#changedPrices(), limit) : new Map()
      let changed = 0
      for (const _ of this.#changedPrices()) changed++
      this.#changedRows = changed
      for (const [price, same] of this.#sameRows) if (!guard.holds(limit, { price, same, changed })) this.#sameRows.delete(price)
      if (this.#sameRows.size === 0) continue
      const mark = held(guard.limit as HoldLimit)
      for (let at = 0; at < this.length; at++) {
        const price = this.#rows.price(at)
        const plain = ((this.#marks[at] ?? 0) & 3) === CHANGE
        if (plain && this.#sameRows.has(price) && this.#rows.allow(at) !== price) this.#marks[at] = mark
      }
    }
  }

  *#changedPrices(): Generator<number> {
    for (let at = 0; at < this.length; at++) if (this.#changes(at)) yield this.#rows.price(at)
  }

  /** Whether the row would change a price, held by a guard or not: what «equal» is counted over. */
  #changes(at: number): boolean {
    const mark = this.#marks[at] ?? UNKNOWN
    if ((mark & 3) === CHANGE) return true
    const limit = limitOf(mark >> 2)
    return limit !== undefined && (limit === 'below_one' || isRowGuard(limit))
  }

  #reason(index: number, outcome: Outcome, limit: HoldLimit | null): string | null {
    if (outcome === 'unknown') {
      const reference = this.#rows.reference(index)
      return reference !== undefined && this.#rows.id(index) === 0
        ? `no live item has the own reference «${reference}»`
        : 'no live shop item has this id'
    }
    if (limit === null) return null
    return holdReason(limit, {
      old: this.#olds.get(index),
      price: this.#rows.price(index),
      expected: this.#rows.expected(index),
      guards: this.guards,
      same: this.#sameRows.get(this.#rows.price(index)) ?? 0,
      changed: this.#changedRows,
      given: this.#rows.hold(index),
    })
  }

  #summarise(): PlanSummary {
    const counts = [0, 0, 0, 0]
    const heldBy: Partial<Record<HoldLimit, number>> = {}
    let up = 0
    let down = 0
    let oldTotal = 0
    let newTotal = 0
    for (let at = 0; at < this.length; at++) {
      const mark = this.#marks[at] ?? UNKNOWN
      const outcome = mark & 3
      counts[outcome] = (counts[outcome] ?? 0) + 1
      const limit = limitOf(mark >> 2)
      if (limit !== undefined) heldBy[limit] = (heldBy[limit] ?? 0) + 1
      if (outcome !== CHANGE) continue
      const old = Math.max(this.#olds.get(at), 0)
      const price = this.#rows.price(at)
      oldTotal += old
      newTotal += price
      if (old > 0 && price > old) up++
      if (old > 0 && price < old) down++
    }
    const change = counts[CHANGE] ?? 0
    return {
      Rows: this.length,
      Change: change,
      Unchanged: counts[UNCHANGED] ?? 0,
      Unknown: counts[UNKNOWN] ?? 0,
      Held: counts[HELD] ?? 0,
      Up: up,
      Down: down,
      OldTotal: this.blind ? null : oldTotal,
      NewTotal: newTotal,
      Calls: Math.ceil(change / this.#perCall),
      HeldBy: heldBy,
    }
  }
}

function held(limit: HoldLimit): number {
  return HELD | (limitByte(limit) << 2)
}
