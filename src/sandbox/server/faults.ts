/** Failures of calls in the service's own words: docs/service.md, Failures. */
import {
  CONTENT_TYPES,
  EnvelopeRefused,
  type FaultCode,
  MalformedXml,
  type SoapVersion,
  UnreadableParameter,
  UnreadableRequest,
  UnrecognizedAction,
  WrongMediaType,
  writeFault,
} from '../../soap/server/index.js'
import { Refusal, ServiceFault } from '../marketplace/index.js'
import { escaped } from '../markup.js'
import { type Reply, refusalPage } from './reply.js'
import type { Site } from './site.js'

/** The runtime's separator between an error and its cause. */
const JOINER = ' ---> '

interface Fault {
  readonly code: FaultCode
  readonly text: string
  /** All that a host of another make says of it, where that is less. */
  readonly short?: string
}

/** An error of the caller with the sandbox's own message. */
export class ClientFault extends Error {}

/** The fault for an error that the service knows; undefined if no call caused the error. */
function faultOf(error: unknown): Fault | undefined {
  if (error instanceof UnreadableRequest) return { code: 'Client', text: error.message, short: error.detail }
  if (error instanceof UnrecognizedAction) {
    return { code: 'Client', text: error.message, short: `No operation found for specified action: ${error.action}` }
  }
  if (error instanceof UnreadableParameter || error instanceof ClientFault) {
    return { code: 'Client', text: error.message }
  }
  if (error instanceof EnvelopeRefused) return { code: error.code, text: error.message }
  if (error instanceof ServiceFault) {
    const short = error.message
    return error.family === 'invalid'
      ? { code: 'Client', text: `Invalid request ---> ${short}`, short }
      : { code: 'Server', text: `Server was unable to process request. ---> ${short}`, short }
  }
  return undefined
}

/**
 * The reply to a call that failed. Faults of both SOAP versions have HTTP status 500; the HTTP forms answer only the text,
 * HTML-escaped, and a line end.
 * @param site its log receives errors of the sandbox itself, which callers see without details
 */
export function failure(error: unknown, form: SoapVersion | 'plain', { log, host }: Pick<Site, 'log' | 'host'>): Reply {
  if (error instanceof MalformedXml) return { status: 400, text: '' }
  if (error instanceof WrongMediaType) return { status: 415, text: '' }
  if (error instanceof Refusal) {
    const seconds = error.retryAfterMs === undefined ? undefined : Math.ceil(error.retryAfterMs / 1000)
    return refusalPage(error.status, error.message, seconds === undefined ? {} : { 'Retry-After': seconds })
  }
  const fault = faultOf(error) ?? ownFault(error, log)
  if (form === 'plain') return { status: 500, type: 'text/plain; charset=utf-8', text: `${escapedMessages(fault.text)}\r\n` }
  const text = host === 'core' ? (fault.short ?? fault.text) : fault.text
  return { status: 500, type: CONTENT_TYPES[form], text: writeFault(form, { code: fault.code, text }, host) }
}

/** Escapes each message, but not the arrows between them (docs/service.md, Odd requests). */
function escapedMessages(text: string): string {
  return text.split(JOINER).map(escaped).join(JOINER)
}

function ownFault(error: unknown, log: (line: string) => void): Fault {
  log(`The sandbox itself failed: ${error instanceof Error ? error.message : String(error)}`)
  const short = 'The sandbox itself failed; its log says why.'
  return { code: 'Server', text: `Server was unable to process request. ---> ${short}`, short }
}
