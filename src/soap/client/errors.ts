/**
 * The only error that leaves this module. It holds what a caller may show, and never the request, its headers or the error of a
 * library.
 */
import type { InputFault } from '../../contract/index.js'
import type { Cause } from './causes.js'

export type SoapErrorKind =
  /** The input checks refused the call. Nothing was sent; `faults` says what is wrong. */
  | 'input'
  /** The service is known to take another request for the operation, or to answer with another reply. Nothing was sent. */
  | 'changed'
  /** The service is known not to offer the operation by the binding. Nothing was sent. */
  | 'binding'
  /** A write by the binding get, whose address would hold the key and the token, which nobody has allowed. Nothing was sent. */
  | 'insecure-address'
  /** The connection was never made: nothing was sent. */
  | 'unreachable'
  /** Sent, but the reply was lost, did not come or was cut short. For a read or a repeatable write, after the retries. */
  | 'interrupted'
  /** HTTP 502, 503 or 504 without SOAP, after the retries. */
  | 'unavailable'
  /** HTTP 401, 403 or 407 without SOAP, or a redirect, which the client never follows. */
  | 'refused'
  /** HTTP 429: too many calls. */
  | 'quota'
  /** Not SOAP, broken XML, a DTD, or nested too deeply. */
  | 'not-soap'
  /**
   * A reply that breaks the contract: a value is not of its type, or a field that decisions depend on is missing, nil, repeated,
   * foreign, or about something else.
   */
  | 'broken'
  /** The reply is in another namespace than the request, so the service has not read the request. */
  | 'namespace'
  /** The reply is larger than the limit; the message names it. */
  | 'too-large'
  /** The service answered with a SOAP fault, or with the plain text of the HTTP forms. */
  | 'fault'
  /** A single write was sent and its reply was lost or cannot be read: it may or may not have been carried out. */
  | 'unknown-outcome'
  /** The caller's signal. A write with `sent` true may still have been carried out. */
  | 'aborted'

export type SoapErrorDetails = Omit<SoapError, keyof Error | 'kind' | 'lostBefore' | 'as'>

export class SoapError extends Error {
  override name = 'SoapError'
  readonly kind: SoapErrorKind
  /** Name of the operation, as the contract or the caller calls it. */
  readonly operation!: string
  /** True when the request may have reached the service. */
  readonly sent!: boolean
  readonly httpStatus?: number | undefined
  /** `Client` or `Server`, whichever SOAP version said so. */
  readonly faultCode?: string | undefined
  readonly faultString?: string | undefined
  /** True of a fault whose code proves nothing: see `bare` of a fault. */
  readonly bareFault?: boolean | undefined
  readonly faults?: readonly InputFault[]
  /** Milliseconds the service asks to wait (Retry-After). */
  readonly retryAfterMs?: number | undefined
  /** The system's code of a transport failure, e.g. ECONNREFUSED. */
  readonly reason?: string | undefined
  /** The host to which no connection was made. */
  readonly host?: string
  /** Why it was refused or not sent, where that is known more exactly than by its kind. */
  readonly origin?: Cause | undefined
  /** Element of a broken reply, as a dotted path from the result on. */
  readonly element?: string
  /** Entries of a broken list that can still be relied on. */
  readonly intact?: readonly unknown[] | undefined
  /** Advice for a request that is not sent: what to give instead. */
  readonly remedy?: string | undefined
  /** An earlier attempt was sent and its reply lost. It may have been carried out, whatever the last attempt was answered. */
  lostBefore?: true

  constructor(kind: SoapErrorKind, message: string, details: SoapErrorDetails) {
    super(message)
    Object.assign(this, details)
    this.kind = kind
    // Left out of what is shown of an error.
    Object.defineProperty(this, 'intact', { value: details.intact, enumerable: false })
  }

  /** The same failure as another kind, or in other words. */
  as(kind: SoapErrorKind, message: string): SoapError {
    return new SoapError(kind, message, { ...this, intact: undefined })
  }
}

/**
 * Statuses by which a server says that it did not carry out the request: RFC 9110, 15.5, and 429 of RFC 6585. 408, 409, 425 and
 * the like are not among them, because they may come after the work was begun. 307 and 308 point the same request to another
 * address, which this client does not follow.
 */
const REFUSING: ReadonlySet<number> = new Set([
  307, 308, 400, 401, 403, 404, 405, 406, 407, 410, 411, 413, 414, 415, 417, 421, 426, 428, 429, 431, 451,
])

/** Refusals that the service reports as a failure of the server (docs/service.md, Fault texts). */
const REFUSING_TEXT =
  /Invalid request ---|Request data is not valid|unable to read request|Invalid (?:application|user|token)|token has expired|did not recognize the value|valid action parameter|No operation found for specified action|ContractFilter mismatch/i

/**
 * Texts of the service's runtime, or of a host of another make, for an operation that it does not know in a namespace
 * (docs/service.md, Fault envelopes).
 */
const NOT_RECOGNIZED =
  /No operation found for specified action|ContractFilter mismatch|without a valid action parameter|did not recognize the value of HTTP Header SOAPAction|Web Service method name is not valid/i

/** True if the service does not know the operation, by its name, its namespace or its binding. */
export function isNotRecognized(error: unknown): boolean {
  return error instanceof SoapError && error.kind === 'fault' && NOT_RECOGNIZED.test(error.faultString ?? '')
}

/**
 * True if a call that reached the service was certainly not carried out, because the service refused it. A failure inside the
 * service is not a refusal, since it may come after the work was done. Nor is a reply that was lost or cannot be read.
 */
export function isRefusal(error: SoapError): boolean {
  if (!error.sent || error.lostBefore === true) return false
  const { kind, httpStatus = 0 } = error
  if (kind === 'fault')
    return (error.faultCode === 'Client' && error.bareFault !== true) || REFUSING_TEXT.test(error.faultString ?? '')
  if (kind === 'quota') return true
  return (kind === 'refused' || kind === 'not-soap') && REFUSING.has(httpStatus)
}
