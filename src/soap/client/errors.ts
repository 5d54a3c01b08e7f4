/**
 * The one error that leaves this room. It holds what a caller may show, and never the request, its headers or another library's
 * error.
 */
import type { InputFault } from '../../contract/index.js'

export type SoapErrorKind =
  /** The input checks refused: nothing was sent; `faults` says what is wrong. */
  | 'input'
  /** The connection was never made: nothing was sent. */
  | 'unreachable'
  /** Sent, then lost, silent or cut short; of a read or a repeatable write, after the retries. */
  | 'interrupted'
  /** HTTP 502, 503 or 504 without SOAP, after the retries. */
  | 'unavailable'
  /** HTTP 401, 403 or 407 without SOAP, or a redirect, which is never followed. */
  | 'refused'
  /** HTTP 429: too many calls. */
  | 'quota'
  /** No SOAP, broken XML, a DTD, too deep, or a value that is not of its type. */
  | 'not-soap'
  /** The reply is larger than the limit; the message names it. */
  | 'too-large'
  /** The service answered with a SOAP fault, or with the plain text of the HTTP forms. */
  | 'fault'
  /** A single write was sent and its reply was lost or cannot be read: it may or may not have been carried out. */
  | 'unknown-outcome'
  /** The caller's signal. A write with `sent` true may have been carried out all the same. */
  | 'aborted'

export interface SoapErrorDetails {
  operation: string
  sent: boolean
  httpStatus?: number
  faultCode?: string
  faultString?: string
  faults?: readonly InputFault[]
  retryAfterMs?: number
  reason?: string
}

/** The mark by which a SoapError is known. */
const MARK = Symbol.for('seller.SoapError')

export class SoapError extends Error {
  /**
   * By its mark and not by its class: what makes a call is loaded at the first call, and where a test runner loads modules by
   * require and by import at once, that is another copy of this class.
   */
  static override [Symbol.hasInstance](value: unknown): value is SoapError {
    return typeof value === 'object' && value !== null && MARK in value
  }

  override name = 'SoapError'
  readonly kind: SoapErrorKind
  /** Name of the operation, as the contract or the caller calls it. */
  readonly operation: string
  /** True when the request may have reached the service. */
  readonly sent: boolean
  readonly httpStatus?: number
  /** `Client` or `Server`, whichever SOAP version said so. */
  readonly faultCode?: string
  readonly faultString?: string
  readonly faults?: readonly InputFault[]
  /** Milliseconds the service asks to wait (Retry-After). */
  readonly retryAfterMs?: number
  /** The system's code of a transport failure, e.g. ECONNREFUSED. */
  readonly reason?: string

  constructor(kind: SoapErrorKind, message: string, details: SoapErrorDetails) {
    super(message)
    Object.defineProperty(this, MARK, { value: true })
    this.kind = kind
    this.operation = details.operation
    this.sent = details.sent
    if (details.httpStatus !== undefined) this.httpStatus = details.httpStatus
    if (details.faultCode !== undefined) this.faultCode = details.faultCode
    if (details.faultString !== undefined) this.faultString = details.faultString
    if (details.faults !== undefined) this.faults = details.faults
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs
    if (details.reason !== undefined) this.reason = details.reason
  }
}
