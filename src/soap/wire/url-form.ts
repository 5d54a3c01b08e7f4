/** The HTTP GET and POST forms: every parameter travels as text (docs/service.md, Bindings). */
import {
  type Field,
  fieldWireName,
  type InputFault,
  parametersBeyondText,
  type SimpleType,
  type SimpleValue,
  writeSimple,
} from '../../contract/index.js'
import type { HeaderValues, RequestContent } from './encode.js'
import { isSecretName, MASK, shortened } from './mask.js'

/** The parameters that these forms cannot carry, as input faults; none if they can carry the call. */
export function faultsBeyondText(content: RequestContent, binding: 'get' | 'post'): InputFault[] {
  const names = content.operation === undefined ? looseBeyondText(content.params) : parametersBeyondText(content.operation)
  return names.map((name) => ({
    field: name,
    value: undefined,
    message: `is more than text, and the binding ${binding} carries nothing else`,
    hint: 'Use the binding soap12 or soap11: they carry every operation.',
  }))
}

function looseBeyondText(params: Readonly<Record<string, unknown>>): string[] {
  const isText = (value: unknown) => typeof value !== 'object' || value === null || value instanceof Uint8Array
  return Object.entries(params)
    .filter(([, value]) => !(Array.isArray(value) ? value.every(isText) : isText(value)))
    .map(([name]) => name)
}

/**
 * The name=value pairs of a call: its parameters, then its credentials. Form-encoded, for a query string or a body.
 * @param shown whether to mask secrets and shorten files
 */
export function encodeForm(content: RequestContent, headers: HeaderValues, forTrace: boolean): string {
  const pairs: [string, string][] = []
  for (const [name, values] of parameterTexts(content, forTrace)) {
    for (const value of values) pairs.push([name, forTrace && isSecretName(name) ? MASK : value])
  }
  const { AuthenticationHeader, AuthorizationHeader, ConfigurationHeader } = headers
  pairs.push(['appId', String(AuthenticationHeader.AppId)])
  if (AuthenticationHeader.AppKey !== undefined) pairs.push(['appKey', AuthenticationHeader.AppKey])
  if (AuthorizationHeader !== null) {
    pairs.push(['userId', String(AuthorizationHeader.UserId)])
    if (AuthorizationHeader.Token !== undefined) pairs.push(['token', AuthorizationHeader.Token])
  }
  // The document lists only the four above. The other two are known from clients (docs/service.md, Headers), so they are sent
  // only if they differ from the default.
  if (ConfigurationHeader.Sandbox !== 0) pairs.push(['sandbox', String(ConfigurationHeader.Sandbox)])
  if (ConfigurationHeader.MaxResultAge !== 0) pairs.push(['maxResultAge', String(ConfigurationHeader.MaxResultAge)])
  return new URLSearchParams(pairs).toString()
}

function parameterTexts(content: RequestContent, forTrace: boolean): [name: string, texts: string[]][] {
  const { operation, params } = content
  if (operation === undefined) return Object.entries(params).map(([name, value]) => [name, looseTexts(value, forTrace)])
  return Object.entries(operation.params).map(([name, field]) => [
    fieldWireName(name, field),
    fieldTexts(field, params[name], forTrace),
  ])
}

/**
 * A single value is always sent, empty if it is unset: otherwise the service answers "Missing parameter" (docs/service.md,
 * Failures of HTTP GET and POST).
 */
function fieldTexts(field: Field, value: unknown, forTrace: boolean): string[] {
  const { type } = field
  const many = field.repeated || type.kind === 'list'
  if (value === undefined || value === null) return many || type.kind === 'base64Binary' ? [] : ['']
  const simple = (type.kind === 'list' ? type.item : type) as SimpleType
  return (many ? (value as SimpleValue[]) : [value as SimpleValue]).map((entry) => simpleText(simple, entry, forTrace))
}

function simpleText(type: SimpleType, value: SimpleValue, forTrace: boolean): string {
  const text = writeSimple(type, value)
  return forTrace && type.kind === 'base64Binary' ? shortened(text.length) : text
}

function looseTexts(value: unknown, forTrace: boolean): string[] {
  if (value === undefined) return []
  if (value === null) return ['']
  if (value instanceof Uint8Array) return [simpleText({ kind: 'base64Binary' }, value, forTrace)]
  return Array.isArray(value) ? value.flatMap((entry) => looseTexts(entry, forTrace)) : [String(value)]
}
