/** Takes the rows of an input, whatever form they come in: its columns, what each is for, and what is wrong. */
import { nearest } from '../contract/index.js'
import { isBlank } from './blank.js'
import type { Encoding } from './bytes.js'
import { answerOf, type ColumnAnswers, chooseColumns, meaningIn, type TableColumns, typedField } from './columns.js'
import { FaultList } from './faults.js'
import {
  ALLOW_COLUMN,
  type ColumnNames,
  commandColumns,
  FIELDS,
  type NameMeaning,
  OLD_COLUMN,
  plainName,
  REASON_COLUMN,
} from './fields.js'
import { encodingNote } from './notes.js'
import { commandLook, type Skipped, skippedNote } from './row-commands.js'

/** A field of the reader; `extra`: kept unchanged; `other`: not read; `ignored`: neither read nor kept. */
export type Role<F extends string> = F | 'extra' | 'other' | 'ignored'

/** Words in place of numbers that a note names. */
const WORDS_NAMED = 3

export abstract class RowReader<F extends string> {
  readonly faults = new FaultList()
  /** In the order in which they came. */
  readonly columns: string[] = []
  /** Role of each. */
  readonly roles: Role<F>[] = []
  encoding: Encoding = 'UTF-8'
  /** Currency of the account (ISO 4217), which units next to amounts must be; undefined where they are not judged. */
  currency: string | undefined
  /** Remarks about the input, a sentence each. */
  readonly noted: string[] = []
  /** Answers of the seller about the columns of the file. */
  answers: ColumnAnswers = {}
  /** The first rows of a table, under its columns. */
  sample: readonly (readonly unknown[])[] = []
  /** Columns whose values are kept and written back: the seller's own, and those that say something of a price. */
  extras: readonly number[] = []
  /** Columns that say which rows another system deletes. */
  commands: readonly number[] = []
  /** True if rows that another system deletes are what the input is about. */
  readonly removes: boolean = false
  /** The columns of a table, chosen together; undefined for JSON, whose columns come one by one. */
  chosen: TableColumns<F> | undefined
  /** The fields of the input, by the names of their columns. */
  readonly known: ColumnNames<F>
  /** Words in cells that should have a number. */
  readonly #words = new Set<string>()
  readonly #refuse: (name: string, plain: string) => string | undefined
  readonly #placeOf = new Map<string, number>()
  readonly #placeOfKey = new Map<string, number>()
  /** Rows that were left out. */
  readonly #left = new Map<Skipped, number>()
  /** Says why a row is left out because of its command. */
  readonly commandOf = commandLook(this)

  /**
   * @param names the fields of this kind of input, by the plain names of their columns
   * @param refuse why a column that is no field cannot be passed over; undefined for one that can
   */
  constructor(names: ColumnNames<F>, refuse: (name: string, plain: string) => string | undefined = () => undefined) {
    this.known = names
    this.#refuse = refuse
  }

  /** Called when all columns of a table are known. JSON may bring new ones in any row. */
  abstract columnsKnown(): void

  /**
   * Called for each row, once all its columns are known. Values are in the order of the columns; undefined for a key that a JSON
   * row does not have. `raw` is the row as JSON text if the spelling of its numbers matters.
   */
  abstract row(line: number, values: readonly unknown[], raw: string | undefined): void

  /** Takes a row of two numbers, each at least 1, in the order of the columns. @returns false if it must be read as any other */
  numbers(_line: number, _one: number, _other: number): boolean {
    return false
  }

  /** Says what may have made a row of a CSV longer or shorter than the first line; undefined if the reader does not know. */
  oddLength(_cells: readonly string[]): string | undefined {
    return undefined
  }

  /** Takes the next column. Adds a fault if a field has a column already, or if the column is refused. */
  column(name: string, line: number): void {
    this.columns.push(name)
    const role = this.#roleOf(name, line)
    this.roles.push(role)
    if (role !== 'other' && role !== 'ignored') this.extras = this.extraColumns()
  }

  /** True if a name is one of a column of this input, or the seller has named it. */
  knows(name: string): boolean {
    const isAnswered = Object.values(this.answers.columns ?? {}).some((column) => column.trim() === name.trim())
    return isAnswered || meaningIn(plainName(name), this.known) !== undefined
  }

  /**
   * Takes the columns of a table.
   * @param sample its first rows @throws InputRefused for what makes all its rows meaningless
   */
  head(names: readonly string[], line: number, sample: readonly (readonly unknown[])[] = []): void {
    this.sample = sample
    this.chosen = chooseColumns(names, this.known, sample, this.answers, this.currency)
    this.commands = commandColumns(names, answerOf(this.answers, 'Command'))
    for (const name of names) this.column(name, line)
    for (const { at, why } of this.chosen.asked) this.faults.add(at < 0 ? 0 : line, null, names[at], why)
    this.noted.push(...this.chosen.notes)
    this.columnsKnown()
    this.faults.refuse()
  }

  /** Takes a row whose keys name its columns. */
  object(object: Readonly<Record<string, unknown>>, line: number, raw: string | undefined): void {
    const values: unknown[] = []
    // Known before the columns are judged: a file of another system may be read for its commands alone.
    const added = Object.keys(object).filter((key) => !this.#placeOfKey.has(key))
    const commands = commandColumns(added, answerOf(this.answers, 'Command')).map((at) => this.columns.length + at)
    if (commands.length > 0) this.commands = [...this.commands, ...commands]
    for (const key of Object.keys(object)) {
      let at = this.#placeOfKey.get(key)
      if (at === undefined) {
        at = this.columns.length
        this.#placeOfKey.set(key, at)
        this.column(key, line)
      }
      values[at] = object[key]
    }
    const why = this.commandOf(values)
    if (why === undefined) this.row(line, values, raw)
    else this.skip(why)
  }

  /** Counts a row that is left out. */
  skip(kind: Skipped): void {
    this.#left.set(kind, (this.#left.get(kind) ?? 0) + 1)
  }

  /** The column of a field, -1 if there is none. */
  indexOf(field: F): number {
    return this.#placeOf.get(field) ?? -1
  }

  /** The columns of fields of some kinds. */
  columnsOf(...kinds: NameMeaning<F>['kind'][]): number[] {
    const fields = new Set<string>(Object.values(this.known).flatMap(({ field, kind }) => (kinds.includes(kind) ? [field] : [])))
    return this.roles.flatMap((role, at) => (fields.has(role) ? [at] : []))
  }

  /** Names of the columns that are skipped. */
  get others(): string[] {
    return this.columns.filter((name, index) => this.roles[index] === 'other' && name.trim() !== '')
  }

  /** Values of the columns that are kept and written back. */
  protected extraOf(values: readonly unknown[]): unknown[] {
    return this.extras.map((column) => values[column] ?? null)
  }

  protected extraColumns(): number[] {
    return this.roles.flatMap((role, index) => (role === 'extra' || role === ALLOW_COLUMN || role === OLD_COLUMN ? [index] : []))
  }

  /** Notes on the input besides its columns, a sentence each. */
  protected get inputNotes(): string[] {
    const left = [...this.#left].map(([kind, rows]) => skippedNote(kind, rows, this))
    return [...encodingNote(this.encoding), ...this.noted, ...left]
  }

  /** Keeps the word of a cell in place of a number, for a note. */
  protected keepWord(cell: unknown): void {
    if (typeof cell === 'string' && !isBlank(cell)) this.#words.add(cell.trim())
  }

  /** The first words in place of numbers, in quotes. */
  protected get words(): string[] {
    return [...this.#words].slice(0, WORDS_NAMED).map((word) => `"${word}"`)
  }

  /** The skipped column whose name is nearest to a known one. */
  protected nearestOther(knownName: string): string | undefined {
    return this.others.find((name) => nearest(name, [knownName]) !== undefined)
  }

  #roleOf(name: string, line: number): Role<F> {
    const plain = plainName(name)
    if (plain === REASON_COLUMN.toLowerCase()) return 'ignored'
    const place = this.columns.length - 1
    // A column of a sheet that has no name comes later than the others.
    const tableColumns = this.chosen !== undefined && place < this.chosen.fields.length ? this.chosen : undefined
    const field =
      tableColumns === undefined
        ? (typedField(name, this.answers, this.known) ?? meaningIn(plain, this.known)?.field)
        : tableColumns.fields[place]
    if (field === undefined) {
      if (plain.startsWith('_')) return 'extra'
      if (tableColumns?.passed.has(place) === true && !isOpeningPrice(plain)) return 'other'
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

/** True for the price at which an auction begins: beside another price it is not a worse name of that. */
function isOpeningPrice(plain: string): boolean {
  return (FIELDS.OpeningPrice.names as readonly string[]).includes(plain)
}

/** Columns without the one for reasons. */
export function withoutReasons(columns: readonly string[]): string[] {
  return columns.filter((name) => name.toLowerCase() !== REASON_COLUMN.toLowerCase())
}
