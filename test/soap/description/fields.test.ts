/** Every difference between a field of this tool and one of a description, in full: effect, kind, place and words. */
import { expect } from 'chai'
import type { Field, Fields } from '../../../src/contract/index.js'
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
  recursive,
  repeated,
  required,
  type Struct,
  string,
  struct,
} from '../../../src/contract/vocabulary.js'
import type { Difference, Direction } from '../../../src/soap/description/compare/difference.js'
import { FieldComparer } from '../../../src/soap/description/compare/fields.js'
import { sharedWords, wordsOf } from '../../../src/soap/description/compare/located.js'

function short(direction: Direction, known: Fields, found: Fields, owner = 'Thing') {
  const list: Omit<Difference, 'service'>[] = []
  new FieldComparer(direction, (effect, kind, words) => list.push({ effect, kind, ...words })).compare(owner, known, found)
  return list
}

const pair = struct('Pair', { Key: required(int), Value: optional(string) })

describe('a field of the service', () => {
  it('that this tool does not have is new, unless it must be sent', () => {
    const required_ = [
      {
        effect: 'breaks',
        kind: 'field_required',
        subject: 'Thing.B',
        found: 'int',
        message: 'The service requires B; no command sends it.',
      },
    ]
    const taken = (found: string) => [
      { effect: 'new', kind: 'field_new', subject: 'Thing.B', found, message: 'The service also takes B.' },
    ]
    expect(short('request', {}, { B: required(int) })).to.deep.equal(required_)
    expect(short('header', {}, { B: required(int) })).to.deep.equal(required_)
    expect(short('request', {}, { B: optional(int) })).to.deep.equal(taken('int'))
    expect(short('request', {}, { B: nillable(int) })).to.deep.equal(taken('int'))
    expect(short('request', {}, { B: repeated(string) })).to.deep.equal(taken('repeated text'))
    expect(short('reply', {}, { B: required(int) })).to.deep.equal([
      { effect: 'new', kind: 'field_new', subject: 'Thing.B', found: 'int', message: 'The service also answers with B.' },
    ])
  })

  it('that is gone breaks what is sent, and what must come', () => {
    const gone = (effect: string, message: string, expected = 'int') => [
      { effect, kind: 'field_missing', subject: 'Thing.A', expected, message },
    ]
    const unsent = 'The service does not know A: it ignores what is sent in it.'
    const unanswered = 'The service does not answer with A.'
    expect(short('request', { A: optional(int) }, {})).to.deep.equal(gone('breaks', unsent))
    expect(short('reply', { A: required(int) }, {})).to.deep.equal(gone('breaks', unanswered))
    expect(short('reply', { A: optional(int) }, {})).to.deep.equal(gone('only_here', unanswered))
    expect(short('reply', { A: repeated(int) }, {})).to.deep.equal(gone('only_here', unanswered, 'repeated int'))
    expect(short('reply', { A: { ...repeated(int), min: 1 } as Field }, {})).to.deep.equal(
      gone('only_here', unanswered, 'repeated int'),
    )
  })

  it('that came with a newer edition may be missing', () => {
    for (const [direction, says] of [
      ['request', 'ignores'],
      ['reply', 'does not answer with'],
    ] as const) {
      expect(short(direction, { Duration: required(int) }, {}, 'Item')).to.deep.equal([
        {
          effect: 'differs',
          kind: 'field_missing',
          subject: 'Item.Duration',
          expected: 'int',
          message: `An older edition of the service: it ${says} Duration.`,
        },
      ])
    }
  })

  it('that has another name or place breaks both directions, in their words', () => {
    for (const [direction, message] of [
      ['request', 'The service takes "ThingTitle"; this tool sends "Title".'],
      ['reply', 'The service answers with "ThingTitle"; this tool reads "Title".'],
    ] as const) {
      expect(short(direction, { Title: required(string) }, { ThingTitle: required(string) })).to.deep.equal([
        { effect: 'breaks', kind: 'field_renamed', subject: 'Thing.Title', expected: 'Title', found: 'ThingTitle', message },
      ])
    }
  })

  it('that is an attribute here and an element there, or a list here and one value there, breaks', () => {
    for (const [known, found, expected, actual] of [
      [attribute(int), required(int), 'an attribute (int)', 'int'],
      [required(int), optionalAttribute(string), 'int', 'an attribute (text)'],
      [optional(arrayOf('int', int)), required(int), 'list of int', 'int'],
      [required(int), repeated(int), 'int', 'repeated int'],
      [repeated(int), optional(arrayOf('int', int)), 'repeated int', 'list of int'],
    ] as const) {
      expect(short('reply', { A: known }, { A: found })).to.deep.equal([
        {
          effect: 'breaks',
          kind: 'type',
          subject: 'Thing.A',
          expected,
          found: actual,
          message: `The service has A as ${actual}; this tool has it as ${expected}.`,
        },
      ])
    }
  })

  it('may be there, nil or left out otherwise than here', () => {
    const words = ['required', 'required, may be nil', 'optional', 'optional, may be nil']
    const fields: readonly Field[] = [required(int), nillable(int), optional(int), optionalNillable(int)]
    const differs = (known: number, found: number, subject = 'Thing.A') => ({
      effect: 'differs',
      kind: 'occurrence',
      subject,
      expected: words[known],
      found: words[found],
      message: `A is ${words[found]} at the service, ${words[known]} in this tool.`,
    })
    const nil = {
      effect: 'breaks',
      kind: 'nil',
      message: 'The service does not take nil for A; this tool sends an unset one as nil.',
    }
    const needed = { effect: 'breaks', kind: 'field_required', message: 'The service requires A; this tool may leave it out.' }
    // By row what this tool has, by column what the service has.
    const requests = [
      [undefined, 'differs', 'differs', 'differs'],
      [nil, undefined, nil, 'differs'],
      [needed, 'differs', undefined, 'differs'],
      [nil, 'differs', nil, undefined],
    ] as const
    for (const known of [0, 1, 2, 3]) {
      for (const found of [0, 1, 2, 3]) {
        const pairOf = [{ A: fields[known] as Field }, { A: fields[found] as Field }] as const
        const sent = requests[known]?.[found]
        const expected =
          sent === undefined ? [] : sent === 'differs' ? [differs(known, found)] : [{ ...differs(known, found), ...sent }]
        expect(short('request', ...pairOf), `${words[known]} / ${words[found]} sent`).to.deep.equal(expected)
        const read = known === found ? [] : [differs(known, found)]
        expect(short('reply', ...pairOf), `${words[known]} / ${words[found]} read`).to.deep.equal(read)
      }
    }
    // An empty list and none are the same.
    expect(short('request', { A: optional(arrayOf('int', int)) }, { A: required(arrayOf('int', int)) })).to.deep.equal([
      differs(2, 0),
    ])
    const [older] = short('request', { ShippingOptionId: nillable(int) }, { ShippingOptionId: required(int) }, 'ItemShipping')
    expect(older).to.include({ effect: 'differs', kind: 'nil', subject: 'ItemShipping.ShippingOptionId' })
  })

  it('of another simple type breaks where one cannot be written or read as the other', () => {
    const word = enumeration('Word', ['a', 'b'])
    const some = flags('Some', ['a', 'b'])
    const kinds = { int, decimal, string, boolean, dateTime, base64Binary, word, some }
    const fitting = (direction: Direction): string[] =>
      Object.entries(kinds).flatMap(([one, known]) =>
        Object.entries(kinds).flatMap(([other, found]) => {
          const [difference, ...more] = short(direction, { A: required(known) }, { A: required(found) })
          expect(more).to.deep.equal([])
          if (one === other) expect(difference).to.equal(undefined)
          else expect(difference?.kind).to.equal('type')
          return difference?.effect === 'differs' ? [`${one}>${other}`] : []
        }),
      )
    const texts = ['decimal>string', 'boolean>string', 'dateTime>string', 'base64Binary>string', 'word>string', 'some>string']
    expect(fitting('request')).to.have.members(['int>decimal', 'int>string', 'word>some', ...texts])
    // A word that is not known is kept as it comes, so any text may come for one.
    const open = ['string', 'word', 'some']
    const others = Object.keys(kinds)
    const read = open.flatMap((known) => others.filter((found) => found !== known).map((found) => `${known}>${found}`))
    expect(fitting('reply')).to.have.members(['decimal>int', ...read])
    const [words] = short('request', { A: required(word) }, { A: required(int) })
    expect(words).to.deep.include({
      expected: 'one of a, b',
      found: 'int',
      message: 'The service has A as int; this tool has it as one of a, b.',
    })
  })

  it('with other words, other entries or other fields inside says which', () => {
    const known = enumeration('Word', ['a', 'b', 'c'])
    const found = enumeration('Word', ['b', 'c', 'd', 'e'])
    const added = {
      effect: 'new',
      kind: 'value_new',
      subject: 'Word',
      found: 'd, e',
      message: 'The service also knows the Word d, e.',
    }
    const lost = { kind: 'value_missing', subject: 'Word.a', expected: 'a' }
    expect(short('request', { A: required(known) }, { A: required(found) })).to.deep.equal([
      { effect: 'breaks', ...lost, message: 'The service does not know the Word "a".' },
      added,
    ])
    expect(short('reply', { A: required(known) }, { A: required(found) })).to.deep.equal([
      { effect: 'only_here', ...lost, message: 'The service never answers with the Word "a".' },
      added,
    ])
    expect(short('reply', { A: optional(arrayOf('Pair', pair)) }, { A: optional(arrayOf('Entry', pair)) })).to.deep.equal([
      {
        effect: 'breaks',
        kind: 'field_renamed',
        subject: 'Thing.A',
        expected: 'Pair',
        found: 'Entry',
        message: 'The service calls the entries of A Entry; this tool calls them Pair.',
      },
    ])
    const other = struct('Pair', { Key: required(int), Value: required(string) })
    expect(short('reply', { A: optional(arrayOf('Pair', pair)) }, { A: optional(arrayOf('Pair', other)) })).to.deep.equal([
      {
        effect: 'differs',
        kind: 'occurrence',
        subject: 'Pair.Value',
        expected: 'optional',
        found: 'required',
        message: 'Value is required at the service, optional in this tool.',
      },
    ])
  })

  it('that holds its own type is compared once', () => {
    const tree = (more: Fields): Struct => {
      const made: Struct = struct('Node', {
        ...more,
        Children: optional(
          arrayOf(
            'Node',
            recursive('Node', () => made),
          ),
        ),
      })
      return made
    }
    const found = short('reply', { Root: required(tree({ Id: required(int) })) }, { Root: required(tree({ Id: optional(int) })) })
    expect(found.map(({ kind, subject }) => [kind, subject])).to.deep.equal([['occurrence', 'Node.Id']])
  })

  it('in another place breaks a request, and names as few fields as can have moved', () => {
    const of = (names: string) => Object.fromEntries([...names].map((name) => [name, required(int)]))
    const moved = (direction: Direction, known: string, found: string) => short(direction, of(known), of(found))
    expect(moved('request', 'ABCD', 'BCDA')).to.deep.equal([
      {
        effect: 'breaks',
        kind: 'field_order',
        subject: 'Thing.A',
        expected: 'A, B, C, D',
        found: 'B, C, D, A',
        message: 'The service has A in another place.',
      },
    ])
    expect(moved('reply', 'ABCD', 'ACBD')[0]).to.include({ effect: 'differs', message: 'The service has C in another place.' })
    expect(moved('request', 'ABCD', 'DCBA')[0]?.message).to.match(/^The service has ([A-D], ){2}[A-D] in another place\.$/)
    expect(moved('request', 'ABCD', 'ABCD')).to.deep.equal([])
    // Attributes have no order, and fields of only one side no place.
    const withAttribute = { ...of('AB'), C: attribute(int) }
    expect(short('request', withAttribute, { C: attribute(int), ...of('AB') })).to.deep.equal([])
  })
})

describe('names', () => {
  it('are taken apart into words, abbreviations too', () => {
    expect(wordsOf('GetEidVerificationProgress')).to.deep.equal(['Get', 'Eid', 'Verification', 'Progress'])
    expect(wordsOf('GetVATRate')).to.deep.equal(['Get', 'VAT', 'Rate'])
    expect(wordsOf('itemVAT')).to.deep.equal(['item', 'VAT'])
    expect(wordsOf('CodeIso2')).to.deep.equal(['Code', 'Iso2'])
    expect(wordsOf('')).to.deep.equal([])
    expect(sharedWords('GetItemPrice', 'priceOfItem')).to.equal(2)
  })
})
