/**
 * Requests as a server reads them: which operation is meant, which headers count, and what a value that is missing or odd
 * becomes.
 */
import { expect } from 'chai'
import type { Field, Operation } from '../../../src/contract/index.js'
import {
  arrayOf,
  attribute,
  base64Binary,
  boolean,
  dateTime,
  decimal,
  enumeration,
  flags,
  int,
  nillable,
  optional,
  optionalAttribute,
  optionalNillable,
  repeated,
  required,
  string,
  struct,
} from '../../../src/contract/vocabulary.js'
import {
  type DecodeOptions,
  decodeRequest,
  decodeUrlParams,
  EnvelopeRefused,
  MalformedXml,
  readRequest,
  UnreadableParameter,
  UnreadableRequest,
  UnrecognizedAction,
  WrongMediaType,
  writeFault,
  writePlainResult,
  writeReply,
} from '../../../src/soap/server/index.js'
import { MAX_DEPTH } from '../../../src/soap/wire/xml.js'
import { NS } from '../service.js'

const ENVELOPE = { '1.1': 'http://schemas.xmlsoap.org/soap/envelope/', '1.2': 'http://www.w3.org/2003/05/soap-envelope' } as const
const XSI = 'http://www.w3.org/2001/XMLSchema-instance'

const operation = (name: string, params: Operation['params'], result?: Field): Operation => ({
  ...{ name, service: 'RestrictedService', user: false, kind: 'read', queued: false, summary: '' },
  params,
  result,
})
const GET = operation('Get', { id: required(int) })
const LIST = operation('List', {})
const known: Record<string, Operation> = { Get: GET, List: LIST, Fetch: GET }
const options: DecodeOptions = { operationOf: (element, namespace) => (namespace === NS ? known[element] : undefined) }

const soap = (body: string, header = '', version: '1.1' | '1.2' = '1.2') =>
  `<s:Envelope xmlns:s="${ENVELOPE[version]}" xmlns:xsi="${XSI}"><s:Header>${header}</s:Header><s:Body>${body}</s:Body></s:Envelope>`
const element = (name: string, inner = '', namespace = NS) => `<${name} xmlns="${namespace}">${inner}</${name}>`
const GETS = element('Get', '<id>7</id>')

/** Reading of a request: its operation and parameters, or the error in words. */
function read(xml: string | Buffer, more: Partial<DecodeOptions> = {}): string {
  try {
    const { operation: meant, params, version } = decodeRequest(xml, { ...options, ...more })
    return `${meant.name} ${JSON.stringify(params)} ${version}`
  } catch (error) {
    const { name, message } = error as Error
    return error instanceof EnvelopeRefused ? `${error.code}: ${message}` : `${name}: ${message}`
  }
}

describe('the operation that a request means', () => {
  const unknown = (action: string) =>
    `UnrecognizedAction: Server did not recognize the value of HTTP Header SOAPAction: ${action}.`
  const noAction =
    'UnrecognizedAction: Unable to handle request without a valid action parameter. Please supply a valid soap action.'
  const unexpected = (name: string, namespace = NS) =>
    new RegExp(`^UnreadableRequest: .*XML document \\(\\d+, \\d+\\)\\. ---> <${name} xmlns='${namespace}'> was not expected\\.$`)

  for (const [what, body, more, said] of [
    ['its element', GETS, {}, 'Get {"id":7} 1.2'],
    ['its action', GETS, { action: `${NS}/Get` }, 'Get {"id":7} 1.2'],
    ['its action in quotes and white space', GETS, { action: ` "${NS}/Get" ` }, 'Get {"id":7} 1.2'],
    ['its action as it is encoded in an address', GETS, { action: encodeURIComponent(`${NS}/Get`) }, 'Get {"id":7} 1.2'],
    ['an action without a namespace', GETS, { action: 'Get' }, unknown('Get')],
    ['an action that cannot be decoded', GETS, { action: `${NS}/%` }, unknown(`${NS}/%`)],
    ['an action with one quote', GETS, { action: `"${NS}/Get` }, unknown(`"${NS}/Get`)],
    ['an action with something before its quotes', GETS, { action: `x"${NS}/Get"` }, unknown(`x"${NS}/Get"`)],
    ['an action with something after its quotes', GETS, { action: `"${NS}/Get"x` }, unknown(`"${NS}/Get"x`)],
    ['an action that is not known', GETS, { action: `${NS}/Gone` }, unknown(`${NS}/Gone`)],
    ['an action that is not known, by SOAP 1.1', GETS, { action: `${NS}/Gone`, version: '1.1' }, unknown(`${NS}/Gone`)],
    ['an action that is not known, by SOAP 1.2', GETS, { action: `${NS}/Gone`, version: '1.2' }, 'Get {"id":7} 1.2'],
    ['the action, with the element of another one', element('List'), { action: `${NS}/Get` }, unexpected('List')],
    ['the action, with another name for it', element('Fetch', '<id>8</id>'), { action: `${NS}/Get` }, 'Get {"id":8} 1.2'],
    [
      'the action, with its element in another namespace',
      element('Get', '', 'urn:x'),
      { action: `${NS}/Get` },
      unexpected('Get', 'urn:x'),
    ],
    ['an action without parameters', GETS, { action: `${NS}/List`, version: '1.2' }, 'List {} 1.2'],
    ['an action without parameters, by SOAP 1.1', GETS, { action: `${NS}/List`, version: '1.1' }, unexpected('Get')],
    ['an action with parameters, by SOAP 1.2', element('List'), { action: `${NS}/Get`, version: '1.2' }, unexpected('List')],
    ['an element that is not known', element('Gone'), {}, noAction],
    ['an element of another namespace', element('Get', '', 'urn:x'), {}, noAction],
    ['nothing', '', {}, noAction],
    ['the first of two elements', `${GETS}${element('List')}`, {}, 'Get {"id":7} 1.2'],
  ] as const) {
    it(`is told by ${what}`, () => {
      const found = read(soap(body), more as Partial<DecodeOptions>)
      if (typeof said === 'string') expect(found).to.equal(said)
      else expect(found).to.match(said)
    })
  }

  it('is not known in SOAP 1.1 without an action and an element', () => {
    expect(read(soap('', '', '1.1'))).to.equal(unknown(''))
    expect(read(soap(element('Gone'), '', '1.1'))).to.equal(unknown(''))
  })

  it('is looked for in the body of the envelope alone', () => {
    expect(read(soap(GETS).replaceAll('s:Body', 's:Other'))).to.equal(noAction)
    expect(read(soap(GETS).replaceAll('s:Body', 'Body'))).to.equal(noAction)
    expect(read(soap('', GETS))).to.equal(noAction)
    expect(read(soap(`<x>${GETS}</x>`)), 'deeper').to.equal(noAction)
    expect(read(soap(GETS).replace('<s:Header></s:Header>', ''))).to.equal('Get {"id":7} 1.2')
    expect(read(soap(GETS).replace('<s:Header>', '<s:Other><a><b/></a></s:Other><s:Header>'))).to.equal('Get {"id":7} 1.2')
  })
})

describe('the envelope of a request', () => {
  it('has the version that was announced, or an older one', () => {
    const [one, two] = [soap(GETS, '', '1.1'), soap(GETS)]
    expect(read(one, { version: '1.1' })).to.equal('Get {"id":7} 1.1')
    expect(read(two, { version: '1.1' })).to.equal('Get {"id":7} 1.2')
    expect(read(two, { version: '1.2' })).to.equal('Get {"id":7} 1.2')
    expect(() => decodeRequest(one, { ...options, version: '1.2' })).to.throw(
      WrongMediaType,
      'a SOAP 1.1 envelope is not application/soap+xml',
    )
  })

  it('is of no other version, and nothing but an envelope', () => {
    const other = soap(GETS).replace(ENVELOPE['1.2'], 'urn:x')
    const said = (version: '1.1' | '1.2') =>
      `VersionMismatch: Possible SOAP version mismatch: Envelope namespace urn:x was unexpected. Expecting ${ENVELOPE[version]}.`
    expect(read(other)).to.equal(said('1.1'))
    expect(read(other, { version: '1.1' })).to.equal(said('1.1'))
    expect(read(other, { version: '1.2' })).to.equal(said('1.2'))
    expect(read(soap(GETS).replaceAll('s:Envelope', 's:Letter'))).to.equal(
      'Client: Server was unable to read request. ---> Request format is invalid: Missing required soap:Envelope element.',
    )
    expect(read(`${other}<`), 'that it is no XML comes first').to.match(/^MalformedXml: /)
  })

  it(`nests ${MAX_DEPTH + 1} elements at most`, () => {
    const deep = (depth: number) => soap(element('Get', `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}<id>7</id>`))
    expect(read(deep(MAX_DEPTH - 2))).to.equal('Get {"id":7} 1.2')
    expect(read(deep(MAX_DEPTH - 1))).to.equal(`MalformedXml: the XML nests deeper than ${MAX_DEPTH} elements`)
  })

  it('is UTF-8, or UTF-16 with its mark', () => {
    expect(read(Buffer.from(soap(GETS)))).to.equal('Get {"id":7} 1.2')
    expect(read(Buffer.from(`\uFEFF${soap(GETS)}`, 'utf16le'))).to.equal('Get {"id":7} 1.2')
    for (const bytes of [[0xff, 0x3c], [0x3c, 0xfe], [0xff]]) {
      expect(read(Buffer.from(bytes)), bytes.join()).to.equal('MalformedXml: the bytes are not UTF-8')
    }
  })

  it('may be large: it is read in slices, between which others are served', async () => {
    const long = operation('Long', { text: required(string) })
    const text = 'å€😀'.repeat(100_000)
    let served = 0
    let next = setImmediate(function serve() {
      served++
      next = setImmediate(serve)
    })
    const { params } = await readRequest(soap(element('Long', `<text>${text}</text>`)), { ...options, operationOf: () => long })
    clearImmediate(next)
    expect(params).to.deep.equal({ text })
    expect(served).to.be.at.least(1)
  })
})

describe('the headers of a request', () => {
  const authentication = (inner: string, namespace = NS) => element('AuthenticationHeader', inner, namespace)
  const headers = (header: string, more: Partial<DecodeOptions> = {}) =>
    decodeRequest(soap(GETS, header), { ...options, ...more }).headers

  it('are known in the namespace that the service has, or in any', () => {
    const other = authentication('<AppId>1</AppId>', 'urn:x')
    expect(headers(other)).to.deep.equal({ AuthenticationHeader: { AppId: 1 } })
    expect(headers(other, { headerNamespace: NS })).to.deep.equal({})
    expect(headers(authentication('<AppId>1</AppId>'), { headerNamespace: NS })).to.deep.equal({
      AuthenticationHeader: { AppId: 1 },
    })
  })

  it('take the place of those of the address', () => {
    const defaultHeaders = { AuthenticationHeader: { AppId: 5 }, ConfigurationHeader: { Sandbox: 1, MaxResultAge: 2 } }
    expect(headers(authentication('<AppId>1</AppId>'), { defaultHeaders })).to.deep.equal({
      ...defaultHeaders,
      AuthenticationHeader: { AppId: 1 },
    })
    expect(headers('')).to.deep.equal({})
    expect(headers(`<Odd>${authentication('<AppId>1</AppId>')}</Odd>`), 'within another').to.deep.equal({})
  })

  const S = 'xmlns:o="http://schemas.xmlsoap.org/soap/envelope/"'
  const refused = 'MustUnderstand: SOAP header Odd was not understood.'
  const fine = 'Get {"id":7} 1.2'
  for (const [attributes, said] of [
    ['', fine],
    ['s:mustUnderstand="1"', refused],
    ['s:mustUnderstand="true"', refused],
    ['s:mustUnderstand=" 1 "', refused],
    ['s:mustUnderstand="0"', fine],
    ['s:mustUnderstand="false"', fine],
    ['s:mustUnderstand="11"', fine],
    ['mustUnderstand="1"', fine],
    [`${S} o:mustUnderstand="1"`, refused],
    ['xmlns:x="urn:x" x:mustUnderstand="1"', fine],
    ['s:understand="1"', fine],
    ['s:mustUnderstand="1" s:role=""', refused],
    ['s:mustUnderstand="1" s:role="http://www.w3.org/2003/05/soap-envelope/role/next"', refused],
    ['s:mustUnderstand="1" s:role="http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver"', refused],
    ['s:mustUnderstand="1" s:role="http://www.w3.org/2003/05/soap-envelope/role/none"', fine],
    ['s:mustUnderstand="1" s:role="http://x/nextone"', fine],
    ['s:mustUnderstand="1" s:role="next"', fine],
    [`${S} o:mustUnderstand="1" o:actor="http://schemas.xmlsoap.org/soap/actor/next"`, refused],
    [`${S} o:mustUnderstand="1" o:actor="urn:x"`, fine],
    [`${S} o:mustUnderstand="1" actor="urn:x"`, refused],
  ] as const) {
    it(`that are not known are skipped or refused: ${attributes}`, () => {
      expect(read(soap(GETS, `<Odd ${attributes}><a>1</a></Odd>`))).to.equal(said)
    })
  }

  it('that are known are understood, and the first that is not is named', () => {
    expect(read(soap(GETS, '<AuthenticationHeader s:mustUnderstand="1"><AppId>1</AppId></AuthenticationHeader>'))).to.equal(fine)
    expect(read(soap(GETS, '<Odd s:mustUnderstand="1"/><Even s:mustUnderstand="1"/>'))).to.equal(refused)
    expect(read(soap('', '<Odd s:mustUnderstand="1"/>')), 'comes before a missing operation').to.equal(refused)
  })
})

const word = enumeration('Word', ['first', 'second'])
const some = flags('Some', ['a', 'b'])

describe('a value of a request', () => {
  const probe = (field: Field) => operation('Probe', { a: field })
  const params = (field: Field, inner: string) =>
    decodeRequest(soap(element('Probe', inner)), { operationOf: () => probe(field) }).params

  it('that is missing has the default of its type, where it must be there', () => {
    const missing = (field: Field) => params(field, '')
    for (const [type, value] of [
      [int, 0],
      [decimal, 0],
      [boolean, false],
      [dateTime, '0001-01-01T00:00:00'],
      [word, 'first'],
    ] as const) {
      expect(missing(required(type)), type.kind).to.deep.equal({ a: value })
      expect(missing(nillable(type)), type.kind).to.deep.equal({ a: null })
      expect(missing(optional(type)), type.kind).to.deep.equal({})
      expect(missing(optionalNillable(type)), type.kind).to.deep.equal({})
      expect(missing(repeated(type)), type.kind).to.deep.equal({ a: [] })
    }
    for (const type of [string, base64Binary, some, struct('S', {})]) expect(missing(required(type)), type.kind).to.deep.equal({})
    expect(missing(required(arrayOf('int', int)))).to.deep.equal({ a: [] })
    expect(missing(nillable(arrayOf('int', int)))).to.deep.equal({ a: [] })
  })

  it('is read by its type', () => {
    for (const [type, text, value] of [
      [int, ' 7 ', 7],
      [dateTime, '2026-11-22', '2026-11-22T00:00:00'],
      [dateTime, ' 2026-11-22\n', '2026-11-22T00:00:00'],
      [string, '2026-11-22', '2026-11-22'],
      [string, ' x ', ' x '],
      [word, 'second', 'second'],
      [some, 'a b', 'a b'],
    ] as const) {
      expect(params(required(type), `<a>${text}</a>`)).to.deep.equal({ a: value })
    }
    expect(params(required(int), '<x xmlns="urn:x"><y><z/></y></x><a>7</a>'), 'after what is skipped').to.deep.equal({ a: 7 })
    expect(params(required(int), '<a>1</a><a xmlns="urn:x">2</a>')).to.deep.equal({ a: 1 })
    expect(params(required(int), `<x xmlns="urn:x"><a xmlns="${NS}">2</a></x><a>1</a>`)).to.deep.equal({ a: 1 })
    expect(params(required(int), '<a>1<x xmlns="urn:x">5</x></a>')).to.deep.equal({ a: 1 })
    expect(params(required(string), '<a><![CDATA[x<]]>y</a>')).to.deep.equal({ a: 'x<y' })
    const item = struct('Item', { Id: attribute(int), Name: optionalAttribute(string), V: optional(int) })
    expect(params(required(item), '<a Id="3" Odd="x" xmlns:p="urn:p" p:Name="n"><V>1</V></a>')).to.deep.equal({
      a: { Id: 3, V: 1 },
    })
  })

  for (const [type, text, said] of [
    [int, '', 'Input string was not in a correct format.'],
    [int, '12x', 'Input string was not in a correct format.'],
    [int, 'x12', 'Input string was not in a correct format.'],
    [int, '1.5', 'Input string was not in a correct format.'],
    [int, '99999999999', 'Value was either too large or too small for an Int32.'],
    [int, ' -99999999999 ', 'Value was either too large or too small for an Int32.'],
    [int, '+99999999999', 'Value was either too large or too small for an Int32.'],
    [int, '9999999999x', 'Input string was not in a correct format.'],
    [decimal, 'x', 'Input string was not in a correct format.'],
    [boolean, '12', "The string '12' is not a valid Boolean value."],
    [boolean, 'yes', "The string 'yes' is not a valid Boolean value."],
    [dateTime, '2026-11-22x', "The string '2026-11-22x' is not a valid AllXsd value."],
    [dateTime, 'x2026-11-22', "The string 'x2026-11-22' is not a valid AllXsd value."],
    [dateTime, '2026-13-22', "The string '2026-13-22' is not a valid AllXsd value."],
    [base64Binary, '*', 'Invalid length for a Base-64 char array or string.'],
    [word, 'third', "Instance validation error: 'third' is not a valid value for Word."],
    [some, 'a c', "Instance validation error: 'a c' is not a valid value for Some."],
    [int, '<b/>', "Unexpected element 'b' inside a simple value."],
  ] as const) {
    it(`that is not of its type is refused: ${type.kind} "${text}"`, () => {
      expect(() => params(required(type), `<a>${text}</a>`))
        .to.throw(UnreadableRequest)
        .that.includes({ detail: said })
    })
  }

  it('may be nil where it is nillable or a list, and is no value elsewhere', () => {
    const nil = '<a xsi:nil="true"/>'
    expect(params(nillable(int), nil)).to.deep.equal({ a: null })
    expect(params(optionalNillable(string), nil)).to.deep.equal({ a: null })
    expect(params(optional(arrayOf('int', int)), nil)).to.deep.equal({ a: [] })
    expect(params(optional(string), nil)).to.deep.equal({ a: '' })
    expect(() => params(required(int), nil)).to.throw(UnreadableRequest)
    expect(params(nillable(int), '<a xsi:nil="false">5</a>')).to.deep.equal({ a: 5 })
    expect(params(nillable(int), '<a nil="true">5</a>'), 'of no namespace').to.deep.equal({ a: 5 })
  })
})

describe('a parameter in an address', () => {
  const read1 = (field: Field, query: string) => decodeUrlParams(operation('Probe', { a: field }), new URLSearchParams(query))

  it('is read by its type, or is missing', () => {
    for (const [field, query, value] of [
      [required(boolean), 'a= TRUE ', true],
      [required(boolean), 'a=false', false],
      [required(string), 'a= x ', ' x '],
      [required(string), 'a=', ''],
      [required(string), 'a=x&A=y', 'x,y'],
      [required(word), 'a=second', 'second'],
      [required(arrayOf('int', int)), 'a=1&A=2', [1, 2]],
      [required(arrayOf('int', int)), '', []],
      [repeated(int), 'a=1&a=2', [1, 2]],
      [repeated(int), '', []],
      [nillable(int), '', null],
      [nillable(int), 'a=', null],
      [nillable(string), 'a=', null],
      [nillable(int), 'a=5', 5],
      [optional(base64Binary), '', undefined],
      [required(base64Binary), 'a=', undefined],
      [required(dateTime), 'a=2026-11-22T10:00:00', '2026-11-22T10:00:00'],
    ] as const) {
      const found = read1(field, query)
      expect(found, query).to.deep.equal(value === undefined ? {} : { a: value })
    }
  })

  for (const [type, text, name, why] of [
    [int, 'x', 'System.Int32', 'Input string was not in a correct format.'],
    [int, ' +99999999999 ', 'System.Int32', 'Value was either too large or too small for an Int32.'],
    [int, '9999999999x', 'System.Int32', 'Input string was not in a correct format.'],
    [int, 'x9999999999', 'System.Int32', 'Input string was not in a correct format.'],
    [decimal, '99999999999x', 'System.Decimal', 'Input string was not in a correct format.'],
    [decimal, '', 'System.Decimal', 'Input string was not in a correct format.'],
    [boolean, '12', 'System.Boolean', 'String was not recognized as a valid Boolean.'],
    [boolean, 'yes', 'System.Boolean', 'String was not recognized as a valid Boolean.'],
    [dateTime, 'soon', 'System.DateTime', 'String was not recognized as a valid DateTime.'],
    [base64Binary, '*', 'System.Byte[]', 'Invalid length for a Base-64 char array or string.'],
    [word, 'third', 'Word', "Requested value 'third' was not found."],
    [some, 'c', 'Some', "Requested value 'c' was not found."],
  ] as const) {
    it(`that is not of its type is refused: ${type.kind} "${text}"`, () => {
      const said = `Cannot convert ${text} to ${name}.\r\nParameter name: type ---> ${why}`
      expect(() => read1(required(type), new URLSearchParams({ a: text }).toString())).to.throw(UnreadableParameter, said)
    })
  }

  it('that must be there is missed by name, and one that is more than text is refused', () => {
    expect(() => read1(required(int), 'b=1')).to.throw(UnreadableParameter, 'Missing parameter: a.')
    expect(() => read1(optional(string), '')).to.throw(UnreadableParameter, 'Missing parameter: a.')
    expect(() => read1(optional(struct('S', {})), '')).to.throw(
      UnreadableParameter,
      'The parameter a is a S, which HTTP GET and POST cannot carry. Use SOAP.',
    )
  })
})

describe('a reply that is written', () => {
  const inner = (field: Field, result: unknown, version: '1.1' | '1.2' = '1.2') =>
    [...writeReply(version, NS, operation('Probe', {}, field), result)]
      .join('')
      .replace(/^.*<ProbeResponse xmlns="[^"]*">|<\/ProbeResponse>.*$/g, '')
  const body = (value: unknown, fields: Record<string, Field>) => inner(required(struct('S', fields)), value)

  it('has each value by its type, and leaves out what is not set', () => {
    for (const [field, value, xml] of [
      [required(int), 7, '<a>7</a>'],
      [required(boolean), false, '<a>false</a>'],
      [required(string), '', '<a />'],
      [required(string), ' x ', '<a> x </a>'],
      [required(decimal), 1.5, '<a>1.5</a>'],
      [required(base64Binary), Buffer.from('abc'), '<a>YWJj</a>'],
      [required(dateTime), '2026-11-22T10:00:00', '<a>2026-11-22T10:00:00</a>'],
      [optional(int), undefined, ''],
      [optional(int), null, ''],
      [nillable(int), undefined, '<a xsi:nil="true" />'],
      [nillable(int), null, '<a xsi:nil="true" />'],
      [optionalNillable(int), undefined, ''],
      [optionalNillable(int), null, '<a xsi:nil="true" />'],
      [repeated(int), [1, 2], '<a>1</a><a>2</a>'],
      [repeated(int), undefined, ''],
      [repeated(int), [], ''],
      [{ ...repeated(int), min: 1, nillable: true } as Field, null, ''],
      [optional(arrayOf('int', int)), [], '<a />'],
      [optional(arrayOf('int', int)), [1, 2], '<a><int>1</int><int>2</int></a>'],
      [optional(struct('T', { b: optional(int) })), {}, '<a />'],
      [optional(struct('T', { b: optional(int) })), { b: 1 }, '<a><b>1</b></a>'],
      [attribute(int), 7, 'a="7"'],
      [optionalAttribute(string), 'x"\n\t&', 'a="x&quot;&#xA;&#x9;&amp;"'],
      [optionalAttribute(string), undefined, ''],
    ] as const) {
      const whole =
        field.attribute && xml !== ''
          ? `<ProbeResult ${xml} />`
          : xml === ''
            ? '<ProbeResult />'
            : `<ProbeResult>${xml}</ProbeResult>`
      expect(body({ a: value }, { a: field }), xml).to.equal(whole)
    }
  })

  it('refuses a value that is not of its type, by its place', () => {
    for (const [field, value, said] of [
      [required(int), '7', 'Probe.a cannot be written: "7" is not of type int'],
      [required(boolean), 'true', 'cannot be written: "true" is not of type boolean'],
      [required(string), {}, 'cannot be written: "[object Object]" is not of type string'],
      [required(int), undefined, 'Probe.a cannot be written: "undefined" is not of type int'],
      [required(int), null, 'Probe.a cannot be written: "null" is not of type int'],
      [optional(struct('T', {})), 7, 'cannot be written: "7" is not of type T'],
      [optional(arrayOf('int', int)), 7, 'cannot be written: "7" is not of type list'],
      [repeated(int), 7, 'cannot be written: "7" is not of type list'],
      [attribute(int), undefined, 'Probe.a cannot be written: "undefined" is not of type int'],
      [attribute(int), null, 'Probe.a cannot be written: "null" is not of type int'],
    ] as const) {
      const words = said.replace(/^Probe\.a /, '')
      expect(() => body({ a: value }, { a: field }), said).to.throw(TypeError, words)
    }
  })

  it('is handed on in pieces of 32 Ki characters, which together are the whole', () => {
    const entries = Array.from({ length: 3000 }, (_, at) => 'x'.repeat(at % 50))
    const field = required(arrayOf('string', string))
    const pieces = [...writeReply('1.2', NS, operation('Probe', {}, field), entries)]
    expect(pieces.length).to.be.at.least(2)
    for (const piece of pieces.slice(0, -1)) expect(piece.length).to.be.within(32 * 1024, 32 * 1024 + 100)
    expect(pieces.join('').match(/<string/g)).to.have.lengthOf(3000)
    expect(inner(field, [])).to.equal('<ProbeResult />')
    expect(inner(field, ['x', 'y'])).to.equal('<ProbeResult><string>x</string><string>y</string></ProbeResult>')
    expect(() => inner(field, null)).to.throw(TypeError, 'Probe cannot be written: "null" is not of type list')
    for (const entry of [null, undefined]) {
      expect(() => inner(field, [entry])).to.throw(TypeError, `cannot be written: "${entry}" is not of type string`)
    }
  })

  it('has no result where there is none, in an envelope and without one', () => {
    const whole = (field: Field | undefined, result: unknown) =>
      [...writeReply('1.2', NS, operation('Probe', {}, field), result)].join('')
    const empty = `<ProbeResponse xmlns="${NS}" />`
    for (const [field, result] of [
      [undefined, undefined],
      [undefined, 7],
      [optional(int), null],
      [optional(int), undefined],
    ] as const) {
      expect(whole(field, result)).to.include(`<soap:Body>${empty}</soap:Body>`)
    }
    expect(inner(nillable(int), null)).to.equal('<ProbeResult xsi:nil="true" />')
    const plain = (field: Field, result: unknown) =>
      [...writePlainResult('urn:"&', operation('Probe', {}, field), result)].join('')
    const spaces = `xmlns:xsi="${XSI}" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns="urn:&quot;&amp;"`
    const declaration = '<?xml version="1.0" encoding="utf-8"?>\r\n'
    expect(plain(required(int), 7)).to.equal(`${declaration}<int ${spaces}>7</int>`)
    for (const result of [null, undefined])
      expect(plain(required(int), result)).to.equal(`${declaration}<int ${spaces} xsi:nil="true" />`)
    expect(plain(required(arrayOf('int', int)), [1])).to.match(/ xmlns="urn:&quot;&amp;">\r\n {2}<int>1<\/int>\r\n<\/[A-Za-z]+>$/)
  })

  it('may be a fault of each code, by the names of its version', () => {
    for (const [code, other] of [
      ['Client', 'Sender'],
      ['Server', 'Receiver'],
      ['VersionMismatch', 'VersionMismatch'],
      ['MustUnderstand', 'MustUnderstand'],
    ] as const) {
      expect(writeFault('1.1', { code, text: '' })).to.include(`<faultcode>soap:${code}</faultcode>`)
      expect(writeFault('1.2', { code, text: '' })).to.include(`<soap:Value>soap:${other}</soap:Value>`)
    }
  })
})

describe('what is malformed', () => {
  it('is said of text around the envelope, and of a second one', () => {
    for (const xml of [`x${soap(GETS)}`, `${soap(GETS)}x`, soap(GETS).repeat(2)]) {
      expect(() => decodeRequest(xml, options), xml.slice(0, 9)).to.throw(MalformedXml)
    }
    expect(() => decodeRequest(soap(''), options)).to.throw(UnrecognizedAction)
  })
})
