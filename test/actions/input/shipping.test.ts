import { expect } from 'chai'
import { readShipping } from '../../../src/actions/input/shipping.js'
import type { SellerError } from '../../../src/cli/errors.js'

function refusal(text: string): SellerError {
  try {
    readShipping(text, '--shipping')
  } catch (error) {
    return error as SellerError
  }
  throw new Error('It was read.')
}

describe('--shipping', () => {
  it('reads all parts, in any order and case', () => {
    expect(readShipping('cost=59, Provider=12,weight=0.5,product=3,surcharge=5,discount=2', '--shipping')).to.deep.equal({
      ShippingProviderId: 12,
      Cost: 59,
      ShippingWeight: 0.5,
      ShippingProductId: 3,
      SellerSurcharge: 5,
      SellerDiscount: 2,
    })
    expect(readShipping('option=8', '--shipping')).to.deep.equal({ ShippingOptionId: 8, Cost: 0 })
    expect(readShipping('Pickup', '--shipping')).to.deep.equal({ ShippingOptionId: 8, Cost: 0 })
  })

  for (const [text, word] of [
    ['', 'empty part'],
    ['12', '"12"'],
    ['provider=12,,cost=5', 'empty part'],
    ['provder=12', 'Did you mean provider?'],
    ['provider=1,provider=2', 'twice'],
    ['provider=x', '--shipping provider: "x"'],
    ['provider=1,cost=5.50', '--shipping cost: "5.50"'],
    ['provider=1,weight=0,5', '"5"'],
    ['provider=1,weight=-1', '"-1"'],
    ['constructor=1', '"constructor"'],
  ] as const) {
    it(`refuses "${text}"`, () => {
      const error = refusal(text)
      expect(error.exitCode).to.equal(2)
      expect(`${error.message} ${error.hint}`).to.include(word)
    })
  }
})
