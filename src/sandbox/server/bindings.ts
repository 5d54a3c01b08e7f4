/** The four bindings: turn a complete request into the reply. docs/service.md, Bindings. */
import type { IncomingMessage } from 'node:http'
import { type Operation, parametersBeyondText, type ServiceName, wireNameOf } from '../../contract/index.js'
import {
  CONTENT_TYPES,
  decodeUrlParams,
  MalformedXml,
  readRequest,
  type SoapVersion,
  UnrecognizedAction,
  writePlainResult,
  writeReply,
} from '../../soap/server/index.js'
import { ServiceFault } from '../marketplace/index.js'
import { mediaParameter } from './body.js'
import { callerOf, headersFrom } from './caller.js'
import { ClientFault, failure } from './faults.js'
import type { Reply } from './reply.js'
import type { Site } from './site.js'

/** The result of a call: its operation, if it was understood, and the reply. */
export interface Answer {
  readonly operation: string
  readonly reply: Reply
}

/** The runtime's text for a body without an action that is not XML (docs/service.md, Odd requests). */
const NOT_XML = 'Data at the root level is invalid. Line 1, position 1.'

/** Answers an envelope posted to the service path. */
export async function answerSoap(
  site: Site,
  service: ServiceName,
  version: SoapVersion,
  request: IncomingMessage,
  query: URLSearchParams,
  body: Buffer,
): Promise<Answer> {
  let operation = '?'
  let answerVersion = version
  try {
    const decodedRequest = await readRequest(decodedBody(request, body), {
      operationOf: (element, namespace) => (namespace === site.namespace ? operationNamed(site, service, element) : undefined),
      version,
      headerNamespace: site.namespace,
      action: actionOf(request, version),
      defaultHeaders: headersFrom(query, service),
      strict: site.host === 'core',
    })
    operation = wireNameOf(decodedRequest.operation)
    answerVersion = decodedRequest.version
    const result = site.marketplace.perform(decodedRequest.operation, decodedRequest.params, callerOf(decodedRequest.headers))
    const text = writeReply(answerVersion, site.namespace, decodedRequest.operation, result, site.host)
    // A host of another make repeats what the caller has sent.
    const askedType = site.host === 'core' ? request.headers['content-type'] : undefined
    const type = askedType ?? CONTENT_TYPES[answerVersion]
    return { operation, reply: { status: 200, type, text } }
  } catch (error) {
    const unread = error instanceof MalformedXml && version === '1.2' && mediaParameter(request, 'action') === undefined
    return { operation, reply: failure(unread ? new ServiceFault('process', NOT_XML) : error, answerVersion, site) }
  }
}

/**
 * Answers `{service path}/{operation}` with parameters as text.
 * @param pairs of the query string (GET) or the form (POST)
 * @param query may contain credentials in both cases
 */
export function answerPlain(
  site: Site,
  service: ServiceName,
  name: string,
  pairs: URLSearchParams,
  query: URLSearchParams,
): Answer {
  try {
    const operation = plainOperation(site, service, name)
    const params = decodeUrlParams(operation, pairs)
    const result = site.marketplace.perform(operation, params, callerOf(headersFrom([...pairs, ...query], service)))
    if (operation.result === undefined) return { operation: name, reply: { status: 200, text: '' } }
    const text = writePlainResult(site.namespace, operation, result)
    return { operation: name, reply: { status: 200, type: CONTENT_TYPES['1.1'], text } }
  } catch (error) {
    return { operation: name, reply: failure(error, 'plain', site) }
  }
}

/** .NET's own text for a posted body that is not a form. */
export function unreadableForm(site: Site, request: IncomingMessage): Reply {
  return failure(new ClientFault(`Request format is invalid: ${request.headers['content-type'] ?? ''}.`), 'plain', site)
}

function operationNamed({ served }: Site, service: ServiceName, name: string): Operation | undefined {
  const operations = served.operations(service)
  return Object.hasOwn(operations, name) ? operations[name] : undefined
}

/** @throws {ClientFault} for an unknown name, one in the wrong case, or an operation that cannot travel as text */
function plainOperation(site: Site, service: ServiceName, name: string): Operation {
  const invalid = `${name} Web Service method name is not valid.`
  const operation = operationNamed(site, service, name)
  if (operation === undefined) {
    const other = Object.keys(site.served.operations(service)).find(
      (operationName) => operationName.toLowerCase() === name.toLowerCase(),
    )
    if (other === undefined) throw new ClientFault(invalid)
    throw new ClientFault(`${invalid} Did you mean ${other}? Method names are case sensitive.`)
  }
  const beyond = parametersBeyondText(operation)
  if (beyond.length === 0) return operation
  throw new ClientFault(`${invalid} Its parameter ${beyond.join(', ')} is more than a text can carry; call ${name} by SOAP.`)
}

/**
 * The SOAPAction, or SOAP 1.2's action; undefined if there is none, so that the element in the body decides.
 * @throws {UnrecognizedAction} for an empty SOAPAction, which .NET does not treat as missing (docs/service.md, Fault envelopes)
 */
function actionOf(request: IncomingMessage, version: SoapVersion): string | undefined {
  if (version === '1.2') return mediaParameter(request, 'action')
  const { soapaction } = request.headers
  if (typeof soapaction !== 'string') return undefined
  if (soapaction.trim().replaceAll('"', '') === '') throw new UnrecognizedAction('')
  return soapaction
}

/** XML declares its own encoding; only a charset in the content type overrides it (RFC 7303, 3.2). */
function decodedBody(request: IncomingMessage, body: Buffer): Buffer | string {
  const charset = (mediaParameter(request, 'charset') ?? declaredEncoding(body)).toLowerCase()
  if (charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') return body
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    throw new ClientFault(`The charset "${charset}" is not known. Send UTF-8.`)
  }
}

/** The encoding in the XML declaration. If each byte is a character there, it is not UTF-16, whatever the declaration says. */
function declaredEncoding(body: Buffer): string {
  const start = body.subarray(0, 200).toString('latin1')
  const encoding = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? 'utf-8'
  return /^utf-?16/i.test(encoding) ? 'utf-8' : encoding
}
