/** The thin client: checks, sends, retries by kind of operation, and hands out typed values. */
import type { EntryOf, ListOperationName, OperationName, ParamsOf, ResultOf, ServiceName } from '../../contract/index.js'
import { type Clock, systemClock } from '../../system/clock.js'
import { headerValues, shownHeaderValues } from '../wire/encode.js'
import { hiderOf } from '../wire/mask.js'
import type { Connections } from './agents.js'
import type { Attempt, Outcome } from './attempt.js'
import { requestOf, shownRequest, soapVersionOf } from './bindings.js'
import { type Call, guarded, inputError, prepare } from './call.js'
import { SoapError } from './errors.js'
import type { Binding, CallOptions, ClientOptions, OperationRef, RequestDescription, SoapClient } from './options.js'
import { backOffMs, mayRetry } from './retry.js'

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 60_000
const MAX_CALL_BYTES = 64 * 1024 * 1024
const MAX_STREAM_BYTES = 1024 * 1024 * 1024
const RETRIES = 3

type Mode = 'value' | 'stream' | 'raw'

/**
 * Makes a client. Nothing is loaded or connected before the first call.
 * @throws {SoapError} kind `input` when the base address is none
 */
export function createClient(options: ClientOptions): SoapClient {
  return new Client(options)
}

class Client implements SoapClient {
  readonly #clock: Clock
  readonly #binding: Binding
  readonly #hide: (text: string) => string
  #connections: Promise<Connections> | undefined

  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options

    if (!URL.canParse(options.baseUrl) || !/^https?:/i.test(options.baseUrl)) {
      const fault = { field: 'baseUrl', value: options.baseUrl, message: 'is not an http or https address' }
      throw inputError('createClient', [fault])
    }
    this.#clock = options.clock ?? systemClock
    this.#binding = options.binding ?? 'soap12'
    this.#hide = hiderOf([options.credentials.appKey, options.credentials.token])
  }

  async call<N extends OperationName>(name: N, params: ParamsOf<N>, options?: CallOptions): Promise<ResultOf<N>> {
    return (await this.callAny(name, params, options)) as ResultOf<N>
  }

  async *stream<N extends ListOperationName>(
    name: N,
    params: ParamsOf<N>,
    options?: CallOptions,
  ): AsyncGenerator<EntryOf<N>, void> {
    const batches = this.#deliver(prepare(name, params, this.#binding), 'stream', options)
    try {
      for (;;) {
        const next = await batches.next()
        yield* (next.done === true ? next.value.value : next.value) as EntryOf<N>[]
        if (next.done === true) return
      }
    } finally {
      // Does nothing to one that has come to its end; else it closes the connection.
      await batches.return(NOTHING)
    }
  }

  async callAny(name: OperationName, params: unknown, options?: CallOptions): Promise<unknown> {
    return (await this.#finish(prepare(name, params, this.#binding), 'value', options)).value
  }

  async callUnknown(
    service: ServiceName,
    operation: string,
    params: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<unknown> {
    return (await this.#finish(prepare({ service, operation }, params, this.#binding), 'value', options)).value
  }

  async callRaw(name: OperationRef, params: unknown, options?: CallOptions): Promise<string> {
    return (await this.#finish(prepare(name, params, this.#binding), 'raw', options)).text
  }

  describe(name: OperationRef, params: unknown): RequestDescription {
    return this.#shown(prepare(name, params, this.#binding))
  }

  close(): void {
    void this.#connections?.then((connections) => connections.close())
    this.#connections = undefined
  }

  get #route() {
    const { baseUrl, namespace, userAgent } = this.#options
    return { binding: this.#binding, baseUrl, namespace, userAgent: userAgent ?? 'seller' }
  }

  #headers(call: Call) {
    const { credentials, sandbox, maxResultAge } = this.#options
    return headerValues(credentials, call.user, { sandbox: sandbox ?? 0, maxResultAge: maxResultAge ?? 0 })
  }

  #shown(call: Call): RequestDescription {
    const headers = shownHeaderValues(this.#options.credentials, this.#headers(call), call.user)
    return guarded(call, () => shownRequest(this.#route, call.content, headers))
  }

  /** The outcome of a call that hands on nothing on its way. */
  async #finish(call: Call, mode: Mode, options: CallOptions | undefined): Promise<Outcome> {
    const batches = this.#deliver(call, mode, options)
    for (;;) {
      const next = await batches.next()
      if (next.done === true) return next.value
    }
  }

  /**
   * Makes attempts until one succeeds or no further one may be made. After entries have been handed on there is no further one.
   */
  async *#deliver(call: Call, mode: Mode, options: CallOptions = {}): AsyncGenerator<unknown[], Outcome> {
    const { retries = RETRIES } = this.#options
    let earlier: SoapError | undefined
    for (let number = 1; ; number++) {
      const progress = { handedOn: false }
      try {
        return yield* this.#observed(call, number, await this.#attempt(call, mode, options, progress))
      } catch (error) {
        if (!(error instanceof SoapError)) {
          // The observer stopped a further attempt. Of a write that may have arrived, that comes first: "not sent" would deny it.
          throw earlier?.sent === true && call.kind !== 'read' ? earlier : error
        }
        if (error.sent || earlier === undefined) earlier = error
        if (progress.handedOn || number > retries || !mayRetry(call.kind, error)) throw lastError(call, error, earlier)
        await this.#pause(call, number, error, earlier, options.signal)
      }
    }
  }

  async #pause(call: Call, number: number, error: SoapError, earlier: SoapError, signal?: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(backOffMs(number, this.#clock.random(), error.retryAfterMs), signal)
    } catch {
      throw new SoapError('aborted', `${call.label}: the call was stopped.`, { operation: call.label, sent: earlier.sent })
    }
  }

  /** One attempt between the observer's begin and end. */
  async *#observed(call: Call, attempt: number, batches: () => AsyncGenerator<unknown[], Outcome>) {
    const { label: operation, kind, content } = call
    const end = this.#options.observer?.begin({ operation, service: content.service, kind, attempt })
    const started = this.#clock.now()
    let outcome: Parameters<NonNullable<typeof end>>[0] = { outcome: 'aborted', ms: 0 }
    try {
      const result = yield* batches()
      outcome = { outcome: 'ok', httpStatus: result.httpStatus, ms: 0 }
      return result
    } catch (error) {
      if (error instanceof SoapError) outcome = { outcome: asUnknown(call, error).kind, httpStatus: error.httpStatus, ms: 0 }
      throw error
    } finally {
      end?.({ ...outcome, ms: this.#clock.now() - started })
    }
  }

  async #attempt(
    call: Call,
    mode: Mode,
    options: CallOptions,
    progress: { handedOn: boolean },
  ): Promise<() => AsyncGenerator<unknown[], Outcome>> {
    const { signal, onUploadProgress } = options
    if (signal?.aborted) {
      throw new SoapError('aborted', `${call.label}: the call was stopped before it was sent.`, {
        operation: call.label,
        sent: false,
      })
    }
    const { makeAttempt } = await import('./attempt.js')
    const connections = await this.#connect()
    const request = await guarded(call, () => requestOf(this.#route, call.content, this.#headers(call)))
    const { trace, connectTimeoutMs = CONNECT_TIMEOUT_MS, silenceTimeoutMs = SILENCE_TIMEOUT_MS, maxReplyBytes } = this.#options
    const attempt: Attempt = {
      label: call.label,
      expected: { operation: call.content.name, result: call.result },
      request,
      envelope: soapVersionOf(this.#binding) !== undefined,
      exchange: {
        agents: call.kind === 'single write' ? connections.fresh : connections.kept,
        connectTimeoutMs,
        silenceTimeoutMs,
        signal,
        onUploadProgress,
      },
      maxReplyBytes: maxReplyBytes ?? (mode === 'stream' ? MAX_STREAM_BYTES : MAX_CALL_BYTES),
      streams: mode === 'stream',
      keepsText: mode === 'raw',
      progress,
      trace,
      hide: this.#hide,
      now: () => this.#clock.now(),
    }
    return () => {
      if (trace !== undefined) trace(this.#hide(requestText(this.#shown(call))))
      return makeAttempt(attempt)
    }
  }

  async #connect(): Promise<Connections> {
    this.#connections ??= import('./agents.js').then(({ openConnections }) => openConnections(this.#options.baseUrl))
    return this.#connections
  }
}

const NOTHING: Outcome = { value: undefined, text: '', httpStatus: 0 }

/** The error that ends a call: of several attempts, one that was sent outweighs one that was not. */
function lastError(call: Call, error: SoapError, earlier: SoapError): SoapError {
  if (error.kind === 'unreachable' && earlier.sent) return asUnknown(call, earlier)
  return asUnknown(call, error)
}

/**
 * A single write that was sent and got no answer we can read may have been carried out. 502, 503 and 504 are no exception: what
 * answers there is a gateway that got nothing back, and it cannot say what happened behind it. Only a 4xx says that the service
 * would not.
 */
function asUnknown(call: Call, error: SoapError): SoapError {
  if (call.kind !== 'single write' || !error.sent) return error
  const { httpStatus = 0 } = error
  const lost = error.kind === 'interrupted' || error.kind === 'unavailable' || error.kind === 'too-large'
  const unreadable = error.kind === 'not-soap' && (httpStatus < 400 || httpStatus >= 500)
  if (!lost && !unreadable) return error
  const message = `${error.message} It was sent and may or may not have been carried out: look before sending it again.`
  const { operation, sent, reason, retryAfterMs } = error
  return new SoapError('unknown-outcome', message, { operation, sent, reason, retryAfterMs, httpStatus: error.httpStatus })
}

function requestText(request: RequestDescription): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return [`--> ${request.method} ${request.url}`, ...headers, ...(request.body === undefined ? [] : ['', request.body])].join(
    '\n',
  )
}
