/**
 * Writes a list as an .xlsx workbook of one sheet, row by row: a million rows take no more memory than a thousand. By hand on
 * yazl (archive), for libraries build the whole sheet in memory (docs/decisions.md, Rows and prices). Texts are texts, whatever
 * they begin with: never a formula.
 */
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { ZipFile } from 'yazl'
import { serialOf } from './dates.js'
import { WorkbookError } from './errors.js'
import { MAX_CELL_TEXT, MAX_ROWS } from './limits.js'
import { columnName, STYLE, sheetEnd, sheetHead, textXml, workbookParts } from './parts.js'

/** `id`: a number that is a name, kept as text: no program shows it as 6.00001E+08 or drops its zeros. */
export type CellKind = 'text' | 'id' | 'number' | 'kronor' | 'date' | 'boolean'

export interface SheetColumn {
  readonly header: string
  readonly kind: CellKind
}

/** Value of a cell; a date is text without a zone, `2026-11-30T18:00:00`. */
export type CellValue = string | number | boolean | null | undefined

export interface SheetOptions {
  /** The name of the sheet. */
  readonly name: string
  readonly columns: readonly SheetColumn[]
  /** True if the first row names the columns; true by default. */
  readonly header?: boolean | undefined
  /** Takes the bytes as they are made; what it returns is waited for. */
  readonly write: (bytes: Uint8Array) => void | Promise<void>
}

/** Rows whose texts decide how wide columns are. */
const MEASURED_ROWS = 100
/** Characters of XML gathered before they are packed. */
const PIECE = 64 * 1024
/** The time of every part, so that the same rows are the same bytes. */
const PART_TIME = new Date(1980, 0, 1)

export class SheetWriter {
  readonly #options: SheetOptions
  readonly #columns: readonly (SheetColumn & { readonly name: string })[]
  readonly #zip = new ZipFile()
  readonly #xml = new PassThrough()
  readonly #writing: Promise<void>
  #text = ''
  #rows = 0
  #cutCells = 0
  /** The first rows, until there are enough to measure. */
  #first: (readonly CellValue[])[] | undefined = []

  constructor(options: SheetOptions) {
    this.#options = options
    this.#columns = options.columns.map((column, index) => ({ ...column, name: columnName(index) }))
    for (const [name, text] of workbookParts(options.name)) this.#zip.addBuffer(Buffer.from(text), name, { mtime: PART_TIME })
    this.#zip.addReadStream(this.#xml, 'xl/worksheets/sheet1.xml', { mtime: PART_TIME })
    this.#zip.end()
    this.#writing = this.#pump()
    // A caller gets the error when more is written than fits, or at the end; until then no one listens.
    this.#writing.catch(() => {})
  }

  /** Adds a row. @throws {WorkbookError} a sheet has no more rows */
  async add(values: readonly CellValue[]): Promise<void> {
    if (this.#first !== undefined) {
      this.#first.push(values)
      if (this.#first.length === MEASURED_ROWS) this.#begin(this.#first)
    } else this.#row(values)
    if (this.#text.length >= PIECE) await this.#flush()
  }

  /** @returns how many texts were cut, because a cell has a limit */
  async end(): Promise<{ readonly cut: number }> {
    if (this.#first !== undefined) this.#begin(this.#first)
    this.#text += sheetEnd(this.#columns.filter(({ kind }) => kind === 'id').map(({ name }) => name))
    await this.#flush()
    this.#xml.end()
    await this.#writing
    return { cut: this.#cutCells }
  }

  async #pump(): Promise<void> {
    for await (const bytes of this.#zip.outputStream) await this.#options.write(bytes as Buffer)
  }

  async #flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    if (!this.#xml.write(text)) await Promise.race([once(this.#xml, 'drain'), this.#writing])
  }

  #begin(first: readonly (readonly CellValue[])[]): void {
    const { header = true } = this.#options
    this.#first = undefined
    this.#text += sheetHead(widths(this.#columns, first), header)
    if (header) {
      const cells = this.#columns.map((column) => textCell(`${column.name}1`, column.header, STYLE.header))
      this.#rows++
      this.#text += `<row r="1">${cells.join('')}</row>`
    }
    for (const values of first) this.#row(values)
  }

  #row(values: readonly CellValue[]): void {
    const row = ++this.#rows
    if (row > MAX_ROWS) throw new WorkbookError(`A sheet holds ${MAX_ROWS} rows, and there are more.`)
    let cells = ''
    for (const [index, { name, kind }] of this.#columns.entries()) {
      const value = values[index] ?? ''
      if (value !== '') cells += this.#cell(`${name}${row}`, kind, value)
    }
    this.#text += `<row r="${row}">${cells}</row>`
  }

  #cell(at: string, kind: CellKind, value: string | number | boolean): string {
    if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`
    if (kind !== 'id' && isExact(value)) {
      const style = kind === 'kronor' ? (Number.isInteger(value) ? STYLE.kronor : STYLE.ore) : STYLE.plain
      return `<c r="${at}"${styled(style)}><v>${value}</v></c>`
    }
    const serial = kind === 'date' ? serialOf(String(value)) : undefined
    if (serial !== undefined) return `<c r="${at}"${styled(STYLE.date)}><v>${serial}</v></c>`
    let text = String(value)
    if (text.length > MAX_CELL_TEXT) {
      this.#cutCells++
      text = `${text.slice(0, MAX_CELL_TEXT - 1)}…`
    }
    return textCell(at, text, kind === 'id' ? STYLE.text : STYLE.plain)
  }
}

/** Numbers of a sheet have 15 digits; what needs more stays text. */
function isExact(value: string | number): value is number {
  return Number.isFinite(value) && (!Number.isInteger(value) || Math.abs(Number(value)) < 1e15)
}

function textCell(at: string, text: string, style: number): string {
  return `<c r="${at}"${styled(style)} t="inlineStr"><is><t xml:space="preserve">${textXml(text)}</t></is></c>`
}

function styled(style: number): string {
  return style === STYLE.plain ? '' : ` s="${style}"`
}

/** Characters a column shows: its longest text of the first rows, within reason. */
function widths(columns: readonly SheetColumn[], rows: readonly (readonly CellValue[])[]): number[] {
  return columns.map(({ header, kind }, index) => {
    const longest = rows.reduce((most, values) => Math.max(most, String(values[index] ?? '').length), 0)
    const shown = kind === 'date' ? 16 : kind === 'kronor' ? longest + 5 : longest
    return Math.min(60, Math.max(8, header.length, shown) + 2)
  })
}
