/**
 * Descriptions that leave out what they may leave out, or name what is not there: what is read all the same, and what is said.
 */
import { expect } from 'chai'
import { decimal, enumeration, flags, int, optional, string, struct } from '../../../src/contract/vocabulary.js'
import { alike, briefly, readsAs } from '../../../src/soap/description/compare/shapes.js'
import { gatherParts, readDescription } from '../../../src/soap/description/index.js'
import { ADDRESS, NS, probe, wsdlWith } from './support.js'

const element = (name: string, type: string) => `<xs:element name="${name}" type="${type}"/>`
const sequence = (content: string) => `<xs:sequence>${content}</xs:sequence>`
const A = sequence(element('a', 'xs:int'))
const WSDL = wsdlWith(A)
const INPUT = '<w:input><soap12:body use="literal"/></w:input>'
const OPERATION = /<soap12:operation[^>]*\/>/
const HTTP = 'xmlns:http="http://schemas.xmlsoap.org/wsdl/http/"'

const described = (wsdl: string) => {
  const description = readDescription(wsdl)
  const operation = description.operations.get('Probe')
  if (operation === undefined) throw new Error('Probe was not read.')
  return { ...description, ...operation, said: description.unread.map(({ where, what }) => `${where} ${what}`) }
}

describe('an incomplete description', () => {
  for (const [what, wsdl] of [
    ['no style for the operation', WSDL.replace(OPERATION, '')],
    ['no style at all', WSDL.replace(/ style="document"/, '')],
    ['no use of the body', WSDL.replaceAll(' use="literal"', '')],
    ['no input in the binding', WSDL.replace(INPUT, '')],
    ['no documentation', WSDL.replace(/<w:documentation>[^<]*<\/w:documentation>/, '')],
    ['no output', WSDL.replace('<w:output message="t:Out"/>', '')],
    ['no port', WSDL.replace(/<w:service.*<\/w:service>/, '')],
    ['a binding of an unknown kind', WSDL.replace('<w:binding ', '<w:binding name="X" type="t:P"/><w:binding ')],
    ['a default namespace', WSDL.replace('message="t:In"', 'message=" In "')],
  ] as const) {
    it(`with ${what} is read`, () => {
      const { operation, said } = described(wsdl)
      expect(Object.keys(operation.params)).to.deep.equal(['a'])
      expect(operation.summary).to.equal(what === 'no documentation' ? '' : 'Tries something.')
      expect(said).to.deep.equal([])
    })
  }

  for (const [what, wsdl, why] of [
    [
      'a style of its binding that is not document',
      WSDL.replace(OPERATION, '').replace('<soap12:binding ', '<soap12:binding style="rpc" '),
      'its one operation is called in rpc style',
    ],
    ['an encoded body', WSDL.replace('use="literal"', 'use="encoded"'), 'called with encoded values'],
    [
      'a message without a part',
      WSDL.replace('<w:part name="parameters" element="t:Probe"/>', ''),
      'not called with one element',
    ],
    [
      'a message of two parts',
      WSDL.replace('<w:part ', '<w:part name="more" element="t:Probe"/><w:part '),
      'not called with one element',
    ],
    ['a message of a type', WSDL.replace('element="t:Probe"', 'type="xs:string"'), 'not called with one element'],
    ['a message that is not there', WSDL.replace('message="t:In"', 'message="t:Gone"'), 'not called with one element'],
    ['a message with an unknown prefix', WSDL.replace('message="t:In"', 'message="gone:In"'), 'not called with one element'],
    ['no message', WSDL.replace('<w:input message="t:In"/>', '<w:input/>'), 'not called with one element'],
    ['no input', WSDL.replace('<w:input message="t:In"/>', ''), 'not called with one element'],
    [
      'no operation in the binding',
      WSDL.replace(/<w:operation name="Probe"><soap12.*<\/w:operation>/s, ''),
      'its SOAP bindings have none of the operations',
    ],
    ['a binding to nothing', WSDL.replace(' type="t:P"', ''), 'its SOAP bindings have none of the operations'],
    ['no port type', WSDL.replace(/<w:portType.*<\/w:portType>/s, ''), 'it lists none'],
    [
      'a binding by HTTP alone',
      WSDL.replace('<soap12:binding transport="http://schemas.xmlsoap.org/soap/http"/>', `<http:binding ${HTTP} verb="GET"/>`),
      'by HTTP get alone, not by SOAP',
    ],
    ['a binding that is not known', WSDL.replace(/<soap12:binding [^>]*>/, ''), 'by no binding that is known here'],
    [
      'an element that is not there',
      WSDL.replace('element="t:Probe"', 'element="t:Gone"'),
      'called with elements that are not in the description',
    ],
  ] as const) {
    it(`with ${what} has no operation that could be called`, () => {
      expect(() => readDescription(wsdl)).to.throw(new RegExp(`^has no operation that could be called: .*${why}`))
    })
  }

  it('has its action, addresses and bindings as far as they are there', () => {
    const action = (wsdl: string) => described(wsdl).soapAction
    expect([action(WSDL), action(WSDL.replace(OPERATION, ''))]).to.deep.equal([`${NS}/Probe`, undefined])
    const addresses = (wsdl: string) => described(wsdl).addresses.map(({ url }) => url)
    expect(addresses(WSDL)).to.deep.equal([ADDRESS])
    for (const without of [/<soap12:address[^>]*\/>/, / location="[^"]*"/, / binding="t:B"/]) {
      expect(addresses(WSDL.replace(without, '')), String(without)).to.deep.equal([])
    }
    const plain = (verb: string) =>
      described(
        WSDL.replace(
          '<w:service ',
          `<w:binding name="H" type="t:P"><http:binding ${HTTP} ${verb}/><w:operation name="Probe"/></w:binding><w:service `,
        ),
      ).bindings
    expect(plain('verb="get"')).to.deep.equal(['soap12', 'get'])
    expect(plain('verb="POST"')).to.deep.equal(['soap12', 'post'])
    for (const other of ['verb="PUT"', '']) expect(plain(other)).to.deep.equal(['soap12'])
  })

  it('names headers that are not in it, and leaves out those without a message', () => {
    const header = (attributes: string, message = '') =>
      described(
        WSDL.replace(
          '<soap12:body use="literal"/></w:input>',
          `<soap12:body use="literal"/><soap12:header ${attributes}/></w:input>`,
        ).replace('<w:message name="In">', `${message}<w:message name="In">`),
      )
    for (const attributes of ['', 'message="t:Gone" part="H"', 'message="t:In" part="gone"', 'message="t:In"']) {
      expect(header(attributes).headers, attributes).to.deep.equal([])
    }
    const gone = header('message="t:Head" part="H"', '<w:message name="Head"><w:part name="H" element="t:Token"/></w:message>')
    expect(gone.said).to.deep.equal(['Token is a header that is not in the description'])
  })

  it('names what it answers with, beyond what is expected', () => {
    const { operation, said } = described(wsdlWith(A, { result: element('ProbeResult', 'xs:int') + element('Cost', 'xs:int') }))
    expect(operation.result?.type.kind).to.equal('int')
    expect(said).to.deep.equal(['Probe also answers with Cost, which is not typed here'])
    const renamed = described(WSDL.replaceAll('ProbeResponse', 'ProbeReply'))
    expect(renamed.said).to.deep.equal(['Probe answers with ProbeReply, where this tool expects ProbeResponse'])
    expect(renamed.operation.result).to.equal(undefined)
  })

  it('names an operation that is called in another namespace', () => {
    const other = `<xs:schema targetNamespace="urn:o" elementFormDefault="qualified"><xs:element name="Probe"><xs:complexType>${A}</xs:complexType></xs:element></xs:schema>`
    const wsdl = WSDL.replace('</xs:schema>', `</xs:schema>${other}`).replace(
      'element="t:Probe"',
      'xmlns:o="urn:o" element="o:Probe"',
    )
    expect(described(wsdl).said).to.include('Probe is in the namespace urn:o, not in that of the description')
  })

  it('names other files by their address, or else by their namespace', () => {
    const said = (definitions: string, types: string) => described(wsdlWith(A, { definitions, types })).said
    expect(said('<w:import namespace="urn:x"/><w:import namespace="urn:x" location="messages.wsdl"/>', '')).to.deep.equal([
      'description parts from another file (urn:x) are not fetched',
      'description parts from another file (messages.wsdl) are not fetched',
    ])
    expect(said('', '<xs:import namespace="urn:x"/><xs:import/>')).to.deep.equal([
      'schema types from another file (urn:x) are not fetched',
      'schema types from another file (another namespace) are not fetched',
    ])
    expect(said('', `<xs:import namespace="${NS}"/>`), 'which is there').to.deep.equal([])
  })

  it('is put together from other files, each asked for once, as far as they are to be had', async () => {
    const files: Record<string, string> = {
      'http://x/types.xsd': `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:include schemaLocation="more.xsd"/></xs:schema>`,
    }
    const asked: string[] = []
    const parts = (wsdl: string, at: string | undefined) =>
      gatherParts(wsdl, at, async (url) => {
        asked.push(url)
        return files[url]
      })
    const wsdl = wsdlWith(A, { types: '<xs:include schemaLocation  = "types.xsd"/><xs:include schemaLocation="gone.xsd#a"/>' })
    expect([...(await parts(wsdl, 'http://x/service?wsdl')).keys()]).to.deep.equal(['http://x/types.xsd'])
    expect(asked).to.deep.equal(['http://x/types.xsd', 'http://x/gone.xsd', 'http://x/more.xsd'])
    expect([...(await parts(wsdl, undefined)).keys(), ...(await parts(WSDL, 'http://x/')).keys()]).to.deep.equal([])
    expect(asked).to.have.length(3)
  })

  for (const [what, params, types, note] of [
    [
      'a group',
      `${element('a', 'xs:int')}<xs:group ref="t:Gone"/>`,
      '',
      'Probe holds the group Gone, which is not in the description',
    ],
    [
      'a group without a name',
      `${element('a', 'xs:int')}<xs:group/>`,
      '',
      'Probe holds the group , which is not in the description',
    ],
    [
      'an element of its own',
      `${element('a', 'xs:int')}<xs:element ref="t:Gone"/>`,
      '',
      'Probe refers to the element Gone, which is not in the description',
    ],
    [
      'the base of a type',
      element('a', 't:T'),
      `<xs:complexType name="T"><xs:complexContent><xs:extension base="t:Gone">${A}</xs:extension></xs:complexContent></xs:complexType>`,
      'T extends Gone, which is not in the description',
    ],
    [
      'the base of a limit',
      element('a', 't:T'),
      '<xs:simpleType name="T"><xs:restriction base="t:Gone"/></xs:simpleType>',
      'T is made from Gone that is not in the description; it is read and sent as text',
    ],
    [
      'the words of a list',
      element('a', 't:T'),
      '<xs:simpleType name="T"><xs:list/></xs:simpleType>',
      'T is made from a type that is not in the description; it is read and sent as text',
    ],
    [
      'what a simple type is',
      element('a', 't:T'),
      '<xs:simpleType name="T"/>',
      'T is a simple type of an unknown kind; it is read and sent as text',
    ],
  ] as const) {
    it(`names ${what} that is not there`, () => {
      const { operation, unread } = probe(wsdlWith(sequence(params), { types }))
      expect(Object.keys(operation.params)).to.include('a')
      expect(unread).to.include(note)
    })
  }

  it('has the limits that are numbers, and the words of a type that restricts one', () => {
    const type = (facets: string, base = 'xs:int') =>
      probe(
        wsdlWith(sequence(element('a', 't:T')), {
          types: `<xs:simpleType name="T"><xs:restriction base="${base}">${facets}</xs:restriction></xs:simpleType>
            <xs:simpleType name="W"><xs:restriction base="xs:string"><xs:enumeration value="A"/><xs:enumeration/></xs:restriction></xs:simpleType>`,
        }),
      ).operation.params.a
    expect(type('<xs:minInclusive value=" -5 "/><xs:maxInclusive value="7"/>')?.rule).to.deep.equal({ min: -5, max: 7 })
    expect(type('<xs:minInclusive value="INF"/><xs:maxInclusive/>')?.rule).to.equal(undefined)
    expect(type('<xs:maxLength value="9"/>', 'xs:string')?.rule).to.deep.equal({ maxLength: 9 })
    expect(type('', 't:W')?.type).to.deep.equal({ kind: 'enumeration', name: 'T', values: ['A'] })
  })
})

describe('types that are compared', () => {
  for (const [from, to, strict, lenient] of [
    ['int', 'int', true, true],
    ['struct', 'struct', true, true],
    ['int', 'decimal', true, true],
    ['decimal', 'int', false, false],
    ['int', 'string', true, true],
    ['string', 'int', false, false],
    ['string', 'enumeration', false, true],
    ['enumeration', 'flags', true, true],
    ['flags', 'enumeration', false, true],
    ['struct', 'string', false, false],
    ['list', 'string', false, false],
  ] as const) {
    it(`can be read, ${from} as ${to}: ${strict}, and ${lenient} where any text is kept`, () => {
      expect([readsAs(from, to, false), readsAs(from, to, true)]).to.deep.equal([strict, lenient])
    })
  }

  it('are alike with half of their content', () => {
    const of = (...names: string[]) => struct('S', Object.fromEntries(names.map((name) => [name, optional(int)])))
    expect(alike(of('a', 'b'), of('a', 'c'))).to.equal(true)
    expect(alike(of('a', 'b', 'c'), of('a', 'd', 'e'))).to.equal(false)
    expect(alike(of('a'), of('a', 'b', 'c'))).to.equal(false)
    const words = (...values: string[]) => enumeration('W', values)
    expect(alike(words('a', 'b'), words('a', 'c'))).to.equal(true)
    expect(alike(words('a', 'b', 'c'), words('a'))).to.equal(false)
    expect(alike(words('a'), flags('F', ['a'])), 'other kinds').to.equal(false)
    expect([alike(int, int), alike(int, decimal), alike(string, int)]).to.deep.equal([true, false, false])
  })

  it('are named ten at most, each on its line', () => {
    const words = Array.from({ length: 12 }, (_, at) => `w${at}`)
    expect(briefly(words.slice(0, 10))).to.equal('w0, w1, w2, w3, w4, w5, w6, w7, w8, w9')
    expect(briefly(words)).to.equal('w0, w1, w2, w3, w4, w5, w6, w7, w8, w9 and 2 more')
    expect([briefly(['x'.repeat(60)]).length, briefly(['x'.repeat(61)])]).to.deep.equal([60, `${'x'.repeat(59)}…`])
  })
})
