import { expect } from 'chai'
import { type ItemFilter, itemQuery } from '../../../src/actions/items/filter.js'

describe('the filter of items:list', () => {
  const asked = (type: ItemFilter['type']) => itemQuery({ type, state: 'active' }).params.filterItemType

  it('takes a seller’s words for a type, and the names that JSON shows', () => {
    for (const [word, name] of [
      ['auction', 'Auction'],
      ['buy-now', 'PureBuyItNow'],
      ['shop', 'ShopItem'],
    ] as const) {
      expect(asked(word)).to.equal(name)
      expect(asked(name)).to.equal(name)
    }
  })
})
