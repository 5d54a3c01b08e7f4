/** Sample messages of an operation in the four bindings: values from the contract, as the tool and the sandbox write them. */
import {
  actsForUser,
  type Field,
  type Fields,
  type Operation,
  parametersBeyondText,
  resolved,
  type Type,
} from '../../contract/index.js'
import { CONTENT_TYPES, writePlainResult, writeReply } from '../../soap/server/index.js'
import { buildEnvelope, headerValues } from '../../soap/wire/encode.js'
import { indented } from '../../soap/wire/indent.js'
import { SANDBOX_PROFILE } from '../profile.js'

/** A request and its reply as they are transmitted. */
export interface Sample {
  readonly binding: 'SOAP 1.1' | 'SOAP 1.2' | 'HTTP GET' | 'HTTP POST'
  readonly request: string
  readonly reply: string
}

/** The samples of an operation. The HTTP forms are among them only if its parameters can travel as text. */
export async function buildSamples(operation: Operation, namespace: string, address: string): Promise<Sample[]> {
  const { host, pathname } = new URL(address)
  const { name, service, result } = operation
  const answer = result && buildSample(result.type, result)
  const content = { service, name, operation, params: sampleFields(operation.params) }
  const headers = headerValues(SANDBOX_PROFILE, actsForUser(service), { sandbox: 0, maxResultAge: 0 })
  const soap = async (version: '1.1' | '1.2'): Promise<Sample> => {
    const type = CONTENT_TYPES[version]
    const head = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, `Content-Type: ${type}`]
    if (version === '1.1') head.push(`SOAPAction: "${namespace}/${name}"`)
    return {
      binding: `SOAP ${version}`,
      request: `${head.join('\n')}\n\n${laidOut(await buildEnvelope(version, namespace, content, headers, false))}`,
      reply: `HTTP/1.1 200 OK\nContent-Type: ${type}\n\n${laidOut([...writeReply(version, namespace, operation, answer)].join(''))}`,
    }
  }
  const samples = [await soap('1.1'), await soap('1.2')]
  if (parametersBeyondText(operation).length > 0) return samples
  const pairs = new URLSearchParams([...Object.entries(operation.params).flatMap(plainPairs), ...credentialPairs(operation)])
  const plain = [...writePlainResult(namespace, operation, answer)].join('').replaceAll('\r\n', '\n')
  const reply = plain === '' ? 'HTTP/1.1 200 OK\n' : `HTTP/1.1 200 OK\nContent-Type: text/xml; charset=utf-8\n\n${plain}`
  const path = `${pathname}/${name}`
  const form = 'Content-Type: application/x-www-form-urlencoded'
  return [
    ...samples,
    { binding: 'HTTP GET', request: `GET ${path}?${pairs} HTTP/1.1\nHost: ${host}\n`, reply },
    { binding: 'HTTP POST', request: `POST ${path} HTTP/1.1\nHost: ${host}\n${form}\n\n${pairs}\n`, reply },
  ]
}

/** An envelope with one element a line, after its declaration. */
function laidOut(xml: string): string {
  const start = xml.indexOf('<soap:')
  return `${xml.slice(0, start)}\n${[...indented([xml.slice(start)], '\n')].join('')}`
}

/** Names and values of the credentials in the HTTP forms. The public service acts for no seller. */
export function credentialPairs({ service }: Operation): [string, string][] {
  const { appId, appKey, userId, token } = SANDBOX_PROFILE
  const application: [string, string][] = [
    ['appId', String(appId)],
    ['appKey', appKey],
  ]
  return service === 'PublicService' ? application : [...application, ['userId', String(userId)], ['token', token]]
}

function plainPairs([name, field]: [string, Field]): [string, string][] {
  const { type } = field
  if (type.kind === 'list') return ['1', '2'].map((text): [string, string] => [name, type.item.kind === 'int' ? text : 'text'])
  const value = buildSample(type, field)
  return [[name, value instanceof Uint8Array ? IMAGE : String(value)]]
}

/** The first bytes of a PNG. */
const IMAGE = 'iVBORw0KGgo='

/** @param within the structs around it: a type inside itself is shown once */
function buildSample(type: Type, field?: Field, within: readonly string[] = []): unknown {
  const whole = resolved(type)
  switch (whole.kind) {
    case 'struct':
      return sampleFields(whole.fields, [...within, whole.name])
    case 'list': {
      const entry = buildSample(whole.item, undefined, within)
      return typeof entry === 'object' ? [entry] : [entry, entry]
    }
    case 'enumeration':
    case 'flags':
      return whole.values[0]
    case 'int':
      return field?.rule?.oneOf?.[0] ?? Math.max(1, field?.rule?.min ?? 1)
    case 'long':
      return '1'
    case 'decimal':
      return 1.5
    case 'boolean':
      return true
    case 'dateTime':
      return '2026-03-01T12:00:00+01:00'
    case 'base64Binary':
      return Buffer.from(IMAGE, 'base64')
    case 'string':
      return 'text'
  }
}

function sampleFields(fields: Fields, within: readonly string[] = []): Record<string, unknown> {
  const samples = Object.entries(fields).map(([name, field]) => {
    const resolvedType = resolved(field.type)
    if (resolvedType.kind === 'struct' && within.includes(resolvedType.name)) return [name, undefined]
    const value = buildSample(field.type, field, within)
    return [name, field.repeated ? [value] : value]
  })
  return Object.fromEntries(samples)
}
