/** The rows of a catalogue, packed outside the heap: 100 bytes for a row of five short cells, where objects take 900. */
import { IntColumn, type Made, TextColumn, type TextSpill } from './packed.js'
import type { ItemRecord } from './records.js'

export interface CatalogueRow {
  readonly line: number
  /** Without spaces around them; none if the cell is blank. The first one names the item: others, such as a shelf, may be those of several. */
  readonly references: readonly string[]
  /** Whether the first one is a number in a column that may have ids of items, such as Artikelnr: if an item has that id, it is meant. */
  readonly mayBeId: boolean
  /** What the row says, by the names of the fields of ShopItemData. A blank cell says nothing. */
  readonly given: Readonly<Record<string, unknown>>
  /** The price that the `_Allow` column lets past the guards, kronor; 0 if there is none. */
  readonly allow: number
  /** Values of the `_` columns. */
  readonly extra: readonly unknown[]
}

const ID = /^[1-9]\d{0,9}$/

export class CatalogueRows implements Made<CatalogueRow> {
  /** Whether the column of own references may have ids of items, such as Artikelnr. */
  numbered = false
  readonly #lines = new IntColumn()
  /** The values of the fields and then of the `_` columns, as JSON. */
  readonly #texts: TextColumn
  readonly #shapes = new IntColumn()
  /** The names of the fields that rows have, in their order: nearly all rows have the same. */
  readonly #fields: string[][] = []
  readonly #shapeOf = new Map<string, number>()
  readonly #allows = new Map<number, number>()

  /** @param spill where rows with long texts go that are too many for memory */
  constructor(spill?: TextSpill) {
    this.#texts = new TextColumn(spill)
  }

  get length(): number {
    return this.#lines.length
  }

  push({ line, value, extra }: ItemRecord): void {
    const names = Object.keys(value)
    const key = names.join()
    const shape = this.#shapeOf.get(key) ?? this.#fields.push(names) - 1
    this.#shapeOf.set(key, shape)
    this.#shapes.push(shape)
    this.#lines.push(line)
    this.#texts.push(JSON.stringify([...Object.values(value), ...extra]))
  }

  /** Notes the price that a row lets past the guards, kronor. */
  allow(index: number, price: number): void {
    this.#allows.set(index, price)
  }

  line(index: number): number {
    return this.#lines.get(index)
  }

  at(index: number): CatalogueRow | undefined {
    const text = index < 0 ? undefined : this.#texts.get(index)
    return text === undefined ? undefined : this.#row(index, text)
  }

  *[Symbol.iterator](): Generator<CatalogueRow> {
    for (let index = 0; index < this.length; index++) yield this.#row(index, this.#texts.get(index) ?? '[]')
  }

  #row(index: number, text: string): CatalogueRow {
    const values = JSON.parse(text) as unknown[]
    const names = this.#fields[this.#shapes.get(index)] ?? []
    const given: Record<string, unknown> = {}
    for (const [at, name] of names.entries()) given[name] = values[at]
    const references = (given.OwnReferences ?? []) as readonly string[]
    const mayBeId = this.numbered && ID.test(references[0] ?? '')
    const allow = this.#allows.get(index) ?? 0
    return { line: this.line(index), references, mayBeId, given, allow, extra: values.slice(names.length) }
  }
}
