/** Sample messages of an operation in the four bindings, from the contract. Every sample is valid against the WSDL. */
import {
  type Field,
  type Fields,
  headerNames,
  headers,
  type Operation,
  parametersBeyondText,
  resolved,
  type Struct,
  type Type,
  wrapper,
} from '../../contract/index.js'
import { escaped } from '../markup.js'
import { SANDBOX_PROFILE } from '../profile.js'
import { plainRoot } from '../wsdl/schema.js'

/** A request and its reply as they are transmitted. */
export interface Sample {
  readonly binding: 'SOAP 1.1' | 'SOAP 1.2' | 'HTTP GET' | 'HTTP POST'
  readonly request: string
  readonly reply: string
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  AppId: String(SANDBOX_PROFILE.appId),
  AppKey: SANDBOX_PROFILE.appKey,
  UserId: String(SANDBOX_PROFILE.userId),
  Token: SANDBOX_PROFILE.token,
  Sandbox: '0',
  MaxResultAge: '0',
}

const ENVELOPES = {
  '1.1': ['http://schemas.xmlsoap.org/soap/envelope/', 'text/xml; charset=utf-8'],
  '1.2': ['http://www.w3.org/2003/05/soap-envelope', 'application/soap+xml; charset=utf-8'],
} as const

/** The samples of an operation. The HTTP forms are among them only if its parameters can travel as text. */
export function samplesOf(operation: Operation, namespace: string, address: string): Sample[] {
  const { host, pathname } = new URL(address)
  const samples: Sample[] = (['1.1', '1.2'] as const).map((version) => {
    const [, type] = ENVELOPES[version]
    const head = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, `Content-Type: ${type}`]
    if (version === '1.1') head.push(`SOAPAction: "${namespace}/${operation.name}"`)
    return {
      binding: `SOAP ${version}` as const,
      request: `${head.join('\n')}\n\n${envelope(version, headerLines(operation, namespace), requestElement(operation, namespace))}`,
      reply: `HTTP/1.1 200 OK\nContent-Type: ${type}\n\n${envelope(version, [], replyElement(operation, namespace))}`,
    }
  })
  if (parametersBeyondText(operation).length > 0) return samples
  const pairs = new URLSearchParams([...Object.entries(operation.params).flatMap(plainPairs), ...credentialPairs(operation)])
  const plain = plainReply(operation, namespace)
  const reply = plain === '' ? 'HTTP/1.1 200 OK\n' : `HTTP/1.1 200 OK\nContent-Type: text/xml; charset=utf-8\n\n${plain}`
  const path = `${pathname}/${operation.name}`
  const form = 'Content-Type: application/x-www-form-urlencoded'
  return [
    ...samples,
    { binding: 'HTTP GET', request: `GET ${path}?${pairs} HTTP/1.1\nHost: ${host}\n`, reply },
    { binding: 'HTTP POST', request: `POST ${path} HTTP/1.1\nHost: ${host}\n${form}\n\n${pairs}\n`, reply },
  ]
}

/** The message of a SOAP 1.2 request, without its HTTP headers. */
export function soapSample(operation: Operation, namespace: string, address: string): string {
  const request = samplesOf(operation, namespace, address).find(({ binding }) => binding === 'SOAP 1.2')?.request ?? ''
  return request.slice(request.indexOf('\n\n') + 2)
}

/** The request element inside a SOAP body. */
export function requestElement(operation: Operation, namespace: string): string[] {
  return element(operation.name, wrapper(operation.name, operation.params), ` xmlns="${escaped(namespace)}"`)
}

/** The reply element inside a SOAP body. */
export function replyElement(operation: Operation, namespace: string): string[] {
  const name = `${operation.name}Response`
  const fields: Fields = operation.result === undefined ? {} : { [`${operation.name}Result`]: operation.result }
  return element(name, wrapper(name, fields), ` xmlns="${escaped(namespace)}"`)
}

/** The reply of the HTTP forms; '' for an operation without a result. */
export function plainReply(operation: Operation, namespace: string): string {
  const root = plainRoot(operation)
  if (root === undefined) return ''
  return ['<?xml version="1.0" encoding="utf-8"?>', ...element(root.name, root.type, ` xmlns="${escaped(namespace)}"`)].join('\n')
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
  return [[name, sampleText(resolved(type), field)]]
}

function headerLines({ service }: Operation, namespace: string): string[] {
  return headerNames(service).flatMap((name) => [
    `<${name} xmlns="${escaped(namespace)}">`,
    ...Object.keys(headers[name].fields).map((field) => `  <${field}>${escaped(CREDENTIALS[field] ?? '')}</${field}>`),
    `</${name}>`,
  ])
}

function envelope(version: '1.1' | '1.2', headerPart: readonly string[], body: readonly string[]): string {
  const deeper = (lines: readonly string[]) => lines.map((line) => `    ${line}`)
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<soap:Envelope xmlns:soap="${ENVELOPES[version][0]}">`,
    ...(headerPart.length === 0 ? [] : ['  <soap:Header>', ...deeper(headerPart), '  </soap:Header>']),
    '  <soap:Body>',
    ...deeper(body),
    '  </soap:Body>',
    '</soap:Envelope>',
  ].join('\n')
}

/** Lines of one element with its content. A type inside itself is shown once. */
function element(name: string, type: Type, attributes = '', field?: Field, within: readonly string[] = []): string[] {
  const whole = resolved(type)
  if (whole.kind === 'list') {
    const inner = element(whole.itemName, whole.item, '', undefined, within)
    return [
      `<${name}${attributes}>`,
      ...[...inner, ...(inner.length === 1 ? inner : [])].map((line) => `  ${line}`),
      `</${name}>`,
    ]
  }
  if (whole.kind !== 'struct') return [`<${name}${attributes}>${escaped(sampleText(whole, field))}</${name}>`]
  const inner = structLines(whole, [...within, whole.name])
  const own = Object.entries(whole.fields)
    .filter(([, { attribute }]) => attribute)
    .map(([key, one]) => ` ${key}="${escaped(sampleText(resolved(one.type), one))}"`)
    .join('')
  if (inner.length === 0) return [`<${name}${attributes}${own} />`]
  return [`<${name}${attributes}${own}>`, ...inner.map((line) => `  ${line}`), `</${name}>`]
}

function structLines({ fields }: Struct, within: readonly string[]): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const unfolded = resolved(field.type)
    const again = unfolded.kind === 'struct' && within.includes(unfolded.name)
    return field.attribute || again ? [] : element(name, field.type, '', field, within)
  })
}

const TEXTS: Readonly<Record<string, string>> = {
  decimal: '1.5',
  string: 'text',
  boolean: 'true',
  dateTime: '2026-03-01T12:00:00+01:00',
  base64Binary: 'iVBORw0KGgo=',
}

function sampleText(type: Exclude<Type, { kind: 'recursive' }>, field?: Field): string {
  if (type.kind === 'enumeration' || type.kind === 'flags') return type.values[0] ?? ''
  if (type.kind === 'int') return String(field?.rule?.oneOf?.[0] ?? Math.max(1, field?.rule?.min ?? 1))
  return (TEXTS[type.kind] ?? '').slice(0, field?.rule?.maxLength ?? Number.POSITIVE_INFINITY)
}
