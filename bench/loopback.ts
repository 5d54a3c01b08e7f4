/**
 * A service that answers at once (or after so many ms), in a process of its own: `loopback.ts [LATENCY_MS]`. It knows the two operations a
 * repricing calls, takes every price, and finishes every request. Prints its port; GET / tells how many calls and rows it was sent.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const latencyMs = Number(process.argv[2] ?? 0)
const NS = 'http://bench.example/api'
const counted: Record<string, number> = { calls: 0, rows: 0, looks: 0 }
let requestId = 1

/** Both SOAP versions: our client speaks 1.2, the one beside it 1.1. */
function envelope(body: string, soap12: boolean): string {
  const namespace = soap12 ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/'
  return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${namespace}"><soap:Body>${body}</soap:Body></soap:Envelope>`
}

function prices(request: string): string {
  const parts: string[] = []
  for (const [, id] of request.matchAll(/<(?:\w+:)?Id>(\d+)</g)) {
    parts.push(`<QueuedRequestResponse><RequestId>${requestId++}</RequestId><ItemId>${id}</ItemId></QueuedRequestResponse>`)
  }
  counted.calls = (counted.calls ?? 0) + 1
  counted.rows = (counted.rows ?? 0) + parts.length
  const list = `<QueuedRequestResponses>${parts.join('')}</QueuedRequestResponses><ValidationErrors />`
  return `<SetPriceOnShopItemsResponse xmlns="${NS}"><SetPriceOnShopItemsResult>${list}</SetPriceOnShopItemsResult></SetPriceOnShopItemsResponse>`
}

function results(request: string): string {
  counted.looks = (counted.looks ?? 0) + 1
  const parts: string[] = []
  for (const [, id] of request.matchAll(/<(?:\w+:)?int>(\d+)</g)) {
    parts.push(`<RequestResult><RequestId>${id}</RequestId><ResultCode>Ok</ResultCode></RequestResult>`)
  }
  return `<GetRequestResultsResponse xmlns="${NS}"><GetRequestResultsResult>${parts.join('')}</GetRequestResultsResult></GetRequestResultsResponse>`
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(counted))
    return
  }
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const text = Buffer.concat(pieces).toString('latin1')
    const soap12 = String(request.headers['content-type']).startsWith('application/soap+xml')
    const body = Buffer.from(envelope(text.includes('GetRequestResults') ? results(text) : prices(text), soap12))
    const send = () => {
      const type = `${soap12 ? 'application/soap+xml' : 'text/xml'}; charset=utf-8`
      response.writeHead(200, { 'content-type': type, 'content-length': body.length })
      response.end(body)
    }
    if (latencyMs > 0) setTimeout(send, latencyMs)
    else send()
  })
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
