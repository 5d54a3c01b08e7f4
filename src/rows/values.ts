/** Reads rows that give each item one whole number, such as its number in stock, or arguments such as `1001=5`. */
import { wholeNumber } from '../contract/index.js'
import { FaultList } from './faults.js'
import { type FieldName, type InputFields, ITEM, NAMES_ITEM } from './fields.js'
import { ItemReader, itemArguments, type NamedItem } from './item-rows.js'
import { type NumberRead, valueReader } from './number.js'
import { readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

/** A number that rows may give: its columns, and how it is written. */
export interface RowValue {
  readonly name: string
  /** The columns that hold it. */
  readonly columns: readonly FieldName[]
  /** What an argument looks like. */
  readonly example: string
  readonly read: (text: string) => NumberRead
}

/** The number in stock. */
export const QUANTITY: RowValue = {
  name: 'Quantity',
  columns: ['Quantity', 'RemainingQuantity'],
  example: 'ID=NUMBER, such as 1001=5',
  read(text) {
    const trimmed = text.trim()
    if (trimmed === '') return { why: 'is empty; write the number in stock, 0 for none' }
    const digits = /^(\d+)(?:\.0+)?$/.exec(trimmed)?.[1]
    if (digits === undefined) return { why: 'is not a number in stock; write a whole number such as 12, or 0 for none' }
    return wholeNumber(digits, 'a number in stock', 0)
  },
}

/** The new value of one item. */
export interface ValueRow extends NamedItem {
  readonly line: number
  readonly value: number
  readonly extra: readonly unknown[]
}

export interface ValueRows {
  readonly form: InputForm
  readonly rows: readonly ValueRow[]
  /** Whether an id that no live item has is an own reference. */
  readonly numbered?: boolean
  /** Remarks about the input, one sentence each. */
  readonly notes: readonly string[]
}

/**
 * Reads rows of any form that `readRows` knows.
 * @throws InputRefused with everything that is wrong
 */
export async function readValueRows(value: RowValue, source: Source, sheet?: string): Promise<ValueRows> {
  const reader = new ValueReader(value)
  return reader.end(await readRows(source, reader, { sheet }))
}

/**
 * Rows from arguments `ID=VALUE` or `OWN-REFERENCE=VALUE`; all digits mean an id.
 * @throws InputRefused with every argument that cannot be read
 */
export function valueRowsFromArguments({ name, example, read }: RowValue, args: readonly string[]): ValueRows {
  const faults = new FaultList()
  const rows = itemArguments(args, faults, { field: name, example, read }).map((row) => ({ ...row, extra: [] }))
  faults.refuse()
  return { form: { kind: 'arguments', columns: ['Id', name] }, rows, notes: [] }
}

class ValueReader extends ItemReader<string> {
  readonly #value: RowValue
  readonly #rows: ValueRow[] = []

  constructor(value: RowValue) {
    const { name, columns } = value
    const takes: InputFields<string>['takes'] = { ...ITEM, ...Object.fromEntries(columns.map((column) => [column, name])) }
    super({ takes, required: [NAMES_ITEM, { oneOf: [name], words: name }] })
    this.#value = value
  }

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    const { name, read } = this.#value
    const value = this.number(name, line, values, raw, valueReader(read))
    const item = this.item(line, values, raw)
    this.unnamed(line, values)
    if (item === undefined || this.isTwin(line, item) || value === undefined) return
    const { id } = item
    this.#rows.push({ line, id, reference: id > 0 ? undefined : item.reference, value, extra: this.extraOf(values) })
  }

  /** @throws InputRefused */
  end(form: InputForm): ValueRows {
    this.faults.refuse()
    return { form: this.formOf(form), rows: this.#rows, numbered: this.numbered, notes: this.notes }
  }
}
