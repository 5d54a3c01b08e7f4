/** The plan: price rows and live prices in typed arrays. Entries are made when asked for. */
import { SHOP_ITEMS_PER_CALL } from '../../contract/index.js'
import type { PriceRows } from '../../rows/price-rows.js'
import type { InputForm } from '../../rows/types.js'
import { type Guards, marginPercent } from '../guards/index.js'
import { NOTHING_KNOWN } from '../known.js'
import type { EditedCell, HistogramBar, HoldLimit, LiveItem, PlanEntry, PlanState, PlanSummary, PriceToSend } from '../types.js'
import { CHANGE, HELD, mark, outcomeByte, PlanColumns, type RowPlanOptions } from './columns.js'
import { PlanJudge } from './judge.js'
import { histogramOf, largestOf } from './spread.js'
import { summaryOf } from './summary.js'
import { Titles } from './titles.js'

/** How many edited cells are kept to be named; the others are counted. */
const EDITED_KEPT = 3

/** A plan of prices. Rows are kept in typed arrays, entries are made when asked for. */
export class RowPlan {
  readonly guards: Guards
  /** Whether live prices were not read; then there are no old prices and no undo. */
  readonly blind: boolean
  readonly titles: Titles
  readonly #columns: PlanColumns
  readonly #judge: PlanJudge
  readonly #perCall: number
  /** The first values beside the prices that were edited; only prices are sent. */
  readonly editedCells: EditedCell[] = []
  #editedCells = 0
  #summed: PlanSummary | undefined

  constructor(rows: PriceRows, options: RowPlanOptions) {
    const { guards, blind = false, known = NOTHING_KNOWN, perCall = SHOP_ITEMS_PER_CALL, titles, ...more } = options
    this.titles = titles ?? new Titles()
    this.guards = guards
    this.blind = blind
    this.#columns = new PlanColumns({ rows, guards, blind, known, ...more })
    this.#judge = new PlanJudge(this.#columns)
    this.#perCall = perCall
  }

  get summary(): PlanSummary {
    this.#summed ??= summaryOf(this.#columns, this.#perCall, this.#judge.stopped)
    return this.#summed
  }

  get form(): InputForm {
    return this.#columns.rows.form
  }

  get length(): number {
    return this.#columns.length
  }

  /** Jobs whose queued prices hold rows, in ascending order. */
  get queuedIn(): readonly number[] {
    return [...this.#judge.queuedIn].sort((one, other) => one - other)
  }

  /** Counts a live shop item, whether or not a row is about it. @param price kronor, 0 for none */
  shopItem(price: number): void {
    this.#columns.total += price
  }

  /** What is known of the cost of a live item, to be given to `live`. */
  findCost(item: Pick<LiveItem, 'Id' | 'OwnReferences'>): number {
    return this.#columns.findCost(item)
  }

  /** Whether the cost of any item is known. */
  get hasCosts(): boolean {
    return this.#columns.hasCosts
  }

  /**
   * Notes the live price for a row.
   * @param old kronor, 0 if the item has no price
   * @param cost what `findCost` has found
   */
  live(index: number, old: number, limit: HoldLimit | undefined, cost = -1): void {
    this.#columns.setOld(index, old)
    this.#columns.setCost(index, cost)
    // The item was found; the row is checked when all rows are read.
    this.#columns.marks[index] = limit === undefined ? CHANGE : mark(HELD, limit)
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
    const { rows } = this.#columns
    const old = this.#columns.old(index)
    const price = rows.price(index)
    const change = old > 0 ? price - old : null
    return {
      Line: rows.line(index),
      Id: rows.id(index),
      OwnReference: rows.reference(index) ?? null,
      Title: this.titles.get(index) ?? null,
      OldPrice: old > 0 ? old : null,
      NewPrice: price,
      Change: change,
      Percent: change === null ? null : Math.round((change / old) * 1000) / 10,
      ...this.#margins(index, old, price),
      State: this.#columns.outcomeWord(index),
      Limit: this.#columns.limit(index) ?? null,
      Reason: this.#judge.reason(index),
    }
  }

  #margins(index: number, old: number, price: number): Pick<PlanEntry, 'Cost' | 'OldMargin' | 'NewMargin'> {
    const { cost, vat = 0 } = this.#columns.cost(index) ?? {}
    const margin = (kronor: number) => (cost === undefined || kronor < 1 ? null : marginPercent(kronor, cost, vat))
    return { Cost: cost === undefined ? null : cost / 100, OldMargin: margin(old), NewMargin: margin(price) }
  }

  /** The values of the row's `_` columns, in the order of the form's columns; empty if it has none. */
  extra(index: number): readonly unknown[] {
    return this.#columns.rows.extra(index)
  }

  /** The price that the row's `_Allow` lets through, kronor; 0 where it has none. */
  allow(index: number): number {
    return this.#columns.rows.allow(index)
  }

  /** Indexes in the order of the input, all or those with some outcomes. */
  *indexes(...outcomes: PlanState[]): Generator<number> {
    const wanted = new Set(outcomes.map(outcomeByte))
    for (let at = 0; at < this.length; at++) {
      if (wanted.size === 0 || wanted.has(this.#columns.outcome(at))) yield at
    }
  }

  /** Entries in the order of the input, all or those with some outcomes. */
  *entries(...outcomes: PlanState[]): Generator<PlanEntry> {
    for (const at of this.indexes(...outcomes)) yield this.entry(at)
  }

  /** The rows to be sent, in the order of the input, without the texts of entries: for a million rows this costs a tenth. */
  *toSend(): Generator<PriceToSend> {
    const columns = this.#columns
    const { rows } = columns
    for (let at = 0; at < columns.length; at++) {
      if (columns.outcome(at) !== CHANGE) continue
      const old = columns.old(at)
      yield {
        line: rows.line(at),
        id: rows.id(at),
        price: rows.price(at),
        oldPrice: old > 0 ? old : null,
        ownReference: rows.reference(at),
        title: this.titles.get(at),
        extra: rows.extra(at),
      }
    }
  }

  /** The rows to be sent with the largest changes in percent, largest first. */
  largest(count: number): PlanEntry[] {
    return largestOf(this.#ratios(), count).map((index) => this.entry(index))
  }

  /** The distribution of the changes of the rows to be sent, lowest first. */
  histogram(): HistogramBar[] {
    return histogramOf(this.#ratios())
  }

  /** Index and relative change of each row to be sent that has an old price. */
  *#ratios(): Generator<readonly [index: number, ratio: number]> {
    const columns = this.#columns
    for (let at = 0; at < columns.length; at++) {
      const old = columns.old(at)
      if (columns.outcome(at) === CHANGE && old > 0) yield [at, (columns.price(at) - old) / old]
    }
  }
}
