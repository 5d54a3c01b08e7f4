import { expect } from 'chai'
import { type Operation, operations } from '../../src/contract/index.js'
import { type Binding, type ClientOptions, createClient, SoapError } from '../../src/soap/client/index.js'
import { decodeRequest, decodeUrlParams, writePlainResult, writeReply } from '../../src/soap/server/index.js'
import { type Asked, NS, response, type Service, SOAP_TYPE, startService, stillClock } from './service.js'

const ENTRIES = [{ Id: 1, Description: 'Ett' }, { Id: 2 }]

describe('the four bindings', () => {
  let service: Service | undefined
  afterEach(async () => {
    await service?.close()
    service = undefined
  })

  const clientOf = (url: string, binding: Binding, more: Partial<ClientOptions> = {}) =>
    createClient({
      baseUrl: url,
      namespace: NS,
      credentials: { appId: 1, appKey: 'k&k', userId: 2, token: 't t' },
      clock: stillClock(),
      binding,
      insecureAddress: true,
      ...more,
    })

  /** A service made of our own codec, which answers every binding. */
  const serve = (operation: Operation, result: unknown, seen: (params: unknown) => void) =>
    startService((asked, reply) => {
      const [path = '', query = ''] = asked.url.split('?')
      expect(path).to.match(new RegExp(`^/base/v3/${operation.service}\\.asmx`))
      const soap = /asmx$/.test(path)
      const headers = { 'content-type': soap ? (asked.headers['content-type'] ?? '') : 'text/xml; charset=utf-8' }
      if (soap) {
        const operationOf = (element: string, namespace: string) =>
          element === operation.name && namespace === NS ? operation : undefined
        const { params, version } = decodeRequest(asked.body, {
          operationOf,
          action: asked.headers.soapaction as string | undefined,
        })
        seen(params)
        reply.writeHead(200, headers).end([...writeReply(version, NS, operation, result)].join(''))
      } else {
        expect(path.endsWith(`/${operation.name}`)).to.equal(true)
        seen(decodeUrlParams(operation, new URLSearchParams(asked.method === 'GET' ? query : asked.body)))
        reply.writeHead(200, headers).end([...writePlainResult(NS, operation, result)].join(''))
      }
    })

  for (const binding of ['soap12', 'soap11', 'get', 'post'] as const) {
    it(`carry parameters there and results back: ${binding}`, async () => {
      for (const [operation, params, result] of [
        [operations.GetRequestResults, { requestIds: [4, 5] }, [{ RequestId: 4, ResultCode: 'Error TryAgain', Message: 'å' }]],
        [operations.LeaveFeedback, { transactionId: 1, comment: 'å & ö\n+', type: 'Negative' }, false],
        [
          operations.AddItemImage,
          { requestId: 1, imageData: Buffer.from([0, 255, 62, 63]), imageFormat: 'Png', hasMega: true },
          null,
        ],
        [operations.GetCounties, {}, ENTRIES],
        [operations.GetOfficalTime, {}, '2026-11-21T18:00:00'],
        [
          operations.SetPricesOnNonShopItems,
          { itemId: 1, openingPrice: 5, ReservedPrice: null, BinPrice: 9 },
          { IsSuccessful: true, ValidationErrors: [] },
        ],
      ] as const) {
        let seen: unknown
        service = await serve(operation, result, (params) => {
          seen = params
        })
        const client = clientOf(`${service.url}/base/`, binding)
        expect(await client.callAny(operation.name as 'GetItem', params), operation.name).to.deep.equal(result)
        expect(seen, operation.name).to.deep.equal(params)
        client.close()
        await service.close()
      }
    })

    it(`stream lists: ${binding}`, async () => {
      service = await serve(operations.GetCounties, ENTRIES, () => undefined)
      const client = clientOf(`${service.url}/base`, binding)
      const seen: unknown[] = []
      for await (const entry of client.stream('GetCounties', {})) seen.push(entry)
      client.close()
      expect(seen).to.deep.equal(ENTRIES)
    })
  }

  async function askedBy(binding: Binding, more: Partial<ClientOptions> = {}): Promise<Asked> {
    service = await startService((_asked, reply) => reply.writeHead(200, SOAP_TYPE).end(response('AddItemCommit', '')))
    const client = clientOf(service.url, binding, more)
    await client.call('AddItemCommit', { requestId: 1 }).catch(() => undefined)
    client.close()
    await service.close()
    return service.asked[0]!
  }

  it('ask as the service expects', async () => {
    const soap12 = await askedBy('soap12')
    expect(soap12).to.deep.include({ method: 'POST', url: '/v3/RestrictedService.asmx' })
    expect(soap12.headers).to.include({
      'content-type': `application/soap+xml; charset=utf-8; action="${NS}/AddItemCommit"`,
      'user-agent': 'seller',
    })
    expect(soap12.headers).to.not.have.property('soapaction')
    const soap11 = await askedBy('soap11', { userAgent: 'another/1' })
    expect(soap11.headers).to.include({
      'content-type': 'text/xml; charset=utf-8',
      soapaction: `"${NS}/AddItemCommit"`,
      'user-agent': 'another/1',
    })
    const query = 'requestId=1&appId=1&appKey=k%26k&userId=2&token=t+t'
    expect(await askedBy('get')).to.deep.include({
      method: 'GET',
      url: `/v3/RestrictedService.asmx/AddItemCommit?${query}`,
      body: '',
    })
    const post = await askedBy('post', { sandbox: 1, maxResultAge: 60 })
    expect(post).to.deep.include({
      method: 'POST',
      url: '/v3/RestrictedService.asmx/AddItemCommit',
      body: `${query}&sandbox=1&maxResultAge=60`,
    })
    expect(post.headers['content-type']).to.equal('application/x-www-form-urlencoded')
  })

  it('leave out who the seller is where nobody is asked, and where nobody is known', async () => {
    service = await startService((_asked, reply) => reply.writeHead(200, SOAP_TYPE).end(response('GetCounties', '')))
    const client = clientOf(service.url, 'soap12')
    await client.call('GetCounties', {})
    client.close()
    const unknown = clientOf(service.url, 'soap12', { credentials: { appId: 1 } })
    await unknown.call('GetUserInfo', {}).catch(() => undefined)
    unknown.close()
    for (const { body } of service.asked) expect(body).to.include('AuthenticationHeader').and.not.include('AuthorizationHeader')
    expect(service.asked[1]?.body).to.not.include('AppKey')
  })

  it('GET and POST refuse what they cannot carry, by name, before anything is sent', async () => {
    for (const binding of ['get', 'post'] as const) {
      const client = clientOf('https://service.example', binding)
      for (const [name, params, field] of [
        ['GetSellerTransactions', { request: { Filter: 'New' } }, 'request'],
        ['SetPriceOnShopItems', { request: { ShopItems: [{ Id: 1, Price: 1 }] } }, 'request'],
        ['AddShopItem', { shopItemData: { Title: 'x', CategoryId: 1, Price: 1 } }, 'shopItemData'],
      ] as const) {
        const error = await client.describe(name, params).catch((thrown: SoapError) => thrown)
        expect(error, name).to.include({ kind: 'input', sent: false })
        const { faults } = error as SoapError
        expect(faults).to.have.length(1)
        expect(faults?.[0]).to.include({ field })
        expect(faults?.[0]?.hint).to.include('soap12')
      }
      const more = await client.describe({ service: 'PublicService', operation: 'X' }, { a: { b: 1 } }).catch(String)
      expect(more).to.match(/^SoapError: X: a is more than text/)
    }
  })

  it('GET and POST take plain text for a fault', async () => {
    service = await startService((_asked, reply) =>
      reply.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end('Cannot convert &lt;x&gt; to System.Int32.\r\n'),
    )
    for (const binding of ['get', 'post'] as const) {
      const client = clientOf(service.url, binding)
      const error = await client.call('GetItem', { itemId: 7 }).catch((reason: unknown) => reason)
      client.close()
      expect(error).to.include({ kind: 'fault', httpStatus: 500, faultString: 'Cannot convert <x> to System.Int32.' })
    }
    const soap = clientOf(service.url, 'soap12')
    expect(await soap.call('GetItem', { itemId: 7 }).catch((reason: unknown) => reason)).to.include({ kind: 'not-soap' })
    soap.close()
  })

  describe('an operation that the contract does not know', () => {
    const inner = '<FetchTokenResult><AuthToken>abc</AuthToken><Rights><R>1</R><R>2</R></Rights></FetchTokenResult>'
    const ref = { service: 'PublicService', operation: 'FetchToken' } as const

    it('is sent as it is given and read as it comes', async () => {
      service = await startService((_asked, reply) => reply.writeHead(200, SOAP_TYPE).end(response('FetchToken', inner)))
      const client = clientOf(service.url, 'soap12')
      const params = {
        userId: 1,
        deep: { list: ['a', 'b'], nothing: null, yes: true },
        half: 0.5,
        bytes: Buffer.from('abc'),
        skipped: undefined,
      }
      expect(await client.callAny({ service: 'PublicService', operation: 'FetchToken' }, params)).to.deep.equal({
        AuthToken: 'abc',
        Rights: { R: ['1', '2'] },
      })
      expect((await client.callRaw(ref, {})).text).to.equal(response('FetchToken', inner))
      client.close()
      expect(service.asked[0]?.body).to.include(
        `<FetchToken xmlns="${NS}"><userId>1</userId><deep><list>a</list><list>b</list><nothing xsi:nil="true" /><yes>true</yes></deep><half>0.5</half><bytes>YWJj</bytes></FetchToken>`,
      )
      expect(service.asked[0]?.body).to.not.include('AuthorizationHeader')
    })

    it('is null where nothing came, and an object where more than a result came', async () => {
      service = await startService((_asked, reply, number) =>
        reply.writeHead(200, SOAP_TYPE).end(response('Op', ['', '<A>1</A><B/>', '<OpResult xsi:nil="true"/>'][number - 1] ?? '')),
      )
      const client = clientOf(service.url, 'soap12')
      expect(await client.callAny({ service: 'RestrictedService', operation: 'Op' }, {})).to.equal(null)
      expect(await client.callAny({ service: 'RestrictedService', operation: 'Op' }, {})).to.deep.equal({ A: '1', B: '' })
      expect(await client.callAny({ service: 'RestrictedService', operation: 'Op' }, {})).to.equal(null)
      client.close()
      expect(service.asked[0]?.body).to.include('AuthorizationHeader')
    })

    it('travels by GET where its values are texts', async () => {
      service = await startService((_asked, reply) =>
        reply.writeHead(200, { 'content-type': 'text/xml' }).end(`<Token xmlns="${NS}"><AuthToken>abc</AuthToken></Token>`),
      )
      const client = clientOf(service.url, 'get')
      expect(
        await client.callAny({ service: 'PublicService', operation: 'FetchToken' }, { userId: 1, ids: [1, 2] }),
      ).to.deep.equal({
        AuthToken: 'abc',
      })
      client.close()
      expect(service.asked[0]?.url).to.include('FetchToken?userId=1&ids=1&ids=2&appId=1')
    })

    it('is not sent by GET where it changes something, unless that is allowed', async () => {
      service = await startService((_asked, reply) => reply.destroy())
      const client = clientOf(service.url, 'get', { insecureAddress: false })
      const write = { service: 'RestrictedService', operation: 'Op', kind: 'repeatable write' } as const
      for (const send of ['callAny', 'callRaw'] as const) {
        const error = await client[send](write, {}).catch((reason: unknown) => reason)
        expect(error).to.include({ kind: 'insecure-address', operation: 'Op', sent: false })
      }
      expect((await client.describe(write, {})).url).to.include('Op?appId=1')
      client.close()
      expect(service.asked).to.deep.equal([])
    })

    it('is never made again once sent', async () => {
      service = await startService((_asked, reply) => reply.destroy())
      const client = clientOf(service.url, 'soap12')
      const error = await client
        .callAny({ service: 'PublicService', operation: 'FetchToken' }, {})
        .catch((reason: unknown) => reason)
      client.close()
      expect(error).to.include({ kind: 'unknown-outcome', operation: 'FetchToken' })
      expect(service.asked).to.have.length(1)
    })

    it('is refused where XML cannot carry it', async () => {
      const client = clientOf('https://service.example', 'soap12')
      for (const [operation, params] of [
        ['a b', {}],
        ['Op', { '1a': 1 }],
        ['Op', { 'a:b': 1 }],
        ['Op', { a: [[1]] }],
        ['Op', { a: Number.NaN }],
        ['Op', { a: () => 1 }],
        ['Op', { a: 'x\u0000' }],
        ['Op', 'x'],
      ] as const) {
        const error = await client
          .callAny({ service: 'PublicService', operation }, params as never)
          .catch((reason: unknown) => reason)
        expect(error, `${operation} ${JSON.stringify(params)}`).to.be.instanceOf(SoapError)
        expect(error).to.include({ kind: 'input', sent: false })
      }
    })
  })
})
