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

/** The runtime's separator between an error and its cause. */
const JOINER = ' ---> '

interface Fault {
  readonly code: FaultCode
  readonly text: string
}

/** An error of the caller with the sandbox's own message. */
export class ClientFault extends Error {}

/** The fault for an error that the service knows; undefined if no call caused the error. */
function faultOf(error: unknown): Fault | undefined {
  if (
    error instanceof UnreadableRequest ||
    error instanceof UnrecognizedAction ||
    error instanceof UnreadableParameter ||
    error instanceof ClientFault
  ) {
    return { code: 'Client', text: error.message }
  }
  if (error instanceof EnvelopeRefused) return { code: error.code, text: error.message }
  if (error instanceof ServiceFault) {
    return error.family === 'invalid'
      ? { code: 'Client', text: `Invalid request ---> ${error.message}` }
      : { code: 'Server', text: `Server was unable to process request. ---> ${error.message}` }
  }
  return undefined
}

/**
 * The reply to a call that failed. Faults of both SOAP versions have HTTP status 500; the HTTP forms answer only the text,
 * HTML-escaped, and a line end.
 * @param log receives errors of the sandbox itself, which callers see without details
 */
export function failure(error: unknown, form: SoapVersion | 'plain', log: (line: string) => void): Reply {
  if (error instanceof MalformedXml) return { status: 400, text: '' }
  if (error instanceof WrongMediaType) return { status: 415, text: '' }
  if (error instanceof Refusal) {
    const seconds = error.retryAfterMs === undefined ? undefined : Math.ceil(error.retryAfterMs / 1000)
    return refusalPage(error.status, error.message, seconds === undefined ? {} : { 'Retry-After': seconds })
  }
  const fault = faultOf(error) ?? ownFault(error, log)
  if (form === 'plain') return { status: 500, type: 'text/plain; charset=utf-8', text: `${escapedMessages(fault.text)}\r\n` }
  return { status: 500, type: CONTENT_TYPES[form], text: writeFault(form, fault) }
}

/** Escapes each message, but not the arrows between them (docs/service.md, Odd requests). */
function escapedMessages(text: string): string {
  return text.split(JOINER).map(escaped).join(JOINER)
}

function ownFault(error: unknown, log: (line: string) => void): Fault {
  log(`The sandbox itself failed: ${error instanceof Error ? error.message : String(error)}`)
  return { code: 'Server', text: 'Server was unable to process request. ---> The sandbox itself failed; its log says why.' }
}
