/** Cells that name what the service knows by number. */
import { expect } from 'chai'
import { type FoundNames, keyOf, namesIn, readNamed } from '../../src/rows/named.js'

const FOUND: FoundNames = new Map([
  [keyOf('CategoryId', 'Lampor'), { value: 1612 }],
  [keyOf('PaymentOptionIds', 'Kort'), { value: 7 }],
  [keyOf('PaymentOptionIds', 'Check'), { why: 'is no way to pay' }],
  [keyOf('ShippingOptions', 'Brev'), { value: { ShippingOptionId: 2 } }],
])

describe('cells that name things', () => {
  for (const [field, cell, names, read] of [
    ['CategoryId', ' Lampor ', ['Lampor'], { value: 1612 }],
    ['CategoryId', 'Lampor|Vaser', ['Lampor|Vaser'], undefined],
    ['CategoryId', '1612', [], undefined],
    ['CategoryId', 1612, [], undefined],
    ['PaymentOptionIds', ' Kort | 3 ', ['Kort'], { value: [7, 3] }],
    ['PaymentOptionIds', ['3', 'Kort', 4], ['Kort'], { value: [3, 7, 4] }],
    ['PaymentOptionIds', 'Kort|Check', ['Kort', 'Check'], { why: 'is no way to pay' }],
    ['PaymentOptionIds', 'Kort|Swish', ['Kort', 'Swish'], undefined],
    ['PaymentOptionIds', '1|3', [], undefined],
    ['PaymentOptionIds', 3, [], undefined],
    [
      'ShippingOptions',
      ['Brev', { ShippingOptionId: 5 }],
      ['Brev'],
      { value: [{ ShippingOptionId: 2 }, { ShippingOptionId: 5 }] },
    ],
    // JSON has ids.
    ['ShippingOptions', ' [{"ShippingOptionId":5}]', [], undefined],
    ['ShippingOptions', '{"ShippingOptionId":5}', [], undefined],
    ['ShippingOptions', 'Brev [x]', ['Brev [x]'], undefined],
    ['Title', 'Lampor', [], undefined],
  ] as const) {
    it(`${field} ${JSON.stringify(cell)}`, () => {
      expect(namesIn(field, cell)).to.deep.equal(names)
      expect(readNamed(field, cell, FOUND)).to.deep.equal(read)
    })
  }
})
