import { expect } from 'chai'
import { dateTimeOf } from '../../../src/contract/index.js'
import { jpeg, png } from '../../../src/sandbox/marketplace/seed/pictures.js'
import { opened, openedForEach } from '../../opened.js'
import { DAY, FULL_SHOP, Market, ME, member, NO_SHOP, SECOND, SHOP_ITEM, START } from './market.js'

const NO_SHOP_TEXT = 'This operation is not allowed for user that does not have an active shop'

describe('sandbox/marketplace: GetShopSettings', () => {
  const market = opened(() => new Market({ linkBase: 'http://127.0.0.1:1' }))

  it('tells the settings with the logo as an image', () => {
    const settings = market.call('GetShopSettings', {})
    expect(settings).to.include({
      ShowGalleryMode: true,
      IsTemporaryClosed: false,
      MaxActiveItems: 100_000,
      MaxInventoryItems: 200_000,
    })
    expect(settings?.LogoInformation).to.include({ ImageFormat: 'Jpeg', RemoveLogo: false })
    expect(
      Buffer.from(settings?.LogoInformation?.ImageData ?? [])
        .subarray(0, 2)
        .toString('hex'),
    ).to.equal('ffd8')
    expect(settings?.LogoImageUrl).to.match(/^http:\/\/127\.0\.0\.1:1\/images\/normal\/\d+\.jpg$/)
    expect(settings?.TemporaryClosedMessage).to.equal(undefined)
  })

  it('tells that a shop is closed for a time; one without a logo has none', () => {
    const settings = market.call('GetShopSettings', {}, member(SECOND))
    expect(settings).to.include({ IsTemporaryClosed: true, TemporaryClosedMessage: 'Stängt för semester; åter snart!' })
    expect(settings).not.to.have.any.keys('LogoInformation', 'LogoImageUrl')
  })

  it('refuses a user without a shop with the known text', () => {
    expect(market.fault('GetShopSettings', {}, member(NO_SHOP))).to.include({ family: 'invalid', message: NO_SHOP_TEXT })
  })
})

describe('sandbox/marketplace: AddShopItem', () => {
  const market = openedForEach(() => new Market())
  const add = (data: object = {}, who = ME) => {
    const answer = market.call('AddShopItem', { shopItemData: { ...SHOP_ITEM, ...data } }, who)
    if (answer === null) throw new Error('AddShopItem answered nothing.')
    return answer
  }

  it('answers with both ids and opens the item when it is processed', () => {
    const { RequestId, ItemId } = add()
    expect(market.result(RequestId)).to.equal(undefined)
    expect(market.call('GetItem', { itemId: ItemId })).to.equal(null)
    market.pass()
    expect(market.result(RequestId)?.ResultCode).to.equal('Ok')
    expect(market.item(ItemId)).to.deep.include({
      ItemType: 'ShopItem',
      ShortDescription: SHOP_ITEM.Title,
      BuyItNowPrice: 49,
      StartQuantity: 12,
      RemainingQuantity: 12,
      VAT: 25,
      OwnReferences: ['G-7'],
      ReservePrice: null,
      StartDate: dateTimeOf(START + 1500),
      EndDate: '2099-12-31T23:59:59+01:00',
    })
    expect(market.items({ filterItemType: 'ShopItem', filterActive: 'Active' })[0]?.Id).to.equal(ItemId)
  })

  it('takes Quantity as a change from nothing, and one piece when none is given', () => {
    const three = add({ AbsoluteQuantity: null, Quantity: 3 })
    const one = add({ AbsoluteQuantity: null })
    const none = add({ AbsoluteQuantity: 0 })
    market.pass()
    expect([three, one, none].map(({ ItemId }) => market.item(ItemId).RemainingQuantity)).to.deep.equal([3, 1, 0])
  })

  it('lists an item from its ActivateDate until its DeactivateDate', () => {
    const { ItemId } = add({ ActivateDate: dateTimeOf(START + DAY), DeactivateDate: dateTimeOf(START + 2 * DAY) })
    const listed = (filterActive: 'Active' | 'All') => market.items({ filterActive }).some((item) => item.Id === ItemId)
    market.pass()
    expect(listed('All')).to.equal(false)
    market.now = START + DAY
    expect(listed('Active')).to.equal(true)
    market.now = START + 2 * DAY + 1
    expect([listed('Active'), listed('All')]).to.deep.equal([false, true])
  })

  it('takes images with the item', () => {
    const images = [
      { HasMega: false, Format: 'Png', Data: png([9, 9, 9], [200, 0, 0]), Name: 'a.png' },
      { HasMega: true, Format: 'Jpeg', Data: jpeg([9, 9, 9], [200, 0, 0]), Name: 'b.jpg' },
    ]
    const { ItemId } = add({ ItemImages: images })
    market.pass()
    expect(market.item(ItemId).ImageLinks?.map((link) => link.split('.').at(-1))).to.deep.equal(['png', 'jpg'])
    const damaged = add({ ItemImages: [{ HasMega: false, Format: 'Png', Data: images[0]?.Data.subarray(0, 60) }] })
    market.pass()
    expect(market.result(damaged.RequestId)).to.include({
      ResultCode: 'ImageProcessingError',
      Message: 'Image 1 of 1 is damaged.',
    })
  })

  for (const [what, data, message] of [
    ['no title', { Title: ' ' }, /Title: is missing/],
    ['no category', { CategoryId: null }, /CategoryId: is missing/],
    ['a category with children', { CategoryId: 16 }, /has subcategories/],
    ['no price', { Price: null }, /Price: is missing/],
    ['a price of 0', { Price: 0 }, /Price 0: must be at least 1/],
    ['both quantities', { Quantity: 1 }, /cannot be sent together/],
    ['less than nothing', { Quantity: -1, AbsoluteQuantity: null }, /a new item has nothing that could be taken away/],
    ['an end that has passed', { DeactivateDate: '2020-01-01T00:00:00Z' }, /must lie in the future/],
    [
      'an end before its start',
      { ActivateDate: '2027-01-02T00:00:00Z', DeactivateDate: '2027-01-01T00:00:00Z' },
      /must be later than ActivateDate/,
    ],
    [
      'what is not an image',
      { ItemImages: [{ HasMega: false, Format: 'Gif', Data: Buffer.from('text') }] },
      /ItemImages\[0\]: The image is not of format Gif/,
    ],
  ] as const) {
    it(`refuses ${what}`, () => {
      const { family, message: text } = market.fault('AddShopItem', { shopItemData: { ...SHOP_ITEM, ...data } })
      expect(family).to.equal('invalid')
      expect(text.split('\n')[0]).to.equal('Request data is not valid:')
      expect(text).to.match(message)
    })
  }

  it('sells in Sweden, and within the first-step validation needs an item', () => {
    const { AcceptedBuyerId: _, ...data } = SHOP_ITEM
    const answer = market.call('AddShopItem', { shopItemData: data })
    market.pass()
    expect(market.item(answer?.ItemId ?? 0).AcceptedBuyerId).to.equal(1)
    expect(market.fault('AddShopItem', {}).message).to.equal('Request data is not valid:\nshopItemData: is missing.')
  })

  it('refuses a user without a shop', () => {
    expect(market.fault('AddShopItem', { shopItemData: SHOP_ITEM }, member(NO_SHOP)).message).to.equal(NO_SHOP_TEXT)
  })

  it('ends as ReachedMaximumActiveItemsThreshold in a full shop, until an item is removed', () => {
    const who = member(FULL_SHOP)
    const { RequestId, ItemId } = add({}, who)
    market.pass()
    expect(market.result(RequestId, who)).to.include({
      ResultCode: 'ReachedMaximumActiveItemsThreshold',
      Message: 'The shop holds 6 active items; at most 6 are allowed.',
    })
    expect(market.call('GetItem', { itemId: ItemId }, who)).to.equal(null)
    const waiting = add({ ActivateDate: dateTimeOf(START + DAY) }, who)
    market.pass()
    expect(market.result(waiting.RequestId, who)?.ResultCode).to.equal('Ok')
    const shelf = market.items({ filterItemType: 'ShopItem', filterActive: 'Active' }, who)
    market.call('RemoveShopItem', { shopItemId: shelf[0]?.Id ?? 0 }, who)
    market.pass()
    const again = add({}, who)
    market.pass()
    expect(market.result(again.RequestId, who)?.ResultCode).to.equal('Ok')
  })

  it('counts items that wait for their day against the larger limit of the inventory', () => {
    const who = member(FULL_SHOP)
    const held = market.items({ filterItemType: 'ShopItem', filterActive: 'Active' }, who).length
    const later = { ActivateDate: dateTimeOf(START + DAY) }
    const waiting = Array.from({ length: 51 - held }, () => add(later, who))
    market.pass()
    const codes = waiting.map(({ RequestId }) => market.result(RequestId, who))
    expect(new Set(codes.slice(0, -1).map((result) => result?.ResultCode))).to.have.all.keys('Ok')
    expect(codes.at(-1)).to.include({
      ResultCode: 'ReachedMaximumActiveItemsThreshold',
      Message: 'The shop holds 50 items, waiting ones included; at most 50 are allowed.',
    })
  })
})

describe('sandbox/marketplace: RemoveShopItem', () => {
  const market = openedForEach(() => new Market())

  it('sets DeactivateDate to the time it is processed; again, it stays', () => {
    const [item] = market.items({ filterItemType: 'ShopItem', filterActive: 'Active' })
    const shopItemId = item?.Id ?? 0
    const answer = market.call('RemoveShopItem', { shopItemId })
    expect(answer?.ItemId).to.equal(shopItemId)
    expect(market.item(shopItemId).Status?.Ended).to.equal(false)
    market.pass()
    expect(market.result(answer?.RequestId ?? 0)?.ResultCode).to.equal('Ok')
    const removed = market.item(shopItemId)
    expect(removed).to.deep.include({ EndDate: dateTimeOf(START + 1500), Status: { ...removed.Status, Ended: true } })
    market.pass(DAY)
    const again = market.call('RemoveShopItem', { shopItemId })
    market.pass()
    expect(market.result(again?.RequestId ?? 0)?.ResultCode).to.equal('Ok')
    expect(market.item(shopItemId).EndDate).to.equal(removed.EndDate)
  })

  it('refuses what is no shop item of the caller’s with the known text', () => {
    const auction = market.items({ filterItemType: 'Auction' })[0]?.Id ?? 0
    const other = market.items({ filterItemType: 'ShopItem' }, member(SECOND))[0]?.Id ?? 0
    for (const shopItemId of [5, auction, other]) {
      expect(market.fault('RemoveShopItem', { shopItemId })).to.include({
        family: 'invalid',
        message: `Request data is not valid:\nShop item with id ${shopItemId} does not exist for user 1001.`,
      })
    }
  })

  it('ends as UpdateNotAllowed for an item whose ActivateDate lies ahead', () => {
    const added = market.call('AddShopItem', { shopItemData: { ...SHOP_ITEM, ActivateDate: dateTimeOf(START + DAY) } })
    market.pass()
    const answer = market.call('RemoveShopItem', { shopItemId: added?.ItemId ?? 0 })
    market.pass()
    expect(market.result(answer?.RequestId ?? 0)?.ResultCode).to.equal('UpdateNotAllowed')
    market.now = START + DAY
    expect(market.items({ filterActive: 'Active' }).some((item) => item.Id === added?.ItemId)).to.equal(true)
  })
})
