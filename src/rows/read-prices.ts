/** Reads the input of shop:price: a file or stdin of rows, or arguments such as `1001=499`. */
import { countOf } from '../contract/numbers.js'
import { unguardedText } from '../workbook/index.js'
import { FaultList } from './faults.js'
import { ALLOW_COLUMN, type InputFields, OLD_COLUMN, ORDERS, PRICES, type PriceField, RELISTS, REMOVALS } from './fields.js'
import { ItemReader, isBlank, itemArguments } from './item-rows.js'
import { literalOf } from './json.js'
import { otherColumnsNote } from './notes.js'
import { plainDigits, readPrice, readPriceValue } from './number.js'
import { PriceRows } from './price-rows.js'
import { type RowReader, readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

/** The ItemType whose prices are set here. Rows of a list with another type are skipped. */
const SHOP_ITEM = 'ShopItem'
/** The place of a column that the input does not have. */
const NONE = -1
/** What stands beside prices is compared, and does not come back. */
const COMPARED: ReadonlySet<PriceField> = new Set(['Title', 'Category', 'Remaining', 'Type'])

/**
 * Reads price rows: columns for the item (an id, or an own reference) and its price, with the names in fields.ts, and any
 * that begin with `_`. Other columns are skipped and noted. A million rows take 20 MB.
 * @throws InputRefused with everything that is wrong, at most 50 faults shown
 */
export async function readPriceRows(source: Source, sheet?: string): Promise<PriceRows> {
  const reader = new PriceReader(PRICES)
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
  const read = { field: 'Price', example: 'ID=PRICE, such as 1001=499', read: readPrice }
  for (const { value, ...item } of itemArguments(args, faults, read)) rows.add({ ...item, price: value })
  faults.refuse()
  return rows
}

const NAMING = { items: REMOVALS, orders: ORDERS, auctions: RELISTS } as const

/**
 * Reads rows that only name items, for shop:remove, orders, or auctions, which may have a price of their own. With items a column of prices is refused,
 * because such a file was made for something else.
 */
export async function readIdRows(source: Source, sheet?: string, what: keyof typeof NAMING = 'items'): Promise<PriceRows> {
  const reader = new PriceReader(NAMING[what])
  const form = await readRows(source, reader, reader.faults, { sheet })
  return reader.end(form)
}

/** Rows that only name what they are about. @param ids one that is named twice counts once @param column what the ids are called */
export function idRowsFromArguments(ids: readonly number[], column: string): PriceRows {
  const rows = new PriceRows({ kind: 'arguments', columns: [column] })
  for (const [at, id] of [...new Set(ids)].entries()) rows.add({ line: at + 1, id, price: 0 })
  return rows
}

class PriceReader extends ItemReader<PriceField> {
  readonly #rows = new PriceRows({ kind: 'ndjson', columns: [] })
  readonly #priced: boolean
  #id = NONE
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
  /** For files that contain only ids and prices. */
  pair: RowReader['pair']

  constructor(input: InputFields<PriceField>) {
    super(input)
    this.#priced = input === PRICES
  }

  override column(name: string, line: number): void {
    super.column(name, line)
    const { roles } = this
    this.#id = first(roles.indexOf('Id'), roles.indexOf('Number'))
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
    this.#kept = roles.keptBeside(this.#allow, this.#old)
    const named = [roles.indexOf('OwnReference'), roles.indexOf('Id') < 0 ? NONE : roles.indexOf('Number')]
    const beside = [...named, this.#title, this.#category, this.#remaining, this.#type, ...this.#kept, ...this.#unnamed]
    this.#bare = this.#priced && beside.every((column) => column < 0)
  }

  override columnsKnown(columns: readonly string[]): void {
    super.columnsKnown(columns)
    if (this.#id < 0 || this.#price < 0) return
    const idFirst = this.#id < this.#price
    this.pair = (first, second, line) => (idFirst ? this.#plain(line, first, second) : this.#plain(line, second, first))
  }

  oddLength(cells: readonly string[], columns: readonly string[]): string | undefined {
    const [kronor = '', rest = ''] = [cells[this.#price], cells[this.#price + 1]]
    if (!this.#priced || cells.length !== columns.length + 1 || !/^\d+$/.test(kronor) || !/^\d{1,2}$/.test(rest)) return undefined
    return `has ${cells.length} cells where the first line names ${columns.length}: the decimal comma of "${kronor},${rest}" was taken for a delimiter; prices are whole kronor`
  }

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    if (this.#bare && this.#quick(line, values)) return
    const type = cellText(cellOf(values, this.#type))?.trim()
    if (type !== undefined && type !== SHOP_ITEM) {
      this.#otherTypes++
      return
    }
    // In a list that is used as input, an item without a price has none to set.
    if (this.#priced && this.#priceField === 'Listed' && isNothing(values[this.#price])) return
    const priced = this.#priced || !isNothing(values[this.#price])
    const price = priced ? this.number(this.#priceField, line, values, raw, readPriceValue) : 0
    const named = this.item(line, values, raw)
    const allow = this.#beside(this.#allow, line, values, raw)
    const expected = this.#beside(this.#old, line, values, raw)
    if (this.#unnamed.length > 0) this.unnamed(line, values)
    if (price === undefined || named === undefined) return
    const extra = this.#kept.length === 0 ? undefined : this.#kept.map((column) => values[column] ?? null)
    const { id, reference } = named
    const title = cellText(cellOf(values, this.#title))
    const category = wholeOf(cellOf(values, this.#category))
    const remaining = wholeOf(cellOf(values, this.#remaining))
    const beside = { allow, expected, title, category, remaining, extra }
    const twin = this.#rows.add({ line, id, reference, price, ...beside })
    if (twin >= 0) this.twinFault(line, named, this.#rows.line(twin))
  }

  /** @throws InputRefused */
  end(form: InputForm): PriceRows {
    this.faults.refuse()
    this.#rows.form = this.formOf(form)
    this.#rows.numbered = this.numbered
    this.#rows.notes = this.notes
    if (this.roles.indexOf(OLD_COLUMN) >= 0) this.#rows.oldColumn = this.#nameOf(this.#old, OLD_COLUMN)
    if (this.encoding === 'Windows-1252') this.#rows.lossyTitles = true
    return this.#rows
  }

  /** A list's own price is the price, or beside a new one what the seller saw. */
  protected override fieldOf(role: PriceField): string | undefined {
    if (role === 'Listed')
      return this.#priceField === 'Listed' ? 'Price' : this.#old === this.roles.indexOf('Listed') ? OLD_COLUMN : undefined
    return COMPARED.has(role) ? undefined : super.fieldOf(role)
  }

  get #priceField(): PriceField {
    return this.roles.indexOf('Price') < 0 && this.roles.indexOf('Listed') >= 0 ? 'Listed' : 'Price'
  }

  override get notes(): string[] {
    const price = this.#nameOf(this.#price, '')
    const renamed = this.#priced && !['', 'price', 'pris'].includes(price.trim().toLowerCase())
    const rows = this.#otherTypes
    const skipped = `${countOf(rows, 'row')} ${rows === 1 ? 'is not a shop item and was' : 'are not shop items and were'} skipped.`
    return [
      ...this.inputNotes,
      ...(renamed ? [`Prices are read from the column "${price}".`] : []),
      ...(rows > 0 ? [skipped] : []),
      ...otherColumnsNote(this.others),
    ]
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
    if (twin >= 0) this.twinFault(line, { id, reference: undefined }, this.#rows.line(twin))
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

  #nameOf(column: number, otherwise: string): string {
    return this.roles.columns[column] ?? otherwise
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

/** No price: an empty cell, or 0, which means "none" in BuyItNowPrice (docs/service.md, Item requests). */
function isNothing(value: unknown): boolean {
  return isBlank(value) || value === 0 || value === '0'
}

function cellText(value: unknown): string | undefined {
  return typeof value === 'string' && !isBlank(value) ? unguardedText(value) : undefined
}

/** Digits of a value that is only compared. */
function wholeOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : cellText(value)
  return text === undefined || !/^\d{1,9}$/.test(text.trim()) ? undefined : Number(text)
}
