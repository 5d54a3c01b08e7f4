/** Reads the input of shop:price: a file or stdin of rows, or arguments such as `1001=499`. */
import { countOf } from '../contract/numbers.js'
import { unguardedText } from '../workbook/index.js'
import { isBlank } from './blank.js'
import {
  ALLOW_COLUMN,
  type InputFields,
  OLD_COLUMN,
  ORDERS,
  PRICES,
  type PriceField,
  plainName,
  RELISTS,
  REMOVALS,
} from './fields.js'
import { ItemReader, itemArguments } from './item-rows.js'
import { NET_NOTE, otherColumnsNote, VAT_ADVICE } from './notes.js'
import { hasÖre, readAmountValue, readPrice, readPriceValue } from './number.js'
import { type PriceRow, PriceRows } from './price-rows.js'
import { type InputOptions, readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

/** The ItemType whose prices are set here. Rows of a list with another type are skipped. */
const SHOP_ITEM = 'ShopItem'
/** Columns next to prices that are compared, and do not come back. */
const COMPARED: ReadonlySet<PriceField> = new Set(['Title', 'Category', 'Remaining', 'Type'])

/**
 * Reads price rows: columns for the item (an id, or an own reference) and its price, with the names in fields.ts, and any
 * that begin with `_`. Other columns are skipped and noted.
 * @throws InputRefused with everything that is wrong, at most 50 faults shown
 */
export function readPriceRows(source: Source, options?: InputOptions): Promise<PriceRows> {
  return readInput(PRICES, source, options)
}

/**
 * Price rows from arguments `ID=PRICE` or `OWN-REFERENCE=PRICE`; all digits mean an id.
 * @param currency of the account
 * @throws InputRefused with every argument that cannot be read
 */
export function priceRowsFromArguments(args: readonly string[], currency?: string): PriceRows {
  const rows = new PriceRows({ kind: 'arguments', columns: ['Id', 'Price'] })
  const options = { field: 'Price', example: 'ID=PRICE, such as 1001=499', read: (text: string) => readPrice(text, currency) }
  for (const { value, ...item } of itemArguments(args, options)) rows.add({ ...item, price: value })
  return rows
}

const NAMING = { items: REMOVALS, orders: ORDERS, auctions: RELISTS } as const

/**
 * Reads rows that only name items, for shop:remove, orders, or auctions, which may have a price of their own. With items a column
 * of prices is refused, because such a file was made for something else.
 */
export function readIdRows(source: Source, options?: InputOptions, what: keyof typeof NAMING = 'items'): Promise<PriceRows> {
  return readInput(NAMING[what], source, options)
}

async function readInput(input: InputFields<PriceField>, source: Source, options?: InputOptions): Promise<PriceRows> {
  const reader = new PriceReader(input)
  return reader.end(await readRows(source, reader, options))
}

/**
 * Rows that only name what they are about.
 * @param ids one that is named twice counts once
 * @param column what the ids are called
 */
export function idRowsFromArguments(ids: readonly number[], column: string): PriceRows {
  const rows = new PriceRows({ kind: 'arguments', columns: [column] })
  for (const [at, id] of [...new Set(ids)].entries()) rows.add({ line: at + 1, id, price: 0 })
  return rows
}

class PriceReader extends ItemReader<PriceField, PriceRow> {
  readonly #rows = new PriceRows({ kind: 'ndjson', columns: [] })
  readonly #readsPrices: boolean
  /** Rows of a list that are auctions and the like. */
  #otherTypes = 0
  /** True if the columns are an id and a price, and which comes first. */
  #two = false
  #idFirst = true

  constructor(input: InputFields<PriceField>) {
    super(input, () => this.#read())
    this.#readsPrices = input === PRICES
  }

  override column(name: string, line: number): void {
    super.column(name, line)
    this.#two =
      this.#readsPrices &&
      this.chosen?.net !== true &&
      this.columns.length === 2 &&
      this.#id >= 0 &&
      this.indexOf(this.#priceField) >= 0
    this.#idFirst = this.#id === 0
  }

  override oddLength(cells: readonly string[]): string | undefined {
    const at = this.indexOf(this.#priceField)
    const { length } = this.columns
    const [kronor = '', rest = ''] = [cells[at], cells[at + 1]]
    if (!this.#readsPrices || cells.length !== length + 1 || !/^\d+$/.test(kronor) || !/^\d{1,2}$/.test(rest)) return undefined
    return `has ${cells.length} cells where the first line names ${length}: the decimal comma of "${kronor},${rest}" was taken for a delimiter; prices are whole kronor`
  }

  /** Nearly all files have rows of an id and a price: reading them any other way takes three times as long. */
  override numbers(line: number, one: number, other: number): boolean {
    if (!this.#two) return false
    this.line = line
    this.#add(this.#idFirst ? { line, id: one, price: other } : { line, id: other, price: one })
    return true
  }

  #read(): undefined {
    const type = cellText(this.value('Type'))?.trim()
    if (type !== undefined && type !== SHOP_ITEM) {
      this.#otherTypes++
      return
    }
    const field = this.#priceField
    const none = isNothing(this.value(field))
    // In a list that is used as input, an item without a price has none to set.
    if (this.#readsPrices && field === 'Listed' && none) return
    if (this.#readsPrices && this.leaves(field)) return
    if (this.#readsPrices && this.chosen?.net === true) {
      this.#readNet(field)
      return
    }
    const price = this.#readsPrices || !none ? this.number(field, readPriceValue, this.#vatHint(field)) : 0
    const item = this.item()
    const beside = this.columns.length > 2 || this.indexOf('Reserve') >= 0 ? this.#beside() : undefined
    if (price === undefined || item === undefined) return
    this.#add(beside === undefined ? { line: this.line, ...item, price } : { line: this.line, ...item, price, ...beside })
  }

  /** A price without VAT. Its item says which rate is added. */
  #readNet(field: PriceField): void {
    const net = this.number(field, readAmountValue)
    const item = this.item()
    if (net === undefined || item === undefined) return
    this.#add({ line: this.line, ...item, price: 0, net, ...(this.columns.length > 2 ? this.#beside() : {}) })
  }

  #vatHint(field: PriceField): string {
    const value = this.value(field)
    const öre = this.chosen !== undefined && this.chosen.net === undefined && typeof value === 'string' && hasÖre(value)
    return öre ? VAT_ADVICE : ''
  }

  #add(row: PriceRow): void {
    const twin = this.#rows.add(row)
    if (twin < 0) return
    const { line, price, net } = this.#rows.at(twin)
    this.twinFault(row, line, [net ?? price, row.net ?? row.price])
  }

  /** Values of the columns next to the item and its price. */
  #beside(): Partial<PriceRow> {
    const allow = this.optional(ALLOW_COLUMN, readPriceValue, '; it holds the exact price that may pass')
    const expected = this.optional(this.#oldField, readPriceValue, '; it holds the price that the item has now')
    const title = cellText(this.value('Title'))
    const category = wholeOf(this.value('Category'))
    const remaining = wholeOf(this.value('Remaining'))
    const reserve =
      this.isNone('Reserve') || String(this.value('Reserve')).trim() === '0'
        ? 0
        : this.optional('Reserve', readPriceValue, '; none or 0 is no reserve price')
    const extra = this.extras.length === 0 ? undefined : this.extra
    return { allow, expected, title, category, remaining, reserve, extra }
  }

  /** @throws InputRefused */
  end(form: InputForm): PriceRows {
    this.faults.refuse()
    this.#rows.form = this.formOf(form)
    this.#rows.numbered = this.numbered
    this.#rows.notes = this.notes
    this.#rows.vatSaid = this.answers.prices !== undefined
    if (this.indexOf(this.#oldField) >= 0 && this.#oldField !== 'Listed') this.#rows.oldColumn = this.#nameOf(this.#oldField)
    if (this.encoding === 'Windows-1252') this.#rows.lossyTitles = true
    return this.#rows
  }

  /** A price that was read without VAT is written back with it, under a name that says nothing else. */
  override formOf(form: InputForm): InputForm {
    const itemForm = super.formOf(form)
    if (this.chosen?.net !== true) return itemForm
    const price = this.#nameOf(this.#priceField)
    const fields = itemForm.fields ?? itemForm.columns
    return { ...itemForm, columns: itemForm.columns.map((column) => (column === price ? 'Price' : column)), fields }
  }

  /** A list's own price is the price, or beside a new one what the seller saw. */
  protected override fieldOf(role: PriceField): string | undefined {
    if (role === 'Before') return this.#oldField === 'Before' ? OLD_COLUMN : undefined
    if (role === 'Listed') return this.#priceField === 'Listed' ? 'Price' : this.#oldField === 'Listed' ? OLD_COLUMN : undefined
    return COMPARED.has(role) ? undefined : super.fieldOf(role)
  }

  /** `_Allow` and `_Old` are written back like the seller's own columns, and so is what stands for them. */
  protected override extraColumns(): number[] {
    const [extras, old] = [super.extraColumns(), this.indexOf(this.#oldField)]
    return this.#oldField !== OLD_COLUMN && old >= 0 ? [...extras, old].sort((one, other) => one - other) : extras
  }

  get #id(): number {
    const id = this.indexOf('Id')
    return id < 0 ? this.indexOf('Number') : id
  }

  get #priceField(): PriceField {
    return this.indexOf('Price') < 0 && this.indexOf('Listed') >= 0 ? 'Listed' : 'Price'
  }

  /** A list that is used as input has its own price column. Next to a new price, it is what the seller saw. */
  get #oldField(): PriceField {
    if (this.indexOf(OLD_COLUMN) >= 0 || this.indexOf('Price') < 0) return OLD_COLUMN
    // "Old price" of a shop system is struck through; beside a new price, as in a plan, it is what is live.
    if (this.indexOf('Before') >= 0 && OWN_PRICES.has(plainName(this.#nameOf('Price')))) return 'Before'
    return this.indexOf('Listed') >= 0 ? 'Listed' : OLD_COLUMN
  }

  override get notes(): string[] {
    const price = this.#nameOf(this.#priceField)
    const renamed = this.#readsPrices && !['', 'price', 'pris'].includes(price.trim().toLowerCase())
    const rows = this.#otherTypes
    const skippedNote = `${countOf(rows, 'row')} ${rows === 1 ? 'is not a shop item and was' : 'are not shop items and were'} skipped.`
    return [
      ...this.inputNotes,
      ...(renamed ? [`Prices are read from the column "${price}".`] : []),
      ...(this.#readsPrices && this.chosen?.net === true ? [NET_NOTE] : []),
      ...this.leftNote(this.#priceField),
      ...(rows > 0 ? [skippedNote] : []),
      ...otherColumnsNote(this.unread),
    ]
  }

  #nameOf(field: PriceField): string {
    return this.columns[this.indexOf(field)] ?? ''
  }
}

/** Names of a price beside which an old one is the price before. */
const OWN_PRICES: ReadonlySet<string> = new Set(['newprice', 'nyttpris', 'nypris', 'nyapriset', 'prisny'])

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
