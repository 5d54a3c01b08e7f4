import { expect } from 'chai'
import { instantOf } from '../../../src/contract/index.js'
import { openedForEach } from '../../opened.js'
import { Market, MINUTE, member, SECOND } from './market.js'

describe('sandbox/marketplace: SetPriceOnShopItems', () => {
  const market = openedForEach(() => new Market())
  const set = (ShopItems: { Id: number; Price: number }[]) => {
    const answer = market.call('SetPriceOnShopItems', { request: { ShopItems } })
    if (answer === null) throw new Error('SetPriceOnShopItems answered nothing.')
    return answer
  }
  const shelf = () => market.items({ filterItemType: 'ShopItem', filterActive: 'Active' }).map((item) => item.Id)

  it('queues one request for each item and sets the prices when they are due', () => {
    const [a = 0, b = 0, c = 0] = shelf()
    const before = [a, b, c].map((id) => market.item(id).BuyItNowPrice)
    const answer = set([
      { Id: a, Price: 11 },
      { Id: b, Price: 22 },
      { Id: c, Price: 33 },
    ])
    expect(answer.ValidationErrors).to.deep.equal([])
    expect(answer.QueuedRequestResponses.map((response) => response.ItemId)).to.deep.equal([a, b, c])
    const requestIds = answer.QueuedRequestResponses.map((response) => response.RequestId)
    expect(new Set(requestIds).size).to.equal(3)
    expect(market.call('GetRequestResults', { requestIds })).to.deep.equal([])
    expect([a, b, c].map((id) => market.item(id).BuyItNowPrice)).to.deep.equal(before)
    market.pass()
    expect(market.call('GetRequestResults', { requestIds })).to.deep.equal(
      requestIds.map((RequestId) => ({ RequestId, ResultCode: 'Ok' })),
    )
    expect([a, b, c].map((id) => market.item(id).BuyItNowPrice)).to.deep.equal([11, 22, 33])
  })

  it('lists what cannot be in ValidationErrors and queues the rest', () => {
    const [a = 0, b = 0] = shelf()
    const auction = market.items({ filterItemType: 'Auction' })[0]?.Id ?? 0
    const other = market.items({ filterItemType: 'ShopItem' }, member(SECOND))[0]?.Id ?? 0
    const answer = set([
      { Id: 5, Price: 10 },
      { Id: a, Price: 10 },
      { Id: auction, Price: 10 },
      { Id: other, Price: 10 },
      { Id: b, Price: 0 },
      { Id: a, Price: 20 },
    ])
    expect(answer.QueuedRequestResponses.map((response) => response.ItemId)).to.deep.equal([a])
    expect(answer.ValidationErrors.map(({ Item, ErrorMessage }) => [Item?.Id, Item?.Price, ErrorMessage])).to.deep.equal([
      [5, 10, 'Shop item with id 5 does not exist for user 1001.'],
      [auction, 10, `Shop item with id ${auction} does not exist for user 1001.`],
      [other, 10, `Shop item with id ${other} does not exist for user 1001.`],
      [b, 0, 'The price 0 is not allowed; prices are whole kronor, at least 1.'],
      [a, 20, `Shop item with id ${a} occurs more than once in the call; its first price is used.`],
    ])
    const untouched = market.item(b).BuyItNowPrice
    market.pass()
    expect(market.item(a).BuyItNowPrice).to.equal(10)
    expect(market.item(b).BuyItNowPrice).to.equal(untouched)
  })

  it('takes 500 entries and refuses 501, or whatever limit is set', () => {
    const [a = 0] = shelf()
    const { first } = market.grow(501)
    const entries = Array.from({ length: 501 }, (_, index) => ({ Id: first + index, Price: 7 }))
    expect(set(entries.slice(0, 500)).QueuedRequestResponses).to.have.length(500)
    expect(market.fault('SetPriceOnShopItems', { request: { ShopItems: entries } })).to.include({
      family: 'invalid',
      message: 'Request data is not valid:\nToo many shop items: 501 were sent, at most 500 are allowed in one call.',
    })
    market.marketplace.settings.maxItemsPerCall = 1
    expect(market.fault('SetPriceOnShopItems', { request: { ShopItems: entries.slice(0, 2) } }).message).to.match(/at most 1 /)
    expect(set([{ Id: a, Price: 5 }]).QueuedRequestResponses).to.have.length(1)
  })

  it('takes an empty list for nothing to do, and refuses no request at all', () => {
    const nothing = { QueuedRequestResponses: [], ValidationErrors: [] }
    expect(set([])).to.deep.equal(nothing)
    expect(market.call('SetPriceOnShopItems', { request: {} })).to.deep.equal(nothing)
    expect(market.fault('SetPriceOnShopItems', {}).message).to.equal('Request data is not valid:\nrequest: is missing.')
  })

  it('applies calls in the order they came', () => {
    const [a = 0] = shelf()
    for (const Price of [10, 30, 20]) set([{ Id: a, Price }])
    market.pass()
    expect(market.item(a).BuyItNowPrice).to.equal(20)
  })

  it('is quick enough for a whole shop: 20 calls of 500 items and their results', () => {
    let price = 99
    /** @returns processor time in µs, which other processes do not lengthen */
    const priced = (first: number, calls: number): number => {
      const before = process.cpuUsage()
      const requestIds: number[] = []
      price += 1
      for (let call = 0; call < calls; call++) {
        const entries = Array.from({ length: 500 }, (_, index) => ({ Id: first + call * 500 + index, Price: price }))
        requestIds.push(...set(entries).QueuedRequestResponses.map((response) => response.RequestId))
      }
      market.pass()
      const results = market.call('GetRequestResults', { requestIds })
      const { user, system } = process.cpuUsage(before)
      expect(results).to.have.length(calls * 500)
      expect(results.every((result) => result.ResultCode === 'Ok')).to.equal(true)
      return user + system
    }
    const small = market.grow(2500).first
    // Once to warm up.
    priced(small, 5)
    const quarter = Math.min(priced(small, 5), priced(small, 5), priced(small, 5))
    const large = market.grow(10_000).first
    // Four times the rows: a query that walks the seller's items for each entry takes sixteen times as long, and more.
    expect(Math.min(priced(large, 20), priced(large, 20)) / quarter).to.be.lessThan(10)
  })
})

describe('sandbox/marketplace: SetPricesOnNonShopItems', () => {
  const market = openedForEach(() => new Market())
  const set = (itemId: number, openingPrice: number, ReservedPrice: number | null = null, BinPrice: number | null = null) => {
    const answer = market.call('SetPricesOnNonShopItems', { itemId, openingPrice, ReservedPrice, BinPrice })
    if (answer === null) throw new Error('SetPricesOnNonShopItems answered nothing.')
    return answer
  }
  const errors = (...wish: Parameters<typeof set>) => {
    const answer = set(...wish)
    expect(answer.IsSuccessful).to.equal(answer.ValidationErrors.length === 0)
    return answer.ValidationErrors.map((error) => error.ErrorMessage)
  }
  const auctions = () => market.items({ filterItemType: 'Auction', filterActive: 'Active' })
  const plain = () => auctions().find((item) => item.TotalBids === 0 && item.ReservePrice === null)?.Id ?? 0

  it('sets opening, reserve and buy-it-now price at once', () => {
    const id = plain()
    expect(set(id, 50, 100, 200)).to.deep.equal({ IsSuccessful: true, ValidationErrors: [] })
    expect(market.item(id)).to.include({
      OpeningBid: 50,
      NextBid: 50,
      ReservePrice: 100,
      BuyItNowPrice: 200,
      ReservePriceManuallySet: true,
    })
  })

  it('adds no reserve and removes the buy-it-now price by null', () => {
    const id = plain()
    set(id, 50, null, 200)
    expect(market.item(id)).to.include({ BuyItNowPrice: 200, ReservePrice: null, ReservePriceManuallySet: false })
    set(id, 40)
    expect(market.item(id)).to.include({ OpeningBid: 40, BuyItNowPrice: null, ReservePrice: null })
  })

  it('changes a reserve but does not remove it', () => {
    const id = plain()
    set(id, 50, 100)
    expect(errors(id, 50, 80)).to.deep.equal([])
    expect(market.item(id).ReservePrice).to.equal(80)
    expect(errors(id, 50)).to.deep.equal([
      'The reserve price of 80 kr cannot be removed, only changed; send the reserve price to keep.',
    ])
    expect(market.item(id).ReservePrice).to.equal(80)
  })

  for (const [what, wish, message] of [
    [
      'an opening price not below the reserve',
      [100, 100, 200],
      /ReservedPrice 100: must be greater than the opening price of 100/,
    ],
    ['an opening price not below the buy-it-now price', [100, null, 100], /BinPrice 100: must be greater than the opening price/],
    ['a reserve not below the buy-it-now price', [10, 100, 100], /BinPrice 100: must be greater than the reserve price of 100/],
    ['no opening price', [0, null, null], /openingPrice 0: prices are whole kronor, at least 1/],
    ['a reserve of nothing', [10, 0, null], /ReservedPrice 0: prices are whole kronor/],
    ['a negative buy-it-now price', [10, null, -5], /BinPrice -5: prices are whole kronor/],
  ] as const) {
    it(`rejects ${what} and changes nothing`, () => {
      const id = plain()
      const before = market.item(id)
      const found = errors(id, wish[0], wish[1], wish[2])
      expect(found.join('\n')).to.match(message)
      expect(market.item(id)).to.deep.equal(before)
    })
  }

  it('rejects an auction with bids', () => {
    const id = auctions().find((item) => item.TotalBids > 0)?.Id ?? 0
    expect(errors(id, 1)[0]).to.match(/has bids \(\d+\); its prices cannot be changed/)
  })

  it('rejects PureBuyItNow, naming UpdateItemPrice, and shop items and contact-only items', () => {
    const id = (type: string) => market.items({ filterActive: 'Active' }).find((item) => item.ItemType === type)?.Id ?? 0
    expect(errors(id('PureBuyItNow'), 10)[0]).to.match(
      /of type PureBuyItNow; its buy-it-now price is changed with UpdateItemPrice/,
    )
    expect(errors(id('ShopItem'), 10)[0]).to.match(/is a shop item; its price is set with SetPriceOnShopItems/)
    expect(errors(id('ContactOnly'), 10)[0]).to.match(/is not an auction/)
  })

  it('rejects what is not there, is another’s, or has ended', () => {
    const other = market.items({ filterItemType: 'Auction' }, member(SECOND))[0]?.Id ?? 0
    expect(errors(5, 10)).to.deep.equal(['Item with id 5 does not exist for user 1001.'])
    expect(errors(other, 10)).to.deep.equal([`Item with id ${other} does not exist for user 1001.`])
    const auction = auctions().find((item) => item.TotalBids === 0)
    market.now = instantOf(auction?.EndDate ?? '') + MINUTE
    expect(errors(auction?.Id ?? 0, 10)[0]).to.match(/has ended/)
  })

  it('understands the other form of the parameters, and shows the wish with each error', () => {
    const id = plain()
    const form = (NonShopItem: object) => ({
      itemId: 0,
      openingPrice: 0,
      ReservedPrice: null,
      BinPrice: null,
      request: { NonShopItem },
    })
    const wish = { Id: id, OpeningPrice: 10, ReservedPrice: { Price: 20 }, BinPrice: { Price: 30 } }
    expect(market.call('SetPricesOnNonShopItems', form(wish))?.IsSuccessful).to.equal(true)
    expect(market.item(id)).to.include({ OpeningBid: 10, ReservePrice: 20, BuyItNowPrice: 30 })
    const without = { Id: id, OpeningPrice: 10, BinPrice: { Price: 30 } }
    const answer = market.call('SetPricesOnNonShopItems', form(without))
    expect(answer?.ValidationErrors).to.have.length(1)
    expect(answer?.ValidationErrors[0]?.Item).to.deep.equal(without)
  })
})
