/** A sandbox for a test: a server on its own file, a clock that moves only when it is told to, and plain HTTP to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { SANDBOX_PROFILE, type SandboxOptions, type SandboxServer, startSandbox } from '../../src/sandbox/index.js'
import { scratch } from '../scratch.js'
import { copySeeded } from '../seeded.js'
import { at, bodyOf } from './tree.js'

export const NS = SANDBOX_PROFILE.namespace

export class StandingClock {
  constructor(public at = Date.parse('2026-03-02T10:00:00Z')) {}
  now(): number {
    return this.at
  }
}

export interface TestSandbox extends SandboxServer {
  readonly clock: StandingClock
  readonly path: string
  readonly lines: string[]
}

/** Starts a sandbox in a folder that its close removes. */
export async function openSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const folder = mkdtempSync(join(scratch(), 'seller-sandbox-'))
  const clock = new StandingClock()
  const lines: string[] = []
  const path = join(folder, 'sandbox.db')
  if (options.clock === undefined && options.path === undefined) copySeeded(path, clock.now())
  const server = await startSandbox({ path, clock, log: (line) => lines.push(line), ...options }).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  return {
    ...server,
    clock,
    path,
    lines,
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Sent {
  readonly method?: string | undefined
  readonly headers?: Record<string, string> | undefined
  readonly body?: string | Buffer | undefined
}

/** Sends one request on a new connection. @throws if the connection ends without a complete reply */
export function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export const ENVELOPES = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
} as const
export const SOAP_TYPES = { '1.1': 'text/xml; charset=utf-8', '1.2': 'application/soap+xml; charset=utf-8' } as const

/** The headers of the well-known application and seller. */
export const HEADERS = `<AuthenticationHeader xmlns="${NS}"><AppId>${SANDBOX_PROFILE.appId}</AppId><AppKey>${SANDBOX_PROFILE.appKey}</AppKey></AuthenticationHeader><AuthorizationHeader xmlns="${NS}"><UserId>${SANDBOX_PROFILE.userId}</UserId><Token>${SANDBOX_PROFILE.token}</Token></AuthorizationHeader><ConfigurationHeader xmlns="${NS}"><Sandbox>0</Sandbox><MaxResultAge>0</MaxResultAge></ConfigurationHeader>`

/** The same as a query string. */
export const CREDENTIALS = new URLSearchParams({
  appId: String(SANDBOX_PROFILE.appId),
  appKey: SANDBOX_PROFILE.appKey,
  userId: String(SANDBOX_PROFILE.userId),
  token: SANDBOX_PROFILE.token,
}).toString()

/** An envelope around the XML of a body. */
export function envelope(version: '1.1' | '1.2', body: string, headers = HEADERS): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope xmlns:soap="${ENVELOPES[version]}"><soap:Header>${headers}</soap:Header><soap:Body>${body}</soap:Body></soap:Envelope>`
}

/** Posts an envelope to a service as its SOAP version asks for. */
export function post(
  sandbox: SandboxServer,
  version: '1.1' | '1.2',
  operation: string,
  inner: string,
  { service = 'RestrictedService', headers = HEADERS, http = {} as Record<string, string> } = {},
): Promise<Got> {
  const body = envelope(version, `<${operation} xmlns="${NS}">${inner}</${operation}>`, headers)
  const action: Record<string, string> = version === '1.1' ? { SOAPAction: `"${NS}/${operation}"` } : {}
  return send(`${sandbox.url}/v3/${service}.asmx`, {
    method: 'POST',
    headers: { 'Content-Type': SOAP_TYPES[version], ...action, ...http },
    body,
  })
}

/** Removes the first live shop item, which the service queues. @returns the reply */
export async function removeOne(sandbox: SandboxServer): Promise<{ readonly text: string; readonly requestId: string }> {
  const live = '<filterActive>Active</filterActive><filterItemType>ShopItem</filterItemType>'
  const list = await post(sandbox, '1.2', 'GetSellerItems', live)
  const id = at(bodyOf(list.text), 'GetSellerItemsResult', 'Item', 'Id')?.text
  const { text } = await post(sandbox, '1.2', 'RemoveShopItem', `<shopItemId>${id}</shopItemId>`)
  return { text, requestId: at(bodyOf(text), 'RemoveShopItemResult', 'RequestId')?.text ?? '' }
}

/** Sends a command to the control plane. */
export async function order(sandbox: SandboxServer, action: string, body: object): Promise<Record<string, unknown>> {
  const got = await send(`${sandbox.url}/_sandbox/${action}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (got.status !== 200) throw new Error(`${action}: HTTP ${got.status} ${got.text}`)
  return JSON.parse(got.text) as Record<string, unknown>
}
