/** Reads the input of shop:stock: rows of an item and its number in stock, or arguments such as `1001=5`. */
import { wholeNumber } from '../contract/index.js'
import { FaultList } from './faults.js'
import { STOCK, type StockField } from './fields.js'
import { ItemReader, itemArguments, type NamedItem } from './item-rows.js'
import type { NumberRead } from './number.js'
import { readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

/** The new number in stock of one shop item. */
export interface StockRow extends NamedItem {
  readonly line: number
  readonly quantity: number
  readonly extra: readonly unknown[]
}

export interface StockRows {
  readonly form: InputForm
  readonly rows: readonly StockRow[]
  /** Whether an id that no live item has is an own reference. */
  readonly numbered?: boolean
  /** Remarks about the input, one sentence each. */
  readonly notes: readonly string[]
}

/** A number in stock: `0`, `12`. */
export function readQuantity(text: string): NumberRead {
  const trimmed = text.trim()
  if (trimmed === '') return { why: 'is empty; write the number in stock, 0 for none' }
  const digits = /^(\d+)(?:\.0+)?$/.exec(trimmed)?.[1]
  if (digits === undefined) return { why: 'is not a number in stock; write a whole number such as 12, or 0 for none' }
  return wholeNumber(digits, 'a number in stock', 0)
}

function readQuantityValue(value: unknown, literal?: string): NumberRead {
  if (typeof value === 'string') return readQuantity(value)
  if (value === undefined || value === null) return readQuantity('')
  return readQuantity(typeof value === 'number' ? (literal ?? String(value)) : 'no number')
}

/**
 * Reads rows of any form that `readRows` knows.
 * @throws InputRefused with everything that is wrong
 */
export async function readStockRows(source: Source, sheet?: string): Promise<StockRows> {
  const reader = new StockReader(STOCK)
  return reader.end(await readRows(source, reader, reader.faults, { sheet }))
}

/**
 * Rows from arguments `ID=NUMBER` or `OWN-REFERENCE=NUMBER`; all digits mean an id.
 * @throws InputRefused with every argument that cannot be read
 */
export function stockRowsFromArguments(args: readonly string[]): StockRows {
  const faults = new FaultList()
  const read = { field: 'Quantity', example: 'ID=NUMBER, such as 1001=5', read: readQuantity }
  const rows = itemArguments(args, faults, read).map(({ value, ...item }) => ({ ...item, quantity: value, extra: [] }))
  faults.refuse()
  return { form: { kind: 'arguments', columns: ['Id', 'Quantity'] }, rows, notes: [] }
}

class StockReader extends ItemReader<StockField> {
  readonly #rows: StockRow[] = []

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    const quantity = this.number('Quantity', line, values, raw, readQuantityValue)
    const item = this.item(line, values, raw)
    this.unnamed(line, values)
    if (item === undefined || this.isTwin(line, item) || quantity === undefined) return
    const { id } = item
    const extra = this.roles.extras.map((column) => values[column] ?? null)
    this.#rows.push({ line, id, reference: id > 0 ? undefined : item.reference, quantity, extra })
  }

  /** @throws InputRefused */
  end(form: InputForm): StockRows {
    this.faults.refuse()
    return { form: this.formOf(form), rows: this.#rows, numbered: this.numbered, notes: this.notes }
  }
}
