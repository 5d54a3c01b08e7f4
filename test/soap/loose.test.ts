/**
 * Parameters whose types are not known, lists that are not whole numbers, and words that are cut: what is sent, shown and read.
 */
import { expect } from 'chai'
import { type Operation, operations } from '../../src/contract/index.js'
import { buildEnvelope, type HeaderValues } from '../../src/soap/wire/encode.js'
import { readFault } from '../../src/soap/wire/fault.js'
import { encodeForm } from '../../src/soap/wire/url-form.js'

const HEADERS: HeaderValues = {
  AuthenticationHeader: { AppId: 1 },
  AuthorizationHeader: null,
  ConfigurationHeader: { Sandbox: 0, MaxResultAge: 0 },
}

describe('a request in the HTTP forms', () => {
  const form = (params: Record<string, unknown>, shown: boolean, operation?: Operation, headers = HEADERS) =>
    decodeURIComponent(encodeForm({ service: 'RestrictedService', name: 'Probe', operation, params }, headers, shown)).replaceAll(
      '+',
      ' ',
    )

  it('sends untyped values as they are, lists one by one, and nothing for what is left out', () => {
    const params = {
      a: undefined,
      b: null,
      c: [1, null, 'x y', undefined],
      d: new Uint8Array([1, 2, 3]),
      e: true,
      Token: 's3cret',
    }
    expect(form(params, false)).to.equal('b=&c=1&c=&c=x y&d=AQID&e=true&Token=s3cret&appId=1')
    expect(form(params, true)).to.equal('b=&c=1&c=&c=x y&d=(4 characters, not shown)&e=true&Token=***&appId=1')
  })

  it('sends typed values, an empty text for a single one that is not set, and nothing for a list', () => {
    expect(form({ requestIds: null }, false, operations.GetRequestResults)).to.equal('appId=1')
    expect(form({ requestIds: [1, 2] }, false, operations.GetRequestResults)).to.equal('requestIds=1&requestIds=2&appId=1')
    expect(form({}, false, operations.GetItem)).to.equal('itemId=&appId=1')
    const image = { requestId: 1, imageData: Buffer.from('abc'), imageFormat: 'Png', hasMega: false }
    const rest = 'imageFormat=Png&hasMega=false&appId=1'
    expect(form(image, false, operations.AddItemImage)).to.equal(`requestId=1&imageData=YWJj&${rest}`)
    expect(form(image, true, operations.AddItemImage)).to.equal(`requestId=1&imageData=(4 characters, not shown)&${rest}`)
    expect(form({ ...image, imageData: undefined }, false, operations.AddItemImage)).to.equal(`requestId=1&${rest}`)
  })

  it('sends the credentials that there are, and the settings that differ from the default', () => {
    const all: HeaderValues = {
      AuthenticationHeader: { AppId: 1, AppKey: 'k' },
      AuthorizationHeader: { UserId: 7, Token: 't' },
      ConfigurationHeader: { Sandbox: 1, MaxResultAge: 5 },
    }
    expect(form({}, false, undefined, all)).to.equal('appId=1&appKey=k&userId=7&token=t&sandbox=1&maxResultAge=5')
    expect(form({}, false, undefined, { ...all, AuthorizationHeader: { UserId: 7 } })).to.equal(
      'appId=1&appKey=k&userId=7&sandbox=1&maxResultAge=5',
    )
  })
})

describe('a request as a person reads it', () => {
  it('has an element a line, and texts escaped', async () => {
    const content = {
      service: 'PublicService',
      name: 'Probe',
      params: { a: '', b: '1 & 2', ids: { int: [1] }, none: {}, c: ['x', 'y'] },
    } as const
    const headers = {
      AuthenticationHeader: { AppId: 1 },
      AuthorizationHeader: null,
      ConfigurationHeader: { Sandbox: 0, MaxResultAge: 0 },
    }
    const lines = (await buildEnvelope('1.2', 'urn:x"y', content, headers, true)).split('\n')
    expect(lines[0]).to.match(/^<soap:Envelope /)
    expect(lines.slice(lines.indexOf('  <soap:Body>') + 1, -2)).to.deep.equal(
      [
        '<Probe xmlns="urn:x&quot;y">',
        '  <a />',
        '  <b>1 &amp; 2</b>',
        '  <ids>',
        '    <int>1</int>',
        '  </ids>',
        '  <none />',
        '  <c>x</c>',
        '  <c>y</c>',
        '</Probe>',
      ].map((line) => `    ${line}`),
    )
  })
})

describe('words of the service', () => {
  for (const [what, fault, code, text] of [
    ['SOAP 1.1', { faultcode: 'soap:Client.Authentication', faultstring: ' no ' }, 'Client', 'no'],
    ['SOAP 1.2', { Code: { Value: 'soap:Sender' }, Reason: { Text: [{ '#text': 'no' }, 'nej'] } }, 'Client', 'no'],
    ['an unknown code', { faultcode: 'Odd', faultstring: 'no' }, 'Odd', 'no'],
    ['no code', { faultcode: 'soap:', faultstring: 'no' }, 'Server', 'no'],
    ['nothing', undefined, 'Server', 'The service gave no reason.'],
    ['empty parts', { Code: null, Reason: { Text: { lang: 'sv' } } }, 'Server', 'The service gave no reason.'],
  ] as const) {
    it(`are read from a fault of ${what}`, () => {
      expect(readFault(fault)).to.deep.equal({ code, text, bare: true })
    })
  }

  it('are from a runtime that tells causes apart where the fault has details, empty ones too', () => {
    for (const detail of [{ detail: '' }, { Detail: null }])
      expect(readFault({ faultcode: 'a:Client', ...detail }).bare).to.equal(false)
  })
})
