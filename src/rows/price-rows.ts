/** Rows of prices, found by the id or the own reference of their item. */
import type { Hold } from '../holds/index.js'
import { IntMap } from './stored-list.js'
import type { InputForm } from './types.js'

export interface PriceRow {
  readonly line: number
  /** 0 as long as the row names its item by an own reference only. */
  id: number
  readonly reference?: string | undefined
  /** Kronor. A rule may give less than 1, which the plan holds. 0 of a price without VAT, as long as its item is not known. */
  price: number
  /** The price without VAT that the row gives, öre. */
  readonly net?: number | undefined
  /** The price that the `_Allow` column lets through. */
  readonly allow?: number | undefined
  /** The live price that the row expects. */
  readonly expected?: number | undefined
  /** The price of a rule that the row does not take because it goes in the wrong direction; kronor. */
  readonly refused?: number
  /** Why the row must not be sent, whatever the guards say. */
  readonly hold?: Hold | undefined
  /** The reserve price of an auction, kronor; 0 for none. */
  readonly reserve?: number | undefined
  /** The title in the row, only for comparison. */
  readonly title?: string | undefined
  /** The category in the row, only for comparison. */
  readonly category?: number | undefined
  /** The number in stock in the row, only for comparison. */
  readonly remaining?: number | undefined
  /** Values of the `_` columns. */
  readonly extra?: readonly unknown[] | undefined
}

/** Form of rows that no file has: prices by a rule, or of the ledger. */
export const RULE_FORM = { kind: 'rule', columns: ['Id', 'Price'] } as const satisfies InputForm

export class PriceRows implements Iterable<PriceRow> {
  form: InputForm
  /** Remarks about the input, one sentence each. */
  notes: readonly string[] = []
  /** The name of the column with the prices that the seller expects to be live, if there is one. */
  oldColumn: string | undefined
  /** True if an id that no live item has is an own reference: it comes from a column such as Artikelnr. */
  numbered = false
  /** True if titles may have lost characters to `?`, as in Windows-1252. */
  lossyTitles = false
  /** True if some row has a number in stock, so that the live ones are worth reading. */
  hasRemaining = false
  readonly #rows: PriceRow[] = []
  /**
   * Indexes by id; undefined as long as each row has a higher id than the one before, as in files sorted by id. The rows are then
   * searched by halves: with a map, reading a million takes three times as long (measured).
   */
  #byId: IntMap | undefined
  readonly #byReference = new Map<string, number>()
  /** Rows with an id and an own reference, which names the item if no item has the id: it may be that of another system. */
  readonly #beside = new Map<string, number>()
  /** True if the seller said whether the prices are with VAT. */
  vatSaid = false

  constructor(form: InputForm) {
    this.form = form
  }

  get length(): number {
    return this.#rows.length
  }

  /** The row at an index. @throws RangeError beyond the last row */
  at(index: number): PriceRow {
    const row = this.#rows[index]
    if (row === undefined) throw new RangeError(`There is no row ${index} of ${this.length}.`)
    return row
  }

  [Symbol.iterator](): Iterator<PriceRow> {
    return this.#rows.values()
  }

  /** @returns -1, or the index of the earlier row for the same item; then nothing was added */
  add(row: PriceRow): number {
    const { id, reference } = row
    const twin = id > 0 ? this.find(id) : reference === undefined ? -1 : this.findReference(reference)
    // Variants of a product have one id in some systems, and references of their own.
    const other = twin >= 0 && id > 0 ? this.at(twin).reference : undefined
    const alike = other === undefined || reference === undefined || other === reference
    if (twin >= 0 && alike) return twin
    if (id <= this.#lastId) this.#indexed()
    if (id > 0) {
      if (twin < 0) this.#byId?.set(id, this.length)
      if (reference !== undefined && !this.#beside.has(reference)) this.#beside.set(reference, this.length)
    } else if (reference !== undefined) this.#byReference.set(reference, this.length)
    this.#rows.push(row)
    if (row.remaining !== undefined) this.hasRemaining = true
    return -1
  }

  /** Puts another row about the same item in the place of one. */
  replace(index: number, row: PriceRow): void {
    this.#rows[index] = row
  }

  /** True if some row has an own reference instead of an id. */
  get hasReferences(): boolean {
    return this.#byReference.size > 0
  }

  /** The index of the row with an own reference instead of an id; -1 if there is none. */
  findReference(reference: string): number {
    return this.#byReference.get(reference) ?? -1
  }

  /** True if some row has both. */
  get hasBoth(): boolean {
    return this.#beside.size > 0
  }

  /** The index of a row that has an own reference next to its id; -1 if there is none. */
  findBeside(reference: string): number {
    return this.#beside.get(reference) ?? -1
  }

  /** The index of the row with an id; -1 if there is none. */
  find(id: number): number {
    if (this.#byId !== undefined) return this.#byId.get(id) ?? -1
    if (id > this.#lastId) return -1
    let [from, to] = [0, this.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.at(middle).id < id) from = middle + 1
      else to = middle
    }
    return from < this.length && this.at(from).id === id ? from : -1
  }

  get #lastId(): number {
    return this.#rows[this.length - 1]?.id ?? 0
  }

  /** The map for ids that do not rise, as those of rows by own reference do not. */
  #indexed(): IntMap {
    if (this.#byId === undefined) {
      this.#byId = new IntMap()
      for (const [at, { id }] of this.#rows.entries()) this.#byId.set(id, at)
    }
    return this.#byId
  }

  /** Gives a row with an own reference its id. @returns -1, or the row that has the id already */
  resolve(index: number, id: number): number {
    const row = this.at(index)
    // Planned before: the row has its id.
    if (row.id === id) return -1
    const twin = this.find(id)
    if (twin >= 0) return twin
    this.#indexed().set(id, index)
    row.id = id
    return -1
  }
}
