/**
 * Descriptions that are refused. A description comes over the same wire as replies, so reading it is as strict and has the same
 * bounds.
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { buildWsdl } from '../../../src/sandbox/wsdl/document.js'
import { DescriptionError, MAX_DESCRIPTION_BYTES, readDescription } from '../../../src/soap/description/index.js'
import { thrownBy } from '../../thrown.js'
import { ADDRESS, NS, wsdlWith } from './support.js'

const own = buildWsdl('PublicService', NS, ADDRESS)

function refusal(source: string | Uint8Array, contentType?: string): string {
  const { fault, message } = thrownBy(DescriptionError, () => readDescription(source, { contentType }))
  return `${fault}: ${message}`
}

describe('a description that is refused', () => {
  const cases: [string, string, RegExp][] = [
    ['an empty text', '', /^not-xml: /],
    ['text that is not XML', 'Not Found', /^not-xml: is not well-formed XML/],
    [
      'a DTD',
      own.replace('<wsdl:definitions', '<!DOCTYPE x [<!ENTITY a "b">]><wsdl:definitions'),
      /^not-xml: has a DTD, which is refused/,
    ],
    ['an unknown entity', own.replace('Reads', '&bomb;'), /^not-xml: .*entity/],
    ['a tag that is not closed', own.replace('</wsdl:types>', ''), /^not-xml: .*\(line \d+\)$/],
    ['a prefix that is not declared', own.replace('xmlns:s="http://www.w3.org/2001/XMLSchema"', ''), /^not-xml: .*prefix/],
    ['a web page', '<html><body><p>Log in</p></body></html>', /^web-page: is a web page$/],
    ['a web page with its doctype', '<!DOCTYPE html>\n<HTML><body><br></body></HTML>', /^web-page: is a web page$/],
    ['a SOAP message', '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"/>', /^not-wsdl: is a SOAP message$/],
    ['a schema alone', '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>', /^not-wsdl: is an XML schema alone/],
    ['WSDL 2.0', '<description xmlns="http://www.w3.org/ns/wsdl"/>', /^not-wsdl: is WSDL 2\.0/],
    ['a discovery document', '<discovery xmlns="http://schemas.xmlsoap.org/disco/"/>', /^not-wsdl: is a discovery document/],
    ['other XML', '<feed/>', /^not-wsdl: is not WSDL: its first element is "feed"/],
    ['WSDL of another namespace', own.replace('http://schemas.xmlsoap.org/wsdl/"', 'http://example.org/wsdl/"'), /^not-wsdl: /],
    ['one without operations', own.replace(/<wsdl:binding[\s\S]*<\/wsdl:binding>/, ''), /^no-operations: /],
    ['one that nests too deeply', `${'<a>'.repeat(101)}${'</a>'.repeat(101)}`, /^too-large: nests deeper than 100 elements/],
    ['one with too many elements', `<a>${'<b/>'.repeat(100_000)}</a>`, /^too-large: has more than 100000 elements/],
    ['one that is too large', ' '.repeat(MAX_DESCRIPTION_BYTES + 1), /^too-large: is larger than 8 MB/],
  ]
  for (const [what, text, said] of cases) it(`is ${what}`, () => expect(refusal(text)).to.match(said))

  it('is one cut anywhere', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: own.trimEnd().length - 1 }), (length) => {
        expect(refusal(own.slice(0, length))).to.match(/^not-xml: /)
      }),
      { numRuns: 40 },
    )
  })

  it('is one that uses its own types without end', () => {
    const groups = Array.from({ length: 19 }, (_, index) => {
      const next = `<xs:group ref="t:G${index + 1}"/>`
      return `<xs:group name="G${index}"><xs:sequence>${next}${next}${next}</xs:sequence></xs:group>`
    })
    const text = wsdlWith('<xs:sequence><xs:group ref="t:G0"/></xs:sequence>', { types: groups.join('') })
    expect(refusal(text)).to.equal('too-large: uses its own types more often than is read')
  })

  it('is not one with a long chain of types: the chain is cut, and named', () => {
    const count = 5000
    const types = Array.from({ length: count }, (_, index) => {
      const next = index + 1 < count ? `<xs:element name="Next" type="t:T${index + 1}"/>` : ''
      return `<xs:complexType name="T${index}"><xs:sequence><xs:element name="X" type="xs:int"/>${next}</xs:sequence></xs:complexType>`
    })
    const bases = Array.from({ length: count }, (_, index) => {
      const next = index + 1 < count ? index + 1 : index
      return `<xs:complexType name="B${index}"><xs:complexContent><xs:extension base="t:B${next}"/></xs:complexContent></xs:complexType>`
    })
    const params = '<xs:sequence><xs:element name="a" type="t:T0"/><xs:element name="b" type="t:B0"/></xs:sequence>'
    const { unread } = readDescription(wsdlWith(params, { types: types.join('') + bases.join('') }))
    expect(unread.map(({ what }) => what).join('\n')).to.match(/nests deeper than 50 types/)
    expect(unread.map(({ where }) => where)).to.include('B0')
  })
})
