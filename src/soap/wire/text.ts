/** Decodes the bytes of a reply, in chunks cut anywhere. */
import { Buffer, isUtf8 as isUtf8Text } from 'node:buffer'
import { TextDecoder } from 'node:util'

/** Bytes that do not fit the charset they claim. */
export class NotText extends Error {
  override name = 'NotText'

  /** @param what a clause about the bytes */
  constructor(readonly what: string) {
    super(`the reply ${what}`)
  }
}

export interface TextChunks {
  /** @throws {NotText} */
  push(bytes: Buffer): string
  /** Rest after the last chunk. @throws {NotText} if a character was cut short */
  end(): string
}

/**
 * Makes a decoder, by default of UTF-8.
 * @throws {NotText} if the charset is not known
 */
export function textChunks(charset = 'utf-8'): TextChunks {
  return isUtf8(charset) ? new Utf8Chunks() : new OtherChunks(charset)
}

/** True if bytes of a charset are UTF-8. */
export function isUtf8(charset: string): boolean {
  return ['utf-8', 'utf8', 'us-ascii'].includes(charset)
}

/** Bytes from the start of a document that hold its declaration, if it has one. */
export const DECLARATION_BYTES = 200

/**
 * The charset of XML, in lower case: by the byte order mark, else the content type, else the XML declaration, else UTF-8 (RFC
 * 7303, 3). A declaration whose bytes are characters is not of UTF-16, whatever it says.
 */
export function detectCharset(start: Uint8Array, contentType = ''): string {
  const [first, second, third] = start
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // A `<` of two bytes, where the mark was left out (XML 1.0, F.1).
  if (first === 0x3c && second === 0) return 'utf-16le'
  if (first === 0 && second === 0x3c) return 'utf-16be'
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]
  if (charset !== undefined) return charset.toLowerCase()
  const declaration = Buffer.from(start.subarray(0, DECLARATION_BYTES)).toString('latin1')
  const encoding = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1]?.toLowerCase() ?? 'utf-8'
  return encoding.startsWith('utf-16') ? 'utf-8' : encoding
}

/** A whole text, in which bytes that do not fit are U+FFFD; UTF-8 where the charset is not known. */
export function looseText(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

/** UTF-8 through Buffer: four times as fast as a streaming TextDecoder, and one byte per character for Western text. */
class Utf8Chunks implements TextChunks {
  #rest: Buffer | undefined

  push(bytes: Buffer): string {
    const all = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes])
    const whole = all.length - openTail(all, all.length)
    this.#rest = whole === all.length ? undefined : all.subarray(whole)
    const complete = all.subarray(0, whole)
    if (!isUtf8Text(complete)) throw new NotText('holds bytes that are not UTF-8')
    return complete.toString('utf8')
  }

  end(): string {
    if (this.#rest !== undefined) throw new NotText('ends inside a character')
    return ''
  }
}

/** Bytes before `end` that begin a character without completing it (RFC 3629, 3). */
export function openTail(bytes: Buffer, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? back : 0
    }
  }
  return 0
}

class OtherChunks implements TextChunks {
  readonly #decoder: TextDecoder

  constructor(charset: string) {
    try {
      this.#decoder = new TextDecoder(charset, { fatal: true })
    } catch {
      throw new NotText(`is in the charset "${charset}", which is not known here`)
    }
  }

  push(bytes: Buffer): string {
    return this.#decode(bytes, true)
  }

  end(): string {
    return this.#decode(undefined, false)
  }

  #decode(bytes: Buffer | undefined, stream: boolean): string {
    try {
      return this.#decoder.decode(bytes, { stream })
    } catch {
      throw new NotText(`holds bytes that are not ${this.#decoder.encoding}`)
    }
  }
}
