/** Reads the input of shop:price: a file or stdin of rows, or arguments such as `1001=499`. */
import { countOf } from '../contract/numbers.js'
import { unguardedText } from '../workbook/index.js'
import type { Encoding } from './bytes.js'
import { FaultList } from './faults.js'
import { literalOf } from './json.js'
import { PRICE_NAMES, type PriceField, plainName } from './names.js'
import { encodingNote, otherColumnsNote, unnamedFault } from './notes.js'
import { type NumberRead, plainDigits, readId, readIdValue, readPrice, readPriceValue } from './number.js'
import { PriceRows } from './price-rows.js'
import { ALLOW_COLUMN, OLD_COLUMN, Roles } from './roles.js'
import { type RowReader, readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

const KNOWN = ['Id', 'Price', 'OwnReference', ALLOW_COLUMN, OLD_COLUMN]
const ID_NAMES: Readonly<Record<string, PriceField>> = { id: 'Id', ownreference: 'OwnReference' }
const ID_KNOWN = ['Id', 'OwnReference']
/** The ItemType whose prices are set here. Rows of a list with another type are skipped. */
const SHOP_ITEM = 'ShopItem'
/** The place of a column that the input does not have. */
const NONE = -1
const NO_PRICE: NumberRead = { value: 0 }
/**
 * Reads price rows: columns for the item (an id, or an own reference) and its price, with the names in read/names.ts, and any
 * that begin with `_`. Other columns are skipped and noted. A million rows take 20 MB.
 * @throws InputRefused with everything that is wrong, at most 50 faults shown
 */
export async function readPriceRows(source: Source, sheet?: string): Promise<PriceRows> {
  const reader = new PriceReader()
  const form = await readRows(source, reader, reader.faults, { sheet })
  return reader.end(form)
}

/**
 * Price rows from arguments `ID=PRICE` or `OWN-REFERENCE=PRICE`; all digits mean an id.
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
    if (twin >= 0) faults.add(line, null, name, `occurs twice: argument ${rows.line(twin)} names the same item`)
  })
  faults.refuse()
  return rows
}

/**
 * Reads rows that only name items, for shop:remove. A column of prices is refused, because such a file was made for something
 * else.
 */
export async function readIdRows(source: Source, sheet?: string): Promise<PriceRows> {
  const reader = new PriceReader(false)
  const form = await readRows(source, reader, reader.faults, { sheet })
  return reader.end(form)
}

class PriceReader implements RowReader {
  readonly faults = new FaultList()
  readonly #roles: Roles<PriceField>
  readonly #rows = new PriceRows({ kind: 'ndjson', columns: [] })
  readonly #priced: boolean
  #id = NONE
  #reference = NONE
  #price = NONE
  #allow = NONE
  #old = NONE
  #title = NONE
  #category = NONE
  #remaining = NONE
  #type = NONE
  /** Rows of a list that are auctions and the like. */
  #otherTypes = 0
  #unnamed: readonly number[] = []
  #kept: readonly number[] = []
  /** Whether only an id and a price are read from each row. */
  #bare = false
  #encoding: Encoding = 'UTF-8'
  /** For files that contain only ids and prices. */
  pair: RowReader['pair']

  constructor(priced = true) {
    this.#priced = priced
    const { faults } = this
    this.#roles = new Roles<PriceField>(
      priced
        ? { names: PRICE_NAMES, known: KNOWN, faults, plain: plainName, others: 'passed over' }
        : { names: ID_NAMES, known: ID_KNOWN, faults },
    )
  }

  column(name: string, line: number): void {
    const roles = this.#roles
    roles.add(name, line)
    this.#id = first(roles.indexOf('Id'), roles.indexOf('Number'))
    this.#reference = roles.indexOf('OwnReference')
    // A list that is used as input has its own price column. Next to a new price, it is what the seller saw.
    this.#price = first(roles.indexOf('Price'), roles.indexOf('Listed'))
    this.#old = first(roles.indexOf(OLD_COLUMN), roles.indexOf('Price') < 0 ? NONE : roles.indexOf('Listed'))
    this.#allow = roles.indexOf(ALLOW_COLUMN)
    this.#title = roles.indexOf('Title')
    this.#category = roles.indexOf('Category')
    this.#remaining = roles.indexOf('Remaining')
    this.#type = roles.indexOf('Type')
    this.#unnamed = roles.columns.flatMap((column, index) => (column.trim() === '' ? [index] : []))
    // _Allow and _Old are written back like the seller's own columns.
    const kept = (role: string, index: number) => role === 'extra' || index === this.#allow || index === this.#old
    this.#kept = roles.roles.flatMap((role, index) => (kept(role, index) ? [index] : []))
    const beside = [this.#reference, this.#title, this.#category, this.#remaining, this.#type, ...this.#kept, ...this.#unnamed]
    this.#bare = this.#priced && beside.every((column) => column < 0)
  }

  columnsKnown(columns: readonly string[]): void {
    if (this.#id < 0 && this.#reference < 0) this.#missing('Id', 'Id (or OwnReference)', columns)
    if (this.#priced && this.#price < 0) this.#missing('Price', 'Price', columns)
    if (this.#id < 0 || this.#price < 0) return
    const idFirst = this.#id < this.#price
    this.pair = (first, second, line) => (idFirst ? this.#plain(line, first, second) : this.#plain(line, second, first))
  }

  encoded(encoding: Encoding): void {
    this.#encoding = encoding
  }

  oddLength(cells: readonly string[], columns: readonly string[]): string | undefined {
    const [kronor = '', rest = ''] = [cells[this.#price], cells[this.#price + 1]]
    if (!this.#priced || cells.length !== columns.length + 1 || !/^\d+$/.test(kronor) || !/^\d{1,2}$/.test(rest)) return undefined
    return `has ${cells.length} cells where the first line names ${columns.length}: the decimal comma of "${kronor},${rest}" was taken for a delimiter; prices are whole kronor`
  }

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    if (this.#bare && this.#quick(line, values)) return
    const type = textOf(cellOf(values, this.#type))?.trim()
    if (type !== undefined && type !== SHOP_ITEM) {
      this.#otherTypes++
      return
    }
    // In a list that is used as input, an item without a price has none to set.
    if (this.#roles.roles[this.#price] === 'Listed' && isNothing(values[this.#price])) return
    const price = this.#priced ? this.#number(readPriceValue, 'Price', this.#price, values, raw) : NO_PRICE
    if ('why' in price) this.faults.add(line, this.#nameOf(this.#price, 'Price'), values[this.#price], price.why)
    const named = this.#item(line, values, raw)
    const allow = this.#beside(this.#allow, line, values, raw)
    const expected = this.#beside(this.#old, line, values, raw)
    if (this.#unnamed.length > 0)
      unnamedFault(this.#roles.columns, values, (value, why) => this.faults.add(line, null, value, why))
    if ('why' in price || named === undefined) return
    const extra = this.#kept.length === 0 ? undefined : this.#kept.map((column) => values[column] ?? null)
    const { id, reference } = named
    const title = textOf(cellOf(values, this.#title))
    const category = wholeOf(cellOf(values, this.#category))
    const remaining = wholeOf(cellOf(values, this.#remaining))
    const beside = { allow, expected, title, category, remaining, extra }
    const twin = this.#rows.add({ line, id, reference, price: price.value, ...beside })
    if (twin >= 0) this.#twin(line, id, reference, twin)
  }

  /** @throws InputRefused */
  end(form: InputForm): PriceRows {
    this.faults.refuse()
    const roles = this.#roles
    const given = roles.columns.flatMap((column, index) => {
      const field = this.#fieldOf(index)
      return field === undefined ? [] : [{ column, field }]
    })
    const columns = given.map(({ column }) => column)
    const fields = given.map(({ field }) => field)
    const renamed = given.some(({ column, field }) => column.trim().toLowerCase() !== field.toLowerCase())
    if (this.#priced) this.#rows.form = renamed ? { ...form, columns, fields } : { ...form, columns }
    else this.#rows.form = form
    this.#rows.notes = this.#notes()
    if (roles.indexOf(OLD_COLUMN) >= 0) this.#rows.oldColumn = this.#nameOf(this.#old, OLD_COLUMN)
    if (this.#encoding === 'Windows-1252') this.#rows.lossyTitles = true
    return this.#rows
  }

  /** The field under which a column is written back; undefined for a column that is not. */
  #fieldOf(index: number): string | undefined {
    if (index === this.#id) return this.#roles.roles[index]
    if (index === this.#reference) return 'OwnReference'
    if (index === this.#price) return 'Price'
    if (index === this.#old) return OLD_COLUMN
    if (index === this.#allow) return ALLOW_COLUMN
    return this.#roles.roles[index] === 'extra' ? this.#nameOf(index, '') : undefined
  }

  #notes(): string[] {
    const notes = encodingNote(this.#encoding)
    const price = this.#nameOf(this.#price, '')
    if (this.#priced && !['', 'price', 'pris'].includes(price.trim().toLowerCase()))
      notes.push(`Prices are read from the column "${price}".`)
    const used = new Set([this.#id, this.#reference, this.#price, this.#old, this.#allow])
    const others = this.#roles.columns.filter((name, index) => {
      const role = this.#roles.roles[index]
      return name !== '' && !used.has(index) && role !== 'extra' && role !== 'ignored'
    })
    const rows = this.#otherTypes
    if (rows > 0)
      notes.push(`${countOf(rows, 'row')} ${rows === 1 ? 'is not a shop item and was' : 'are not shop items and were'} skipped.`)
    return [...notes, ...otherColumnsNote(others)]
  }

  #missing(known: string, what: string, columns: readonly string[]): void {
    const near = this.#roles.nearestOther(known)
    if (near !== undefined) this.faults.add(0, null, near, `is not a column of this input. Did you mean ${known}?`)
    else this.faults.add(0, null, undefined, `No column ${what} is named in the first line; it names ${columns.join(', ')}.`)
  }

  /** The item that a row names; undefined, with a fault, if it names none. */
  #item(
    line: number,
    values: readonly unknown[],
    raw: string | undefined,
  ): { id: number; reference: string | undefined } | undefined {
    const value = values[this.#id]
    const own = this.#text(values[this.#reference], line)
    const hasId = !isBlank(value)
    if (!hasId && own !== undefined) return { id: 0, reference: own }
    const id = this.#number(readIdValue, 'Id', this.#id, values, raw)
    if ('value' in id) return { id: id.value, reference: own }
    // A column such as Artikelnr holds ids in one shop and the seller's own numbers in another.
    const text = this.#roles.roles[this.#id] === 'Number' && hasId ? this.#text(value, line) : undefined
    if (text !== undefined) return { id: 0, reference: text }
    this.faults.add(line, this.#nameOf(this.#id, 'Id'), value, this.#reference < 0 ? id.why : noItem(id.why, hasId))
    return undefined
  }

  /** Reads a row with only an id and a price in plain digits: nearly all rows of large files. */
  #quick(line: number, values: readonly unknown[]): boolean {
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
    this.faults.add(
      line,
      field,
      id > 0 ? id : reference,
      `occurs twice: line ${this.#rows.line(twin)} names the same item; remove one of the two`,
    )
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

  /** The price in `_Allow` or `_Old`; undefined if the cell is empty. */
  #beside(column: number, line: number, values: readonly unknown[], raw: string | undefined): number | undefined {
    const value = values[column]
    if (isBlank(value)) return undefined
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
    if (typeof value === 'string') return value.trim() === '' ? undefined : unguardedText(value.trim())
    this.faults.add(line, 'OwnReference', value, 'is not a text; put it in quotes')
    return undefined
  }

  #nameOf(column: number, otherwise: string): string {
    return this.#roles.columns[column] ?? otherwise
  }
}

/** The cell of a column. An array is asked for -1 ten times as slowly as for a place that it has. */
function cellOf(values: readonly unknown[], column: number): unknown {
  return column === NONE ? undefined : values[column]
}

/** The first column that exists. */
function first(...columns: readonly number[]): number {
  return columns.find((column) => column >= 0) ?? NONE
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** No price: an empty cell, or 0, which means "none" in BuyItNowPrice (docs/service.md, Item requests). */
function isNothing(value: unknown): boolean {
  return isBlank(value) || value === 0 || value === '0'
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && !isBlank(value) ? unguardedText(value) : undefined
}

/** Digits of a value that is only compared. */
function wholeOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value)
  return text === undefined || !/^\d{1,9}$/.test(text.trim()) ? undefined : Number(text)
}

function noItem(why: string, hasId: boolean): string {
  return hasId ? why : 'is empty, and so is OwnReference; one of them must name the item'
}
