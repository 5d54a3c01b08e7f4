/**
 * Reads OpenDocument spreadsheets (.ods) row by row, within the same bounds as .xlsx (OpenDocument 1.3, part 3, 9.1 and 19.385
 * on). All sheets stand in one part, which is read again for each question: nothing of it is kept.
 */
import type { OnRow, SheetEntry } from './book.js'
import { WorkbookError } from './errors.js'
import { shownAs } from './formats.js'
import { isFormulaError, SOME_ERROR } from './formula-errors.js'
import { guardedEqual } from './formulas.js'
import { FORMULA, MAX_COLUMNS, MAX_PART_BYTES, MAX_ROW_TEXT, MAX_ROWS, MAX_SHEET_BYTES, MAX_SHEET_TEXT } from './limits.js'
import { type Attributes, type XmlHandler, XmlReader } from './xml.js'
import type { Parts } from './zip.js'

/** The part that holds all sheets, and by which such a file is known. */
export const CONTENT = 'content.xml'
const MANIFEST = 'META-INF/manifest.xml'

/** Elements inside sheets and cells that are not cells: notes, drawings, tracked changes. */
const ASIDE: ReadonlySet<string> = new Set([
  'annotation',
  'shapes',
  'frame',
  'custom-shape',
  'tracked-changes',
  'dde-links',
  'forms',
])

export class OpenDocument {
  readonly sheets: readonly SheetEntry[]
  readonly #parts: Parts

  /** Use `open`. */
  constructor(parts: Parts, sheets: readonly SheetEntry[]) {
    this.#parts = parts
    this.sheets = sheets
  }

  /** @throws {WorkbookError} it is a document of another kind, has a password, or is damaged */
  static async open(parts: Parts): Promise<OpenDocument> {
    const manifest = parts.has(MANIFEST) ? await parts.whole(MANIFEST, MAX_PART_BYTES) : ''
    if (/<(?:\w+:)?encryption-data\b/.test(manifest))
      throw new WorkbookError('The spreadsheet has a password. Save it without one, or as CSV, and try again.')
    const list = new SheetList()
    await readContent(parts, list)
    if (list.sheets.length === 0)
      throw new WorkbookError(
        'The input is an OpenDocument file without sheets. Give a spreadsheet (.ods or .xlsx) or a CSV file.',
      )
    return new OpenDocument(parts, list.sheets)
  }

  /** True if any cell of the sheet holds something. */
  async isEmpty(sheet: SheetEntry): Promise<boolean> {
    let empty = true
    await readContent(
      this.#parts,
      this.#rowsOf(sheet, () => (empty = false)),
      () => !empty,
    )
    return empty
  }

  /**
   * Hands on every row that is not empty.
   * @throws {WorkbookError} the sheet is damaged or too large
   */
  async rows(sheet: SheetEntry, onRow: OnRow): Promise<void> {
    await readContent(this.#parts, this.#rowsOf(sheet, onRow))
  }

  #rowsOf(sheet: SheetEntry, onRow: OnRow): SheetRows {
    return new SheetRows(this.sheets.indexOf(sheet), onRow)
  }
}

/** @param enough true once the rest need not be read */
async function readContent(parts: Parts, handler: XmlHandler, enough?: () => boolean): Promise<void> {
  const reader = new XmlReader(CONTENT, handler)
  for await (const piece of parts.text(CONTENT, MAX_SHEET_BYTES)) {
    reader.write(piece)
    if (enough?.() === true) return
  }
  reader.end()
}

class SheetList implements XmlHandler {
  readonly sheets: SheetEntry[] = []
  /** Styles of tables that are not shown. */
  readonly #hiddenStyles = new Set<string>()
  #style = ''
  #depth = 0

  open(name: string, attributes: Attributes): void {
    if (name === 'style') this.#style = attributes['style:name'] ?? ''
    if (name === 'table-properties' && attributes['table:display'] === 'false') this.#hiddenStyles.add(this.#style)
    if (this.#depth > 0 || ASIDE.has(name)) this.#depth++
    else if (name === 'table') {
      const hidden = this.#hiddenStyles.has(attributes['table:style-name'] ?? '')
      this.sheets.push({ name: attributes['table:name'] ?? '', hidden, part: CONTENT })
    }
  }

  close(): void {
    if (this.#depth > 0) this.#depth--
  }
}

/** The cells of one sheet. */
class SheetRows implements XmlHandler {
  readonly #wantedSheet: number
  readonly #onRow: OnRow
  #sheet = -1
  #inSheet = false
  /** Depth within what is no cell. */
  #aside = 0
  #row = 0
  #rowRepeats = 1
  #isHidden = false
  #cells = new Map<number, string>()
  #column = 0
  #rowText = 0
  #sheetText = 0
  #cell: Attributes | undefined
  readonly #text = new CellText()

  /** @param wanted place of the sheet */
  constructor(wanted: number, onRow: OnRow) {
    this.#wantedSheet = wanted
    this.#onRow = onRow
  }

  open(name: string, attributes: Attributes): void {
    if (this.#aside > 0 || ASIDE.has(name)) {
      this.#aside++
      return
    }
    if (name === 'table') this.#inSheet = ++this.#sheet === this.#wantedSheet
    if (!this.#inSheet) return
    if (name === 'table-row') this.#openRow(attributes)
    else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#cell = attributes
      this.#text.clear()
    } else if (this.#cell !== undefined) this.#text.open(name, attributes)
  }

  text(piece: string): void {
    if (this.#aside === 0 && this.#cell !== undefined) this.#text.text(piece)
  }

  close(name: string): void {
    if (this.#aside > 0) {
      this.#aside--
      return
    }
    if (!this.#inSheet) return
    if (name === 'table') this.#inSheet = false
    else if (name === 'table-row') this.#closeRow()
    // A merged cell hides the cells that it covers.
    else if (name === 'table-cell') this.#closeCell(true)
    else if (name === 'covered-table-cell') this.#closeCell(false)
    else if (name === 'p') this.#text.closeParagraph()
  }

  #openRow(attributes: Attributes): void {
    this.#rowRepeats = repeats(attributes['table:number-rows-repeated'])
    const visibility = attributes['table:visibility']
    this.#isHidden = visibility === 'collapse' || visibility === 'filter'
    this.#cells = new Map()
    this.#column = 0
    this.#rowText = 0
  }

  #closeCell(shown: boolean): void {
    const cell = this.#cell ?? {}
    this.#cell = undefined
    const count = repeats(cell['table:number-columns-repeated'])
    const text = shown ? cellValue(cell, this.#text.take()) : ''
    if (text !== '') {
      if (this.#column + count > MAX_COLUMNS) throw new WorkbookError(`has a cell beyond column ${MAX_COLUMNS}`, this.#row + 1)
      this.#rowText += text.length * count
      if (this.#rowText > MAX_ROW_TEXT) throw new WorkbookError(`has more than ${MAX_ROW_TEXT} characters`, this.#row + 1)
      for (let at = 0; at < count; at++) this.#cells.set(this.#column + at, text)
    }
    this.#column += count
  }

  #closeRow(): void {
    const first = this.#row + 1
    this.#row += this.#rowRepeats
    if (this.#cells.size === 0) return
    if (this.#row > MAX_ROWS) throw new WorkbookError(`The sheet has a row ${this.#row}; a sheet has ${MAX_ROWS} rows.`)
    this.#sheetText += this.#rowText * this.#rowRepeats
    if (this.#sheetText > MAX_SHEET_TEXT)
      throw new WorkbookError(`The cells of the sheet have more than ${MAX_SHEET_TEXT} characters together.`)
    for (let row = first; row <= this.#row; row++) this.#onRow(row, this.#cells, this.#isHidden)
  }
}

/** Text of the paragraphs of a cell. Spaces in a row count once; more of them stand as elements (19.756, 6.1.2). */
class CellText {
  #text = ''
  #paragraphs = 0
  #inParagraph = false
  /** True if a space that follows counts for nothing. */
  #spaced = true

  clear(): void {
    this.#text = ''
    this.#paragraphs = 0
  }

  take(): string {
    return this.#text
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'p') {
      if (this.#paragraphs++ > 0) this.#text += '\n'
      this.#inParagraph = true
      this.#spaced = true
    } else if (name === 's') this.#add(' '.repeat(repeats(attributes['text:c'])))
    else if (name === 'tab') this.#add('\t')
    else if (name === 'line-break') this.#add('\n')
  }

  text(piece: string): void {
    if (!this.#inParagraph) return
    const folded = piece.replace(/[ \t\r\n]+/g, ' ')
    const rest = this.#spaced && folded.startsWith(' ') ? folded.slice(1) : folded
    if (rest === '') return
    this.#add(rest)
    this.#spaced = rest.endsWith(' ')
  }

  closeParagraph(): void {
    this.#inParagraph = false
  }

  #add(text: string): void {
    if (this.#text.length + text.length > MAX_ROW_TEXT)
      throw new WorkbookError(`A cell has more than ${MAX_ROW_TEXT} characters.`)
    this.#text += text
    this.#spaced = false
  }
}

/** A count of repeats; 1 where none is given. */
function repeats(text: string | undefined): number {
  const count = Number(text ?? 1)
  return Number.isSafeInteger(count) && count > 0 && count <= MAX_ROWS ? count : 1
}

/**
 * The value of a cell in the form that cells of .xlsx have: `499`, `25 %`, `19.9 EUR`, `2026-11-30`.
 * @param shown as the program showed it
 */
function cellValue(cell: Attributes, shown: string): string {
  const number = Number(cell['office:value'])
  const plain = Number.isSafeInteger(number) ? String(number) : String(Number(number.toPrecision(15)))
  switch (cell['office:value-type']) {
    case 'float':
      if (!Number.isFinite(number)) return shown
      // A format such as 000000 is how the digits of an article number are kept.
      return /^0\d+$/.test(shown) && Number(shown) === number ? shown : plain
    case 'percentage':
      return shownAs(number, plain, { kind: 'percent' })
    case 'currency': {
      const unit = cell['office:currency'] ?? /[$€£¥]/.exec(shown)?.[0] ?? 'SEK'
      return unit === 'SEK' ? plain : shownAs(number, plain, { kind: 'currency', unit })
    }
    case 'date':
      return (cell['office:date-value'] ?? shown).replace(/\.\d+$/, '').replace(/T00:00:00$/, '')
    case 'time':
      return parseTime(cell['office:time-value'] ?? '') ?? shown
    case 'boolean':
      return cell['office:boolean-value'] ?? shown
    case 'string':
      if (cell['calcext:value-type'] === 'error') return isFormulaError(shown) ? shown : SOME_ERROR
      return guardedEqual(shown === '' ? (cell['office:string-value'] ?? '') : shown)
    default: {
      const { 'table:formula': formula } = cell
      return formula === undefined || shown !== '' ? shown : `${FORMULA}${formula.replace(/^(?:of|oooc|msoxl):?=?/, '')}`
    }
  }
}

/** `PT06H30M00S` as `06:30:00`. */
function parseTime(duration: string): string | undefined {
  const [, hours, minutes, seconds] = /^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/.exec(duration) ?? []
  return hours === undefined ? undefined : [hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':')
}
