import { expect } from 'chai'
import { LiveShop } from '../../../src/jobs/discounts/index.js'
import { ItemCosts, PlanCosts } from '../../../src/pricing/index.js'

const cost = (ItemId: number, OwnReference: string) => ({
  ...{ ItemId, OwnReference, Since: 0, Cost: 5000, Lowest: null, Recommended: null },
})
const COSTS = new PlanCosts(new ItemCosts([cost(0, 'LAMP'), cost(3, ''), cost(4, '')]), 0.25)
const LIVE = [
  { Id: 1, ItemType: 'ShopItem', BuyItNowPrice: 100, OwnReferences: ['LAMP', 'A'] },
  { Id: 2, ItemType: 'ShopItem', BuyItNowPrice: 200, OwnReferences: ['CHAIR'] },
  { Id: 3, ItemType: 'ShopItem', BuyItNowPrice: null, OwnReferences: [] },
  { Id: 4, ItemType: 'ShopItem', BuyItNowPrice: 400 },
  { Id: 5, ItemType: 'Auction', BuyItNowPrice: 500, OwnReferences: ['LAMP'] },
  // The list may name an item twice while it changes.
  { Id: 1, ItemType: 'ShopItem', BuyItNowPrice: 999 },
]

describe('the live shop of discounts', () => {
  it('has the price of every shop item as it was listed first', async () => {
    const shop = await LiveShop.read(LIVE)
    expect([1, 2, 3, 4, 5, 6].map((id) => shop.priceOf(id))).to.deep.equal([100, 200, 0, 400, undefined, undefined])
    expect([...shop.items((id) => (id === 2 ? 0 : undefined))].map(({ Id, BuyItNowPrice }) => [Id, BuyItNowPrice])).to.deep.equal(
      [
        [1, 100],
        [2, 0],
        [3, 0],
        [4, 400],
      ],
    )
  })

  it('keeps own references only where a cost goes by them', async () => {
    const references = (shop: LiveShop) => [...shop.items()].map(({ OwnReferences }) => OwnReferences)
    expect(references(await LiveShop.read(LIVE, COSTS))).to.deep.equal([['LAMP', 'A'], undefined, undefined, undefined])
    expect(references(await LiveShop.read(LIVE))).to.deep.equal([undefined, undefined, undefined, undefined])
  })
})
