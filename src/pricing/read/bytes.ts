/** The first bytes of an input decide its form, by content and not by a file's name. */
import { InputRefused } from '../faults.js'
import type { Source } from '../types.js'

/** The first line must end within this many bytes. */
const HEAD_BYTES = 64 * 1024

export type ContentKind = 'csv' | 'json'

export interface Content {
  readonly kind: ContentKind
  readonly bom: boolean
  /** Text of the first line, without its newline; the sniffing of CSV looks at it. */
  readonly firstLine: string
  readonly newline: '\n' | '\r\n'
  /** The whole content without its byte order mark, checked to be UTF-8. */
  readonly chunks: AsyncGenerator<Buffer>
}

/** Looks at the head of a source. @throws InputRefused when it is empty, binary, or not UTF-8 */
export async function open(source: Source): Promise<Content> {
  const chunks = utf8(source)
  const head: Buffer[] = []
  let size = 0
  let ended = false
  while (size < HEAD_BYTES) {
    const next = await chunks.next()
    if (next.done) {
      ended = true
      break
    }
    head.push(next.value)
    size += next.value.length
    if (hasFirstLine(next.value)) break
  }
  let start = Buffer.concat(head)
  const bom = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf
  if (bom) start = start.subarray(3)
  const text = start.toString('utf8')
  if (text.trim() === '') {
    // A blank head may be followed by rows only when it did not end here.
    if (ended) throw refused('The input is empty: not even column names came.')
    throw refused(`The first ${HEAD_BYTES} bytes of the input are blank.`)
  }
  const first = text.trimStart()
  const kind: ContentKind = first.startsWith('[') || first.startsWith('{') ? 'json' : 'csv'
  const end = first.indexOf('\n')
  if (kind === 'csv' && end < 0 && !ended) {
    throw refused(`The first line is longer than ${HEAD_BYTES} bytes; it should name the columns.`)
  }
  const line = end < 0 ? first : first.slice(0, end)
  const crlf = line.endsWith('\r')
  return {
    kind,
    bom,
    firstLine: crlf ? line.slice(0, -1) : line,
    newline: crlf ? '\r\n' : '\n',
    chunks: resumed(start, chunks),
  }
}

async function* resumed(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield* rest
}

/** Whether a first line that is not blank may end here. */
function hasFirstLine(chunk: Buffer): boolean {
  const text = chunk.toString('latin1').trimStart()
  return text.startsWith('[') || text.startsWith('{') || text.includes('\n')
}

/** Bytes of the source, checked on the way: text in another encoding would turn names into rubbish without a word. */
async function* utf8(source: Source): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let first = true
  for await (const piece of source) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    if (chunk.length === 0) continue
    if (first && ((chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff))) {
      throw refused('The input is UTF-16 ("Unicode text"). Save it as "CSV UTF-8" and try again.')
    }
    first = false
    if (chunk.includes(0)) throw refused('The input holds zero bytes: it is no text. Save the sheet as CSV and try again.')
    check(() => decoder.decode(chunk, { stream: true }))
    yield chunk
  }
  check(() => decoder.decode())
}

function check(decode: () => string): void {
  try {
    decode()
  } catch {
    throw refused('The input is not UTF-8. Save it as "CSV UTF-8" and try again.')
  }
}

/** A fault of the input as a whole. */
export function refused(message: string, line = 0): InputRefused {
  return new InputRefused([{ Line: line, Field: null, Value: null, Message: message }])
}
