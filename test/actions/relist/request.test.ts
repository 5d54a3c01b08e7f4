/** The request that puts an auction up again: ways of shipping as each edition of the service gives them. */
import { expect } from 'chai'
import { requestOf } from '../../../src/actions/relist/request.js'
import { itemOf } from '../../format/records.js'

describe('the request that puts an auction up again', () => {
  for (const [edition, way, sent] of [
    ['older, without providers', { ShippingOptionId: 12, Cost: 59 }, { ShippingOptionId: 12, Cost: 59 }],
    [
      'newer, by option',
      { ShippingOptionId: 12, Cost: 59, ShippingProviderId: null },
      { ShippingOptionId: 12, Cost: 59, ShippingProviderId: null },
    ],
    [
      'newer, by both',
      { ShippingOptionId: 12, Cost: 59, ShippingProviderId: 2 },
      { ShippingOptionId: null, Cost: 59, ShippingProviderId: 2 },
    ],
  ] as const) {
    it(`keeps a way of shipping of an edition that is ${edition}`, () => {
      const item = itemOf({ ShippingOptions: [way] as unknown as ReturnType<typeof itemOf>['ShippingOptions'] })
      expect(requestOf(item, 100).ShippingOptions).to.deep.equal([sent])
    })
  }
})
