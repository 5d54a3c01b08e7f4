import { expect } from 'chai'
import { dateTimeOf, instantOf, type ParamsOf } from '../../../src/contract/index.js'
import { SandboxError } from '../../../src/sandbox/marketplace/index.js'
import { closing, openedForEach } from '../../opened.js'
import { DAY, HOUR, Market, ME, member, NO_SHOP, SECOND, START } from './market.js'

const NONE = { MinTransactionDate: null, MaxTransactionDate: null } as const

describe('sandbox/marketplace: GetSellerTransactions', () => {
  const market = openedForEach(() => new Market())
  const sales = (request: Partial<NonNullable<ParamsOf<'GetSellerTransactions'>['request']>> = {}, who = ME) =>
    market.call('GetSellerTransactions', { request: { ...NONE, Filter: 'New', ...request } }, who)
  const shelf = () =>
    market.items({ filterItemType: 'ShopItem', filterActive: 'Active' }).filter((item) => item.RemainingQuantity > 4)

  it('lists the caller’s sales with buyer and item', () => {
    const all = sales()
    expect(all.length).to.be.greaterThan(8)
    for (const { Id, Buyer, Item } of all) {
      expect(Buyer).to.include({ TransactionId: Id, CountryName: 'Sverige' })
      expect(Buyer).to.include.keys('FirstName', 'Address', 'Email')
      expect(market.item(Item?.Id ?? 0).ShortDescription).to.equal(Item?.Title)
    }
    expect(sales({}, member(NO_SHOP)).map((sale) => sale.Id)).to.not.include.members([all[0]?.Id])
    const stages = new Set(
      all.map((sale) => `${sale.IsMarkedAsPaidConfirmed} ${sale.IsMarkedAsShipped} ${sale.IsShippingBooked}`),
    )
    expect([...stages]).to.include.members(['false false false', 'true false false', 'true true true'])
    expect(market.call('GetSellerTransactions', {}).length).to.equal(all.length)
  })

  it('has a sale as soon as a member buys', () => {
    const before = sales().length
    const [item] = shelf()
    const id = market.marketplace.control.buy(item?.Id ?? 0, 3, 2004)
    expect(sales()).to.have.length(before + 1)
    expect(sales().at(-1)).to.deep.include({
      Id: id,
      Date: dateTimeOf(START),
      LastUpdatedDate: dateTimeOf(START),
      Amount: 3 * (item?.BuyItNowPrice ?? 0),
      IsMarkedAsPaidConfirmed: false,
      IsFeedbackLeftBySeller: false,
      IsFeedbackLeftByBuyer: false,
      Item: { Id: item?.Id, Type: 'ShopItem', Title: item?.ShortDescription, OwnReferences: item?.OwnReferences },
    })
    const now = market.item(item?.Id ?? 0)
    expect(now.RemainingQuantity).to.equal((item?.RemainingQuantity ?? 0) - 3)
    expect(now.Status).to.deep.equal({ Ended: false, GotBidders: false, GotWinner: true })
    expect(now.Buyers.map((buyer) => [buyer.Id, buyer.TransactionId]).at(-1)).to.deep.equal([2004, id])
  })

  it('has a sale when an auction ends with bids, at the highest bid and the moment it ended', () => {
    const auction = market
      .items({ filterItemType: 'Auction', filterActive: 'Active' })
      .find((item) => item.TotalBids === 0 && !item.ReservePrice)
    const itemId = auction?.Id ?? 0
    const end = auction?.EndDate ?? ''
    market.marketplace.control.bid(itemId, auction?.OpeningBid ?? 0, 2001)
    market.marketplace.control.bid(itemId, 5000, 2002)
    market.now = instantOf(end) + 3 * HOUR
    const sale = sales().find((candidate) => candidate.Item?.Id === itemId)
    expect(sale).to.include({ Amount: 5000, Date: end })
    expect(sale?.Buyer?.Id).to.equal(2002)
    expect(market.item(itemId).Status).to.deep.equal({ Ended: true, GotBidders: true, GotWinner: true })
    market.now += DAY
    expect(sales().filter((candidate) => candidate.Item?.Id === itemId)).to.have.length(1)
  })

  it('has none when the reserve was not reached', () => {
    const auction = market
      .items({ filterItemType: 'Auction', filterActive: 'Active' })
      .find((item) => item.TotalBids === 0 && item.ReservePrice)
    market.marketplace.control.bid(auction?.Id ?? 0, auction?.OpeningBid ?? 0)
    market.now = instantOf(auction?.EndDate ?? '') + HOUR
    expect(sales().some((sale) => sale.Item?.Id === auction?.Id)).to.equal(false)
    expect(market.item(auction?.Id ?? 0).Status).to.deep.equal({ Ended: true, GotBidders: true, GotWinner: false })
  })

  it('filters by the day of the sale, and with NewAndUpdated by the last change too', () => {
    const all = sales()
    const changed = all.find((sale) => instantOf(sale.LastUpdatedDate) - instantOf(sale.Date) >= DAY)
    const between = dateTimeOf(instantOf(changed?.Date ?? '') + HOUR)
    expect(sales({ MinTransactionDate: between }).map((sale) => sale.Id)).to.deep.equal(
      all.filter((sale) => instantOf(sale.Date) >= instantOf(between)).map((sale) => sale.Id),
    )
    expect(sales({ MinTransactionDate: between }).map((sale) => sale.Id)).to.not.include(changed?.Id)
    expect(sales({ MinTransactionDate: between, Filter: 'NewAndUpdated' }).map((sale) => sale.Id)).to.include(changed?.Id)
    const first = all.reduce((a, b) => (instantOf(a.Date) < instantOf(b.Date) ? a : b))
    expect(sales({ MaxTransactionDate: first.Date }).map((sale) => sale.Id)).to.deep.equal([first.Id])
    expect(sales({ MinTransactionDate: dateTimeOf(START + DAY) })).to.deep.equal([])
  })

  for (const [what, order, message] of [
    ['an unknown item', (m: Market) => m.marketplace.control.buy(5), /Item 5 does not exist/],
    ['more than is left', (m: Market) => m.marketplace.control.buy(shelf()[0]?.Id ?? 0, 1000), /left, not 1000/],
    ['half a piece', (m: Market) => m.marketplace.control.buy(shelf()[0]?.Id ?? 0, 0.5), /0\.5 is not a whole number/],
    [
      'for a member that is none',
      (m: Market) => m.marketplace.control.buy(shelf()[0]?.Id ?? 0, 1, 9),
      /Member 9 does not exist; members that buy are 2001/,
    ],
    [
      'one’s own item',
      (m: Market) => m.marketplace.control.buy(shelf()[0]?.Id ?? 0, 1, 1001),
      /sells item \d+ and cannot buy it/,
    ],
    ['a bid on a shop item', (m: Market) => m.marketplace.control.bid(shelf()[0]?.Id ?? 0, 10), /is not an auction/],
  ] as const) {
    it(`refuses to buy ${what}`, () => {
      expect(() => order(market)).to.throw(SandboxError, message)
    })
  }

  it('refuses to buy what has ended, has not started, has bids or no price; and a bid that is too low', () => {
    const { buy, bid } = market.marketplace.control
    const ended = market.items({ filterActive: 'Inactive', filterItemType: 'ShopItem' })[0]?.Id ?? 0
    const future = market.marketplace.console.items(500, 0).find((item) => item.state === 'future')?.id ?? 0
    const auctions = market.items({ filterItemType: 'Auction', filterActive: 'Active' })
    const bids = auctions.find((item) => item.TotalBids > 0)
    const unpriced = auctions.find((item) => item.TotalBids === 0 && item.BuyItNowPrice === null)?.Id ?? 0
    const buyNow = auctions.find((item) => item.TotalBids === 0 && item.BuyItNowPrice)
    expect(() => buy(ended)).to.throw(/has ended/)
    expect(() => buy(future)).to.throw(/has not started/)
    expect(() => buy(unpriced)).to.throw(/has no fixed price/)
    expect(() => bid(bids?.Id ?? 0, (bids?.NextBid ?? 0) - 1)).to.throw(/is too low for item \d+; the next bid is/)
    bid(buyNow?.Id ?? 0, buyNow?.OpeningBid ?? 0)
    expect(() => buy(buyNow?.Id ?? 0)).to.throw(/has bids; its buy-it-now price no longer holds/)
  })

  it('ends a PureBuyItNow item with its last piece', () => {
    const item = market.items({ filterItemType: 'PureBuyItNow', filterActive: 'Active' })[0]
    market.marketplace.control.buy(item?.Id ?? 0)
    expect(market.item(item?.Id ?? 0)).to.deep.include({
      RemainingQuantity: 0,
      EndDate: dateTimeOf(START),
      Status: { Ended: true, GotBidders: false, GotWinner: true },
    })
  })
})

describe('sandbox/marketplace: feedback', () => {
  const market = openedForEach(() => new Market())
  let sale: number
  beforeEach(() => {
    const item = market
      .items({ filterItemType: 'ShopItem', filterActive: 'Active' })
      .find((candidate) => candidate.RemainingQuantity > 4)
    sale = market.marketplace.control.buy(item?.Id ?? 0, 1, 2002)
  })
  const leave = (transactionId: number, who = ME, comment = 'Tack!', type = 'Positive') =>
    market.call('LeaveFeedback', { transactionId, comment, type }, who)
  const shown = (id: number) =>
    market.call('GetSellerTransactions', { request: { ...NONE, Filter: 'New' } }).find((found) => found.Id === id)

  it('goes from the seller to the buyer and from the buyer to the seller, once each', () => {
    market.now += HOUR
    const rating = (who: number) => market.call('GetUserInfo', {}, member(who))?.TotalRating ?? 0
    const before = [rating(1001), rating(2002)]
    expect(leave(sale)).to.equal(true)
    expect(shown(sale)).to.include({
      IsFeedbackLeftBySeller: true,
      IsFeedbackLeftByBuyer: false,
      LastUpdatedDate: dateTimeOf(START + HOUR),
    })
    expect(leave(sale, member(2002), 'Nja.', 'Negative')).to.equal(true)
    expect(shown(sale)).to.include({ IsFeedbackLeftBySeller: true, IsFeedbackLeftByBuyer: true })
    expect([rating(1001), rating(2002)]).to.deep.equal([(before[0] ?? 0) - 1, (before[1] ?? 0) + 1])
    expect(leave(sale)).to.equal(false)
    expect(leave(sale, member(2002))).to.equal(false)
    expect([rating(1001), rating(2002)]).to.deep.equal([(before[0] ?? 0) - 1, (before[1] ?? 0) + 1])
  })

  it('is false for a transaction that is not there, is no business of the caller’s, or was deleted by the operator', () => {
    expect(leave(5)).to.equal(false)
    expect(leave(sale, member(SECOND))).to.equal(false)
    const listed = new Set(market.call('GetSellerTransactions', {}).map((found) => found.Id))
    const sellers = [1001, SECOND, NO_SHOP].flatMap((who) =>
      market.call('GetSellerTransactions', {}, member(who)).map((found) => found.Id),
    )
    const deleted = Array.from({ length: sale - 300_000_001 }, (_, index) => 300_000_001 + index).filter(
      (id) => !sellers.includes(id),
    )
    expect(deleted).to.not.be.empty
    expect(deleted.some((id) => listed.has(id))).to.equal(false)
    for (const id of deleted) expect(leave(id)).to.equal(false)
  })

  it('refuses a comment of 81 characters, counted as .NET counts them, and none', () => {
    const fault = (comment: string | undefined) =>
      market.fault('LeaveFeedback', { transactionId: sale, comment, type: 'Positive' }).message
    expect(fault('x'.repeat(81))).to.match(
      /^Request data is not valid:\ncomment "x{40}…": must be at most 80 characters, it has 81\.$/,
    )
    expect(fault('🙂'.repeat(41))).to.match(/it has 82/)
    expect(fault(' ')).to.match(/comment " ": is missing|comment: is missing/)
    expect(fault(undefined)).to.match(/comment: is missing/)
    expect(leave(sale, ME, 'x'.repeat(80))).to.equal(true)
  })

  it('to the buyer of an order answers nothing, and rates all its transactions', () => {
    const sales = market.call('GetSellerTransactions', { request: { ...NONE, Filter: 'New' } })
    const orderNumber = sales.find(({ OrderId }, at) => OrderId === sales[at + 1]?.OrderId)?.OrderId ?? 0
    const words = { orderNumber, comment: 'Tack!', type: 'Positive' }
    expect(market.call('LeaveOrderFeedbackToBuyer', words)).to.equal(null)
    const rated = sales.filter(({ OrderId }) => OrderId === orderNumber)
    expect(rated).to.have.length(2)
    for (const { Id } of rated) expect(shown(Id)?.IsFeedbackLeftBySeller).to.equal(true)
    expect(market.fault('LeaveOrderFeedbackToBuyer', words).message).to.match(
      /Feedback for order with number \d+ has already been left/,
    )
    expect(market.fault('LeaveOrderFeedbackToBuyer', words, member(SECOND)).message).to.match(/does not exist for user 1002/)
    expect(market.fault('LeaveOrderFeedbackToBuyer', { ...words, orderNumber: 5 }).message).to.match(
      /Order with number 5 does not exist for user 1001/,
    )
    expect(market.fault('LeaveOrderFeedbackToBuyer', { ...words, comment: 'x'.repeat(81) }).message).to.match(
      /at most 80 characters/,
    )
  })
})

describe('sandbox/marketplace: GetMemberPaymentOptions', () => {
  it('lists what a member accepts, and refuses a member that does not exist', () => {
    using market = closing(new Market())
    const options = market.call('GetMemberPaymentOptions', { memberId: 1002 })?.PaymentOptions ?? []
    expect(options.map((option) => option.Name)).to.deep.equal(['BankTransfer', 'Cash', 'Swish', 'ExternalPayment'])
    expect(options.every((option) => option.Description && option.DisplayName)).to.equal(true)
    expect(market.fault('GetMemberPaymentOptions', { memberId: 5 })).to.include({
      family: 'invalid',
      message: 'Request data is not valid:\nMember with id 5 does not exist.',
    })
  })
})
