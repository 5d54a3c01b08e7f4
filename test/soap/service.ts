/** A service on this machine that answers as a test says, and records its calls. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SoapError } from '../../src/soap/client/index.js'
import { rejectedBy } from '../thrown.js'

export interface Asked {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
  /** Which connection it came by, from 1. */
  connection: number
}

export type Answer = (asked: Asked, response: ServerResponse, number: number) => void

export interface Service {
  url: string
  asked: Asked[]
  close(): Promise<void>
}

/** The error of a call that must not succeed. */
export const refused = (promise: Promise<unknown>) => rejectedBy(SoapError, promise)

export async function startService(answer: Answer): Promise<Service> {
  const asked: Asked[] = []
  const connections: unknown[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    if (!connections.includes(request.socket)) connections.push(request.socket)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const connection = connections.indexOf(request.socket) + 1
      asked.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8'), connection })
      answer(asked.at(-1)!, response, asked.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const SOAP_TYPE = { 'content-type': 'application/soap+xml; charset=utf-8' }
export const NS = 'http://ns.example/v3'

/** An envelope around a body, as the service writes it. */
export function envelope(body: string, version: '1.1' | '1.2' = '1.2'): string {
  const soap = version === '1.2' ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/'
  return (
    `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${soap}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
    `xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>${body}</soap:Body></soap:Envelope>`
  )
}

/** `<Op>Response` around its content. */
export function response(operation: string, inner: string): string {
  return envelope(`<${operation}Response xmlns="${NS}">${inner}</${operation}Response>`)
}

/** A clock that does not wait, and records how long it should have. */
export function stillClock(random = 0.5) {
  const slept: number[] = []
  return {
    slept,
    now: () => 0,
    random: () => random,
    sleep: async (ms: number, signal?: AbortSignal) => {
      slept.push(ms)
      signal?.throwIfAborted()
    },
  }
}
