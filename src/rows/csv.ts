/**
 * Reads CSV: lines without quotes by splitting them, records with quotes cell by cell. A library was slower than everything else
 * that happens to a row, and counted lines its own way (measured, a million rows of id and price: 0.8 s of CPU time).
 */
import { StringDecoder } from 'node:string_decoder'
import { inputRefused } from './bytes.js'
import type { InputRefused } from './faults.js'

export type Delimiter = ',' | ';' | '\t'

/** A record longer than this is a missing quote, not a row. */
const MAX_RECORD = 1 << 20

const [ZERO, RETURN] = [0x30, 0x0d]
/** Digits of a number that 32 bits hold whatever they are. */
const PLAIN_DIGITS = 9
/** Lines above the names of the columns that may have no delimiter, as a title has none. */
const LINES_SEEN = 12

/**
 * Finds the delimiter of the column names: the one in Excel's line `sep=;`, or else the most frequent one outside quotes in the
 * first line that has any (if two are equal the semicolon, because its sheets use commas in numbers), or the comma if there is
 * none.
 * @param head the first lines
 */
export function sniffDelimiter(head: string): Delimiter {
  const delimiter = /^"?sep=([,;\t])"?\r?(?:\n|$)/i.exec(head)?.[1]
  if (delimiter !== undefined) return delimiter as Delimiter
  const counts = { ',': 0, ';': 0, '\t': 0 }
  let quoted = false
  let lines = 0
  for (const character of head) {
    if (!quoted && (character === '\n' || character === '\r')) {
      if (counts[','] + counts[';'] + counts['\t'] > 0 || ++lines === LINES_SEEN) break
    }
    if (character === '"') quoted = !quoted
    else if (!quoted && (character === ',' || character === ';' || character === '\t')) counts[character]++
  }
  if (counts[';'] > 0 && counts[';'] >= counts[','] && counts[';'] >= counts['\t']) return ';'
  return counts['\t'] > counts[','] ? '\t' : ','
}

/** Takes the cells of a record, and the line on which it began. */
type TakeRecord = (cells: readonly string[], line: number) => void

/** Takes a record of two plain numbers, each at least 1. @returns false if it must be read as cells */
export type TakeNumbers = (one: number, other: number, line: number) => boolean

/**
 * Passes on every record that is not blank, including the header.
 * @param numbers is asked first about a record of two numbers: nearly all files of prices have no other, and cells take twice as
 * long
 * @throws InputRefused that names the line of a broken quote
 */
export async function readCsv(
  chunks: AsyncIterable<Buffer>,
  delimiter: Delimiter,
  take: TakeRecord,
  numbers: TakeNumbers = () => false,
): Promise<void> {
  const reader = new CsvReader(delimiter, take, numbers)
  const decoder = new StringDecoder('utf8')
  for await (const chunk of chunks) reader.feed(decoder.write(chunk))
  reader.end()
}

interface Cell {
  readonly text: string
  /** The place after it: that of a delimiter, a line end, or the end of the text. */
  readonly end: number
}

class CsvReader {
  readonly #delimiter: Delimiter
  readonly #take: TakeRecord
  readonly #numbers: TakeNumbers
  readonly #delimiterCode: number
  readonly #cellEnd: RegExp
  /** Text that was not read yet. It begins with a record. */
  #text = ''
  /** The line on which that record begins. */
  #line = 1
  #hasEnded = false

  constructor(delimiter: Delimiter, take: TakeRecord, numbers: TakeNumbers) {
    this.#delimiter = delimiter
    this.#delimiterCode = delimiter.charCodeAt(0)
    this.#take = take
    this.#numbers = numbers
    this.#cellEnd = new RegExp(`[${delimiter}\r\n]`, 'g')
  }

  feed(chunk: string): void {
    this.#text += chunk
    this.#read()
    if (this.#text.length > MAX_RECORD)
      throw inputRefused('A row is longer than 1 MB: a quote before it is probably never closed.', this.#line)
  }

  end(): void {
    this.#hasEnded = true
    this.#read()
  }

  /** Reads all records that are whole. */
  #read(): void {
    const text = this.#text
    let [from, quote, lone] = [0, text.indexOf('"'), loneReturn(text, 0)]
    while (from < text.length) {
      if (quote >= 0 && quote < from) quote = text.indexOf('"', from)
      if (lone >= 0 && lone < from) lone = loneReturn(text, from)
      let end = text.indexOf('\n', from)
      if (lone >= 0 && (end < 0 || lone < end)) end = lone
      if (quote >= 0 && (end < 0 || quote < end)) {
        const next = this.#quoted(from)
        if (next === undefined) break
        from = next
        continue
      }
      if (end < 0 && !this.#hasEnded) break
      if (end < 0 || !this.#twoNumbers(text, from, end)) {
        const line = text.slice(from, end < 0 ? text.length : end)
        const plain = line.endsWith('\r') ? line.slice(0, -1) : line
        if (plain !== '') this.#take(plain.split(this.#delimiter), this.#line)
      }
      this.#line++
      from = end < 0 ? text.length : end + 1
    }
    this.#text = text.slice(from)
  }

  /** Passes on a record of two plain numbers. @returns false if it is none, or is not taken */
  #twoNumbers(text: string, from: number, end: number): boolean {
    const last = text.charCodeAt(end - 1) === RETURN ? end - 1 : end
    let [at, one, other] = [from, 0, 0]
    for (; at < last; at++) {
      const digit = text.charCodeAt(at) - ZERO
      if (digit < 0 || digit > 9) break
      one = 10 * one + digit
    }
    const between = at
    if (between - from > PLAIN_DIGITS || text.charCodeAt(between) !== this.#delimiterCode) return false
    for (at++; at < last; at++) {
      const digit = text.charCodeAt(at) - ZERO
      if (digit < 0 || digit > 9) return false
      other = 10 * other + digit
    }
    // A number that begins with a zero is refused with its reason, as a cell.
    const plain = text.charCodeAt(from) !== ZERO && text.charCodeAt(between + 1) !== ZERO
    return plain && one > 0 && other > 0 && last - between - 1 <= PLAIN_DIGITS && this.#numbers(one, other, this.#line)
  }

  /** Reads a record with quotes. @returns the place of the next one; undefined if its end did not come yet */
  #quoted(from: number): number | undefined {
    const text = this.#text
    const cells: string[] = []
    for (let at = from; ; ) {
      const cell = text[at] === '"' ? this.#quotedCell(from, at) : this.#plainCell(from, at)
      if (cell === undefined) return undefined
      cells.push(cell.text)
      const { end } = cell
      at = end + 1
      if (text[end] === this.#delimiter) continue
      // The second half of CR LF may be in the next chunk.
      if (text[end] === '\r' && at === text.length && !this.#hasEnded) return undefined
      this.#take(cells, this.#line)
      this.#line = this.#lineAt(from, end) + 1
      return text.startsWith('\r\n', end) ? end + 2 : at
    }
  }

  /** @param from where its record begins @throws InputRefused for a quote that is not closed, or closed too early */
  #quotedCell(from: number, open: number): Cell | undefined {
    const source = this.#text
    let text = ''
    for (let at = open + 1; ; ) {
      const quote = source.indexOf('"', at)
      if (quote < 0 && (this.#hasEnded || source.length - open > MAX_RECORD))
        throw inputRefused('A quote is opened on this line and never closed.', this.#lineAt(from, open))
      if (quote < 0 || (quote + 1 === source.length && !this.#hasEnded)) return undefined
      text += source.slice(at, quote)
      at = quote + 1
      if (source[at] === '"') {
        text += '"'
        at++
      } else if (at === source.length || this.#isEnd(source[at])) return { text, end: at }
      else if (this.#delimiter !== '\t') throw this.#closedEarly(this.#lineAt(from, open), this.#lineAt(from, quote))
      else {
        const rest = this.#plainCell(from, at)
        return rest && { text: `"${text}"${rest.text}`, end: rest.end }
      }
    }
  }

  /**
   * A table separated by tabs, such as our own, has quotes inside its cells as they are.
   * @throws InputRefused for one in another table
   */
  #plainCell(from: number, start: number): Cell | undefined {
    this.#cellEnd.lastIndex = start
    const match = this.#cellEnd.exec(this.#text)
    if (match === null && !this.#hasEnded) return undefined
    const end = match?.index ?? this.#text.length
    const text = this.#text.slice(start, end)
    if (this.#delimiter === '\t' || !text.includes('"') || /^="[^"]*"$/.test(text)) return { text, end }
    const why = 'A cell that does not begin with a quote contains one. Double it and put the cell in quotes: "6"" lamp".'
    throw inputRefused(why, this.#lineAt(from, start))
  }

  #isEnd(character: string | undefined): boolean {
    return character === this.#delimiter || character === '\n' || character === '\r'
  }

  #closedEarly(openingLine: number, closingLine: number): InputRefused {
    if (openingLine === closingLine)
      return inputRefused('Something follows a closing quote; double a quote that belongs to the text: "6"" lamp".', closingLine)
    const why = `A quote opens on this line, and the next one opens a cell on line ${closingLine}. Is one missing between them?`
    return inputRefused(why, openingLine)
  }

  /** The line of a place in the record that is being read. */
  #lineAt(from: number, place: number): number {
    return this.#line + (this.#text.slice(from, place).match(/\r\n|\r|\n/g)?.length ?? 0)
  }
}

/** The place of a carriage return that is a line end of its own; -1 if there is none. */
function loneReturn(text: string, from: number): number {
  for (let at = text.indexOf('\r', from); at >= 0 && at + 1 < text.length; at = text.indexOf('\r', at + 1)) {
    if (text[at + 1] !== '\n') return at
  }
  return -1
}
