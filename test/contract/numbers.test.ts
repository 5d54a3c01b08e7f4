import { expect } from 'chai'
import fc from 'fast-check'
import { amountText, countOf, thousands } from '../../src/contract/numbers.js'

describe('numbers in texts', () => {
  it('have groups of three, with a space between them and a plain minus sign', () => {
    expect([0, 7, 999, 1000, 12_345, 1_234_567, -999, -1000, 1234.5, -0.25].map(thousands)).to.deep.equal([
      '0',
      '7',
      '999',
      '1 000',
      '12 345',
      '1 234 567',
      '-999',
      '-1 000',
      '1 234.5',
      '-0.25',
    ])
  })

  it('say the same number', () => {
    fc.assert(fc.property(fc.integer(), (value) => Number(thousands(value).replaceAll(' ', '')) === value))
  })

  it('have a plural unless there is one', () => {
    expect([0, 1, 2, 5000].map((number) => countOf(number, 'row'))).to.deep.equal(['0 rows', '1 row', '2 rows', '5 000 rows'])
  })

  it('have their currency', () => {
    expect([0, 499, 1234, 249.5, -0.25].map((amount) => amountText(amount, 'kr'))).to.deep.equal([
      '0 kr',
      '499 kr',
      '1 234 kr',
      '249.50 kr',
      '-0.25 kr',
    ])
  })
})
