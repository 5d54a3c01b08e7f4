/** Decodes the bytes of a reply, in chunks cut anywhere. */
import { Buffer, isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

/** Bytes that do not fit the charset they claim. */
export class NotText extends Error {
  override name = 'NotText'
}

export interface TextChunks {
  /** @throws {NotText} */
  push(bytes: Buffer): string
  /** What is left after the last chunk. @throws {NotText} if a character was cut short */
  end(): string
}

/**
 * Makes a decoder for the charset of a content type, by default UTF-8.
 * @throws {NotText} if the charset is not known
 */
export function textChunks(contentType: string | undefined): TextChunks {
  return isUtf8Type(contentType) ? new Utf8Chunks() : new OtherChunks(charsetOf(contentType))
}

/** Whether bytes of a content type are UTF-8, which is also the default without a charset. */
export function isUtf8Type(contentType: string | undefined): boolean {
  return ['utf-8', 'utf8', 'us-ascii'].includes(charsetOf(contentType))
}

function charsetOf(contentType = ''): string {
  return /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8'
}

/** UTF-8 through Buffer: four times as fast as a streaming TextDecoder, and one byte per character for Western text. */
class Utf8Chunks implements TextChunks {
  #rest: Buffer | undefined

  push(bytes: Buffer): string {
    const all = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes])
    const whole = all.length - openTail(all, all.length)
    this.#rest = whole === all.length ? undefined : all.subarray(whole)
    const complete = all.subarray(0, whole)
    if (!isUtf8(complete)) throw new NotText('the reply holds bytes that are not UTF-8')
    return complete.toString('utf8')
  }

  end(): string {
    if (this.#rest !== undefined) throw new NotText('the reply ends inside a character')
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
      throw new NotText(`the reply is in a charset that is not known here: "${charset}"`)
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
      throw new NotText(`the reply holds bytes that are not ${this.#decoder.encoding}`)
    }
  }
}
