/** Reads rows of any form and passes them on one by one, without keeping them. */

import { StringDecoder } from 'node:string_decoder'
import { countOf } from '../contract/numbers.js'
import { open, refused, withStart } from './bytes.js'
import { readCsv, sniffDelimiter } from './csv.js'
import { JsonSplitter, oddNumbers, parseValue, repeatedKey } from './json.js'
import type { CsvRows } from './plain-csv.js'
import { kept, type RowReader } from './row-reader.js'
import type { InputForm, Source } from './types.js'
import { looksLikeYaml, readYaml } from './yaml.js'

export interface RowsOptions {
  /** How numbers of YAML are handed on: as they are written by default, because `1e3` is not a price. */
  readonly yamlNumbers?: 'values' | 'as written'
  /** The sheet of a workbook; by default the only one with rows. */
  readonly sheet?: string
}

/**
 * Reads a source: CSV with column names in its first line, a JSON array of objects, objects one after another, YAML, or
 * a workbook (.xlsx). Faults are added to those of the reader; those that make all rows meaningless end the reading.
 * @throws InputRefused
 */
export async function readRows(source: Source, reader: RowReader<string>, options: RowsOptions = {}): Promise<InputForm> {
  return withStart(source, async (start) => {
    if (!start.archive) return readText(start.source, reader, options)
    const { readSheet } = await import('./sheet.js')
    return readSheet(start.source, reader, options.sheet)
  })
}

async function readText(
  source: Source,
  reader: RowReader<string>,
  { yamlNumbers = 'as written', sheet }: RowsOptions,
): Promise<InputForm> {
  if (sheet !== undefined) throw refused('The input is not a workbook (.xlsx), so it has no sheets; leave out --sheet.')
  const content = await open(source)
  if (content.kind === 'csv' && looksLikeYaml(content.firstLine))
    return readYaml(content.chunks, reader, { numbers: yamlNumbers })
  if (content.kind === 'json') {
    const form = await readJson(content.chunks, reader)
    reader.encoding = content.encoding()
    return form
  }
  const delimiter = sniffDelimiter(content.firstLine)
  const rows = new HeadedRows(reader)
  await readCsv(content.chunks, delimiter, rows)
  const encoding = content.encoding()
  reader.encoding = encoding
  // Excel reads UTF-8 only with a mark, and a file in another encoding comes from Excel.
  const bom = content.bom || encoding !== 'UTF-8'
  return { kind: 'csv', delimiter, newline: content.newline, bom, columns: kept(reader.columns) }
}

/** Rows of a CSV under the names of its first line. */
class HeadedRows implements CsvRows {
  pair: CsvRows['pair']
  readonly #reader: RowReader<string>
  #headed = false

  constructor(reader: RowReader<string>) {
    this.#reader = reader
  }

  row(cells: readonly string[], line: number): void {
    const reader = this.#reader
    const { length } = reader.columns
    if (!this.#headed) {
      if (!isSeparatorLine(cells, line)) this.#head(cells, line)
    } else if (isBlank(cells)) return
    else if (cells.length === length) reader.row(line, cells, undefined)
    else reader.faults.add(line, null, undefined, reader.oddLength(cells) ?? cellCount(cells.length, length))
  }

  #head(cells: readonly string[], line: number): void {
    this.#headed = true
    this.#reader.head(
      cells.map((cell) => cell.trim()),
      line,
    )
    if (cells.length === 2) this.pair = this.#reader.pair
  }
}

async function readJson(chunks: AsyncIterable<Buffer>, reader: RowReader<string>): Promise<InputForm> {
  const { faults } = reader
  const splitter = new JsonSplitter((raw, line) => {
    const value = parseValue(raw, line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const twin = repeatedKey(raw, Object.keys(value).length)
      if (twin !== undefined) faults.add(line, twin, undefined, 'occurs twice in the object; remove one of the two')
      else reader.object(value as Record<string, unknown>, line, oddNumbers(raw))
    } else faults.add(line, null, raw, 'is not a row; a row is an object such as {"Id":1001,"Price":499}')
  })
  const decoder = new StringDecoder('utf8')
  for await (const chunk of chunks) splitter.feed(decoder.write(chunk))
  splitter.end()
  return { kind: splitter.array ? 'json' : 'ndjson', columns: kept(reader.columns) }
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
