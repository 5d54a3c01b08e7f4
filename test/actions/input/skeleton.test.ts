/** The text of a skeleton for each field, made from the contract: its type, its limits, an example. */
import { expect } from 'chai'
import { type InputKind, ITEM_INPUT, SHOP_INPUT, skeletonOf } from '../../../src/actions/input/index.js'
import {
  arrayOf,
  base64Binary,
  boolean,
  dateTime,
  decimal,
  enumeration,
  type Field,
  int,
  optional,
  repeated,
  string,
  struct,
} from '../../../src/contract/vocabulary.js'

const NOW = Date.UTC(2026, 9, 5, 12, 34, 56)

/** The lines of one made-up field that has no note of its own. */
function linesOf(field: Field, asked = false): string[] {
  const kind = { ...SHOP_INPUT, struct: struct('Made', { Field: field }), asked: asked ? ['Field'] : [] } as InputKind<unknown>
  return skeletonOf(kind, NOW).split('\n').slice(3, -1)
}

/** The skeleton's text for a field of a real kind: its prose and its example. */
function ofField(kind: InputKind<never>, name: string): string {
  const blocks = skeletonOf(kind, NOW).trimEnd().split('\n\n')
  return blocks.find((block) => new RegExp(`^#?${name}:`, 'm').test(block)) ?? ''
}

describe('the skeleton of an item', () => {
  for (const [name, field, words, example] of [
    ['a whole number', optional(int), 'Whole number.', '1'],
    ['one with a least', optional(int, { min: 5 }), 'Whole number. At least 5.', '5'],
    ['one with a least and a most', optional(int, { min: 2, max: 9 }), 'Whole number. 2 to 9.', '2'],
    ['one with a least and a reason', optional(int, { min: 2, why: 'it is so' }), 'Whole number. It is so.', '2'],
    ['one with both and a reason', optional(int, { min: 2, max: 9, why: 'it is so' }), 'Whole number. 2 to 9. It is so.', '2'],
    ['one of some', optional(int, { oneOf: [7, 8] }), 'Whole number. One of 7, 8.', '7'],
    ['one of some, with a reason', optional(int, { oneOf: [7, 8], why: 'seven or eight' }), 'Whole number. Seven or eight.', '7'],
    ['a number', optional(decimal), 'Number.', '1'],
    ['true or false', optional(boolean), 'true or false.', 'true'],
    ['a time', optional(dateTime), 'Date and time; without a zone it is Swedish time.', '"text"'],
    ['a text', optional(string), 'Text.', '"text"'],
    ['a text with a length', optional(string, { maxLength: 40 }), 'Text. At most 40 characters.', '"text"'],
    ['bytes', optional(base64Binary, { maxBytes: 12 }), 'Text. At most 12 bytes.', '"@file"'],
    ['a word', optional(enumeration('Colour', ['Red', 'Blue'])), 'One of Red, Blue.', '"Red"'],
    ['a list', optional(arrayOf('int', int), { maxItems: 3 }), 'A list. At most 3.', '[1]'],
    ['what repeats', repeated(boolean), 'A list.', 'true'],
    [
      'a structure',
      optional(struct('Inner', { A: optional(int, { min: 4 }), B: optional(string) })),
      'Fields of its own.',
      '{"A":4,"B":"text"}',
    ],
  ] as const) {
    it(`says of ${name}: ${words}`, () => {
      expect(linesOf(field)).to.deep.equal([`# ${words}`, `#Field: ${example}`])
      expect(linesOf(field, true)).to.deep.equal([`# ${words}`, 'Field:'])
    })
  }

  it('names the command that takes it', () => {
    expect(skeletonOf(ITEM_INPUT, NOW)).to.match(/^# One item for: seller items:add --file FILE\n/)
    expect(skeletonOf(SHOP_INPUT, NOW)).to.match(/^# One item for: seller shop:add --file FILE\n/)
  })

  it('leaves bare what must be given, and has every limit of the contract', () => {
    for (const [kind, asked] of [
      [ITEM_INPUT, ['Title', 'CategoryId', 'StartPrice']],
      [SHOP_INPUT, ['CategoryId', 'Price', 'Title']],
    ] as const) {
      const text = skeletonOf(kind as InputKind<unknown>, NOW)
      expect([...text.matchAll(/^(\w+):/gm)].map(([, name]) => name)).to.deep.equal(asked)
      for (const [name, { rule }] of Object.entries(kind.struct.fields as Record<string, Field>)) {
        if (rule?.maxLength !== undefined) {
          expect(ofField(kind as never, name), name).to.contain(`At most ${rule.maxLength} characters.`)
        }
      }
    }
    expect(ofField(SHOP_INPUT as never, 'VAT')).to.contain('0 to 100.')
    expect(ofField(SHOP_INPUT as never, 'ItemImages')).to.contain('At most 40.')
  })

  it('gives dates that lie ahead, on the hour', () => {
    expect(ofField(SHOP_INPUT as never, 'ActivateDate')).to.contain('#ActivateDate: 2026-10-06T14:00:00+02:00')
    expect(ofField(SHOP_INPUT as never, 'DeactivateDate')).to.contain('#DeactivateDate: 2027-10-05T14:00:00+02:00')
    expect(ofField(ITEM_INPUT as never, 'CustomEndDate')).to.contain('#CustomEndDate: 2026-10-15T14:00:00+02:00')
  })

  it('comments an example of several lines on every line', () => {
    expect(
      ofField(SHOP_INPUT as never, 'Description')
        .split('\n')
        .slice(1),
    ).to.deep.equal(['#Description: |', '#  Hand-made, never used.<br>', '#  Picked up in Lund, or sent.'])
  })
})
