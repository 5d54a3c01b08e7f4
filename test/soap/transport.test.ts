import { getEventListeners, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { type Connections, openConnections, usesProxy } from '../../src/soap/client/agents.js'
import { type ClientOptions, createClient, systemClock } from '../../src/soap/client/index.js'
import { type Answer, envelope, NS, refused, response, type Service, SOAP_TYPE, startService, stillClock } from './service.js'

const ITEM = response('GetItem', '<GetItemResult><Id>7</Id></GetItemResult>')
const FEEDBACK = { transactionId: 1, comment: 'x', type: 'Positive' } as const
const ALL = { categoryId: 0, filterActive: 'All', filterItemType: 'All' } as const

const items = (from: number, to: number) => {
  let text = ''
  for (let id = from; id <= to; id++) text += `<Item><Id>${id}</Id><ShortDescription>Röd cykel ${id}</ShortDescription></Item>`
  return text
}
const list = (inner: string) => response('GetSellerItems', `<GetSellerItemsResult>${inner}</GetSellerItemsResult>`)

describe('the line to the service', () => {
  let service: Service | undefined
  const clients: { close(): void }[] = []

  async function open(answer: Answer, options: Partial<ClientOptions> = {}) {
    service = await startService(answer)
    return clientOf(service.url, options)
  }

  function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}) {
    const credentials = { appId: 1, appKey: 'a-planted-key', userId: 2, token: 'a-planted-token' }
    const client = createClient({ baseUrl, namespace: NS, credentials, clock: stillClock(), ...options })
    clients.push(client)
    return client
  }

  afterEach(async () => {
    for (const client of clients.splice(0)) client.close()
    await service?.close()
    service = undefined
  })

  it("lets go of the caller's signal after each call, well or not", async () => {
    const client = await open((asked, reply) => {
      if (asked.body.includes('<GetUserInfo')) return reply.destroy()
      reply.writeHead(asked.body.includes('<GetItem') ? 200 : 403, SOAP_TYPE)
      return reply.end(ITEM)
    })
    const { signal } = new AbortController()
    for (let call = 0; call < 3; call++) await client.call('GetItem', { itemId: 7 }, { signal })
    await refused(client.call('GetUserInfo', {}, { signal }))
    await refused(client.call('GetShopSettings', {}, { signal }))
    expect(getEventListeners(signal, 'abort')).to.have.lengthOf(0)
  })

  it('keeps its connection for reads, and takes a new one for each single write', async () => {
    const client = await open((asked, reply) => {
      reply.writeHead(200, SOAP_TYPE)
      reply.end(
        asked.body.includes('<GetItem') ? ITEM : response('LeaveFeedback', '<LeaveFeedbackResult>true</LeaveFeedbackResult>'),
      )
    })
    await client.call('GetItem', { itemId: 7 })
    await client.call('GetItem', { itemId: 7 })
    await client.call('LeaveFeedback', FEEDBACK)
    await client.call('LeaveFeedback', FEEDBACK)
    expect(service?.asked.map(({ connection }) => connection)).to.deep.equal([1, 1, 2, 3])
  })

  it('makes a read again whose connection is lost before, within and between the bytes of the reply', async () => {
    const client = await open((_asked, reply, number) => {
      if (number === 1) reply.destroy()
      else if (number === 2) {
        reply.writeHead(200, { ...SOAP_TYPE, 'content-length': String(Buffer.byteLength(ITEM)) })
        reply.write(ITEM.slice(0, 300))
        setTimeout(() => reply.destroy(), 5)
      } else reply.writeHead(200, SOAP_TYPE).end(number === 3 ? ITEM.slice(0, -20) : ITEM)
    })
    expect(await client.call('GetItem', { itemId: 7 })).to.include({ Id: 7 })
    expect(service?.asked).to.have.length(4)
  })

  it('knows that a call was sent which is lost on a kept connection', async () => {
    const client = await open(
      (_asked, reply, number) => (number === 1 ? reply.writeHead(200, SOAP_TYPE).end(ITEM) : reply.destroy()),
      { retries: 0 },
    )
    await client.call('GetItem', { itemId: 7 })
    expect(await refused(client.call('GetItem', { itemId: 7 }))).to.include({ kind: 'interrupted', sent: true })
    expect(service?.asked.map(({ connection }) => connection)).to.deep.equal([1, 1])
  })

  it('takes a single write for unknown whose connection is lost after it was made', async () => {
    const client = await open((_asked, reply) => reply.destroy())
    const error = await refused(client.call('LeaveFeedback', FEEDBACK))
    expect(error).to.include({ kind: 'unknown-outcome', sent: true })
    expect(service?.asked).to.have.length(1)
  })

  it('is content with a complete reply whose connection is lost afterwards', async () => {
    const reply = response('LeaveFeedback', '<LeaveFeedbackResult>false</LeaveFeedbackResult>')
    const client = await open((_asked, answer) => {
      answer.writeHead(200, { ...SOAP_TYPE, 'content-length': String(reply.length + 100) })
      answer.write(reply)
      setTimeout(() => answer.destroy(), 5)
    })
    expect(await client.call('LeaveFeedback', FEEDBACK)).to.equal(false)
  })

  it('is not patient with silence, before the reply and within it', async () => {
    const client = await open(
      (_asked, reply, number) => {
        if (number > 1) reply.writeHead(200, SOAP_TYPE).write(ITEM.slice(0, 50))
      },
      { silenceTimeoutMs: 40, retries: 1 },
    )
    const error = await refused(client.call('GetItem', { itemId: 7 }))
    expect(error).to.include({ kind: 'interrupted', sent: true })
    expect(error.message).to.include('0.04 s')
    expect(service?.asked).to.have.length(2)
    expect(await refused(client.call('LeaveFeedback', FEEDBACK))).to.include({ kind: 'unknown-outcome' })
  })

  it('ends a call that only trickles, however often a byte comes, and counts its retries', async () => {
    const trickle = (reply: ServerResponse) => {
      const timer = setInterval(() => reply.write(' '), 10)
      reply.on('close', () => clearInterval(timer))
    }
    const client = await open((_asked, reply) => trickle(reply.writeHead(200, SOAP_TYPE)), { callTimeoutMs: 300 })
    const error = await refused(client.call('GetItem', { itemId: 7 }))
    expect(error).to.include({ kind: 'interrupted', sent: true })
    expect(error.message).to.include('longer than 0.3 s')
    expect(service?.asked, 'nothing is left for another attempt').to.have.length(1)
    expect(await refused(client.call('LeaveFeedback', FEEDBACK))).to.include({ kind: 'unknown-outcome' })
    expect(await refused(client.call('GetItem', { itemId: 7 }, { endsWithinMs: 50 }))).to.include({ kind: 'interrupted' })
  })

  it('gives a list its own time, of which a reader that is slow takes none', async () => {
    const reply40 = list(items(1, 40))
    const client = await open((_asked, reply) => reply.writeHead(200, SOAP_TYPE).end(reply40), {
      callTimeoutMs: 1,
      listTimeoutMs: 5000,
    })
    let count = 0
    for await (const _ of client.stream('GetSellerItems', ALL)) {
      count++
      if (count === 1) await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(count).to.equal(40)
  })

  it('says that nothing was sent where nobody listens', async () => {
    const client = await open(() => undefined)
    await service?.close()
    const slept = stillClock()
    const error = await refused(clientOf(service?.url ?? '', { clock: slept }).call('LeaveFeedback', FEEDBACK))
    expect(error).to.include({ kind: 'unreachable', sent: false, reason: 'ECONNREFUSED' })
    expect(slept.slept).to.have.length(3)
    client.close()
  })

  it('says that nothing was sent where the system refuses the address at once', async () => {
    const client = clientOf('http://255.255.255.255:9', { clock: stillClock() })
    const error = await refused(client.call('LeaveFeedback', FEEDBACK))
    expect(error).to.include({ kind: 'unreachable', sent: false, reason: 'ENETUNREACH' })
    client.close()
  })

  it('says that nothing was sent where TLS fails, and where the connection does not come about in time', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      if (sockets.length === 1) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const client = clientOf(baseUrl, { connectTimeoutMs: 40, retries: 1 })
    const error = await refused(client.call('LeaveFeedback', FEEDBACK))
    expect(error).to.include({ kind: 'unreachable', sent: false, reason: 'ETIMEDOUT' })
    expect(sockets).to.have.length(2)
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it('reads packed replies, and counts their bytes unpacked', async () => {
    const big = list(items(1, 2000))
    const client = await open((_asked, reply) =>
      reply.writeHead(200, { ...SOAP_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(big)),
    )
    expect(await client.call('GetSellerItems', ALL)).to.have.length(2000)
    const error = await refused(clientOf(service?.url ?? '', { maxReplyBytes: 50_000 }).call('GetSellerItems', ALL))
    expect(error.kind).to.equal('too-large')
  })

  it('reads each way of packing that it asks for, and each charset by its mark, its type or its declaration', async () => {
    const text = (charset: string) =>
      `<?xml version="1.0" encoding="${charset}"?>${list('<Item><Id>1</Id><ShortDescription>Öl – 5</ShortDescription></Item>').replace(/^<\?xml.*?\?>/, '')}`
    const wide = Buffer.from(`\ufeff${text('utf-16')}`, 'utf16le')
    const latin = (charset: string) => Buffer.from(text(charset).replaceAll('–', '\x96'), 'latin1')
    const replies: [Record<string, string>, Buffer][] = [
      [{ 'content-encoding': 'deflate' }, deflateSync(text('utf-8'))],
      [{ 'content-encoding': 'deflate' }, deflateRawSync(text('utf-8'))],
      [{ 'content-encoding': 'br' }, brotliCompressSync(text('utf-8'))],
      [{ 'content-type': 'application/soap+xml' }, wide],
      [{ 'content-type': 'application/soap+xml; charset=utf-16' }, Buffer.from(wide).swap16()],
      [{ 'content-type': 'application/soap+xml; charset=utf-16be' }, Buffer.from(wide).swap16().subarray(2)],
      [{ 'content-type': 'application/soap+xml; charset=windows-1252' }, latin('utf-8')],
      [{ 'content-type': 'application/soap+xml' }, latin('windows-1252')],
    ]
    const client = await open((asked, reply, number) => {
      const [headers, body] = replies[number - 1]!
      reply.writeHead(200, { ...SOAP_TYPE, ...headers })
      // Servers that send it raw, and those that do not, call it by the same word.
      expect(asked.headers['accept-encoding']).to.equal('gzip, br')
      // The declaration is cut.
      reply.write(body.subarray(0, 3), () => reply.end(body.subarray(3)))
    })
    for (const [headers] of replies) {
      const [read] = await client.call('GetSellerItems', ALL)
      expect(read?.ShortDescription, JSON.stringify(headers)).to.equal('Öl – 5')
    }
  })

  it('reads no more than 64 MiB of a reply that is gathered, and any length of one that is handed on', async () => {
    const limit = 64 * 1024 * 1024
    const around = list(items(1, 1))
    const [before = '', after = ''] = around.split('</Item>')
    // Packed once: a body of gzip may have any number of members (RFC 1952, 2.2).
    const [many, spaces] = [gzipSync(' '.repeat(2 ** 20)), Math.floor(limit / 2 ** 20) - 1]
    const of = (bytes: number) => {
      const rest = bytes - Buffer.byteLength(around) - spaces * 2 ** 20
      return Buffer.concat([
        gzipSync(before),
        ...Array<Buffer>(spaces).fill(many),
        gzipSync(`${' '.repeat(rest)}</Item>${after}`),
      ])
    }
    const [fits, large] = [of(limit), of(limit + 1)]
    const client = await open((_asked, reply, number) =>
      reply.writeHead(200, { ...SOAP_TYPE, 'content-encoding': 'gzip' }).end(number === 1 ? fits : large),
    )
    expect(await client.call('GetSellerItems', ALL)).to.have.length(1)
    const error = await refused(client.call('GetSellerItems', ALL))
    expect(error).to.include({ kind: 'too-large', sent: true })
    expect(error.message).to.include(`${limit} bytes`)
    let streamed = 0
    for await (const _item of client.stream('GetSellerItems', ALL)) streamed++
    expect(streamed).to.equal(1)
  })

  it('reads a refusal that comes in pieces, and no more than it needs of a page without end', async () => {
    const fault = envelope(
      '<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value></soap:Code><soap:Reason><soap:Text>No.</soap:Text></soap:Reason></soap:Fault>',
    )
    const line = 'x'.repeat(64 * 1024)
    let lines = 0
    const client = await open((_asked, reply, number) => {
      if (number === 1) {
        reply.writeHead(500, SOAP_TYPE).write(fault.slice(0, 200))
        setTimeout(() => reply.end(fault.slice(200)), 5)
        return
      }
      reply.writeHead(403, { 'content-type': 'text/html' })
      const more = () => {
        while (lines++ < 1024) if (!reply.write(line)) return void reply.once('drain', more)
        reply.end()
      }
      more()
    })
    expect(await refused(client.call('GetItem', { itemId: 7 }))).to.include({ kind: 'fault', faultString: 'No.' })
    expect(await refused(client.call('GetItem', { itemId: 7 }))).to.include({ kind: 'refused', httpStatus: 403 })
    // 1 MiB, and what the buffers of both sides hold.
    expect(lines).to.be.within(16, 512)
  })

  it('shows how far a large upload is', async () => {
    const client = await open((_asked, reply) => reply.writeHead(200, SOAP_TYPE).end(response('AddItemImage', '')))
    const seen: [number, number][] = []
    const imageData = Buffer.alloc(1_000_000, 7)
    const onUploadProgress = (sent: number, total: number) => void seen.push([sent, total])
    await client.call('AddItemImage', { requestId: 1, imageData, imageFormat: 'Png', hasMega: false }, { onUploadProgress })
    expect(seen.length).to.be.greaterThan(10)
    expect(seen.at(-1)?.[0]).to.equal(seen.at(-1)?.[1])
    expect(service?.asked[0]?.headers['content-length']).to.equal(String(seen.at(-1)?.[1]))
    expect(service?.asked[0]?.body).to.include(imageData.toString('base64'))
  })

  describe('a stream', () => {
    it('hands on entries while the reply still comes', async () => {
      let rest: (() => void) | undefined
      const whole = list(`${items(1, 2)}<!-- cut -->${items(3, 4)}`)
      const at = whole.indexOf('<!-- cut -->')
      const client = await open((_asked, reply) => {
        reply.writeHead(200, SOAP_TYPE).write(whole.slice(0, at))
        rest = () => reply.end(whole.slice(at))
      })
      const seen: number[] = []
      for await (const item of client.stream('GetSellerItems', ALL)) {
        seen.push(item.Id)
        if (seen.length === 2) rest?.()
      }
      expect(seen).to.deep.equal([1, 2, 3, 4])
    })

    it('gives the fields that are asked for, and no others', async () => {
      const client = await open((_asked, reply) => {
        reply.writeHead(200, SOAP_TYPE).end(list('<Item><Status><Ended>no</Ended></Status><Id>1</Id><VAT>25</VAT></Item>'))
      })
      const seen: { Id: number; OwnReferences?: string[] }[] = []
      for await (const item of client.stream('GetSellerItems', ALL, { fields: ['Id', 'OwnReferences'] })) seen.push(item)
      expect(seen).to.deep.equal([{ Id: 1, OwnReferences: [] }])
    })

    it('sends nothing before the first entry is asked for, and nothing is read ahead of a slow reader', async () => {
      const whole = list(items(1, 100_000))
      let written = 0
      const client = await open(
        (_asked, reply) => {
          reply.writeHead(200, SOAP_TYPE)
          const bytes = Buffer.from(whole)
          // Each reply starts from its beginning: on a busy machine, the first may be silent for too long and be requested again.
          written = 0
          let at = 0
          const more = () => {
            while (at < bytes.length) {
              const piece = bytes.subarray(at, at + 65_536)
              at += piece.length
              written += piece.length
              if (!reply.write(piece)) return reply.once('drain', more)
            }
            return reply.end()
          }
          more()
        },
        { silenceTimeoutMs: 800 },
      )
      const stream = client.stream('GetSellerItems', ALL)
      expect(service?.asked).to.have.length(0)
      await stream.next()
      // Longer than the silence allowed: a slow reader does not mean a silent service.
      await systemClock.sleep(1000)
      expect(written).to.be.lessThan(Buffer.byteLength(whole))
      let count = 1
      for await (const _item of stream) count++
      expect(count).to.equal(100_000)
    })

    it('is closed by leaving the loop', async () => {
      let closed: Promise<unknown> | undefined
      const outcomes: unknown[] = []
      const client = await open(
        (_asked, reply) => {
          closed = once(reply, 'close')
          reply.writeHead(200, SOAP_TYPE).write(list(items(1, 100)).slice(0, 5000))
        },
        { observer: { begin: () => (end) => outcomes.push(end.outcome) } },
      )
      for await (const item of client.stream('GetSellerItems', ALL)) {
        if (item.Id === 3) break
      }
      await closed
      expect(outcomes).to.deep.equal(['ok'])
    })

    it('is made again as long as it has handed on nothing, and never after', async () => {
      const client = await open((_asked, reply, number) => {
        if (number === 1) return reply.destroy()
        reply.writeHead(200, SOAP_TYPE).write(list(items(1, 100)).slice(0, 5000))
        setTimeout(() => reply.destroy(), 5)
        return undefined
      })
      let count = 0
      const error = await refused(
        (async () => {
          for await (const _item of client.stream('GetSellerItems', ALL)) count++
        })(),
      )
      expect(error).to.include({ kind: 'interrupted', sent: true })
      expect(count).to.be.greaterThan(3)
      expect(service?.asked).to.have.length(2)
    })

    it('is empty where the list is empty, and broken where the list of items is left out', async () => {
      const client = await open((_asked, reply, number) =>
        reply.writeHead(200, SOAP_TYPE).end(number === 1 ? list('') : response('GetSellerItems', '')),
      )
      const read = async () => {
        for await (const item of client.stream('GetSellerItems', ALL)) expect.fail(`${item.Id}`)
      }
      await read()
      expect(await refused(read())).to.include({ kind: 'broken', element: 'GetSellerItemsResult' })
      expect(service?.asked).to.have.length(2)
    })
  })

  describe('the signal of the caller', () => {
    it('stops a call before it is sent', async () => {
      const client = await open(() => undefined)
      const error = await refused(client.call('GetItem', { itemId: 7 }, { signal: AbortSignal.abort() }))
      expect(error).to.include({ kind: 'aborted', sent: false })
      expect(service?.asked).to.have.length(0)
    })

    it('stops the calls that have none of their own by the signal of the client', async () => {
      const client = await open((_asked, reply) => void reply.writeHead(403).end(), { signal: AbortSignal.abort() })
      expect(await refused(client.call('GetItem', { itemId: 7 }))).to.include({ kind: 'aborted', sent: false })
      const own = { signal: new AbortController().signal }
      expect(await refused(client.call('GetItem', { itemId: 7 }, own))).to.include({ kind: 'refused', sent: true })
      expect(service?.asked).to.have.length(1)
    })

    it('stops a call that waits for its reply, and a stream between its entries', async () => {
      const control = new AbortController()
      const client = await open((_asked, reply, number) => {
        if (number === 1) setTimeout(() => control.abort(), 5)
        else reply.writeHead(200, SOAP_TYPE).write(list(items(1, 100)).slice(0, 5000))
      })
      const error = await refused(client.call('LeaveFeedback', FEEDBACK, { signal: control.signal }))
      expect(error).to.include({ kind: 'aborted', sent: true })
      const second = new AbortController()
      const stopped = await refused(
        (async () => {
          for await (const item of client.stream('GetSellerItems', ALL, { signal: second.signal }))
            if (item.Id === 5) second.abort()
        })(),
      )
      expect(stopped).to.include({ kind: 'aborted', sent: true })
    })

    it('stops the pause between two attempts', async () => {
      const control = new AbortController()
      const client = await open(
        (_asked, reply) => {
          reply.destroy()
          setTimeout(() => control.abort(), 10)
        },
        { clock: systemClock, signal: control.signal },
      )
      const error = await refused(client.call('GetItem', { itemId: 7 }))
      expect(error).to.include({ kind: 'aborted', sent: true })
      expect(service?.asked).to.have.length(1)
    })
  })

  describe('proxies', () => {
    it('are used where the environment names one for the protocol, and never to this machine', () => {
      expect(usesProxy('https://service.example', { HTTPS_PROXY: 'http://p:1' })).to.equal(true)
      expect(usesProxy('https://service.example', { https_proxy: 'http://p:1' })).to.equal(true)
      expect(usesProxy('https://service.example', { ALL_PROXY: 'http://p:1' })).to.equal(true)
      expect(usesProxy('https://service.example', { HTTP_PROXY: 'http://p:1' })).to.equal(false)
      expect(usesProxy('https://service.example', {})).to.equal(false)
      for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
        expect(usesProxy(`http://${host}:1`, { HTTP_PROXY: 'http://p:1', ALL_PROXY: 'http://p:1' })).to.equal(false)
      }
    })

    it('get the tunnel asked for, and a refusal by one does not count as a refusal by the service', async () => {
      const asked: string[] = []
      const proxy: Server = createServer((socket) => {
        socket.on('error', () => undefined)
        socket.once('data', (bytes) => {
          asked.push(String(bytes).split('\r\n')[0] ?? '')
          socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
        })
      })
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
      const before = process.env.HTTPS_PROXY
      process.env.HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
      try {
        const error = await refused(clientOf('https://service.example', { retries: 0 }).call('GetItem', { itemId: 7 }))
        expect(error).to.include({ kind: 'refused', httpStatus: 407 })
        expect(asked).to.deep.equal(['CONNECT service.example:443 HTTP/1.1'])
      } finally {
        if (before === undefined) delete process.env.HTTPS_PROXY
        else process.env.HTTPS_PROXY = before
        proxy.close()
      }
    })

    it('leave direct connections direct', async () => {
      const connections: Connections = await openConnections('http://127.0.0.1:1', {})
      expect(connections.kept.http).to.have.nested.property('options.keepAlive', true)
      expect(connections.fresh.http).to.have.nested.property('options.keepAlive', false)
      connections.close()
    })
  })
})
