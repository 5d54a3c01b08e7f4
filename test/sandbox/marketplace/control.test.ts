import { expect } from 'chai'
import { dateTimeOf } from '../../../src/contract/index.js'
import { openMarketplace, SandboxError } from '../../../src/sandbox/marketplace/index.js'
import { opened, openedForEach } from '../../opened.js'
import { DAY, HOUR, Market, ME, SHOP_ITEM, START } from './market.js'

describe('sandbox/marketplace: the seeded stock', () => {
  const market = opened(() => new Market())
  const items = () => market.marketplace.console.items(1000, 0)

  it('is hard on those that read it: åäö, & < > quotes, emoji; whole prices; titles within the limit', () => {
    const titles = items()
      .map((item) => item.title)
      .join('\n')
    for (const mark of ['å', 'ä', 'ö', '&', '<', '>', '"', '★', '🌼']) expect(titles).to.include(mark)
    for (const item of items()) {
      expect(item.title.length).to.be.within(1, 80)
      expect(Number.isInteger(item.price)).to.equal(true)
      expect(item.price).to.be.greaterThan(0)
    }
    const all = market.items()
    expect(
      all.some((item) => item.AttributeValues?.NumberAttributeValues.length && item.AttributeValues.TermAttributeValues.length),
    ).to.equal(true)
    const both = all.filter((item) => item.ReservePrice && item.BuyItNowPrice)
    expect(both).to.not.deep.equal([])
    for (const item of both) expect(item.ReservePrice).to.be.lessThan(item.BuyItNowPrice ?? 0)
    expect(all.some((item) => item.ShippingOptions.length === 2 && item.AcceptsPickup)).to.equal(true)
    expect(new Set(all.map((item) => item.ImageLinks?.length)).size).to.equal(5)
  })

  it('is the same every time, but for its dates', () => {
    const other = openMarketplace({ path: ':memory:', clock: { now: () => START + 100 * DAY } })
    const plain = (all: ReturnType<typeof items>) => all.map(({ startDate: _start, endDate: _end, ...rest }) => rest)
    expect(plain(other.console.items(1000, 0))).to.deep.equal(plain(items()))
    expect(other.console.items(1, 0)[0]?.startDate).to.not.equal(items()[0]?.startDate)
    other.close()
  })
})

describe('sandbox/marketplace: control', () => {
  const market = openedForEach(() => new Market())

  it('moves the clock forward and settles what became due', () => {
    market.call('AddShopItem', { shopItemData: SHOP_ITEM })
    expect(market.marketplace.control.advance(2 * HOUR)).to.equal(START + 2 * HOUR)
    expect(market.marketplace.control.advance(500)).to.equal(START + 2 * HOUR + 500)
    expect(market.call('GetOfficalTime', {})).to.equal('2026-06-15T14:00:00.500+02:00')
    expect(market.marketplace.console.requests(1)[0]?.state).to.equal('finished')
    expect(market.items()[0]?.StartDate).to.equal(dateTimeOf(START + 1500))
    for (const ms of [-1, 0.5, Number.NaN, 1e15]) {
      expect(() => market.marketplace.control.advance(ms)).to.throw(SandboxError, /cannot be moved by/)
    }
  })

  it('resets to the seeded stock', () => {
    const before = market.marketplace.console.items(1000, 0)
    market.call('AddShopItem', { shopItemData: SHOP_ITEM })
    market.call('BeginEidVerification', {})
    market.grow(10)
    market.marketplace.control.advance(DAY)
    market.marketplace.control.reset()
    expect(market.marketplace.console.items(1000, 0)).to.deep.equal(before)
    expect(market.marketplace.console.requests(10)).to.deep.equal([])
    expect(market.marketplace.console.eidSessions()).to.deep.equal([])
    expect(market.marketplace.console.calls()[0]?.used).to.equal(0)
    expect(market.marketplace.now()).to.equal(START)
  })

  it('shows the calls of a console that ended in part, and its filters', () => {
    const [a = 0, b = 0] = market.items({ filterItemType: 'ShopItem', filterActive: 'Active' }).map((item) => item.Id)
    const set = (ids: readonly number[]) =>
      market.call('SetPriceOnShopItems', { request: { ShopItems: ids.map((Id) => ({ Id, Price: 9 })) } })
    const { console } = market.marketplace
    set([a])
    market.pass()
    const [done] = console.requests(1)
    market.marketplace.settings.queueCodes = [{ codes: 'Error TryAgain', probability: 1 }]
    set([a, b])
    market.pass()
    const [failed] = console.requests(1)
    expect(failed).to.include({ state: 'finished', resultCode: 'Ok', message: '2 of 2: Error TryAgain' })
    expect(done).to.include({ state: 'finished', resultCode: 'Ok', message: undefined })
    for (const state of ['active', 'future', 'ended'] as const) {
      const shown = console.items(1000, 0, { state })
      expect(shown.every((item) => item.state === state)).to.equal(true)
      expect(shown).to.have.length(console.itemCount({ state })).and.not.be.empty
    }
    expect(new Set(console.items(1000, 0, { sellerId: ME.userId }).map(({ sellerId }) => sellerId))).to.deep.equal(
      new Set([ME.userId]),
    )
  })

  it('names the open sessions where another is asked for', () => {
    const complete = () => market.marketplace.control.completeEid('other', 'approve')
    expect(complete).to.throw(SandboxError, /has the reference "other"; open are none\./)
    const open = market.call('BeginEidVerification', {})?.EidOrderRef
    expect(complete).to.throw(SandboxError, `has the reference "other"; open are ${open}.`)
  })

  it('shows pages of items to a console, a picture with each that has one', () => {
    const { console } = market.marketplace
    const page = console.items(10, 5)
    expect(page).to.have.length(10)
    expect(page[0]).to.deep.equal(console.items(1000, 0)[5])
    const shown = console.items(1000, 0).find((item) => item.imageId !== undefined)
    expect(console.image(shown?.imageId ?? 0)?.bytes.length).to.be.greaterThan(50)
    expect(shown?.imageLink).to.match(/\/images\/thumb\//)
    expect(console.items(1000, 0).some((item) => item.imageId === undefined)).to.equal(true)
  })
})

describe('sandbox/marketplace: items from CSV', () => {
  const market = openedForEach(() => new Market())
  const seed = (text: string) => market.marketplace.control.seedCsv(text)
  const refusal = (text: string): Promise<Error> =>
    seed(text).then(
      () => expect.fail('It was taken.'),
      (error: Error) => error,
    )

  it('takes Title and Price for a shop item of the well-known seller', async () => {
    const [id = 0] = await seed('Title,Price\n"Mugg, ""blå"" & fin",149\n')
    expect(market.item(id)).to.deep.include({
      ItemType: 'ShopItem',
      ShortDescription: 'Mugg, "blå" & fin',
      BuyItNowPrice: 149,
      RemainingQuantity: 1,
      CategoryId: 344481,
      OwnReferences: [],
    })
    expect(market.items({ filterActive: 'Active' })[0]?.Id).to.equal(id)
  })

  it('takes every column, in any order and case, with semicolons, tabs, CRLF and a byte-order mark', async () => {
    const row = '2026-06-20T10:00:00+02:00;99;Auktion å;auction;161213;REF-1;Fin.;1003;3;2026-06-10T10:00:00+02:00'
    const [id = 0] = await seed(
      `\uFEFFenddate;PRICE;Title;Type;CategoryId;OwnReference;Description;SellerId;Quantity;StartDate\r\n${row}\r\n`,
    )
    const item = market.call('PublicService.GetItem', { itemId: id })
    expect(item).to.deep.include({
      ItemType: 'Auction',
      ShortDescription: 'Auktion å',
      LongDescription: 'Fin.',
      OpeningBid: 99,
      CategoryId: 161213,
      OwnReferences: ['REF-1'],
      StartQuantity: 3,
      StartDate: '2026-06-10T10:00:00+02:00',
      EndDate: '2026-06-20T10:00:00+02:00',
    })
    expect(item?.Seller?.Id).to.equal(1003)
    expect(await seed('Title\tPrice\nA\t1\nB\t2\n')).to.have.length(2)
  })

  for (const [what, text, message] of [
    ['nothing', '', /The CSV is empty; its first line names the columns/],
    ['no price column', 'Title\nA\n', /lacks the column Price/],
    ['an unknown column', 'Title,Prise\nA,1\n', /an unknown column "Prise"\. Did you mean Price\?/],
    ['a column like no other', 'Title,Price,Colour\nA,1,red\n', /an unknown column "Colour"\. Columns are Title, Price, /],
    ['a price with a comma', 'Title;Price\nA;199,90\n', /line 2: Price "199,90" is not a whole number from 1/],
    ['a negative price', 'Title,Price\nA,1\nB,-5\n', /line 3: Price "-5" is not a whole number/],
    ['an unknown type', 'Title,Price,Type\nA,1,Loan\n', /Type "Loan" is not one of Auction, PureBuyItNow, ShopItem, ContactOnly/],
    ['a category with children', 'Title,Price,CategoryId\nA,1,16\n', /has subcategories/],
    ['an unknown seller', 'Title,Price,SellerId\nA,1,7\n', /SellerId 7 does not exist/],
    ['an invalid date', 'Title,Price,EndDate\nA,1,soon\n', /EndDate "soon" is not a date/],
    ['an end before the start', 'Title,Price,EndDate\nA,1,2020-01-01T00:00:00\n', /EndDate is not later than StartDate/],
    ['no title', 'Title,Price\n,1\n', /Title is empty/],
    ['a title of 81 characters', `Title,Price\n${'x'.repeat(81)},1\n`, /Title has 81 characters, at most 80/],
    ['what XML cannot carry', 'Title,Price\nA\u0001,1\n', /U\+0001, which XML cannot carry/],
    ['too many cells', 'Title,Price\nA,1,2\n', /it has 3 cells for 2 columns/],
    ['an open quote', 'Title,Price\n"A,1\n', /The CSV cannot be read/],
  ] as const) {
    it(`refuses ${what}, and adds nothing`, async () => {
      const error = await refusal(text)
      // By name: the loader of the tests has another class for what is imported late.
      expect(error.constructor.name).to.equal('SandboxError')
      expect(error.message).to.match(message)
      expect(market.marketplace.console.itemCount()).to.equal(420)
    })
  }

  it('names all lines at fault, up to twenty', async () => {
    const text = `Title,Price\nGood,1\n${'Bad,0\n'.repeat(30)}`
    expect((await refusal(text)).message).to.match(/line 3: .*\n(?:line .*\n){19}and 10 lines more$/)
    expect(market.marketplace.console.itemCount()).to.equal(420)
  })
})
