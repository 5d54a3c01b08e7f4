/** Reads what shop:price takes: a file or stdin of rows, or arguments such as `1001=499`. */
import { FaultList } from '../faults.js'
import type { InputForm, Source } from '../types.js'
import { literalOf } from './json.js'
import { type NumberRead, plainDigits, readId, readIdValue, readPrice, readPriceValue } from './number.js'
import { PriceRows } from './price-rows.js'
import { ALLOW_COLUMN, OLD_COLUMN, Roles } from './roles.js'
import { type RowReader, readRows } from './rows.js'

type Field = 'Id' | 'OwnReference' | 'Price' | typeof ALLOW_COLUMN | typeof OLD_COLUMN

/** `pris` is what Swedish sheets call it. */
const NAMES: Readonly<Record<string, Field>> = {
  id: 'Id',
  price: 'Price',
  pris: 'Price',
  ownreference: 'OwnReference',
  _allow: ALLOW_COLUMN,
  _old: OLD_COLUMN,
}
const KNOWN = ['Id', 'Price', 'OwnReference', ALLOW_COLUMN, OLD_COLUMN]
const ID_NAMES: Readonly<Record<string, Field>> = { id: 'Id', ownreference: 'OwnReference' }
const ID_KNOWN = ['Id', 'OwnReference']
const NO_PRICE: NumberRead = { value: 0 }

/**
 * Reads price rows: columns Id (or OwnReference) and Price, and any that begin with `_`. A million rows take 20 MB.
 * @throws InputRefused with everything that is wrong, at most 50 faults shown
 */
export async function readPriceRows(source: Source): Promise<PriceRows> {
  const reader = new PriceReader()
  const form = await readRows(source, reader, reader.faults)
  return reader.end(form)
}

/**
 * Price rows from arguments `ID=PRICE` or `OWN-REFERENCE=PRICE`; what is all digits is an id.
 * @throws InputRefused with every argument that cannot be read
 */
export function priceRowsFromArguments(args: readonly string[]): PriceRows {
  const faults = new FaultList()
  const rows = new PriceRows({ kind: 'arguments', columns: ['Id', 'Price'] })
  args.forEach((argument, index) => {
    const line = index + 1
    const split = argument.lastIndexOf('=')
    if (split <= 0) {
      faults.add(line, null, argument, 'is not ID=PRICE, such as 1001=499')
      return
    }
    const name = argument.slice(0, split).trim()
    const digits = /^\d+$/.test(name)
    const id = digits ? readId(name) : { value: 0 }
    const price = readPrice(argument.slice(split + 1))
    if ('why' in id) faults.add(line, 'Id', name, id.why)
    if ('why' in price) faults.add(line, 'Price', argument.slice(split + 1), price.why)
    if ('why' in id || 'why' in price) return
    const twin = rows.add({ line, id: id.value, reference: digits ? undefined : name, price: price.value })
    if (twin >= 0) faults.add(line, null, name, `stands twice: argument ${rows.line(twin)} names the same item`)
  })
  faults.refuse()
  return rows
}

/** Rows that name items and nothing else: what shop:remove takes. A column of prices is refused: it is a file for something else. */
export async function readIdRows(source: Source): Promise<PriceRows> {
  const reader = new PriceReader(false)
  const form = await readRows(source, reader, reader.faults)
  return reader.end(form)
}

class PriceReader implements RowReader {
  readonly faults = new FaultList()
  readonly #roles: Roles<Field>
  readonly #rows = new PriceRows({ kind: 'ndjson', columns: [] })
  readonly #priced: boolean
  #id = -1
  #reference = -1
  #price = -1
  #allow = -1
  #old = -1
  #kept: readonly number[] = []
  /** For files of nothing but ids and prices. */
  pair: RowReader['pair']

  constructor(priced = true) {
    this.#priced = priced
    this.#roles = new Roles<Field>(
      priced ? { names: NAMES, known: KNOWN, faults: this.faults } : { names: ID_NAMES, known: ID_KNOWN, faults: this.faults },
    )
  }

  column(name: string, line: number): void {
    this.#roles.add(name, line)
    this.#id = this.#roles.indexOf('Id')
    this.#reference = this.#roles.indexOf('OwnReference')
    this.#price = this.#roles.indexOf('Price')
    this.#allow = this.#roles.indexOf(ALLOW_COLUMN)
    this.#old = this.#roles.indexOf(OLD_COLUMN)
    // _Allow and _Old are given back like any column of the seller's own.
    this.#kept = this.#roles.roles.flatMap((role, index) =>
      role === 'extra' || role === ALLOW_COLUMN || role === OLD_COLUMN ? [index] : [],
    )
  }

  columnsKnown(columns: readonly string[]): void {
    const missing = (what: string) =>
      this.faults.add(0, null, undefined, `No column ${what} is named in the first line; it names ${columns.join(', ')}.`)
    if (this.#id < 0 && this.#reference < 0) missing('Id (or OwnReference)')
    if (this.#priced && this.#price < 0) missing('Price')
    if (this.#id < 0 || this.#price < 0) return
    const idFirst = this.#id < this.#price
    this.pair = (first, second, line) => (idFirst ? this.#plain(line, first, second) : this.#plain(line, second, first))
  }

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    if (this.#quick(line, values)) return
    const price = this.#priced ? this.#number(readPriceValue, 'Price', this.#price, values, raw) : NO_PRICE
    if ('why' in price) this.faults.add(line, this.#nameOf(this.#price, 'Price'), values[this.#price], price.why)
    const reference = this.#text(values[this.#reference], line)
    const idValue = values[this.#id]
    const hasId = !(idValue === undefined || idValue === null || (typeof idValue === 'string' && idValue.trim() === ''))
    const id: NumberRead =
      hasId || reference === undefined ? this.#number(readIdValue, 'Id', this.#id, values, raw) : { value: 0 }
    if ('why' in id)
      this.faults.add(line, this.#nameOf(this.#id, 'Id'), idValue, this.#reference < 0 ? id.why : noItem(id.why, hasId))
    const allow = this.#beside(this.#allow, line, values, raw)
    const expected = this.#beside(this.#old, line, values, raw)
    if ('why' in price || 'why' in id) return
    const extra = this.#kept.length === 0 ? undefined : this.#kept.map((column) => values[column] ?? null)
    const twin = this.#rows.add({ line, id: id.value, reference, price: price.value, allow, expected, extra })
    if (twin >= 0) this.#twin(line, id.value, reference, twin)
  }

  /** @throws InputRefused */
  end(form: InputForm): PriceRows {
    this.faults.refuse()
    this.#rows.form = form
    return this.#rows
  }

  /** A row of an id and a price in plain digits and nothing else: nearly all rows of large files. */
  #quick(line: number, values: readonly unknown[]): boolean {
    if (!this.#priced || this.#kept.length > 0 || this.#reference >= 0) return false
    const idText = values[this.#id]
    const priceText = values[this.#price]
    if (typeof idText !== 'string' || typeof priceText !== 'string') return false
    const id = plainDigits(idText)
    const price = plainDigits(priceText)
    if (id <= 0 || price <= 0) return false
    this.#plain(line, id, price)
    return true
  }

  #plain(line: number, id: number, price: number): void {
    const twin = this.#rows.addPlain(line, id, price)
    if (twin >= 0) this.#twin(line, id, undefined, twin)
  }

  #twin(line: number, id: number, reference: string | undefined, twin: number): void {
    const field = id > 0 ? 'Id' : 'OwnReference'
    this.faults.add(line, field, id > 0 ? id : reference, `stands twice: line ${this.#rows.line(twin)} names the same item`)
  }

  #number(
    read: (value: unknown, literal?: string) => NumberRead,
    field: string,
    column: number,
    values: readonly unknown[],
    raw: string | undefined,
  ): NumberRead {
    return read(values[column], literalOf(raw, this.#nameOf(column, field)))
  }

  /** The price in `_Allow` or `_Old`; undefined where the cell is empty. */
  #beside(column: number, line: number, values: readonly unknown[], raw: string | undefined): number | undefined {
    const value = values[column]
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return undefined
    const name = this.#nameOf(column, '')
    const read = readPriceValue(value, literalOf(raw, name))
    if ('value' in read) return read.value
    const holds = column === this.#allow ? 'the exact price that may pass' : 'the price that the item has now'
    this.faults.add(line, name, value, `${read.why}; it holds ${holds}`)
    return undefined
  }

  #text(value: unknown, line: number): string | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value === 'number') return String(value)
    if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim()
    this.faults.add(line, 'OwnReference', value, 'is no text')
    return undefined
  }

  #nameOf(column: number, otherwise: string): string {
    return this.#roles.columns[column] ?? otherwise
  }
}

function noItem(why: string, hasId: boolean): string {
  return hasId ? why : 'is empty, and so is OwnReference; one of them must name the item'
}
