/** Takes the rows of an input, whatever form they come in. */
import type { Encoding } from './bytes.js'
import { FaultList } from './faults.js'
import { REASON_COLUMN } from './fields.js'
import { encodingNote } from './notes.js'
import { type RoleOptions, Roles } from './roles.js'

export interface RowReader {
  /** Called for each column: for all of a CSV before its rows, for a key of JSON at the first row that has it. */
  column(name: string, line: number): void
  /** Called when all columns of a CSV are known. JSON may bring new ones in any row. */
  columnsKnown(columns: readonly string[]): void
  /**
   * Called for each row, once all its columns are known. Values are in the order of the columns; undefined for a key that a JSON
   * row does not have. `raw` is the row as JSON text if the spelling of its numbers matters.
   */
  row(line: number, values: readonly unknown[], raw: string | undefined): void
  /** Called at the end with the encoding of the input. */
  encoded?(encoding: Encoding): void
  /** Takes a remark about the input, a sentence. */
  noted?(note: string): void
  /** Says what may have made a row of a CSV longer or shorter than the first line; undefined if the reader does not know. */
  oddLength?(cells: readonly string[], columns: readonly string[]): string | undefined
  /** Set, once the columns are known, if a row of two plain numbers may be passed on without its text. */
  readonly pair?: (first: number, second: number, line: number) => void
}

/** What every reader of rows has: its faults, its columns, and what is to be said of the input. */
export abstract class ColumnReader<F extends string> implements RowReader {
  readonly faults = new FaultList()
  readonly roles: Roles<F>
  protected encoding: Encoding = 'UTF-8'
  readonly #noted: string[] = []

  /** @param refuse as for Roles */
  constructor(names: RoleOptions<F>['names'], refuse?: RoleOptions<F>['refuse']) {
    this.roles = new Roles<F>({ names, faults: this.faults, refuse })
  }

  abstract columnsKnown(columns: readonly string[]): void
  abstract row(line: number, values: readonly unknown[], raw: string | undefined): void

  column(name: string, line: number): void {
    this.roles.add(name, line)
  }

  encoded(encoding: Encoding): void {
    this.encoding = encoding
  }

  noted(note: string): void {
    this.#noted.push(note)
  }

  /** What is to be said of the input besides its columns, a sentence each. */
  protected get inputNotes(): string[] {
    return [...encodingNote(this.encoding), ...this.#noted]
  }
}

/** Keys of objects as columns, in the order in which they came. */
export class JsonColumns {
  readonly names: string[] = []
  readonly #index = new Map<string, number>()
  readonly #reader: RowReader

  constructor(reader: RowReader) {
    this.#reader = reader
  }

  row(object: Readonly<Record<string, unknown>>, line: number, raw: string | undefined): void {
    const values: unknown[] = []
    for (const key of Object.keys(object)) {
      let at = this.#index.get(key)
      if (at === undefined) {
        at = this.names.length
        this.#index.set(key, at)
        this.names.push(key)
        this.#reader.column(key, line)
      }
      values[at] = object[key]
    }
    this.#reader.row(line, values, raw)
  }
}

/** Columns without the one for reasons. */
export function kept(columns: readonly string[]): string[] {
  return columns.filter((name) => name.toLowerCase() !== REASON_COLUMN.toLowerCase())
}
