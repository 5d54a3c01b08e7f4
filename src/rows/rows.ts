/** Reads rows of any form and passes them on one by one, without keeping them. */

import { StringDecoder } from 'node:string_decoder'
import { countOf } from '../contract/numbers.js'
import { open, refused } from './bytes.js'
import { readCsv, sniffDelimiter } from './csv.js'
import type { FaultList } from './faults.js'
import { JsonSplitter, oddNumbers, parseValue, repeatedKey } from './json.js'
import type { CsvRows } from './plain-csv.js'
import { JsonColumns, kept, type RowReader } from './row-reader.js'
import { withStart } from './start.js'
import type { InputForm, Source } from './types.js'
import { looksLikeYaml, readYaml } from './yaml.js'

export type { RowReader } from './row-reader.js'

export interface RowsOptions {
  /** How numbers of YAML are handed on: as they are written by default, because `1e3` is not a price. */
  readonly yamlNumbers?: 'values' | 'as written'
  /** The sheet of a workbook; by default the only one with rows. */
  readonly sheet?: string
}

/**
 * Reads a source: CSV with column names in its first line, a JSON array of objects, objects one after another, YAML, or
 * a workbook (.xlsx). Faults are added to the list; those that make all rows meaningless end the reading.
 * @throws InputRefused
 */
export async function readRows(
  source: Source,
  reader: RowReader,
  faults: FaultList,
  options: RowsOptions = {},
): Promise<InputForm> {
  return withStart(source, async (start) => {
    if (!start.archive) return readText(start.source, reader, faults, options)
    const { readSheet } = await import('./sheet.js')
    faults.sheet = true
    return readSheet(start.source, reader, faults, options.sheet)
  })
}

async function readText(
  source: Source,
  reader: RowReader,
  faults: FaultList,
  { yamlNumbers = 'as written', sheet }: RowsOptions,
): Promise<InputForm> {
  if (sheet !== undefined) throw refused('The input is not a workbook (.xlsx), so it has no sheets; leave out --sheet.')
  const content = await open(source)
  if (content.kind === 'csv' && looksLikeYaml(content.firstLine))
    return readYaml(content.chunks, reader, faults, { numbers: yamlNumbers })
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
  return `has ${countOf(found, 'cell')} where the first line names ${expected}; a text with the delimiter in it must be in quotes`
}
