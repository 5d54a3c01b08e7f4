/** Structure of a workbook: its sheets, and how it shows numbers. */
import { posix } from 'node:path'
import { WorkbookError } from './errors.js'
import { formatOf, type NumberFormat } from './formats.js'
import { MAX_PART_BYTES } from './limits.js'
import { isTrue, type XmlHandler, XmlReader } from './xml.js'
import type { Parts } from './zip.js'

export interface SheetEntry {
  readonly name: string
  /** Hidden by its author. */
  readonly hidden: boolean
  /** The part that holds its cells. */
  readonly part: string
}

/** The cells of a row that hold something, by column from 0, as text: `499`, `Lamp`, `true`, `2026-11-30`, `#REF!`. */
export type Cells = ReadonlyMap<number, string>

/** @param row from 1 @param hidden by a filter, or by hand */
export type OnRow = (row: number, cells: Cells, hidden: boolean) => void

export interface Book {
  readonly sheets: readonly SheetEntry[]
  /** Dates count from 1904. */
  readonly from1904: boolean
  readonly strings: string | undefined
  readonly styles: string | undefined
}

interface Relation {
  readonly type: string
  readonly target: string
}

/** @throws {WorkbookError} it is not a workbook */
export async function readBook(parts: Parts): Promise<Book> {
  const root = await readRelations(parts, '')
  const workbook = [...root.values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  if (!parts.has(workbook)) throw new WorkbookError(whyNoWorkbook(parts))
  const relations = await readRelations(parts, workbook)
  const sheets: SheetEntry[] = []
  let from1904 = false
  await readPart(parts, workbook, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = isTrue(attributes.date1904)
      // The prefix is bound to one of two namespaces; the attribute is `id` in both.
      const key = Object.keys(attributes).find((attribute) => attribute.endsWith(':id'))
      const relation = relations.get(attributes[key ?? ''] ?? '')
      // No element but that of a sheet has one to a worksheet.
      if (relation?.type !== 'worksheet') return
      sheets.push({ name: attributes.name ?? '', hidden: /hidden/i.test(attributes.state ?? ''), part: relation.target })
    },
  })
  if (sheets.length === 0) throw new WorkbookError('The workbook has no sheet with cells.')
  const partOf = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.target
  return { sheets, from1904, strings: partOf('sharedStrings'), styles: partOf('styles') }
}

/** For each cell format, by its number, what it shows a number as; undefined for a plain number. */
export async function readFormats(parts: Parts, part: string | undefined): Promise<readonly (NumberFormat | undefined)[]> {
  if (part === undefined) return []
  const custom = new Map<number, string>()
  const styles: (NumberFormat | undefined)[] = []
  let inCells = false
  await readPart(parts, part, {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'numFmt') custom.set(Number(numFmtId), formatCode)
      if (name === 'cellXfs') inCells = true
      // Those before are of named styles, and none stand behind (ECMA-376 part 1, 18.8.39).
      if (name === 'xf' && inCells) styles.push(formatOf(Number(numFmtId), custom.get(Number(numFmtId))))
    },
  })
  return styles
}

/**
 * The relations of a part by their ids, those of the whole package for an empty name; the type is the last word of its address.
 */
async function readRelations(parts: Parts, part: string): Promise<ReadonlyMap<string, Relation>> {
  const directory = posix.dirname(part)
  const file = posix.join(directory, '_rels', `${posix.basename(part)}.rels`)
  const relations = new Map<string, Relation>()
  if (!parts.has(file)) return relations
  await readPart(parts, file, {
    // Elements around them have neither id nor type. The target of an external one is no part of this file.
    open(_, { Id = '', Type = '', Target = '', TargetMode }) {
      if (TargetMode === 'External') return
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(directory, Target)
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target })
    },
  })
  return relations
}

async function readPart(parts: Parts, part: string, handler: XmlHandler): Promise<void> {
  const reader = new XmlReader(part, handler)
  for await (const piece of parts.text(part, MAX_PART_BYTES)) reader.write(piece)
  reader.end()
}

/** Other documents are ZIP archives too. */
function whyNoWorkbook(parts: Parts): string {
  const { names } = parts
  if (names.includes('xl/workbook.bin')) return 'The input is a binary workbook (.xlsb). Save it as .xlsx or CSV and try again.'
  if (names.some((name) => name.endsWith('.iwa')))
    return 'The input is a Numbers document. Export it as .xlsx or CSV and try again.'
  return 'The input is a ZIP archive and not a workbook. Give an .xlsx or a CSV file.'
}
