/** Which failures are tried again, and when (docs/architecture.md, The SOAP client). */
import type { Kind } from '../../contract/index.js'
import { jittered } from '../../system/random.js'
import { CERTIFICATE } from './causes.js'
import type { SoapError } from './errors.js'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8_000

/**
 * True if a failed attempt may be repeated. If the connection was never made, any call may. After that, only a call that leaves
 * the same state when it is repeated. A fault is an answer, and 429 asks for fewer calls, not more.
 */
export function mayRetry(kind: Kind, error: SoapError): boolean {
  if (error.kind === 'unreachable') return !CERTIFICATE.test(error.reason ?? '') && error.reason !== 'ERR_INVALID_URL'
  return kind !== 'single write' && (error.kind === 'interrupted' || error.kind === 'unavailable')
}

/**
 * Milliseconds before attempt number `attempt` + 1: they double each time, spread from half to one and a half times, and are
 * longer if the service asked for it (Retry-After).
 * @param random from 0 up to 1
 */
export function backOffMs(attempt: number, random: number, askedMs = 0): number {
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS)
  return Math.max(jittered(delayMs, 0.5, random), askedMs)
}

// Each of the three forms begins with the day of the week (RFC 9110, 5.6.7).
const HTTP_DATE = /^\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/

/** Milliseconds of a Retry-After header: seconds, or an HTTP date (RFC 9110, 10.2.3); undefined if it is neither. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  // Date.parse takes other texts for dates too: "1.5" is the fifth of January to it.
  const date = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
