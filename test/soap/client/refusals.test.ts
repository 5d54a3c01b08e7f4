/** Errors of a call that did not succeed: every message in full, by status, by text, and by how the connection failed. */
import { expect } from 'chai'
import nock from 'nock'
import { type Binding, type ClientOptions, createClient, type SoapError } from '../../../src/soap/client/index.js'
import { closing } from '../../opened.js'
import { interceptNetwork } from '../intercepted.js'
import { envelope, NS, refused, response, SOAP_TYPE, stillClock } from '../service.js'

const HOST = 'https://service.example'
const TOKEN = 'a-planted-token'
const ITEM = response('GetItem', '<GetItemResult><Id>7</Id></GetItemResult>')
const fault = (text: string, code = 'Sender') =>
  envelope(
    `<soap:Fault><soap:Code><soap:Value>soap:${code}</soap:Value></soap:Code><soap:Reason><soap:Text>${text}</soap:Text></soap:Reason></soap:Fault>`,
  )

async function refusedItem(options: Partial<ClientOptions> = {}): Promise<SoapError> {
  const credentials = { appId: 1, appKey: 'a-planted-key', userId: 2, token: TOKEN }
  using client = closing(createClient({ baseUrl: HOST, namespace: NS, credentials, clock: stillClock(), retries: 0, ...options }))
  return await refused(client.call('GetItem', { itemId: 7 }))
}

describe('what is said of a call that did not succeed', () => {
  interceptNetwork()

  const answered = (status: number, body: string | Buffer, headers: Record<string, string> = {}, binding: Binding = 'soap12') => {
    const scope = nock(HOST)
    const path = /^\/v3\/RestrictedService\.asmx/
    ;(binding === 'get' ? scope.get(path) : scope.post(path)).reply(status, body, headers)
    return refusedItem({ binding })
  }

  for (const [status, kind, message, header = ''] of [
    [
      300,
      'refused',
      'the service answered with a redirect (HTTP 300). Redirects are not followed, because they would pass on the credentials. Check the address.',
    ],
    [
      399,
      'refused',
      'the service answered with a redirect (HTTP 399). Redirects are not followed, because they would pass on the credentials. Check the address.',
    ],
    [400, 'not-soap', 'the web server refused the request (HTTP 400).'],
    [401, 'refused', 'the service refused the call (HTTP 401).'],
    [402, 'not-soap', 'the web server refused the request (HTTP 402).'],
    [403, 'refused', 'the service refused the call (HTTP 403).'],
    [407, 'refused', 'the proxy asks for credentials (HTTP 407).'],
    [408, 'not-soap', 'the web server refused the request (HTTP 408).'],
    [429, 'quota', 'too many calls (HTTP 429). Wait, or ask for a larger quota.'],
    [429, 'quota', 'too many calls (HTTP 429). The service says to wait 0 s, or ask for a larger quota.', '0'],
    [429, 'quota', 'too many calls (HTTP 429). The service says to wait 7 s, or ask for a larger quota.', '7'],
    [500, 'not-soap', 'the web server failed with a page of its own (HTTP 500).'],
    [501, 'not-soap', 'the web server failed with a page of its own (HTTP 501).'],
    [502, 'unavailable', 'the service is not available (HTTP 502).'],
    [503, 'unavailable', 'the service is not available (HTTP 503).'],
    [504, 'unavailable', 'the service is not available (HTTP 504).'],
    [505, 'not-soap', 'the web server failed with a page of its own (HTTP 505).'],
  ] as const) {
    it(`HTTP ${status}${header && `, to wait ${header} s`}: ${message}`, async () => {
      const error = await answered(status, 'x', header === '' ? {} : { 'retry-after': header })
      expect(error).to.include({ kind, httpStatus: status, sent: true, message: `GetItem: ${message}` })
      expect(error.retryAfterMs).to.equal(header === '' ? undefined : Number(header) * 1000)
    })
  }

  it('takes any 2xx for an answer', async () => {
    nock(HOST).post('/v3/RestrictedService.asmx').reply(299, ITEM, SOAP_TYPE)
    const client = createClient({ baseUrl: HOST, namespace: NS, credentials: { appId: 1 } })
    expect(await client.call('GetItem', { itemId: 7 })).to.deep.include({ Id: 7 })
    client.close()
  })

  it('names where a redirect leads as far as it can be known', async () => {
    for (const [location, where] of [
      ['/login?x=1', ' to https://service.example/login'],
      ['https://other.example:8443/a/b?token=x#y', ' to https://other.example:8443/a/b'],
      ['http://[', ''],
    ] as const) {
      const error = await answered(302, '', { location })
      expect(error.message).to.include(`with a redirect (HTTP 302)${where}. Redirects`)
    }
  })

  it('finds a fault in any page that is XML, or looks like it', async () => {
    for (const [body, type] of [
      [fault('No.'), 'application/xml'],
      [fault('No.'), 'TEXT/XML'],
      [fault('No.'), 'text/html'],
      [` \n${fault('No.')}`.replace(/<\?xml.*?\?>/, ''), 'text/html'],
      [fault('No.'), undefined],
    ] as const) {
      const error = await answered(403, body, type === undefined ? {} : { 'content-type': type })
      expect(error, String(type)).to.include({ kind: 'fault', httpStatus: 403, faultCode: 'Client', faultString: 'No.' })
      expect(error.message).to.equal('GetItem: the service answered: No.')
    }
    // The frame of a reason says nothing to a person; --trace has it.
    for (const [said, shown] of [
      ['Invalid request ---> No.', 'No.'],
      ['Invalid request ---> Request data is not valid:\nA.\nB.', 'A. ⏎ B.'],
      ['Server was unable to process request. ---> Oops', 'Oops'],
      ['Invalid request', 'Invalid request'],
    ] as const) {
      const error = await answered(500, fault(said.replaceAll('>', '&gt;')), { 'content-type': 'text/xml' })
      expect(error.message).to.equal(`GetItem: the service answered: ${shown}`)
      expect(error.faultString).to.equal(said.replace('\n', ' ⏎ ').replace('\n', ' ⏎ '))
    }
    for (const [body, type] of [
      [`x${fault('No.')}`, 'text/html'],
      [`x${fault('No.')}`, 'text/xml'],
      [fault('No.').slice(0, -20), 'text/xml'],
      [ITEM, 'text/xml'],
      ['', 'text/xml'],
    ] as const) {
      expect(await answered(403, body, { 'content-type': type })).to.include({ kind: 'refused', faultString: undefined })
    }
  })

  it('takes plain text of HTTP 500 for a fault in the HTTP forms alone, and undoes what it escapes', async () => {
    const plain = { 'content-type': ' Text/Plain; charset=utf-8' }
    for (const [body, text] of [
      ['Missing parameter: itemId.\r\n', 'Missing parameter: itemId.'],
      ['&lt;a&gt; &quot;b&quot; &#39;c&#39; &amp;lt; &nbsp;', `<a> "b" 'c' &lt; &nbsp;`],
      [' \n', 'The service gave no reason.'],
      ['', 'The service gave no reason.'],
    ] as const) {
      expect(await answered(500, body, plain, 'get')).to.include({ kind: 'fault', faultString: text, faultCode: undefined })
    }
    expect((await answered(500, 'x', plain)).kind).to.equal('not-soap')
    expect((await answered(400, 'x', plain, 'get')).kind).to.equal('not-soap')
    expect((await answered(500, 'x', { 'content-type': 'text/html' }, 'get')).kind).to.equal('not-soap')
    expect((await answered(500, 'x', {}, 'get')).kind).to.equal('not-soap')
    expect((await answered(500, 'x', { 'content-type': 'x-text/plain' }, 'get')).kind).to.equal('not-soap')
  })

  it('keeps the secrets out of the fault and of the words around it', async () => {
    const error = await answered(500, fault(`Invalid token ${TOKEN}.\nNo.`), SOAP_TYPE)
    expect(error.faultString).to.equal('Invalid token ***. ⏎ No.')
    expect(error.message).to.equal('GetItem: the service answered: Invalid token ***. ⏎ No.')
  })

  it('finds a fault at the end of a page of 1 MiB', async () => {
    const limit = 1024 * 1024
    const padded = (bytes: number) => {
      const text = fault('No.')
      return text.replace('<soap:Fault>', `${' '.repeat(bytes - Buffer.byteLength(text))}<soap:Fault>`)
    }
    expect((await answered(500, padded(limit), SOAP_TYPE)).kind).to.equal('fault')
  })

  for (const [code, message, details] of [
    ['ECONNREFUSED', 'no connection to service.example (ECONNREFUSED). Nothing was sent.', { sent: false }],
    ['EPROTO', 'no secure connection to service.example: it may not speak https (EPROTO). Nothing was sent.', { sent: false }],
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'no connection to service.example: its certificate is not trusted (SELF_SIGNED_CERT_IN_CHAIN). Nothing was sent.',
      { sent: false },
    ],
  ] as const) {
    it(`a connection that fails with ${code}`, async () => {
      nock(HOST)
        .post('/v3/RestrictedService.asmx')
        .replyWithError(Object.assign(new Error('x'), { code }))
      const error = await refusedItem()
      expect(error).to.include({ kind: 'unreachable', reason: code, message: `GetItem: ${message}`, ...details })
      expect(error.httpStatus).to.equal(undefined)
    })
  }

  it('a reply that is cut short, is no SOAP, or is larger than it may be', async () => {
    for (const [body, kind, message] of [
      [ITEM.slice(0, -20), 'interrupted', 'the reply was cut short: its XML ends too early.'],
      [Buffer.from(`${ITEM}<a/>`), 'not-soap', undefined],
      [
        response('GetItem', '<GetItemResult><Id>-7</Id></GetItemResult>'),
        'broken',
        'the reply breaks the contract: GetItemResult.Id -7 is below 1.',
      ],
      [response('GetItem', '<GetItemResult/>'), 'broken', 'the reply breaks the contract: GetItemResult.Id is missing.'],
    ] as const) {
      const error = await answered(200, body, SOAP_TYPE)
      expect(error).to.include({ kind, httpStatus: 200, sent: true })
      if (message !== undefined) expect(error.message).to.equal(`GetItem: ${message}`)
      if (kind === 'broken') expect(error).to.include({ element: 'GetItemResult.Id', intact: undefined })
    }
    nock(HOST).post('/v3/RestrictedService.asmx').reply(200, ITEM, SOAP_TYPE)
    const length = Buffer.byteLength(ITEM)
    const error = await refusedItem({ maxReplyBytes: length - 1 })
    expect(error.message).to.equal(`GetItem: the reply is larger than the limit of ${length - 1} bytes (maxReplyBytes).`)
    nock(HOST).post('/v3/RestrictedService.asmx').reply(200, ITEM, SOAP_TYPE)
    const client = createClient({ baseUrl: HOST, namespace: NS, credentials: { appId: 1 }, maxReplyBytes: length })
    expect(await client.call('GetItem', { itemId: 7 })).to.deep.include({ Id: 7 })
    client.close()
  })

  it('a list of which some entries are wrong, handed on or gathered', async () => {
    const list = (inner: string) => response('GetSellerItems', `<GetSellerItemsResult>${inner}</GetSellerItemsResult>`)
    const body = list('<Item><Id>1</Id></Item><Item><Id>-2</Id></Item><Item><Id>3</Id></Item>')
    const all = { categoryId: 0, filterActive: 'All', filterItemType: 'All' } as const
    nock(HOST).post('/v3/RestrictedService.asmx').times(3).reply(200, body, SOAP_TYPE)
    const client = createClient({ baseUrl: HOST, namespace: NS, credentials: { appId: 1 }, clock: stillClock() })
    const gathered = await client.call('GetSellerItems', all).catch((error: unknown) => error)
    expect(gathered).to.include({ kind: 'broken', httpStatus: 200 })
    expect((gathered as SoapError).intact?.map((item) => (item as { Id: number }).Id)).to.deep.equal([1, 3])
    for (const fields of [undefined, ['Id']] as const) {
      const seen: number[] = []
      let failure: unknown
      try {
        for await (const { Id } of client.stream('GetSellerItems', all, fields && { fields })) seen.push(Id)
      } catch (error) {
        failure = error
      }
      expect(failure).to.include({ kind: 'broken', sent: true })
      expect(seen).not.to.include(-2)
    }
    client.close()
  })
})
