import { expect } from 'chai'
import { opened } from '../../opened.js'
import { expectEmpty, expectFault } from '../expectations.js'
import { CREDENTIALS, ENVELOPES, envelope, HEADERS, NS, openSandbox, post, type Sent, SOAP_TYPES, send } from '../support.js'
import { at, bodyOf, faultOf, treeOf } from '../tree.js'

const UNREADABLE = /^Server was unable to read request\. ---> There is an error in XML document \(\d+, \d+\)\. ---> /
const PUBLIC_HEADERS = HEADERS.replace(/<AuthorizationHeader.*<\/AuthorizationHeader>/, '')

describe('what fails over SOAP, and how (docs/service.md, Fault envelopes)', () => {
  const sandbox = opened(openSandbox)

  const restricted = () => `${sandbox.url}/v3/RestrictedService.asmx`
  const soap = (body: string, sent: Sent = {}, path = restricted()) =>
    send(path, { method: 'POST', body, headers: { 'Content-Type': SOAP_TYPES['1.1'], ...sent.headers } })

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

  it('an unknown application: Server, Receiver', async () => {
    const headers = HEADERS.replace('<AppId>1</AppId>', '<AppId>77</AppId>')
    const text = 'Server was unable to process request. ---> Invalid application id'
    expectFault(await post(sandbox, '1.1', 'GetUserInfo', '', { headers }), 'Server', text)
    expectFault(await post(sandbox, '1.2', 'GetUserInfo', '', { headers }), 'Server', text, '1.2')
    expectFault(await post(sandbox, '1.2', 'GetCategories', '', { headers: '', service: 'PublicService' }), 'Server', text, '1.2')
  })

  const malformed: [string, string][] = [
    ['no XML at all', 'hello'],
    ['nothing', ''],
    ['a tag left open', envelope('1.1', `<GetUserInfo xmlns="${NS}">`)],
    ['two roots', `${envelope('1.1', '')}<a/>`],
    ['an unknown entity', envelope('1.1', `<GetItem xmlns="${NS}"><itemId>&nope;</itemId></GetItem>`)],
    ['a document type', `<!DOCTYPE a [<!ENTITY x "1">]>${envelope('1.1', '').slice(39)}`],
  ]
  const inTwelve = (body: string): string => body.replaceAll(ENVELOPES['1.1'], ENVELOPES['1.2'])
  for (const [what, body] of malformed) {
    it(`malformed XML, ${what}: 400 and nothing else`, async () => {
      expectEmpty(await soap(body), 400)
      const action = `${SOAP_TYPES['1.2']}; action="${NS}/GetUserInfo"`
      expectEmpty(await soap(inTwelve(body), { headers: { 'Content-Type': action } }), 400)
    })

    it(`malformed XML in SOAP 1.2 without an action, ${what}: a fault`, async () => {
      const got = await soap(inTwelve(body), { headers: { 'Content-Type': SOAP_TYPES['1.2'] } })
      expectFault(got, 'Server', /^Server was unable to process request\. ---> Data at the root level is invalid\./, '1.2')
    })
  }

  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    it(`content type "${type}" on the service path: 500 as plain text`, async () => {
      const got = await soap('{}', { headers: { 'Content-Type': type } })
      expect([got.status, got.text]).to.deep.equal([500, 'Request format is unrecognized.\r\n'])
    })
  }

  for (const type of ['application/xml', 'text/plain', '']) {
    it(`content type "${type}" on the service path: 415 and nothing else`, async () => {
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
    expect(bodyOf((await call(`${NS}/Nope`)).text)?.name, 'an unknown action').to.equal('GetUserInfoResponse')
    expect((await post(sandbox, '1.2', 'GetUserInfo', '')).status).to.equal(200)
    const other = (action: string) =>
      post(sandbox, '1.2', 'GetItem', '<itemId>1</itemId>', {
        http: { 'Content-Type': `${SOAP_TYPES['1.2']}; action="${NS}/${action}"` },
      })
    expect(bodyOf((await other('GetUserInfo')).text)?.name, 'a known action').to.equal('GetUserInfoResponse')
    expectFault(await other('RemoveShopItem'), 'Client', UNREADABLE, '1.2')
  })

  it('an envelope of SOAP 1.2 as text/xml is answered in its own version; one of SOAP 1.1 as application/soap+xml is refused', async () => {
    const twelve = await soap(envelope('1.2', `<GetUserInfo xmlns="${NS}"/>`))
    expect([twelve.status, treeOf(twelve.text).namespace]).to.deep.equal([200, ENVELOPES['1.2']])
    const eleven = envelope('1.1', `<GetUserInfo xmlns="${NS}"/>`)
    expectEmpty(await soap(eleven, { headers: { 'Content-Type': SOAP_TYPES['1.2'] } }), 415)
  })

  it('an envelope of no version is a version mismatch', async () => {
    const mismatch = `Possible SOAP version mismatch: Envelope namespace urn:x was unexpected. Expecting ${ENVELOPES['1.1']}.`
    expectFault(await soap('<Envelope xmlns="urn:x"/>'), 'VersionMismatch', mismatch)
    expectFault(await soap('<a/>'), 'Client', /Missing required soap:Envelope element\.$/)
  })

  it('?disco: where the description and the bindings are', async () => {
    const got = await send(`${restricted()}?disco`)
    const document = treeOf(got.text)
    expect([got.status, document.name, document.namespace]).to.deep.equal([200, 'discovery', 'http://schemas.xmlsoap.org/disco/'])
    expect(at(document, 'contractRef')?.attributes).to.include({ ref: `${restricted()}?wsdl`, docRef: restricted() })
    expect(document.children.slice(1).map(({ attributes }) => attributes.binding)).to.deep.equal([
      'q1:RestrictedServiceSoap',
      'q1:RestrictedServiceSoap12',
    ])
  })

  for (const version of ['1.1', '1.2'] as const) {
    const role = version === '1.1' ? 'actor' : 'role'
    const call = (attributes: string, name = 'Security') => {
      const header = `<${name} xmlns="urn:x" xmlns:e="${ENVELOPES[version]}" ${attributes}/>`
      const added = '<shopItemData><Title>Vas</Title></shopItemData>'
      return post(sandbox, version, 'AddShopItem', added, { headers: `${HEADERS}${header}` })
    }

    it(`SOAP ${version}: a header that must be understood and is not stops the call`, async () => {
      for (const must of ['e:mustUnderstand="1"', 'e:mustUnderstand="true"', `e:mustUnderstand="1" e:${role}=""`]) {
        expectFault(await call(must), 'MustUnderstand', 'SOAP header Security was not understood.', version)
      }
      const next = `e:mustUnderstand="1" e:${role}="http://schemas.xmlsoap.org/soap/actor/next"`
      expectFault(await call(next), 'MustUnderstand', /Security/, version)
      const last = `e:mustUnderstand=" 1 " e:${role}="${ENVELOPES['1.2']}/role/ultimateReceiver"`
      expectFault(await call(last), 'MustUnderstand', /Security/, version)
    })

    it(`SOAP ${version}: one that need not, or is for another reader, does not`, async () => {
      const readers = ['urn:someone', 'urn:next', 'http://x/next/one', 'http://x/ultimateReceivers', 'http://x/after-next']
      const others = readers.map((reader) => `e:mustUnderstand="1" e:${role}="${reader}"`)
      for (const may of ['', 'e:mustUnderstand="0"', 'mustUnderstand="1"', ...others]) {
        expectFault(await call(may), 'Client', /^Invalid request ---> /, version)
      }
      const known = HEADERS.replace(
        `<AuthenticationHeader xmlns="${NS}">`,
        `<AuthenticationHeader xmlns="${NS}" xmlns:e="${ENVELOPES[version]}" e:mustUnderstand="1">`,
      )
      expect((await post(sandbox, version, 'GetUserInfo', '', { headers: known })).status).to.equal(200)
    })
  }

  it('headers outside the namespace of the service are strangers', async () => {
    const headers = HEADERS.replaceAll(`xmlns="${NS}"`, 'xmlns="urn:x"')
    const got = await post(sandbox, '1.1', 'GetUserInfo', '', { headers })
    expectFault(got, 'Server', 'Server was unable to process request. ---> Invalid application id')
  })

  const item = (fields: string) => `<itemRequest>${fields}</itemRequest>`
  const unreadable: [string, string, string, RegExp][] = [
    ['an empty int', 'GetItem', '<itemId></itemId>', /Input string was not in a correct format\.$/],
    ['an invalid int', 'AddItem', item('<CategoryId>12x</CategoryId>'), /Input string was not in a correct format\.$/],
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
    ['invalid base64', 'AddItemImage', '<requestId>1</requestId><imageData>%%%</imageData>', /base.?64|Base-64/i],
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
