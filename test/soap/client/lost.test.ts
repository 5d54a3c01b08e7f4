/** Calls that are stopped, lost or watched: what is tried again, which error counts, and what an observer may do about it. */

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { type CallObserver, type ClientOptions, createClient, SoapError } from '../../../src/soap/client/index.js'
import { rejectedBy } from '../../thrown.js'
import { type Answer, NS, refused, response, type Service, SOAP_TYPE, startService, stillClock } from '../service.js'

const ITEM = response('GetItem', '<GetItemResult><Id>7</Id></GetItemResult>')
const ITEMS = response(
  'GetSellerItems',
  '<GetSellerItemsResult><Item><Id>1</Id></Item><Item><Id>2</Id></Item></GetSellerItemsResult>',
)
const ALL = { categoryId: 0, filterActive: 'All', filterItemType: 'All' } as const
const FEEDBACK = { transactionId: 1, comment: 'x', type: 'Positive' } as const
const WRITE = { service: 'PublicService', operation: 'Save', kind: 'repeatable write' } as const

describe('a call on its way', () => {
  let service: Service | undefined
  const clients: { close(): void }[] = []
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close()
    await service?.close()
    service = undefined
  })

  function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}) {
    const client = createClient({ baseUrl, namespace: NS, credentials: { appId: 1 }, clock: stillClock(), ...options })
    clients.push(client)
    return client
  }
  async function open(answer: Answer, options: Partial<ClientOptions> = {}) {
    service = await startService(answer)
    return clientOf(service.url, options)
  }
  const entries = async (stream: AsyncIterable<{ Id: number }>) => {
    const seen: number[] = []
    for await (const { Id } of stream) seen.push(Id)
    return seen
  }
  const away: Answer = (_asked, reply, number) => void reply.writeHead(503, { 'retry-after': String(number) }).end()

  it('is refused by a page that is lost, but not carried out or not where HTTP 500 is lost', async () => {
    for (const [status, kind, code] of [
      [403, 'refused', undefined],
      [429, 'quota', undefined],
      [503, 'unavailable', undefined],
      [500, 'interrupted', 500],
    ] as const) {
      const client = await open(
        (_asked, reply) => {
          reply.writeHead(status, { ...SOAP_TYPE, 'content-length': '1000' }).write('<a>')
          setTimeout(() => reply.destroy(), 5)
        },
        { retries: 0 },
      )
      const error = await refused(client.call('GetItem', { itemId: 7 }))
      expect(error, String(status)).to.include({ kind, httpStatus: status, sent: true })
      if (code === 500) expect(error.message).to.match(/^GetItem: the connection to 127\.0\.0\.1:\d+ was lost( \(\w+\))?\.$/)
      await service?.close()
    }
  })

  it('is stopped while the page of a refusal comes', async () => {
    let error: unknown
    // On a busy machine its first line may come later than the stop: then it is stopped later.
    for (
      let waitMs = 10;
      waitMs < 5000 && (error as { httpStatus?: number } | undefined)?.httpStatus === undefined;
      waitMs *= 3
    ) {
      const control = new AbortController()
      const client = await open((_asked, reply) => {
        reply.writeHead(403).write('x')
        setTimeout(() => control.abort(), waitMs)
      })
      error = await refused(client.call('GetItem', { itemId: 7 }, { signal: control.signal }))
      await service?.close()
    }
    expect(error).to.include({ kind: 'aborted', sent: true, httpStatus: 403, message: 'GetItem: the call was stopped.' })
  })

  it('is stopped before it is sent, or before it is sent again', async () => {
    const client = await open((_asked, reply) => void reply.destroy())
    const stopped = await refused(client.call('GetItem', { itemId: 7 }, { signal: AbortSignal.abort() }))
    expect(stopped).to.include({
      ...{ kind: 'aborted', sent: false, operation: 'GetItem' },
      message: 'GetItem: the call was stopped before it was sent.',
    })
    const clock = { ...stillClock(), sleep: () => Promise.reject(new Error('stopped')) }
    const sent = await refused(clientOf(service?.url ?? '', { clock }).call('GetItem', { itemId: 7 }))
    expect(sent).to.include({ kind: 'aborted', sent: true, message: 'GetItem: the call was stopped.' })
    const { url = '' } = service ?? {}
    await service?.close()
    const unsent = await refused(clientOf(url, { clock }).call('GetItem', { itemId: 7 }))
    expect(unsent).to.include({ kind: 'aborted', sent: false, message: 'GetItem: the call was stopped before it was sent.' })
  })

  it('was sent where any attempt was, also if a later one was not', async () => {
    const { url } = await startService(away).then(async (first) => {
      service = first
      return first
    })
    let pauses = 0
    const clock = {
      ...stillClock(),
      sleep: async () => {
        if (++pauses === 1) await service?.close()
        else throw new Error('stopped')
      },
    }
    expect(await refused(clientOf(url, { clock }).call('GetItem', { itemId: 7 }))).to.include({ kind: 'aborted', sent: true })
    expect(pauses).to.equal(2)
  })

  it('has no more time than it was given, where no connection comes about', async () => {
    const sockets: { destroy(): void }[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const [options, message] of [
      [{ callTimeoutMs: 50 }, 'the call took longer than 0.05 s (call_timeout); there was no connection. Nothing was sent.'],
      [{ silenceTimeoutMs: 50 }, `no connection to ${host} in time. Nothing was sent.`],
    ] as const) {
      const error = await refused(clientOf(`https://${host}`, { retries: 0, ...options }).call('GetItem', { itemId: 7 }))
      expect(error).to.include({ kind: 'unreachable', sent: false, message: `GetItem: ${message}` })
    }
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it('says how long it waited for an answer', async () => {
    const client = await open(() => undefined, { retries: 0, silenceTimeoutMs: 50 })
    const silent = await refused(client.call('GetItem', { itemId: 7 }))
    expect(silent.message).to.match(/^GetItem: 127\.0\.0\.1:\d+ was silent for 0\.05 s\.$/)
    const slow = clientOf(service?.url ?? '', { retries: 0, callTimeoutMs: 60 })
    expect((await refused(slow.call('GetItem', { itemId: 7 }))).message).to.match(
      /^GetItem: the call took longer than 0\.06 s \(call_timeout\): 127\.0\.0\.1:\d+ answers too slowly\.$/,
    )
  })

  it('has the time for its upload once, however often it is made', async () => {
    const clock = stillClock()
    const client = await open((_asked, reply) => void reply.writeHead(503, { 'retry-after': '15' }).end(), {
      clock,
      callTimeoutMs: 10_000,
    })
    const params = { text: 'x'.repeat(16 * 1024 * 10) }
    const error = await refused(client.callAny(WRITE, params))
    expect(error.message).to.include('asks to come back in 15 s, but only')
    expect(clock.slept).to.deep.equal([15_000])
  })

  it('may take six times as long where it is a list that is handed on, or as long as is said', async () => {
    for (const [options, slept] of [
      [{ callTimeoutMs: 950 }, [1000, 2000]],
      [{ callTimeoutMs: 1000, listTimeoutMs: 2500 }, [1000]],
      [{ listTimeoutMs: 900 }, []],
    ] as const) {
      const clock = stillClock()
      const client = await open(away, { clock, ...options })
      await refused(entries(client.stream('GetSellerItems', ALL)))
      expect(clock.slept).to.deep.equal(slept)
      await service?.close()
    }
    const clock = stillClock()
    const client = await open(away, { clock, callTimeoutMs: 1500, listTimeoutMs: 60_000 })
    await refused(client.call('GetSellerItems', ALL))
    expect(clock.slept).to.deep.equal([1000])
  })

  it('is tried as often as is said, three times more by default', async () => {
    for (const [retries, attempts] of [
      [undefined, 4],
      [0, 1],
      [1, 2],
      [5, 6],
    ] as const) {
      const client = await open((_asked, reply) => void reply.writeHead(503).end(), { retries })
      await refused(client.call('GetItem', { itemId: 7 }))
      expect(service?.asked).to.have.lengthOf(attempts)
      await service?.close()
    }
  })

  it('is shown as it is sent, by each way of sending', async () => {
    for (const [binding, method, rest] of [
      ['get', 'GET', ['accept: text/xml', 'user-agent: seller']],
      [
        'post',
        'POST',
        ['accept: text/xml', 'user-agent: seller', 'content-type: application/x-www-form-urlencoded', '', 'itemId=7&appId=1'],
      ],
    ] as const) {
      const traced: string[] = []
      const client = await open((_asked, reply) => void reply.writeHead(403).end('No.'), {
        binding,
        trace: (text) => traced.push(text),
      })
      await refused(client.call('GetItem', { itemId: 7 }))
      const query = binding === 'get' ? '?itemId=7&appId=1' : ''
      const shown = `--> ${method} ${service?.url}/v3/RestrictedService.asmx/GetItem${query}`
      expect(traced[0]?.replaceAll(/&appKey=[^&\n]*|&userId=[^&\n]*|&token=[^&\n]*/g, '')).to.equal([shown, ...rest].join('\n'))
      expect(traced[1]).to.equal('<-- HTTP 403\nNo.')
      expect(service?.asked[0]?.headers).to.include({ accept: 'text/xml', 'user-agent': 'seller' })
      await service?.close()
    }
  })

  describe('with an observer', () => {
    const answering: Answer = (asked, reply) =>
      void reply.writeHead(200, SOAP_TYPE).end(asked.body.includes('<GetItem ') ? ITEM : ITEMS)
    const watching = (more: Partial<CallObserver>): { observer: CallObserver; retries: number } => ({
      observer: { begin: () => () => undefined, ...more },
      retries: 0,
    })

    it('is handed on when the observer has settled it', async () => {
      const order: string[] = []
      const settled = async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        order.push('settled')
      }
      const client = await open(answering, watching({ settled }))
      await client.call('GetItem', { itemId: 7 })
      order.push('value')
      for await (const { Id } of client.stream('GetSellerItems', ALL)) order.push(`entry ${Id}`)
      expect(order).to.deep.equal(['settled', 'value', 'settled', 'entry 1', 'entry 2'])
      const without = clientOf(service?.url ?? '', watching({ settled: () => undefined }))
      expect(await without.call('GetItem', { itemId: 7 })).to.deep.include({ Id: 7 })
    })

    it('is not handed on where that fails, unless it failed itself', async () => {
      const broken = new Error('the disk is full')
      let asked = 0
      const settled = async () => {
        asked++
        throw broken
      }
      const client = await open(
        (call, reply, number) => (number < 3 ? answering(call, reply, number) : void reply.writeHead(403).end()),
        {
          ...watching({ settled }),
        },
      )
      expect(await rejectedBy(Error, client.call('GetItem', { itemId: 7 }))).to.equal(broken)
      expect(await rejectedBy(Error, entries(client.stream('GetSellerItems', ALL)))).to.equal(broken)
      const before = asked
      expect(await refused(client.call('GetItem', { itemId: 7 }))).to.include({ kind: 'refused' })
      expect(asked).to.equal(before + 1)
      const quiet = clientOf(service?.url ?? '', watching({ settled: () => undefined }))
      expect(await refused(quiet.call('GetItem', { itemId: 7 }))).to.include({ kind: 'refused' })
    })

    it('is not sent where the observer is not ready, or stops its first attempt', async () => {
      const spent = new Error('the budget is spent')
      const stop = () => {
        throw spent
      }
      const client = await open(answering, watching({ begin: stop }))
      expect(await rejectedBy(Error, client.call('LeaveFeedback', FEEDBACK))).to.equal(spent)
      const kinds: string[] = []
      const ready = async (kind: string) => {
        kinds.push(kind)
        throw spent
      }
      expect(await rejectedBy(Error, clientOf(service?.url ?? '', watching({ ready })).call('LeaveFeedback', FEEDBACK))).to.equal(
        spent,
      )
      expect(kinds).to.deep.equal(['single write'])
      expect(service?.asked).to.deep.equal([])
    })

    it('has told it when the request was sent, and how it ended', async () => {
      const told: unknown[] = []
      let at = 0
      const clock = { ...stillClock(), now: () => (at += 5) }
      const client = await open(answering, {
        clock,
        observer: {
          left: () => void told.push('left'),
          begin: ({ operation, attempt }) => {
            told.push([operation, attempt])
            return (end) => void told.push(end)
          },
        },
      })
      await client.call('GetItem', { itemId: 7 })
      expect(told.slice(0, 2)).to.deep.equal([['GetItem', 1], 'left'])
      expect(told.slice(2)).to.have.lengthOf(1)
      expect(told[2]).to.include({ outcome: 'ok', httpStatus: 200 })
      expect((told[2] as { ms: number }).ms).to.be.greaterThan(0)
    })

    it('ends as unknown for it where a single write was lost, and as stopped where it was left', async () => {
      const ends: unknown[] = []
      const client = await open((_asked, reply) => void reply.destroy(), {
        observer: {
          begin:
            () =>
            ({ outcome, httpStatus }) =>
              void ends.push([outcome, httpStatus]),
        },
      })
      await refused(client.call('LeaveFeedback', FEEDBACK))
      expect(ends).to.deep.equal([['unknown-outcome', undefined]])
    })
  })

  it('closes its kept connections with the client, and opens new ones if it is used again', async () => {
    const client = await open((_asked, reply) => void reply.writeHead(200, SOAP_TYPE).end(ITEM))
    await client.call('GetItem', { itemId: 7 })
    await client.call('GetItem', { itemId: 7 })
    client.close()
    client.close()
    await client.call('GetItem', { itemId: 7 })
    expect(service?.asked.map(({ connection }) => connection)).to.deep.equal([1, 1, 2])
  })

  it('says after a lost single write that it may have been carried out, with the words of what was lost', async () => {
    const client = await open((_asked, reply) => void reply.writeHead(502).end())
    const error = await refused(client.call('LeaveFeedback', FEEDBACK))
    expect(error).to.include({ kind: 'unknown-outcome', httpStatus: 502, sent: true, operation: 'LeaveFeedback' })
    expect(error.message).to.equal(
      'LeaveFeedback: the service is not available (HTTP 502). It was sent and may or may not have been carried out. Check before you send it again.',
    )
  })

  it('was sent where it is stopped in a later attempt', async () => {
    const control = new AbortController()
    const client = await open((_asked, reply, number) => {
      if (number === 1) reply.writeHead(503).end()
      else control.abort()
    })
    const error = await refused(client.call('GetItem', { itemId: 7 }, { signal: control.signal }))
    expect(error).to.include({ kind: 'aborted', sent: true, message: 'GetItem: the call was stopped.' })
    expect(error.lostBefore).to.equal(undefined)
  })

  it('was lost before where a later attempt was refused', async () => {
    const client = await open((_asked, reply, number) => void (number === 1 ? reply.destroy() : reply.writeHead(403).end()))
    const error = await refused(client.callAny(WRITE, {}))
    expect(error).to.be.instanceOf(SoapError)
    expect(error).to.include({ kind: 'refused', httpStatus: 403, lostBefore: true })
    await service?.close()
    const once = await open((_asked, reply) => void reply.writeHead(403).end())
    expect((await refused(once.callAny(WRITE, {}))).lostBefore).to.equal(undefined)
  })
})
