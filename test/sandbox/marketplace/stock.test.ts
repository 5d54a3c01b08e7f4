import { expect } from 'chai'
import { dateTimeOf } from '../../../src/contract/index.js'
import { openedForEach } from '../../opened.js'
import { DAY, Market, member, SECOND, SHOP_ITEM, START } from './market.js'

/** Ids of the caller's active shop items, of an auction of the caller's, and of a shop item of another seller. */
function idsOf(market: Market) {
  const [a = 0, b = 0, c = 0] = market.items({ filterItemType: 'ShopItem', filterActive: 'Active' }).map((item) => item.Id)
  const auction = market.items({ filterItemType: 'Auction' })[0]?.Id ?? 0
  const other = market.items({ filterItemType: 'ShopItem' }, member(SECOND))[0]?.Id ?? 0
  return { a, b, c, auction, other }
}

describe('sandbox/marketplace: SetQuantityOnShopItems', () => {
  const market = openedForEach(() => new Market())
  const set = (ShopItems: { Id: number; Quantity: number }[]) => {
    const answer = market.call('SetQuantityOnShopItems', { request: { ShopItems } })
    if (answer === null) throw new Error('SetQuantityOnShopItems answered nothing.')
    return answer
  }

  it('sets the numbers at once and keeps what was sold', () => {
    const shelf = market.items({ filterItemType: 'ShopItem', filterActive: 'Active' })
    const selling = shelf.find((item) => item.StartQuantity > item.RemainingQuantity)
    const other = shelf.find((item) => item !== selling)
    if (selling === undefined || other === undefined) throw new Error('No shop item has been sold in part.')
    const sold = selling.StartQuantity - selling.RemainingQuantity
    expect(
      set([
        { Id: selling.Id, Quantity: 7 },
        { Id: other.Id, Quantity: 0 },
      ]),
    ).to.deep.equal({ SuccessfulUpdates: 2, ValidationErrors: [] })
    expect(market.item(selling.Id)).to.include({ RemainingQuantity: 7, StartQuantity: 7 + sold })
    expect(market.item(other.Id).RemainingQuantity).to.equal(0)
  })

  it('lists what cannot be set in ValidationErrors and sets the rest', () => {
    const { a, b, auction, other } = idsOf(market)
    const untouched = market.item(b).RemainingQuantity
    const answer = set([
      { Id: 5, Quantity: 1 },
      { Id: a, Quantity: 8 },
      { Id: auction, Quantity: 1 },
      { Id: other, Quantity: 1 },
      { Id: b, Quantity: -1 },
      { Id: a, Quantity: 9 },
    ])
    expect(answer.SuccessfulUpdates).to.equal(1)
    expect(answer.ValidationErrors.map(({ Item, ErrorMessage }) => [Item?.Id, Item?.Quantity, ErrorMessage])).to.deep.equal([
      [5, 1, 'Shop item with id 5 does not exist for user 1001.'],
      [auction, 1, `Shop item with id ${auction} does not exist for user 1001.`],
      [other, 1, `Shop item with id ${other} does not exist for user 1001.`],
      [b, -1, 'The quantity -1 is not allowed; it is 0 or more.'],
      [a, 9, `Shop item with id ${a} occurs more than once in the call; its first entry is used.`],
    ])
    expect([market.item(a).RemainingQuantity, market.item(b).RemainingQuantity]).to.deep.equal([8, untouched])
  })
})

describe('sandbox/marketplace: SetActivateDateOnShopItems', () => {
  const market = openedForEach(() => new Market())
  const set = (entries: readonly (readonly [id: number, at: number])[]) => {
    const ShopItems = entries.map(([Id, at]) => ({ Id, ActivateDate: dateTimeOf(at) }))
    const answer = market.call('SetActivateDateOnShopItems', { request: { ShopItems } })
    if (answer === null) throw new Error('SetActivateDateOnShopItems answered nothing.')
    return answer
  }
  const isActive = (id: number) => market.items({ filterActive: 'Active' }).some((item) => item.Id === id)

  it('queues one request for each item, and hides the item until its date', () => {
    const { a, b } = idsOf(market)
    const answer = set([
      [a, START + DAY],
      [b, START + 2 * DAY],
    ])
    expect(answer.ValidationErrors).to.deep.equal([])
    expect(answer.QueuedRequestResponses.map(({ ItemId }) => ItemId)).to.deep.equal([a, b])
    const requestIds = answer.QueuedRequestResponses.map(({ RequestId }) => RequestId)
    expect(new Set(requestIds).size).to.equal(2)
    expect([isActive(a), isActive(b)], 'before they are processed').to.deep.equal([true, true])
    market.pass()
    expect(market.call('GetRequestResults', { requestIds }).map(({ ResultCode }) => ResultCode)).to.deep.equal(['Ok', 'Ok'])
    expect([isActive(a), isActive(b)]).to.deep.equal([false, false])
    expect(market.item(a).StartDate).to.equal(dateTimeOf(START + DAY))
    market.now = START + DAY
    expect([isActive(a), isActive(b)]).to.deep.equal([true, false])
  })

  it('lists what cannot be queued in ValidationErrors', () => {
    const { a, b, other } = idsOf(market)
    const at = START + DAY
    const answer = set([
      [5, at],
      [other, at],
      [b, START],
      [a, at],
      [a, at],
    ])
    expect(answer.QueuedRequestResponses.map(({ ItemId }) => ItemId)).to.deep.equal([a])
    expect(answer.ValidationErrors.map(({ Item, ErrorMessage }) => [Item?.Id, ErrorMessage])).to.deep.equal([
      [5, 'Shop item with id 5 does not exist for user 1001.'],
      [other, `Shop item with id ${other} does not exist for user 1001.`],
      [b, `The activate date ${dateTimeOf(START)} does not lie in the future.`],
      [a, `Shop item with id ${a} occurs more than once in the call; its first entry is used.`],
    ])
  })

  it('ends as UpdateNotAllowed for an item that ends before the date, and sets the others', () => {
    const { a } = idsOf(market)
    const ending = market.call('AddShopItem', { shopItemData: { ...SHOP_ITEM, DeactivateDate: dateTimeOf(START + DAY) } })
    market.pass()
    const id = ending?.ItemId ?? 0
    const before = market.item(id).StartDate
    const { QueuedRequestResponses: queued } = set([
      [id, START + 2 * DAY],
      [a, START + 2 * DAY],
    ])
    market.pass()
    const results = market.call('GetRequestResults', { requestIds: queued.map(({ RequestId }) => RequestId) })
    expect(results.map(({ ResultCode }) => ResultCode)).to.deep.equal(['UpdateNotAllowed', 'Ok'])
    expect(market.item(id).StartDate).to.equal(before)
    expect(market.item(a).StartDate).to.equal(dateTimeOf(START + 2 * DAY))
  })

  it('does not change an item whose request ends with a drawn result code', () => {
    const { a } = idsOf(market)
    const before = market.item(a).StartDate
    market.marketplace.settings.queueCodes = [{ codes: 'Error TryAgain', probability: 1 }]
    const { QueuedRequestResponses: queued } = set([[a, START + DAY]])
    market.pass()
    expect(market.result(queued[0]?.RequestId ?? 0)?.ResultCode).to.equal('Error TryAgain')
    expect(market.item(a).StartDate).to.equal(before)
  })
})
