/** Decodes the bytes of a description. */
import { Buffer } from 'node:buffer'
import { detectCharset, NotText, textChunks } from '../wire/text.js'

/** The most bytes of a description that are read. The ones we have seen have 50 to 600 kB. */
export const MAX_DESCRIPTION_BYTES = 8 * 1024 * 1024

/**
 * Decodes by `detectCharset`.
 * @throws {DescriptionError} if the bytes do not fit the charset, the charset is not known, or there are more than the limit
 */
export function descriptionText(source: string | Uint8Array, contentType?: string): string {
  if (source.length > MAX_DESCRIPTION_BYTES) {
    throw new DescriptionError('too-large', `is larger than ${MAX_DESCRIPTION_BYTES / 1024 / 1024} MB, which is the limit`)
  }
  if (typeof source === 'string') return source.replace(/^\uFEFF/, '')
  try {
    const text = textChunks(detectCharset(source, contentType))
    return (text.push(Buffer.from(source)) + text.end()).replace(/^\uFEFF/, '')
  } catch (error) {
    if (!(error instanceof NotText)) throw error
    throw new DescriptionError('not-xml', error.what)
  }
}

export type DescriptionFault =
  /** Not well-formed XML, a DTD, or bytes that do not fit their charset. */
  | 'not-xml'
  /** A web page: the address leads elsewhere, or to a login. */
  | 'web-page'
  /** XML, but not WSDL 1.1. */
  | 'not-wsdl'
  /** Larger or deeper than we read, or with more elements. */
  | 'too-large'
  /** WSDL without an operation that can be called. */
  | 'no-operations'

/** Nothing of the text can be used. The message is a clause about "the description", without a full stop. */
export class DescriptionError extends Error {
  override name = 'DescriptionError'

  constructor(
    readonly fault: DescriptionFault,
    message: string,
  ) {
    super(message)
  }
}
