/** Takes the rows of an input, whatever form they come in: its columns, what each is for, and what is wrong. */
import { nearest } from '../contract/index.js'
import type { Encoding } from './bytes.js'
import { FaultList } from './faults.js'
import { ALLOW_COLUMN, OLD_COLUMN, plainName, REASON_COLUMN } from './fields.js'
import { encodingNote } from './notes.js'

/** A field of the reader; `extra`: kept unchanged; `other`: not read; `ignored`: neither read nor kept. */
export type Role<F extends string> = F | 'extra' | 'other' | 'ignored'

export abstract class RowReader<F extends string> {
  readonly faults = new FaultList()
  /** In the order in which they came. */
  readonly columns: string[] = []
  /** What each is for. */
  readonly roles: Role<F>[] = []
  encoding: Encoding = 'UTF-8'
  /** Remarks about the input, a sentence each. */
  readonly noted: string[] = []
  /** Set, once the columns are known, if a row of two plain numbers may be passed on without its text. */
  pair: ((first: number, second: number, line: number) => void) | undefined
  readonly #names: Readonly<Record<string, F>>
  readonly #refuse: (name: string, plain: string) => string | undefined
  readonly #placeOf = new Map<string, number>()
  readonly #placeOfKey = new Map<string, number>()

  /**
   * @param names the fields of this kind of input, by the plain names of their columns
   * @param refuse why a column that is no field cannot be passed over; undefined for one that can
   */
  constructor(names: Readonly<Record<string, F>>, refuse: (name: string, plain: string) => string | undefined = () => undefined) {
    this.#names = names
    this.#refuse = refuse
  }

  /** Called when all columns of a table are known. JSON may bring new ones in any row. */
  abstract columnsKnown(): void

  /**
   * Called for each row, once all its columns are known. Values are in the order of the columns; undefined for a key that a JSON
   * row does not have. `raw` is the row as JSON text if the spelling of its numbers matters.
   */
  abstract row(line: number, values: readonly unknown[], raw: string | undefined): void

  /** Says what may have made a row of a CSV longer or shorter than the first line; undefined if the reader does not know. */
  oddLength(_cells: readonly string[]): string | undefined {
    return undefined
  }

  /** Takes the next column. Adds a fault if a field has a column already, or if the column is refused. */
  column(name: string, line: number): void {
    this.columns.push(name)
    this.roles.push(this.#roleOf(name, line))
  }

  /** Takes the columns of a table. @throws InputRefused for what makes all its rows meaningless */
  head(names: readonly string[], line: number): void {
    for (const name of names) this.column(name, line)
    this.columnsKnown()
    this.faults.refuse()
  }

  /** Takes a row whose keys name its columns. */
  object(object: Readonly<Record<string, unknown>>, line: number, raw: string | undefined): void {
    const values: unknown[] = []
    for (const key of Object.keys(object)) {
      let at = this.#placeOfKey.get(key)
      if (at === undefined) {
        at = this.columns.length
        this.#placeOfKey.set(key, at)
        this.column(key, line)
      }
      values[at] = object[key]
    }
    this.row(line, values, raw)
  }

  /** The column of a field, -1 if there is none. */
  indexOf(field: F): number {
    return this.#placeOf.get(field) ?? -1
  }

  /** Names of the columns that are skipped. */
  get others(): string[] {
    return this.columns.filter((name, index) => this.roles[index] === 'other' && name.trim() !== '')
  }

  /** Values of the columns that are kept and written back: the seller's own, and those that say something of a price. */
  extraOf(values: readonly unknown[]): unknown[] {
    return this.extras.map((column) => values[column] ?? null)
  }

  get extras(): number[] {
    return this.roles.flatMap((role, index) => (role === 'extra' || role === ALLOW_COLUMN || role === OLD_COLUMN ? [index] : []))
  }

  /** What is to be said of the input besides its columns, a sentence each. */
  protected get inputNotes(): string[] {
    return [...encodingNote(this.encoding), ...this.noted]
  }

  /** Of the skipped columns, the one whose name is nearest to a known one. */
  protected nearestOther(known: string): string | undefined {
    return this.others.find((name) => nearest(name, [known]) !== undefined)
  }

  #roleOf(name: string, line: number): Role<F> {
    const plain = plainName(name)
    if (plain === REASON_COLUMN.toLowerCase()) return 'ignored'
    const field = Object.hasOwn(this.#names, plain) ? this.#names[plain] : undefined
    if (field === undefined) {
      if (plain.startsWith('_')) return 'extra'
      const why = this.#refuse(name, plain)
      if (why === undefined) return 'other'
      this.faults.add(line, null, name, `${why} Columns of your own begin with _.`)
      return 'ignored'
    }
    const twin = this.#placeOf.get(field)
    if (twin !== undefined) {
      const why = `is a second column for ${field}; "${this.columns[twin]}" is one already. Rename one of them.`
      this.faults.add(line, null, name, why)
      return 'ignored'
    }
    this.#placeOf.set(field, this.columns.length - 1)
    return field
  }
}

/** Columns without the one for reasons. */
export function kept(columns: readonly string[]): string[] {
  return columns.filter((name) => name.toLowerCase() !== REASON_COLUMN.toLowerCase())
}
