/** Workbooks made part by part, for what no library would write. */

import { ZipFile } from 'yazl'
import { openSheets } from '../../src/workbook/read.js'
import { type CellValue, type SheetColumn, type SheetOptions, SheetWriter } from '../../src/workbook/write.js'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A ZIP archive of parts. */
export async function archive(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

const OASIS = ['office', 'table', 'text'].map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
const SPACES = [...OASIS, 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'].join(' ')

/** The content of a spreadsheet of OpenDocument. */
export function contentOf(tables: string): string {
  return `<office:document-content ${SPACES}><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`
}

/** A spreadsheet of OpenDocument with the bare rows. */
export function odsOf(rows: string, parts: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  return archive({ 'content.xml': contentOf(`<table:table table:name="a">${rows}</table:table>`), ...parts })
}

export interface Made {
  /** XML within `<sheetData>` by the name of the sheet. */
  readonly sheets: Readonly<Record<string, string>>
  /** XML within `<sst>`. */
  readonly strings?: string
  /** XML within `<styleSheet>`. */
  readonly styles?: string
  readonly hidden?: readonly string[]
  /** Attributes of `<workbookPr>`. */
  readonly properties?: string
  /** Parts put in the place of those made here. */
  readonly parts?: Readonly<Record<string, string>>
}

/** A workbook of the bare cells. */
export function made({ sheets, strings, styles, hidden = [], properties = '', parts = {} }: Made): Promise<Buffer> {
  const names = Object.keys(sheets)
  const entries = names.map(
    (name, at) =>
      `<sheet name="${name}" sheetId="${at + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
  )
  const relations = names.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  )
  return archive({
    '_rels/.rels': `<Relationships><Relationship Id="0" Type="${OFFICE}/extended-properties" Target="docProps/app.xml"/><Relationship Id="a" Type="${OFFICE}/officeDocument" Target="xl/book.xml"/></Relationships>`,
    'xl/book.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr ${properties}/><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/book.xml.rels': `<Relationships>${relations.join('')}${strings === undefined ? '' : `<Relationship Id="s" Type="${OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/>`}${styles === undefined ? '' : `<Relationship Id="t" Type="${OFFICE}/styles" Target="styles.xml"/>`}</Relationships>`,
    ...Object.fromEntries(
      Object.values(sheets).map((data, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings}</sst>` }),
    ...(styles === undefined ? {} : { 'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>` }),
    ...parts,
  })
}

/** All rows of the first sheet: the row's number and its cells by column. */
export async function rowsOf(bytes: Buffer): Promise<(readonly [row: number, cells: Record<number, string>])[]> {
  const workbook = await openSheets(bytes)
  const rows: (readonly [number, Record<number, string>])[] = []
  const [sheet] = workbook.sheets
  if (sheet === undefined) throw new Error('The workbook has no sheet.')
  await workbook.rows(sheet, (row, cells) => rows.push([row, Object.fromEntries(cells)]))
  return rows
}

/** A workbook as commands write it. */
export async function written(
  columns: readonly SheetColumn[],
  rows: readonly (readonly CellValue[])[],
  options: Partial<SheetOptions> = {},
): Promise<{ readonly bytes: Buffer; readonly cut: number }> {
  const pieces: Uint8Array[] = []
  const sheet = new SheetWriter({ name: 'test', columns, write: (bytes) => void pieces.push(bytes), ...options })
  for (const row of rows) await sheet.add(row)
  const { cut } = await sheet.end()
  return { bytes: Buffer.concat(pieces), cut }
}
