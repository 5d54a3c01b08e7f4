import { expect } from 'chai'
import { dateTimeOf } from '../../../src/contract/index.js'
import { jpeg, png } from '../../../src/sandbox/marketplace/seed/pictures.js'
import { openedForEach } from '../../opened.js'
import { DAY, Market, member, SECOND, SHOP_ITEM, START } from './market.js'

describe('sandbox/marketplace: UpdateShopItem', () => {
  const market = openedForEach(() => new Market())
  let id: number
  beforeEach(() => {
    const images = [{ HasMega: false, Format: 'Png', Data: png([9, 9, 9], [200, 0, 0]) }]
    id = market.call('AddShopItem', { shopItemData: { ...SHOP_ITEM, ItemImages: images } })?.ItemId ?? 0
    market.pass()
  })
  const update = (ItemData: object) => {
    const answer = market.call('UpdateShopItem', { updateData: { ItemId: id, ItemData } })
    if (answer === null) throw new Error('UpdateShopItem answered nothing.')
    return answer
  }
  /** Changes the item. @returns the result code, and the item afterwards */
  const updated = (ItemData: object) => {
    const { RequestId } = update(ItemData)
    market.pass()
    return { code: market.result(RequestId)?.ResultCode, item: market.item(id) }
  }
  const formats = () => market.item(id).ImageLinks?.map((link) => link.split('.').at(-1))

  it('answers with both ids, and changes the item when it is processed', () => {
    const before = market.item(id)
    const { RequestId, ItemId } = update({ Title: 'Ullgarn', Price: 99 })
    expect(ItemId).to.equal(id)
    expect(market.item(id)).to.deep.equal(before)
    market.pass()
    expect(market.result(RequestId)?.ResultCode).to.equal('Ok')
    expect(market.item(id)).to.deep.equal({ ...before, ShortDescription: 'Ullgarn', BuyItNowPrice: 99 })
  })

  it('keeps the fields that are nil or empty', () => {
    const before = market.item(id)
    const { item } = updated({ Price: 50, Title: null, OwnReferences: [], VAT: null, ActivateDate: null, DeactivateDate: null })
    expect(item).to.deep.equal({ ...before, BuyItNowPrice: 50 })
  })

  for (const [what, data, shown] of [
    ['references', { OwnReferences: ['G-8', 'G-9'] }, { OwnReferences: ['G-8', 'G-9'] }],
    ['the category', { CategoryId: 344481 }, { CategoryId: 344481 }],
    ['who may buy', { AcceptedBuyerId: 3 }, { AcceptedBuyerId: 3 }],
    [
      'ways to send, with pickup',
      { ShippingOptions: [{ ShippingOptionId: 8, Cost: 0 }] },
      { ShippingOptions: [{ ShippingOptionId: 8, Cost: 0, ShippingProviderId: null }], AcceptsPickup: true },
    ],
    ['the number in stock', { AbsoluteQuantity: 3 }, { RemainingQuantity: 3, StartQuantity: 3 }],
    ['more in stock', { Quantity: 5 }, { RemainingQuantity: 17, StartQuantity: 17 }],
    ['less in stock than there is: none is left', { Quantity: -20 }, { RemainingQuantity: 0 }],
    [
      'the end',
      { DeactivateDate: dateTimeOf(START + 2 * DAY) },
      { EndDate: dateTimeOf(START + 2 * DAY), UserSelectedEndDate: true },
    ],
    ['the start', { ActivateDate: dateTimeOf(START + DAY) }, { StartDate: dateTimeOf(START + DAY), UserSelectedEndDate: false }],
  ] as const) {
    it(`changes ${what}`, () => {
      const { code, item } = updated(data)
      expect(code).to.equal('Ok')
      expect(item).to.deep.include(shown)
    })
  }

  it('replaces all images, and keeps them where none are given', () => {
    updated({ Price: 50 })
    expect(formats()).to.deep.equal(['png'])
    const pictures = [
      { HasMega: true, Format: 'Jpeg', Data: jpeg([9, 9, 9], [0, 0, 200]) },
      { HasMega: false, Format: 'Png', Data: png([9, 9, 9], [0, 0, 200]) },
    ]
    updated({ ItemImages: pictures })
    expect(formats()).to.deep.equal(['jpg', 'png'])
    expect(market.item(id).DetailedImageLinks?.map(({ Url }) => Url).length).to.be.greaterThan(0)
    updated({ ItemImages: [], Price: 51 })
    expect(formats()).to.deep.equal(['jpg', 'png'])
  })

  it('ends as ImageProcessingError for a damaged image, and changes nothing', () => {
    const before = market.item(id)
    const whole = png([9, 9, 9], [0, 0, 200])
    const { RequestId } = update({
      Price: 1,
      ItemImages: [whole, whole.subarray(0, 60)].map((Data) => ({ HasMega: false, Format: 'Png', Data })),
    })
    market.pass()
    expect(market.result(RequestId)).to.include({ ResultCode: 'ImageProcessingError', Message: 'Image 2 of 2 is damaged.' })
    expect(market.item(id)).to.deep.equal(before)
  })

  it('ends as UpdateNotAllowed for an item that ended meanwhile', () => {
    market.call('RemoveShopItem', { shopItemId: id })
    const { RequestId } = update({ Price: 1 })
    market.pass()
    expect(market.result(RequestId)).to.include({
      ResultCode: 'UpdateNotAllowed',
      Message: `Shop item with id ${id} has ended.`,
    })
    expect(market.item(id).BuyItNowPrice).to.equal(SHOP_ITEM.Price)
  })

  for (const [what, updateData, message] of [
    ['no data', undefined, /^updateData: is missing\.$/],
    ['no fields', { ItemId: 1 }, /^updateData\.ItemData: says nothing to change\.$/],
    ['a category with children', { ItemData: { CategoryId: 16 } }, /has subcategories/],
    [
      'an end that has passed',
      { ItemData: { DeactivateDate: '2020-01-01T00:00:00Z' } },
      /DeactivateDate "2020-.*must lie in the future/,
    ],
    [
      'what is not an image',
      {
        ItemData: {
          ItemImages: [
            { HasMega: false, Format: 'Png', Data: png([1, 1, 1], [2, 2, 2]) },
            { HasMega: false, Format: 'Gif', Data: Buffer.from('text') },
          ],
        },
      },
      /^updateData\.ItemData\.ItemImages\[1\]: The image is not of format Gif: its data is not a Gif, Jpeg or Png\.$/,
    ],
  ] as const) {
    it(`refuses ${what}`, () => {
      const { family, message: text } = market.fault('UpdateShopItem', {
        ...(updateData === undefined ? {} : { updateData: { ItemId: id, ...updateData } }),
      })
      const [head, ...lines] = text.split('\n')
      expect([family, head, lines.length]).to.deep.equal(['invalid', 'Request data is not valid:', 1])
      expect(lines[0]).to.match(message)
    })
  }

  it('refuses what is not a shop item of the caller', () => {
    const auction = market.items({ filterItemType: 'Auction' })[0]?.Id ?? 0
    const other = market.items({ filterItemType: 'ShopItem' }, member(SECOND))[0]?.Id ?? 0
    for (const ItemId of [5, auction, other]) {
      expect(market.fault('UpdateShopItem', { updateData: { ItemId, ItemData: { Price: 9 } } }).message).to.equal(
        `Request data is not valid:\nShop item with id ${ItemId} does not exist for user 1001.`,
      )
    }
  })
})
