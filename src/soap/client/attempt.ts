/**
 * One attempt at a call. Its reply is checked in this order: transport, HTTP refusal without SOAP, not XML, fault, decoded
 * (docs/architecture.md, The SOAP client). Every failure becomes a SoapError here.
 */

import type { ReplyFault } from '../../contract/index.js'
import type { Clock } from '../../system/clock.js'
import { waitText } from '../../system/durations.js'
import { memoryIsShort } from '../../system/memory.js'
import type { Fault } from '../wire/fault.js'
import type { Replaced, UnreadValue } from '../wire/reader.js'
import {
  BrokenReply,
  type Expected,
  NotSoap,
  OtherNamespace,
  plainReplyReader,
  type ReplyReader,
  soapReplyReader,
  type TextFilter,
} from '../wire/reply.js'
import { DECLARATION_BYTES, detectCharset, isUtf8, looseText, NotText, type TextChunks, textChunks } from '../wire/text.js'
import { boundedWords, briefValue, faultReason, MAX_MESSAGE } from '../wire/words.js'
import { XmlCutShort, XmlError } from '../wire/xml.js'
import type { ProxyInUse } from './agents.js'
import type { HttpRequest } from './bindings.js'
import { CAUSES, type Cause, causeOfCode, causeOfStatus } from './causes.js'
import { SoapError, type SoapErrorDetails, type SoapErrorKind } from './errors.js'
import { type ExchangeOptions, exchange, type HttpReply, TransportFailure } from './http.js'
import { ReplyRecord } from './record.js'
import { retryAfterMs } from './retry.js'

export interface Attempt {
  /** The name of the operation in errors. */
  readonly label: string
  readonly expected: Expected
  /** Finds what is wrong with a whole result, or with one entry of a list; undefined if it can be relied on. */
  readonly check: { value(value: unknown): ReplyFault | undefined; entry(entry: unknown): ReplyFault | undefined }
  readonly request: HttpRequest
  /**
   * Takes the place of a result whose whole list is absent, for a caller to which that means none; undefined where it may not.
   */
  readonly none?: ((value: unknown) => unknown) | undefined
  /** True if the reply comes in an envelope. The HTTP forms answer with the bare result. */
  readonly envelope: boolean
  readonly exchange: ExchangeOptions
  /** The proxy that the call goes through, if it does. */
  readonly proxy?: ProxyInUse | undefined
  readonly maxReplyBytes: number
  /** True to hand on the entries of a list as they are read. */
  readonly streams: boolean
  /** True to keep the text of the reply. */
  readonly keepsText: boolean
  /** `handedOn` is set when the first entries are about to be handed on: after that the call can't be made again. */
  readonly progress: { handedOn: boolean }
  /** Called for a reply with characters that XML forbids. */
  readonly onReplaced?: ((replaced: Replaced) => void) | undefined
  /** Called for a reply with values that could not be read and were left out. */
  readonly onUnread?: ((values: readonly UnreadValue[]) => void) | undefined
  readonly trace?: ((text: string) => void) | undefined
  /** Removes the secrets of this client from a text. */
  readonly hide: (text: string) => string
  /** Replaces the service's own names by those of the contract, in texts for people. */
  readonly words: (text: string) => string
  readonly clock: Pick<Clock, 'now' | 'zone'>
}

export interface Outcome {
  readonly value: unknown
  readonly text: string
  readonly httpStatus: number
}

/** Bytes that are read of a reply with an error status. Faults are small, and an error page need not be read to its end. */
const MAX_ERROR_BYTES = 1024 * 1024

/** Bytes of a reply that fit into any memory. In a stream, only those since the last entry that was handed on count. */
const BYTES_BEFORE_LOOKS = 1024 * 1024

/** @throws {SoapError} */
export async function* makeAttempt(attempt: Attempt): AsyncGenerator<unknown[], Outcome> {
  let reply: HttpReply
  try {
    reply = await exchange(attempt.request, attempt.exchange)
  } catch (error) {
    throw transportError(attempt, error)
  }
  const record = new ReplyRecord(attempt.keepsText)
  try {
    if (reply.status < 200 || reply.status > 299) throw await refusal(attempt, reply, record)
    return yield* decode(attempt, reply, record)
  } finally {
    attempt.trace?.(record.beginning(reply.status, reply.header('content-type'), attempt.hide))
  }
}

async function* decode(attempt: Attempt, reply: HttpReply, record: ReplyRecord): AsyncGenerator<unknown[], Outcome> {
  const reader = createReader(attempt)
  const fail = (kind: SoapErrorKind, what: string, rest: Partial<SoapErrorDetails> = {}) =>
    attemptError(attempt, kind, what, { httpStatus: reply.status, ...rest })
  try {
    const contentType = reply.header('content-type')
    if (/^text\/html/i.test(contentType ?? '')) {
      if (attempt.trace !== undefined) record.add(await errorText(reply))
      throw new NotSoap('the reply is a web page')
    }
    let utf8 = true
    let text: TextChunks | undefined
    let bytes = 0
    let handedOnAt = 0
    for await (const chunk of arriving(reply, reader)) {
      if (bytes === 0) {
        const charset = detectCharset(chunk, contentType)
        utf8 = isUtf8(charset)
        // The reader takes UTF-8 as bytes. Text is needed only for another charset, and to keep or show the reply.
        if (!utf8 || attempt.keepsText || attempt.trace !== undefined) text = textChunks(charset)
      }
      bytes += chunk.length
      if (bytes > attempt.maxReplyBytes) {
        throw fail('too-large', `the reply is larger than the limit of ${attempt.maxReplyBytes} bytes (maxReplyBytes).`)
      }
      const piece = text?.push(chunk)
      if (piece !== undefined) record.add(piece)
      reader.write(utf8 || piece === undefined ? chunk : piece)
      const entries = attempt.streams ? reader.take() : []
      if (entries.length === 0) {
        if (bytes - handedOnAt > BYTES_BEFORE_LOOKS && memoryIsShort()) {
          throw fail('too-large', `the reply does not fit in memory: it was nearly used up after ${bytes} bytes.`)
        }
        continue
      }
      handedOnAt = bytes
      checkEntries(attempt, reply.status, entries)
      attempt.progress.handedOn = true
      yield entries
    }
    text?.end()
    reader.end()
    const { fault } = reader
    if (fault !== undefined) throw faultError(attempt, reply.status, fault)
    const { replaced, unread } = reader
    if (replaced !== undefined) attempt.onReplaced?.(replaced)
    if (unread.length > 0) attempt.onUnread?.(unread)
    const value = checkedValue(attempt, reply.status, reader)
    return { value, text: attempt.keepsText ? attempt.hide(record.text) : '', httpStatus: reply.status }
  } catch (error) {
    if (error instanceof SoapError) throw error
    if (error instanceof TransportFailure) throw transportError(attempt, error, reply.status)
    if (error instanceof OtherNamespace) throw fail('namespace', `${error.message}.`)
    if (error instanceof BrokenReply) throw fail('broken', brokenWords(error.message))
    if (error instanceof XmlCutShort) throw fail('interrupted', 'the reply was cut short: its XML ends too early.')
    if (error instanceof NotSoap) throw fail('not-soap', `${error.message}. Check that the address is that of the service.`)
    if (error instanceof XmlError || error instanceof NotText)
      throw fail('not-soap', `the reply cannot be read: ${error.message}.`)
    throw error
  }
}

/** The chunks of a body, the first with its whole declaration. A failure after the reply is complete does not matter. */
async function* arriving(reply: HttpReply, reader: ReplyReader): AsyncGenerator<Buffer, void> {
  let start: Buffer | undefined = Buffer.alloc(0)
  try {
    for await (const chunk of reply.chunks()) {
      if (start === undefined) {
        yield chunk
        continue
      }
      start = Buffer.concat([start, chunk])
      if (start.length < DECLARATION_BYTES) continue
      yield start
      start = undefined
    }
  } catch (error) {
    if (start !== undefined && start.length > 0) yield start
    if (!reader.complete) throw error
    return
  }
  if (start !== undefined && start.length > 0) yield start
}

function createReader(attempt: Attempt): ReplyReader {
  const filter: TextFilter = (text, isWords) => (isWords ? boundedWords(attempt.words(attempt.hide(text))) : attempt.hide(text))
  return attempt.envelope ? soapReplyReader(attempt.expected, filter) : plainReplyReader(attempt.expected, filter)
}

function brokenWords(what: string): string {
  return `the reply breaks the contract: ${what}.`
}

/** @throws {SoapError} kind `broken`, with the entries of a list that can be relied on */
function checkedValue(attempt: Attempt, httpStatus: number, { value, strange }: ReplyReader): unknown {
  const fault = attempt.check.value(value)
  if (fault === undefined) return value
  const none = fault.absent === true && !strange ? attempt.none?.(value) : undefined
  if (none !== undefined) return none
  const intact = Array.isArray(value) ? value.filter((entry) => attempt.check.entry(entry) === undefined) : undefined
  throw brokenReply(attempt, httpStatus, fault, intact)
}

function checkEntries(attempt: Attempt, httpStatus: number, entries: readonly unknown[]): void {
  for (const entry of entries) {
    const fault = attempt.check.entry(entry)
    if (fault !== undefined) throw brokenReply(attempt, httpStatus, fault)
  }
}

function brokenReply(attempt: Attempt, httpStatus: number, fault: ReplyFault, intact?: readonly unknown[]): SoapError {
  const { element, value, absent } = fault
  const message = absent === true ? `${fault.message}: it may mean none, but nothing is concluded from it` : fault.message
  const valueText = value === undefined || value === null ? '' : ` ${briefValue(value)}`
  return attemptError(attempt, 'broken', brokenWords(`${element}${valueText} ${message}`), { httpStatus, element, intact })
}

/** The error for a reply whose status is not 2xx: its fault if it holds one, else what the status means. */
async function refusal(attempt: Attempt, reply: HttpReply, record: ReplyRecord): Promise<SoapError> {
  const { status } = reply
  if (status >= 300 && status <= 399) return redirectError(attempt, reply)
  let text = ''
  try {
    text = await errorText(reply)
    record.add(text)
  } catch (error) {
    // If the page of a refusal is lost, it is still a refusal. Anything else was cut short.
    if (!(error instanceof TransportFailure)) throw error
    if (error.reason === 'aborted' || status === 500) return transportError(attempt, error, status)
  }
  return faultIn(attempt, reply, text) ?? statusError(attempt, reply, /<(?:[\w-]+:)?Envelope[\s>]/.test(text))
}

async function errorText(reply: HttpReply): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of reply.chunks()) {
    parts.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_ERROR_BYTES) break
  }
  const whole = Buffer.concat(parts)
  return looseText(whole, detectCharset(whole, reply.header('content-type')))
}

function faultIn(attempt: Attempt, reply: HttpReply, text: string): SoapError | undefined {
  const { status } = reply
  const contentType = reply.header('content-type') ?? ''
  if (!attempt.envelope && status === 500 && /^\s*text\/plain/i.test(contentType)) {
    return faultError(attempt, status, { text: plainFault(text) })
  }
  if (!/xml/i.test(contentType) && !text.trimStart().startsWith('<')) return undefined
  const reader = soapReplyReader(attempt.expected)
  try {
    reader.write(text)
    reader.end()
  } catch {
    return undefined
  }
  return reader.fault && faultError(attempt, status, reader.fault)
}

/** The text of the HTTP forms' failures is escaped as if it were HTML (docs/service.md, Failures of HTTP GET and POST). */
function plainFault(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  const plain = text.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity).trim()
  return plain === '' ? 'The service gave no reason.' : plain
}

/** @param soap whether the reply has an envelope, though no fault */
function statusError(attempt: Attempt, reply: HttpReply, soap: boolean): SoapError {
  const { status, byProxy } = reply
  const details = { httpStatus: status, retryAfterMs: retryAfterMs(reply.header('retry-after'), attempt.clock.now()) }
  if (status === 407) {
    return causeError(attempt, 'refused', attempt.proxy?.named === true ? 'proxy_password' : 'proxy_asks', details)
  }
  // The proxy refused the connection, so nothing was sent.
  if (byProxy) {
    const cause = status >= 500 ? 'proxy_gateway' : 'proxy_forbids'
    return causeError(attempt, 'unreachable', cause, { ...details, sent: false })
  }
  if (status === 401 || status === 403) {
    return attemptError(attempt, 'refused', `the service refused the call (HTTP ${status}).`, details)
  }
  if (status === 429) {
    const wait =
      details.retryAfterMs === undefined
        ? 'Wait'
        : `The service says to wait ${waitText(details.retryAfterMs, attempt.clock, 'until')}`
    return attemptError(attempt, 'quota', `too many calls (HTTP 429). ${wait}, or ask for a larger quota.`, details)
  }
  if (status === 502 || status === 503 || status === 504) {
    return attemptError(attempt, 'unavailable', `the service is not available (HTTP ${status}).`, details)
  }
  return causeError(attempt, 'not-soap', soap ? 'odd_status' : causeOfStatus(status), details)
}

function causeError(attempt: Attempt, kind: SoapErrorKind, cause: Cause, details: Partial<SoapErrorDetails>): SoapError {
  const { host } = new URL(attempt.request.url)
  const why = CAUSES[cause].why({ host, proxy: attempt.proxy?.host, status: details.httpStatus })
  const code = details.reason === undefined ? '' : ` (${details.reason})`
  const sentNote = details.sent === false ? ' Nothing was sent.' : ''
  return attemptError(attempt, kind, `${why}${code}.${sentNote}`, { ...details, origin: cause })
}

function redirectError(attempt: Attempt, reply: HttpReply): SoapError {
  const where = `a redirect (HTTP ${reply.status})${target(reply, attempt.request.url)}`
  const what = `the service answered with ${where}. Redirects are not followed, because they would pass on the credentials. Check the address.`
  return attemptError(attempt, 'refused', what, { httpStatus: reply.status })
}

/** Where a redirect leads. Its query is left out, because it may repeat our credentials. */
function target(reply: HttpReply, base: string): string {
  const location = reply.header('location')
  if (location === undefined || !URL.canParse(location, base)) return ''
  const { origin, pathname } = new URL(location, base)
  return ` to ${origin}${pathname}`
}

function faultError(attempt: Attempt, httpStatus: number, { text, code, bare }: Partial<Fault> & Pick<Fault, 'text'>): SoapError {
  const faultString = boundedWords(attempt.words(attempt.hide(text)))
  const what = `the service answered: ${faultReason(faultString)}`
  return attemptError(attempt, 'fault', what, { httpStatus, faultCode: code, faultString, bareFault: bare })
}

function transportError(attempt: Attempt, error: unknown, httpStatus?: number): SoapError {
  if (!(error instanceof TransportFailure)) throw error
  const { host, hostname } = new URL(attempt.request.url)
  const code = error.code === undefined ? '' : ` (${error.code})`
  const details = { httpStatus, reason: error.code, sent: error.made }
  if (error.reason === 'aborted') return attemptError(attempt, 'aborted', 'the call was stopped.', details)
  const took = `the call took longer than ${seconds(attempt.exchange.time.givenMs)} (call_timeout)`
  if (!error.made) {
    if (error.reason === 'time')
      return attemptError(attempt, 'unreachable', `${took}; there was no connection. Nothing was sent.`, details)
    const cause = causeOfCode(error.code, attempt.proxy !== undefined)
    if (cause !== undefined) return causeError(attempt, 'unreachable', cause, details)
    const what = error.reason === 'silence' ? `no connection to ${host} in time` : `no connection to ${host}${code}`
    return attemptError(attempt, 'unreachable', `${what}. Nothing was sent.`, {
      ...details,
      host: hostname,
    })
  }
  // A server that asks for a certificate says so once the caller has finished its part: what followed was not read.
  if (causeOfCode(error.code) === 'client_certificate')
    return causeError(attempt, 'unreachable', 'client_certificate', { ...details, sent: false })
  if (error.reason === 'time') return attemptError(attempt, 'interrupted', `${took}: ${host} answers too slowly.`, details)
  if (error.reason === 'silence') {
    return attemptError(attempt, 'interrupted', `${host} was silent for ${seconds(attempt.exchange.silenceTimeoutMs)}.`, details)
  }
  return attemptError(attempt, 'interrupted', `the connection to ${host} was lost${code}.`, details)
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}

function attemptError(attempt: Attempt, kind: SoapErrorKind, what: string, details: Partial<SoapErrorDetails>): SoapError {
  const message = boundedWords(attempt.words(attempt.hide(`${attempt.label}: ${what}`)), MAX_MESSAGE)
  return new SoapError(kind, message, { operation: attempt.label, sent: true, ...details })
}
