/** Reads the input of shop:stock: rows of an item and its number in stock, or arguments such as `1001=5`. */
import { wholeNumber } from '../contract/index.js'
import { unguardedText } from '../workbook/index.js'
import { FaultList } from './faults.js'
import { literalOf } from './json.js'
import { plainName } from './names.js'
import { otherColumnsNote } from './notes.js'
import { type NumberRead, readId, readIdValue } from './number.js'
import { Roles } from './roles.js'
import { type RowReader, readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

/** The new number in stock of one shop item. */
export interface StockRow {
  readonly line: number
  /** 0 if the row names its item by an own reference. */
  readonly id: number
  readonly reference: string | undefined
  readonly quantity: number
  readonly extra: readonly unknown[]
}

export interface StockRows {
  readonly form: InputForm
  readonly rows: readonly StockRow[]
  /** Remarks about the input, one sentence each. */
  readonly notes: readonly string[]
}

type Field = 'Id' | 'OwnReference' | 'Quantity'

/** The service's names, those of a list that is used as input, and those that sellers use. */
const NAMES: Readonly<Record<string, Field>> = {
  id: 'Id',
  itemid: 'Id',
  objektid: 'Id',
  objektnr: 'Id',
  ownreference: 'OwnReference',
  egenreferens: 'OwnReference',
  artikelnr: 'OwnReference',
  sku: 'OwnReference',
  quantity: 'Quantity',
  remainingquantity: 'Quantity',
  stock: 'Quantity',
  antal: 'Quantity',
  lager: 'Quantity',
  lagersaldo: 'Quantity',
  saldo: 'Quantity',
}
const KNOWN: readonly Field[] = ['Id', 'OwnReference', 'Quantity']

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
 * Reads rows from CSV, a JSON array or NDJSON.
 * @throws InputRefused with everything that is wrong
 */
export async function readStockRows(source: Source, sheet?: string): Promise<StockRows> {
  const reader = new StockReader()
  const form = await readRows(source, reader, reader.faults, { sheet })
  reader.faults.refuse()
  return { form: { ...form, ...reader.givenBack }, rows: reader.rows, notes: reader.notes }
}

/**
 * Rows from arguments `ID=NUMBER` or `OWN-REFERENCE=NUMBER`; all digits mean an id.
 * @throws InputRefused with every argument that cannot be read
 */
export function stockRowsFromArguments(args: readonly string[]): StockRows {
  const faults = new FaultList()
  const rows: StockRow[] = []
  const lines = new Map<string, number>()
  args.forEach((argument, index) => {
    const line = index + 1
    const split = argument.lastIndexOf('=')
    const name = argument.slice(0, split).trim()
    if (split <= 0) {
      faults.add(line, null, argument, 'is not ID=NUMBER, such as 1001=5')
      return
    }
    const id = /^\d+$/.test(name) ? readId(name) : { value: 0 }
    const quantity = readQuantity(argument.slice(split + 1))
    if ('why' in id) faults.add(line, 'Id', name, id.why)
    if ('why' in quantity) faults.add(line, 'Quantity', argument.slice(split + 1), quantity.why)
    const twin = lines.get(name)
    if (twin !== undefined) faults.add(line, null, name, `occurs twice: argument ${twin} names the same item`)
    lines.set(name, line)
    if ('why' in id || 'why' in quantity) return
    rows.push({ line, id: id.value, reference: id.value > 0 ? undefined : name, quantity: quantity.value, extra: [] })
  })
  faults.refuse()
  return { form: { kind: 'arguments', columns: ['Id', 'Quantity'] }, rows, notes: [] }
}

class StockReader implements RowReader {
  readonly faults = new FaultList()
  readonly rows: StockRow[] = []
  readonly #roles = new Roles<Field>({
    names: NAMES,
    known: KNOWN,
    faults: this.faults,
    plain: plainName,
    others: 'passed over',
  })
  readonly #lines = new Map<string, number>()

  column(name: string, line: number): void {
    this.#roles.add(name, line)
  }

  columnsKnown(columns: readonly string[]): void {
    const missing = (what: string) =>
      this.faults.add(0, null, undefined, `No column ${what} is named in the first line; it names ${columns.join(', ')}.`)
    if (this.#roles.indexOf('Id') < 0 && this.#roles.indexOf('OwnReference') < 0) missing('Id (or OwnReference)')
    if (this.#roles.indexOf('Quantity') < 0) missing('Quantity')
  }

  /** The columns of rows that are written back, as they were spelled, and what each holds. */
  get givenBack(): { columns: string[]; fields: string[] } {
    const { columns, roles } = this.#roles
    const given = columns.flatMap((column, at) => {
      const role = roles[at]
      return role === 'other' || role === 'ignored' || role === undefined
        ? []
        : [{ column, field: role === 'extra' ? column : role }]
    })
    return { columns: given.map(({ column }) => column), fields: given.map(({ field }) => field) }
  }

  /** Remarks about the input, one sentence each. */
  get notes(): string[] {
    return otherColumnsNote(this.#roles.others)
  }

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    const quantity = this.#number(line, 'Quantity', values, raw, readQuantityValue)
    const given = values[this.#roles.indexOf('Id')]
    const reference = textOf(values[this.#roles.indexOf('OwnReference')])
    const named = !isBlank(given)
    const id = !named && reference !== undefined ? 0 : this.#number(line, 'Id', values, raw, readIdValue)
    if (id === undefined) return
    const key = id > 0 ? String(id) : `= ${reference}`
    const twin = this.#lines.get(key)
    if (twin !== undefined) {
      this.faults.add(
        line,
        id > 0 ? 'Id' : 'OwnReference',
        id > 0 ? id : reference,
        `occurs twice: line ${twin} names the same item`,
      )
      return
    }
    this.#lines.set(key, line)
    if (quantity === undefined) return
    const extra = this.#roles.extras.map((column) => values[column] ?? null)
    this.rows.push({ line, id, reference: id > 0 ? undefined : reference, quantity, extra })
  }

  #number(
    line: number,
    field: Field,
    values: readonly unknown[],
    raw: string | undefined,
    read: (value: unknown, literal?: string) => NumberRead,
  ): number | undefined {
    const column = this.#roles.indexOf(field)
    const name = this.#roles.columns[column] ?? field
    const found = read(values[column], literalOf(raw, name))
    if ('value' in found) return found.value
    this.faults.add(line, name, values[column], found.why)
    return undefined
  }
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && !isBlank(value) ? unguardedText(value.trim()) : undefined
}
