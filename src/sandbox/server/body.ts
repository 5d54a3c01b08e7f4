/** Reads a request's body, up to a limit. */
import type { IncomingMessage } from 'node:http'

/**
 * The most bytes of a request: a shop item with several images of 4 MB, in base64, and some more. The largest that a client of
 * the service needs is far below.
 */
export const MAX_BODY_BYTES = 64 * 1024 * 1024

/** A body that is not read: too large, or in an unknown encoding. It has the HTTP status for the reply. */
export class UnreadBody extends Error {
  constructor(
    readonly status: 413 | 415,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Reads the whole body.
 * @throws {UnreadBody} beyond `limit` bytes, or if it is compressed
 */
export async function readBody(request: IncomingMessage, limit = MAX_BODY_BYTES): Promise<Buffer> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    request.resume()
    throw new UnreadBody(415, `A body with Content-Encoding "${encoding}" is not understood; send it as it is.`)
  }
  const tooLarge = () => {
    // Discards what still arrives: closing the connection in the middle would lose the refusal.
    request.resume()
    return new UnreadBody(413, `The body is larger than ${limit} bytes.`)
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** A content type without its parameters, in lower case; '' if there is none. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** A parameter of the content type (`charset`, `action`) without quotes; undefined if it is missing. */
export function mediaParameter(request: IncomingMessage, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]*))`, 'i').exec(request.headers['content-type'] ?? '')
  return match === null ? undefined : (match[1] ?? match[2])
}
