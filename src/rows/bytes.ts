/** Opens an input. Its first bytes, and not the name of its file, decide its form and its encoding. */

import { isAscii, isUtf8 } from 'node:buffer'
import { FaultList, type InputRefused } from './faults.js'
import type { Source } from './types.js'

/** The first line must end within this many bytes. */
const HEAD_BYTES = 64 * 1024

export type Content =
  /** An archive, as workbooks are, and all of it. */
  { readonly kind: 'archive'; readonly source: AsyncIterable<Uint8Array | string> } | TextContent

export interface TextContent {
  readonly kind: 'csv' | 'json'
  readonly bom: boolean
  /** Text of the first line, without its newline. */
  readonly firstLine: string
  /** Text of the first lines, to guess the delimiter of a CSV. */
  readonly head: string
  readonly newline: '\n' | '\r\n'
  /** The encoding, as far as the input was read. */
  readonly encoding: () => Encoding
  /** The whole content in UTF-8, without its byte order mark. */
  readonly chunks: AsyncGenerator<Buffer>
}

/**
 * Opens an input, and closes it whatever becomes of the work: one that was refused after its first bytes would stay open.
 * @throws InputRefused if it is empty or not text, and for the workbooks of Excel 97
 */
export async function withContent<T>(source: Source, work: (content: Content) => Promise<T>): Promise<T> {
  const pieces = readPieces(source)
  try {
    return await work(await openContent(pieces))
  } finally {
    await pieces.return(undefined)
  }
}

async function openContent(pieces: AsyncGenerator<Uint8Array | string>): Promise<Content> {
  const head: Buffer[] = []
  let [size, ended] = [0, false]
  while (size < HEAD_BYTES && !ended) {
    const { done, value } = await pieces.next()
    ended = done === true
    if (done === true) break
    head.push(bytesOf(value))
    size += value.length
  }
  const bytes = Buffer.concat(head)
  if (bytes.subarray(0, OFFICE_97.length).equals(OFFICE_97)) {
    const advice = 'Save it as .xlsx without a password, or as CSV, and try again.'
    throw inputRefused(`The input is a workbook of Excel 97 (.xls), or has a password. ${advice}`)
  }
  if (bytes.subarray(0, SPOILED.length).equals(SPOILED)) throw inputRefused(spoiledByConsole('a workbook'))
  const source = joined<Uint8Array | string>(bytes, pieces)
  return isArchive(bytes) ? { kind: 'archive', source } : decodeInput(source, ended)
}

/** @param ended whether the head is the whole input */
async function decodeInput(source: Source, ended: boolean): Promise<TextContent> {
  const utf8 = new Utf8Source()
  const chunks = utf8.read(source)
  const first = await chunks.next()
  let start: Buffer = first.done === true ? EMPTY : first.value
  const bom = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf
  if (bom) start = start.subarray(3)
  const text = start.toString('utf8').trimStart()
  if (text === '') {
    // Rows may follow blank lines only if the input did not end here.
    if (ended) throw inputRefused('The input is empty: not even column names came.')
    throw inputRefused(`The first ${HEAD_BYTES} bytes of the input are blank.`)
  }
  if (text.startsWith('<'))
    throw inputRefused('The input is a page (HTML) or XML, whatever its name says. Save it as .xlsx or CSV and try again.')
  const kind = text.startsWith('[') || text.startsWith('{') ? 'json' : 'csv'
  const end = text.indexOf('\n')
  if (kind === 'csv' && end < 0 && !ended) {
    throw inputRefused(`The first line is longer than ${HEAD_BYTES} bytes; it should name the columns.`)
  }
  const line = end < 0 ? text : text.slice(0, end)
  const crlf = line.endsWith('\r')
  return {
    kind,
    bom,
    firstLine: crlf ? line.slice(0, -1) : line,
    head: text.slice(0, HEAD_BYTES),
    newline: crlf ? '\r\n' : '\n',
    encoding: () => utf8.encoding,
    chunks: joined(start, chunks),
  }
}

/** The encoding of an input. */
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

/**
 * Converts the bytes of a source to UTF-8. A text in an encoding that is not recognized would silently turn names into rubbish.
 */
class Utf8Source {
  /** The encoding found so far. */
  encoding: Encoding = 'UTF-8'
  /** The beginning of a character that continues in the next piece. */
  #rest: Buffer = EMPTY
  /** True if a character beyond ASCII was read as UTF-8: then the whole file must be UTF-8. */
  #certain = false
  #utf16: InstanceType<typeof TextDecoder> | undefined

  async *read(source: Source): AsyncGenerator<Buffer> {
    let first = true
    for await (const piece of source) {
      const chunk = bytesOf(piece)
      if (chunk.length === 0) continue
      const whole = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
      this.#rest = EMPTY
      if (first && whole.length < 4) {
        // Too short to recognize UTF-16.
        this.#rest = whole
        continue
      }
      if (first) this.#look(whole)
      first = false
      yield this.#checked(this.#decode(whole))
    }
    const rest = this.#rest
    this.#rest = EMPTY
    if (rest.length > 0) yield this.#checked(this.#last(rest))
  }

  /** A garbled character may be split between two chunks. */
  #end: Buffer = EMPTY

  /** @throws InputRefused for UTF-8 that was read as the text of a console (code page 437 or 850): å ä ö é became ├Ñ ├ñ ├Â ├® */
  #checked(text: Buffer): Buffer {
    const whole = this.#end.length === 0 ? text : Buffer.concat([this.#end, text])
    for (let at = whole.indexOf('├'); at >= 0; at = whole.indexOf('├', at + 1)) {
      if (/^├[ÑñÂ╢ÄàäÖûÅ®┬]/.test(whole.toString('utf8', at, at + 6))) throw inputRefused(spoiledByConsole('text in UTF-8'))
    }
    this.#end = whole.subarray(-3)
    return text
  }

  /** Recognizes UTF-16 by its mark, or by the zero byte in each of the first characters, which belong to column names. */
  #look(head: Buffer): void {
    const [one = 0, two = 0, three = 0, four = 0] = head
    const little = (one === 0xff && two === 0xfe) || (one > 0 && two === 0 && three > 0 && four === 0)
    const big = (one === 0xfe && two === 0xff) || (one === 0 && two > 0 && three === 0 && four > 0)
    if (!little && !big) return
    this.encoding = 'UTF-16'
    this.#utf16 = new TextDecoder(little ? 'utf-16le' : 'utf-16be')
  }

  #decode(bytes: Buffer): Buffer {
    if (this.#utf16 !== undefined) return Buffer.from(this.#utf16.decode(bytes, { stream: true }))
    if (bytes.includes(0)) throw inputRefused('The input holds zero bytes: it is not text. Save the sheet as CSV and try again.')
    if (this.encoding === 'Windows-1252') return windows(bytes)
    const end = bytes.length - unfinished(bytes)
    const body = bytes.subarray(0, end)
    if (!isUtf8(body)) return this.#turn(bytes)
    this.#certain ||= !isAscii(body)
    this.#rest = bytes.subarray(end)
    return body
  }

  #last(bytes: Buffer): Buffer {
    if (this.#utf16 !== undefined || this.encoding === 'Windows-1252') return this.#decode(bytes)
    if (bytes.includes(0)) return this.#decode(bytes)
    return isUtf8(bytes) ? bytes : this.#turn(bytes)
  }

  /** Handles bytes that are not UTF-8, after only ASCII. */
  #turn(bytes: Buffer): Buffer {
    if (this.#certain || hasUtf8Line(bytes))
      throw inputRefused('The input is not UTF-8 throughout. Save it as "CSV UTF-8" and try again.')
    this.encoding = 'Windows-1252'
    return windows(bytes)
  }
}

/** True if some line beyond ASCII is valid UTF-8, which text in another encoding almost never is. */
function hasUtf8Line(bytes: Buffer): boolean {
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, from)
    const end = newline < 0 ? bytes.length : newline
    const line = bytes.subarray(from, end)
    if (!isAscii(line) && isUtf8(line)) return true
    from = end + 1
  }
  return false
}

const EMPTY: Buffer = Buffer.alloc(0)

function windows(bytes: Buffer): Buffer {
  const text = readWindows1252(bytes)
  if (text === undefined)
    throw inputRefused('The input is neither UTF-8, UTF-16 nor Windows-1252. Save it as "CSV UTF-8" and try again.')
  return Buffer.from(text)
}

/** Number of bytes at the end that begin an incomplete character of UTF-8: 0 to 3. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return size > back ? back : 0
  }
  return 0
}

/** Message about a file that a console spoiled. */
export function spoiledByConsole(what: string): string {
  return `The input was ${what}, and ">" or "|" of PowerShell 5.1 has spoiled it (å became ├Ñ). Write it again with --out FILE instead of ">".`
}

/** A fault of the whole input. */
export function inputRefused(message: string, line = 0): InputRefused {
  return new FaultList().add(line, null, undefined, message).refusal()
}

/**
 * The text of a whole input and its encoding.
 * @throws InputRefused for bytes that are text in none of the encodings
 */
export async function readText(bytes: Buffer): Promise<{ readonly text: string; readonly encoding: Encoding }> {
  const utf8 = new Utf8Source()
  const pieces: Buffer[] = []
  for await (const piece of utf8.read([bytes])) pieces.push(piece)
  return {
    text: Buffer.concat(pieces)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
    encoding: utf8.encoding,
  }
}

/** First bytes of ZIP archives, workbooks (.xlsx) among them. */
const ZIP = Buffer.from('PK\x03\x04', 'latin1')
/** Form that the ">" of PowerShell 5.1 gives an archive: it reads the bytes as text of the console, and writes that as UTF-16. */
const SPOILED = Buffer.from('\uFEFFPK', 'utf16le')
/** First bytes of documents of Office 97, and of workbooks with a password. */
const OFFICE_97 = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])

/** True if bytes begin as those of a workbook (.xlsx) do. */
export function isArchive(bytes: Buffer): boolean {
  return bytes.subarray(0, ZIP.length).equals(ZIP)
}

async function* readPieces(source: Source): AsyncGenerator<Uint8Array | string> {
  yield* source
}

/** The bytes of a piece, not copied. */
export function bytesOf(piece: Uint8Array | string): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
}

async function* joined<T extends Uint8Array | string>(head: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (head.length > 0) yield head
  yield* rest
}

/**
 * The characters of the bytes 0x80 to 0x9f, which differ from Latin-1. Undefined bytes are spaces here.
 * https://encoding.spec.whatwg.org
 */
const UPPER = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const UNDEFINED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** The text of bytes in Windows-1252; undefined if they contain bytes that it does not define. */
export function readWindows1252(bytes: Uint8Array): string | undefined {
  for (const byte of bytes) if (UNDEFINED.has(byte)) return undefined
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (character) => UPPER[character.charCodeAt(0) - 0x80] ?? ' ')
}
