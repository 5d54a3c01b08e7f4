/** Reads rows of any form and passes them on one by one, without keeping them. */
import { StringDecoder } from 'node:string_decoder'
import type { FaultList } from '../faults.js'
import type { InputForm, Source } from '../types.js'
import { type Encoding, open } from './bytes.js'
import { readCsv, sniffDelimiter } from './csv.js'
import { JsonSplitter, oddNumbers, parseValue, repeatedKey } from './json.js'
import type { CsvRows } from './plain-csv.js'
import { REASON_COLUMN } from './roles.js'

export interface RowReader {
  /** Called for each column: for all of a CSV before its rows, for a key of JSON at the first row that has it. */
  column(name: string, line: number): void
  /** Called when all columns of a CSV are known. JSON may bring new ones in any row. */
  columnsKnown(columns: readonly string[]): void
  /**
   * Called for each row, once all its columns are known. Values are in the order of the columns; undefined for a key that a JSON
   * row does not have. `raw` is the row as JSON text if the spelling of its numbers matters.
   */
  row(line: number, values: readonly unknown[], raw: string | undefined): void
  /** Called at the end with the encoding of the input. */
  encoded?(encoding: Encoding): void
  /** Says what may have made a row of a CSV longer or shorter than the first line; undefined if the reader does not know. */
  oddLength?(cells: readonly string[], columns: readonly string[]): string | undefined
  /** Set, once the columns are known, if a row of two plain numbers may be passed on without its text. */
  readonly pair?: (first: number, second: number, line: number) => void
}

/** A form besides CSV and JSON, recognized by its first line. */
export interface OtherForm {
  looksLike(firstLine: string): boolean
  read(chunks: AsyncIterable<Buffer>, reader: RowReader, faults: FaultList): Promise<InputForm>
}

/**
 * Reads a source: CSV with column names in its first line, a JSON array of objects, or objects one after another. Faults are
 * added to the list; those that make all rows meaningless end the reading.
 * @throws InputRefused
 */
export async function readRows(source: Source, reader: RowReader, faults: FaultList, other?: OtherForm): Promise<InputForm> {
  const content = await open(source)
  if (content.kind === 'csv' && other?.looksLike(content.firstLine)) return other.read(content.chunks, reader, faults)
  if (content.kind === 'json') {
    const form = await readJson(content.chunks, reader, faults)
    reader.encoded?.(content.encoding())
    return form
  }
  const delimiter = sniffDelimiter(content.firstLine)
  const rows = new HeadedRows(reader, faults)
  await readCsv(content.chunks, delimiter, rows)
  const columns = rows.columns ?? []
  const encoding = content.encoding()
  reader.encoded?.(encoding)
  // Excel reads UTF-8 only with a mark, and a file in another encoding comes from Excel.
  const bom = content.bom || encoding !== 'UTF-8'
  return { kind: 'csv', delimiter, newline: content.newline, bom, columns: kept(columns) }
}

/** Rows of a CSV under the names of its first line. */
class HeadedRows implements CsvRows {
  columns: readonly string[] | undefined
  pair: CsvRows['pair']
  readonly #reader: RowReader
  readonly #faults: FaultList

  constructor(reader: RowReader, faults: FaultList) {
    this.#reader = reader
    this.#faults = faults
  }

  row(cells: readonly string[], line: number): void {
    const { columns } = this
    if (columns === undefined) {
      if (!isSeparatorLine(cells, line)) this.#head(cells, line)
    } else if (isBlank(cells)) return
    else if (cells.length === columns.length) this.#reader.row(line, cells, undefined)
    else {
      const why = this.#reader.oddLength?.(cells, columns) ?? cellCount(cells.length, columns.length)
      this.#faults.add(line, null, undefined, why)
    }
  }

  #head(cells: readonly string[], line: number): void {
    const columns = cells.map((cell) => cell.trim())
    for (const name of columns) this.#reader.column(name, line)
    this.#reader.columnsKnown(columns)
    this.#faults.refuse()
    this.columns = columns
    if (columns.length === 2) this.pair = this.#reader.pair
  }
}

async function readJson(chunks: AsyncIterable<Buffer>, reader: RowReader, faults: FaultList): Promise<InputForm> {
  const columns = new JsonColumns(reader)
  const splitter = new JsonSplitter((raw, line) => {
    const value = parseValue(raw, line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const twin = repeatedKey(raw, Object.keys(value).length)
      if (twin !== undefined) faults.add(line, twin, undefined, 'occurs twice in the object; remove one of the two')
      else columns.row(value as Record<string, unknown>, line, oddNumbers(raw))
    } else faults.add(line, null, raw, 'is not a row; a row is an object such as {"Id":1001,"Price":499}')
  })
  const decoder = new StringDecoder('utf8')
  for await (const chunk of chunks) splitter.feed(decoder.write(chunk))
  splitter.end()
  return { kind: splitter.array ? 'json' : 'ndjson', columns: kept(columns.names) }
}

/** Keys of objects as columns, in the order in which they came. */
export class JsonColumns {
  readonly names: string[] = []
  readonly #index = new Map<string, number>()
  readonly #reader: RowReader

  constructor(reader: RowReader) {
    this.#reader = reader
  }

  row(object: Readonly<Record<string, unknown>>, line: number, raw: string | undefined): void {
    const values: unknown[] = []
    for (const key of Object.keys(object)) {
      let at = this.#index.get(key)
      if (at === undefined) {
        at = this.names.length
        this.#index.set(key, at)
        this.names.push(key)
        this.#reader.column(key, line)
      }
      values[at] = object[key]
    }
    this.#reader.row(line, values, raw)
  }
}

/** Columns without the one for reasons. */
export function kept(columns: readonly string[]): string[] {
  return columns.filter((name) => name.toLowerCase() !== REASON_COLUMN.toLowerCase())
}

/** `sep=;`, the line in which Excel names the delimiter, which is not a column. */
function isSeparatorLine(cells: readonly string[], line: number): boolean {
  return line === 1 && /^sep=.?$/i.test(cells[0] ?? '') && cells.slice(1).every((cell) => cell === '')
}

/** A row of only delimiters, which spreadsheets leave at the end. */
function isBlank(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false
  return true
}

function cellCount(found: number, expected: number): string {
  return `has ${found} ${found === 1 ? 'cell' : 'cells'} where the first line names ${expected}; a text with the delimiter in it must stand in quotes`
}
