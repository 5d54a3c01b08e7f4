/** A server that only shows descriptions, for tests of what is made of them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Operation, operationsOf, type ServiceName } from '../../src/contract/index.js'
import { buildWsdl } from '../../src/sandbox/wsdl/document.js'

export const NS = 'http://api.marketplace.example'

export interface DescribedService {
  /** Base address. */
  readonly url: string
  /** Requests as they came. They have no bodies. */
  readonly seen: IncomingMessage[]
  /** Answers a path instead of showing the description; undefined shows it again. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** The operations that a service shows. */
  show(service: ServiceName, operations: readonly Operation[], namespace?: string): void
  close(): Promise<void>
}

/** Starts it with the descriptions of the contract. */
export async function openDescribed(): Promise<DescribedService> {
  const shown = new Map<string, { service: ServiceName; operations: readonly Operation[]; namespace: string }>()
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    if (described.answer?.(request, response) === true) return
    const entry = shown.get((request.url ?? '').toLowerCase())
    if (entry === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<html><body>Not Found</body></html>')
    else {
      const text = buildWsdl(entry.service, entry.namespace, `${described.url}/v3/${entry.service}.asmx`, entry.operations)
      response.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' }).end(text)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const described: DescribedService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer: undefined,
    show(service, operations, namespace = NS) {
      shown.set(`/v3/${service}.asmx?wsdl`.toLowerCase(), { service, operations, namespace })
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  for (const service of ['RestrictedService', 'PublicService'] as const)
    described.show(service, Object.values(operationsOf(service)))
  return described
}
