/** Fetches a file, such as the description of a service (`?WSDL`): one GET without credentials, bounded in size and time, without redirects. */
import { Buffer } from 'node:buffer'
import type { ServiceName } from '../../contract/index.js'
import { openConnections } from './agents.js'
import { servicePath } from './bindings.js'
import { exchange, type HttpReply, TransportFailure } from './http.js'
import { TimeLeft } from './time-left.js'

/** A file as it was received. */
export interface FetchedFile {
  readonly bytes: Buffer
  readonly contentType: string | undefined
}

export interface FetchOptions {
  readonly signal: AbortSignal
  readonly userAgent: string
  /** The most bytes that are read, unpacked. */
  readonly maxBytes: number
  /** Milliseconds for the whole exchange; 30 000 by default. */
  readonly deadlineMs?: number
  readonly trace?: (text: string) => void
}

export type FetchFault = 'unreachable' | 'interrupted' | 'too-slow' | 'too-large' | 'redirect' | 'refused' | 'status' | 'aborted'

/** The file was not fetched. The message is a sentence that names the address. */
export class FetchError extends Error {
  override name = 'FetchError'
  readonly fault: FetchFault
  /** Status of the reply, if there was one. */
  readonly httpStatus: number | undefined

  constructor(fault: FetchFault, message: string, httpStatus?: number) {
    super(message)
    this.fault = fault
    this.httpStatus = httpStatus
  }
}

const CONNECT_TIMEOUT_MS = 10_000
const DEADLINE_MS = 30_000

/** The address of a service's description. */
export function descriptionAddress(baseUrl: string, service: ServiceName): string {
  return `${servicePath(baseUrl, service)}?WSDL`
}

/** What is fetched, with the media types that are asked for. */
const WANTED = {
  description: 'text/xml, application/wsdl+xml, application/xml',
  picture: 'image/*',
  'release file': 'application/json',
} as const
type Wanted = keyof typeof WANTED

/** Fetches a file by its whole address: without credentials, bounded, without redirects. @throws {FetchError} */
export async function fetchFile(what: Wanted, url: string, options: FetchOptions): Promise<FetchedFile> {
  const { signal, userAgent, maxBytes, deadlineMs = DEADLINE_MS, trace } = options
  const deadline = AbortSignal.timeout(deadlineMs)
  const connections = await openConnections(url)
  let status: number | undefined
  trace?.(`--> GET ${url}`)
  try {
    const headers = { accept: WANTED[what], 'user-agent': userAgent }
    const reply = await exchange(
      { method: 'GET', url, headers },
      {
        agents: connections.kept,
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        silenceTimeoutMs: deadlineMs,
        time: new TimeLeft(deadlineMs),
        signal: AbortSignal.any([signal, deadline]),
      },
    )
    status = reply.status
    trace?.(`<-- HTTP ${status} ${reply.header('content-type') ?? ''}`)
    refuseStatus(url, what, reply)
    return { bytes: await bodyOf(url, reply, maxBytes), contentType: reply.header('content-type') }
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error
    if (signal.aborted) throw new FetchError('aborted', 'The fetch was stopped.')
    throw transportError(url, error, deadlineMs)
  } finally {
    connections.close()
  }
}

function refuseStatus(url: string, what: Wanted, reply: HttpReply): void {
  const { status } = reply
  if (status >= 200 && status <= 299) return
  if (status >= 300 && status <= 399) {
    const location = reply.header('location')
    const to = location !== undefined && URL.canParse(location, url) ? ` to ${new URL(location, url).href}` : ''
    throw new FetchError('redirect', `${url} answers with a redirect (HTTP ${status})${to}, which is not followed.`, status)
  }
  if (status === 401 || status === 403)
    throw new FetchError('refused', `${url} refuses to show its ${what} (HTTP ${status}).`, status)
  throw new FetchError('status', `${url} answers HTTP ${status}, not a ${what}.`, status)
}

async function bodyOf(url: string, reply: HttpReply, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of reply.chunks()) {
    size += chunk.length
    if (size > maxBytes)
      throw new FetchError('too-large', `${url} answers with more than ${maxBytes} bytes, which is the limit.`, reply.status)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function transportError(url: string, error: TransportFailure, deadlineMs: number): FetchError {
  const { host } = new URL(url)
  const code = error.code === undefined ? '' : ` (${error.code})`
  if (error.reason !== 'connection')
    return new FetchError('too-slow', `${host} did not answer completely within ${deadlineMs / 1000} s.`)
  if (!error.made) return new FetchError('unreachable', `No connection to ${host}${code}.`)
  return new FetchError('interrupted', `The connection to ${host} was lost${code}.`)
}
