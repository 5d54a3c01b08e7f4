/** Price rows in typed arrays: 8 bytes per row, and 8 of index if ids are looked up. A million rows take 8 to 20 MB instead of 300. */
import { IdIndex } from './indexes.js'
import { IntColumn, TextColumn } from './packed.js'
import type { InputForm } from './types.js'

export interface PriceRow {
  readonly line: number
  /** 0 if the row has an own reference instead. */
  readonly id: number
  readonly reference?: string
  /** Kronor. A rule may give less than 1, which the plan holds. */
  readonly price: number
  /** The price that the `_Allow` column lets through; 0 if there is none. */
  readonly allow?: number
  /** The live price that the row expects; undefined if it expects none. */
  readonly expected?: number
  /** The price of a rule that the row does not take because it goes in the wrong direction; kronor. */
  readonly refused?: number
  /** Why the row must not be sent, whatever the guards say. */
  readonly hold?: string
  /** The title in the row, only for comparison. */
  readonly title?: string
  /** The category in the row, only for comparison. */
  readonly category?: number
  /** The number in stock in the row, only for comparison. */
  readonly remaining?: number
  /** Values of the `_` columns. */
  readonly extra?: readonly unknown[]
}

/** Shared by all rows without the seller's own columns. */
const NOTHING: readonly unknown[] = []

/** Of rows that no file has: prices by a rule, or of the ledger. */
export const RULE_FORM = { kind: 'rule', columns: ['Id', 'Price'] } as const satisfies InputForm

export class PriceRows {
  form: InputForm
  /** Remarks about the input, one sentence each. */
  notes: readonly string[] = []
  /** The name of the column with the prices that the seller expects to be live, if there is one. */
  oldColumn: string | undefined
  /** Whether an id that no live item has is an own reference: it comes from a column such as Artikelnr. */
  numbered = false
  /** Whether titles may have lost characters to `?`, as in Windows-1252. */
  lossyTitles = false
  readonly #ids = new IntColumn()
  readonly #prices = new IntColumn()
  /** The line of the first row. */
  #firstLine = 0
  /** Created when a line was left out: a blank one, or one with quotes that hold a line end. */
  #lines: IntColumn | undefined
  readonly #byId = new IdIndex((row) => this.#ids.get(row))
  /** Created when a row has one. */
  #allows: IntColumn | undefined
  #expecteds: IntColumn | undefined
  #refused: IntColumn | undefined
  #references: TextColumn | undefined
  #titles: TextColumn | undefined
  #categories: IntColumn | undefined
  #remaining: IntColumn | undefined
  #holds: TextColumn | undefined
  #extras: TextColumn | undefined
  #byReference: Map<string, number> | undefined

  constructor(form: InputForm) {
    this.form = form
  }

  get length(): number {
    return this.#ids.length
  }

  /** @returns -1, or the index of the earlier row for the same item; then nothing was added */
  add(row: PriceRow): number {
    const at = this.length
    if (row.id > 0) {
      const twin = this.#byId.add(row.id, at)
      if (twin >= 0) return twin
    } else if (row.reference !== undefined) {
      this.#byReference ??= new Map()
      const twin = this.#byReference.get(row.reference)
      if (twin !== undefined) return twin
      this.#byReference.set(row.reference, at)
    }
    this.#pushLine(row.line)
    this.#ids.push(row.id)
    this.#prices.push(row.price)
    this.#allows = ints(this.#allows, row.allow, at, 0)
    this.#expecteds = ints(this.#expecteds, row.expected, at, -1)
    this.#references = texts(this.#references, row.reference, at)
    this.#refused = ints(this.#refused, row.refused, at, -1)
    this.#titles = texts(this.#titles, row.title, at)
    this.#categories = ints(this.#categories, row.category, at, -1)
    this.#remaining = ints(this.#remaining, row.remaining, at, -1)
    this.#holds = texts(this.#holds, row.hold, at)
    this.#extras = texts(this.#extras, row.extra === undefined ? undefined : JSON.stringify(row.extra), at)
    return -1
  }

  /** Adds a row with only an id and a price, quickly; only as long as all rows before it are like that. @returns as add */
  addPlain(line: number, id: number, price: number): number {
    const twin = this.#byId.add(id, this.#ids.length)
    if (twin >= 0) return twin
    this.#pushLine(line)
    this.#ids.push(id)
    this.#prices.push(price)
    return -1
  }

  /** The line of the next row. */
  #pushLine(line: number): void {
    const at = this.length
    if (at === 0) this.#firstLine = line
    if (this.#lines === undefined && line === this.#firstLine + at) return
    if (this.#lines === undefined) {
      this.#lines = new IntColumn()
      for (let before = 0; before < at; before++) this.#lines.push(this.#firstLine + before)
    }
    this.#lines.push(line)
  }

  id(index: number): number {
    return this.#ids.get(index)
  }

  price(index: number): number {
    return this.#prices.get(index)
  }

  line(index: number): number {
    return this.#lines?.get(index) ?? this.#firstLine + index
  }

  reference(index: number): string | undefined {
    return this.#references?.get(index)
  }

  allow(index: number): number {
    return this.#allows?.get(index) ?? 0
  }

  /** -1 if the row expects no price. */
  expected(index: number): number {
    return this.#expecteds?.get(index) ?? -1
  }

  /** -1 if the row did not refuse the price of a rule. */
  refused(index: number): number {
    return this.#refused?.get(index) ?? -1
  }

  title(index: number): string | undefined {
    return this.#titles?.get(index)
  }

  /** -1 if the row has none. */
  remaining(index: number): number {
    return this.#remaining?.get(index) ?? -1
  }

  /** Whether some row has a number in stock, so that the live ones are worth reading. */
  get hasRemaining(): boolean {
    return this.#remaining !== undefined
  }

  /** -1 if the row has none. */
  category(index: number): number {
    return this.#categories?.get(index) ?? -1
  }

  hold(index: number): string | undefined {
    return this.#holds?.get(index)
  }

  extra(index: number): readonly unknown[] {
    const text = this.#extras?.get(index)
    return text === undefined ? NOTHING : (JSON.parse(text) as unknown[])
  }

  /** Whether some row has an own reference instead of an id. */
  get hasReferences(): boolean {
    return this.#byReference !== undefined
  }

  /** The row with an own reference; -1 if there is none. */
  findReference(reference: string): number {
    return this.#byReference?.get(reference) ?? -1
  }

  /** -1 if no row has the id. */
  find(id: number): number {
    return this.#byId.find(id)
  }

  /** Gives a row with an own reference its id. @returns -1, or the row that has the id already */
  resolve(index: number, id: number): number {
    // Planned before: the row has its id.
    if (this.#ids.get(index) === id) return -1
    const twin = this.#byId.add(id, index)
    if (twin < 0) this.#ids.set(index, id)
    return twin
  }
}

function ints(column: IntColumn | undefined, value: number | undefined, at: number, none: number): IntColumn | undefined {
  if (column === undefined && value === undefined) return undefined
  const filled = column ?? new IntColumn()
  while (filled.length < at) filled.push(none)
  filled.push(value ?? none)
  return filled
}

function texts(column: TextColumn | undefined, value: string | undefined, at: number): TextColumn | undefined {
  if (column === undefined && value === undefined) return undefined
  const filled = column ?? new TextColumn()
  while (filled.length < at) filled.push(undefined)
  filled.push(value)
  return filled
}
