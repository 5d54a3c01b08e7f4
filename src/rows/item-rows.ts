/** What all rows about live items have in common: columns by the table of fields, the item that a row names, no item twice. */
import { unguardedText } from '../workbook/index.js'
import type { FaultList } from './faults.js'
import { type InputFields, kindOf, namesOf } from './fields.js'
import { literalOf } from './json.js'
import { isSum, otherColumnsNote, refusesTitle, SUM_FAULT } from './notes.js'
import { type NumberRead, readId, readIdValue } from './number.js'
import { RowReader } from './row-reader.js'
import type { InputForm } from './types.js'

/** The item of a row. */
export interface NamedItem {
  /** 0 if the row names its item by an own reference. */
  readonly id: number
  /** Beside an id it is only compared. */
  readonly reference: string | undefined
}

export abstract class ItemReader<F extends string> extends RowReader<F> {
  readonly #input: InputFields<F>
  readonly #lines = new Map<string, number>()
  readonly #nameless: number[] = []

  constructor(input: InputFields<F>) {
    const { refuses = [] } = input
    super(namesOf(input.takes), (_, plain) =>
      refuses.some((kind) => kind === kindOf(plain))
        ? 'is not a column of this input, which names items only: the file was made for something else.'
        : undefined,
    )
    this.#input = input
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
    const mistyped = (field: F, column: string = field): boolean => {
      const name = this.nearestOther(field)
      if (name !== undefined) this.faults.add(0, null, name, `is not a column of this input. Did you mean ${column}?`)
      return name !== undefined
    }
    for (const { oneOf, words } of required) {
      const [first] = oneOf
      if (oneOf.some(has) || first === undefined || mistyped(first, oneOf.length === 1 ? words : first)) continue
      this.faults.add(
        0,
        null,
        undefined,
        `No column ${words} is named in the first line; it names ${columns.filter((name) => name.trim() !== '').join(', ')}.`,
      )
    }
    for (const field of near) if (!has(field)) mistyped(field)
  }

  /** Remarks about the input, one sentence each. */
  get notes(): string[] {
    return [...this.inputNotes, ...otherColumnsNote(this.unread)]
  }

  /** Names of the columns that are not given back: those without a meaning here, and those that are only compared. */
  protected get unread(): string[] {
    return this.columns.filter(
      (name, at) => this.#givenAs(at) === undefined && this.roles[at] !== 'ignored' && name.trim() !== '',
    )
  }

  /** Whether ids come from a column such as Artikelnr: what is the id of no live item is an own reference then. */
  get numbered(): boolean {
    return this.#at('Id') < 0 && this.#at('Number') >= 0
  }

  /** The form with the columns that are written back with a row. */
  protected formOf(form: InputForm): InputForm {
    const given = this.columns
      .flatMap((column, at) => ({ column, field: this.#givenAs(at) ?? '' }))
      .filter(({ field }) => field !== '')
    const columns = given.map(({ column }) => column)
    const fields = given.map(({ field }) => field)
    const renamed = columns.some((column, at) => column.trim().toLowerCase() !== fields[at]?.toLowerCase())
    return renamed ? { ...form, columns, fields } : { ...form, columns }
  }

  /** The field under which a column is written back; undefined for one that is not. */
  protected fieldOf(role: F): string | undefined {
    if (role !== 'Number' || this.numbered) return role
    // Beside ids, article numbers are the seller's own references, if no other column has these.
    return this.#at('OwnReference') < 0 ? 'OwnReference' : undefined
  }

  /** The field under which the column at a place is written back, as it was spelled; undefined for one that is not. */
  #givenAs(at: number): string | undefined {
    const role = this.roles[at] ?? 'other'
    if (role === 'extra') return this.columns[at]
    return role === 'other' || role === 'ignored' ? undefined : this.fieldOf(role as F)
  }

  protected value(field: F, values: readonly unknown[]): unknown {
    const column = this.indexOf(field)
    return column < 0 ? undefined : values[column]
  }

  /** Reads a number from the column of a field. @returns undefined, with a fault, if there is none in it */
  protected number(
    field: F,
    line: number,
    values: readonly unknown[],
    raw: string | undefined,
    read: (value: unknown, literal?: string) => NumberRead,
  ): number | undefined {
    const column = this.indexOf(field)
    const name = this.columns[column] ?? field
    const found = read(values[column], literalOf(raw, name))
    if ('value' in found) return found.value
    this.faults.add(line, name, values[column], found.why)
    return undefined
  }

  /** The item that a row names; undefined, with a fault, if it names none. */
  protected item(line: number, values: readonly unknown[], raw: string | undefined): NamedItem | undefined {
    const [idAt, numberAt, ownAt] = [this.#at('Id'), this.#at('Number'), this.#at('OwnReference')]
    const at = idAt >= 0 ? idAt : numberAt
    const value = values[at]
    const given = !isBlank(value)
    const beside = idAt >= 0 && ownAt < 0 && !given ? numberAt : ownAt
    const own = this.#text(line, values[beside])
    if (own === null) return undefined
    if (!given && own !== undefined) return { id: 0, reference: own }
    const name = this.columns[at] ?? 'Id'
    const id = readIdValue(value, literalOf(raw, name))
    if ('value' in id) return { id: id.value, reference: own }
    const text = this.numbered && given ? this.#text(line, value) : undefined
    if (text === null) return undefined
    if (text !== undefined) return { id: 0, reference: text }
    const empty = !given && ownAt >= 0
    const why = isSum(value) ? SUM_FAULT : id.why
    this.faults.add(line, name, value, empty ? 'is empty, and so is OwnReference; one of them must name the item' : why)
    return undefined
  }

  /** Whether an earlier row names the item, which is a fault. */
  protected isTwin(line: number, { id, reference }: NamedItem): boolean {
    const key = id > 0 ? String(id) : `= ${reference}`
    const twin = this.#lines.get(key)
    if (twin === undefined) {
      this.#lines.set(key, line)
      return false
    }
    this.twinFault(line, { id, reference }, twin)
    return true
  }

  protected twinFault(line: number, { id, reference }: NamedItem, twin: number): void {
    const [field, value] = id > 0 ? ['Id', id] : ['OwnReference', reference]
    this.faults.add(line, String(field), value, `occurs twice: line ${twin} names the same item; remove one of the two`)
  }

  /** Refuses a value in a column without a name, because it may be the second half of a price. */
  protected unnamed(line: number, values: readonly unknown[]): void {
    for (const at of this.#nameless) {
      if (isBlank(values[at])) continue
      this.faults.add(line, null, values[at], 'is in a column without a name; was a decimal comma read as a delimiter?')
    }
  }

  /** A text without the spaces around it, undefined for a blank cell; null, with a fault, for what is no text. */
  #text(line: number, value: unknown): string | undefined | null {
    if (isBlank(value)) return undefined
    if (typeof value === 'number') return String(value)
    if (typeof value === 'string') return unguardedText(value.trim())
    this.faults.add(line, 'OwnReference', value, 'is not a text; put it in quotes')
    return null
  }

  #at(field: string): number {
    return this.indexOf(field as F)
  }
}

/** An argument that names an item, and says something of it. */
export interface ItemArgument<V> extends NamedItem {
  readonly line: number
  readonly value: V
}

/**
 * Reads arguments `ID=VALUE` or `OWN-REFERENCE=VALUE`; all digits mean an id.
 * @param options `alone`: the arguments are items without a value. Faults are added for every argument that cannot be read
 */
export function itemArguments<V>(
  args: readonly string[],
  faults: FaultList,
  options: {
    readonly field: string
    readonly example: string
    readonly alone?: boolean
    readonly read: (text: string) => { readonly value: V } | { readonly why: string }
  },
): ItemArgument<V>[] {
  const { field, example, alone = false, read } = options
  const lines = new Map<string, number>()
  return args.flatMap((argument, index) => {
    const line = index + 1
    const split = alone ? argument.length : argument.lastIndexOf('=')
    const name = argument.slice(0, Math.max(0, split)).trim()
    if (name === '') {
      faults.add(line, null, argument, alone ? 'names no item' : `is not ${example}`)
      return []
    }
    const digits = /^\d+$/.test(name)
    const id = digits ? readId(name) : { value: 0 }
    const text = argument.slice(split + 1)
    const value = read(text)
    if ('why' in id) faults.add(line, 'Id', name, id.why)
    if ('why' in value) faults.add(line, field, text, value.why)
    if ('why' in id || 'why' in value) return []
    const twin = lines.get(name)
    if (twin !== undefined) faults.add(line, null, name, `occurs twice: argument ${twin} names the same item`)
    lines.set(name, line)
    return [{ line, id: id.value, reference: digits ? undefined : name, value: value.value }]
  })
}

/** Whether a cell has nothing in it. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
