/** The bytes of a description, and what its XML and its schema may look like. */
import { expect } from 'chai'
import { operationsOf, type Struct } from '../../../src/contract/index.js'
import { int, required, struct } from '../../../src/contract/vocabulary.js'
import { descriptionText, inDocumentNames, readDescription } from '../../../src/soap/description/index.js'
import { MAX_DESCRIPTION_BYTES } from '../../../src/soap/description/text.js'
import { childrenOf, qnameIn, readTree } from '../../../src/soap/description/tree.js'
import { NS, probe, wsdlWith } from './support.js'

const sequence = (elements: string): string => `<xs:sequence>${elements}</xs:sequence>`
const element = (name: string, type: string, more = ''): string => `<xs:element name="${name}" type="${type}" ${more}/>`

describe('the bytes of a description', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16()

  for (const [what, source, type, text] of [
    ['text with a mark', '\uFEFF<a/>', undefined, '<a/>'],
    ['text without one', '<a>\uFEFF</a>', undefined, '<a>\uFEFF</a>'],
    ['UTF-8', Buffer.from('<å/>'), undefined, '<å/>'],
    ['UTF-8 with its mark, whatever is said', Buffer.from('\uFEFF<å/>'), 'text/xml; charset=iso-8859-1', '<å/>'],
    ['UTF-16 with its mark, whatever is said', Buffer.from('\uFEFF<å/>', 'utf16le'), 'text/xml; charset=utf-8', '<å/>'],
    ['UTF-16 the other way round, with its mark', swapped('\uFEFF<å/>'), 'text/xml; charset=utf-8', '<å/>'],
    ['bytes that begin like the mark of UTF-8: 1', latin('ï»x'), 'a; charset=iso-8859-1', 'ï»x'],
    ['bytes that begin like the mark of UTF-8: 2', latin('ïx¿'), 'a; charset=iso-8859-1', 'ïx¿'],
    ['bytes that begin like the mark of UTF-8: 3', latin('x»¿'), 'a; charset=iso-8859-1', 'x»¿'],
    ['bytes that begin like a mark of UTF-16: 1', latin('ÿx'), 'a; charset=iso-8859-1', 'ÿx'],
    ['bytes that begin like a mark of UTF-16: 2', latin('xþ'), 'a; charset=iso-8859-1', 'xþ'],
    ['bytes that begin like a mark of UTF-16: 3', latin('þx'), 'a; charset=iso-8859-1', 'þx'],
    ['bytes that begin like a mark of UTF-16: 4', latin('xÿ'), 'a; charset=iso-8859-1', 'xÿ'],
    ['a charset in quotes', latin('å'), 'a; CharSet = "iso-8859-1"; b=c', 'å'],
    ['a charset that comes first', latin('å'), 'charset=iso-8859-1', 'å'],
    [
      'a charset that is declared',
      latin('<?xml version="1.0" encoding="iso-8859-1"?>å'),
      'text/xml',
      '<?xml version="1.0" encoding="iso-8859-1"?>å',
    ],
    [
      'a charset that is declared otherwise',
      latin("<?xml encoding =  'iso-8859-1' ?>å"),
      undefined,
      "<?xml encoding =  'iso-8859-1' ?>å",
    ],
    [
      'a charset that is said and another one that is declared',
      latin('<?xml encoding="utf-8"?>å'),
      'a; charset=iso-8859-1',
      '<?xml encoding="utf-8"?>å',
    ],
  ] as const) {
    it(`are ${what}`, () => {
      expect(descriptionText(source, type)).to.equal(text)
    })
  }

  it('are not in the charset of a declaration that is none', () => {
    for (const text of [' <?xml encoding="iso-8859-1"?>å', '<a encoding="iso-8859-1"/>å', '<?xml?><a encoding="iso-8859-1"/>å']) {
      expect(() => descriptionText(latin(text)), text).to.throw('ends inside a character')
    }
    expect(() => descriptionText(latin('<?xml encoding="odd"?>'))).to.throw('is in the charset "odd", which is not known here')
    expect(() => descriptionText(latin('å<a/>'))).to.throw('holds bytes that are not UTF-8')
  })

  it('are 8 MiB at most', () => {
    expect(descriptionText(' '.repeat(MAX_DESCRIPTION_BYTES))).to.have.lengthOf(MAX_DESCRIPTION_BYTES)
    expect(() => descriptionText(' '.repeat(MAX_DESCRIPTION_BYTES + 1))).to.throw('is larger than 8 MB, which is the limit')
  })
})

describe('the XML of a description', () => {
  const said = (text: string) => {
    try {
      readTree(text)
      return 'read'
    } catch (error) {
      return (error as Error).message
    }
  }

  it('is broken at a line, in words without the place of the parser', () => {
    for (const text of ['<a>\n<b></a>', '<a>&nbsp;</a>', `${'\n'.repeat(11)}<a><b x=1/></a>`, '<a b="1" b="2"/>']) {
      expect(said(text)).to.match(/^is not well-formed XML: [^\d:.].*[^.] \(line \d+\)$/)
    }
    expect(said('')).to.match(/^is (empty|not well-formed XML)/)
  })

  it('is no web page, and has no DTD', () => {
    for (const text of [
      '<!DOCTYPE html><a/>',
      '<!DOCTYPE  \n HTML SYSTEM "x"><a/>',
      '<html/>',
      '<HTML/>',
      '<x:Html xmlns:x="y"/>',
    ]) {
      expect(said(text), text).to.equal('is a web page')
    }
    for (const text of ['<!DOCTYPE htmlx><a/>', '<!DOCTYPE a SYSTEM " html"><a/>', '<!DOCTYPE xhtml><a/>']) {
      expect(said(text), text).to.equal('has a DTD, which is refused')
    }
    expect(said('<a><html/></a>')).to.equal('read')
  })

  it('nests 100 elements and has 100,000 at most', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
    expect([said(nested(100)), said(nested(101))]).to.deep.equal(['read', 'nests deeper than 100 elements, which is the limit'])
    const wide = (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`
    expect(said(wide(100_000))).to.equal('read')
    expect(said(wide(100_001))).to.equal('has more than 100000 elements, which is the limit')
  })

  it('has names by prefix, and text in its documentation alone', () => {
    const root = readTree(
      '<p:a xmlns:p="urn:p" xmlns="urn:d" x="1" p:y="2"><documentation>one<![CDATA[ <two>]]></documentation><b xmlns="" xmlns:q="urn:q">text</b></p:a>',
    )
    expect(root).to.include({ uri: 'urn:p', local: 'a' })
    expect([root.attributes.get('x'), root.attributes.has('y')]).to.deep.equal(['1', false])
    const [documentation, b] = root.children
    expect(documentation).to.include({ uri: 'urn:d', text: 'one <two>' })
    expect(b).to.include({ uri: '', text: '' })
    for (const [node, value, name] of [
      [root, 'p:Item', { uri: 'urn:p', local: 'Item' }],
      [root, ' Item ', { uri: 'urn:d', local: 'Item' }],
      [root, 'q:Item', undefined],
      [root, undefined, undefined],
      [root, 'xs', { uri: 'urn:d', local: 'xs' }],
      [b, 'q:Item', { uri: 'urn:q', local: 'Item' }],
      [b, 'p:Item', { uri: 'urn:p', local: 'Item' }],
      [b, 'Item', { uri: '', local: 'Item' }],
    ] as const) {
      expect(qnameIn(node ?? root, value), String(value)).to.deep.equal(name)
    }
    expect(qnameIn(readTree('<a/>'), 'Item')).to.deep.equal({ uri: '', local: 'Item' })
    expect(childrenOf(root, 'urn:d', 'documentation')).to.deep.equal([documentation])
    expect(childrenOf(root, '', 'documentation')).to.deep.equal([])
    expect(childrenOf(root, 'urn:d', 'b')).to.deep.equal([])
    const long = readTree(`<documentation>${'x'.repeat(900)}<!-- -->${'y'.repeat(200)}</documentation>`)
    expect(long.text).to.equal('x'.repeat(900) + 'y'.repeat(100))
  })
})

describe('the schema of a description', () => {
  const read = (params: string, types = '') => probe(wsdlWith(sequence(element('z', 'xs:int') + params), { types }))

  it('may hold a text of a type that is not there, or of no type', () => {
    for (const inner of [
      '',
      '<xs:extension/>',
      '<xs:extension base="t:Gone"/>',
      '<xs:restriction base="q:int"/>',
      '<xs:other base="xs:int"/>',
    ]) {
      const { operation, unread } = read(
        element('a', 't:T'),
        `<xs:complexType name="T"><xs:simpleContent>${inner}</xs:simpleContent></xs:complexType>`,
      )
      expect(operation.params, inner).not.to.have.property('a')
      expect(unread, inner).to.deep.equal(['T is a text of an unknown type'])
    }
    const known = read(
      element('a', 't:T'),
      '<xs:complexType name="T"><xs:simpleContent><xs:restriction base="xs:int"/></xs:simpleContent></xs:complexType>',
    )
    expect(known.operation.params.a?.type.kind).to.equal('int')
    expect(known.unread).to.deep.equal(['T has attributes beside its text, which are not sent'])
  })

  it('may extend a type that has no name', () => {
    const { unread } = read(
      element('a', 't:T'),
      `<xs:complexType name="T"><xs:complexContent><xs:extension>${sequence(element('x', 'xs:int'))}</xs:extension></xs:complexContent></xs:complexType>`,
    )
    expect(unread).to.deep.equal(['T extends a type, which is not in the description'])
  })

  it('may restrict an enumeration with words of its own', () => {
    const words = (...values: string[]) => values.map((value) => `<xs:enumeration value="${value}"/>`).join('')
    const { operation } = read(
      element('a', 't:N') + element('b', 't:M') + element('c', 't:I'),
      `<xs:simpleType name="W"><xs:restriction base="xs:string">${words('A', 'B')}</xs:restriction></xs:simpleType>
       <xs:simpleType name="N"><xs:restriction base="t:W">${words('A')}</xs:restriction></xs:simpleType>
       <xs:simpleType name="M"><xs:restriction base="t:W"/></xs:simpleType>
       <xs:simpleType name="I"><xs:restriction base="xs:int">${words('1')}</xs:restriction></xs:simpleType>`,
    )
    expect(operation.params.a?.type).to.deep.equal({ kind: 'enumeration', name: 'W', values: ['A', 'B'] })
    expect(operation.params.b?.type).to.deep.equal({ kind: 'enumeration', name: 'M', values: ['A', 'B'] })
    expect(operation.params.c?.type.kind).to.equal('int')
  })

  it('has limits that are whole numbers of 15 digits at most', () => {
    const limit = (value: string) =>
      read(
        element('a', 't:T'),
        `<xs:simpleType name="T"><xs:restriction base="xs:int"><xs:maxInclusive value="${value}"/></xs:restriction></xs:simpleType>`,
      ).operation.params.a?.rule
    for (const [value, max] of [
      ['12', 12],
      ['-3', -3],
      ['123456789012345', 123456789012345],
      ['1234567890123456', undefined],
      ['x1', undefined],
      ['1x', undefined],
      ['1.5', undefined],
      ['--1', undefined],
      ['', undefined],
    ] as const) {
      expect(limit(value), value).to.deep.equal(max === undefined ? undefined : { max })
    }
  })

  it('is read in its own namespace alone, and through twenty groups', () => {
    const odd = read(
      element('a', 't:T'),
      `<xs:complexType name="T"><xs:complexContent><o:extension xmlns:o="urn:o" base="t:Gone"/></xs:complexContent>${sequence(element('x', 'xs:int'))}</xs:complexType>`,
    )
    expect(odd.unread).to.deep.equal([])
    const chain = (count: number) =>
      Array.from({ length: count }, (_, at) => {
        const inner = at === count - 1 ? element('deep', 'xs:int') : `<xs:group ref="t:G${at + 1}"/>`
        return `<xs:group name="G${at}">${sequence(inner)}</xs:group>`
      }).join('')
    expect(Object.keys(read('<xs:group ref="t:G0"/>', chain(20)).operation.params)).to.deep.equal(['z', 'deep'])
    const { operation, unread } = read('<xs:group ref="t:G0"/>', chain(21))
    expect(Object.keys(operation.params)).to.deep.equal(['z'])
    expect(unread).to.deep.equal(['Probe holds the group G20, which is not in the description'])
  })

  it('is in one file: an include of its own namespace is another one', () => {
    for (const [inner, note] of [
      [`<xs:include namespace="${NS}" schemaLocation="b.xsd"/>`, ['schema types from another file (b.xsd) are not fetched']],
      ['<xs:redefine schemaLocation="c.xsd"/>', ['schema types from another file (c.xsd) are not fetched']],
      [`<xs:import namespace="${NS}" schemaLocation="b.xsd"/>`, []],
      ['<o:import xmlns:o="urn:o"/>', []],
      ['<xs:annotation/>', []],
    ] as const) {
      expect(read('', inner).unread, inner).to.deep.equal(note)
    }
  })

  it('names 500 things that cannot be read, each once', () => {
    const anything = Array.from({ length: 501 }, (_, at) => element(`a${at}`, 'xs:anyType')).join('')
    const { unread } = read(anything)
    expect(unread).to.have.lengthOf(500)
    expect(unread.at(-1)).to.match(/^Probe\.a499 /)
    const twice = read(element('a', 't:T') + element('b', 't:T'), '<xs:simpleType name="T"><xs:union/></xs:simpleType>')
    expect(twice.unread).to.have.lengthOf(1)
  })

  it('has the parts of a request that cannot be found by no name', () => {
    const wsdl = wsdlWith(sequence(''), {}).replace('element="t:ProbeResponse"', 'element="t:Gone"')
    expect(() => readDescription(wsdl)).to.throw('has no operation that could be called')
    const { operation } = probe(
      wsdlWith(sequence(element('a', 'xs:int')), {
        result: element('ProbeResult', 't:Q'),
        types: `<xs:complexType name="Q">${sequence(element('RequestId', 'xs:int') + element('ItemId', 'xs:int'))}</xs:complexType>`,
      }),
    )
    expect(operation).to.include({ queued: true, user: true, summary: 'Tries something.', kind: 'single write' })
    for (const inner of [element('RequestId', 'xs:int'), element('ItemId', 'xs:int'), '']) {
      const other = probe(
        wsdlWith(sequence(element('a', 'xs:int')), {
          result: element('ProbeResult', 't:Q'),
          types: `<xs:complexType name="Q">${sequence(inner + element('x', 'xs:int'))}</xs:complexType>`,
        }),
      )
      expect(other.operation.queued, inner).to.equal(false)
    }
  })

  it('of the public service is of operations without a user', () => {
    const { operations } = readDescription(wsdlWith(sequence('')).replace('name="RestrictedService"', 'name="PublicService"'))
    expect(operations.get('Probe')?.operation).to.include({ user: false, service: 'PublicService' })
  })
})

describe('a description in the names of the document', () => {
  const described = (name: string) => {
    const operation = { ...operationsOf('RestrictedService').GetItem, name, kind: 'single write', queued: true } as never
    return {
      service: 'RestrictedService',
      ours: true,
      serviceName: undefined,
      namespace: NS,
      addresses: [],
      operations: new Map([[name, { operation, headers: ['Zed'], bindings: ['soap12'] }]]),
      headers: new Map<string, Struct>([['Head', struct('ZedType', { ZedField: required(int) })]]),
      unread: [],
    } as Parameters<typeof inDocumentNames>[0]
  }

  it('is as it was where the service has no names of its own', () => {
    const description = described('GetZed')
    expect(inDocumentNames(description, [])).to.equal(description)
  })

  it('has the operations of the document, with what is known of them', () => {
    const names = [['Item', 'Zed']] as const
    const { operations, headers, namespace } = inDocumentNames(described('GetZed'), names)
    expect([...operations.keys()]).to.deep.equal(['GetItem'])
    expect(operations.get('GetItem')).to.deep.include({ headers: ['Zed'], bindings: ['soap12'] })
    expect(operations.get('GetItem')?.operation).to.include({ name: 'GetItem', kind: 'read', queued: false })
    expect(Object.keys(headers.get('Head')?.fields ?? {})).to.deep.equal(['ItemField'])
    expect(namespace).to.equal(NS)
    const unknown = inDocumentNames(described('TryZed'), names).operations.get('TryItem')
    expect(unknown?.operation).to.include({ name: 'TryItem', kind: 'single write', queued: true })
  })
})
