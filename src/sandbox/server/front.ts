/**
 * Every request arrives here. It is checked, and then passed by its path to the service, a page, an image or the control plane.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ALL_SERVICES, nearest, type ServiceName } from '../../contract/index.js'
import { imageIdOf } from '../marketplace/index.js'
import { serveCall } from './calls.js'
import { refusalOf, writingGetRefused } from './guard.js'
import { type Reply, refusalPage, send } from './reply.js'
import type { Site } from './site.js'

const SERVICES: Readonly<Record<string, ServiceName>> = Object.fromEntries(
  ALL_SERVICES.map((service) => [service.toLowerCase(), service]),
)
/** Both spellings of docs/service.md, Addresses, in any case, as the service's own server accepts them. */
const SERVICE_PATH = /^\/v3\/([a-z]+)\.asmx(?:\/([^/]*))?$/i

/** The page on which a seller allows an application, with its older name (docs/service.md, Token login). */
const LOGIN_PATH = /^\/(?:token-login|tokenlogin\.aspx)$/i

/** Browsers request the second icon by themselves if a page names none. */
const CONSOLE_PATHS: ReadonlySet<string> = new Set(['/', '/_sandbox/state', '/icon.svg', '/favicon.ico'])

/** Paths of the control plane that GET shows. */
const CONTROL_READS: ReadonlySet<string> = new Set(['/_sandbox/', '/_sandbox/state'])

const IMAGE_TYPES = { Gif: 'image/gif', Jpeg: 'image/jpeg', Png: 'image/png' } as const

/** Answers one request. Rejects only if the sandbox itself fails. */
export async function handle(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '/', ...rest] = (request.url ?? '/').split('?')
  const query = new URLSearchParams(rest.join('?'))
  const method = request.method ?? ''
  const match = SERVICE_PATH.exec(path)
  const namedService = match === null ? undefined : SERVICES[match[1]?.toLowerCase() ?? '']
  // A host without the order service has nothing at its address.
  const service = namedService !== undefined && site.served.inOneForm(namedService).length > 0 ? namedService : undefined
  const operation = match?.[2] === undefined || match[2] === '' ? undefined : decodeSegment(match[2])

  const refusal = refusalOf(
    request,
    path === '/' || LOGIN_PATH.test(path) || path.startsWith('/item/') || (service !== undefined && operation === undefined),
  )
  if (refusal !== undefined) return send(response, refusalPage(403, refusal))

  if (service !== undefined && site.host === 'core' && (operation !== undefined || method === 'GET')) {
    const isDescription = operation === undefined && [...query.keys()].some((name) => name.toLowerCase() === 'wsdl')
    return send(response, isDescription ? await servicePage(site, service, request, query) : nothingAt(site, path))
  }
  if (service !== undefined) {
    const writes = method === 'GET' && operation !== undefined && site.served.operations(service)[operation]?.kind !== 'read'
    const unsafe = writes ? writingGetRefused(request) : undefined
    if (unsafe !== undefined) return send(response, refusalPage(403, unsafe))
    if (method === 'POST' || (method === 'GET' && operation !== undefined)) {
      return serveCall(site, request, response, { service, operation, query })
    }
    if (method === 'GET') return send(response, await servicePage(site, service, request, query))
    return send(response, notAllowed(method, ['GET', 'POST']))
  }
  if (LOGIN_PATH.test(path) && (method === 'GET' || method === 'POST')) {
    const { loginReply } = await import('../pages/token-login.js')
    return send(response, await loginReply(site, request, query))
  }
  // Any method finds nothing at the address of a service that is not offered.
  const allowedMethod = match !== null ? method : path.startsWith('/_sandbox/') && !CONTROL_READS.has(path) ? 'POST' : 'GET'
  if (method !== allowedMethod) return send(response, notAllowed(method, [allowedMethod]))
  return send(response, await other(site, request, path, query))
}

/**
 * Pages of a service for GET: its WSDL, its discovery document, an operation, the list of operations. Loaded when first asked
 * for.
 */
async function servicePage(site: Site, service: ServiceName, request: IncomingMessage, query: URLSearchParams): Promise<Reply> {
  const askedValues = new Map([...query].map(([name, value]) => [name.toLowerCase(), value]))
  const authority = request.headers.host ?? `127.0.0.1:${request.socket.localPort}`
  const address = `http://${authority}/v3/${service}.asmx`
  if (askedValues.has('wsdl')) {
    const { buildWsdl: wsdlOf } = await import('../wsdl/document.js')
    return {
      status: 200,
      type: 'text/xml; charset=utf-8',
      text: wsdlOf(service, site.namespace, address, site.served.inOneForm(service), site.host === 'asmx'),
    }
  }
  if (askedValues.has('disco')) {
    const { buildDiscovery: discoveryOf } = await import('../wsdl/discovery.js')
    return { status: 200, type: 'text/xml; charset=utf-8', text: discoveryOf(service, site.namespace, address) }
  }
  const { operationPage, servicePage: listPage } = await import('../pages/service.js')
  const operation = askedValues.get('op')
  if (operation === undefined) return listPage(service, site.served.inOneForm(service), site.namespace, address)
  return operationPage(service, site.served.inOneForm(service), operation, site.namespace, address)
}

async function other(site: Site, request: IncomingMessage, path: string, query: URLSearchParams): Promise<Reply> {
  const image = imageIdOf(path)
  if (image !== undefined) return imageReply(site, image)
  if (CONSOLE_PATHS.has(path) || path.startsWith('/item/')) {
    const { consoleReply } = await import('../pages/console.js')
    return consoleReply(site, path, query)
  }
  if (path === '/_sandbox/') {
    const { listCommands } = await import('./control.js')
    return listCommands()
  }
  const order = /^\/_sandbox\/([^/]*)$/.exec(path)
  if (order !== null) {
    const { carryOut } = await import('./control.js')
    return carryOut(site, decodeSegment(order[1] ?? ''), request)
  }
  return nothingAt(site, path)
}

function nothingAt(site: Site, path: string): Reply {
  const knownPaths = [...servicePaths(site), '/']
  const near = nearest(path, knownPaths)
  const there = near === undefined || near === path ? `There are ${knownPaths.join(', ')}.` : `Did you mean ${near}?`
  return refusalPage(404, `There is nothing at ${path}. ${there}`)
}

/** The addresses of the services that are offered. */
function servicePaths({ served }: Site): string[] {
  return ALL_SERVICES.filter((service) => served.inOneForm(service).length > 0).map((service) => `/v3/${service}.asmx`)
}

function imageReply(site: Site, id: number): Reply {
  const image = site.marketplace.console.image(id)
  if (image === undefined) return refusalPage(404, `Image ${id} does not exist.`)
  return {
    status: 200,
    type: IMAGE_TYPES[image.format],
    headers: { 'Cache-Control': 'private, max-age=3600' },
    text: image.bytes,
  }
}

function notAllowed(method: string, allowedMethods: readonly string[]): Reply {
  const message = `${method} is not allowed here; ${allowedMethods.join(' and ')} ${allowedMethods.length === 1 ? 'is' : 'are'}.`
  return refusalPage(405, message, { Allow: allowedMethods.join(', ') })
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
