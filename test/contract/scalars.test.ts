import { expect } from 'chai'
import fc from 'fast-check'
import {
  dateTimeOf,
  FeedbackType,
  instantOf,
  LexicalError,
  notXml,
  ResultCode,
  readSimple,
  writeSimple,
} from '../../src/contract/index.js'
import { boolean, dateTime, decimal, int } from '../../src/contract/vocabulary.js'

const refused = (type: Parameters<typeof readSimple>[0], text: string) =>
  expect(() => readSimple(type, text), text).to.throw(LexicalError)

describe('simple values on the wire', () => {
  it('reads ints of 32 bits and nothing else', () => {
    expect(readSimple(int, ' 2147483647 ')).to.equal(2147483647)
    expect(readSimple(int, '-2147483648')).to.equal(-2147483648)
    expect(readSimple(int, '+7')).to.equal(7)
    for (const type of [int, decimal]) expect(Object.is(readSimple(type, ' -0 '), 0)).to.equal(true)
    for (const text of ['', '2147483648', '-2147483649', '1.0', '1e3', '0x10', '1 234', 'NaN']) refused(int, text)
  })

  it('reads XML Schema booleans: true, false, 1, 0, in lower case only', () => {
    expect(['true', '1', 'false', '0'].map((text) => readSimple(boolean, text))).to.deep.equal([true, true, false, false])
    for (const text of ['True', 'yes', '']) refused(boolean, text)
  })

  it('reads and writes decimals without exponent', () => {
    expect(readSimple(decimal, '-0.50')).to.equal(-0.5)
    expect(readSimple(decimal, '.5')).to.equal(0.5)
    for (const text of ['1e3', '1,5', '', '.']) refused(decimal, text)
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-9, max: 1e300 }), (value) => {
        const text = writeSimple(decimal, value)
        expect(text).to.match(/^\d+(\.\d+)?$/)
        expect(Math.abs(Number(text) - value)).to.be.at.most(value * 1e-9)
      }),
    )
  })

  it('keeps a dateTime as the service gave it, and refuses days that do not exist', () => {
    expect(readSimple(dateTime, '2022-11-24T14:28:56.001+01:00')).to.equal('2022-11-24T14:28:56.001+01:00')
    expect(readSimple(dateTime, '2024-02-29T00:00:00')).to.equal('2024-02-29T00:00:00')
    for (const text of ['2023-02-29T00:00:00', '2022-11-24', '2022-13-01T00:00:00Z', '2022-11-24T25:00:00Z', 'today', '']) {
      refused(dateTime, text)
    }
  })

  it('tells enumerations by case, and reads a list of flags', () => {
    expect(readSimple(FeedbackType, 'Negative')).to.equal('Negative')
    refused(FeedbackType, 'negative')
    expect(readSimple(ResultCode, ' Error  TryAgain ')).to.equal('Error TryAgain')
    refused(ResultCode, 'Error Perhaps')
  })
})

describe('instants', () => {
  const utc = (text: string) => new Date(instantOf(text)).toISOString()

  it('reads a text without a zone as Swedish local time, winter and summer', () => {
    expect(utc('2026-01-15T12:00:00')).to.equal('2026-01-15T11:00:00.000Z')
    expect(utc('2026-07-15T12:00:00')).to.equal('2026-07-15T10:00:00.000Z')
  })

  it('changes to and from summer time at 01:00 UTC on the last Sundays of March and October', () => {
    expect(utc('2026-03-29T01:59:59')).to.equal('2026-03-29T00:59:59.000Z')
    expect(utc('2026-03-29T03:00:00')).to.equal('2026-03-29T01:00:00.000Z')
    expect(utc('2026-10-25T01:59:59')).to.equal('2026-10-24T23:59:59.000Z')
    expect(utc('2026-10-25T03:00:00')).to.equal('2026-10-25T02:00:00.000Z')
  })

  it('keeps the years 1 and 9999, which the service uses for "unused"', () => {
    expect(instantOf('0001-01-01T00:00:00Z')).to.equal(Date.parse('0001-01-01T00:00:00Z'))
    expect(instantOf('9999-12-31T00:00:00Z')).to.equal(Date.parse('9999-12-31T00:00:00Z'))
  })

  it('reads a fraction of a second, and the hour 24 as the next midnight', () => {
    expect(utc('2026-11-30T18:00:00.5Z')).to.equal('2026-11-30T18:00:00.500Z')
    expect(utc('2026-11-30T18:00:00.1239999+01:00')).to.equal('2026-11-30T17:00:00.123Z')
    expect(utc('2026-11-30T24:00:00Z')).to.equal('2026-12-01T00:00:00.000Z')
    expect(utc('2026-11-30T18:00:00.75')).to.equal('2026-11-30T17:00:00.750Z')
  })

  it('reads an hour that the Swedish clock skips as an hour later, and of one that comes twice the second', () => {
    expect(utc('2026-03-29T01:59:59')).to.equal('2026-03-29T00:59:59.000Z')
    expect(utc('2026-03-29T02:00:00')).to.equal(utc('2026-03-29T03:00:00'))
    expect(utc('2026-03-29T02:30:00')).to.equal(utc('2026-03-29T03:30:00+02:00'))
    expect(utc('2026-03-29T03:00:00')).to.equal('2026-03-29T01:00:00.000Z')
    expect(utc('2026-10-25T02:30:00')).to.equal('2026-10-25T01:30:00.000Z')
    expect(utc('2026-10-25T01:59:00')).to.equal('2026-10-24T23:59:00.000Z')
  })

  it('takes the offset of the zone away, up to 14:59 hours', () => {
    expect(utc('2026-11-30T18:00:00-05:30')).to.equal('2026-11-30T23:30:00.000Z')
    expect(utc('2026-11-30T18:00:00+14:59')).to.equal('2026-11-30T03:01:00.000Z')
    expect(utc('2026-11-30T18:00:00-00:00')).to.equal('2026-11-30T18:00:00.000Z')
  })

  const NO_INSTANTS = [
    ...['2026-11-30T18:00', '2026-11-30 18:00:00', '2026/11/30T18:00:00', '2026-11/30T18:00:00', '2026-11-30T18.00:00'],
    ...['2026-11-30T18:00.00', '2026-11-30T18:00:00.', '2026-11-30T18:00:00.Z', '2026-11-30T18:00:00z', '2026-11-30T18:00:00Z '],
    ...['2026-11-30T18:00:00+0100', '2026-11-30T18:00:00+01:0', '2026-11-30T18:00:00+01:000', '2026-11-30T18:00:00+15:00'],
    ...['2026-11-30T18:00:00+01:60', '2026-11-30T18:00:00 01:00', '2026-11-30T18:00:00+01-00', '2026-11-30T18:00:00.5x'],
    ...['2026-00-30T18:00:00', '2026-13-30T18:00:00', '2026-11-00T18:00:00', '2026-11-31T18:00:00', '2026-11-30T25:00:00'],
    ...['2026-04-31T18:00:00', '2026-06-31T18:00:00', '2026-09-31T18:00:00', '2026-01-32T18:00:00', '2025-02-29T18:00:00'],
    ...['2026-11-30T24:00:01', '2026-11-30T24:01:00', '2026-11-30T18:60:00', '2026-11-30T18:00:60', ' 2026-11-30T18:00:00'],
    ...['x026-11-30T18:00:00', '2026-x1-30T18:00:00', '2026-11-3xT18:00:00', '2026-11-30Tx8:00:00', '2026-11-30T18:0x:00'],
    ...[
      '2026-11-30T18:00:0x',
      '2026-11-30T18:00:00+x1:00',
      '2026-11-30T18:00:00+01:x0',
      '2100-02-29T00:00:00',
      '٢٠٢٦-11-30T18:00:00',
    ],
  ]
  for (const text of NO_INSTANTS) it(`finds none in "${text}"`, () => expect(instantOf(text)).to.be.NaN)

  it('agrees with the time zone database, for any instant since 2000', () => {
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm', dateStyle: 'short', timeStyle: 'medium' })
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2035, 0) }), (instant) => {
        const text = dateTimeOf(instant)
        expect(text.slice(0, 19).replace('T', ' ')).to.equal(clock.format(instant))
        expect(instantOf(text)).to.equal(instant)
      }),
    )
  })
})

describe('characters XML cannot carry', () => {
  it('names the first one', () => {
    expect(notXml('tab\tand\nline and \u{1F600}')).to.equal(undefined)
    expect(notXml('bell\u0007')).to.equal('U+0007')
    expect(notXml('half \uD83D')).to.equal('U+D83D')
    expect(notXml('\uFFFE')).to.equal('U+FFFE')
  })
})
