import { expect } from 'chai'
import { refuseBinding } from '../../../src/actions/jobs/binding.js'
import type { Context } from '../../../src/cli/context.js'
import { SellerError } from '../../../src/cli/errors.js'

type Binding = Context['profile']['settings']['binding']

const on = (binding: Binding) => ({ profile: { name: 'plain', settings: { binding } } }) as Pick<Context, 'profile'>

describe('the binding of a bulk job', () => {
  for (const binding of ['get', 'post'] as const) {
    it(`${binding} carries removals and auction prices, and refuses the rest by name`, () => {
      for (const kind of ['remove', 'auction-price'] as const) expect(() => refuseBinding(on(binding), kind)).to.not.throw()
      for (const [kind, operation] of [
        ['price', 'SetPriceOnShopItems'],
        ['add-shop', 'AddShopItem'],
        ['add-item', 'AddItem'],
      ] as const) {
        expect(() => refuseBinding(on(binding), kind)).to.throw(
          SellerError,
          `${operation} sends more than text, and the binding ${binding} of profile "plain"`,
        )
      }
    })
  }

  it('of SOAP, or none named, carries all', () => {
    for (const binding of ['soap12', 'soap11', undefined] as const) {
      for (const kind of ['price', 'add-shop', 'add-item'] as const) expect(() => refuseBinding(on(binding), kind)).to.not.throw()
    }
  })
})
