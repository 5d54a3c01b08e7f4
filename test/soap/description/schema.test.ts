/** Schemas beyond the contract's own: what can be read is read, and the rest is named. */
import { expect } from 'chai'
import { checkInput, type List, type Struct } from '../../../src/contract/index.js'
import { readDescription } from '../../../src/soap/description/index.js'
import { NS, probe, wsdlWith } from './support.js'

const sequence = (elements: string): string => `<xs:sequence>${elements}</xs:sequence>`
const element = (name: string, type: string, more = ''): string => `<xs:element name="${name}" type="${type}" ${more}/>`

describe('reading a schema', () => {
  it('gives every type of XML Schema its limits, and says what this tool does otherwise', () => {
    const text = 'is read and sent as text'
    const rows: [names: string, kind: string, rule?: { min: number; max: number } | undefined, note?: string][] = [
      ['string normalizedString token anyURI language Name NCName NMTOKEN ID IDREF', 'string'],
      ['int', 'int'],
      ['short', 'int', { min: -32_768, max: 32_767 }],
      ['byte', 'int', { min: -128, max: 127 }],
      ['unsignedByte', 'int', { min: 0, max: 255 }],
      ['unsignedShort', 'int', { min: 0, max: 65_535 }],
      ['decimal', 'decimal'],
      ['unsignedInt long unsignedLong integer positiveInteger nonNegativeInteger nonPositiveInteger negativeInteger', 'long'],
      ['boolean', 'boolean'],
      ['dateTime', 'dateTime'],
      ['base64Binary', 'base64Binary'],
      ['float double date time duration gYear gYearMonth gMonth gMonthDay gDay hexBinary', 'string', undefined, text],
      ['QName anySimpleType', 'string', undefined, text],
    ]
    for (const [names, kind, rule, note] of rows) {
      for (const name of names.split(' ')) {
        const { operation, unread } = probe(wsdlWith(sequence(element('a', `xs:${name}`))))
        expect(operation.params.a?.type.kind, name).to.equal(kind)
        expect(operation.params.a?.rule, name).to.deep.equal(rule)
        expect(unread, name).to.deep.equal(note === undefined ? [] : [`Probe.a ${name} ${note}`])
      }
    }
  })

  it('reads occurrence, nil, repetition and the number of times', () => {
    const { operation } = probe(
      wsdlWith(
        sequence(
          element('one', 'xs:int') +
            element('maybe', 'xs:int', 'minOccurs="0"') +
            element('nil', 'xs:int', 'nillable="true"') +
            element('many', 'xs:int', 'minOccurs="0" maxOccurs="unbounded"') +
            element('few', 'xs:int', 'minOccurs="2" maxOccurs="3"') +
            element('never', 'xs:int', 'minOccurs="0" maxOccurs="0"'),
        ),
      ),
    )
    const occurrence = Object.entries(operation.params).map(([name, { min, nillable, repeated }]) => [
      name,
      min,
      nillable,
      repeated,
    ])
    expect(occurrence).to.deep.equal([
      ['one', 1, false, false],
      ['maybe', 0, false, false],
      ['nil', 1, true, false],
      ['many', 0, false, true],
      ['few', 1, false, true],
    ])
    expect(checkInput(operation, { one: 1, few: [1, 2, 3, 4] }).map(({ field, message }) => `${field} ${message}`)).to.deep.equal(
      ['few must be at most 3 entries'],
    )
  })

  it('reads a type once, however many fields are of it', () => {
    // Each type has two fields of the next one: read anew for each field, the last of them would be read 2^40 times.
    const types = Array.from({ length: 40 }, (_, at) => {
      const next = at === 39 ? 'xs:int' : `t:T${at + 1}`
      return `<xs:complexType name="T${at}">${sequence(element('a', next) + element('b', next))}</xs:complexType>`
    })
    const { operation, unread } = probe(
      wsdlWith(sequence(element('x', 't:T0') + element('y', 't:T0')), { types: types.join('') }),
    )
    expect(unread).to.deep.equal([])
    expect(operation.params.x?.type).to.equal(operation.params.y?.type)
  })

  it('reads types written inside a field, derived types, groups and references', () => {
    const { operation, unread } = probe(
      wsdlWith(
        sequence(
          `<xs:element name="inline"><xs:complexType>${sequence(element('X', 'xs:int'))}<xs:attribute name="Id" type="xs:int" use="required"/></xs:complexType></xs:element>` +
            element('derived', 't:Derived') +
            '<xs:group ref="t:Both"/><xs:element ref="t:Shared" minOccurs="0"/>' +
            `<xs:element name="size"><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value="S"/><xs:enumeration value="L"/></xs:restriction></xs:simpleType></xs:element>`,
        ),
        {
          types: `<xs:complexType name="Base">${sequence(element('First', 'xs:string'))}</xs:complexType>
            <xs:complexType name="Derived"><xs:complexContent><xs:extension base="t:Base">${sequence(element('Second', 'xs:string'))}</xs:extension></xs:complexContent></xs:complexType>
            <xs:group name="Both">${sequence(element('g1', 'xs:int') + element('g2', 'xs:int'))}</xs:group>
            <xs:element name="Shared" type="xs:boolean" nillable="true"/>`,
        },
      ),
    )
    expect(unread).to.deep.equal([])
    expect(Object.keys(operation.params)).to.deep.equal(['inline', 'derived', 'g1', 'g2', 'Shared', 'size'])
    const fields = (name: string) => Object.keys((operation.params[name]!.type as Struct).fields)
    expect(fields('inline')).to.deep.equal(['Id', 'X'])
    expect(fields('derived')).to.deep.equal(['First', 'Second'])
    expect(operation.params.Shared).to.include({ min: 0, nillable: true })
    expect(operation.params.size?.type).to.deep.equal({ kind: 'enumeration', name: 'size', values: ['S', 'L'] })
  })

  it('reads wrapped lists, lists of words, and types that hold themselves', () => {
    const { operation, unread } = probe(
      wsdlWith(sequence(element('ids', 't:Ids') + element('codes', 't:Codes') + element('node', 't:Node')), {
        types: `<xs:complexType name="Ids">${sequence(element('id', 'xs:int', 'minOccurs="0" maxOccurs="unbounded" nillable="true"'))}</xs:complexType>
          <xs:simpleType name="Codes"><xs:list itemType="t:Code"/></xs:simpleType>
          <xs:simpleType name="Code"><xs:restriction base="xs:string"><xs:enumeration value="A"/><xs:enumeration value="B"/></xs:restriction></xs:simpleType>
          <xs:complexType name="Node">${sequence(element('Name', 'xs:string') + element('Children', 't:Nodes', 'minOccurs="0"'))}</xs:complexType>
          <xs:complexType name="Nodes">${sequence(element('Node', 't:Node', 'minOccurs="0" maxOccurs="unbounded"'))}</xs:complexType>`,
      }),
    )
    expect(unread).to.deep.equal([])
    expect(operation.params.ids?.type).to.deep.equal({
      kind: 'list',
      name: 'Ids',
      itemName: 'id',
      item: { kind: 'int' },
      nillableItems: true,
    })
    expect(operation.params.codes?.type).to.deep.equal({ kind: 'flags', name: 'Codes', values: ['A', 'B'] })
    const tree = { Name: 'a', Children: [{ Name: 'b', Children: [{ Name: 'c' }] }] }
    const faults = (node: unknown) => checkInput(operation, { ids: [1], codes: 'A B', node }).map(({ field }) => field)
    expect(faults(tree)).to.deep.equal([])
    expect(faults({ Name: 'a', Children: [{ Name: 'b', Children: [{ Nam: 'c' }] }] })).to.deep.equal([
      'node.Children[0].Children[0].Nam',
      'node.Children[0].Children[0].Name',
    ])
    const node = operation.params.node!.type as Struct
    expect(((node.fields.Children!.type as List).item as { kind: string }).kind).to.equal('recursive')
  })

  const cases: [string, string, string | undefined, RegExp][] = [
    [
      'a choice',
      `<xs:choice>${element('a', 'xs:int')}${element('b', 'xs:int')}</xs:choice>`,
      undefined,
      /^Probe has elements of which only one may be sent \(xsd:choice\)/,
    ],
    [
      'any element',
      sequence(`${element('a', 'xs:int')}<xs:any minOccurs="0"/>`),
      undefined,
      /^Probe may hold further elements of any kind/,
    ],
    [
      'a union',
      sequence(element('a', 't:U')),
      '<xs:simpleType name="U"><xs:union memberTypes="xs:int xs:string"/></xs:simpleType>',
      /^U is a union of types/,
    ],
    ['a group of attributes', `${sequence(element('a', 'xs:int'))}<xs:attributeGroup ref="t:G"/>`, undefined, /attributeGroup/],
    [
      'a pattern',
      sequence(element('a', 't:P')),
      '<xs:simpleType name="P"><xs:restriction base="xs:string"><xs:pattern value="\\d+"/></xs:restriction></xs:simpleType>',
      /^P has a limit that is not checked before sending \(pattern\)/,
    ],
    [
      'a list of numbers',
      sequence(element('a', 't:L')),
      '<xs:simpleType name="L"><xs:list itemType="xs:int"/></xs:simpleType>',
      /^L is a list of int in one text/,
    ],
    [
      'a type from elsewhere',
      sequence(element('a', 'xs:int') + element('b', 't:Gone')),
      undefined,
      /^Probe\.b is of the type Gone, which is not in the description/,
    ],
    [
      'anyType',
      sequence(element('a', 'xs:int') + element('b', 'xs:anyType')),
      undefined,
      /^Probe\.b is of the type anyType, which may hold anything/,
    ],
    [
      'another file of types',
      sequence(element('a', 'xs:int')),
      '<xs:include schemaLocation="more.xsd"/>',
      /^schema types from another file \(more\.xsd\) are not fetched/,
    ],
    [
      'mixed text',
      sequence(element('a', 't:M')),
      `<xs:complexType name="M" mixed="true">${sequence(element('x', 'xs:int') + element('y', 'xs:int'))}</xs:complexType>`,
      /^M mixes text and elements/,
    ],
    [
      'a text with attributes',
      sequence(element('a', 't:S')),
      '<xs:complexType name="S"><xs:simpleContent><xs:extension base="xs:int"><xs:attribute name="u" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType>',
      /^S has attributes beside its text/,
    ],
    [
      'a circle of bases',
      sequence(element('a', 't:One')),
      '<xs:complexType name="One"><xs:complexContent><xs:extension base="t:Two"/></xs:complexContent></xs:complexType><xs:complexType name="Two"><xs:complexContent><xs:extension base="t:One"/></xs:complexContent></xs:complexType>',
      /^One extends One/,
    ],
    [
      'a circle of groups',
      sequence(`${element('a', 'xs:int')}<xs:group ref="t:G"/>`),
      '<xs:group name="G"><xs:sequence><xs:group ref="t:G"/></xs:sequence></xs:group>',
      /^Probe holds the group G/,
    ],
    [
      'a circle of restrictions',
      sequence(element('a', 't:A')),
      '<xs:simpleType name="A"><xs:restriction base="t:B"/></xs:simpleType><xs:simpleType name="B"><xs:restriction base="t:A"/></xs:simpleType>',
      /restricts itself/,
    ],
    [
      'a name that cannot be sent',
      sequence(`${element('a', 'xs:int')}${element('b c', 'xs:int')}`),
      undefined,
      /^Probe has an element without a name that can be sent/,
    ],
  ]
  for (const [what, params, types, note] of cases) {
    it(`names ${what}, and reads the rest`, () => {
      const { operation, unread } = probe(wsdlWith(params, { types }))
      expect(Object.keys(operation.params)).to.include('a')
      expect(
        unread.filter((text) => note.test(text)),
        JSON.stringify(unread),
      ).to.have.length(1)
    })
  }

  it('leaves the elements of a choice optional', () => {
    const { operation } = probe(wsdlWith(`<xs:choice>${element('a', 'xs:int')}${element('b', 'xs:int')}</xs:choice>`))
    expect(Object.values(operation.params).map(({ min }) => min)).to.deep.equal([0, 0])
  })

  it('names elements that are in no namespace', () => {
    const { unread } = probe(wsdlWith(sequence(element('a', 'xs:int')), { schema: '' }))
    expect(unread).to.deep.equal(['Probe.a is in no namespace, but would be sent in that of the service'])
  })

  it('names elements that are in the namespace of another schema', () => {
    const other = '<xs:schema targetNamespace="urn:other"><xs:element name="Shared" type="xs:int"/></xs:schema>'
    const params = `${element('a', 'xs:int')}<xs:element xmlns:o="urn:other" ref="o:Shared"/><xs:element ref="t:Own"/>`
    const wsdl = wsdlWith(sequence(params), { types: element('Own', 'xs:int') })
    const { operation, unread } = probe(wsdl.replace('</xs:schema>', `</xs:schema>${other}`))
    expect(Object.keys(operation.params)).to.deep.equal(['a', 'Shared', 'Own'])
    expect(unread).to.deep.equal(['Probe.Shared is in the namespace urn:other, but would be sent in that of the service'])
  })

  it('tells the service by its name, else by its address, else by what it is taken for, else by its operations', () => {
    const named = (name: string, address: string, operation = 'Probe') =>
      wsdlWith(sequence(element('a', 'xs:int')))
        .replace('name="RestrictedService"', `name="${name}"`)
        .replace(/location="[^"]*"/, `location="http://127.0.0.1/${address}"`)
        .replaceAll('Probe', operation)
    for (const [name, address, asked, operation, service] of [
      ['publicservice', 'x', undefined, 'Probe', 'PublicService'],
      ['PublicService', 'RestrictedService.asmx', 'RestrictedService', 'Probe', 'PublicService'],
      ['Other', 'v3/publicservice.asmx', undefined, 'Probe', 'PublicService'],
      ['Other', 'v3/PublicService.asmx', 'RestrictedService', 'Probe', 'PublicService'],
      ['Other', 'x', 'PublicService', 'Probe', 'PublicService'],
      ['Other', 'x', undefined, 'GetItem', 'RestrictedService'],
      ['Other', 'x', undefined, 'GetCategories', 'PublicService'],
      ['Other', 'x', undefined, 'Probe', 'RestrictedService'],
    ] as const) {
      const read = readDescription(named(name, address, operation), { service: asked })
      expect(read.service, [name, address, asked, operation].join()).to.equal(service)
    }
  })

  it('takes no description for a web page because its documentation holds some', () => {
    const definitions = '<w:documentation><html xmlns="http://www.w3.org/1999/xhtml"><p>Read this.</p></html></w:documentation>'
    expect(Object.keys(probe(wsdlWith(sequence(element('a', 'xs:int')), { definitions })).operation.params)).to.deep.equal(['a'])
  })

  it('takes no field for a part of the object it is kept in', () => {
    const { operation } = probe(wsdlWith(sequence(element('__proto__', 'xs:int') + element('constructor', 'xs:int'))))
    expect(Object.keys(operation.params)).to.deep.equal(['__proto__', 'constructor'])
    expect(checkInput(operation, JSON.parse('{"__proto__": 1, "constructor": 2}'))).to.deep.equal([])
  })

  it('knows reads by their name, users and queued work by what the operation takes and gives', () => {
    const wsdl = wsdlWith(sequence(element('itemId', 'xs:int')), {
      result: element('ProbeResult', 't:Queued'),
      types: `<xs:complexType name="Queued">${sequence(element('RequestId', 'xs:int') + element('ItemId', 'xs:int'))}</xs:complexType>`,
    })
    expect(probe(wsdl).operation).to.include({ kind: 'single write', queued: true, user: true, summary: 'Tries something.' })
    for (const name of ['GetThing', 'ValidateThing', 'FetchThing']) {
      const { operations } = readDescription(wsdl.replaceAll('Probe', name))
      expect(operations.get(name)?.operation.kind).to.equal('read')
    }
    expect(readDescription(wsdl.replaceAll('Probe', 'Getaway')).operations.get('Getaway')?.operation.kind).to.equal(
      'single write',
    )
  })

  it('leaves out operations that are not called with one element, and says so', () => {
    const rpc = wsdlWith(sequence(element('a', 'xs:int'))).replace('style="document"', 'style="rpc"')
    expect(() => readDescription(rpc)).to.throw('has no operation that could be called')
    expect(readDescription(wsdlWith('')).namespace).to.equal(NS)
  })
})
