/**
 * Reads workbooks row by row (.xlsx here, .ods in open-document.ts): the shown values of cells, and of formulas the value that
 * was last calculated. Nothing is kept but the table of texts. By hand on yauzl (archive) and saxes (XML), for libraries build
 * the whole sheet in memory and bound nothing (docs/decisions.md, Rows and prices).
 */
import { type Book, type OnRow, readBook, readFormats, type SheetEntry } from './book.js'
import { localOf } from './dates.js'
import { WorkbookError } from './errors.js'
import { type NumberFormat, shownAs } from './formats.js'
import { isFormulaError, SOME_ERROR } from './formula-errors.js'
import { guardedEqual } from './formulas.js'
import {
  FORMULA,
  MAX_COLUMNS,
  MAX_FILE_BYTES,
  MAX_ROW_TEXT,
  MAX_ROWS,
  MAX_SHEET_BYTES,
  MAX_SHEET_TEXT,
  MAX_STRINGS_BYTES,
} from './limits.js'
import { CONTENT, OpenDocument } from './open-document.js'
import { RichText, readStrings, unescaped } from './strings.js'
import { type Attributes, isTrue, XmlReader } from './xml.js'
import { Parts } from './zip.js'

/** Rows of the sheets of a file, whichever program has saved it. */
export interface Sheets {
  readonly sheets: readonly SheetEntry[]
  /** True if any cell of the sheet holds something; reads no further than to the first one. */
  isEmpty(sheet: SheetEntry): Promise<boolean>
  /**
   * Hands on every row that is not empty.
   * @throws {WorkbookError} the sheet is damaged or too large
   */
  rows(sheet: SheetEntry, onRow: OnRow): Promise<void>
}

/** Opens a workbook: .xlsx or .ods. @throws {WorkbookError} it is not a workbook, or is damaged or too large */
export async function openSheets(bytes: Buffer): Promise<Sheets> {
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge()
  const parts = await Parts.open(bytes)
  return parts.has(CONTENT) ? OpenDocument.open(parts) : new Workbook(parts, await readBook(parts))
}

class Workbook implements Sheets {
  readonly #parts: Parts
  readonly #book: Book
  #strings: readonly string[] | undefined
  #formats: readonly (NumberFormat | undefined)[] | undefined

  constructor(parts: Parts, book: Book) {
    this.#parts = parts
    this.#book = book
  }

  get sheets(): readonly SheetEntry[] {
    return this.#book.sheets
  }

  async isEmpty(sheet: SheetEntry): Promise<boolean> {
    let empty = true
    const reader = await this.#reader(() => {
      empty = false
    })
    for await (const piece of this.#parts.text(sheet.part, MAX_SHEET_BYTES)) {
      reader.write(piece)
      if (!empty) return false
    }
    return true
  }

  async rows(sheet: SheetEntry, onRow: OnRow): Promise<void> {
    const reader = await this.#reader(onRow)
    for await (const piece of this.#parts.text(sheet.part, MAX_SHEET_BYTES)) reader.write(piece)
    reader.end()
  }

  async #reader(onRow: OnRow): Promise<XmlReader> {
    const { strings, styles, from1904 } = this.#book
    this.#strings ??= strings === undefined ? [] : await readStrings(this.#parts.text(strings, MAX_STRINGS_BYTES))
    this.#formats ??= await readFormats(this.#parts, styles)
    return new XmlReader('sheet', new SheetHandler(onRow, this.#strings, this.#formats, from1904))
  }
}

/** Error for a workbook that is larger than `MAX_FILE_BYTES`. */
export function tooLarge(): WorkbookError {
  return new WorkbookError(`The workbook is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB. Save the sheet as CSV and try again.`)
}

class SheetHandler {
  readonly #onRow: OnRow
  readonly #strings: readonly string[]
  readonly #formats: readonly (NumberFormat | undefined)[]
  readonly #from1904: boolean
  readonly #rich = new RichText()
  #cells = new Map<number, string>()
  #row = 0
  #isHidden = false
  #column = -1
  #type = ''
  #style = 0
  /** Where text goes: into the value, the formula or the text within the cell. */
  #into: 'value' | 'formula' | 'inline' | undefined
  #value: string | undefined
  #formula: string | undefined
  #rowText = 0
  #sheetText = 0
  #inData = false

  constructor(onRow: OnRow, strings: readonly string[], formats: readonly (NumberFormat | undefined)[], from1904: boolean) {
    this.#onRow = onRow
    this.#strings = strings
    this.#formats = formats
    this.#from1904 = from1904
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'sheetData') this.#inData = true
    if (!this.#inData) return
    if (name === 'row') this.#openRow(attributes)
    else if (name === 'c') this.#openCell(attributes)
    else if (name === 'v') this.#into = 'value'
    else if (name === 'f') {
      this.#into = 'formula'
      this.#formula = ''
    } else if (name === 'is') this.#into = 'inline'
    else this.#rich.open(name)
  }

  text(piece: string): void {
    if (this.#into === 'value') this.#value = (this.#value ?? '') + piece
    else if (this.#into === 'formula') this.#formula = (this.#formula ?? '') + piece
    else if (this.#into === 'inline') this.#rich.text(piece)
  }

  close(name: string): void {
    if (!this.#inData) return
    if (name === 'c') this.#closeCell()
    else if (name === 'row') this.#closeRow()
    else if (name === 'sheetData') this.#inData = false
    else if (name === 'is') {
      this.#into = undefined
      this.#value = this.#rich.take()
    } else if (this.#into === 'inline') this.#rich.close()
    else this.#into = undefined
  }

  #openRow({ r, hidden }: Attributes): void {
    this.#isHidden = isTrue(hidden)
    this.#row = r === undefined ? this.#row + 1 : Number(r)
    if (!Number.isInteger(this.#row) || this.#row < 1 || this.#row > MAX_ROWS)
      throw new WorkbookError(`The sheet names a row "${r ?? this.#row}"; a sheet has ${MAX_ROWS} rows.`)
    this.#cells = new Map()
    this.#rowText = 0
    this.#column = -1
  }

  #openCell({ r, t = 'n', s = '0' }: Attributes): void {
    this.#column = r === undefined ? this.#column + 1 : parseColumn(r)
    if (this.#column < 0 || this.#column >= MAX_COLUMNS)
      throw new WorkbookError(`The sheet names a cell "${r ?? ''}"; a sheet has ${MAX_COLUMNS} columns.`, this.#row)
    this.#type = t
    this.#style = Number(s)
    this.#value = undefined
    this.#formula = undefined
    this.#into = undefined
  }

  #closeCell(): void {
    const text = this.#cellText()
    this.#into = undefined
    if (text === undefined || text === '') return
    this.#rowText += text.length
    this.#sheetText += text.length
    if (this.#rowText > MAX_ROW_TEXT) throw new WorkbookError(`has more than ${MAX_ROW_TEXT} characters`, this.#row)
    if (this.#sheetText > MAX_SHEET_TEXT)
      throw new WorkbookError(`The cells of the sheet have more than ${MAX_SHEET_TEXT} characters together.`)
    this.#cells.set(this.#column, text)
  }

  #cellText(): string | undefined {
    const value = this.#value
    if (value === undefined) return this.#formula === undefined ? undefined : `${FORMULA}${this.#formula}`
    switch (this.#type) {
      case 's':
        return guardedEqual(this.#text(value))
      case 'b':
        return String(Number(value) === 1)
      case 'n':
        return this.#number(value.trim())
      case 'str':
        return guardedEqual(unescaped(value))
      case 'e':
        return isFormulaError(value) ? value : SOME_ERROR
      default:
        return guardedEqual(value)
    }
  }

  #text(value: string): string {
    const text = this.#strings[Number(value)]
    if (text === undefined)
      throw new WorkbookError(`names the text ${value}, and the workbook has ${this.#strings.length}`, this.#row)
    return text
  }

  #number(text: string): string {
    const number = Number(text)
    if (text === '' || !Number.isFinite(number)) return text
    const format = this.#formats[this.#style]
    if (format?.kind === 'date') return localOf(number, this.#from1904) ?? String(number)
    // 15 digits are what a sheet shows: 149.00000000000003 is the 149 that a formula came to.
    const plain = Number.isSafeInteger(number) ? String(number) : String(Number(number.toPrecision(15)))
    return format === undefined ? plain : shownAs(number, plain, format)
  }

  #closeRow(): void {
    if (this.#cells.size > 0) this.#onRow(this.#row, this.#cells, this.#isHidden)
  }
}

/** `AB12` -> 27; -1 for what names no column. */
function parseColumn(cell: string): number {
  let column = 0
  for (const character of /^\$?([A-Z]{1,3})/.exec(cell.toUpperCase())?.[1] ?? '')
    column = column * 26 + character.charCodeAt(0) - 64
  return column - 1
}
