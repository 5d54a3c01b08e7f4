/**
 * Rows of a table, CSV or a sheet, on their way to their reader: finds the names of the columns, shows the first rows to whoever
 * chooses among them, and leaves out rows that are no items.
 */
import { countOf, foreignUnit } from '../contract/numbers.js'
import { isFormulaError } from '../workbook/formula-errors.js'
import { isFormula } from '../workbook/index.js'
import { readColumnName } from './column-names.js'
import { type LayoutAnswers, placeChoice, proposal } from './columns.js'
import { FIELDS, PARENT_TYPES, plainName, ROW_TYPES, SHOP_VIEWS, VARIANT_TABLES } from './fields.js'
import { isSum } from './notes.js'
import { NO_VALUE } from './number.js'
import { Places, sumOfStock } from './places.js'
import type { Skipped } from './row-commands.js'
import type { RowReader } from './row-reader.js'

/** The names of the columns stand in one of so many lines. */
const HEAD_LINES = 12
/** Rows that are looked at before columns are chosen. */
const SAMPLE = 200

/** Handling of the parts of a table. */
interface Parts {
  /** @param sample cells of the first rows */
  head(cells: readonly string[], line: number, sample: readonly (readonly string[])[]): void
  row(cells: readonly string[], line: number, hidden: boolean): void
}

interface Fed {
  readonly cells: readonly string[]
  readonly line: number
  readonly hidden: boolean
}

export class Table {
  readonly #reader: RowReader<string>
  readonly #answers: LayoutAnswers | undefined
  readonly #parts: Parts
  /** Rows that wait until the columns are chosen; undefined from then on. */
  #waitingRows: Fed[] | undefined = []
  /** Place of the names among the rows that wait. */
  #headAt = -1
  #sales = 0
  /** The sign between thousands, by column. */
  readonly #thousands = new Map<number, string>()
  /** Rows of several places; undefined for a table without such a column. */
  #places: Places | undefined
  #look: ((cells: readonly unknown[], line: number) => Skipped | undefined) | undefined

  constructor(reader: RowReader<string>, answers: LayoutAnswers | undefined, parts: Parts) {
    this.#reader = reader
    this.#answers = answers
    this.#parts = parts
  }

  /** True once the columns are chosen. */
  get hasBegun(): boolean {
    return this.#waitingRows === undefined
  }

  /** Takes a row that may be blank. */
  feed(cells: readonly string[], line: number, hidden = false): void {
    if (isBlank(cells)) return
    const waitingRows = this.#waitingRows
    if (waitingRows === undefined) {
      this.#parts.row(cells, line, hidden)
      return
    }
    waitingRows.push({ cells, line, hidden })
    if (this.#headAt < 0 && this.#isHead(cells, waitingRows.length === 1)) this.#headAt = waitingRows.length - 1
    if (this.#headAt < 0 ? waitingRows.length === HEAD_LINES : waitingRows.length - this.#headAt > SAMPLE) this.#begin()
  }

  /** Waits for the end of the reading; what was read before it failed is judged first. */
  async reading(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#begin()
      throw error
    }
    this.#begin()
    this.#end()
  }

  /**
   * Passes a row on to the reader, unless it is no item. Looks at its currency and at prices of a sale too.
   * @param cells under its columns
   */
  pass(cells: readonly string[], line: number): void {
    const why = this.#look?.(cells, line)
    if (why !== undefined) {
      this.#reader.skip(why)
      return
    }
    if (this.#refuses(cells, line)) return
    const row = this.#thousands.size === 0 ? cells : this.#withoutThousands(cells)
    if (this.#places?.passes(row, line) !== false) this.#hand(row, line)
  }

  /** Hands a row to the reader, with the sums of columns that are added up. */
  #hand(cells: readonly string[], line: number): void {
    const addends = this.#reader.chosen?.added
    const row =
      addends === undefined || addends.size === 0
        ? cells
        : cells.map((cell, at) =>
            sumOfStock(
              (addends.get(at) ?? [at]).map((place) => cells[place] ?? ''),
              cell,
            ),
          )
    this.#reader.row(line, row, undefined)
  }

  /**
   * Refuses a row with a failed or uncalculated formula in a column that is read: its word would become a title, or an empty
   * number.
   */
  #refuses(cells: readonly string[], line: number): boolean {
    const { faults, columns, roles } = this.#reader
    let refused = false
    for (const [at, cell] of cells.entries()) {
      if (!MAY_BE_FORMULA.test(cell) || !isRead(roles[at])) continue
      const why = isFormulaError(cell) ? FORMULA_FAULT : isFormula(cell) ? NO_VALUE : undefined
      if (why === undefined) continue
      faults.add(line, columns[at] ?? null, cell, why)
      refused = true
    }
    return refused
  }

  #withoutThousands(cells: readonly string[]): string[] {
    return cells.map((cell, at) => {
      const sign = this.#thousands.get(at)
      return sign === undefined || !/^\D*\d{1,3}([.,]\d{3})+(?!\d)/.test(cell) ? cell : cell.replaceAll(sign, '')
    })
  }

  /** Finds the columns whose cells show which sign stands between thousands: `1.249,00` decides what `1.249` is. */
  #findThousands(): void {
    const { sample, columns } = this.#reader
    for (const [at] of columns.entries()) {
      const signs = new Set(
        sample.flatMap((row) => /\d([.,])\d{3}(?!\1)[.,]\d{1,2}(?!\d)/.exec(String(row[at] ?? ''))?.[1] ?? []),
      )
      const [sign, another] = signs
      if (sign !== undefined && another === undefined) this.#thousands.set(at, sign)
    }
  }

  /** A first line with a name that is known is that of the names, as it always was; below a title two must be. */
  #isHead(cells: readonly string[], first: boolean): boolean {
    return cells.filter((cell) => cell.trim() !== '' && this.#reader.knows(cell)).length >= (first ? 1 : 2)
  }

  #begin(): void {
    const waitingRows = this.#waitingRows
    if (waitingRows === undefined) return
    this.#waitingRows = undefined
    const at = Math.max(0, this.#headAt)
    const head = waitingRows[at]
    if (head === undefined) return
    const names = head.cells.map((cell) => cell.trim())
    if (this.#answers?.forLayout !== undefined) this.#reader.answers = this.#answers.forLayout(names)
    const rows = waitingRows.slice(at + 1)
    if (at > 0)
      this.#reader.noted.push(
        `${countOf(at, 'line')} above the names of the columns (line ${head.line}) ${at === 1 ? 'was' : 'were'} skipped.`,
      )
    this.#parts.head(
      head.cells,
      head.line,
      rows.map(({ cells }) => cells),
    )
    this.#findThousands()
    const { roles, columns, answers, faults } = this.#reader
    this.#places = Places.of(this.#reader, (place) => isRead(roles[place]))
    const place = placeChoice(answers)
    if (place !== undefined && this.#places === undefined && !columns.some((name) => readColumnName(name).place !== undefined))
      faults.add(0, null, undefined, `No column of the file names a place, so that "${place}" is none of its places.`)
    this.#look = rowLook(this.#reader, (count) => {
      this.#sales += count
    })
    for (const { cells, line, hidden } of rows) this.#parts.row(cells, line, hidden)
  }

  #end(): void {
    const { faults, chosen, columns } = this.#reader
    this.#places?.end((cells, line) => this.#hand(cells, line))
    if (this.#sales === 0 || chosen === undefined) return
    const price = columns[this.#reader.roles.indexOf(this.#reader.known.price?.field ?? '')] ?? ''
    const sales = chosen.sales.map((at) => columns[at] ?? '')
    const which = [price, ...sales].map((column) => proposal('Price', column)).join(' or ')
    const [have, prices] = this.#sales === 1 ? ['has', 'a price'] : ['have', 'prices']
    faults.add(
      0,
      null,
      undefined,
      `${countOf(this.#sales, 'row')} ${have} ${prices} of a sale too (${sales.map((name) => `"${name}"`).join(', ')}). Say which price is meant: ${which}`,
    )
  }
}

/** Makes what looks at each row of a table whose columns are chosen. @param onSale called for a row with a price of a sale */
function rowLook(reader: RowReader<string>, onSale: (count: number) => void) {
  const { columns, chosen, currency, faults } = reader
  const plains = columns.map(plainName)
  const references = reader.columnsOf('item')
  const values = reader.columnsOf('price', 'amount', 'stock')
  const hasMoney = reader.columnsOf('price', 'amount').length > 0
  const variants = plains.some((plain) => VARIANT_TABLES.has(plain))
  const type = plains.findIndex((plain) => ROW_TYPES.has(plain))
  const view = plains.findIndex((plain) => SHOP_VIEWS.has(plain))
  const unit = hasMoney ? plains.findIndex((plain) => (FIELDS.Currency.names as readonly string[]).includes(plain)) : -1
  const sales = chosen?.sales ?? []
  const text = (cells: readonly unknown[], at: number) => String(cells[at] ?? '').trim()
  return (cells: readonly unknown[], line: number): Skipped | undefined => {
    const rowKind = reader.commandOf(cells)
    if (rowKind !== undefined) return rowKind
    if (view >= 0 && text(cells, view) !== '') return 'view'
    const hasValues = values.some((at) => text(cells, at) !== '')
    if (type >= 0 && !hasValues && PARENT_TYPES.has(plainName(text(cells, type)))) return 'parent'
    if (references.length > 0 && references.every((at) => text(cells, at) === '')) {
      if (cells.some((_, at) => isSum(text(cells, at)))) return 'sum'
      if (variants) return hasValues ? 'parent' : 'image'
    }
    if (
      references.some((at) => text(cells, at) !== '') &&
      cells.length > 1 &&
      cells.every((_, at) => text(cells, at) === columns[at])
    )
      return 'names'
    if (sales.some((at) => /[1-9]/.test(text(cells, at)))) onSale(1)
    if (unit >= 0) {
      const why = text(cells, unit) === '' ? undefined : foreignUnit(text(cells, unit), currency)
      if (why !== undefined)
        faults.add(line, columns[unit] ?? '', text(cells, unit), `${why}, or leave the prices out with --column Price=`)
    }
    return undefined
  }
}

function isRead(role: string | undefined): boolean {
  return !UNREAD.has(role ?? 'other')
}

/** Roles of columns whose cells are not read, or kept as they are. */
const UNREAD: ReadonlySet<string> = new Set(['other', 'ignored', 'extra'])
const MAY_BE_FORMULA = /^\s*(?:[=#]|\p{L}+:\d)/u
const FORMULA_FAULT = 'is an error of a formula, not a value; correct the formula, or write the value'

/** A row of only delimiters, which spreadsheets leave at the end. */
function isBlank(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false
  return true
}
