/** A factor that all prices of a file have against the live ones: net prices, a lost decimal sign, another currency. */
import { expect } from 'chai'
import { ratioOf } from '../../../src/pricing/plan/ratio.js'

/** Rows of a file, by the live price and that of the file. */
const rows = (...pairs: readonly (readonly [old: number, price: number])[]) =>
  pairs.map(([old, price]) => ({ old, row: { price } }))

describe('what all prices of a file have in common', () => {
  for (const [what, pairs, same, expected] of [
    // Swedish rates of VAT: 25, 12 and 6 %.
    [
      'net prices at 25 %',
      [
        [125, 100],
        [250, 200],
      ],
      0,
      { kind: 'vat', factor: 1.25, rows: 2, of: 2 },
    ],
    [
      'net prices at 12 %',
      [
        [112, 100],
        [224, 200],
      ],
      0,
      { kind: 'vat', factor: 1.12, rows: 2, of: 2 },
    ],
    [
      'net prices at 6 %',
      [
        [106, 100],
        [212, 200],
      ],
      0,
      { kind: 'vat', factor: 1.06, rows: 2, of: 2 },
    ],
    ['one price alone', [[125, 100]], 0, undefined],
    [
      'a tenth of the prices',
      [
        [100, 10],
        [250, 25],
        [990, 99],
      ],
      0,
      { kind: 'decimals', factor: 10, rows: 3, of: 3 },
    ],
    [
      'a hundredth',
      [
        [100, 1],
        [200, 2],
        [900, 9],
      ],
      0,
      { kind: 'decimals', factor: 100, rows: 3, of: 3 },
    ],
    [
      'ten times the prices',
      [
        [10, 100],
        [25, 250],
        [99, 990],
      ],
      0,
      { kind: 'decimals', factor: 0.1, rows: 3, of: 3 },
    ],
    [
      'a hundred times',
      [
        [10, 1000],
        [25, 2500],
        [99, 9900],
      ],
      0,
      { kind: 'decimals', factor: 0.01, rows: 3, of: 3 },
    ],
    [
      'a tenth of two',
      [
        [100, 10],
        [250, 25],
      ],
      0,
      undefined,
    ],
    // Euro at some 11.2 kr: the rate of the middle row is named.
    [
      'euro',
      [
        [1110, 100],
        [1120, 100],
        [2250, 200],
      ],
      0,
      { kind: 'currency', factor: 11.2, rows: 3, of: 3 },
    ],
    [
      'euro, in another order',
      [
        [2250, 200],
        [1110, 100],
        [1120, 100],
      ],
      0,
      { kind: 'currency', factor: 11.2, rows: 3, of: 3 },
    ],
    [
      'a rate at the lower bound',
      [
        [850, 100],
        [1700, 200],
        [425, 50],
      ],
      0,
      { kind: 'currency', factor: 8.5, rows: 3, of: 3 },
    ],
    [
      'a rate at the upper bound',
      [
        [1500, 100],
        [3000, 200],
        [750, 50],
      ],
      0,
      { kind: 'currency', factor: 15, rows: 3, of: 3 },
    ],
    [
      'a rate below any',
      [
        [840, 100],
        [1680, 200],
        [420, 50],
      ],
      0,
      undefined,
    ],
    [
      'a rate above any',
      [
        [1510, 100],
        [3020, 200],
        [755, 50],
      ],
      0,
      undefined,
    ],
    [
      'rates that differ',
      [
        [900, 100],
        [1120, 100],
        [1400, 100],
      ],
      0,
      undefined,
    ],
    [
      'four of five rows',
      [
        [125, 100],
        [250, 200],
        [375, 300],
        [500, 400],
        [90, 100],
      ],
      0,
      { kind: 'vat', factor: 1.25, rows: 4, of: 5 },
    ],
    [
      'three of five',
      [
        [125, 100],
        [250, 200],
        [375, 300],
        [90, 100],
        [80, 100],
      ],
      0,
      undefined,
    ],
    [
      'four rows beside one that stays',
      [
        [125, 100],
        [250, 200],
        [375, 300],
        [500, 400],
      ],
      1,
      { kind: 'vat', factor: 1.25, rows: 4, of: 5 },
    ],
    [
      'four rows beside two that stay',
      [
        [125, 100],
        [250, 200],
        [375, 300],
        [500, 400],
      ],
      2,
      undefined,
    ],
    [
      'rows without a live price',
      [
        [0, 100],
        [125, 100],
        [250, 200],
      ],
      0,
      { kind: 'vat', factor: 1.25, rows: 2, of: 2 },
    ],
  ] as const) {
    it(`of ${what} is ${expected === undefined ? 'nothing' : `${expected.kind}, ${expected.factor}`}`, () => {
      expect(ratioOf(rows(...pairs), same)).to.deep.equal(expected)
    })
  }

  it('leaves out a price that may pass', () => {
    const allowed = { old: 90, row: { price: 100, allow: 100 } }
    expect(ratioOf([...rows([125, 100], [250, 200]), allowed])).to.deep.include({ rows: 2, of: 2 })
  })
})
