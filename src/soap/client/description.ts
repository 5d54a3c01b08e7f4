/**
 * Fetches a file, such as the description of a service (`?WSDL`): one GET without credentials, bounded in size and time, without
 * redirects.
 */
import { Buffer } from 'node:buffer'
import { capital, type ServiceName } from '../../contract/index.js'
import { openConnections, type ProxyInUse } from './agents.js'
import { servicePath } from './bindings.js'
import { CAUSES, type Cause, causeOfCode } from './causes.js'
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
  readonly deadlineMs?: number | undefined
  readonly trace?: ((text: string) => void) | undefined
}

export type FetchFault = 'unreachable' | 'interrupted' | 'too-slow' | 'too-large' | 'redirect' | 'refused' | 'status' | 'aborted'

/** The file was not fetched. The message is a sentence that names the address. */
export class FetchError extends Error {
  override name = 'FetchError'
  readonly fault: FetchFault
  /** Status of the reply, if there was one. */
  readonly httpStatus: number | undefined

  /** Why nothing was reached, where that is known. */
  readonly origin: Cause | undefined

  constructor(fault: FetchFault, message: string, httpStatus?: number, origin?: Cause) {
    super(message)
    this.fault = fault
    this.httpStatus = httpStatus
    this.origin = origin
  }
}

const CONNECT_TIMEOUT_MS = 10_000
const DEADLINE_MS = 30_000

/** The address of a service's description. */
export function descriptionAddress(baseUrl: string, service: ServiceName): string {
  return `${servicePath(baseUrl, service)}?WSDL`
}

/** Media types to ask for, by what is fetched. */
const WANTED = {
  description: 'text/xml, application/wsdl+xml, application/xml',
  picture: 'image/*',
  'release file': 'application/json',
  'sign of life': '*/*',
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
    refuseByProxy(url, reply, connections.proxy)
    refuseStatus(url, what, reply)
    return { bytes: await readBody(url, reply, maxBytes), contentType: reply.header('content-type') }
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error
    if (signal.aborted) throw new FetchError('aborted', 'The fetch was stopped.')
    throw transportError(url, error, deadlineMs, connections.proxy)
  } finally {
    connections.close()
  }
}

function refuseByProxy(url: string, { status, byProxy }: HttpReply, proxy: ProxyInUse | undefined): void {
  if (!byProxy && status !== 407) return
  const proxyReason = proxy?.named === true ? 'proxy_password' : 'proxy_asks'
  throw causeError(url, status === 407 ? proxyReason : status >= 500 ? 'proxy_gateway' : 'proxy_forbids', { proxy, status })
}

/** @param code of the system, if it gave one */
function causeError(
  url: string,
  origin: Cause,
  {
    proxy,
    status,
    code,
  }: { readonly proxy?: ProxyInUse | undefined; readonly status?: number; readonly code?: string | undefined },
): FetchError {
  const why = CAUSES[origin].why({ host: new URL(url).host, proxy: proxy?.host, status })
  return new FetchError('unreachable', `${capital(why)}${code === undefined ? '' : ` (${code})`}.`, status, origin)
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

async function readBody(url: string, reply: HttpReply, maxBytes: number): Promise<Buffer> {
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

function transportError(url: string, error: TransportFailure, deadlineMs: number, proxy: ProxyInUse | undefined): FetchError {
  const { host } = new URL(url)
  const code = error.code === undefined ? '' : ` (${error.code})`
  if (error.reason !== 'connection')
    return new FetchError('too-slow', `${host} did not answer completely within ${deadlineMs / 1000} s.`)
  const origin = causeOfCode(error.code, !error.made && proxy !== undefined)
  if (origin !== undefined && (!error.made || origin === 'client_certificate'))
    return causeError(url, origin, { proxy, code: error.code })
  if (!error.made) return new FetchError('unreachable', `No connection to ${host}${code}.`)
  return new FetchError('interrupted', `The connection to ${host} was lost${code}.`)
}
