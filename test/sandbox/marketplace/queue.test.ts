import { expect } from 'chai'
import { closing, openedForEach } from '../../opened.js'
import { AUCTION, Market, ME, member, SECOND, SHOP_ITEM } from './market.js'

describe('sandbox/marketplace: GetRequestResults', () => {
  const market = openedForEach(() => new Market())
  const addShopItem = () => market.call('AddShopItem', { shopItemData: SHOP_ITEM })?.RequestId ?? 0
  const shelf = (count: number) => market.items({ filterItemType: 'ShopItem', filterActive: 'Active' }).slice(0, count)

  it('leaves out ids that have no result, are unknown, or occur again; keeps the order asked for', () => {
    const first = addShopItem()
    market.pass()
    const second = addShopItem()
    const later = market.call('AddItem', { itemRequest: { ...AUCTION, AutoCommit: false } })?.RequestId ?? 0
    const results = market.call('GetRequestResults', { requestIds: [later, second, 5, first, first, 999_999_999] })
    expect(results.map((result) => [result.RequestId, result.ResultCode])).to.deep.equal([
      [later, 'Uncommited'],
      [first, 'Ok'],
    ])
  })

  it('gives none for no ids', () => {
    expect(market.call('GetRequestResults', { requestIds: [] })).to.deep.equal([])
    expect(market.call('GetRequestResults', {})).to.deep.equal([])
  })

  it('tells only the caller’s own requests', () => {
    const id = addShopItem()
    market.pass()
    expect(market.result(id)?.ResultCode).to.equal('Ok')
    expect(market.result(id, member(SECOND))).to.equal(undefined)
  })

  it('waits as long as the queue’s delay says, and settles without being asked for results', () => {
    market.marketplace.settings.queueDelayMs = 60_000
    const [item] = shelf(1)
    market.call('SetPriceOnShopItems', { request: { ShopItems: [{ Id: item?.Id ?? 0, Price: 3 }] } })
    market.pass(59_999)
    expect(market.item(item?.Id ?? 0).BuyItNowPrice).to.equal(item?.BuyItNowPrice)
    market.pass(1)
    expect(market.marketplace.console.requests(1)[0]).to.include({ state: 'finished', resultCode: 'Ok' })
    expect(market.item(item?.Id ?? 0).BuyItNowPrice).to.equal(3)
  })

  for (const codes of ['Error TryAgain', 'Timeout', 'ImageProcessingError', 'UpdateNotAllowed']) {
    it(`ends every request as ${codes} when told so, with a message, and applies none`, () => {
      market.marketplace.settings.queueCodes = [{ codes, probability: 1 }]
      const [a, b] = shelf(2)
      const before = market.items().length
      const priced = market.call('SetPriceOnShopItems', { request: { ShopItems: [{ Id: a?.Id ?? 0, Price: 3 }] } })
      const requestIds = [
        addShopItem(),
        market.call('AddItem', { itemRequest: AUCTION })?.RequestId ?? 0,
        market.call('RemoveShopItem', { shopItemId: b?.Id ?? 0 })?.RequestId ?? 0,
        priced?.QueuedRequestResponses[0]?.RequestId ?? 0,
      ]
      market.pass()
      const results = market.call('GetRequestResults', { requestIds })
      expect(results.map((result) => result.ResultCode)).to.deep.equal([codes, codes, codes, codes])
      expect(results.every((result) => (result.Message ?? '') !== '')).to.equal(true)
      expect(market.items()).to.have.length(before)
      expect(market.item(a?.Id ?? 0).BuyItNowPrice).to.equal(a?.BuyItNowPrice)
      expect(market.item(b?.Id ?? 0).Status?.Ended).to.equal(false)
    })
  }

  it('draws by its seed: about as many as said, the same ones for the same seed, each entry of a call by itself', () => {
    const draw = (seed: number) => {
      using other = closing(
        new Market({
          seed,
          queueCodes: [
            { codes: 'Timeout', probability: 0.2 },
            { codes: 'Error TryAgain', probability: 0.1 },
          ],
        }),
      )
      const { first } = other.grow(500)
      const entries = Array.from({ length: 500 }, (_, index) => ({ Id: first + index, Price: 1 }))
      const answer = other.call('SetPriceOnShopItems', { request: { ShopItems: entries } })
      other.pass()
      const requestIds = answer?.QueuedRequestResponses.map((response) => response.RequestId) ?? []
      const results = other.call('GetRequestResults', { requestIds })
      results.forEach((result, index) => {
        const { BuyItNowPrice } = other.item(first + index)
        if (index % 25 === 0) expect(BuyItNowPrice === 1).to.equal(result.ResultCode === 'Ok')
      })
      return results.map((result) => result.ResultCode)
    }
    const codes = draw(7)
    const count = (code: string) => codes.filter((found) => found === code).length
    expect(count('Timeout')).to.be.within(70, 130)
    expect(count('Error TryAgain')).to.be.within(25, 75)
    expect(count('Ok')).to.be.within(310, 390)
    expect(draw(7)).to.deep.equal(codes)
    expect(draw(8)).to.not.deep.equal(codes)
  })

  it('shows the queue moving to a console', () => {
    const waiting = market.call('AddItem', { itemRequest: { ...AUCTION, AutoCommit: false } })
    addShopItem()
    const { first } = market.grow(3)
    const entries = [0, 1, 2].map((index) => ({ Id: first + index, Price: 2 }))
    market.call('SetPriceOnShopItems', { request: { ShopItems: entries } })
    const shown = () =>
      market.marketplace.console
        .requests(10)
        .map(({ operation, count, state, resultCode }) => [operation, count, state, resultCode])
    expect(shown()).to.deep.equal([
      ['SetPriceOnShopItems', 3, 'waiting', undefined],
      ['AddShopItem', 1, 'waiting', undefined],
      ['AddItem', 1, 'uncommited', 'Uncommited'],
    ])
    market.pass()
    expect(shown()).to.deep.equal([
      ['SetPriceOnShopItems', 3, 'finished', 'Ok'],
      ['AddShopItem', 1, 'finished', 'Ok'],
      ['AddItem', 1, 'uncommited', 'Uncommited'],
    ])
    expect(market.marketplace.console.requests(1)).to.have.length(1)
    expect(market.marketplace.console.requests(3)[2]).to.include({ itemId: waiting?.ItemId, userId: ME.userId, dueAt: null })
  })
})
