/** Common parts of all rows about live items: columns by the table of fields, the item that a row names, no item twice. */
import { countOf } from '../contract/numbers.js'
import { isBlank, saysNothing } from './blank.js'
import { likelyColumns, proposal } from './columns.js'
import { FaultList, TWICE } from './faults.js'
import { type InputFields, kindOf, namesOf, plainName } from './fields.js'
import { findLiteral } from './json.js'
import { isSum, otherColumnsNote, refusesTitle, SUM_FAULT } from './notes.js'
import { type ReadValue, readId, readIdValue, referenceText } from './number.js'
import { RowReader } from './row-reader.js'
import { type InputOptions, readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

/** The item of a row. */
export interface NamedItem {
  /** 0 if the row names its item by an own reference. */
  readonly id: number
  /** Beside an id it is only compared. */
  readonly reference: string | undefined
}

/** Rows of an input about items, as far as they can be read. */
export interface ItemRows<R> {
  readonly form: InputForm
  readonly rows: readonly R[]
  /** True if an id that no live item has is an own reference. */
  readonly numbered?: boolean
  /** Remarks about the input, one sentence each. */
  readonly notes: readonly string[]
}

/** Makes a value of the row that a reader is at; undefined if it has a fault, or says nothing. */
type Take<F extends string, R> = (reader: ItemReader<F, R>) => R | undefined

/** Reads rows of any form that `readRows` knows. @throws InputRefused with everything that is wrong */
export async function readItems<F extends string, R>(
  source: Source,
  options: InputOptions | undefined,
  input: InputFields<F>,
  take: Take<F, R>,
): Promise<ItemRows<R>> {
  const reader = new ItemReader(input, take)
  const form = await readRows(source, reader, options)
  reader.faults.refuse()
  return { form: reader.formOf(form), rows: reader.rows, numbered: reader.numbered, notes: reader.notes }
}

export class ItemReader<F extends string, R> extends RowReader<F> {
  readonly rows: R[] = []
  /** The row that it is at. */
  line = 0
  values: readonly unknown[] = []
  #raw: string | undefined
  override readonly removes: boolean
  readonly #input: InputFields<F>
  readonly #take: Take<F, R>
  readonly #lines = new Map<string, number>()
  readonly #nameless: number[] = []
  #leftRows = 0

  constructor(input: InputFields<F>, take: Take<F, R>) {
    const { refuses = [] } = input
    super(namesOf(input.takes), (_, plain) =>
      !(this.removes && this.commands.length > 0) && refuses.some((kind) => kind === kindOf(plain))
        ? 'is not a column of this input, which names items only: the file was made for something else.'
        : undefined,
    )
    this.#input = input
    this.removes = input.removes === true
    this.#take = take
  }

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    this.line = line
    this.values = values
    this.#raw = raw
    const row = this.#take(this)
    for (const at of this.#nameless) {
      if (!isBlank(values[at])) this.fault(null, values[at], NAMELESS)
    }
    if (row !== undefined) this.rows.push(row)
  }

  /** Adds a fault of the row. */
  fault(field: string | null, value: unknown, message: string, kind?: string): void {
    this.faults.add(this.line, field, value, message, kind)
  }

  override column(name: string, line: number): void {
    super.column(name, line)
    if (name.trim() === '') this.#nameless.push(this.columns.length - 1)
  }

  columnsKnown(): void {
    const { columns } = this
    const { required, near = [] } = this.#input
    if (refusesTitle(columns, this.faults)) return
    const has = (field: F) => this.indexOf(field) >= 0
    const isMistyped = (field: F, column: string = field): boolean => {
      const name = this.nearestOther(field)
      if (name !== undefined) this.faults.add(0, null, name, `is not a column of this input. Did you mean ${column}?`)
      return name !== undefined
    }
    for (const { oneOf, words } of required) {
      const [first] = oneOf
      if (oneOf.some(has) || first === undefined || isMistyped(first, oneOf.length === 1 ? words : first)) continue
      const likely = likelyColumns(this.#kindOf(oneOf), columns, this.sample, this.currency, (at) => this.roles[at] === 'other')
      const columnNames = columns.filter((name) => name.trim() !== '').join(', ')
      const choices = likely.map((name) => proposal(first, name)).join(' or ')
      const why = `No column ${words} is named in the first line; it names ${columnNames}.`
      this.faults.add(0, null, undefined, choices === '' ? why : `${why} Say which it is: ${choices}`)
    }
    for (const field of near) if (!has(field)) isMistyped(field)
  }

  /** The kind of the columns of a group of fields. */
  #kindOf(fields: readonly F[]): string {
    return Object.values(this.known).find(({ field }) => fields.includes(field))?.kind ?? 'text'
  }

  /** Remarks about the input, one sentence each. */
  get notes(): string[] {
    const about = this.#input.about
    return [
      ...this.inputNotes,
      ...(about === undefined ? [] : this.leftNote(about)),
      ...otherColumnsNote(this.unread, this.#input.done),
    ]
  }

  /** Names of the columns that are not given back: those without a meaning here, and those that are only compared. */
  protected get unread(): string[] {
    return this.columns.filter(
      (name, at) => this.#givenAs(at) === undefined && this.roles[at] !== 'ignored' && name.trim() !== '',
    )
  }

  /** True if ids come from a column such as Artikelnr: what is the id of no live item is an own reference then. */
  get numbered(): boolean {
    return this.#at('Id') < 0 && this.#at('Number') >= 0
  }

  /** The form with the columns that are written back with a row. */
  formOf(form: InputForm): InputForm {
    const namedColumns = this.columns
      .flatMap((column, at) => ({ column, field: this.#givenAs(at) ?? '' }))
      .filter(({ field }) => field !== '')
    const columns = namedColumns.map(({ column }) => column)
    const fields = namedColumns.map(({ field }) => field)
    const renamed = columns.some((column, at) => column.trim().toLowerCase() !== fields[at]?.toLowerCase())
    return renamed ? { ...form, columns, fields } : { ...form, columns }
  }

  /** The field under which a column is written back; undefined for one that is not. */
  protected fieldOf(role: F): string | undefined {
    if (role !== 'Number' || this.numbered) return role
    // Without own references, article numbers say nothing next to ids.
    if (this.#input.takes.OwnReference === undefined) return undefined
    // Beside ids, article numbers are the seller's own references, if no other column has these.
    return this.#at('OwnReference') < 0 ? 'OwnReference' : undefined
  }

  /** The field under which the column at a place is written back, as it was spelled; undefined for one that is not. */
  #givenAs(at: number): string | undefined {
    const role = this.roles[at] ?? 'other'
    if (role === 'extra') return this.columns[at]
    return role === 'other' || role === 'ignored' ? undefined : this.fieldOf(role as F)
  }

  /** Value of the row in the column of a field. */
  value(field: F): unknown {
    const column = this.indexOf(field)
    return column < 0 ? undefined : this.values[column]
  }

  /** Reads a number from the column of a field. @returns undefined, with a fault, if there is none in it */
  number(field: F, read: ReadValue, wants = ''): number | undefined {
    const column = this.indexOf(field)
    const name = this.columns[column] ?? field
    const result = read(this.values[column], findLiteral(this.#raw, name), this.currency)
    if ('value' in result) return result.value
    this.fault(name, this.values[column], `${result.why}${wants}`, result.kind)
    return undefined
  }

  /**
   * True if the row of a table says nothing of a field that the input is about: the item stays as it is. Such rows are counted,
   * for a note.
   */
  leaves(field: F): boolean {
    if (this.chosen === undefined) return false
    const value = this.value(field)
    if (!saysNothing(value)) return false
    this.#leftRows++
    this.keepWord(value)
    return true
  }

  /** Remark on the rows that say nothing. */
  protected leftNote(field: F): string[] {
    if (this.#leftRows === 0) return []
    const [have, stay] = this.#leftRows === 1 ? ['has', 'stays as it is'] : ['have', 'stay as they are']
    const { words } = this
    const examples = words.length === 0 ? '' : ` (${words.join(', ')} ${words.length === 1 ? 'is not one' : 'are none'})`
    return [
      `${countOf(this.#leftRows, 'row')} ${have} no number in ${this.columns[this.indexOf(field)] ?? field}${examples} and ${stay}.`,
    ]
  }

  /** The same of a column whose cells may be empty. @param wants what a fault says besides */
  optional(field: F, read: ReadValue, wants?: string): number | undefined {
    return isBlank(this.value(field)) ? undefined : this.number(field, read, wants)
  }

  /** True if the cell of a field is the word for no value. */
  isNone(field: F): boolean {
    const value = this.value(field)
    return typeof value === 'string' && value.trim().toLowerCase() === 'none'
  }

  /** The item that the row names; undefined, with a fault, if it names none. */
  item(): NamedItem | undefined {
    const [idAt, numberAt, ownAt] = [this.#at('Id'), this.#at('Number'), this.#at('OwnReference')]
    const at = idAt >= 0 ? idAt : numberAt
    const value = this.values[at]
    const hasValue = !isBlank(value)
    // Beside ids, article numbers are own references, where no other column has these.
    const beside = idAt >= 0 && ownAt < 0 && this.#input.takes.OwnReference !== undefined ? numberAt : ownAt
    const own = this.#text(
      plainName(this.columns[beside] ?? '') === ALL_REFERENCES ? firstOf(this.values[beside]) : this.values[beside],
    )
    if (own === null) return undefined
    if (!hasValue && own !== undefined) return { id: 0, reference: own }
    const name = this.columns[at] ?? 'Id'
    const id = readIdValue(value, findLiteral(this.#raw, name))
    if ('value' in id) return { id: id.value, reference: own }
    // The id of another system: no item here has such a one.
    if (own !== undefined && idAt >= 0) return { id: 0, reference: own }
    const text = this.numbered && hasValue ? this.#text(value) : undefined
    if (text === null) return undefined
    if (text !== undefined) return { id: 0, reference: text }
    const empty = !hasValue && ownAt >= 0
    const why = isSum(value) ? SUM_FAULT : id.why
    this.fault(name, value, empty ? 'is empty, and so is OwnReference; one of them must name the item' : why)
    return undefined
  }

  /** True if an earlier row names the item, which is a fault. */
  isTwin({ id, reference }: NamedItem): boolean {
    const key = id > 0 ? (reference === undefined ? String(id) : `${id} ${reference}`) : `= ${reference}`
    const twin = this.#lines.get(key)
    if (twin === undefined) this.#lines.set(key, this.line)
    else this.twinFault({ id, reference }, twin)
    return twin !== undefined
  }

  /** @param values of the two lines */
  twinFault(
    { id, reference }: Partial<NamedItem> & Pick<NamedItem, 'id'>,
    twin: number,
    values?: readonly [number, number],
  ): void {
    const [field, value] = id > 0 ? ['Id', id] : ['OwnReference', reference]
    const [first, second] = values ?? []
    const why =
      first === second
        ? `line ${twin} names the same item; remove one of the two`
        : `line ${twin} has ${first}, this one ${second}; keep one of lines ${twin} and ${this.line}`
    this.fault(String(field), value, `occurs twice: ${why}`, TWICE)
  }

  /** Values of the columns that are kept and written back. */
  get extra(): unknown[] {
    return this.extraOf(this.values)
  }

  /** A text without the spaces around it, undefined for a blank cell; null, with a fault, for what is no text. */
  #text(value: unknown): string | undefined | null {
    if (isBlank(value)) return undefined
    if (typeof value === 'number') return String(value)
    if (typeof value === 'string') return referenceText(value)
    this.fault('OwnReference', value, 'is not a text; put it in quotes')
    return null
  }

  #at(field: string): number {
    return this.indexOf(field as F)
  }
}

/** The column of all own references of an item, with `|` between them. */
const ALL_REFERENCES = 'ownreferences'

/** The first reference of a cell, or of a list. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : typeof value === 'string' ? value.split('|', 1)[0] : value
}

/** A value without a name may be the second half of a price. */
const NAMELESS = 'is in a column without a name; was a decimal comma read as a delimiter?'

/** An argument that names an item, and says something of it. */
export interface ItemArgument<V> extends NamedItem {
  readonly line: number
  readonly value: V
}

/**
 * Reads arguments `ID=VALUE` or `OWN-REFERENCE=VALUE`; all digits mean an id.
 * @param options `alone`: the arguments are items without a value
 * @throws InputRefused with every argument that cannot be read
 */
export function itemArguments<V>(
  args: readonly string[],
  options: {
    readonly field: string
    readonly example: string
    readonly alone?: boolean
    readonly read: (text: string) => { readonly value: V } | { readonly why: string; readonly kind?: string }
  },
): ItemArgument<V>[] {
  const { field, example, alone = false, read } = options
  const faults = new FaultList()
  const lines = new Map<string, number>()
  const rows = args.flatMap((argument, index) => {
    const line = index + 1
    const split = alone ? argument.length : argument.lastIndexOf('=')
    const name = argument.slice(0, Math.max(0, split)).trim()
    if (name === '') {
      faults.add(line, null, argument, alone ? 'names no item' : `is not ${example}`)
      return []
    }
    // An id does not begin with a zero; an own reference may.
    const digits = /^(?:[1-9]\d*|0)$/.test(name)
    const id = digits ? readId(name) : { value: 0 }
    const text = argument.slice(split + 1)
    const value = read(text)
    if ('why' in id) faults.add(line, 'Id', name, id.why)
    if ('why' in value) faults.add(line, field, text, value.why, value.kind)
    if ('why' in id || 'why' in value) return []
    const twin = lines.get(name)
    if (twin !== undefined) faults.add(line, null, name, `occurs twice: argument ${twin} names the same item`, TWICE)
    lines.set(name, line)
    return [{ line, id: id.value, reference: digits ? undefined : name, value: value.value }]
  })
  faults.refuse()
  return rows
}
