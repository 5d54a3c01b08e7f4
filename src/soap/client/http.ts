/**
 * One HTTP exchange through got, with time-outs and without redirects or retries of its own. An error of got holds the whole
 * request with its headers, so none leaves this file: failures are reported by a code, in our own words.
 */
import { Buffer } from 'node:buffer'
import type { ClientRequest, Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import tls from 'node:tls'
import type { Got, Request as GotStream } from 'got'
import { steadyMs } from '../../system/clock.js'
import type { HttpRequest } from './bindings.js'
import type { TimeLeft } from './time-left.js'

/** Connections by the protocol of an address, and got over them: it checks every option one by one each time it is given. */
export class Agents {
  readonly #agents: { readonly http?: HttpAgent; readonly https?: HttpsAgent }
  readonly #gots = new Map<number, Promise<Got>>()

  constructor(agents: { readonly http?: HttpAgent; readonly https?: HttpsAgent }) {
    this.#agents = agents
  }

  get http(): HttpAgent | undefined {
    return this.#agents.http
  }

  get https(): HttpsAgent | undefined {
    return this.#agents.https
  }

  /** got with the options that are the same for all calls. */
  gotFor(connectTimeoutMs: number): Promise<Got> {
    const knownGot = this.#gots.get(connectTimeoutMs) ?? this.#extended(connectTimeoutMs)
    this.#gots.set(connectTimeoutMs, knownGot)
    return knownGot
  }

  async #extended(connectTimeoutMs: number): Promise<Got> {
    const { default: got } = await import('got')
    return got.extend({
      agent: { ...this.#agents },
      timeout: { lookup: connectTimeoutMs, connect: connectTimeoutMs, secureConnect: connectTimeoutMs },
      retry: { limit: 0 },
      followRedirect: false,
      // Not deflate: some servers send it raw, others with a header, under the same word (RFC 9110, 8.4.1.2).
      headers: { 'accept-encoding': 'gzip, br' },
      throwHttpErrors: false,
      http2: false,
      // got's default, only asked for with a certificate: node:tls costs a start by plain HTTP 10 ms.
      https: { checkServerIdentity: (host, certificate) => tls.checkServerIdentity(host, certificate) },
    })
  }
}

export interface ExchangeOptions {
  readonly agents: Agents
  readonly connectTimeoutMs: number
  readonly silenceTimeoutMs: number
  /** The time left for the whole call. */
  readonly time: TimeLeft
  readonly signal?: AbortSignal | undefined
  /** Time for which the reply to a request that was sent is still waited for after `signal`, ms; by default not at all. */
  readonly graceMs?: number | undefined
  readonly onUploadProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined
  /** Called once the request has been given to the connection. */
  readonly onSent?: (() => void) | undefined
}

export interface HttpReply {
  readonly status: number
  /** True if the proxy has answered in place of the service: no connection to the service was made. */
  readonly byProxy: boolean
  /** A header's value by its lower-cased name. */
  header(name: string): string | undefined
  /**
   * The body, unpacked, as fast as the caller reads it. Leaving the loop early closes the connection.
   * @throws {TransportFailure}
   */
  chunks(): AsyncGenerator<Buffer, void>
}

/** silence: no byte in the time allowed for that; time: the whole call took too long. */
export type FailureCause = 'connection' | 'silence' | 'time' | 'aborted'

/** The exchange was not completed. */
export class TransportFailure extends Error {
  override name = 'TransportFailure'

  constructor(
    readonly reason: FailureCause,
    /** True if the connection was made, so that the service may have received the request. */
    readonly made: boolean,
    /** The system's code (ECONNREFUSED, CERT_HAS_EXPIRED), if there is one. */
    readonly code: string | undefined,
  ) {
    super(code ?? reason)
  }
}

/** Larger bodies are sent in slices, so that progress can be seen and a slow line does not look like a silent one. */
const SLICE_BYTES = 64 * 1024

/**
 * Sends a request and waits for the head of the reply.
 * @throws {TransportFailure}
 */
export async function exchange(request: HttpRequest, options: ExchangeOptions): Promise<HttpReply> {
  const gotClient = await options.agents.gotFor(options.connectTimeoutMs)
  const body = request.body === undefined ? undefined : Buffer.from(request.body)
  let stream: GotStream
  try {
    stream = gotClient.stream(request.url, {
      method: request.method,
      headers: { ...request.headers, ...(body === undefined ? {} : { 'content-length': String(body.length) }) },
      body: body === undefined || body.length <= SLICE_BYTES ? body : slices(body),
    })
  } catch {
    throw new TransportFailure('connection', false, 'ERR_INVALID_URL')
  }
  const line = new Line(stream, request, options)
  return line.head()
}

function* slices(body: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < body.length; at += SLICE_BYTES) yield body.subarray(at, at + SLICE_BYTES)
}

/**
 * A stream of got, with a limit on its silence. The clock runs only while we wait for the stream, never while the reader takes
 * its time.
 */
class Line {
  #isConnected = false
  #socket: { readonly encrypted?: boolean } | undefined
  readonly #secure: boolean
  #reason: FailureCause = 'connection'
  #code: string | undefined
  #hasEnded = false
  #timer: NodeJS.Timeout | undefined
  /** Removes the listener from the caller's signal. */
  #release: () => void = () => {}

  readonly #stream: GotStream
  readonly #options: ExchangeOptions

  constructor(stream: GotStream, request: HttpRequest, options: ExchangeOptions) {
    this.#stream = stream
    this.#options = options
    this.#secure = request.url.startsWith('https:')

    // This listener stays: an error after we stopped reading must not end the process.
    stream.on('error', ({ code, message }: { code?: unknown; message?: unknown }) => {
      // With TLS 1.2 only the text of OpenSSL tells an alert from a server that does not speak TLS.
      const isRefusal = code === 'EPROTO' && /alert handshake failure/.test(String(message))
      if (typeof code === 'string') this.#code ??= isRefusal ? 'ERR_SSL_ALERT_HANDSHAKE_FAILURE' : code
    })
    stream.once('request', (clientRequest: ClientRequest) => {
      clientRequest.once('finish', () => options.onSent?.())
      clientRequest.once('socket', (socket) => {
        this.#socket = socket as { readonly encrypted?: boolean }
        // A kept connection, or one through a proxy, is already connected; one that the system refused at once is closed. No code
        // tells: one that was made can end with EHOSTUNREACH too (tcp(7)).
        if (!socket.connecting && !socket.destroyed) this.#isConnected = true
        else
          socket.once(this.#secure ? 'secureConnect' : 'connect', () => {
            this.#isConnected = true
          })
      })
    })
    stream.on('uploadProgress', ({ transferred, total }) => {
      if (this.#timer !== undefined) this.#timer.refresh()
      if (transferred > 0) options.onUploadProgress?.(transferred, total ?? transferred)
    })
    const { signal, graceMs = 0 } = options
    if (signal === undefined) return
    let grace: NodeJS.Timeout | undefined
    const abort = () => {
      if (this.#isConnected && graceMs > 0) grace = setTimeout(() => this.#stop('aborted'), graceMs)
      else this.#stop('aborted')
    }
    signal.addEventListener('abort', abort, { once: true })
    // got's streams do not destroy themselves, so a reply that was read to its end emits no close. Without this, the listener and
    // with it the whole stream would stay as long as the signal, call after call.
    this.#release = () => {
      clearTimeout(grace)
      signal.removeEventListener('abort', abort)
    }
    stream.once('close', this.#release)
    if (signal.aborted) abort()
  }

  #stop(reason: FailureCause): void {
    if (this.#hasEnded) return
    this.#reason = reason
    this.#stream.destroy(new Error(reason))
  }

  #failure(): TransportFailure {
    const code = this.#code?.startsWith('ERR_GOT') ? undefined : this.#code
    return new TransportFailure(this.#reason, this.#isConnected, this.#reason === 'connection' ? code : undefined)
  }

  /** Waits for one event of the stream, at most as long as silence is allowed and as the call has time left. */
  async #watched<T>(wait: () => Promise<T>): Promise<T> {
    const { time } = this.#options
    const began = steadyMs()
    const { leftMs } = time
    // Data that has arrived already would always win over a timer.
    if (leftMs === 0) this.#stop('time')
    const deadline = setTimeout(() => this.#stop('time'), leftMs)
    this.#timer = setTimeout(() => this.#stop('silence'), this.#options.silenceTimeoutMs)
    try {
      return await wait()
    } catch {
      throw this.#failure()
    } finally {
      clearTimeout(this.#timer)
      this.#timer = undefined
      clearTimeout(deadline)
      time.spend(steadyMs() - began)
    }
  }

  async head(): Promise<HttpReply> {
    const response = await this.#watched(
      () =>
        new Promise<{ statusCode: number; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
          this.#stream.once('response', resolve)
          this.#stream.once('error', reject)
        }),
    )
    return {
      status: response.statusCode,
      byProxy: this.#secure && this.#socket !== undefined && this.#socket.encrypted !== true,
      header: (name) => {
        const value = response.headers[name]
        return Array.isArray(value) ? value[0] : value
      },
      chunks: () => this.#chunks(),
    }
  }

  async *#chunks(): AsyncGenerator<Buffer, void> {
    const iterator = this.#stream[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await this.#watched(() => iterator.next())
        if (next.done === true) {
          this.#hasEnded = true
          return
        }
        yield next.value as Buffer
      }
    } finally {
      this.#release()
      if (!this.#hasEnded) this.#stream.destroy()
    }
  }
}
