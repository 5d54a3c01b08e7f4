import { expect } from 'chai'
import {
  CREDENTIALS,
  ENVELOPES,
  envelope,
  type Got,
  HEADERS,
  NS,
  openSandbox,
  order,
  post,
  type Sent,
  SOAP_TYPES,
  send,
  type TestSandbox,
} from '../support.js'
import { at, bodyOf, faultOf, treeOf } from '../tree.js'

const UNREADABLE = /^Server was unable to read request\. ---> There is an error in XML document \(\d+, \d+\)\. ---> /
const PUBLIC_HEADERS = HEADERS.replace(/<AuthorizationHeader.*<\/AuthorizationHeader>/, '')

describe('what fails, and how', () => {
  let sandbox: TestSandbox
  before(async () => {
    sandbox = await openSandbox()
  })
  after(() => sandbox.close())

  const restricted = () => `${sandbox.url}/v3/RestrictedService.asmx`
  const soap = (body: string, sent: Sent = {}, path = restricted()) =>
    send(path, { method: 'POST', body, headers: { 'Content-Type': SOAP_TYPES['1.1'], ...sent.headers } })

  function expectEmpty(got: Got, status: number): void {
    expect(got.status).to.equal(status)
    expect(got.text).to.equal('')
  }

  function expectFault(got: Got, code: 'Client' | 'Server', text: string | RegExp, version: '1.1' | '1.2' = '1.1'): void {
    expect(got.status).to.equal(500)
    expect(got.headers['content-type']).to.equal(SOAP_TYPES[version])
    const fault = faultOf(got.text)
    const codes =
      version === '1.1' ? { Client: 'soap:Client', Server: 'soap:Server' } : { Client: 'soap:Sender', Server: 'soap:Receiver' }
    expect(fault?.code).to.equal(codes[code])
    if (typeof text === 'string') expect(fault?.text).to.equal(text)
    else expect(fault?.text).to.match(text)
  }

  function expectPlain(got: Got, text: string | RegExp): void {
    expect(got.status).to.equal(500)
    expect(got.headers['content-type']).to.equal('text/plain; charset=utf-8')
    expect(got.text.endsWith('\r\n')).to.equal(true)
    if (typeof text === 'string') expect(got.text).to.equal(`${text}\r\n`)
    else expect(got.text).to.match(text)
  }

  describe('SOAP (contract.md 3.3)', () => {
    it('a fault of SOAP 1.1: unqualified children, no detail', async () => {
      const got = await post(sandbox, '1.1', 'RemoveShopItem', '<shopItemId>1</shopItemId>')
      expectFault(
        got,
        'Client',
        'Invalid request ---> Request data is not valid:\nShop item with id 1 does not exist for user 1001.',
      )
      const fault = at(treeOf(got.text), 'Body', 'Fault')
      expect(fault?.namespace).to.equal(ENVELOPES['1.1'])
      expect(fault?.children.map(({ name, namespace }) => [name, namespace])).to.deep.equal([
        ['faultcode', ''],
        ['faultstring', ''],
        ['detail', ''],
      ])
    })

    it('a fault of SOAP 1.2: Sender, in English', async () => {
      const got = await post(sandbox, '1.2', 'RemoveShopItem', '<shopItemId>1</shopItemId>')
      expectFault(got, 'Client', /^Invalid request ---> Request data is not valid:/, '1.2')
      const fault = at(treeOf(got.text), 'Body', 'Fault')
      expect(fault?.children.map(({ name }) => name)).to.deep.equal(['Code', 'Reason', 'Detail'])
      expect(at(fault, 'Reason', 'Text')?.attributes.lang).to.equal('en')
    })

    it('an application that is none: Server, Receiver', async () => {
      const headers = HEADERS.replace('<AppId>1</AppId>', '<AppId>77</AppId>')
      const text = 'Server was unable to process request. ---> Invalid application id'
      expectFault(await post(sandbox, '1.1', 'GetUserInfo', '', { headers }), 'Server', text)
      expectFault(await post(sandbox, '1.2', 'GetUserInfo', '', { headers }), 'Server', text, '1.2')
      expectFault(
        await post(sandbox, '1.2', 'GetCategories', '', { headers: '', service: 'PublicService' }),
        'Server',
        text,
        '1.2',
      )
    })

    const malformed: [string, string][] = [
      ['no XML at all', 'hello'],
      ['nothing', ''],
      ['a tag left open', envelope('1.1', `<GetUserInfo xmlns="${NS}">`)],
      ['two roots', `${envelope('1.1', '')}<a/>`],
      ['an entity that is none', envelope('1.1', `<GetItem xmlns="${NS}"><itemId>&nope;</itemId></GetItem>`)],
      ['a document type', `<!DOCTYPE a [<!ENTITY x "1">]>${envelope('1.1', '').slice(39)}`],
    ]
    for (const [what, body] of malformed) {
      it(`malformed XML, ${what}: 400 and nothing else`, async () => {
        expectEmpty(await soap(body), 400)
        expectEmpty(await soap(body, { headers: { 'Content-Type': SOAP_TYPES['1.2'] } }), 400)
      })
    }

    for (const type of ['application/json', 'application/xml', 'text/plain', 'application/x-www-form-urlencoded', '']) {
      it(`content type «${type}» on the service path: 415 and nothing else`, async () => {
        expectEmpty(await soap(envelope('1.1', `<GetUserInfo xmlns="${NS}"/>`), { headers: { 'Content-Type': type } }), 415)
      })
    }

    const actions: [string, string][] = [
      [`"${NS}/GetUserInf"`, `${NS}/GetUserInf`],
      [`${NS}/GetUserInf`, `${NS}/GetUserInf`],
      [`"${NS}/Get%20It"`, `${NS}/Get It`],
      ['"urn:other/GetUserInfo"', 'urn:other/GetUserInfo'],
      [`"${NS}/GetOfficalTime"`, `${NS}/GetOfficalTime`],
      ['""', ''],
    ]
    for (const [action, said] of actions) {
      it(`SOAPAction ${action} is not known here`, async () => {
        const got = await post(sandbox, '1.1', 'GetUserInfo', '', { http: { SOAPAction: action } })
        expectFault(got, 'Client', `Server did not recognize the value of HTTP Header SOAPAction: ${said}.`)
      })
    }

    for (const action of [`"${NS}/GetUserInfo"`, `${NS}/GetUserInfo`]) {
      it(`SOAPAction ${action} is`, async () => {
        const got = await post(sandbox, '1.1', 'GetUserInfo', '', { http: { SOAPAction: action } })
        expect(got.status).to.equal(200)
        expect(at(bodyOf(got.text), 'GetUserInfoResult', 'Id')?.text).to.equal('1001')
      })
    }

    it('no SOAPAction: the body element decides', async () => {
      const got = await soap(envelope('1.1', `<GetUserInfo xmlns="${NS}"/>`))
      expect(got.status).to.equal(200)
      expect(bodyOf(got.text)?.name).to.equal('GetUserInfoResponse')
      expectFault(await soap(envelope('1.1', `<Nonsense xmlns="${NS}"/>`)), 'Client', /Nonsense|SOAPAction/)
      expectFault(await soap(envelope('1.1', '<GetUserInfo xmlns="urn:other"/>')), 'Client', /GetUserInfo|SOAPAction/)
    })

    it('SOAP 1.2: the action of the content type, or the body element', async () => {
      const call = (action: string) =>
        post(sandbox, '1.2', 'GetUserInfo', '', {
          http: { 'Content-Type': `application/soap+xml; charset=utf-8; action="${action}"` },
        })
      expect((await call(`${NS}/GetUserInfo`)).status).to.equal(200)
      expectFault(await call(`${NS}/Nope`), 'Client', /Nope/, '1.2')
      expect((await post(sandbox, '1.2', 'GetUserInfo', '')).status).to.equal(200)
    })

    it('an envelope of the other version is a version mismatch', async () => {
      const got = await soap(envelope('1.2', `<GetUserInfo xmlns="${NS}"/>`))
      expectFault(
        got,
        'Client',
        `Possible SOAP version mismatch: Envelope namespace ${ENVELOPES['1.2']} was unexpected. Expecting ${ENVELOPES['1.1']}.`,
      )
    })

    const item = (fields: string) => `<itemRequest>${fields}</itemRequest>`
    const unreadable: [string, string, string, RegExp][] = [
      ['an empty int', 'GetItem', '<itemId></itemId>', /Input string was not in a correct format\.$/],
      ['an int that is none', 'AddItem', item('<CategoryId>12x</CategoryId>'), /Input string was not in a correct format\.$/],
      ['an int with a fraction', 'GetItem', '<itemId>1.5</itemId>', /Input string was not in a correct format\.$/],
      ['an int beyond 32 bits', 'GetItem', '<itemId>4294967296</itemId>', /too large or too small for an Int32\.$/],
      ['an empty boolean', 'AddItem', item('<AutoCommit></AutoCommit>'), /not a valid Boolean value\.$/],
      ['an empty date', 'GetSellerItems', '<minEndDate></minEndDate>', /not a valid AllXsd value\.$/],
      [
        'nil where none may be',
        'GetItem',
        '<itemId xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/>',
        /Input string was not in a correct format\.$/,
      ],
      [
        'a word that is none',
        'GetSellerTransactions',
        '<request><Filter>Active</Filter></request>',
        /Instance validation error: 'Active' is not a valid value for TransactionFilter\.$/,
      ],
      [
        'a word in the wrong case',
        'LeaveFeedback',
        '<transactionId>1</transactionId><comment>a</comment><type>positive</type>',
        /'positive' is not a valid value for FeedbackType\.$/,
      ],
      ['base64 that is none', 'AddItemImage', '<requestId>1</requestId><imageData>%%%</imageData>', /base.?64|Base-64/i],
    ]
    for (const [what, operation, inner, detail] of unreadable) {
      it(`${what} cannot be read`, async () => {
        for (const version of ['1.1', '1.2'] as const) {
          const got = await post(sandbox, version, operation, inner)
          expectFault(got, 'Client', UNREADABLE, version)
          expect(faultOf(got.text)?.text).to.match(detail)
        }
      })
    }

    it('the place of what cannot be read is its line and column', async () => {
      const body = envelope('1.1', `\n<GetItem xmlns="${NS}">\n<itemId>x</itemId></GetItem>`)
      const got = await soap(body)
      expect(faultOf(got.text)?.text).to.match(/\(4, \d+\)/)
    })

    it('what is unknown is ignored, what is absent has its default, order and prefixes are free', async () => {
      const shuffled =
        '<filterItemType>All</filterItemType><Extra><Deep/></Extra><filterActive>All</filterActive><categoryid>7</categoryid>'
      const got = await post(sandbox, '1.2', 'GetSellerItems', shuffled)
      expect(got.status).to.equal(200)
      expect(at(bodyOf(got.text), 'GetSellerItemsResult')?.children.length).to.be.greaterThan(20)
      const bare = await post(sandbox, '1.1', 'GetItem', '')
      expect(bare.status, 'itemId 0').to.equal(200)
      const prefixed = `<q:GetItem xmlns:q="${NS}"><q:itemId>0</q:itemId></q:GetItem>`
      expect((await soap(envelope('1.1', prefixed))).status).to.equal(200)
    })

    it('the headers come in any order, in the query string, or in part', async () => {
      const [application, user, configuration] = HEADERS.split(/(?<=Header>)(?=<[AC])/)
      const turned = `${configuration}${user}<Other xmlns="urn:x"/>${application}`
      expect((await post(sandbox, '1.2', 'GetUserInfo', '', { headers: turned })).status).to.equal(200)
      expect((await post(sandbox, '1.2', 'GetUserInfo', '', { headers: `${application}${user}` })).status).to.equal(200)
      const body = envelope('1.1', `<GetUserInfo xmlns="${NS}"/>`, '')
      expect((await soap(body, {}, `${restricted()}?${CREDENTIALS}`)).status).to.equal(200)
      expect((await soap(body, {}, `${restricted()}?${CREDENTIALS.replace('appId', 'APPID')}`)).status).to.equal(200)
      const half = envelope('1.1', `<GetUserInfo xmlns="${NS}"/>`, application)
      expect((await soap(half, {}, `${restricted()}?${CREDENTIALS.replace(/^.*&userId/, 'userId')}`)).status).to.equal(200)
    })

    it('success: 200, the default namespace on the response, not to be cached by others', async () => {
      const got = await post(sandbox, '1.1', 'GetUserInfo', '')
      expect(got.headers['content-type']).to.equal(SOAP_TYPES['1.1'])
      expect(got.headers['cache-control']).to.equal('private, max-age=0')
      expect(got.text).to.include(`<GetUserInfoResponse xmlns="${NS}">`)
    })

    it('void is an empty response, no result is left out, an empty list is an empty element', async () => {
      const cancelled = await post(sandbox, '1.1', 'CancelEidVerification', '')
      expect(cancelled.text).to.match(/<CancelEidVerificationResponse xmlns="[^"]*" ?\/>/)
      const missing = await post(sandbox, '1.1', 'GetItem', '<itemId>2147483647</itemId>', {
        service: 'PublicService',
        headers: PUBLIC_HEADERS,
      })
      expect(bodyOf(missing.text)?.children).to.deep.equal([])
      const none = await post(sandbox, '1.1', 'GetRequestResults', '<requestIds><int>2147483647</int></requestIds>')
      expect(none.text).to.match(/<GetRequestResultsResult ?\/>/)
    })
  })

  describe('refusals without SOAP (contract.md 3.2)', () => {
    function expectPage(got: Got, status: number): void {
      expect(got.status).to.equal(status)
      expect(got.headers['content-type']).to.equal('text/html; charset=utf-8')
      expect(got.text).to.not.include('Envelope')
    }

    it('403 without a right user, in every binding', async () => {
      for (const headers of [PUBLIC_HEADERS, HEADERS.replace(/<Token>.*<\/Token>/, '<Token>wrong</Token>')]) {
        expectPage(await post(sandbox, '1.1', 'GetUserInfo', '', { headers }), 403)
        expectPage(await post(sandbox, '1.2', 'GetUserInfo', '', { headers }), 403)
      }
      const wrong = CREDENTIALS.replace(/token=.*/, 'token=wrong')
      expectPage(await send(`${restricted()}/GetUserInfo?${wrong}`), 403)
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
      expectPage(await send(`${restricted()}/GetUserInfo`, { method: 'POST', headers: form, body: wrong }), 403)
    })

    it('429 over the quota, in every binding, and it says when to come again', async () => {
      const busy = await openSandbox({ weather: { quota: { calls: 2, windowMs: 60_000 } } })
      try {
        for (let i = 0; i < 2; i++) expect((await post(busy, '1.2', 'GetUserInfo', '')).status).to.equal(200)
        const over = await post(busy, '1.2', 'GetUserInfo', '')
        expectPage(over, 429)
        expect(over.headers['retry-after']).to.equal('60')
        expectPage(await post(busy, '1.1', 'GetUserInfo', ''), 429)
        expectPage(await send(`${busy.url}/v3/RestrictedService.asmx/GetUserInfo?${CREDENTIALS}`), 429)
        busy.clock.at += 60_001
        expect((await post(busy, '1.2', 'GetUserInfo', '')).status).to.equal(200)
      } finally {
        await busy.close()
      }
    })
  })

  describe('HTTP GET and POST (contract.md 3.4)', () => {
    const get = (path: string) => send(`${restricted()}/${path}${path.includes('?') ? '&' : '?'}${CREDENTIALS}`)
    const form = (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
      send(`${restricted()}/${path}`, { method: 'POST', headers: { 'Content-Type': type }, body })

    it('a parameter that is missing', async () => {
      expectPlain(await get('GetItem'), 'Missing parameter: itemId.')
      expectPlain(await form('GetItem', CREDENTIALS), 'Missing parameter: itemId.')
      expectPlain(await get('LeaveFeedback?transactionId=1'), 'Missing parameter: comment.')
    })

    it('a name that is none, or of the wrong case, or cannot travel as text', async () => {
      expectPlain(await get('GetItm'), 'GetItm Web Service method name is not valid.')
      expectPlain(await get('constructor'), 'constructor Web Service method name is not valid.')
      expectPlain(
        await get('getitem?itemId=1'),
        'getitem Web Service method name is not valid. Did you mean GetItem? Method names are case sensitive.',
      )
      expectPlain(await get('AddItem'), /^AddItem Web Service method name is not valid\. .*itemRequest.*SOAP/)
      expectPlain(await get('GetOfficalTime'), 'GetOfficalTime Web Service method name is not valid.')
    })

    it('a value of the wrong type', async () => {
      expectPlain(
        await get('GetItem?itemId=abc'),
        /^Cannot convert abc to System\.Int32\.\r?\nParameter name: type ---&gt; Input string was not in a correct format\.\r\n$/,
      )
      expectPlain(await get('GetItem?itemId='), /^Cannot convert {1,2}to System\.Int32\./)
      expectPlain(await form('LeaveFeedback', `transactionId=1&comment=a&type=good&${CREDENTIALS}`), /^Cannot convert good to /)
    })

    it('a scalar sent twice is joined with a comma, which is no number', async () => {
      expectPlain(await get('GetItem?itemId=1&itemId=2'), /^Cannot convert 1,2 to System\.Int32\./)
    })

    it('texts are escaped, so that nothing of them is markup', async () => {
      expectPlain(await get('GetItem?itemId=%3Cb%3E%22'), /^Cannot convert &lt;b&gt;&quot; to System\.Int32\./)
      expectPlain(await get('%3Cscript%3E'), '&lt;script&gt; Web Service method name is not valid.')
    })

    it('faults of the service are their text', async () => {
      expectPlain(await get('RemoveShopItem?shopItemId=1'), /^Invalid request ---&gt; Request data is not valid:/)
      const nobody = await send(`${restricted()}/GetUserInfo?appId=x`)
      expectPlain(nobody, 'Server was unable to process request. ---&gt; Invalid application id')
    })

    it('a body that is no form', async () => {
      expectPlain(await form('GetItem', '{}', 'application/json'), 'Request format is invalid: application/json.')
    })

    it('names of parameters are of any case, a list repeats its name', async () => {
      const got = await get('GetItem?ITEMID=2147483647')
      expect(got.status).to.equal(200)
      const results = await get('GetRequestResults?requestIds=1&requestids=2')
      expect(treeOf(results.text).name).to.equal('ArrayOfRequestResult')
    })

    it('success: XML with the type as its root, or nothing for void', async () => {
      const user = await get('GetUserInfo')
      expect(user.headers['content-type']).to.equal('text/xml; charset=utf-8')
      expect(user.text.startsWith('<?xml version="1.0" encoding="utf-8"?>')).to.equal(true)
      expect(treeOf(user.text)).to.include({ name: 'UserInfo', namespace: NS })
      const left = await get('LeaveFeedback?transactionId=2147483647&comment=a&type=Positive')
      expect(treeOf(left.text)).to.include({ name: 'boolean', namespace: NS, text: 'false' })
      const empty = await get('CancelEidVerification')
      expectEmpty(empty, 200)
    })
  })

  describe('everything else', () => {
    it('paths in any letter case', async () => {
      for (const path of ['/v3/restrictedservice.asmx', '/V3/RESTRICTEDSERVICE.ASMX', '/v3/RestrictedService.asmx']) {
        const got = await soap(envelope('1.1', `<GetUserInfo xmlns="${NS}"/>`), {}, `${sandbox.url}${path}`)
        expect(got.status, path).to.equal(200)
        expect((await send(`${sandbox.url}${path}/GetUserInfo?${CREDENTIALS}`)).status, path).to.equal(200)
      }
    })

    it('other methods are not allowed', async () => {
      for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH']) {
        const got = await send(restricted(), { method })
        expect(got.status, method).to.equal(405)
        expect(got.headers.allow).to.equal('GET, POST')
      }
      expect((await send(`${sandbox.url}/_sandbox/weather`)).status).to.equal(405)
      expect((await send(`${sandbox.url}/`, { method: 'POST' })).status).to.equal(405)
    })

    it('a path that leads nowhere says where one may go', async () => {
      const got = await send(`${sandbox.url}/v3/RestrictedServices.asmx`)
      expect(got.status).to.equal(404)
      expect(got.text).to.include('Did you mean /v3/RestrictedService.asmx?')
      expect((await send(`${sandbox.url}/%E0%A4%A`)).status).to.equal(404)
      expect((await send(`${sandbox.url}/images/thumb/999999.png`)).status).to.equal(404)
    })

    it('a body that is too large, or compressed, is not read', async () => {
      const large = await send(restricted(), {
        method: 'POST',
        headers: { 'Content-Type': SOAP_TYPES['1.1'], 'Content-Length': String(64 * 1024 * 1024 + 1), Expect: '100-continue' },
      }).catch((error: Error) => error)
      expect((large as Got).status).to.equal(413)
      const zipped = await soap('x', { headers: { 'Content-Encoding': 'gzip' } })
      expect(zipped.status).to.equal(415)
      expect(zipped.text).to.include('Content-Encoding «gzip»')
    })

    it('an envelope in another charset is read', async () => {
      const body = Buffer.from(
        envelope('1.1', `<ValidateCampaignCode xmlns="${NS}"><campaignCode>åäö</campaignCode></ValidateCampaignCode>`).replace(
          'utf-8',
          'iso-8859-1',
        ),
        'latin1',
      )
      const got = await send(restricted(), { method: 'POST', body, headers: { 'Content-Type': 'text/xml; charset=iso-8859-1' } })
      expect(got.status).to.equal(200)
      const odd = await send(restricted(), { method: 'POST', body, headers: { 'Content-Type': 'text/xml; charset=klingon' } })
      expectFault(odd, 'Client', 'The charset «klingon» of the content type is not known; send UTF-8.')
    })

    it('calls are logged without credentials', async () => {
      await send(`${restricted()}/GetUserInfo?${CREDENTIALS}`)
      await post(sandbox, '1.2', 'GetItem', '<itemId>1</itemId>')
      const log = sandbox.lines.join('\n')
      expect(log).to.match(/HTTP GET RestrictedService\.GetUserInfo 200 \d+ ms/)
      expect(log).to.match(/SOAP 1\.2 RestrictedService\.GetItem 200 \d+ ms/)
      expect(log).to.not.match(/token|appKey|5eed/i)
      expect(log).to.not.include('The sandbox itself failed')
    })

    it('the weather strikes every binding', async () => {
      await order(sandbox, 'weather', { unavailable: '100%' })
      expect((await post(sandbox, '1.1', 'GetUserInfo', '')).status).to.equal(503)
      expect((await send(`${restricted()}/GetUserInfo?${CREDENTIALS}`)).status).to.equal(503)
      expect((await send(restricted())).status, 'not the pages').to.equal(200)
      await order(sandbox, 'weather', { unavailable: '0%' })
    })
  })
})
