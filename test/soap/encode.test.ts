/** Bytes that are sent for each kind of value, and what is shown of it. */
import { expect } from 'chai'
import xml2js from 'xml2js'
import type { Field, Fields, Operation } from '../../src/contract/index.js'
import {
  arrayOf,
  attribute,
  base64Binary,
  boolean,
  dateTime,
  decimal,
  int,
  nillable,
  optional,
  optionalAttribute,
  optionalNillable,
  recursive,
  repeated,
  required,
  type Struct,
  string,
  struct,
} from '../../src/contract/vocabulary.js'
import { buildEnvelope, type HeaderValues, headerValues, shownHeaderValues, Unwritable } from '../../src/soap/wire/encode.js'
import { createHider, isSecretName, maskEnvelope, shortened } from '../../src/soap/wire/mask.js'
import { ENVELOPE_NAMESPACES } from '../../src/soap/wire/names.js'
import { detectCharset, isUtf8, looseText, NotText, openTail, textChunks } from '../../src/soap/wire/text.js'
import { faultsBeyondText } from '../../src/soap/wire/url-form.js'
import { boundedWords, briefValue } from '../../src/soap/wire/words.js'
import { escapeAttribute, escapeText } from '../../src/soap/wire/write.js'

const HEADERS = {
  AuthenticationHeader: { AppId: 1 },
  AuthorizationHeader: null,
  ConfigurationHeader: { Sandbox: 0, MaxResultAge: 0 },
}
const operation = (params: Fields): Operation => ({
  ...{ name: 'Probe', service: 'RestrictedService', user: false, kind: 'read', queued: false, summary: '', result: undefined },
  params,
})
const envelope = (params: Record<string, unknown>, fields: Fields | undefined, shown: boolean, headers = HEADERS) =>
  buildEnvelope(
    '1.2',
    'urn:x',
    { service: 'RestrictedService', name: 'Probe', params, ...(fields === undefined ? {} : { operation: operation(fields) }) },
    headers as HeaderValues,
    shown,
  )
/** Content of the element of the operation. */
const content = (xml: string) => (/<Probe xmlns="urn:x">(.*)<\/Probe>/s.exec(xml)?.[1] ?? '').replace(/>\s+</g, '><').trim()
const sent = async (params: Record<string, unknown>, fields?: Fields) => content(await envelope(params, fields, false))
const shown = async (params: Record<string, unknown>, fields?: Fields) => content(await envelope(params, fields, true))

describe('a value that is sent', () => {
  it('is written by its type, left out, or nil', async () => {
    for (const [field, value, xml] of [
      [required(int), 7, '<a>7</a>'],
      [required(decimal), 1.5, '<a>1.5</a>'],
      [required(boolean), false, '<a>false</a>'],
      [required(string), 'x<&', '<a>x&lt;&amp;</a>'],
      [required(string), '', '<a />'],
      [required(dateTime), '2026-11-22T10:00:00', '<a>2026-11-22T10:00:00</a>'],
      [required(base64Binary), Buffer.from('abc'), '<a>YWJj</a>'],
      [optional(int), undefined, ''],
      [optional(int), null, ''],
      [nillable(int), undefined, '<a xsi:nil="true" />'],
      [nillable(int), null, '<a xsi:nil="true" />'],
      [optionalNillable(int), undefined, ''],
      [optionalNillable(int), null, '<a xsi:nil="true" />'],
      [repeated(int), [1, 2], '<a>1</a><a>2</a>'],
      [repeated(int), [], ''],
      [optional(arrayOf('int', int)), [1, 2], '<a><int>1</int><int>2</int></a>'],
      [
        optional(struct('T', { b: optional(int), c: attribute(int), d: optionalAttribute(string) })),
        { b: 1, c: 2 },
        '<a c="2"><b>1</b></a>',
      ],
      [optional(struct('T', { c: optionalAttribute(string), b: optional(int) })), { c: null, b: 3 }, '<a><b>3</b></a>'],
    ] as [Field, unknown, string][]) {
      expect(await sent({ a: value }, { a: field }), xml).to.equal(xml)
      if (field.type.kind !== 'base64Binary') expect(await shown({ a: value }, { a: field }), xml).to.equal(xml)
    }
    const node: Struct = struct('Node', { Next: optional(recursive('Node', () => node)), Id: required(int) })
    expect(await sent({ a: { Id: 1, Next: { Id: 2 } } }, { a: required(node) })).to.equal(
      '<a><Next><Id>2</Id></Next><Id>1</Id></a>',
    )
    expect(await sent({ b: 2, a: 1 }, { a: required(int), b: required(int) }), 'in the order of the contract').to.equal(
      '<a>1</a><b>2</b>',
    )
  })

  it('is shown without secrets and without files', async () => {
    const fields = {
      Token: optionalNillable(string),
      data: optional(base64Binary),
      Inner: optional(struct('I', { AppKey: optional(string) })),
    }
    expect(await shown({ Token: 'x', data: Buffer.alloc(4), Inner: { AppKey: 'y' } }, fields)).to.equal(
      '<Token>***</Token><data>(8 characters, not shown)</data><Inner><AppKey>***</AppKey></Inner>',
    )
    expect(await shown({ Token: null }, fields)).to.equal('<Token xsi:nil="true" />')
    expect(await shown({}, fields)).to.equal('')
    expect(await shown({ Token: 'x', data: Buffer.alloc(3), deep: { password: 1, list: ['a'] } })).to.equal(
      '<Token>***</Token><data>(4 characters, not shown)</data><deep><password>***</password><list>a</list></deep>',
    )
  })

  it('without a type is a text, nil, a repetition or an element with others', async () => {
    expect(await sent({ a: 'x', b: null, c: [1, 2], d: { e: true }, f: undefined, g: 1e20, h: [] })).to.equal(
      '<a>x</a><b xsi:nil="true" /><c>1</c><c>2</c><d><e>true</e></d><g>100000000000000000000</g>',
    )
    for (const [params, said] of [
      [{ 'a b': 1 }, '"a b" cannot be the name of an element'],
      [{ '': 1 }, '"" cannot be the name of an element'],
      [{ a: { '1b': 1 } }, '"a.1b" cannot be the name of an element'],
      [{ 'b>': undefined }, '"b>" cannot be the name of an element'],
      [{ a: [[1]] }, '"a" is a list in a list, which XML cannot carry'],
      [{ a: { b: [[1]] } }, '"a.b" is a list in a list, which XML cannot carry'],
      [{ a: Number.NaN }, '"a" is "NaN", which has no text'],
      [{ a: Number.POSITIVE_INFINITY }, '"a" is "Infinity", which has no text'],
      [{ a: 7n }, '"a" is "7", which has no text'],
      [{ a: { b: 'x\u0001' } }, '"a.b" holds the character'],
    ] as [Record<string, unknown>, string][]) {
      const error = await sent(params).catch((thrown: unknown) => thrown)
      expect(error, said).to.be.instanceOf(Unwritable)
      expect(String(error)).to.include(said)
    }
  })

  it('goes in the envelope that xml2js builds, also where that is not loaded', async () => {
    const builder = new xml2js.Builder({ xmldec: { version: '1.0', encoding: 'utf-8' }, renderOpts: { pretty: false } })
    const texts = ['key', 'aB3+/=', 'a b', 'a&b', '<', '"', 'é', '', "it's", 'a]]>b']
    for (const namespace of ['http://api.example.se/', 'urn:x&y', 'urn:"x"'])
      for (const version of ['1.1', '1.2'] as const)
        for (const AppKey of texts)
          for (const AuthorizationHeader of [null, { UserId: 4711, Token: 'a.b-c_d' }]) {
            const values: HeaderValues = { ...HEADERS, AuthenticationHeader: { AppId: 1, AppKey }, AuthorizationHeader }
            const content = { service: 'RestrictedService', name: 'Probe', params: {} } as const
            const xmlns = { $: { xmlns: namespace } }
            const given = AuthorizationHeader === null ? {} : { AuthorizationHeader: { ...xmlns, ...AuthorizationHeader } }
            const built = builder.buildObject({
              'soap:Envelope': {
                $: {
                  'xmlns:soap': ENVELOPE_NAMESPACES[version],
                  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
                  'xmlns:xsd': 'http://www.w3.org/2001/XMLSchema',
                },
                'soap:Header': {
                  AuthenticationHeader: { ...xmlns, AppId: 1, AppKey },
                  ...given,
                  ConfigurationHeader: { ...xmlns, Sandbox: 0, MaxResultAge: 0 },
                },
                'soap:Body': { Probe: xmlns },
              },
            })
            const xml = await buildEnvelope(version, namespace, content, values, false)
            expect(xml).to.equal(built.replace('/></soap:Body>', ' /></soap:Body>'))
          }
  })

  it('goes with the headers that there are', async () => {
    const credentials = { appId: 1, appKey: 'k', userId: 2, token: 't' }
    const configuration = { sandbox: 1, maxResultAge: 60 }
    const ConfigurationHeader = { Sandbox: 1, MaxResultAge: 60 }
    const AuthenticationHeader = { AppId: 1, AppKey: 'k' }
    expect(headerValues(credentials, true, configuration)).to.deep.equal({
      AuthenticationHeader,
      AuthorizationHeader: { UserId: 2, Token: 't' },
      ConfigurationHeader,
    })
    expect(headerValues(credentials, false, configuration).AuthorizationHeader).to.equal(null)
    expect(headerValues({ ...credentials, userId: undefined }, true, configuration).AuthorizationHeader).to.equal(null)
    expect(headerValues({ ...credentials, userId: 0 }, true, configuration).AuthorizationHeader).to.deep.equal({
      UserId: 0,
      Token: 't',
    })
    const values = headerValues(credentials, true, configuration)
    expect(shownHeaderValues(credentials, values, true)).to.deep.equal({
      AuthenticationHeader: { AppId: 1, AppKey: '***' },
      AuthorizationHeader: { UserId: 2, Token: '***' },
      ConfigurationHeader,
    })
    expect(shownHeaderValues({ appId: 0, appKey: '', token: '' }, values, true)).to.deep.equal({
      AuthenticationHeader: { AppId: '(not set)', AppKey: '(not set)' },
      AuthorizationHeader: { UserId: '(not set)', Token: '(not set)' },
      ConfigurationHeader,
    })
    expect(shownHeaderValues({ appId: 1 }, values, false)).to.deep.equal({
      AuthenticationHeader: { AppId: 1, AppKey: '(not set)' },
      AuthorizationHeader: null,
      ConfigurationHeader,
    })
    const xml = await envelope({}, undefined, false, {
      ...values,
      AuthenticationHeader: { AppId: 1, AppKey: undefined },
    } as never)
    expect(xml).to.include('<AuthenticationHeader xmlns="urn:x"><AppId>1</AppId></AuthenticationHeader>')
    expect(xml).to.include('<AuthorizationHeader xmlns="urn:x"><UserId>2</UserId><Token>t</Token></AuthorizationHeader>')
    expect(await envelope({}, undefined, false)).not.to.include('AuthorizationHeader')
  })
})

describe('what is hidden', () => {
  it('are the values of names that are secret, in any letter case', () => {
    for (const name of ['AppKey', 'token', 'PERSONALNUMBER', 'authToken', 'secretKey', 'AutoStartToken', 'Password']) {
      expect(isSecretName(name), name).to.equal(true)
      expect(maskEnvelope(`<${name}>x</${name}>`)).to.equal(`<${name}>***</${name}>`)
    }
    for (const name of ['AppId', 'Tokens', 'MyToken', 'data']) expect(isSecretName(name), name).to.equal(false)
  })

  for (const [xml, masked] of [
    ['<token a="b" c="d">x</token>', '<token a="b" c="d">***</token>'],
    ['<a-b.c:Token>x</a-b.c:Token>', '<a-b.c:Token>***</a-b.c:Token>'],
    ['<MyToken>x</MyToken>', '<MyToken>x</MyToken>'],
    ['<TokenX>x</TokenX>', '<TokenX>x</TokenX>'],
    ['<Token>x</Token><Token>yy</Token>', '<Token>***</Token><Token>***</Token>'],
    ['<Token></Token>', '<Token></Token>'],
    ['<Token>a<![CDATA[]]]]><![CDATA[>]]>b</Token>', '<Token>***</Token>'],
    ['<Token><![CDATA[a]b]]c>]]></Token>', '<Token>***</Token>'],
    ['<Token><![CDATA[x', '<Token>***'],
    ['<Data>abc</Data>', '<Data>(3 characters, not shown)</Data>'],
    ['<ImageData>abcdef', '<ImageData>(6 characters, not shown)'],
    ['Token>x', 'Token>x'],
  ] as const) {
    it(`in an envelope: ${xml}`, () => {
      expect(maskEnvelope(xml)).to.equal(masked)
    })
  }

  it('are known secrets in each way that they may be written, the longest first', () => {
    const secret = `a&b<c>d"e'f å`
    const hide = createHider([secret, 'abcd', 'abcdefgh', undefined, 'abc'])
    for (const form of [
      secret,
      `a&amp;b&lt;c>d"e'f å`,
      `a&amp;b&lt;c&gt;d"e'f å`,
      `a&amp;b&lt;c&gt;d&quot;e'f å`,
      'a&amp;b&lt;c&gt;d&quot;e&#39;f å',
      'a&amp;b&lt;c&gt;d&quot;e&apos;f å',
      encodeURI(secret),
      encodeURIComponent(secret),
      new URLSearchParams({ x: secret }).toString().slice(2),
      JSON.stringify(secret).slice(1, -1),
    ]) {
      expect(hide(`x ${form} y ${form}`), form).to.equal('x *** y ***')
    }
    expect(hide('abcdefgh abcd abc')).to.equal('*** *** abc')
    expect(hide('abcd')).to.equal('***')
    expect(shortened(7)).to.equal('(7 characters, not shown)')
  })
})

describe('words of the service that are kept', () => {
  for (const [text, most, kept] of [
    ['abcd', 4, 'abcd'],
    ['abcde', 4, 'abcd… (1 more characters)'],
    [' a \r\n\n b ', 99, 'a ⏎ b'],
    ['a\u0085b', 99, 'a ⏎ b'],
    ['a\u2029b', 99, 'a ⏎ b'],
    ['a\tb', 99, 'a\tb'],
    ['ab \u{1F600}', 4, 'ab… (2 more characters)'],
    ['ab\u{1F600}x', 4, 'ab\u{1F600}… (1 more characters)'],
    ['ab\uD800\uDC00y', 3, 'ab… (3 more characters)'],
    ['ab\uD7FFxy', 3, 'ab\uD7FF… (2 more characters)'],
    ['ab\uDC00xy', 3, 'ab\uDC00… (2 more characters)'],
    ['ab\uDBFF\uDFFFy', 3, 'ab… (3 more characters)'],
  ] as const) {
    it(`are on one line, and ${most} characters at most: ${JSON.stringify(text)}`, () => {
      expect(boundedWords(text, most)).to.equal(kept)
    })
  }

  it('are 2,000 characters by default, and 120 of a value', () => {
    expect(boundedWords('x'.repeat(2000))).to.equal('x'.repeat(2000))
    expect(boundedWords('x'.repeat(2001))).to.equal(`${'x'.repeat(2000)}… (1 more characters)`)
    expect(briefValue('x'.repeat(118))).to.equal(`"${'x'.repeat(118)}"`)
    expect(briefValue('x'.repeat(119))).to.equal(`"${'x'.repeat(119)}… (1 more characters)`)
    expect([briefValue(7), briefValue(null), briefValue(undefined), briefValue([1])]).to.deep.equal([
      '7',
      'null',
      'undefined',
      '[1]',
    ])
  })
})

describe('text that comes in pieces', () => {
  it('is in the charset of its mark, its type or its declaration, UTF-8 by default', () => {
    const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`
    for (const [start, type, charset] of [
      ['', undefined, 'utf-8'],
      [xml('ISO-8859-1'), 'text/xml', 'iso-8859-1'],
      [xml('utf-16'), 'text/xml', 'utf-8'],
      [xml('iso-8859-1'), 'text/xml; charset=UTF-8', 'utf-8'],
      ['', 'text/xml; charset = "us-ascii"; x=y', 'us-ascii'],
      ['', 'text/xml; charset = windows-1252', 'windows-1252'],
      ['', 'text/xml; charset=', 'utf-8'],
      ['\xfe\xff', 'text/xml; charset=utf-16', 'utf-16be'],
      ['\xff\xfe', 'text/xml; charset=utf-8', 'utf-16le'],
      ['\xef\xbb\xbf', 'text/xml; charset=utf-16', 'utf-8'],
      ['\0<\0?', 'text/xml', 'utf-16be'],
      ['<\0?\0', 'text/xml', 'utf-16le'],
    ] as const) {
      expect(detectCharset(Buffer.from(start, 'latin1'), type), `${start} ${type}`).to.equal(charset)
    }
    expect([isUtf8('utf8'), isUtf8('us-ascii'), isUtf8('utf-16le')]).to.deep.equal([true, true, false])
    expect([looseText(Buffer.from([0xe5]), 'windows-1252'), looseText(Buffer.from('å'), 'klingon')]).to.deep.equal(['å', 'å'])
    expect(() => textChunks('klingon')).to.throw(NotText, 'the reply is in the charset "klingon", which is not known here')
  })

  it('waits for the rest of a character, and misses it at the end', () => {
    const text = 'aå€😀'
    const bytes = Buffer.from(text)
    const chunks = textChunks()
    expect([...bytes].map((byte) => chunks.push(Buffer.from([byte]))).join('')).to.equal(text)
    expect(chunks.end()).to.equal('')
    for (const [length, open] of [
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 0],
      [4, 1],
      [5, 2],
      [6, 0],
      [7, 1],
      [8, 2],
      [9, 3],
      [10, 0],
    ] as const) {
      expect(openTail(bytes, length), `${length} bytes`).to.equal(open)
      const part = textChunks()
      part.push(bytes.subarray(0, length))
      if (open === 0) expect(part.end()).to.equal('')
      else expect(() => part.end()).to.throw(NotText, 'the reply ends inside a character')
    }
    expect([1, 2, 3, 4].map((length) => openTail(Buffer.from('\u{10000}'), length))).to.deep.equal([1, 2, 3, 0])
    expect([1, 2, 3].map((length) => openTail(Buffer.from('\u0800'), length))).to.deep.equal([1, 2, 0])
    expect(openTail(Buffer.from([0x80, 0x80, 0x80, 0x80]), 4), 'no beginning').to.equal(0)
    expect(() => textChunks().push(Buffer.from([0x61, 0xff, 0x61]))).to.throw(NotText, 'the reply holds bytes that are not UTF-8')
  })

  it('is held to another charset too', () => {
    const latin = textChunks('iso-8859-1')
    expect(latin.push(Buffer.from([0xe5])) + latin.end()).to.equal('å')
    const wide = textChunks('utf-16le')
    expect(wide.push(Buffer.from([0x61])) + wide.push(Buffer.from([0, 0x62, 0])) + wide.end()).to.equal('ab')
    const odd = textChunks('utf-16le')
    odd.push(Buffer.from([0x61]))
    expect(() => odd.end()).to.throw(NotText, 'the reply holds bytes that are not utf-16le')
    expect(() => textChunks('shift_jis').push(Buffer.from([0x81, 0x20]))).to.throw(NotText, 'not shift_jis')
  })
})

describe('text that is escaped', () => {
  it('has no character that XML cannot carry, and keeps all that it can', () => {
    const kept = '\t\n \uD7FF\uE000\uFFFD\u{10000}\u{10FFFF}"\''
    expect(escapeText(kept)).to.equal(kept)
    expect(escapeText('a&b<c>d\re')).to.equal('a&amp;b&lt;c&gt;d&#xD;e')
    for (const character of ['\u0000', '\u0008', '\u000B', '\u001F', '\uD800', '\uDFFF', '\uFFFE', '\uFFFF']) {
      expect(escapeText(`x${character}y${character}`)).to.equal('x\uFFFDy\uFFFD')
    }
    expect(escapeAttribute(`"'\n\t\r`)).to.equal(`&quot;'&#xA;&#x9;\r`)
  })
})

describe('what an address cannot carry', () => {
  const beyond = (params: Record<string, unknown>) =>
    faultsBeyondText({ service: 'PublicService', name: 'Op', params }, 'get').map(({ field }) => field)

  it('are objects, alone or in a list', () => {
    expect(
      beyond({ a: 1, b: 'x', c: null, d: undefined, e: true, f: Buffer.alloc(1), g: [1, null, Buffer.alloc(1)], h: [] }),
    ).to.deep.equal([])
    expect(beyond({ a: {}, b: [1, {}], c: 1, d: [[1]] })).to.deep.equal(['a', 'b', 'd'])
    expect(faultsBeyondText({ service: 'PublicService', name: 'Op', params: { a: {} } }, 'post')).to.deep.equal([
      {
        field: 'a',
        value: undefined,
        message: 'is more than text, and the binding post carries nothing else',
        hint: 'Use the binding soap12 or soap11: they carry every operation.',
      },
    ])
  })
})
