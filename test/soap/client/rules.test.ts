/** The rules of a call that need no network: what is made again and when, what counts as refused, how long a call may take. */
import type { AgentOptions } from 'node:http'
import { expect } from 'chai'
import type { Kind } from '../../../src/contract/index.js'
import { openConnections, usesProxy } from '../../../src/soap/client/agents.js'
import { servicePath, soapVersionOf } from '../../../src/soap/client/bindings.js'
import { inputError } from '../../../src/soap/client/call.js'
import { createClient, descriptionAddress, isRefusal, SoapError, type SoapErrorKind } from '../../../src/soap/client/index.js'
import { backOffMs, mayRetry, retryAfterMs } from '../../../src/soap/client/retry.js'
import { TimeLeft } from '../../../src/soap/client/time-left.js'

const KINDS: readonly Kind[] = ['read', 'repeatable write', 'single write']
const ERRORS: readonly SoapErrorKind[] = [
  'input',
  'unreachable',
  'interrupted',
  'unavailable',
  'refused',
  'quota',
  'not-soap',
  'broken',
  'namespace',
  'too-large',
  'fault',
  'unknown-outcome',
  'aborted',
]
const failed = (kind: SoapErrorKind, details: Partial<ConstructorParameters<typeof SoapError>[2]> = {}) =>
  new SoapError(kind, 'x', { operation: 'Op', sent: true, ...details })

describe('whether a call is made again', () => {
  it('follows from how it failed, and from what it does', () => {
    const again = (kind: Kind) => ERRORS.filter((error) => mayRetry(kind, failed(error)))
    expect(KINDS.map(again)).to.deep.equal([
      ['unreachable', 'interrupted', 'unavailable'],
      ['unreachable', 'interrupted', 'unavailable'],
      ['unreachable'],
    ])
  })

  it('does not follow from trying where a certificate or the address is wrong', () => {
    const again = (reason: string | undefined) => mayRetry('read', failed('unreachable', { reason }))
    for (const reason of [
      'CERT_HAS_EXPIRED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'HOSTNAME_MISMATCH',
      'INVALID_CA',
      'ERR_INVALID_URL',
    ]) {
      expect(again(reason), reason).to.equal(false)
    }
    for (const reason of ['ECONNREFUSED', 'ENOTFOUND', 'EPROTO', 'ETIMEDOUT', undefined])
      expect(again(reason), reason).to.equal(true)
    expect(mayRetry('read', failed('interrupted', { reason: 'CERT_HAS_EXPIRED' }))).to.equal(true)
  })

  it('comes ever later, up to 8 s, spread around that, and not before the service wants it', () => {
    const middle = [1, 2, 3, 4, 5, 6, 20].map((attempt) => backOffMs(attempt, 0.5))
    expect(middle).to.deep.equal([500, 1000, 2000, 4000, 8000, 8000, 8000])
    expect([backOffMs(1, 0), backOffMs(3, 0)]).to.deep.equal([250, 1000])
    expect(backOffMs(1, 0.999999)).to.be.closeTo(750, 1)
    expect([backOffMs(1, 0.5, 499), backOffMs(1, 0.5, 501), backOffMs(5, 0.5, 60_000)]).to.deep.equal([500, 501, 60_000])
  })

  for (const [header, ms] of [
    [undefined, undefined],
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['1.5', undefined],
    ['7 s', undefined],
    ['s 7', undefined],
    ['soon', undefined],
    ['', undefined],
    ['2026-11-22', undefined],
    ['on Thu, 01 Jan 1970 00:01:00 GMT', undefined],
    ['Thursday', undefined],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 50_000],
    [' Thursday, 01-Jan-70 00:01:00 GMT', 50_000],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:05 GMT', 0],
  ] as const) {
    it(`waits ${ms} ms where the service says "${header}"`, () => {
      expect(retryAfterMs(header, 10_000)).to.equal(ms)
    })
  }
})

describe('whether a call was certainly not carried out', () => {
  const refused = (kind: SoapErrorKind, details: Parameters<typeof failed>[1] = {}) => isRefusal(failed(kind, details))

  it('is certain from statuses that refuse the request, and from no others', () => {
    const statuses = Array.from({ length: 300 }, (_, at) => at + 300)
    const refusing = [307, 308, 400, 401, 403, 404, 405, 406, 407, 410, 411, 413, 414, 415, 417, 421, 426, 428, 429, 431, 451]
    for (const kind of ['refused', 'not-soap'] as const) {
      expect(statuses.filter((httpStatus) => refused(kind, { httpStatus }))).to.deep.equal(refusing)
      expect(refused(kind)).to.equal(false)
    }
    for (const kind of ['unavailable', 'interrupted', 'broken', 'namespace', 'too-large', 'aborted'] as const) {
      expect(refused(kind, { httpStatus: 403 }), kind).to.equal(false)
    }
  })

  it('is certain from the quota, from a fault of the caller, and from the texts that refuse', () => {
    expect(refused('quota')).to.equal(true)
    expect(refused('fault', { faultCode: 'Client', faultString: 'No.' })).to.equal(true)
    expect(refused('fault', { faultCode: 'Server', faultString: 'Timeout expired.' })).to.equal(false)
    expect(refused('fault', { faultCode: 'Server' })).to.equal(false)
    for (const faultString of [
      'Invalid request --- nothing',
      'Server was unable to read request. ---> x',
      'Invalid application id',
      'Invalid user',
      'invalid token',
      'Server did not recognize the value of HTTP Header',
      'without a valid action parameter',
    ]) {
      expect(refused('fault', { faultCode: 'Server', faultString }), faultString).to.equal(true)
    }
    for (const faultString of ['Invalid request', 'Invalid date', 'unable to process request']) {
      expect(refused('fault', { faultCode: 'Server', faultString }), faultString).to.equal(false)
    }
  })

  it('is not asked of a call that was not sent, nor certain after an earlier attempt was lost', () => {
    expect(refused('quota', { sent: false })).to.equal(false)
    const error = failed('quota')
    error.lostBefore = true
    expect(isRefusal(error)).to.equal(false)
  })
})

describe('the error of a call', () => {
  it('has what is known, and nothing for what is not', () => {
    const shown = (error: SoapError) => JSON.parse(JSON.stringify(error))
    const details = {
      operation: 'Op',
      sent: true,
      httpStatus: 500,
      faultCode: 'Client',
      faultString: 'No.',
      faults: [],
      retryAfterMs: 0,
      reason: 'EPROTO',
      element: 'A.B',
    }
    expect(shown(new SoapError('fault', 'x', { ...details, intact: [1] }))).to.deep.equal({
      name: 'SoapError',
      kind: 'fault',
      ...details,
    })
    const bare = new SoapError('aborted', 'x', { operation: 'Op', sent: false })
    expect(shown(bare)).to.deep.equal({ name: 'SoapError', kind: 'aborted', operation: 'Op', sent: false })
    expect(bare.intact).to.equal(undefined)
  })

  it('of the input names its first fault, and how many more there are', () => {
    const fault = (field: string) => ({ field, value: 1, message: 'is odd' })
    const said = (...fields: string[]) => inputError('Op', fields.map(fault)).message
    expect(said()).to.equal('Op: the input is refused. Nothing was sent.')
    expect(said('a')).to.equal('Op: a is odd. Nothing was sent.')
    expect(said('a', 'b')).to.equal('Op: a is odd (and 1 more). Nothing was sent.')
    expect(said('a', 'b', 'c')).to.equal('Op: a is odd (and 2 more). Nothing was sent.')
    expect(inputError('Op', [fault('a')])).to.deep.include({ kind: 'input', operation: 'Op', sent: false, faults: [fault('a')] })
  })
})

describe('the time of a call', () => {
  it('is spent by waiting, and never less than none', () => {
    const time = new TimeLeft(1000)
    expect([time.givenMs, time.leftMs]).to.deep.equal([1000, 1000])
    time.spend(400)
    expect([time.givenMs, time.leftMs]).to.deep.equal([1000, 600])
    time.spend(601)
    expect(time.leftMs).to.equal(0)
  })

  it('is a second longer for each 16 KiB of an upload', () => {
    const time = new TimeLeft(1000)
    time.allowUpload(16 * 1024)
    expect([time.givenMs, time.leftMs]).to.deep.equal([1000, 2000])
    time.allowUpload(8 * 1024)
    expect(time.leftMs).to.equal(2500)
    time.allowUpload(20)
    expect(time.leftMs).to.equal(2501)
    time.spend(500)
    expect(time.leftMs).to.equal(2001)
  })

  it('is never more than a timer can count', () => {
    expect(new TimeLeft(Number.POSITIVE_INFINITY).leftMs).to.equal(2_147_483_647)
    expect(new TimeLeft(2_147_483_648).leftMs).to.equal(2_147_483_647)
    expect(new TimeLeft(2_147_483_646).leftMs).to.equal(2_147_483_646)
  })
})

describe('the way of a call', () => {
  const proxy = 'http://proxy.example:1'

  for (const [address, variables] of [
    ['http://service.example', ['HTTP_PROXY', 'ALL_PROXY', 'http_proxy', 'all_proxy']],
    ['https://service.example', ['HTTPS_PROXY', 'ALL_PROXY', 'https_proxy', 'all_proxy']],
    ['http://localhost.example', ['HTTP_PROXY', 'ALL_PROXY', 'http_proxy', 'all_proxy']],
    ['http://mylocalhost', ['HTTP_PROXY', 'ALL_PROXY', 'http_proxy', 'all_proxy']],
    ['http://127.0.0.1.example', ['HTTP_PROXY', 'ALL_PROXY', 'http_proxy', 'all_proxy']],
    ['http://x127.0.0.1.example', ['HTTP_PROXY', 'ALL_PROXY', 'http_proxy', 'all_proxy']],
    ['http://10.0.0.1', ['HTTP_PROXY', 'ALL_PROXY', 'http_proxy', 'all_proxy']],
    ['http://localhost:8080', []],
    ['http://127.0.0.1', []],
    ['https://127.10.200.255:8443', []],
    ['http://[::1]:8080', []],
  ] as const) {
    it(`goes to ${address} through the proxy that ${variables.join(', ') || 'no variable'} names`, () => {
      const all = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'NO_PROXY']
      expect(all.filter((name) => usesProxy(address, { [name]: proxy }))).to.have.members([...variables])
      expect(all.filter((name) => usesProxy(address, { [name]: '' }))).to.deep.equal([])
    })
  }

  for (const protocol of ['http', 'https'] as const) {
    it(`by ${protocol} is kept open for reads alone, and closed with the client`, async () => {
      const connections = await openConnections(`${protocol}://service.example`, {})
      const { kept, fresh } = connections
      const agents = [kept, fresh].map((some) => some[protocol] as unknown as { options: AgentOptions; destroy: () => void })
      expect(agents.map(({ options }) => options.keepAlive)).to.deep.equal([true, false])
      // Many servers close an idle connection after 5 s: a call that is sent just then would be made twice.
      expect(agents[0]?.options.timeout).to.be.within(1, 4_999)
      expect(agents[1]?.options.timeout).to.equal(undefined)
      let closed = 0
      for (const agent of agents) agent.destroy = () => void closed++
      connections.close()
      expect(closed).to.equal(2)
    })
  }

  it('is through one agent for both protocols where a proxy is named', async () => {
    const connections = await openConnections('https://service.example', { HTTPS_PROXY: proxy })
    expect(connections.kept.http).to.equal(connections.kept.https)
    expect(connections.kept.http?.constructor.name).to.equal('ProxyAgent')
    expect(
      [connections.kept, connections.fresh].map(({ http }) => (http as unknown as { keepAlive: boolean }).keepAlive),
    ).to.deep.equal([true, false])
    connections.close()
  })

  it('leads to the path of the service behind any base address', () => {
    for (const base of ['https://a.example/b', 'https://a.example/b/', 'https://a.example/b///']) {
      expect(servicePath(base, 'PublicService')).to.equal('https://a.example/b/v3/PublicService.asmx')
    }
    expect(descriptionAddress('https://a.example/', 'RestrictedService')).to.equal(
      'https://a.example/v3/RestrictedService.asmx?WSDL',
    )
    expect((['soap12', 'soap11', 'get', 'post'] as const).map(soapVersionOf)).to.deep.equal(['1.2', '1.1', undefined, undefined])
  })
})

describe('a request that is described', () => {
  const clientOf = (baseUrl: string) => createClient({ baseUrl, namespace: 'urn:x', credentials: { appId: 1 } })

  it('is addressed without the name and password of its address', async () => {
    for (const [base, url] of [
      ['https://name:word@a.example/b', 'https://a.example/b/v3/PublicService.asmx'],
      ['http://name@a.example', 'http://a.example/v3/PublicService.asmx'],
      ['https://a.example/x@y', 'https://a.example/x@y/v3/PublicService.asmx'],
    ] as const) {
      expect((await clientOf(base).describe('GetOfficalTime', {})).url).to.equal(url)
    }
  })

  it('is one to an http or https address', () => {
    for (const base of ['http://a.example', 'HTTPS://a.example']) expect(() => clientOf(base)).not.to.throw()
    for (const base of ['ftp://a.example', 'service', '', 'file:///http:', 'xhttp://a.example']) {
      expect(() => clientOf(base), base)
        .to.throw(SoapError, 'createClient: baseUrl is not an http or https address. Nothing was sent.')
        .that.includes({ kind: 'input', sent: false })
    }
  })

  it('of an operation that the contract does not know needs named values, and a name that XML allows', async () => {
    const describe = (operation: string, params: unknown) =>
      clientOf('https://a.example').describe({ service: 'PublicService', operation }, params)
    const refused = async (operation: string, params: unknown) =>
      String(await describe(operation, params).catch((error) => error))
    for (const params of [undefined, null, 7, 'x', []]) {
      expect(await refused('Op', params)).to.include('SoapError: Op: params must be an object with named values')
    }
    for (const name of ['', '1a', 'a b', 'a:b', '-a', '<a', 'a>']) {
      expect(await refused(name, {}), name).to.include('operation cannot be the name of an operation')
    }
    for (const name of ['_a', 'Öp', 'a-b.c_1']) expect((await describe(name, {})).body).to.include(`<${name} xmlns="urn:x" />`)
    expect(await refused('Op', { a: [[1]] })).to.include('Op: params "a" is a list in a list, which XML cannot carry')
  })
})
