/** The thin client: it checks, sends, retries by kind of operation, and returns typed values. */
import {
  checkReply,
  checkReplyEntry,
  type EntryOf,
  type ListOperationName,
  type OperationName,
  operations,
  type ParamsOf,
  type ResultOf,
  Speaker,
  sentence,
  withoutList,
} from '../../contract/index.js'
import { type Clock, systemClock } from '../../system/clock.js'
import { durationText } from '../../system/durations.js'
import { Frames, headerValues, shownHeaderValues } from '../wire/encode.js'
import { createHider } from '../wire/mask.js'
import type { Connections } from './agents.js'
import type { Attempt, Outcome } from './attempt.js'
import { buildRequest, shownRequest, soapVersionOf } from './bindings.js'
import { type Call, guarded, inputError, prepare, refuseInsecureAddress } from './call.js'
import { isRefusal, SoapError } from './errors.js'
import type {
  Binding,
  CallObserver,
  CallOptions,
  ClientOptions,
  FieldOf,
  OperationRef,
  RawReply,
  RecordEnd,
  RequestDescription,
  SoapClient,
  StreamOptions,
} from './options.js'
import { backOffMs, mayRetry } from './retry.js'
import { TimeLeft } from './time-left.js'

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 60_000
const CALL_TIMEOUT_MS = 5 * 60_000
/** After Ctrl-C. Without its reply nobody knows whether a single write was carried out, and most come within this. */
const LAST_REPLY_MS = 2_000
/** The list of a large shop takes many minutes over a slow line, and is shown as it arrives. */
const LIST_TIMES = 6
const MAX_CALL_BYTES = 64 * 1024 * 1024
const RETRIES = 3

type Mode = 'value' | 'stream' | 'raw'

/**
 * Makes a client. Nothing is loaded or connected before the first call.
 * @throws {SoapError} kind `input` if the base address is not one
 */
export function createClient(options: ClientOptions): SoapClient {
  return new Client(options)
}

class Client implements SoapClient {
  readonly #clock: Clock
  readonly #binding: Binding
  readonly #hide: (text: string) => string
  readonly #speaker: Speaker
  #connections: Promise<Connections> | undefined
  readonly #frames = new Frames()

  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options

    if (!URL.canParse(options.baseUrl) || !/^https?:/i.test(options.baseUrl)) {
      const fault = { field: 'baseUrl', value: options.baseUrl, message: 'is not an http or https address' }
      throw inputError('createClient', [fault])
    }
    this.#clock = options.clock ?? systemClock
    this.#binding = options.binding ?? 'soap12'
    this.#speaker = new Speaker(options.dialect)
    this.#hide = createHider([options.credentials.appKey, options.credentials.token])
  }

  async call<N extends OperationName>(name: N, params: ParamsOf<N>, options?: CallOptions): Promise<ResultOf<N>> {
    return (await this.callAny(name, params, options)) as ResultOf<N>
  }

  async *stream<N extends ListOperationName, F extends FieldOf<N> = FieldOf<N>>(
    name: N,
    params: ParamsOf<N>,
    options?: StreamOptions<F>,
  ): AsyncGenerator<Pick<EntryOf<N>, F>, void> {
    const batches = this.#deliver(this.#toSend(name, params), 'stream', options)
    try {
      for (;;) {
        const next = await batches.next()
        yield* (next.done === true ? next.value.value : next.value) as Pick<EntryOf<N>, F>[]
        if (next.done === true) return
      }
    } finally {
      // Does nothing if the generator has ended, else closes the connection.
      await batches.return(NOTHING)
    }
  }

  async callAny(name: OperationRef, params: unknown, options?: CallOptions): Promise<unknown> {
    return (await this.#finish(this.#toSend(name, params), 'value', options)).value
  }

  async callRaw(name: OperationRef, params: unknown, options?: CallOptions): Promise<RawReply> {
    return this.#finish(this.#toSend(name, params), 'raw', options)
  }

  async describe(name: OperationRef, params: unknown): Promise<RequestDescription> {
    return this.#describe(this.#prepare(name, params))
  }

  close(): void {
    void this.#connections?.then((connections) => connections.close())
    this.#connections = undefined
  }

  #prepare(name: OperationRef, params: unknown): Call {
    return prepare(name, params, this.#binding, this.#speaker)
  }

  /** A call that may be sent; what is only described needs nobody's yes. */
  #toSend(name: OperationRef, params: unknown): Call {
    const call = this.#prepare(name, params)
    if (this.#options.insecureAddress !== true) refuseInsecureAddress(call, this.#binding)
    return call
  }

  get #route() {
    const { baseUrl, namespace, userAgent } = this.#options
    return { binding: this.#binding, baseUrl, namespace, userAgent: userAgent ?? 'seller', frames: this.#frames }
  }

  /** True if the seller's header is sent. A token that its command has not printed is not needed for what anybody may ask. */
  #forUser({ user, asSeller }: Call): boolean {
    return user || (asSeller === true && this.#options.credentials.token !== undefined)
  }

  #headers(call: Call) {
    const { credentials, sandbox, maxResultAge } = this.#options
    return headerValues(credentials, this.#forUser(call), { sandbox: sandbox ?? 0, maxResultAge: maxResultAge ?? 0 })
  }

  #describe(call: Call): Promise<RequestDescription> {
    const headers = shownHeaderValues(this.#options.credentials, this.#headers(call), this.#forUser(call))
    return guarded(call, () => shownRequest(this.#route, call.content, headers))
  }

  /** The outcome of a call that does not hand on entries on its way. */
  async #finish(call: Call, mode: Mode, options: CallOptions | undefined): Promise<Outcome> {
    const batches = this.#deliver(call, mode, options)
    for (;;) {
      const next = await batches.next()
      if (next.done === true) return next.value
    }
  }

  /** Makes attempts until one succeeds or no other may be made. After entries were handed on, none may. */
  async *#deliver(call: Call, mode: Mode, options: StreamOptions<string> = {}): AsyncGenerator<unknown[], Outcome> {
    const { retries = RETRIES, changed } = this.#options
    // Operations that a description types are sent as the description says.
    const request = Object.hasOwn(operations, call.label) ? call.asked : undefined
    const why = request && (await changed?.(call.content.service, request.operation.name, request.params))
    if (why !== undefined) {
      const kind = why.Binding === undefined ? 'changed' : 'binding'
      const details = { operation: call.label, sent: false, remedy: why.remedy }
      throw new SoapError(kind, `${call.label} is not sent: ${why.Message}`, details)
    }
    const earlier: SoapError[] = []
    const time = new TimeLeft(
      Math.min(this.#timeout(mode), options.endsWithinMs ?? Number.POSITIVE_INFINITY),
      this.#options.deadlineMs,
    )
    const begunAt = this.#clock.now()
    for (let number = 1; ; number++) {
      const progress = { handedOn: false }
      try {
        return yield* this.#observed(
          call,
          number,
          await this.#attempt(call, mode, options, { progress, time, first: number === 1 }),
        )
      } catch (error) {
        if (!(error instanceof SoapError)) {
          // The observer stopped another attempt. If an earlier one may have arrived, its error is thrown: "not sent" would deny
          // it.
          const lostError = earlier.findLast((one) => one.sent)
          throw lostError !== undefined && call.kind !== 'read' ? lostError : error
        }
        if (progress.handedOn || number > retries || !mayRetry(call.kind, error)) throw lastError(call, error, earlier)
        earlier.push(error)
        await this.#pause(call, number, { earlier, time, begun: begunAt, signal: options.signal ?? this.#options.signal })
      }
    }
  }

  /** The time-out of a whole call, in ms. */
  #timeout(mode: Mode): number {
    const { callTimeoutMs = CALL_TIMEOUT_MS, listTimeoutMs = callTimeoutMs * LIST_TIMES } = this.#options
    return mode === 'stream' ? listTimeoutMs : callTimeoutMs
  }

  /** Waits before the next attempt. If the wait would take longer than the call may, it throws the last error at once. */
  async #pause(
    call: Call,
    number: number,
    { earlier, time, begun, signal }: { earlier: SoapError[]; time: TimeLeft; begun: number; signal?: AbortSignal | undefined },
  ): Promise<void> {
    const last = earlier.at(-1)
    const ms = backOffMs(number, this.#clock.random(), last?.retryAfterMs)
    if (last !== undefined && ms >= time.leftMs) {
      // The message for a call that ran out of time already says so.
      const why = time.leftMs === 0 ? last : tooLongAWait(last, ms, time.leftMs)
      throw lastError(call, why, earlier.slice(0, -1))
    }
    time.spend(ms)
    if (last !== undefined) this.#options.onPause?.(ms, last, this.#clock.now() - begun)
    try {
      await this.#clock.sleep(ms, signal)
    } catch {
      throw aborted(
        call,
        earlier.some((one) => one.sent),
      )
    }
  }

  /** One attempt, between `begin` and `end` of the observer. */
  async *#observed(call: Call, attempt: number, batches: () => AsyncGenerator<unknown[], Outcome>) {
    const { label: operation, kind, content } = call
    const { observer } = this.#options
    await observer?.ready?.(kind)
    const end = await observer?.begin({ operation, service: content.service, kind, attempt })
    const startedAt = this.#clock.now()
    // A caller that leaves the loop early got what it wanted (`--limit`, `| head`): the service answered.
    let outcome: Parameters<RecordEnd>[0] = { outcome: 'ok', ms: 0 }
    try {
      const result = yield* settledFirst(batches(), observer)
      outcome = { outcome: 'ok', httpStatus: result.httpStatus, ms: 0 }
      return result
    } catch (error) {
      const knownError = error instanceof SoapError ? asUnknown(call, error) : undefined
      outcome = { outcome: knownError?.kind ?? 'aborted', httpStatus: knownError?.httpStatus, ms: 0 }
      throw error
    } finally {
      end?.({ ...outcome, ms: this.#clock.now() - startedAt })
    }
  }

  async #attempt(
    call: Call,
    mode: Mode,
    options: StreamOptions<string>,
    { progress, time, first }: { progress: { handedOn: boolean }; time: TimeLeft; first: boolean },
  ): Promise<() => AsyncGenerator<unknown[], Outcome>> {
    const { signal = this.#options.signal, onUploadProgress } = options
    if (signal?.aborted) {
      throw aborted(call, false)
    }
    const { makeAttempt } = await import('./attempt.js')
    const connections = await this.#connect()
    const request = await guarded(call, () => buildRequest(this.#route, call.content, this.#headers(call)))
    if (first) time.allowUpload(request.body?.length ?? 0)
    const { trace, connectTimeoutMs = CONNECT_TIMEOUT_MS, silenceTimeoutMs = SILENCE_TIMEOUT_MS, maxReplyBytes } = this.#options
    const attempt: Attempt = {
      label: call.label,
      expected: {
        operation: call.content.name,
        namespace: this.#options.namespace,
        result: call.result,
        fields: options.fields,
      },
      check: replyChecks(call, options.fields),
      none: absentResult(call, options.onAbsent),
      request,
      envelope: soapVersionOf(this.#binding) !== undefined,
      proxy: connections.proxy,
      exchange: {
        agents: call.kind === 'single write' ? connections.fresh : connections.kept,
        connectTimeoutMs,
        silenceTimeoutMs,
        time,
        signal,
        graceMs: call.kind === 'single write' ? LAST_REPLY_MS : 0,
        onUploadProgress,
        onSent: () => this.#options.observer?.left?.(),
      },
      // A stream keeps nothing of what it hands on, so only memory bounds it (attempt.ts).
      maxReplyBytes: maxReplyBytes ?? (mode === 'stream' ? Number.POSITIVE_INFINITY : MAX_CALL_BYTES),
      streams: mode === 'stream',
      keepsText: mode === 'raw',
      progress,
      onReplaced: this.#options.onReplaced,
      onUnread: this.#options.onUnread,
      trace,
      hide: this.#hide,
      words: (text) => this.#speaker.words(text),
      clock: this.#clock,
    }
    const requestTrace = trace === undefined ? '' : this.#hide(requestText(await this.#describe(call)))
    return () => {
      trace?.(requestTrace)
      return makeAttempt(attempt)
    }
  }

  async #connect(): Promise<Connections> {
    this.#connections ??= import('./agents.js').then(({ openConnections }) => openConnections(this.#options.baseUrl))
    return this.#connections
  }
}

/** The batches of an attempt. The first is handed on when the observer is ready for it. */
async function* settledFirst(batches: AsyncGenerator<unknown[], Outcome>, observer: CallObserver | undefined) {
  if (observer?.settled === undefined) return yield* batches
  try {
    const first = await batches.next()
    await observer.settled()
    if (first.done === true) return first.value
    yield first.value
    return yield* batches
  } catch (error) {
    // The error of the call counts of two errors; that of the observer comes with the next call.
    await observer.settled()?.catch(() => undefined)
    throw error
  } finally {
    await batches.return(NOTHING)
  }
}

const NOTHING: Outcome = { value: undefined, text: '', httpStatus: 0 }

/**
 * The error that ends a call. If an attempt was sent and another was not, the one that was sent counts. How the last attempt was
 * refused does not tell whether an earlier one, whose reply was lost, was carried out.
 */
function lastError(call: Call, error: SoapError, earlier: readonly SoapError[]): SoapError {
  const lostError = earlier.findLast((one) => one.sent && !isRefusal(one))
  if (lostError === undefined) return asUnknown(call, error)
  if (error.kind === 'aborted') return aborted(call, true)
  const last = error.sent ? error : asUnknown(call, lostError)
  last.lostBefore = true
  return last
}

/** The error for a call whose next attempt would have to wait longer than the call may take. */
function tooLongAWait(error: SoapError, ms: number, leftMs: number): SoapError {
  const who = error.retryAfterMs === undefined ? 'The next attempt would come' : 'The service asks to come back'
  const remainingWords = `but only ${durationText(leftMs)} are left for the call (call_timeout).`
  return error.as(error.kind, `${error.message} ${who} in ${durationText(ms)}, ${remainingWords}`)
}

function aborted(call: Call, wasSent: boolean): SoapError {
  const sentNote = wasSent ? '' : ' before it was sent'
  return new SoapError('aborted', `${call.label}: the call was stopped${sentNote}.`, { operation: call.label, sent: wasSent })
}

/**
 * A single write that was sent may have been carried out, unless the service itself refused it. 502, 503 and 504 are not
 * refusals: a gateway answers them when it gets no reply, and it cannot know what happened behind it.
 */
function asUnknown(call: Call, error: SoapError): SoapError {
  if (call.kind !== 'single write' || !error.sent || error.kind === 'aborted' || isRefusal(error)) return error
  const words = `${sentence(error.message)} It was sent and may or may not have been carried out. Check before you send it again.`
  return error.as('unknown-outcome', words)
}

/** Reading of an absent list as empty, where the caller takes it so. */
function absentResult({ asked }: Call, onAbsent: (() => void) | undefined): Attempt['none'] {
  if (asked === undefined || onAbsent === undefined) return undefined
  return (value) => {
    const none = withoutList(asked.operation, value)
    if (none !== undefined) onAbsent()
    return none
  }
}

/** Checks of a reply. An operation that is not in the contract is not checked. */
function replyChecks({ asked }: Call, fields: readonly string[] | undefined): Attempt['check'] {
  if (asked === undefined) return { value: () => undefined, entry: () => undefined }
  const { operation, params } = asked
  const entry = (entryValue: unknown) => checkReplyEntry(operation, entryValue, fields)
  const value = (replyValue: unknown) => {
    if (fields === undefined || !Array.isArray(replyValue)) return checkReply(operation, params, replyValue)
    const faulty = replyValue.find((one) => entry(one) !== undefined)
    return faulty === undefined ? undefined : entry(faulty)
  }
  return { value, entry }
}

function requestText(request: RequestDescription): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return [`--> ${request.method} ${request.url}`, ...headers, ...(request.body === undefined ? [] : ['', request.body])].join(
    '\n',
  )
}
