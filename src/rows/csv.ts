/**
 * Reads CSV: lines without quotes by splitting them, the rest with csv-parse, as arrays, a chunk at a time (objects take
 * csv-parse twice the time).
 */

import { type CsvError, Parser } from 'csv-parse'
import { refused } from './bytes.js'
import type { InputRefused } from './faults.js'
import { type CsvRows, PlainCsv } from './plain-csv.js'

export type Delimiter = ',' | ';' | '\t'

/** A record longer than this is a missing quote, not a row. */
const MAX_RECORD_BYTES = 1 << 20

/**
 * Finds the delimiter of the column names: the one in Excel's line `sep=;`, or else the most frequent one outside quotes (if two
 * are equal the semicolon, because its sheets use commas in numbers), or the comma if there is none.
 */
export function sniffDelimiter(header: string): Delimiter {
  const named = /^"?sep=([,;\t])"?$/i.exec(header)?.[1]
  if (named !== undefined) return named as Delimiter
  const counts = { ',': 0, ';': 0, '\t': 0 }
  let quoted = false
  for (const character of header) {
    if (character === '"') quoted = !quoted
    else if (!quoted && (character === ',' || character === ';' || character === '\t')) counts[character]++
  }
  if (counts[';'] > 0 && counts[';'] >= counts[','] && counts[';'] >= counts['\t']) return ';'
  return counts['\t'] > counts[','] ? '\t' : ','
}

/** Collects records as they are parsed, with the line on which each began. A stream's queue would lose the line. */
class Collector extends Parser {
  readonly records: string[][] = []
  readonly lines: number[] = []

  override push(record: unknown): boolean {
    if (record === null) return super.push(null)
    const cells = record as string[]
    this.records.push(cells)
    this.lines.push(this.info.lines)
    return true
  }

  clear(): void {
    this.records.length = 0
    this.lines.length = 0
  }
}

/** Passes on every record that is not blank, including the header. @throws InputRefused that names the line of a broken quote */
export async function readCsv(chunks: AsyncIterable<Buffer>, delimiter: Delimiter, rows: CsvRows): Promise<void> {
  const plain = new PlainCsv(delimiter, rows)
  let quoted: QuotedCsv | undefined
  for await (const chunk of chunks) {
    const rest = quoted === undefined ? plain.take(chunk) : chunk
    if (rest === undefined) continue
    quoted ??= new QuotedCsv(delimiter, rows, plain.lines)
    await quoted.take(rest)
  }
  plain.end()
  await quoted?.end()
}

/** Reads the rest of a CSV from its first quote on. */
class QuotedCsv {
  readonly #parser: Collector
  readonly #rows: CsvRows
  readonly #quotes: QuoteLines
  readonly #relaxed: boolean
  #broken: CsvError | undefined
  /** What to subtract from the parser's line numbers: what it counts twice, less the lines before it began. */
  #overcounted: number

  constructor(delimiter: Delimiter, rows: CsvRows, linesBefore: number) {
    this.#rows = rows
    this.#overcounted = -linesBefore
    this.#quotes = new QuoteLines(linesBefore)
    this.#relaxed = delimiter === '\t'
    this.#parser = new Collector({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // A tab-separated table, such as our own, has quotes inside its cells as they are.
      relax_quotes: delimiter === '\t',
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_BYTES,
    })
    this.#parser.on('error', (error: CsvError) => {
      this.#broken = error
    })
  }

  async take(chunk: Buffer): Promise<void> {
    this.#quotes.take(chunk)
    await new Promise<void>((resolve) => this.#parser.write(chunk, () => resolve()))
    this.#drain()
  }

  async end(): Promise<void> {
    const parser = this.#parser
    await new Promise<void>((resolve) => {
      parser.once('error', () => resolve())
      parser.once('end', resolve)
      parser.resume()
      parser.end()
    })
    this.#drain()
  }

  #drain(): void {
    const parser = this.#parser
    for (let at = 0; at < parser.records.length; at++) {
      const cells = parser.records[at] ?? []
      const { marks, newlines } = newlinesIn(cells)
      this.#rows.row(cells, (parser.lines[at] ?? 0) - marks - this.#overcounted)
      this.#overcounted += marks - newlines
    }
    parser.clear()
    if (this.#broken !== undefined) throw this.#refusal(this.#broken, parser.info.lines - this.#overcounted)
  }

  #refusal({ code }: CsvError, line: number): InputRefused {
    if (this.#relaxed) return refused(whyBroken(code), line)
    const { opened } = this.#quotes
    if (opened !== undefined && (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE'))
      return refused('A quote is opened on this line and never closed.', opened)
    const before = code === 'CSV_INVALID_CLOSING_QUOTE' ? this.#quotes.openedOf(line) : undefined
    if (before === undefined) return refused(whyBroken(code), line)
    return refused(
      `A quote opens on this line, and the next one opens a cell on line ${line}. Is one missing between them?`,
      before,
    )
  }
}

const NO_NEWLINES = { marks: 0, newlines: 0 }

/** Newlines inside the cells, and how many csv-parse counts: it counts a CRLF in quotes twice. */
function newlinesIn(cells: readonly string[]): { marks: number; newlines: number } {
  let found = NO_NEWLINES
  for (const cell of cells) {
    if (!cell.includes('\n') && !cell.includes('\r')) continue
    const marks = cell.match(/[\r\n]/g)?.length ?? 0
    const newlines = cell.match(/\r\n|\r|\n/g)?.length ?? 0
    found = { marks: found.marks + marks, newlines: found.newlines + newlines }
  }
  return found
}

function whyBroken(code: string): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'A quote is opened and never closed.'
    case 'INVALID_OPENING_QUOTE':
      return 'A cell that does not begin with a quote contains one. Double it and put the cell in quotes: "6"" lamp".'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'Something follows a closing quote; double a quote that belongs to the text: "6"" lamp".'
    case 'CSV_MAX_RECORD_SIZE':
      return 'A row is longer than 1 MB: a quote before it is probably never closed.'
    default:
      return `The CSV cannot be read (${code}).`
  }
}

const QUOTE = 0x22
const NEWLINE = 0x0a
const RETURN = 0x0d
/** How many quotes over several lines are remembered; the wanted one is among the last. */
const KEPT = 100

export class QuoteLines {
  #line: number
  #open = false
  #openedOn = 0
  /** Whether the byte before closed a quote, unless another quote follows. */
  #closing = false
  /** Whether the last byte of the piece before was a carriage return. */
  #afterReturn = false
  /** Cells of several lines: where each was closed and opened. */
  readonly #long: { closed: number; opened: number }[] = []

  /** @param linesBefore lines before the first byte */
  constructor(linesBefore: number) {
    this.#line = linesBefore + 1
  }

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      // Only bytes up to the quote need a look, and a byte that follows a quote.
      if (byte > QUOTE && !this.#closing) continue
      if (this.#closing && byte !== QUOTE) this.#close()
      if (byte === QUOTE) this.#quote()
      // CR LF ends one line, and so does CR alone.
      else if (byte === NEWLINE ? bytes[at - 1] !== RETURN && !(at === 0 && this.#afterReturn) : byte === RETURN) this.#line++
    }
    this.#afterReturn = bytes[bytes.length - 1] === RETURN
  }

  /** The line on which the currently open quote was opened; undefined if none is open. */
  get opened(): number | undefined {
    return this.#open && !this.#closing ? this.#openedOn : undefined
  }

  /** The line where the cell of several lines was opened that was closed on this line; undefined if there is none. */
  openedOf(closed: number): number | undefined {
    return this.#long.findLast((quote) => quote.closed === closed)?.opened
  }

  #quote(): void {
    if (this.#closing) this.#closing = false
    else if (this.#open) this.#closing = true
    else {
      this.#open = true
      this.#openedOn = this.#line
    }
  }

  #close(): void {
    this.#closing = false
    this.#open = false
    if (this.#openedOn === this.#line) return
    this.#long.push({ closed: this.#line, opened: this.#openedOn })
    if (this.#long.length > KEPT) this.#long.shift()
  }
}
