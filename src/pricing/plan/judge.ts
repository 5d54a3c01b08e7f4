/** Checks the rows of a plan: each on its own, then those that would get the same price, then everything together. */
import type { PlanState } from '../../contract/plans.js'
import { type Hold, held as heldFor } from '../../holds/index.js'
import type { PriceRow } from '../../rows/price-rows.js'
import type { InputForm } from '../../rows/types.js'
import type { ItemCost } from '../costs.js'
import { type CostFacts, type Guards, guardsOver, stoppedBy, type WholeFacts } from '../guards/index.js'
import type { Known, PendingPrice } from '../known.js'
import type { HoldLimit, Stopped } from '../types.js'
import { holdOf, isRowGuard, rowJudge } from './guards.js'
import { ratioOf } from './ratio.js'
import { countEach } from './spread.js'

/** A row of a plan with its live item, and its outcome. */
export interface PlannedRow {
  row: PriceRow
  /** The live price, kronor; -1 if it was not read, 0 if there is none. */
  old: number
  /** Cost of the item. */
  cost: (CostFacts & ItemCost) | undefined
  /** The title of the live item. */
  title: string | undefined
  state: PlanState
  /** The guard or fact that holds the row, or lets it stay as it is. */
  limit: HoldLimit | undefined
}

/** All rows of a plan with what they are judged by. */
export interface PlannedRows {
  readonly rows: readonly PlannedRow[]
  readonly form: InputForm
  readonly guards: Guards
  /** True if the live list is not read. */
  readonly blind: boolean
  readonly known: Known
  /** True if a row that would raise its price is held. */
  readonly lowers: boolean
  /** Total price of all shop items of the live list, kronor. */
  total: number
  readonly totalOf: 'shop' | 'category'
  /** True if the prices come from a file of which the seller did not say whether VAT is in them. */
  readonly judgesRatio: boolean
  /** Further rows, which have their live price. */
  readonly same: number
}

type Outcome = Pick<PlannedRow, 'state' | 'limit'>

/**
 * Rows held for these reasons say nothing about the file as a whole: held in a saved plan, items without a price, jobs under way.
 */
const OF_ITS_OWN: ReadonlySet<HoldLimit> = new Set<HoldLimit>(['held_in_plan', 'near_live', 'rule', 'queued'])

/** Findings of checking a plan, besides the marks of its rows. */
export class PlanJudge {
  /** Why nothing at all is sent; null if the rows that pass are sent. */
  stopped: Stopped | null = null
  readonly #plan: PlannedRows
  /** The prices that too many rows would get, and how many rows. */
  #sameRows = new Map<number, number>()
  #changedRows = 0
  #whole: WholeFacts | undefined

  constructor(plan: PlannedRows) {
    this.#plan = plan
  }

  /** Judges every row. Called once, after the last live item. */
  judge(): void {
    const { rows, guards, blind } = this.#plan
    const judgeRow = rowJudge(guards)
    for (const row of rows) {
      if (!blind && row.state !== 'change') continue
      const outcome = this.#judgeOutcome(row, judgeRow)
      row.state = outcome.state
      row.limit = outcome.limit
    }
    this.#judgeEqual()
    this.#judgeWhole()
  }

  /** Why a row is held or stays as it is; null for a row that is sent, or that has its price already. */
  hold({ row, old, cost, state, limit }: PlannedRow): Hold | null {
    const { known, guards } = this.#plan
    const { id, reference = '' } = row
    if (state === 'unknown')
      return heldFor('not_live', { Id: reference === '' ? id : null, OwnReference: reference || null, Type: 'ShopItem' })
    if (limit === undefined) return null
    // The same for all of its rows.
    if (limit === this.stopped?.Limit) return this.stopped.Hold
    const { first = 0, pending } = known.of(row.id) ?? {}
    const { price, expected, hold: given, refused } = row
    return holdOf(limit, {
      ...{ id, old, price, first, pending, cost, guards, expected, given, refused },
      equal: { price, same: this.#sameRows.get(price) ?? 0, changed: this.#changedRows },
      whole: this.#whole,
    })
  }

  #judgeOutcome({ row, old, cost }: PlannedRow, judgeRow: ReturnType<typeof rowJudge>): Outcome {
    const { price, expected } = row
    if (row.hold !== undefined) return heldOutcome(this.#plan.form.kind === 'rule' ? 'rule' : 'held_in_plan')
    if (row.refused !== undefined) return { state: 'unchanged', limit: 'wrong_way' }
    const item = this.#plan.known.of(row.id)
    const queuedOutcome = item?.pending === undefined ? undefined : this.#judgeQueued(item.pending, old, price)
    if (queuedOutcome !== undefined) return queuedOutcome
    // Before "moved": if someone else has set the very price that is wanted, there is nothing to do.
    if (old === price) return UNCHANGED
    if (expected !== undefined && old >= 0 && expected !== old) return heldOutcome('moved')
    if (this.#plan.lowers && old > 0 && price > old) return heldOutcome('raises')
    if (price >= 1 && row.allow === price) return CHANGE
    const limit = judgeRow({ old, price, first: item?.first ?? 0, cost })
    return limit === undefined ? CHANGE : heldOutcome(limit)
  }

  /**
   * Checks a row whose item has a queued price. It is not documented in which order the service carries out what is queued
   * (docs/service.md, Waiting for results), so the earlier price may be set last.
   */
  #judgeQueued({ price: pending, state }: PendingPrice, old: number, price: number): Outcome | undefined {
    if (state === 'sending') return price === pending ? undefined : heldOutcome('queued')
    // The price is set already, but this ledger has not asked for the result yet.
    if (old === pending) return undefined
    return price === pending ? { state: 'unchanged', limit: 'queued' } : heldOutcome('queued')
  }

  /** Holds the rows of every price that too many of the changed rows would get. */
  #judgeEqual(): void {
    const { rows, guards } = this.#plan
    for (const { guard, limit } of guardsOver('equal', guards)) {
      const changingRows = rows.filter(wouldChange)
      const changedCount = changingRows.length
      this.#changedRows = changedCount
      this.#sameRows = countEach(changingRows.map(({ row }) => row.price))
      for (const [price, same] of this.#sameRows)
        if (!guard.holds(limit, { price, same, changed: changedCount })) this.#sameRows.delete(price)
      for (const row of changingRows) {
        const { price, allow } = row.row
        if (row.state === 'change' && this.#sameRows.has(price) && allow !== price) hold(row, guard.limit as HoldLimit)
      }
    }
  }

  /** Holds everything if a guard over the whole is broken. */
  #judgeWhole(): void {
    const facts = wholeFacts(this.#plan)
    this.stopped = stoppedBy('whole', this.#plan.guards, facts)
    if (this.stopped === null) return
    this.#whole = facts
    for (const row of this.#plan.rows) if (row.state === 'change') hold(row, this.stopped.Limit)
  }
}

const CHANGE: Outcome = { state: 'change', limit: undefined }
const UNCHANGED: Outcome = { state: 'unchanged', limit: undefined }

function heldOutcome(limit: HoldLimit): Outcome {
  return { state: 'held', limit }
}

function hold(row: PlannedRow, limit: HoldLimit): void {
  row.state = 'held'
  row.limit = limit
}

/** True if a row would change its price if no guard over single rows held it. */
function wouldChange({ state, limit }: PlannedRow): boolean {
  return state === 'change' || (limit !== undefined && (limit === 'below_one' || isRowGuard(limit)))
}

function wholeFacts({ rows, form, total, totalOf, judgesRatio, same }: PlannedRows): WholeFacts {
  let [changed, held, down, up, fall] = [0, 0, 0, 0, 0]
  // A rule has no lines that could slip.
  const lines = form.kind !== 'rule' && form.kind !== 'arguments'
  for (const [at, planned] of rows.entries()) {
    const { state, limit, old, row } = planned
    const change = state === 'change'
    const isBroken = state === 'held' && limit !== undefined && !OF_ITS_OWN.has(limit)
    if (!change && !isBroken) continue
    changed++
    if (isBroken) held++
    if (old <= 0) continue
    if (change) fall += old - row.price
    if (lines && slipped(planned, rows[at - 1])) down++
    if (lines && slipped(planned, rows[at + 1])) up++
  }
  const ratio = judgesRatio ? ratioOf(rows, same) : undefined
  return { changed, held, shifted: Math.max(down, up), total, totalAfter: total - fall, totalOf, ratio }
}

/** True if the new price of a row is the current one of its neighbour. Neighbours that get the same price prove nothing. */
function slipped({ row: { price }, old }: PlannedRow, neighbour: PlannedRow | undefined): boolean {
  return neighbour !== undefined && price === neighbour.old && price !== old && price !== neighbour.row.price
}
