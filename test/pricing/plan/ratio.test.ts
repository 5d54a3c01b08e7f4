/** A factor that all prices of a file have against the live ones: net prices, a lost decimal sign, another currency. */
import { expect } from 'chai'
import { ratioOf } from '../../../src/pricing/plan/ratio.js'

interface Case {
  readonly what: string
  readonly live: readonly number[]
  readonly file: readonly number[]
  readonly same?: number
  readonly found?: { readonly kind: string; readonly factor: number; readonly rows: number; readonly of: number }
}

/** The live prices and those of the file, row by row; rows whose price stays the same; none is found without `found`. */
const CASES: readonly Case[] = [
  // Swedish rates of VAT: 25, 12 and 6 %.
  { what: 'net prices at 25 %', live: [125, 250], file: [100, 200], found: { kind: 'vat', factor: 1.25, rows: 2, of: 2 } },
  { what: 'net prices at 12 %', live: [112, 224], file: [100, 200], found: { kind: 'vat', factor: 1.12, rows: 2, of: 2 } },
  { what: 'net prices at 6 %', live: [106, 212], file: [100, 200], found: { kind: 'vat', factor: 1.06, rows: 2, of: 2 } },
  { what: 'one price alone', live: [125], file: [100] },
  {
    what: 'a tenth of the prices',
    live: [100, 250, 990],
    file: [10, 25, 99],
    found: { kind: 'decimals', factor: 10, rows: 3, of: 3 },
  },
  { what: 'a hundredth', live: [100, 200, 900], file: [1, 2, 9], found: { kind: 'decimals', factor: 100, rows: 3, of: 3 } },
  {
    what: 'ten times the prices',
    live: [10, 25, 99],
    file: [100, 250, 990],
    found: { kind: 'decimals', factor: 0.1, rows: 3, of: 3 },
  },
  {
    what: 'a hundred times',
    live: [10, 25, 99],
    file: [1000, 2500, 9900],
    found: { kind: 'decimals', factor: 0.01, rows: 3, of: 3 },
  },
  { what: 'a tenth of two', live: [100, 250], file: [10, 25] },
  // Euro at some 11.2 kr: the rate of the middle row is named.
  { what: 'euro', live: [1110, 1120, 2250], file: [100, 100, 200], found: { kind: 'currency', factor: 11.2, rows: 3, of: 3 } },
  {
    what: 'euro, in another order',
    live: [2250, 1110, 1120],
    file: [200, 100, 100],
    found: { kind: 'currency', factor: 11.2, rows: 3, of: 3 },
  },
  {
    what: 'a rate at the lower bound',
    live: [850, 1700, 425],
    file: [100, 200, 50],
    found: { kind: 'currency', factor: 8.5, rows: 3, of: 3 },
  },
  {
    what: 'a rate at the upper bound',
    live: [1500, 3000, 750],
    file: [100, 200, 50],
    found: { kind: 'currency', factor: 15, rows: 3, of: 3 },
  },
  { what: 'a rate below any', live: [840, 1680, 420], file: [100, 200, 50] },
  { what: 'a rate above any', live: [1510, 3020, 755], file: [100, 200, 50] },
  { what: 'rates that differ', live: [900, 1120, 1400], file: [100, 100, 100] },
  {
    what: 'four of five rows',
    live: [125, 250, 375, 500, 90],
    file: [100, 200, 300, 400, 100],
    found: { kind: 'vat', factor: 1.25, rows: 4, of: 5 },
  },
  { what: 'three of five', live: [125, 250, 375, 90, 80], file: [100, 200, 300, 100, 100] },
  {
    what: 'four rows beside one that stays',
    live: [125, 250, 375, 500],
    file: [100, 200, 300, 400],
    same: 1,
    found: { kind: 'vat', factor: 1.25, rows: 4, of: 5 },
  },
  { what: 'four rows beside two that stay', live: [125, 250, 375, 500], file: [100, 200, 300, 400], same: 2 },
  {
    what: 'rows without a live price',
    live: [0, 125, 250],
    file: [100, 100, 200],
    found: { kind: 'vat', factor: 1.25, rows: 2, of: 2 },
  },
]

/** Rows of a file, by the live prices and those of the file. */
const rows = (live: readonly number[], file: readonly number[]) =>
  live.map((old, at) => ({ old, row: { price: file[at] as number } }))

describe('what all prices of a file have in common', () => {
  for (const { what, live, file, same, found } of CASES) {
    it(`of ${what} is ${found === undefined ? 'nothing' : `${found.kind}, ${found.factor}`}`, () => {
      expect(ratioOf(rows(live, file), same ?? 0)).to.deep.equal(found)
    })
  }

  it('leaves out a price that may pass', () => {
    const allowed = { old: 90, row: { price: 100, allow: 100 } }
    expect(ratioOf([...rows([125, 250], [100, 200]), allowed])).to.deep.include({ rows: 2, of: 2 })
  })
})
