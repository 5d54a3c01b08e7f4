/** Reads the input of shop:price: a file or stdin of rows, or arguments such as `1001=499`. */
import { countOf } from '../contract/numbers.js'
import { unguardedText } from '../workbook/index.js'
import { FaultList } from './faults.js'
import { ALLOW_COLUMN, type InputFields, OLD_COLUMN, ORDERS, PRICES, type PriceField, RELISTS, REMOVALS } from './fields.js'
import { ItemReader, isBlank, itemArguments } from './item-rows.js'
import { literalOf } from './json.js'
import { otherColumnsNote } from './notes.js'
import { readPrice, readPriceValue } from './number.js'
import { PriceRows } from './price-rows.js'
import { readRows } from './rows.js'
import type { InputForm, Source } from './types.js'

/** The ItemType whose prices are set here. Rows of a list with another type are skipped. */
const SHOP_ITEM = 'ShopItem'
/** What stands beside prices is compared, and does not come back. */
const COMPARED: ReadonlySet<PriceField> = new Set(['Title', 'Category', 'Remaining', 'Type'])

/**
 * Reads price rows: columns for the item (an id, or an own reference) and its price, with the names in fields.ts, and any
 * that begin with `_`. Other columns are skipped and noted. A million rows take 20 MB.
 * @throws InputRefused with everything that is wrong, at most 50 faults shown
 */
export async function readPriceRows(source: Source, sheet?: string): Promise<PriceRows> {
  const reader = new PriceReader(PRICES)
  const form = await readRows(source, reader, { sheet })
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
  const form = await readRows(source, reader, { sheet })
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
  /** Rows of a list that are auctions and the like. */
  #otherTypes = 0
  #extras: readonly number[] = []

  constructor(input: InputFields<PriceField>) {
    super(input)
    this.#priced = input === PRICES
  }

  override column(name: string, line: number): void {
    super.column(name, line)
    this.#extras = this.extras
  }

  override columnsKnown(): void {
    super.columnsKnown()
    const price = this.indexOf(this.#priceField)
    const id = this.#id
    if (id < 0 || price < 0) return
    this.pair = (first, second, line) => (id < price ? this.#plain(line, first, second) : this.#plain(line, second, first))
  }

  override oddLength(cells: readonly string[]): string | undefined {
    const at = this.indexOf(this.#priceField)
    const { length } = this.columns
    const [kronor = '', rest = ''] = [cells[at], cells[at + 1]]
    if (!this.#priced || cells.length !== length + 1 || !/^\d+$/.test(kronor) || !/^\d{1,2}$/.test(rest)) return undefined
    return `has ${cells.length} cells where the first line names ${length}: the decimal comma of "${kronor},${rest}" was taken for a delimiter; prices are whole kronor`
  }

  row(line: number, values: readonly unknown[], raw: string | undefined): void {
    const type = cellText(this.value('Type', values))?.trim()
    if (type !== undefined && type !== SHOP_ITEM) {
      this.#otherTypes++
      return
    }
    const field = this.#priceField
    const none = isNothing(this.value(field, values))
    // In a list that is used as input, an item without a price has none to set.
    if (this.#priced && field === 'Listed' && none) return
    const price = this.#priced || !none ? this.number(field, line, values, raw, readPriceValue) : 0
    const named = this.item(line, values, raw)
    const allow = this.#beside(ALLOW_COLUMN, 'the exact price that may pass', line, values, raw)
    const expected = this.#beside(this.#oldField, 'the price that the item has now', line, values, raw)
    this.unnamed(line, values)
    if (price === undefined || named === undefined) return
    const extra = this.#extras.length === 0 ? undefined : this.#extras.map((column) => values[column] ?? null)
    const title = cellText(this.value('Title', values))
    const category = wholeOf(this.value('Category', values))
    const remaining = wholeOf(this.value('Remaining', values))
    const twin = this.#rows.add({ line, ...named, price, allow, expected, title, category, remaining, extra })
    if (twin >= 0) this.twinFault(line, named, this.#rows.line(twin))
  }

  /** @throws InputRefused */
  end(form: InputForm): PriceRows {
    this.faults.refuse()
    this.#rows.form = this.formOf(form)
    this.#rows.numbered = this.numbered
    this.#rows.notes = this.notes
    if (this.indexOf(OLD_COLUMN) >= 0) this.#rows.oldColumn = this.#nameOf(OLD_COLUMN)
    if (this.encoding === 'Windows-1252') this.#rows.lossyTitles = true
    return this.#rows
  }

  /** A list's own price is the price, or beside a new one what the seller saw. */
  protected override fieldOf(role: PriceField): string | undefined {
    if (role === 'Listed') return this.#priceField === 'Listed' ? 'Price' : this.#oldField === 'Listed' ? OLD_COLUMN : undefined
    return COMPARED.has(role) ? undefined : super.fieldOf(role)
  }

  /** `_Allow` and `_Old` are written back like the seller's own columns, and so is what stands for them. */
  override get extras(): number[] {
    const old = this.indexOf('Listed')
    return this.#oldField === 'Listed' && old >= 0 ? [...super.extras, old].sort((one, other) => one - other) : super.extras
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
    return this.indexOf(OLD_COLUMN) < 0 && this.indexOf('Price') >= 0 ? 'Listed' : OLD_COLUMN
  }

  override get notes(): string[] {
    const price = this.#nameOf(this.#priceField)
    const renamed = this.#priced && !['', 'price', 'pris'].includes(price.trim().toLowerCase())
    const rows = this.#otherTypes
    const skipped = `${countOf(rows, 'row')} ${rows === 1 ? 'is not a shop item and was' : 'are not shop items and were'} skipped.`
    return [
      ...this.inputNotes,
      ...(renamed ? [`Prices are read from the column "${price}".`] : []),
      ...(rows > 0 ? [skipped] : []),
      ...otherColumnsNote(this.unread),
    ]
  }

  #plain(line: number, id: number, price: number): void {
    const twin = this.#rows.addPlain(line, id, price)
    if (twin >= 0) this.twinFault(line, { id, reference: undefined }, this.#rows.line(twin))
  }

  /** The price in a column beside the new one; undefined if the cell is empty. */
  #beside(
    field: PriceField,
    holds: string,
    line: number,
    values: readonly unknown[],
    raw: string | undefined,
  ): number | undefined {
    const value = this.value(field, values)
    if (isBlank(value)) return undefined
    const name = this.#nameOf(field)
    const read = readPriceValue(value, literalOf(raw, name))
    if ('value' in read) return read.value
    this.faults.add(line, name, value, `${read.why}; it holds ${holds}`)
    return undefined
  }

  #nameOf(field: PriceField): string {
    return this.columns[this.indexOf(field)] ?? ''
  }
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
