/**
 * A service that answers at once (or after so many ms), in a separate process: `loopback.ts [LATENCY_MS] [LIVE_ITEMS]`. It has
 * the operations that a repricing calls, accepts every price, finishes every request, and streams its list of items with the
 * prices that were set, and one of as many sales. Prints its port; GET / returns how many calls and rows it received.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { operations } from '../src/contract/index.js'
import { writeReply } from '../src/soap/server/index.js'
import { FIRST_ID, item, livePrice, sale } from './item.js'

const latencyMs = Number(process.argv[2] ?? 0)
/** Items of the live list. */
const live = Number(process.argv[3] ?? 0)
/** Prices that were set, by item; the others have their first price. */
const set = new Int32Array(live)
const NS = 'http://bench.example/api'
/** Items written at once. */
const SOME = 200
const counted: Record<string, number> = { calls: 0, rows: 0, looks: 0 }
let requestId = 1

/** Both SOAP versions: our client uses 1.2, the one it is compared with 1.1. */
function envelope(body: string, soap12: boolean): string {
  const namespace = soap12 ? 'http://www.w3.org/2003/05/soap-envelope' : 'http://schemas.xmlsoap.org/soap/envelope/'
  return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${namespace}"><soap:Body>${body}</soap:Body></soap:Envelope>`
}

function prices(request: string): string {
  const parts: string[] = []
  for (const [, id, price] of request.matchAll(/<(?:\w+:)?Id>(\d+)<\/(?:\w+:)?Id>\s*<(?:\w+:)?Price>(\d+)</g)) {
    const at = Number(id) - FIRST_ID
    if (at >= 0 && at < live) set[at] = Number(price)
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

/** Stand for the id and the price in the text of one entry. */
const [ID, PRICE] = [777_777_777, 888_888_888]

/** A list of so many entries, made from the reply with one of them. */
function* list(reply: string, tag: string, count: number, priceAt: (at: number) => number): Generator<Buffer> {
  const [from, to] = [reply.indexOf(`<${tag}>`), reply.lastIndexOf(`</${tag}>`) + `</${tag}>`.length]
  const [before = '', after = ''] = reply.slice(from, to).split(String(PRICE))
  const pieces = { before: before.split(String(ID)), after: after.split(String(ID)) }
  yield Buffer.from(reply.slice(0, from))
  for (let at = 0; at < count; at += SOME) {
    let text = ''
    for (let one = at; one < Math.min(count, at + SOME); one++) {
      const own = String(FIRST_ID + one)
      text += pieces.before.join(own) + priceAt(one) + pieces.after.join(own)
    }
    yield Buffer.from(text)
  }
  yield Buffer.from(reply.slice(to))
}

function items(): Generator<Buffer> {
  const reply = [...writeReply('1.2', NS, operations.GetSellerItems, [{ ...item(ID), BuyItNowPrice: PRICE }])].join('')
  return list(reply, 'Item', live, (at) => set[at] || livePrice(at))
}

/**
 * As many sales of the last hour, and one: a reply in whole fifties would be read again in halves, because it may have been cut.
 */
function sales(): Generator<Buffer> {
  const reply = [...writeReply('1.2', NS, operations.GetSellerTransactions, [{ ...sale(ID), Amount: PRICE }])].join('')
  return list(reply, 'Transaction', live + 1, livePrice)
}

/** One item, with the price that was set. */
function one(request: string): string {
  const id = Number(/<(?:\w+:)?itemId>(\d+)</.exec(request)?.[1])
  const at = id - FIRST_ID
  const found = at >= 0 && at < live ? { ...item(id), BuyItNowPrice: set[at] || livePrice(at) } : null
  return [...writeReply('1.2', NS, operations.GetItem, found)].join('')
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
    const streamed = text.includes('GetSellerItems') ? items() : text.includes('GetSellerTransactions') ? sales() : undefined
    if (streamed !== undefined) {
      response.writeHead(200, { 'content-type': 'application/soap+xml; charset=utf-8' })
      Readable.from(streamed).pipe(response)
      return
    }
    const soap12 = String(request.headers['content-type']).startsWith('application/soap+xml')
    const whole = () => envelope(text.includes('GetRequestResults') ? results(text) : prices(text), soap12)
    const body = Buffer.from(text.includes('GetItem ') ? one(text) : whole())
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
