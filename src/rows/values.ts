/** Reads rows that give each item one whole number, such as its number in stock, or arguments such as `1001=5`. */
import { isBlank } from './blank.js'
import { type FieldName, type InputFields, ITEM, NAMES_ITEM } from './fields.js'
import { type ItemRows, itemArguments, type NamedItem, readItems } from './item-rows.js'
import { type NumberRead, valueReader } from './number.js'
import { readQuantity } from './quantity.js'
import type { InputOptions } from './rows.js'
import type { Source } from './types.js'

/** A number that rows may give: its columns, and how it is written. */
export interface RowValue {
  readonly name: string
  /** The columns that hold it. */
  readonly columns: readonly FieldName[]
  /** Example of an argument. */
  readonly example: string
  readonly read: (text: string) => NumberRead
}

/** The number in stock. */
export const QUANTITY: RowValue = {
  name: 'Quantity',
  columns: ['Quantity', 'RemainingQuantity'],
  example: 'ID=NUMBER, such as 1001=5',
  read: readQuantity,
}

/** The new value of one item. */
export interface ValueRow extends NamedItem {
  readonly line: number
  readonly value: number
  readonly extra: readonly unknown[]
}

export type ValueRows = ItemRows<ValueRow>

/**
 * Reads rows of any form that `readRows` knows.
 * @param otherwise value of rows that have none; every row needs one by default
 * @throws InputRefused with everything that is wrong
 */
export function readValueRows(value: RowValue, source: Source, options?: InputOptions, otherwise?: number): Promise<ValueRows> {
  const { name, columns } = value
  const takes: InputFields<string>['takes'] = { ...ITEM, ...Object.fromEntries(columns.map((column) => [column, name])) }
  const own = { oneOf: [name], words: name }
  const input: InputFields<string> =
    otherwise === undefined
      ? { takes, required: [NAMES_ITEM, own], about: name }
      : { takes, required: [NAMES_ITEM], near: [name] }
  const read = valueReader(value.read)
  return readItems(source, options, input, (row): ValueRow | undefined => {
    if (otherwise === undefined && row.leaves(name)) return undefined
    const number = otherwise !== undefined && isBlank(row.value(name)) ? otherwise : row.number(name, read)
    const item = row.item()
    if (item === undefined || row.isTwin(item) || number === undefined) return undefined
    const { id, reference } = item
    return { line: row.line, id, reference, value: number, extra: row.extra }
  })
}

/**
 * Rows from arguments `ID=VALUE` or `OWN-REFERENCE=VALUE`; all digits mean an id.
 * @throws InputRefused with every argument that cannot be read
 */
export function valueRowsFromArguments({ name, example, read }: RowValue, args: readonly string[]): ValueRows {
  const rows = itemArguments(args, { field: name, example, read }).map((row) => ({ ...row, extra: [] }))
  return { form: { kind: 'arguments', columns: ['Id', name] }, rows, notes: [] }
}
