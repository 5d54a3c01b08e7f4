/** The four ways a call can travel (docs/service.md, Bindings): its address, its headers and its body. */
import type { ServiceName } from '../../contract/index.js'
import { buildEnvelope, type Frames, type HeaderValues, type RequestContent } from '../wire/encode.js'
import { CONTENT_TYPES, type SoapVersion } from '../wire/names.js'
import { encodeForm } from '../wire/url-form.js'
import type { Binding, RequestDescription } from './options.js'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** Under the binding `get` it has credentials in its query, so it must not be shown. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Route {
  readonly binding: Binding
  readonly baseUrl: string
  readonly namespace: string
  readonly userAgent: string
  /** Frames of the client, for its next call. */
  readonly frames?: Frames
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

/**
 * `{base}/v3/<Service>.asmx`; a base address may have a path and a final slash. Where it is the address of a service in lower
 * case, those of all services are.
 */
export function servicePath(baseUrl: string, service: ServiceName): string {
  const [, below] = LOWER.exec(baseUrl) ?? []
  if (below !== undefined) return `${below}${service.toLowerCase()}.asmx`
  return `${baseUrl.replace(/\/+$/, '')}/v3/${service}.asmx`
}

const LOWER = /^(.*\/v3\/)[a-z]+service\.asmx$/

export function soapVersionOf(binding: Binding): SoapVersion | undefined {
  if (binding === 'soap12') return '1.2'
  return binding === 'soap11' ? '1.1' : undefined
}

/** The request that is sent. */
export async function buildRequest(
  route: Route,
  content: RequestContent,
  headers: HeaderValues,
  forTrace = false,
): Promise<HttpRequest> {
  const version = soapVersionOf(route.binding)
  if (version === undefined) return formRequest(route, content, encodeForm(content, headers, forTrace))
  const body = await buildEnvelope(version, route.namespace, content, headers, forTrace, route.frames)
  return { method: 'POST', url: servicePath(route.baseUrl, content.service), headers: soapHeaders(route, content, version), body }
}

/** The same request as it may be shown; `headers` must hold nothing secret. */
export function shownRequest(route: Route, content: RequestContent, headers: HeaderValues): Promise<RequestDescription> {
  // A name and a password in the address are secrets too.
  const baseUrl = route.baseUrl.replace(/^(\w+:\/\/)[^/@]*@/, '$1')
  return buildRequest({ ...route, baseUrl }, content, headers, true)
}

function soapHeaders(route: Route, content: RequestContent, version: SoapVersion): Record<string, string> {
  const action = `${route.namespace}/${content.name}`
  const headers: Record<string, string> = {
    // SOAP 1.2 has no SOAPAction: its action is a parameter of the media type (RFC 3902, 2.1), which .NET's clients send.
    'content-type': version === '1.1' ? CONTENT_TYPES[version] : `${CONTENT_TYPES[version]}; action="${action}"`,
    accept: 'application/soap+xml, text/xml',
    'user-agent': route.userAgent,
  }
  if (version === '1.1') headers.soapaction = `"${action}"`
  return headers
}

function formRequest(route: Route, content: RequestContent, form: string): HttpRequest {
  const url = `${servicePath(route.baseUrl, content.service)}/${content.name}`
  const headers = { accept: 'text/xml', 'user-agent': route.userAgent }
  if (route.binding === 'get') return { method: 'GET', url: `${url}?${form}`, headers }
  return { method: 'POST', url, headers: { ...headers, 'content-type': FORM_TYPE }, body: form }
}
