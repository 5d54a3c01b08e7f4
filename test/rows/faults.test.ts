/** Faults of an input: in the order of its lines, in words, and as one where much is alike. */
import { expect } from 'chai'
import { FAULTS_SHOWN, FaultList, faultLines, faultText, InputRefused } from '../../src/rows/faults.js'
import type { RowFault } from '../../src/rows/types.js'
import { readCut } from '../pricing/support.js'
import { rejectedBy, thrownBy } from '../thrown.js'

const fault = (Line: number, Field: string | null, Value: string | null, Message = 'is wrong'): RowFault => ({
  Line,
  Field,
  Value,
  Message,
})
const refused = (
  list: readonly (readonly [line: number, field: string | null, value: unknown, message: string, kind?: string])[],
) => {
  const faults = new FaultList()
  for (const given of list) faults.add(...given)
  expect(faults.count).to.equal(list.length)
  return thrownBy(InputRefused, () => faults.refuse())
}

describe('a fault of an input', () => {
  for (const [given, text] of [
    [fault(7, 'Price', 'x'), 'line 7, Price "x": is wrong'],
    [fault(7, 'Price', null), 'line 7, Price: is wrong'],
    [fault(7, null, 'x'), 'line 7 "x": is wrong'],
    [fault(7, null, null), 'line 7: is wrong'],
    [fault(1, null, null), 'line 1: is wrong'],
    [fault(0, '--set', 'x'), '--set "x": is wrong'],
    [fault(0, null, 'x'), '"x": is wrong'],
    [fault(0, null, null), 'is wrong'],
    [fault(0, 'Price', ''), 'Price "": is wrong'],
  ] as const) {
    it(`is told as: ${text}`, () => {
      expect(faultText(given)).to.equal(text)
    })
  }

  it('quotes 60 characters of a value, whatever it is', () => {
    const values = ['x'.repeat(60), 'x'.repeat(61), { a: 1 }, [1], 5, null, undefined, '', true]
    expect(refused(values.map((value, at) => [at, null, value, 'is wrong'])).faults.map(({ Value }) => Value)).to.deep.equal([
      'x'.repeat(60),
      `${'x'.repeat(60)}…`,
      '{"a":1}',
      '[1]',
      '5',
      'null',
      null,
      '',
      'true',
    ])
    expect(refused([[1, null, Symbol('s'), 'is wrong']]).faults[0]?.Value).to.equal('Symbol(s)')
  })
})

describe('the faults of an input', () => {
  it('refuse nothing where there are none', () => {
    const none = new FaultList()
    none.refuse()
    expect(none.count).to.equal(0)
  })

  it('come by line, whenever they were found', () => {
    const error = refused([
      [9, 'Id', 1, 'comes late'],
      [3, 'Price', 'x', 'is wrong'],
      [0, null, undefined, 'lacks a column'],
      [5, 'Price', 'y', 'is wrong'],
    ])
    expect(error.faults.map(({ Line }) => Line)).to.deep.equal([0, 3, 5, 9])
    expect(error.kinds.map(({ count, examples }) => [count, ...examples.map(({ Line }) => Line)])).to.deep.equal([
      [1, 0],
      [2, 3, 5],
      [1, 9],
    ])
    expect(error.message).to.equal(
      [
        'The input is refused for 4 faults, nothing was sent:',
        'lacks a column',
        'line 3, Price "x": is wrong',
        'line 5, Price "y": is wrong',
        'line 9, Id "1": comes late',
      ].join('\n'),
    )
    expect([error.count, error.name]).to.deep.equal([4, 'InputRefused'])
  })

  it('of one kind have their examples by line too', () => {
    const error = refused([
      [9, 'Price', 'x', 'is wrong'],
      [3, 'Price', 'y', 'is wrong'],
      [5, 'Price', 'z', 'is wrong'],
    ])
    expect(error.kinds).to.have.length(1)
    expect(error.kinds[0]?.examples.map(({ Line }) => Line)).to.deep.equal([3, 5, 9])
  })

  it('say of a single one that it is one', () => {
    expect(refused([[3, 'Price', 'x', 'is wrong']]).message).to.equal(
      'The input is refused, nothing was sent:\nline 3, Price "x": is wrong',
    )
  })

  it('are one where four or more are alike: their kind and their column count, not their words', () => {
    const alike = (count: number) =>
      Array.from({ length: count }, (_, at) => [at + 2, 'Price', `v${at}`, `is 1${at} "name ${at}" of 3`, 'is of 3'] as const)
    expect(refused(alike(3)).message.split('\n').slice(1)).to.deep.equal([
      'line 2, Price "v0": is 10 "name 0" of 3',
      'line 3, Price "v1": is 11 "name 1" of 3',
      'line 4, Price "v2": is 12 "name 2" of 3',
    ])
    expect(refused(alike(4)).message.split('\n').slice(1)).to.deep.equal([
      'line 2, Price "v0": is 10 "name 0" of 3 (4 faults of this kind; also line 3, Price "v1" and line 4, Price "v2")',
    ])
    const many = refused(alike(12))
    expect(many.message).to.include('(12 faults of this kind; also line 3, Price "v1" and line 4, Price "v2")')
    expect(many.kinds[0]?.examples).to.have.length(4)
    const columns = ['Price', 'Id', null, 'Title'].map((field, at) => [at, field, 'x', 'is wrong'] as const)
    expect(refused(columns).kinds).to.have.length(4)
  })

  for (const [what, rows] of [
    ['prices with öre', ['1001,"499,50"', '1002,"12,5"', '1003,"7,25"', '1004,"1234,5"']],
    ['prices that begin with a zero', ['1001,0499', '1002,012', '1003,07', '1004,01234']],
    ['rows of other lengths', ['1001', '1002,1,2', '1003,1,2,3', '1004,1,2,3,4']],
    ['items named again', ['1001,5', '1002,5', '1003,5', '1004,5', '1001,5', '1002,5', '1003,5', '1004,5']],
  ] as const) {
    it(`are one kind for ${what}`, async () => {
      const { kinds } = await rejectedBy(InputRefused, readCut(`Id,Price\n${rows.join('\n')}\n`))
      expect(kinds.map(({ count }) => count)).to.deep.equal([4])
      expect(new Set(kinds[0]?.examples.map(({ Message }) => Message)).size).to.equal(4)
    })
  }

  it('are kept up to fifty, and fifty kinds; the others are counted', () => {
    const kinds = (count: number) =>
      Array.from({ length: count }, (_, at) => [at + 1, `Field${'x'.repeat(at)}`, 'x', 'is wrong'] as const)
    const [fifty, more] = [refused(kinds(50)), refused(kinds(53))]
    expect([fifty.faults.length, fifty.kinds.length, fifty.message.includes('more.')]).to.deep.equal([50, 50, false])
    expect([more.faults.length, more.kinds.length, more.count]).to.deep.equal([FAULTS_SHOWN, 50, 53])
    expect(more.message.split('\n').at(-1)).to.equal('… and 3 more.')
    expect(refused(kinds(51)).message).to.match(/\n… and 1 more\.$/)
    // A kind that is kept counts on beyond the fiftieth.
    const first = refused([...kinds(52), [99, 'Field', 'y', 'is wrong']])
    expect([first.kinds[0]?.count, first.kinds[0]?.examples.map(({ Line }) => Line)]).to.deep.equal([2, [1, 99]])
  })

  it('are in rows of a sheet, and a kind without an example is not written at all', () => {
    expect(
      faultLines(
        [
          { kind: 'x', count: 1, examples: [fault(3, 'Price', 'x')] },
          { kind: 'y', count: 0, examples: [] },
        ],
        1,
        'row',
      ),
    ).to.deep.equal([faultText(fault(3, 'Price', 'x'), 'row')])
  })
})
