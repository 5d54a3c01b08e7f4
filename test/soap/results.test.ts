/** The result of a reply: what is read of it, what is not asked for, and what it may not be. */
import { expect } from 'chai'
import type { Field } from '../../src/contract/index.js'
import {
  arrayOf,
  attribute,
  enumeration,
  flags,
  forPeople,
  id,
  int,
  nillable,
  optional,
  optionalAttribute,
  optionalNillable,
  recursive,
  reliedOn,
  repeated,
  required,
  type Struct,
  string,
  struct,
} from '../../src/contract/vocabulary.js'
import {
  BrokenReply,
  type Expected,
  NotSoap,
  OtherNamespace,
  plainReplyReader,
  type ReplyReader,
  soapReplyReader,
  type TextFilter,
} from '../../src/soap/wire/reply.js'
import { envelope, NS } from './service.js'

const response = (inner: string, namespace = NS) => envelope(`<OpResponse xmlns="${namespace}">${inner}</OpResponse>`)
const expected = (result: Field | undefined, more: Partial<Expected> = {}): Expected => ({ operation: 'Op', result, ...more })

function readBy(reader: ReplyReader, xml: string): unknown {
  reader.write(xml)
  reader.end()
  expect(reader.complete).to.equal(true)
  return reader.value
}
const read = (result: Field | undefined, inner: string, more: Partial<Expected> = {}, filter?: TextFilter) =>
  readBy(soapReplyReader(expected(result, more), filter), response(inner))
const result = (inner: string) => `<OpResult>${inner}</OpResult>`

describe('the result of a reply', () => {
  it('is null, an empty list or missed where it did not come', () => {
    for (const [field, inner, value] of [
      [optional(int), '', null],
      [optional(arrayOf('int', int)), '', []],
      [nillable(int), '', null],
      [nillable(arrayOf('int', int)), '', []],
      [optionalNillable(int), '<OpResult xsi:nil="true"/>', null],
      [undefined, '', null],
      [undefined, '<OpResult>7</OpResult>', '7'],
      [undefined, '<Other>7</Other>', { Other: '7' }],
      [optional(int), '<Other>7</Other>', null],
    ] as const) {
      expect(read(field, inner), inner).to.deep.equal(value)
    }
    expect(() => read(required(int), '')).to.throw(NotSoap, 'the reply lacks OpResult')
    expect(() => read(required(struct('S', {})), '<Other/>')).to.throw(NotSoap, 'the reply lacks OpResult')
  })

  it('is in the namespace that was sent, whatever slashes end it', () => {
    const reader = (namespace: string | undefined) => soapReplyReader(expected(optional(int), { namespace }))
    for (const [sent, found] of [
      ['urn:a', 'urn:a'],
      ['urn:a//', 'urn:a'],
      ['urn:a', 'urn:a//'],
      [undefined, 'urn:b'],
      [undefined, ''],
    ] as const) {
      expect(readBy(reader(sent), response(result('7'), found)), `${sent} ${found}`).to.equal(7)
    }
    for (const [found, where] of [
      ['urn:b', 'in the namespace "urn:b"'],
      ['urn:a/b', 'in the namespace "urn:a/b"'],
      ['', 'in no namespace'],
    ] as const) {
      expect(() => readBy(reader('urn:a'), response('', found))).to.throw(
        OtherNamespace,
        `the reply is ${where}, the profile has "urn:a"`,
      )
    }
  })

  it('is in the body of an envelope, and nowhere else', () => {
    const whole = response(result('7'))
    const said_ = (xml: string) => () => readBy(soapReplyReader(expected(optional(int))), xml)
    expect(said_(whole.replaceAll('soap:Body', 'soap:Other'))).to.throw(NotSoap, 'the reply has no SOAP body')
    expect(said_(whole.replace('<soap:Body>', '<soap:Body xmlns="">').replaceAll('soap:Body', 'Body'))).to.throw(
      NotSoap,
      'no SOAP body',
    )
    expect(said_(envelope(''))).to.throw(NotSoap, 'the reply has an empty SOAP body')
    expect(said_('<HTML/>')).to.throw(NotSoap, 'the reply is a web page')
    expect(said_('<a/>')).to.throw(NotSoap, 'the reply is not SOAP: its root is "a"')
    expect(said_(envelope('<Other/>'))).to.throw(NotSoap, 'the reply holds "Other" where OpResponse is expected')
    expect(said_(envelope('<OpResponse/><OpResponse/>'))).to.throw(NotSoap, 'more than one element')
    const headed = whole.replace(
      '<soap:Body>',
      '<soap:Header><OpResponse><OpResult>1</OpResult></OpResponse></soap:Header><soap:Body>',
    )
    expect(readBy(soapReplyReader(expected(optional(int))), headed)).to.equal(7)
  })

  it('has a fault in its place, and no value', () => {
    const reader = soapReplyReader(expected(optional(int), { namespace: 'urn:a' }))
    reader.write(envelope('<soap:Fault><faultcode>soap:Client</faultcode><faultstring>No.</faultstring></soap:Fault>'))
    expect(reader.take()).to.deep.equal([])
    reader.end()
    expect([reader.fault, reader.value]).to.deep.equal([{ code: 'Client', text: 'No.', bare: true }, undefined])
  })

  it('refuses what is not of its type, but for a word that is newer', () => {
    const word = enumeration('Word', ['a', 'b'])
    expect(
      read(optional(struct('S', { W: optional(word), F: optional(flags('Some', ['a'])) })), result('<W>c</W><F>x y</F>')),
    ).to.deep.equal({
      W: 'c',
      F: 'x y',
    })
    expect(() => read(optional(struct('S', { I: required(int) })), result('<I>x</I>'))).to.throw(
      BrokenReply,
      'OpResponse.OpResult.I cannot be read: ',
    )
    expect(() => read(optional(struct('S', { I: optional(int) })), result('<I><b/></I>'))).to.throw(
      BrokenReply,
      'holds an element "b" where a plain value is expected',
    )
  })

  it('passes each of its texts through the filter, with those for a person marked', () => {
    const filter: TextFilter = (text, forPerson) => (forPerson ? text.toUpperCase() : `<${text}>`)
    const type = struct('S', { A: optional(string), B: forPeople(optional(string)), W: optional(enumeration('Word', ['a'])) })
    expect(read(optional(type), result('<A>x</A><B>y</B><W>z</W><New n="q">w</New>'), {}, filter)).to.deep.equal({
      A: '<x>',
      B: 'Y',
      W: 'Z',
      New: { n: '<q>', '#text': '<w>' },
    })
  })

  it('may not have twice, or from elsewhere, what decisions depend on', () => {
    const type = struct('S', { Id: id(required(int)), Name: optional(string), Must: reliedOn(optional(int)) })
    for (const [inner, message] of [
      ['<Id>1</Id><Id>2</Id>', 'OpResponse.OpResult.Id comes twice'],
      ['<Id>1</Id><Must>1</Must><Must>2</Must>', 'OpResponse.OpResult.Must comes twice'],
      ['<Id xmlns="urn:x">1</Id>', 'OpResponse.OpResult.Id is in another namespace than the element around it'],
    ] as const) {
      expect(() => read(optional(type), result(inner)), inner).to.throw(BrokenReply, message)
    }
    expect(read(optional(type), result('<Id>1</Id><Name>a</Name><Name>b</Name>'))).to.deep.equal({ Id: 1, Name: 'b' })
    expect(read(optional(type), result('<Id>1</Id><Name xmlns="urn:x">a</Name>'))).to.deep.equal({ Id: 1, '{urn:x}Name': 'a' })
    const inside = struct('O', { In: optional(type) })
    expect(() => read(optional(inside), result('<In><Id>1</Id></In><In><Id>2</Id></In>'))).to.throw(BrokenReply, 'comes twice')
  })

  it('keeps what the contract does not know', () => {
    const type = struct('S', { A: optional(int), At: optionalAttribute(string), R: repeated(int) })
    for (const [xml, value] of [
      ['<OpResult At="x" Odd="y"><A>1</A></OpResult>', { At: 'x', Odd: 'y', A: 1, R: [] }],
      ['<OpResult><New/><New> </New></OpResult>', { New: ['', ' '], R: [] }],
      ['<OpResult><New> <b/> </New></OpResult>', { New: { b: '' }, R: [] }],
      ['<OpResult><New xsi:nil="true"/></OpResult>', { New: null, R: [] }],
      ['<OpResult><New xsi:nil="true"><b/></New></OpResult>', { New: { b: '' }, R: [] }],
      ['<OpResult><R>1</R><R xsi:nil="true"/><R>2</R></OpResult>', { R: [1, 2] }],
      ['<OpResult xmlns:p="urn:p" p:At="z"><A>1</A></OpResult>', { A: 1, R: [] }],
    ] as const) {
      expect(read(optional(type), xml), xml).to.deep.equal(value)
    }
  })
})

describe('the entries of a list', () => {
  const node: Struct = struct('Node', { Id: required(int), Next: optional(recursive('Node', () => node)) })
  const entry = struct('Entry', {
    At: attribute(int),
    Other: optionalAttribute(string),
    Id: id(required(int)),
    Name: optional(string),
    Must: reliedOn(optional(string)),
    Tags: optional(arrayOf('int', int)),
    Refs: repeated(int),
    Tree: optional(node),
  })
  const list = optional(arrayOf('Entry', entry))
  const full =
    '<Entry At="1" Other="o"><Id>7</Id><Name>n</Name><Must>m</Must><Tags><int>1</int></Tags><Refs>2</Refs><Tree><Id>3</Id><Next><Id>x</Id></Next></Tree><New>w</New></Entry>'

  it('have all their fields, or those that are asked for and those that must be there', () => {
    const without = full.replace('<Id>x</Id>', '<Id>4</Id>')
    expect(read(list, result(without))).to.deep.equal([
      { At: 1, Other: 'o', Id: 7, Name: 'n', Must: 'm', Tags: [1], Refs: [2], Tree: { Id: 3, Next: { Id: 4 } }, New: 'w' },
    ])
    for (const [fields, value] of [
      [[], { Id: 7, Must: 'm' }],
      [['Name'], { Id: 7, Name: 'n', Must: 'm' }],
      [['At', 'Tags'], { At: 1, Id: 7, Must: 'm', Tags: [1] }],
      [['Refs', 'Other', 'Gone'], { Other: 'o', Id: 7, Must: 'm', Refs: [2] }],
    ] as const) {
      expect(read(list, result(full), { fields }), fields.join()).to.deep.equal([value])
      const plain = plainReplyReader(expected(list, { fields }))
      expect(readBy(plain, `<ArrayOfEntry xmlns="${NS}">${full}</ArrayOfEntry>`)).to.deep.equal([value])
    }
    expect(read(list, result('<Entry><Id>7</Id></Entry>'), { fields: ['Tags', 'Refs'] })).to.deep.equal([
      { Id: 7, Tags: [], Refs: [] },
    ])
    expect(read(optional(arrayOf('int', int)), result('<int>1</int>'), { fields: ['x'] })).to.deep.equal([1])
    expect(read(optional(entry), result('<Id>7</Id><Name>n</Name>'), { fields: [] })).to.deep.include({ Name: 'n' })
  })

  it('are taken as they come, each once', () => {
    const ints = optional(arrayOf('int', int))
    for (const [reader, open, close] of [
      [soapReplyReader(expected(ints)), '<OpResult>', '</OpResult>'],
      [plainReplyReader(expected(ints)), `<ArrayOfInt xmlns="${NS}">`, '</ArrayOfInt>'],
    ] as const) {
      const [before = '', after = ''] = open === '<OpResult>' ? response('@').split('@') : ['', '']
      reader.write(before)
      expect(reader.take()).to.deep.equal([])
      reader.write(`${open}<int>1</int><int>2</int><int>`)
      expect(reader.take()).to.deep.equal([1, 2])
      expect(reader.take()).to.deep.equal([])
      reader.write('3</int><int xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/><int>4</int>')
      expect(reader.take()).to.deep.equal([3, 4])
      expect(reader.complete).to.equal(false)
      reader.write(`<int>5</int>${close}${after}`)
      reader.end()
      expect([reader.value, reader.complete, reader.fault]).to.deep.equal([[5], true, undefined])
    }
    const single = soapReplyReader(expected(optional(int)))
    single.write(response('@').split('@')[0] ?? '')
    single.write('<OpResult>1</OpResult>')
    expect(single.take()).to.deep.equal([])
    const none = plainReplyReader(expected(optional(int)))
    none.write('<int>1</int>')
    expect(none.take()).to.deep.equal([])
  })
})

describe('a bare result', () => {
  const plain = (field: Field | undefined, xml: string) => readBy(plainReplyReader(expected(field)), xml)

  it('is named after its type or its operation, where it is no struct', () => {
    expect(plain(required(int), '<int>7</int>')).to.equal(7)
    expect(plain(required(int), '<OpResult>7</OpResult>')).to.equal(7)
    expect(() => plain(required(int), '<long>7</long>')).to.throw(
      NotSoap,
      'the reply\'s root is "long" where "int" or "OpResult" is expected',
    )
    expect(plain(required(struct('S', { A: optional(int) })), '<Any><A>1</A></Any>')).to.deep.equal({ A: 1 })
    expect(plain(undefined, '<Any><A>1</A></Any>')).to.deep.equal({ A: '1' })
    for (const field of [undefined, required(int), required(struct('S', {}))]) {
      expect(() => plain(field, '<Html/>')).to.throw(NotSoap, 'the reply is a web page')
      expect(() => plain(field, '<Envelope/>')).to.throw(NotSoap, 'the reply is a SOAP envelope where a bare result is expected')
    }
  })
})
