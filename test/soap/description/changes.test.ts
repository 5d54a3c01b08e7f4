/** Fate of fields and operations that a description no longer has: found under another name or in another place, or gone. */
import { expect } from 'chai'
import type { Field, Fields, Operation, Struct } from '../../../src/contract/index.js'
import {
  attribute,
  int,
  nillable,
  optional,
  recursive,
  repeated,
  required,
  string,
  struct,
} from '../../../src/contract/vocabulary.js'
import { compareService, type Known, knownDescription } from '../../../src/soap/description/compare/compare.js'
import { FieldComparer } from '../../../src/soap/description/compare/fields.js'
import { likelyName, locate } from '../../../src/soap/description/compare/located.js'
import type { Description } from '../../../src/soap/description/read.js'

const ints = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, required(int)]))
const inside = (fields: Fields): Field => optional(struct('Inner', fields))
const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)

/** Where each missing field was found: `renamed Title2`, `nested request.Title by request`. */
const found = (known: Fields, there: Fields) =>
  Object.fromEntries([...locate(known, there)].map(([name, { kind, path, by }]) => [name, `${kind} ${path} by ${by.join()}`]))

describe('a field that is no longer there', () => {
  it('has another name where type, repetition and form are the same', () => {
    const title = { Title: required(string) }
    expect(found(title, { ThingTitle: optional(string) })).to.deep.equal({ Title: 'renamed ThingTitle by ThingTitle' })
    for (const other of [repeated(string), attribute(string), required(int)]) {
      expect(found(title, { ThingTitle: other })).to.deep.equal({})
    }
    expect(found({ Title: attribute(string) }, { ThingTitle: attribute(string) })).to.have.all.keys('Title')
    expect(found({ Title: repeated(string) }, { ThingTitle: repeated(string) })).to.have.all.keys('Title')
  })

  it('has the name between the same neighbours where no name is like its own', () => {
    const known = ints('Aa', 'Old', 'Bb', 'Cc')
    expect(found(known, ints('Aa', 'Zyx', 'Bb', 'Cc'))).to.deep.equal({ Old: 'renamed Zyx by Zyx' })
    expect(found(known, ints('Aa', 'Cc', 'Zyx', 'Bb')), 'another one before it').to.deep.equal({})
    expect(found(known, ints('Aa', 'Zyx', 'Cc', 'Bb')), 'another one after it').to.deep.equal({})
    expect(found(known, ints('Aa', 'Bb', 'Cc', 'Zyx', 'Wvu'))).to.deep.equal({})
    expect(found(ints('Old', 'Bb'), ints('Zyx', 'Bb')), 'the first').to.have.all.keys('Old')
    expect(found(ints('Aa', 'Old'), ints('Aa', 'Zyx')), 'the last').to.have.all.keys('Old')
  })

  it('does not take the place of a field that is still there, nor of one that is taken', () => {
    expect(found(ints('Title', 'Titles'), ints('Title', 'TheTitle'))).to.deep.equal({ Titles: 'renamed TheTitle by TheTitle' })
    expect(found(ints('ItemTitle', 'ThingTitle'), ints('OtherTitle'))).to.deep.equal({
      ItemTitle: 'renamed OtherTitle by OtherTitle',
    })
  })

  it('is inside another where that holds a field of its name, in any letter case', () => {
    expect(found(ints('PRICE', 'gone'), { request: inside(ints('price')) })).to.deep.equal({
      PRICE: 'nested request.price by request',
    })
    expect(found(ints('price'), { request: inside(ints('PRICE')) })).to.have.all.keys('price')
    const twice = { request: inside(ints('price')), ThePrice: required(int) }
    expect(found(ints('price'), twice)).to.deep.equal({ price: 'nested request.price by request' })
  })

  it('may be the Id of what it is inside, next to others that are found there', () => {
    const item = (names: string[]) => ({ request: inside({ Item: inside(ints(...names)) }) })
    expect(found(ints('itemId', 'price'), item(['Id', 'Price']))).to.deep.equal({
      itemId: 'nested request.Item.Id by request',
      price: 'nested request.Item.Price by request',
    })
    expect(found(ints('itemId'), item(['Id'])), 'nothing else is found').to.deep.equal({})
    expect(found(ints('itemId', 'price'), item(['d', 'Price'])), 'one letter is no name').to.have.all.keys('price')
    expect(found(ints('itemId', 'price'), item(['Id', 'itemId', 'Price'])).itemId).to.equal(
      'nested request.Item.itemId by request',
    )
  })

  it('is not the struct that others were found inside', () => {
    const known = { Xx: required(int), Options: inside(ints('Aa', 'Bb')) }
    expect(found(known, { OptionsBox: inside(ints('Xx', 'Aa', 'Bb')) })).to.deep.equal({
      Xx: 'nested OptionsBox.Xx by OptionsBox',
    })
    expect(found({ Options: inside(ints('Aa', 'Bb')) }, { OptionsBox: inside(ints('Aa', 'Bb', 'Xx')) })).to.deep.equal({
      Options: 'renamed OptionsBox by OptionsBox',
    })
  })

  it('is looked for three structs deep, and no deeper', () => {
    const wrapped = (depth: number): Field =>
      depth === 0 ? required(int) : inside({ [depth === 1 ? 'price' : `r${depth}`]: wrapped(depth - 1) })
    expect(found(ints('price'), { request: wrapped(3) })).to.deep.equal({ price: 'nested request.r3.r2.price by request' })
    expect(found(ints('price'), { request: wrapped(4) })).to.deep.equal({})
  })

  it('is looked for among 500 fields of a struct, and no more', () => {
    for (const [before, keys] of [
      [499, ['price']],
      [500, []],
    ] as const) {
      const there = { request: inside(ints(...numbered('F', before), 'price')) }
      expect(Object.keys(found(ints('price'), there))).to.deep.equal(keys)
    }
  })

  it('was taken apart where at least half of its fields are there instead, and only those replace it', () => {
    const known = { request: inside(ints('Aa', 'Bb', 'Cc', 'Dd')) }
    expect(found(known, ints('aa', 'BB', 'Zed'))).to.deep.equal({ request: 'nested aa, BB by aa,BB' })
    expect(found(known, ints('Aa', 'Zed'))).to.deep.equal({})
    const both = { ...known, Bbs: required(int) }
    expect(found(both, ints('Aa', 'Bb')), 'what replaces one field does not replace another').to.have.all.keys('request')
  })

  it('is looked for as one of the first 200, among the first 200', () => {
    const title = { Title: required(string) }
    const there = { ThingTitle: required(string) }
    for (const [before, keys] of [
      [199, ['Title']],
      [200, []],
    ] as const) {
      const others = ints(...numbered('Q', before))
      expect(Object.keys(found({ ...others, ...title }, there)), `${before} missing before it`).to.deep.equal(keys)
      expect(Object.keys(found(title, { ...others, ...there })), `${before} new before it`).to.deep.equal(keys)
    }
  })

  it('may hold its own type', () => {
    const node: Struct = struct('Node', { price: required(int), Next: optional(recursive('Node', () => node)) })
    expect(found(ints('price'), { request: optional(node) })).to.deep.equal({ price: 'nested request.price by request' })
  })
})

describe('the likely new name', () => {
  for (const [what, name, others, likely] of [
    ['has the most words in common', 'GetShopItemPrice', ['GetShopTax', 'GetItemPrice', 'SetShop'], 'GetItemPrice'],
    ['has half of the words at least', 'GetItem', ['GetThing'], 'GetThing'],
    ['has less than half of the longer name in no case', 'GetItem', ['GetItemPriceHistoryList'], undefined],
    ['has less than half of its own words in no case', 'GetItemPriceHistoryList', ['GetItem'], undefined],
    ['is the first of several that are as good', 'GetItem', ['GetThing', 'GetOther'], 'GetThing'],
    ['is the better one that comes later', 'GetShopItem', ['GetShopping', 'GetItem'], 'GetItem'],
    ['is the better one that comes first', 'GetShopItem', ['GetItem', 'ItemList'], 'GetItem'],
    ['differs by a typing mistake', 'Prize', ['Price', 'Quantity'], 'Price'],
    ['is none where nothing is like it', 'Colour', ['Quantity', 'Price'], undefined],
    ['is none where there are none', 'Price', [], undefined],
    ['has its words in any letter case', 'itemPrice', ['PriceOfItem', 'itemX'], 'PriceOfItem'],
  ] as const) {
    it(what, () => {
      expect(likelyName(name, others)).to.equal(likely)
    })
  }
})

describe('the fields that were moved', () => {
  const moved = (known: readonly string[], there: readonly string[]) => {
    const messages: string[] = []
    const comparer = new FieldComparer('request', (_effect, _kind, { message }) => void messages.push(message))
    comparer.compare('Op', ints(...known), ints(...there))
    return messages.map((message) => message.replace('The service has ', '').replace(' in another place.', ''))
  }
  const names = (count: number) => numbered('F', count)

  for (const [known, there, what] of [
    ['ABCD', 'DABC', 'D'],
    ['ABCD', 'BCDA', 'A'],
    ['AB', 'BA', 'B'],
    ['ABCDE', 'AEBDC', 'D, E'],
    ['ABCDE', 'CDEAB', 'A, B'],
  ] as const) {
    it(`are the fewest that explain it: ${known} as ${there}`, () => {
      expect(moved([...known], [...there])).to.deep.equal([what])
    })
  }

  it('are looked for among 500 fields, and of more the first that differs is named', () => {
    const lastFirst = (count: number) => [`F${count - 1}`, ...names(count - 1)]
    expect(moved(names(500), lastFirst(500))).to.deep.equal(['F499'])
    expect(moved(names(501), lastFirst(501))).to.deep.equal(['F0'])
    const swapped = [...names(100), 'F101', 'F100', ...names(501).slice(102)]
    expect(moved(names(501), swapped)).to.deep.equal(['F100'])
    expect(moved(names(501), names(501))).to.deep.equal([])
  })
})

const NS = 'http://ns.example'
const operation = (name: string, more: Partial<Operation> = {}): Operation => ({
  name,
  service: 'RestrictedService',
  user: false,
  kind: 'read',
  queued: false,
  summary: '',
  params: {},
  result: undefined,
  ...more,
})
const byName = (operations: readonly Operation[]) => Object.fromEntries(operations.map((each) => [each.name, each]))

function describedWith(operations: readonly Operation[], more: Partial<Description> = {}): Description {
  return {
    service: 'RestrictedService',
    ours: true,
    serviceName: 'RestrictedService',
    namespace: NS,
    addresses: [],
    operations: new Map(operations.map((each) => [each.name, { operation: each, headers: [], bindings: ['soap12'] }])),
    headers: new Map(),
    unread: [],
    ...more,
  }
}
const known = (operations: readonly Operation[], more: Partial<Known> = {}): Known => ({
  service: 'RestrictedService',
  operations: byName(operations),
  headersOf: () => ({}),
  ...more,
})

describe('a description beside what this tool knows', () => {
  const kinds = (side: Known, description: Description) => compareService(side, description).map(({ kind }) => kind)

  it('may write its namespace with slashes at the end', () => {
    for (const [ours, theirs, said] of [
      [`${NS}//`, NS, []],
      [NS, `${NS}///`, []],
      [`${NS}/x`, NS, ['namespace']],
      [undefined, 'urn:other', []],
    ] as const) {
      expect(kinds(known([], { namespace: ours }), describedWith([], { namespace: theirs }))).to.deep.equal(said)
    }
    expect(compareService(known([], { namespace: NS }), describedWith([], { namespace: 'urn:other/' }))[0]).to.deep.equal({
      effect: 'breaks',
      kind: 'namespace',
      service: 'RestrictedService',
      expected: NS,
      found: 'urn:other',
      message: `The namespace of the service is "urn:other"; calls are sent with "${NS}", so it understands none of them.`,
    })
  })

  it('lacks an operation, which may be called otherwise, but each new name is that of one', () => {
    const side = known([operation('GetItemPrice'), operation('GetItemPriceList'), operation('Zzz')])
    const said = compareService(side, describedWith([operation('GetItemCost', { summary: 'Costs.' }), operation('Qqqqqqq')]))
    expect(said.map(({ effect, kind, found: other, message }) => [effect, kind, other, message])).to.deep.equal([
      ['breaks', 'operation_missing', 'GetItemCost', 'The service does not offer GetItemPrice. It may be called GetItemCost.'],
      ['breaks', 'operation_missing', undefined, 'The service does not offer GetItemPriceList.'],
      ['breaks', 'operation_missing', undefined, 'The service does not offer Zzz.'],
      ['new', 'operation_new', 'GetItemCost', 'The service offers GetItemCost; no command uses it. Costs.'],
      ['new', 'operation_new', 'Qqqqqqq', 'The service offers Qqqqqqq; no command uses it.'],
    ])
  })

  it('may lack what only some editions of the service have, and is compared with it where it is there', () => {
    const side = known([operation('Extra', { extended: true, params: ints('a') })])
    expect(kinds(side, describedWith([]))).to.deep.equal([])
    expect(kinds(side, describedWith([operation('Extra')]))).to.deep.equal(['field_missing'])
  })

  it('offers an operation by the way that calls are sent, or does not', () => {
    const words = { soap12: 'SOAP 1.2', soap11: 'SOAP 1.1', get: 'HTTP GET', post: 'HTTP POST' } as const
    for (const [binding, said] of Object.entries(words) as [keyof typeof words, string][]) {
      const other = binding === 'get' ? 'post' : 'get'
      const description = describedWith([operation('Op')])
      const bound = (bindings: readonly (keyof typeof words)[]) =>
        ({ ...description, operations: new Map([['Op', { operation: operation('Op'), headers: [], bindings }]]) }) as Description
      expect(compareService(known([operation('Op')], { bindings: [binding] }), bound([other, binding]))).to.deep.equal([])
      expect(compareService(known([operation('Op')], { bindings: [binding] }), bound([other]))).to.deep.equal([
        {
          effect: 'breaks',
          kind: 'binding',
          service: 'RestrictedService',
          operation: 'Op',
          subject: 'Op',
          expected: binding,
          found: other,
          message: `The service does not offer Op by ${said}.`,
        },
      ])
      expect(compareService(known([operation('Op')]), bound([other]))).to.deep.equal([])
    }
  })

  it('takes the headers that are sent, or does not', () => {
    const Token = struct('Token', ints('Id'))
    const side = known([operation('Op')], { headersOf: (name): Record<string, Struct> => (name === 'Op' ? { Token } : {}) })
    const described = (headers: readonly string[], types: [string, Struct][]) =>
      describedWith([], {
        operations: new Map([['Op', { operation: operation('Op'), headers, bindings: ['soap12'] }]]),
        headers: new Map(types),
      })
    expect(compareService(side, described(['Token'], [['Token', Token]]))).to.deep.equal([])
    const missing = {
      effect: 'breaks',
      kind: 'header_missing',
      service: 'RestrictedService',
      operation: 'Op',
      direction: 'header',
      subject: 'Token',
      expected: 'Token',
      message: 'Op does not take the Token.',
    }
    expect(compareService(side, described([], [['Token', Token]])), 'known, but not of this operation').to.deep.equal([missing])
    expect(compareService(side, described(['Token'], [])), 'of this operation, but not known').to.deep.equal([missing])
    const other = struct('Token', {})
    expect(compareService(side, described(['Token'], [['Token', other]]))).to.have.lengthOf(1)
  })

  it('is a side of its own: the headers of an operation are those that it names', () => {
    const [A, B] = [struct('A', ints('x')), struct('B', {})]
    const { headersOf, operations, namespace, service } = knownDescription(
      describedWith([], {
        namespace: `${NS}/`,
        operations: new Map([['Op', { operation: operation('Op'), headers: ['B', 'Gone'], bindings: [] }]]),
        headers: new Map([
          ['A', A],
          ['B', B],
        ]),
      }),
    )
    expect(headersOf('Op')).to.deep.equal({ B })
    expect(headersOf('Other')).to.deep.equal({})
    expect([Object.keys(operations), namespace, service]).to.deep.equal([['Op'], NS, 'RestrictedService'])
  })

  it('answers as this tool reads it, or does not', () => {
    const answering = (result: Operation['result']) => [operation('Op', { result })]
    for (const [ours, theirs, said] of [
      [undefined, undefined, []],
      [required(int), required(int), []],
      [required(int), undefined, [['breaks', 'field_missing', 'Op.OpResult']]],
      [optional(int), undefined, [['only_here', 'field_missing', 'Op.OpResult']]],
      [undefined, nillable(int), [['new', 'field_new', 'Op.OpResult']]],
    ] as const) {
      const differences = compareService(known(answering(ours)), describedWith(answering(theirs)))
      expect(differences.map(({ effect, kind, subject }) => [effect, kind, subject])).to.deep.equal(said)
    }
  })

  it('holds what cannot be read, which comes last', () => {
    const unread = [{ where: 'Type.Field', what: 'is odd' }]
    expect(compareService(known([]), describedWith([operation('New')], { unread })).slice(1)).to.deep.equal([
      { effect: 'unread', kind: 'unread', service: 'RestrictedService', subject: 'Type.Field', message: 'Type.Field is odd.' },
    ])
  })
})
