/**
 * Rows of a workbook (.xlsx or .ods), under the names of its first row. The library of workbooks is loaded by whoever has one.
 */

import { thousands } from '../contract/numbers.js'
import { someOf } from '../contract/some-of.js'
import type { SheetEntry } from '../workbook/book.js'
import { WorkbookError } from '../workbook/index.js'
import { MAX_FILE_BYTES } from '../workbook/limits.js'
import { columnName } from '../workbook/parts.js'
import { openSheets, type Sheets, tooLarge } from '../workbook/read.js'
import { bytesOf, inputRefused } from './bytes.js'
import { type LayoutAnswers, samePlace } from './columns.js'
import { type RowReader, withoutReasons } from './row-reader.js'
import { Table } from './table.js'
import type { InputForm, Source } from './types.js'

/**
 * Reads the rows of a sheet.
 * @param options `sheet`: its name; by default the only one with rows
 * @throws InputRefused: no such sheet, several with rows, or a file that cannot be read
 */
export async function readSheet(
  source: Source,
  reader: RowReader<string>,
  { sheet: wanted, answers }: { readonly sheet?: string | undefined; readonly answers?: LayoutAnswers | undefined } = {},
): Promise<InputForm> {
  reader.faults.sheet = true
  try {
    const workbook = await openSheets(await gathered(source))
    const rows = new SheetRows(reader, answers)
    const sheet = await chooseSheet(workbook, wanted)
    await rows.table.reading(workbook.rows(sheet, (row, cells, hidden) => rows.table.feed(denseCells(cells), row, hidden)))
    if (rows.columns === undefined) throw inputRefused('The sheet is empty: not even column names are in it.')
    if (rows.hidden > 0) reader.noted.push(hiddenNote(rows.hidden))
    return { kind: 'xlsx', columns: withoutReasons(rows.columns) }
  } catch (error) {
    throw error instanceof WorkbookError ? inputRefused(error.message, error.row) : error
  }
}

async function gathered(source: Source): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of source) {
    const bytes = bytesOf(piece)
    size += bytes.length
    if (size > MAX_FILE_BYTES) throw tooLarge()
    pieces.push(bytes)
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
}

/**
 * The sheet with that name, or the only one with rows that is not hidden: prices of the wrong sheet would be wrong prices on
 * sale.
 */
async function chooseSheet(workbook: Sheets, sheetName: string | undefined): Promise<SheetEntry> {
  const { sheets } = workbook
  if (sheetName !== undefined) {
    const sheet = sheets.find(({ name }) => name === sheetName) ?? sheets.find(({ name }) => samePlace(name, sheetName))
    if (sheet !== undefined) return sheet
    throw inputRefused(`The workbook has no sheet "${sheetName}"; it has ${sheetNames(sheets)}.`)
  }
  const visible = sheets.filter(({ hidden }) => !hidden)
  const full: SheetEntry[] = []
  for (const sheet of visible) if (visible.length === 1 || !(await workbook.isEmpty(sheet))) full.push(sheet)
  const [only, another] = full
  if (another !== undefined)
    throw inputRefused(`The workbook has several sheets with rows: ${sheetNames(full)}. Name one with --sheet.`)
  if (only === undefined) throw inputRefused(`The workbook has no sheet with rows; it has ${sheetNames(sheets)}.`)
  return only
}

/** Sheets named in a message; more are counted. */
const NAMED = 8

function sheetNames(sheets: readonly SheetEntry[]): string {
  const names = sheets.map(({ name }) => `"${name}"`)
  return someOf(names, NAMED)
}

/** A person who filtered a sheet may mean the rows that are shown. */
function hiddenNote(rows: number): string {
  const what = rows === 1 ? 'row of the sheet is hidden and was' : 'rows of the sheet are hidden and were'
  return `${thousands(rows)} ${what} read too, as if no filter were set.`
}

/** The cells of a row up to the last that has something. */
function denseCells(cells: ReadonlyMap<number, string>): string[] {
  const dense: string[] = []
  for (const [column, text] of cells) {
    while (dense.length < column) dense.push('')
    dense[column] = text
  }
  return dense
}

/** Rows of a sheet under the names of its columns. */
class SheetRows {
  /** The names, in their order. */
  columns: readonly string[] | undefined
  /** Rows with something in them that the sheet does not show. */
  hidden = 0
  readonly table: Table
  readonly #reader: RowReader<string>
  /** Place among the columns that are read, by column of the sheet. */
  readonly #places = new Map<number, number>()

  constructor(reader: RowReader<string>, answers: LayoutAnswers | undefined) {
    this.#reader = reader
    this.table = new Table(reader, answers, {
      head: (cells, line, sample) => this.#head(cells, line, sample),
      row: (cells, line, hidden) => this.#row(cells, line, hidden),
    })
  }

  #row(cells: readonly string[], row: number, hidden: boolean): void {
    // As long as the columns: a CSV has a cell for each too.
    const values: string[] = new Array(this.#places.size).fill('')
    for (const [column, text] of cells.entries())
      if (text.trim() !== '') values[this.#places.get(column) ?? this.#unnamed(column, row)] = text
    if (hidden) this.hidden++
    this.table.pass(values, row)
  }

  #head(cells: readonly string[], row: number, sample: readonly (readonly string[])[]): void {
    const namedCells = [...cells.entries()].filter(([, text]) => text.trim() !== '')
    this.columns = namedCells.map(([, text]) => text.trim())
    for (const [place, [column]] of namedCells.entries()) this.#places.set(column, place)
    this.#reader.head(
      this.columns,
      row,
      sample.map((values) => namedCells.map(([column]) => values[column] ?? '')),
    )
  }

  /**
   * A column that has no name is called by its letter when the first cell of it has something: notes beside a list are common in
   * sheets.
   */
  #unnamed(column: number, row: number): number {
    const place = this.#places.size
    this.#places.set(column, place)
    this.#reader.column(`column ${columnName(column)}`, row)
    return place
  }
}
