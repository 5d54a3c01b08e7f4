/** Reads rows of any form and passes them on one by one, without keeping them. */

import { StringDecoder } from 'node:string_decoder'
import { countOf } from '../contract/numbers.js'
import { inputRefused, type TextContent, withContent } from './bytes.js'
import type { LayoutAnswers } from './columns.js'
import { readCsv, sniffDelimiter } from './csv.js'
import { JsonSplitter, oddNumbers, parseValue, repeatedKey } from './json.js'
import { type RowReader, withoutReasons } from './row-reader.js'
import { Table } from './table.js'
import type { InputForm, Source } from './types.js'
import { looksLikeYaml, readYaml } from './yaml.js'

export interface RowsOptions {
  /** Form of numbers of YAML: as they are written by default, because `1e3` is not a price. */
  readonly yamlNumbers?: 'values' | 'as written' | undefined
  /** The sheet of a workbook; by default the only one with rows. */
  readonly sheet?: string | undefined
  /** Currency of the account (ISO 4217), which units next to amounts must be; by default they are not judged. */
  readonly currency?: string | undefined
  /** VAT of prices without it, where neither the row nor the item says which; a share. */
  readonly vat?: number | undefined
  /** Answers of the seller about the columns, and those that were kept for this layout. */
  readonly answers?: LayoutAnswers | undefined
}

/** Options for an input of any form. */
export type InputOptions = Pick<RowsOptions, 'sheet' | 'currency' | 'answers' | 'vat'>

/**
 * Reads a source: CSV with column names in its first line, a JSON array of objects, objects one after another, YAML, or
 * a workbook (.xlsx). Faults are added to those of the reader; those that make all rows meaningless end the reading.
 * @throws InputRefused
 */
export async function readRows(source: Source, reader: RowReader<string>, options: RowsOptions = {}): Promise<InputForm> {
  reader.currency = options.currency
  reader.answers = options.answers ?? {}
  return withContent(source, async (content) => {
    if (content.kind !== 'archive') return readText(content, reader, options)
    const { readSheet } = await import('./sheet.js')
    return readSheet(content.source, reader, options)
  })
}

async function readText(
  content: TextContent,
  reader: RowReader<string>,
  { yamlNumbers = 'as written', sheet, answers }: RowsOptions,
): Promise<InputForm> {
  if (sheet !== undefined) throw inputRefused('The input is not a workbook (.xlsx), so it has no sheets; leave out --sheet.')
  if (content.kind === 'csv' && looksLikeYaml(content.firstLine) && !isTableMark(content.head))
    return readYaml(content.chunks, reader, { numbers: yamlNumbers })
  if (content.kind === 'json') {
    const form = await readJson(content.chunks, reader)
    reader.encoding = content.encoding()
    return form
  }
  const delimiter = sniffDelimiter(content.head)
  const table = new Table(reader, answers, {
    head: (cells, line, sample) =>
      reader.head(
        cells.map((cell) => cell.trim()),
        line,
        sample,
      ),
    row(cells, line) {
      const { length } = reader.columns
      if (cells.length !== length)
        reader.faults.add(line, null, undefined, reader.oddLength(cells) ?? cellCount(cells.length, length), 'cells')
      else table.pass(cells, line)
    },
  })
  await table.reading(
    readCsv(
      content.chunks,
      delimiter,
      (cells, line) => {
        if (!isSeparatorLine(cells, line)) table.feed(withoutFormulas(cells), line)
      },
      (one, other, line) => table.hasBegun && reader.numbers(line, one, other),
    ),
  )
  const encoding = content.encoding()
  reader.encoding = encoding
  // Excel reads UTF-8 only with a mark, and a file in another encoding comes from Excel.
  const bom = content.bom || encoding !== 'UTF-8'
  return { kind: 'csv', delimiter, newline: content.newline, bom, columns: withoutReasons(reader.columns) }
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
  return { kind: splitter.array ? 'json' : 'ndjson', columns: withoutReasons(reader.columns) }
}

/**
 * True for a line such as `#INFO,Version=1.0,,`, which some systems write above the names: it has as many delimiters as the line
 * below.
 */
function isTableMark(head: string): boolean {
  const [first = '', second = ''] = head.split(/\r?\n/)
  const delimiter = sniffDelimiter(second)
  const delimiters = (line: string) => line.split(delimiter).length - 1
  return first.startsWith('#') && delimiters(first) > 1 && delimiters(first) === delimiters(second)
}

/** `sep=;`, the line in which Excel names the delimiter, which is not a column. */
function isSeparatorLine(cells: readonly string[], line: number): boolean {
  return line === 1 && /^sep=.?$/i.test(cells[0] ?? '') && cells.slice(1).every((cell) => cell === '')
}

/** `="000451"` is how a text is written that a spreadsheet must not take for a number. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/s

function withoutFormulas(cells: readonly string[]): readonly string[] {
  if (!cells.some((cell) => cell.startsWith('="'))) return cells
  return cells.map((cell) => TEXT_FORMULA.exec(cell.trim())?.[1]?.replaceAll('""', '"') ?? cell)
}

function cellCount(count: number, expected: number): string {
  return `has ${countOf(count, 'cell')} where the first line names ${expected}; a text with the delimiter in it must be in quotes`
}
