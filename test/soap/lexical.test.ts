import { expect } from 'chai'
import fc from 'fast-check'
import { ItemType, readSimple, type SimpleType } from '../../src/contract/index.js'
import { boolean, dateTime, int, required } from '../../src/contract/vocabulary.js'
import { readValue } from '../../src/soap/wire/lexical.js'
import { slotOf } from '../../src/soap/wire/plan.js'

/** The result of reading a text: its value, or none. */
function outcome(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return { refused: (error as Error).message }
  }
}

const number = (max: number, width: number) => fc.nat({ max }).map((value) => String(value).padStart(width, '0'))

/** Valid dates, and texts that are nearly dates. */
const dates = fc
  .tuple(
    number(9999, 4),
    number(14, 2),
    number(33, 2),
    fc.constantFrom('T', 'T', 'T', ' ', 't'),
    number(26, 2),
    number(62, 2),
    number(62, 2),
    fc.constantFrom('', '', '.', '.1', '.1234567', '.12345678901234'),
    fc.constantFrom('', '', 'Z', 'z', '+01:00', '-13:59', '+14:00', '+15:00', '+01:60', '+0100', '+1:00', 'Z '),
  )
  .map(
    ([year, month, day, t, hour, minute, second, fraction, zone]) =>
      `${year}-${month}-${day}${t}${hour}:${minute}:${second}${fraction}${zone}`,
  )

const ints = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -100_000_000_000n, max: 100_000_000_000n }).map(String),
  fc.string({ unit: fc.constantFrom('0', '1', '9', '-', '+', ' ', '.', '\n', 'e', '٣'), maxLength: 12 }),
)

/** What may stand in each place of a date instead of what is right, most of it wrong. */
const INSTEAD = ['-', ':', 'T', 'Z', '+', '.', '/', ' ', 'x', '0', '2', '3', '4', '6', '9']

describe('reading simple values the short way', () => {
  for (const [name, type, texts] of [
    ['an int', int, ints],
    ['a date', dateTime, dates],
    ['a boolean', boolean, fc.constantFrom('true', 'false', '1', '0', ' true', 'TRUE', '', 'yes')],
    ['a word', ItemType, fc.constantFrom('Auction', 'ShopItem', 'auction', 'Auction ', '')],
  ] as [string, SimpleType, fc.Arbitrary<string>][]) {
    it(`comes to the same as the contract's way: ${name}`, () => {
      const slot = slotOf('Value', required(type))
      fc.assert(
        fc.property(texts, (text) => {
          const value = outcome(() => readValue(slot, text))
          expect(value).to.deep.equal(outcome(() => readSimple(type, text)))
        }),
        { numRuns: 3000 },
      )
    })
  }

  it('refuses a date with one wrong character wherever the contract does', () => {
    const slot = slotOf('Value', required(dateTime))
    const valid = [
      '2026-02-28T23:59:59',
      '2026-12-30T00:00:00.1234567Z',
      '2026-01-01T18:00:00.5-13:59',
      '2026-11-30T18:00:00+01:00',
    ]
    for (const date of valid) expect(readValue(slot, date)).to.equal(date)
    for (const [at, text] of valid.flatMap((date) => [...date].map((_, at) => [at, date] as const))) {
      for (const character of ['', ...INSTEAD]) {
        const wrong = `${text.slice(0, at)}${character}${text.slice(at + 1)}`
        expect(
          outcome(() => readValue(slot, wrong)),
          wrong,
        ).to.deep.equal(outcome(() => readSimple(dateTime, wrong)))
      }
    }
  })
})
