/** One call of the service, with faults injected: read, wait, fail as drawn, answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceName } from '../../contract/index.js'
import type { SoapVersion } from '../../soap/server/index.js'
import { steadyMs } from '../../system/clock.js'
import { type Answer, answerPlain, answerSoap, unreadableForm } from './bindings.js'
import { mediaType, readBody, UnreadBody } from './body.js'
import { failure } from './faults.js'
import { type Reply, refusalPage, send, sendCut } from './reply.js'
import type { Site } from './site.js'

/** The target of a call: a service, and an operation by name in the HTTP forms. */
export interface CallTarget {
  readonly service: ServiceName
  readonly operation?: string | undefined
  readonly query: URLSearchParams
}

/** Content types that other kinds of services accept at their path; the runtime fails on them. */
const FORMATS_OF_OTHERS: readonly string[] = ['application/json', 'application/x-www-form-urlencoded']

const SOAP_VERSIONS: Readonly<Record<string, SoapVersion>> = { 'text/xml': '1.1', 'application/soap+xml': '1.2' }

/** Serves one call in any binding. Only GET and POST reach this function. */
export async function serveCall(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  target: CallTarget,
): Promise<void> {
  const startedAt = steadyMs()
  const version = target.operation === undefined ? SOAP_VERSIONS[mediaType(request)] : undefined
  const binding = version === undefined ? `HTTP ${request.method}` : `SOAP ${version}`
  const fault = site.faults.next()
  const log = (operation: string, outcome: string) =>
    site.log(`${binding} ${target.service}.${nameForLog(operation)} ${outcome} ${Math.round(steadyMs() - startedAt)} ms`)

  let body: Buffer
  try {
    body = await readBody(request)
  } catch (error) {
    if (!(error instanceof UnreadBody)) return
    log(target.operation ?? '?', String(error.status))
    return send(response, refusalPage(error.status, error.message))
  }
  if (fault.latencyMs > 0) {
    try {
      await pause(fault.latencyMs, undefined, { signal: site.closing })
    } catch {
      response.destroy()
      return
    }
  }
  if (fault.ending === 'unavailable') {
    log(target.operation ?? '?', '503')
    return send(response, refusalPage(503, 'The service is unavailable.'))
  }
  if (fault.ending === 'dropped before') {
    log(target.operation ?? '?', 'dropped before it was carried out')
    response.destroy()
    return
  }
  const { operation, reply: good } = await answer(site, request, target, version, body)
  const { badCharacters, badValue } = site.faults.now
  const bad: (readonly [RegExp, string])[] = []
  if (badCharacters !== '') bad.push([WRITTEN, `$&${badCharacters}`])
  if (badValue !== null) {
    const { element, text } = badValue
    bad.push([new RegExp(`<${element}(?: xsi:nil="true" />|>[^<]*</${element}>)`), `<${element}>${text}</${element}>`])
  }
  const reply = bad.reduce((before, [pattern, text]) => withFirst(before, pattern, text), good)
  if (fault.ending === 'dropped after') {
    log(operation, `carried out (${reply.status}), reply ${fault.cut ? 'cut' : 'dropped'}`)
    if (fault.cut) return sendCut(response, reply)
    response.destroy()
    return
  }
  await sendOrFail(site, response, reply, version)
  log(operation, String(response.statusCode))
}

/** Elements that hold texts of sellers and buyers. */
const WRITTEN = /<(?:ShortDescription|Title|Address)>/

/**
 * The reply with the first match replaced: a text of a seller that XML forbids, or a value that is not of its type, as real
 * services send them.
 */
function withFirst(reply: Reply, pattern: RegExp, by: string): Reply {
  const spoilt = function* (pieces: Iterable<string>): Generator<string> {
    let isDone = false
    for (const piece of pieces) {
      yield isDone ? piece : piece.replace(pattern, by)
      isDone ||= pattern.test(piece)
    }
  }
  // Only images are bytes, and no call answers one.
  return { ...reply, text: spoilt(typeof reply.text === 'string' ? [reply.text] : (reply.text as Iterable<string>)) }
}

/** A name may contain anything, but a line of the log stays one line. */
function nameForLog(name: string): string {
  return name.replace(/[^\w?]/g, '_').slice(0, 60)
}

async function answer(
  site: Site,
  request: IncomingMessage,
  { service, operation, query }: CallTarget,
  version: SoapVersion | undefined,
  body: Buffer,
): Promise<Answer> {
  if (version !== undefined) return answerSoap(site, service, version, request, query, body)
  // docs/service.md, Odd requests.
  if (operation === undefined && FORMATS_OF_OTHERS.includes(mediaType(request))) {
    return {
      operation: '?',
      reply: { status: 500, type: 'text/plain; charset=utf-8', text: 'Request format is unrecognized.\r\n' },
    }
  }
  // docs/service.md, Fault envelopes: 415 and nothing else.
  if (operation === undefined) return { operation: '?', reply: { status: 415, text: '' } }
  if (request.method === 'GET') return answerPlain(site, service, operation, query, query)
  if (mediaType(request) !== 'application/x-www-form-urlencoded') return { operation, reply: unreadableForm(site, request) }
  return answerPlain(site, service, operation, new URLSearchParams(body.toString('utf8')), query)
}

/** A list that is read while it is sent may fail before its first piece is sent: then it becomes a fault. */
async function sendOrFail(site: Site, response: ServerResponse, reply: Reply, version: SoapVersion | undefined): Promise<void> {
  try {
    await send(response, reply)
  } catch (error) {
    const fault = failure(error, version ?? 'plain', site)
    if (!response.headersSent && !response.destroyed) await send(response, fault)
  }
}
