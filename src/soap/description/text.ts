/** Decodes the bytes of a description. */
import { Buffer } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { DescriptionError } from './errors.js'

/** The most bytes of a description that are read. The ones we have seen have 50 to 600 kB. */
export const MAX_DESCRIPTION_BYTES = 8 * 1024 * 1024

/**
 * Decodes by the byte order mark, else the charset of the content type, else the XML declaration, else as UTF-8 (RFC 7303, 3).
 * @throws {DescriptionError} if the bytes do not fit the charset, the charset is not known, or there are more than the limit
 */
export function descriptionText(source: string | Uint8Array, contentType?: string): string {
  if (source.length > MAX_DESCRIPTION_BYTES) {
    throw new DescriptionError('too-large', `is larger than ${MAX_DESCRIPTION_BYTES / 1024 / 1024} MB, which is the limit`)
  }
  if (typeof source === 'string') return source.replace(/^\uFEFF/, '')
  const charset = markedCharset(source) ?? namedCharset(contentType) ?? declaredCharset(source) ?? 'utf-8'
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(charset, { fatal: true })
  } catch {
    throw new DescriptionError('not-xml', `is in the charset "${charset}", which is not known here`)
  }
  try {
    return decoder.decode(source)
  } catch {
    throw new DescriptionError('not-xml', `holds bytes that are not ${decoder.encoding}`)
  }
}

function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function namedCharset(contentType = ''): string | undefined {
  return /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  return /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1]
}
