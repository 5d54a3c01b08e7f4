import { expect } from 'chai'
import { dateTimeOf, instantOf, operations } from '../../../src/contract/index.js'
import { imageIdOf } from '../../../src/sandbox/marketplace/index.js'
import { nextBid } from '../../../src/sandbox/marketplace/rules/items.js'
import { opened } from '../../opened.js'
import { ALL, APPLICATION, DAY, Market, ME, MINUTE, member, NO_SHOP, START } from './market.js'

describe('sandbox/marketplace: GetSellerItems', () => {
  const market = opened(() => new Market())
  let all: ReturnType<Market['items']>
  const now = dateTimeOf(START)
  before(() => {
    all = market.items()
  })
  const ids = (items: readonly { Id: number }[]) => items.map((item) => item.Id)

  it('lists the caller’s items, newest first, and the same ones each time', () => {
    expect(all.length).to.be.greaterThan(190)
    expect(all.every((item) => item.Seller?.Id === ME.userId)).to.equal(true)
    expect(ids(all)).to.deep.equal([...ids(all)].sort((a, b) => b - a))
    expect(ids(market.items())).to.deep.equal(ids(all))
  })

  it('never lists what has not started, whatever the parameters', () => {
    const future = market.marketplace.console.items(500, 0).filter((item) => item.state === 'future' && item.sellerId === 1001)
    expect(future).to.have.length(7)
    for (const filter of [
      {},
      { maxStartDate: '2099-01-01T00:00:00' },
      { minEndDate: now },
      { filterActive: 'Active' as const },
    ]) {
      expect(ids(market.items(filter))).to.not.include.members([future[0]?.id])
    }
    expect(market.item(future[0]?.id ?? 0)).to.have.property('Id', future[0]?.id)
    expect(market.call('PublicService.GetItem', { itemId: future[0]?.id ?? 0 }, APPLICATION)).to.equal(null)
  })

  it('takes the end date for activity', () => {
    const active = market.items({ filterActive: 'Active' })
    const inactive = market.items({ filterActive: 'Inactive' })
    expect(active.every((item) => instantOf(item.EndDate) > START && item.Status?.Ended === false)).to.equal(true)
    expect(inactive.every((item) => instantOf(item.EndDate) < START && item.Status?.Ended === true)).to.equal(true)
    expect(inactive).to.have.length(24)
    expect(active.length + inactive.length).to.equal(all.length)
  })

  it('filters by type; All has contact-only items too', () => {
    for (const type of ['Auction', 'PureBuyItNow', 'ShopItem'] as const) {
      const items = market.items({ filterItemType: type })
      expect(ids(items)).to.deep.equal(ids(all.filter((item) => item.ItemType === type)))
      expect(items).to.not.be.empty
    }
    expect(all.filter((item) => item.ItemType === 'ContactOnly')).to.have.length(4)
  })

  it('takes a category with everything below it; 0 is all, an unknown one none', () => {
    const within = all.filter((item) => String(item.CategoryId).startsWith('18'))
    expect(ids(market.items({ categoryId: 18 }))).to.deep.equal(ids(within))
    const leaf = within[0]?.CategoryId ?? 0
    expect(ids(market.items({ categoryId: leaf }))).to.deep.equal(ids(all.filter((item) => item.CategoryId === leaf)))
    expect(market.items({ categoryId: 999_999 })).to.deep.equal([])
  })

  it('takes minEndDate for later than, and lets it override filterActive', () => {
    const from = dateTimeOf(START - 10 * DAY)
    const expected = all.filter((item) => instantOf(item.EndDate) > START - 10 * DAY)
    expect(expected.some((item) => item.Status?.Ended)).to.equal(true)
    for (const filterActive of ['All', 'Active', 'Inactive'] as const) {
      expect(ids(market.items({ minEndDate: from, filterActive }))).to.deep.equal(ids(expected))
    }
  })

  it('takes maxEndDate for earlier than, and lets it override filterActive', () => {
    const to = dateTimeOf(START + 3 * DAY)
    const expected = all.filter((item) => instantOf(item.EndDate) < START + 3 * DAY)
    expect(expected.some((item) => item.Status?.Ended === false)).to.equal(true)
    for (const filterActive of ['All', 'Active', 'Inactive'] as const) {
      expect(ids(market.items({ maxEndDate: to, filterActive }))).to.deep.equal(ids(expected))
    }
  })

  it('leaves an item out whose end is the very date given', () => {
    const item = all.find((candidate) => candidate.ItemType === 'Auction')
    const end = item?.EndDate ?? ''
    expect(ids(market.items({ minEndDate: end }))).to.not.include(item?.Id)
    expect(ids(market.items({ maxEndDate: end }))).to.not.include(item?.Id)
    expect(ids(market.items({ minEndDate: dateTimeOf(instantOf(end) - 1) }))).to.include(item?.Id)
  })

  it('takes the values for "unused" as unused: filterActive holds', () => {
    const active = ids(market.items({ filterActive: 'Active' }))
    for (const unused of ['0001-01-01T00:00:00', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', null]) {
      expect(ids(market.items({ filterActive: 'Active', minEndDate: unused }))).to.deep.equal(active)
    }
    for (const unused of ['9999-12-31T00:00:00', '9999-12-31T23:59:59.9999999', null]) {
      expect(ids(market.items({ filterActive: 'Active', maxEndDate: unused }))).to.deep.equal(active)
    }
    expect(ids(market.items({ filterActive: 'Active', minEndDate: '0001-01-01T00:00:01' }))).to.deep.equal(ids(all))
    expect(ids(market.items({ filterActive: 'Active', maxEndDate: '9999-12-30T23:59:59' }))).to.deep.equal(ids(all))
  })

  it('takes maxStartDate for started earlier than; null is now', () => {
    const before = START - 30 * DAY
    const expected = all.filter((item) => instantOf(item.StartDate) < before)
    expect(expected).to.not.be.empty
    expect(ids(market.items({ maxStartDate: dateTimeOf(before) }))).to.deep.equal(ids(expected))
    expect(ids(market.items({ maxStartDate: now }))).to.deep.equal(ids(all))
  })

  it('reads a long list in pieces that fit together, while others write', () => {
    const own = market.items({}, member(NO_SHOP)).length
    market.grow(1300, NO_SHOP)
    const list = market.marketplace.perform(operations.GetSellerItems, { ...ALL }, member(NO_SHOP)) as Iterable<{ Id: number }>
    const seen: number[] = []
    for (const item of list) {
      if (seen.length % 400 === 0) market.grow(10, NO_SHOP)
      seen.push(item.Id)
    }
    expect(seen).to.have.length(own + 1300)
    expect(new Set(seen).size).to.equal(seen.length)
  })
})

describe('sandbox/marketplace: one item', () => {
  const market = opened(() => new Market())

  it('is absent when there is none, in both services', () => {
    expect(market.call('GetItem', { itemId: 1 })).to.equal(null)
    expect(market.call('PublicService.GetItem', { itemId: 1 }, APPLICATION)).to.equal(null)
  })

  it('is the same in lists and alone', () => {
    for (const item of market.items().slice(0, 20)) expect(market.item(item.Id)).to.deep.equal(item)
    const [first] = market.call('PublicService.GetSellerItems', { ...ALL, userId: 1001 }, APPLICATION)
    expect(market.call('PublicService.GetItem', { itemId: first?.Id ?? 0 }, APPLICATION)).to.deep.equal(first)
  })

  it('shows its buyers and their addresses to its seller only', () => {
    const sold = market.items().find((item) => item.Buyers.length > 0)
    expect(sold?.Buyers[0]).to.include.keys('FirstName', 'Email', 'Address', 'MobilePhoneNumber', 'TransactionId')
    const itemId = sold?.Id ?? 0
    for (const other of [
      market.call('PublicService.GetItem', { itemId }, APPLICATION),
      market.call('PublicService.GetItem', { itemId }, ME),
      market.call('GetItem', { itemId }, member(NO_SHOP)),
    ]) {
      expect(other).to.have.property('Id', itemId)
      expect(other?.Buyers).to.deep.equal([])
      expect(other?.Seller).to.have.all.keys('Id', 'Alias', 'TotalRating', 'ZipCode', 'City', 'CountryName')
      expect(JSON.stringify(other)).to.not.match(/@example|070-174/)
    }
  })

  it('shows bids, the next bid, and whether the reserve is reached; the reserve itself to its seller only', () => {
    const auction = market
      .items({ filterItemType: 'Auction', filterActive: 'Active' })
      .find((item) => item.TotalBids === 0 && item.ReservePrice)
    const itemId = auction?.Id ?? 0
    expect(auction).to.include({ ReservePriceReached: false, NextBid: auction?.OpeningBid, TotalBids: 0 })
    expect(auction?.MaxBid).to.equal(undefined)
    const reserve = auction?.ReservePrice ?? 0
    market.marketplace.control.bid(itemId, auction?.OpeningBid ?? 0, 2002)
    market.marketplace.control.bid(itemId, reserve, 2003)
    const now = market.item(itemId)
    expect(now).to.deep.include({ TotalBids: 2, MaxBid: reserve, ReservePriceReached: true, ReservePrice: reserve })
    expect(now.Status).to.deep.equal({ Ended: false, GotBidders: true, GotWinner: false })
    expect(now.MaxBidder).to.have.property('Id', 2003)
    expect(now.NextBid).to.be.greaterThan(reserve)
    const outside = market.call('PublicService.GetItem', { itemId }, APPLICATION)
    expect(outside).to.deep.include({ ReservePrice: null, ReservePriceReached: true })
    const without = market.items({ filterItemType: 'Auction' }).find((item) => item.ReservePrice === null)
    expect(without).to.have.property('ReservePriceReached', null)
  })

  it('keeps the three flags of its status apart', () => {
    const flags = new Set(market.items().map(({ Status }) => `${Status?.Ended} ${Status?.GotBidders} ${Status?.GotWinner}`))
    expect([...flags]).to.include.members([
      'false false false',
      'false true false',
      'true false false',
      'true true false',
      'true true true',
      'false false true',
    ])
  })

  it('links to itself and its images from the base that is set', () => {
    market.marketplace.settings.linkBase = 'http://127.0.0.1:4711'
    const item = market.items().find((candidate) => candidate.ImageLinks?.length === 2)
    expect(item?.ItemLink).to.equal(`http://127.0.0.1:4711/item/${item?.CategoryId}/${item?.Id}`)
    expect(item?.ThumbnailLink).to.match(/^http:\/\/127\.0\.0\.1:4711\/images\/thumb\/\d+\.(png|gif|jpg)$/)
    expect(item?.DetailedImageLinks.map((link) => link.Format)).to.include.members(['gallery', 'normal', 'thumb'])
    for (const link of [...(item?.ImageLinks ?? []), ...(item?.DetailedImageLinks.map(({ Url }) => Url ?? '') ?? [])]) {
      const id = imageIdOf(new URL(link).pathname)
      const image = market.marketplace.console.image(id ?? 0)
      expect(image?.format).to.equal({ png: 'Png', gif: 'Gif', jpg: 'Jpeg' }[link.split('.').at(-1) ?? ''])
    }
    expect(imageIdOf('/images/normal/12.exe')).to.equal(undefined)
    expect(imageIdOf('/images/other/12.png')).to.equal(undefined)
    expect(market.marketplace.console.image(999_999)).to.equal(undefined)
  })

  it('ends by itself when its time is over', () => {
    const auction = market.items({ filterItemType: 'Auction', filterActive: 'Active' }).find((item) => item.TotalBids === 0)
    market.now = instantOf(auction?.EndDate ?? '') + MINUTE
    const ended = market.item(auction?.Id ?? 0)
    expect(ended.Status).to.deep.equal({ Ended: true, GotBidders: false, GotWinner: false })
    expect(ended.NextBid).to.equal(undefined)
  })
})

describe('sandbox/marketplace: the next bid', () => {
  for (const [highest, next] of [
    [null, 70],
    [99, 100],
    [100, 105],
    [249, 254],
    [250, 260],
    [499, 509],
    [500, 520],
    [999, 1019],
    [1000, 1050],
    [2499, 2549],
    [2500, 2600],
  ] as const) {
    it(`is ${next} kr after ${highest ?? 'none'}`, () => {
      expect(nextBid(70, highest)).to.equal(next)
    })
  }
})
