/** Sends replies: the headers of every reply, and large replies in pieces as fast as the reader takes them. */
import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { escaped } from '../markup.js'

/** Characters collected before they are written, for fewer and larger writes. */
const PIECE = 64 * 1024

/** As the service sends it (docs/service.md, How replies are written). */
const SERVICE_HEADERS = { 'Cache-Control': 'private, max-age=0', 'X-Content-Type-Options': 'nosniff' }

/** A reply of the service. Its text may be an Iterable that reads the store as it goes. */
export interface Reply {
  readonly status: number
  readonly type?: string
  readonly headers?: OutgoingHttpHeaders
  readonly text: string | Iterable<string> | Buffer
}

/** HTTP refusals contain a page, as sent by the service's web server, and no SOAP (docs/service.md, Refusals without SOAP). */
export function refusalPage(status: number, message: string, headers: OutgoingHttpHeaders = {}): Reply {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const text = `<!DOCTYPE html>\n<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><p>${escaped(message)}</p></body></html>\n`
  return { status, type: 'text/html; charset=utf-8', headers, text }
}

/**
 * Sends a reply. Resolves when it is passed to the system or the reader is gone. Nothing is sent before the first piece is ready,
 * so that a failure at the beginning can still become a fault.
 * @throws whatever the text's Iterable throws. If something was sent by then, the connection is ended first.
 */
export async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const pieces = inPieces(reply.text)
  const first = pieces.next()
  const second = first.done === true ? first : pieces.next()
  const start = first.done === true ? '' : first.value
  if (second.done === true) {
    const whole = Buffer.from(start)
    response.writeHead(reply.status, { ...headersOf(reply), 'Content-Length': whole.length }).end(whole)
    return
  }
  response.writeHead(reply.status, headersOf(reply))
  const all = function* () {
    yield start
    yield second.value
    yield* pieces
  }
  try {
    await pipeline(all, response)
  } catch (error) {
    // The reader is gone.
    if (!(error as NodeJS.ErrnoException).code?.startsWith('ERR_STREAM')) throw error
  }
}

/** Sends half of a reply's first piece and ends the connection, like a line that breaks. */
export async function sendCut(response: ServerResponse, reply: Reply): Promise<void> {
  const pieces = inPieces(reply.text)
  const first = pieces.next()
  pieces.return(undefined)
  const bytes = Buffer.from(first.done === true ? '\n' : first.value)
  response.writeHead(reply.status, { ...headersOf(reply), 'Content-Length': bytes.length * 2 })
  await new Promise<void>((resolve) => response.write(bytes.subarray(0, (bytes.length + 1) >> 1), () => resolve()))
  response.destroy()
}

function headersOf({ type, headers }: Reply): OutgoingHttpHeaders {
  return { ...SERVICE_HEADERS, ...headers, ...(type === undefined ? {} : { 'Content-Type': type }) }
}

function* inPieces(text: Reply['text']): Generator<string | Buffer, undefined> {
  if (typeof text === 'string' || Buffer.isBuffer(text)) {
    if (text.length > 0) yield text
    return
  }
  let piece = ''
  for (const part of text) {
    piece += part
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
