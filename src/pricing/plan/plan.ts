/** The plan: price rows with their live items, and what becomes of each. */
import { SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import type { HistogramBar, PlanState } from '../../contract/plans.js'
import type { Hold } from '../../holds/index.js'
import type { PriceRow, PriceRows } from '../../rows/price-rows.js'
import type { InputForm } from '../../rows/types.js'
import { type Guards, marginPercent } from '../guards/index.js'
import { NOTHING_KNOWN } from '../known.js'
import type { EditedCell, HoldLimit, PlanEntry, PlanSummary, PlanTerms, PriceToSend } from '../types.js'
import { PlanJudge, type PlannedRow, type PlannedRows } from './judge.js'
import { buildHistogram, findLargest } from './spread.js'
import { summarizePlan } from './summary.js'

/** Number of edited cells kept to be named; the others are counted. */
const EDITED_KEPT = 3

/** Number of titles kept, in the ledger too: nobody reads a longer plan. */
export const TITLES_KEPT = 10_000

export interface RowPlanOptions extends PlanTerms {
  /** True if the live list is not read. */
  readonly blind?: boolean | undefined
  /** Coverage of the live list; the shop by default. */
  readonly totalOf?: 'shop' | 'category' | undefined
  /** Further rows, which have their live price: they are counted, and are not among the rows. */
  readonly same?: number | undefined
}

/** Standing of a live item. */
export interface LiveStanding {
  /** Kronor, 0 if the item has no price. */
  readonly old: number
  /** Why its row is held whatever its price is. */
  readonly limit?: HoldLimit | undefined
  readonly cost?: PlannedRow['cost']
  /** Title of an item that has another price. */
  readonly title?: string | undefined
}

/** A plan of prices. */
export class RowPlan {
  readonly guards: Guards
  /** True if live prices were not read; then there are no old prices and no undo. */
  readonly blind: boolean
  /** True if the cost of any item is known. */
  readonly hasCosts: boolean
  readonly form: InputForm
  /** Items that a rule by cost has left out, since too little is known of them; undefined for other plans. */
  withoutCost: number | undefined
  readonly #rows: PlannedRow[] = []
  readonly #plan: PlannedRows
  readonly #judge: PlanJudge
  readonly #perCall: number
  /** The first values beside the prices that were edited; only prices are sent. */
  readonly editedCells: EditedCell[] = []
  #editedCells = 0
  #titles = 0
  #summed: PlanSummary | undefined

  /** @param rows those that are known before the live list is read; a rule adds its own with `add` */
  constructor(rows: PriceRows, options: RowPlanOptions) {
    const { guards, blind = false, known = NOTHING_KNOWN, perCall = SHOP_ITEMS_PER_CALL, costs, lowers = false } = options
    const { form } = rows
    this.guards = guards
    this.blind = blind
    this.form = form
    this.hasCosts = costs !== undefined && !costs.empty
    for (const row of rows) {
      // Without the live list, the ids of the rows are all there is.
      const cost = blind ? costs?.of(namedBy(row)) : undefined
      this.#rows.push({ row, old: -1, cost, title: undefined, state: 'unknown', limit: undefined })
    }
    const { totalOf = 'shop', same = 0 } = options
    const judgesRatio = form.kind !== 'arguments' && form.kind !== 'rule' && !blind && !rows.vatSaid
    this.#plan = { rows: this.#rows, form, guards, blind, known, lowers, total: 0, totalOf, judgesRatio, same }
    this.#judge = new PlanJudge(this.#plan)
    this.#perCall = perCall
  }

  get summary(): PlanSummary {
    const { blind, hasCosts } = this
    const [perCall, { withoutCost }, { stopped }] = [this.#perCall, this, this.#judge]
    const { same } = this.#plan
    this.#summed ??= summarizePlan(this.#rows, { blind, perCall, stopped, hasCosts, withoutCost, same })
    return this.#summed
  }

  get length(): number {
    return this.#rows.length
  }

  /** Counts a live shop item, whether or not a row is about it. @param price kronor, 0 for none */
  shopItem(price: number): void {
    this.#plan.total += price
  }

  /** Adds a row about a live item. */
  add(row: PriceRow, standing: LiveStanding): void {
    this.#rows.push({ row, old: -1, cost: undefined, title: undefined, state: 'unknown', limit: undefined })
    this.live(this.length - 1, standing)
  }

  /** Notes the live item of a row. */
  live(index: number, { old, limit, cost, title }: LiveStanding): void {
    const row = this.#at(index)
    row.old = old
    row.cost = cost
    if (title !== undefined && this.#titles++ < TITLES_KEPT) row.title = title
    // The item was found; the row is checked when all rows are read.
    row.state = limit === undefined ? 'change' : 'held'
    row.limit = limit
  }

  /** Holds a row whose item is not live, because another one may be meant. */
  mistyped(index: number, hold: Hold): void {
    const plannedRow = this.#at(index)
    plannedRow.row = { ...plannedRow.row, hold }
    plannedRow.state = 'held'
    plannedRow.limit = 'near_live'
  }

  /** Notes a value that was edited and will not be sent. */
  noteEdited(cell: EditedCell): void {
    this.#editedCells++
    if (this.editedCells.length < EDITED_KEPT) this.editedCells.push(cell)
  }

  get editedCount(): number {
    return this.#editedCells
  }

  /** Checks every row by the guards, then the rows together. Called once, after the last live item. */
  judge(): this {
    this.#judge.judge()
    this.#summed = undefined
    return this
  }

  entry(index: number): PlanEntry {
    const plannedRow = this.#at(index)
    const { row, old, title, state, limit } = plannedRow
    const change = old > 0 ? row.price - old : null
    return {
      Line: row.line,
      Id: row.id,
      OwnReference: row.reference ?? null,
      Title: title ?? null,
      OldPrice: old > 0 ? old : null,
      NewPrice: row.price,
      Change: change,
      Percent: change === null ? null : Math.round((change / old) * 1000) / 10,
      ...margins(plannedRow),
      State: state,
      Limit: limit ?? null,
      Hold: this.#judge.hold(plannedRow),
    }
  }

  /** The outcome of a row, without the texts of its entry. */
  state(index: number): PlanState {
    return this.#at(index).state
  }

  /** The values of the row's `_` columns, in the order of the form's columns; empty if it has none. */
  extra(index: number): readonly unknown[] {
    return this.#at(index).row.extra ?? []
  }

  /** The price that the row's `_Allow` lets through, kronor; 0 where it has none. */
  allow(index: number): number {
    return this.#at(index).row.allow ?? 0
  }

  /** Indexes in the order of the input, all or those with some outcomes. */
  *indexes(...outcomes: PlanState[]): Generator<number> {
    for (const [at, { state }] of this.#rows.entries()) if (outcomes.length === 0 || outcomes.includes(state)) yield at
  }

  /** Entries in the order of the input, all or those with some outcomes. */
  *entries(...outcomes: PlanState[]): Generator<PlanEntry> {
    for (const at of this.indexes(...outcomes)) yield this.entry(at)
  }

  /** The rows to be sent, in the order of the input, without the texts of entries: for a million rows this costs a tenth. */
  *toSend(): Generator<PriceToSend> {
    for (const { row, old, title, state } of this.#rows) {
      if (state !== 'change') continue
      const { line, id, price, reference: ownReference, extra = [] } = row
      yield { line, id, price, oldPrice: old > 0 ? old : null, ownReference, title, extra }
    }
  }

  /** The rows to be sent with the largest changes in percent, largest first. */
  largest(count: number): PlanEntry[] {
    return findLargest(this.#ratios(), count).map((index) => this.entry(index))
  }

  /** The distribution of the changes of the rows to be sent, lowest first. */
  histogram(): HistogramBar[] {
    return buildHistogram(this.#ratios())
  }

  /** Index and relative change of each row to be sent that has an old price. */
  *#ratios(): Generator<readonly [index: number, ratio: number]> {
    for (const [at, { row, old, state }] of this.#rows.entries())
      if (state === 'change' && old > 0) yield [at, (row.price - old) / old]
  }

  #at(index: number): PlannedRow {
    const row = this.#rows[index]
    if (row === undefined) throw new RangeError(`There is no row ${index} of ${this.length}.`)
    return row
  }
}

/** The item that a row names. */
function namedBy({ id, reference }: PlannedRow['row']): { readonly Id: number; readonly OwnReferences: readonly string[] } {
  return { Id: id, OwnReferences: reference === undefined ? [] : [reference] }
}

function margins({ row, old, cost: facts }: PlannedRow): Pick<PlanEntry, 'Cost' | 'OldMargin' | 'NewMargin'> {
  const { cost, vat = 0 } = facts ?? {}
  const margin = (kronor: number) => (cost === undefined || kronor < 1 ? null : marginPercent(kronor, cost, vat))
  return { Cost: cost === undefined ? null : cost / 100, OldMargin: margin(old), NewMargin: margin(row.price) }
}
