import { expect } from 'chai'
import fc from 'fast-check'
import { readDateTime, readDuration, readInt, readKronor } from '../../src/cli/values.js'
import { SellerError } from '../../src/errors/index.js'
import { thrownBy } from '../thrown.js'

/** The error a reader throws, which must be a usage error that names what was read and the value. */
function refused(read: (text: string, name: string) => unknown, text: string): SellerError {
  const refusal = thrownBy(SellerError, () => read(text, '--flag'))
  expect(refusal.exitCode).to.equal(2)
  expect(refusal.message).to.contain('--flag').and.contain(`"${text}"`)
  expect(refusal.hint).to.match(/\.$/)
  return refusal
}

describe('durations', () => {
  for (const [text, ms] of [
    ['500ms', 500],
    ['90s', 90_000],
    ['10m', 600_000],
    ['1.5h', 5_400_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['0s', 0],
  ] as const) {
    it(`"${text}" is ${ms} ms`, () => expect(readDuration(text, '--timeout')).to.equal(ms))
  }
  for (const text of ['', '5', '5x', '-5s', 's', '5 s', '1h30', '5s!', 'ten minutes', '1e3s', '25d']) {
    it(`"${text}" is none`, () => void refused(readDuration, text))
  }
  it('says that a unit is missing', () => {
    for (const text of ['5', '15', '1.5', '10.25']) expect(refused(readDuration, text).message, text).to.contain('has no unit')
    for (const text of ['', 'x5', '5x', '-5', '.5', '5.', '5.x', '1..5'])
      expect(refused(readDuration, text).message, text).to.contain('is not a duration')
  })
  it('has a longest, that of a timer', () => {
    expect(readDuration('2147483647ms', '--timeout')).to.equal(2_147_483_647)
    expect(refused(readDuration, '2147483648ms').message).to.contain('is too long; the longest is 24d')
  })
})

describe('dates', () => {
  for (const [text, full] of [
    ['2026-11-30', '2026-11-30T00:00:00+01:00'],
    ['2026-06-30', '2026-06-30T00:00:00+02:00'],
    ['2026-11-30T18:00', '2026-11-30T18:00:00+01:00'],
    ['2026-11-30 18:00', '2026-11-30T18:00:00+01:00'],
    ['2026-11-30T18:00:05', '2026-11-30T18:00:05+01:00'],
    ['2026-11-30T18:00Z', '2026-11-30T18:00:00Z'],
    ['2026-11-30T18:00:00.5-05:00', '2026-11-30T18:00:00.5-05:00'],
    ['2026-11-30T18:00:00.125Z', '2026-11-30T18:00:00.125Z'],
    ['2028-02-29', '2028-02-29T00:00:00+01:00'],
  ] as const) {
    it(`"${text}" is ${full}`, () => expect(readDateTime(text, '--since')).to.equal(full))
  }
  describe('from now', () => {
    // 02:30 in Sweden on the day after the clocks went back, when a day had 25 hours.
    const now = Date.parse('2026-10-26T01:30:00Z')
    for (const [text, direction, full] of [
      ['now', 'past', '2026-10-26T02:30:00+01:00'],
      ['today', 'past', '2026-10-26T00:00:00+01:00'],
      ['yesterday', 'past', '2026-10-25T00:00:00+02:00'],
      ['Tomorrow', 'future', '2026-10-27T00:00:00+01:00'],
      ['7d', 'past', '2026-10-19T03:30:00+02:00'],
      ['7d', 'future', '2026-11-02T02:30:00+01:00'],
      ['-12h', 'future', '2026-10-25T14:30:00+01:00'],
      ['+90m', 'past', '2026-10-26T04:00:00+01:00'],
      ['2026-11-30', 'past', '2026-11-30T00:00:00+01:00'],
      [' 1d ', 'past', '2026-10-25T02:30:00+01:00'],
    ] as const) {
      it(`"${text}" in the ${direction} is ${full}`, () =>
        expect(readDateTime(text, '--since', { now, direction })).to.equal(full))
    }
    it('a word that is no date is refused with words that are', () => {
      const read = (text: string, name: string) => readDateTime(text, name, { now, direction: 'past' })
      expect(refused(read, 'someday').hint).to.include('yesterday')
      for (const text of ['', '+', '7d x', 'x 7d', '++7d', '7d\n1d', 'x2026-11-30', '2026-11-30x']) refused(read, text)
      expect(refused(readDateTime, 'someday').hint, 'nothing is relative there').to.not.include('yesterday')
    })
  })

  for (const text of [
    '',
    'tomorrow',
    '30/11/2026',
    '2026-02-30',
    '2026-13-01',
    '2026-11-30T25:00',
    '2026-11-30T18',
    '2026-11-30T18:00+1',
    'x2026-11-30',
    '2026-11-30x',
    '2026-11-30T18:00:00.',
    '20261130',
  ]) {
    it(`"${text}" is none`, () => void refused(readDateTime, text))
  }

  it('refuses a local time that the clocks skip, and takes the later of one that occurs twice', () => {
    expect(() => readDateTime('2027-03-28T02:30', '--from')).to.throw(
      'does not exist in Sweden: the clocks go from 02:00 to 03:00 then',
    )
    expect(readDateTime('2027-03-28T03:00', '--from')).to.equal('2027-03-28T03:00:00+02:00')
    expect(readDateTime('2027-03-28T01:59', '--from')).to.equal('2027-03-28T01:59:00+01:00')
    expect(readDateTime('2026-10-25T02:30', '--from')).to.equal('2026-10-25T02:30:00+01:00')
    expect(readDateTime('2026-10-25T02:30+02:00', '--from')).to.equal('2026-10-25T02:30:00+02:00')
    expect(readDateTime('2026-11-30T24:00', '--from')).to.equal('2026-12-01T00:00:00+01:00')
  })
})

describe('prices in kronor', () => {
  for (const [text, kronor] of [
    ['499', 499],
    ['0', 0],
    ['1 234', 1234],
    ['1\u00a0234 kr', 1234],
    ['1234kr', 1234],
    ['1 234 567', 1_234_567],
  ] as const) {
    it(`"${text}" is ${kronor}`, () => expect(readKronor(text, '--price')).to.equal(kronor))
  }
  for (const text of ['', '199,90', '1.234', '1e3', '-5', '12 34', '1 2345', 'kr', '49.95', '2147483648', '0x10', '٤٩']) {
    it(`"${text}" is none`, () => void refused(readKronor, text))
  }
  it('never takes a decimal for a whole number', () => {
    fc.assert(
      fc.property(fc.nat({ max: 99_999 }), fc.constantFrom('.', ','), fc.integer({ min: 1, max: 99 }), (kronor, point, rest) => {
        refused(readKronor, `${kronor}${point}${rest}`)
      }),
    )
  })
})

describe('whole numbers', () => {
  it('reads any int of 32 bits and no other', () => {
    fc.assert(fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (value) => readInt(String(value), '--n') === value))
    for (const text of ['', '4.0', '4x', '1e3', '2147483648', '-2147483649', ' 4']) refused(readInt, text)
  })
  it('keeps to a range', () => {
    expect(readInt('65535', '--port', { min: 0, max: 65_535 })).to.equal(65_535)
    expect(() => readInt('65536', '--port', { min: 0, max: 65_535 })).to.throw(SellerError, 'between 0 and 65535')
  })
})
