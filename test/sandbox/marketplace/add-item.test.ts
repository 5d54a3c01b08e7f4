import { expect } from 'chai'
import { dateTimeOf, ITEM_TYPE_IDS, instantOf } from '../../../src/contract/index.js'
import { gif, jpeg, png } from '../../../src/sandbox/marketplace/seed/pictures.js'
import { closing, openedForEach } from '../../opened.js'
import { APPLICATION, AUCTION, DAY, HOUR, Market, ME, member, SECOND, START } from './market.js'

const blue = [20, 40, 200] as const
const grey = [200, 200, 200] as const
const PNG = png(grey, blue)
const JPEG = jpeg(grey, blue)
const GIF = gif(grey, blue)

describe('sandbox/marketplace: AddItem', () => {
  const market = openedForEach(() => new Market())
  const add = (request: object = {}) => {
    const answer = market.call('AddItem', { itemRequest: { ...AUCTION, ...request } })
    if (answer === null) throw new Error('AddItem answered nothing.')
    return answer
  }
  const refused = (request: object) => market.fault('AddItem', { itemRequest: { ...AUCTION, ...request } }).message.split('\n')

  it('answers at once with both ids; the item is in lists when it is processed, after the queue’s delay', () => {
    const { RequestId, ItemId } = add()
    expect(market.result(RequestId)).to.equal(undefined)
    expect(market.call('GetItem', { itemId: ItemId })).to.equal(null)
    market.pass(1499)
    expect(market.result(RequestId)).to.equal(undefined)
    market.pass(1)
    expect(market.result(RequestId)).to.deep.equal({ RequestId, ResultCode: 'Ok' })
    expect(market.items()[0]?.Id).to.equal(ItemId)
    expect(market.call('PublicService.GetItem', { itemId: ItemId }, APPLICATION)).to.have.property('Id', ItemId)
  })

  it('keeps what it was given', () => {
    const { ItemId } = add({
      ReservePrice: 200,
      BuyItNowPrice: 500,
      ExpoItemIds: [1, 3],
      PaymentOptionIds: [4, 16384],
      ShippingOptions: [
        { ShippingOptionId: null, Cost: 49, ShippingProviderId: 2, ShippingWeight: 0.5 },
        { ShippingOptionId: 8, Cost: 0, ShippingProviderId: null },
      ],
      VAT: 25,
      ShippingCondition: 'Skickas.',
      PaymentCondition: 'Direkt.',
      Restarts: 2,
      AttributeValues: { Terms: [{ Id: 101, Values: ['Kosta'] }], Numbers: [{ Id: 202, Values: [1.25] }] },
    })
    market.pass()
    const item = market.item(ItemId)
    expect(item).to.deep.include({
      ItemType: 'Auction',
      ShortDescription: AUCTION.Title,
      LongDescription: AUCTION.Description,
      OwnReferences: ['A-1'],
      CategoryId: 344481,
      OpeningBid: 100,
      ReservePrice: 200,
      ReservePriceReached: false,
      BuyItNowPrice: 500,
      NextBid: 100,
      StartQuantity: 1,
      RemainingQuantity: 1,
      PaymentOptions: [4, 16384],
      PaymentTypeId: 16388,
      ExternalPayment: true,
      VAT: 25,
      ShippingCondition: 'Skickas.',
      PaymentCondition: 'Direkt.',
      AcceptsPickup: true,
      Bold: true,
      FeaturedItem: true,
      Highlight: false,
      ItemAttributes: [2],
      AcceptedBuyerId: 1,
      Restarts: 2,
      Duration: 7,
      UserSelectedEndDate: false,
      ReservePriceManuallySet: false,
    })
    expect(item.ShippingOptions[0]).to.deep.include({
      ShippingProviderId: 2,
      ShippingOptionId: null,
      Cost: 49,
      ShippingWeight: 0.5,
    })
    expect(item.AttributeValues).to.deep.equal({
      TermAttributeValues: [{ Id: 101, Name: 'Märke', Values: ['Kosta'] }],
      NumberAttributeValues: [{ Id: 202, Name: 'Vikt (kg)', Values: [1.25] }],
    })
    expect(item.StartDate).to.equal(dateTimeOf(START + 1500))
    expect(instantOf(item.EndDate) - instantOf(item.StartDate)).to.equal(7 * DAY)
  })

  it('keeps attributes of one kind alone, and one without a value', () => {
    for (const [given, Terms, Numbers] of [
      [{ Terms: [{ Id: 101 }] }, [{ Id: 101, Name: 'Märke', Values: [] }], []],
      [{ Numbers: [{ Id: 202 }] }, [], [{ Id: 202, Name: 'Vikt (kg)', Values: [] }]],
    ] as const) {
      const { ItemId } = add({ AttributeValues: given })
      market.pass()
      const { TermAttributeValues, NumberAttributeValues } = market.item(ItemId).AttributeValues ?? {}
      expect([TermAttributeValues, NumberAttributeValues]).to.deep.equal([Terms, Numbers])
    }
  })

  it('runs a PureBuyItNow item 30 days whatever was asked, and a CustomEndDate overrides an auction’s duration', () => {
    const end = dateTimeOf(START + 3 * DAY)
    const pure = add({ ItemType: 3, StartPrice: 0, BuyItNowPrice: 300, Duration: 5, CustomEndDate: end })
    const custom = add({ CustomEndDate: end })
    const contact = add({ ItemType: 5, StartPrice: 0 })
    market.pass()
    const item = market.item(pure.ItemId)
    expect(item).to.include({ ItemType: 'PureBuyItNow', BuyItNowPrice: 300, Duration: 30, UserSelectedEndDate: false })
    expect(item.OpeningBid).to.equal(undefined)
    expect(instantOf(item.EndDate) - instantOf(item.StartDate)).to.equal(30 * DAY)
    expect(market.item(custom.ItemId)).to.include({ EndDate: end, UserSelectedEndDate: true })
    expect(market.item(contact.ItemId)).to.include({ ItemType: 'ContactOnly', BuyItNowPrice: null })
  })

  it('reads no CustomEndDate of a PureBuyItNow item', () => {
    const past = { ItemType: 3, BuyItNowPrice: 100, StartPrice: 0, CustomEndDate: '2020-01-01T00:00:00+01:00' }
    expect(() => add(past)).not.to.throw()
    expect(refused({ CustomEndDate: '2020-01-01T00:00:00+01:00' }).at(-1)).to.include('must lie in the future')
  })

  it('tells everything that is wrong at once, a message a line', () => {
    const [head, ...lines] = refused({
      Title: '',
      Duration: 15,
      StartPrice: 100,
      ReservePrice: 90,
      BuyItNowPrice: 80,
      CategoryId: 16,
    })
    expect(head).to.equal('Request data is not valid:')
    expect(lines).to.have.length(6)
    expect(lines.join('\n')).to.match(/Title: is missing/)
    expect(lines.join('\n')).to.match(/Duration 15: must be at most 14 days/)
    expect(lines.join('\n')).to.match(/ReservePrice 90: must be greater than the opening price of 100/)
    expect(lines.join('\n')).to.match(/BuyItNowPrice 80: must be greater than the opening price of 100/)
    expect(lines.join('\n')).to.match(
      /Category with id 16 \(Kläder\) has subcategories and takes no items; choose one of them, such as 1612/,
    )
  })

  for (const [what, request, message] of [
    ['an unknown category', { CategoryId: 99 }, /Category with id 99 does not exist/],
    ['an unknown payment option', { PaymentOptionIds: [5] }, /Payment option with id 5 does not exist; the ids are 4, 8/],
    [
      'a shipping option that is none',
      { ShippingOptions: [{ ShippingOptionId: 99, Cost: 1, ShippingProviderId: null }] },
      /Shipping option with id 99/,
    ],
    [
      'a shipping provider that is none',
      { ShippingOptions: [{ ShippingOptionId: null, Cost: 1, ShippingProviderId: 99 }] },
      /Shipping provider with id 99/,
    ],
    ['unknown exposure', { ExpoItemIds: [9] }, /Expo item type with id 9/],
    [
      'an end date that has passed',
      { CustomEndDate: '2020-01-01T00:00:00Z' },
      /CustomEndDate "2020-01-01T00:00:00Z": must lie in the future/,
    ],
    ['a title of 81 characters', { Title: 'x'.repeat(81) }, /at most 80 characters/],
    ['unknown bidders', { AcceptedBidderId: 0 }, /AcceptedBidderId 0/],
    ['the type of a shop item', { ItemType: 4 }, /ItemType 4/],
    ['an auction without an opening price', { StartPrice: 0 }, /StartPrice 0: must be at least 1 for an auction/],
    ['a campaign code that does not hold', { CampaignCode: 'SLUT' }, /Campaign code "SLUT" has ended/],
    ["a restart of another's item", { RestartedFromItemId: 1 }, /Item with id 1 does not exist for user 1001/],
  ] as const) {
    it(`refuses ${what}`, () => {
      const [head, ...lines] = refused(request)
      expect(head).to.equal('Request data is not valid:')
      expect(lines).to.have.length(1)
      expect(lines[0]).to.match(message)
    })
  }

  it('takes for an attribute of the category only its values, and no more than it may have', () => {
    const values = (categoryId: number, AttributeValues: object) => ({ CategoryId: categoryId, AttributeValues })
    expect(refused(values(120201, { Terms: [{ Id: 101, Values: ['Kosta', 'Ikea'] }] })).slice(1)).to.deep.equal([
      'Attribute 101 (Märke): "Ikea" is not one of Gustavsberg, Höganäs, Kosta, Rörstrand, Annat märke.',
      'Attribute 101 (Märke): at most 1 values.',
    ])
    const colours = (...Values: string[]) => values(160202, { Terms: [{ Id: 103, Values }] })
    expect(refused(colours('Blå', 'Röd', 'Grön')).slice(1)).to.deep.equal(['Attribute 103 (Färg): at most 2 values.'])
    expect(refused(values(120201, { Numbers: [{ Id: 203, Values: [1900, 1901] }] })).slice(1)).to.deep.equal([
      'Attribute 203 (Tillverkningsår): at most 1 values.',
    ])
    for (const fine of [colours('Blå', 'Röd'), values(120201, { Terms: [{ Id: 103, Values: ['Rosa'] }] }), values(120201, {})]) {
      expect(() => add(fine)).not.to.throw()
    }
  })

  it('needs a condition, a way to the buyer and the attributes of the category where the service is strict', () => {
    using strict = closing(new Market({ strict: true }))
    const faults = (request: object) => {
      try {
        strict.call('AddItem', { itemRequest: { ...AUCTION, ...request } })
        return []
      } catch (error) {
        return (error as Error).message.split('\n').slice(1)
      }
    }
    const bare = { ItemAttributes: undefined, ShippingOptions: [], CategoryId: 120201 }
    const condition = 'ItemAttributes: the condition is required in this category.'
    const way = 'ShippingOptions: at least one is required.'
    const brand = 'Attribute 101 (Märke) is required in this category.'
    expect(faults(bare)).to.deep.equal([condition, way, brand])
    expect(faults({ ...bare, ItemType: ITEM_TYPE_IDS.ContactOnly })).to.deep.equal([condition, brand])
    expect(faults({ CategoryId: 160202, AttributeValues: { Numbers: [{ Id: 201, Values: [90] }] } })).to.deep.equal([
      'Attribute 102 (Storlek) is required in this category.',
    ])
    expect(faults({ CategoryId: 120201, AttributeValues: { Terms: [{ Id: 101, Values: ['Kosta'] }] } })).to.deep.equal([])
    expect(faults({})).to.deep.equal([])
  })

  it('refuses a call without a request, and makes nothing of what it refuses', () => {
    expect(market.fault('AddItem', {})).to.include({
      family: 'invalid',
      message: 'Request data is not valid:\nitemRequest: is missing.',
    })
    refused({ CategoryId: 99 })
    expect(market.marketplace.console.requests(10)).to.deep.equal([])
  })

  it('fails an item whose end has passed while it waited', () => {
    const { RequestId, ItemId } = add({ AutoCommit: false, CustomEndDate: dateTimeOf(START + HOUR) })
    market.pass(2 * HOUR)
    market.call('AddItemCommit', { requestId: RequestId })
    market.pass()
    expect(market.result(RequestId)).to.have.property('ResultCode', 'Error')
    expect(market.call('GetItem', { itemId: ItemId })).to.equal(null)
  })

  describe('with AutoCommit false', () => {
    const image = (requestId: number, imageData: Buffer, imageFormat: string, hasMega = false, who = ME) =>
      market.call('AddItemImage', { requestId, imageData, imageFormat, hasMega }, who)

    it('waits, Uncommited, until it is committed; then it is due', () => {
      const { RequestId, ItemId } = add({ AutoCommit: false })
      market.pass(30 * DAY)
      expect(market.result(RequestId)).to.deep.include({ RequestId, ResultCode: 'Uncommited' })
      expect(market.result(RequestId)?.Message).to.match(/commit/)
      expect(market.call('AddItemCommit', { requestId: RequestId })).to.equal(null)
      expect(market.result(RequestId)).to.equal(undefined)
      market.pass()
      expect(market.result(RequestId)?.ResultCode).to.equal('Ok')
      expect(market.item(ItemId).StartDate).to.equal(dateTimeOf(START + 30 * DAY + 1500))
    })

    it('shows its images in the order they came, a mega image as such, bytes as they were', () => {
      const { RequestId, ItemId } = add({ AutoCommit: false })
      expect(image(RequestId, PNG, 'Png')).to.equal(null)
      image(RequestId, JPEG, 'Jpeg', true)
      image(RequestId, GIF, 'Gif')
      market.call('AddItemCommit', { requestId: RequestId })
      market.pass()
      const item = market.item(ItemId)
      expect(item.ImageLinks?.map((link) => link.split('.').at(-1))).to.deep.equal(['png', 'jpg', 'gif'])
      expect(item.ThumbnailLink).to.match(/\.png$/)
      expect(item.Thumbnail).to.equal(true)
      const mega = item.DetailedImageLinks.filter((link) => link.Format === 'mega')
      expect(mega).to.have.length(1)
      expect(mega[0]?.Url).to.match(/\.jpg$/)
      const id = Number(/(\d+)\.png$/.exec(item.ThumbnailLink ?? '')?.[1])
      expect(market.marketplace.console.image(id)).to.deep.equal({ bytes: PNG, format: 'Png' })
    })

    it('can be committed again, and after AutoCommit true, without effect', () => {
      const waiting = add({ AutoCommit: false })
      market.call('AddItemCommit', { requestId: waiting.RequestId })
      market.pass(1000)
      market.call('AddItemCommit', { requestId: waiting.RequestId })
      market.pass(500)
      expect(market.result(waiting.RequestId)?.ResultCode).to.equal('Ok')
      market.call('AddItemCommit', { requestId: waiting.RequestId })
      const committed = add()
      market.call('AddItemCommit', { requestId: committed.RequestId })
      market.pass()
      expect(market.items().filter((item) => item.Id >= waiting.ItemId)).to.have.length(2)
    })

    it('takes nothing once committed, nor with AutoCommit true, nor for another user', () => {
      const auto = add()
      const waiting = add({ AutoCommit: false })
      const attempt = (requestId: number, who = ME) =>
        market.fault('AddItemImage', { requestId, imageData: PNG, imageFormat: 'Png', hasMega: false }, who).message
      expect(attempt(auto.RequestId)).to.match(
        /^Request data is not valid:\nItem request with id \d+ was created with AutoCommit true/,
      )
      expect(attempt(waiting.RequestId, member(SECOND))).to.match(/does not exist for user 1002/)
      const text = { requestId: waiting.RequestId, imageData: Buffer.from('text'), imageFormat: 'Png', hasMega: false }
      expect(market.fault('AddItemImage', text).message).to.match(/not a Gif, Jpeg or Png/)
      expect(attempt(1)).to.match(/Item request with id 1 does not exist for user 1001/)
      expect(market.fault('AddItemCommit', { requestId: 1 }).message).to.match(/Item request with id 1 does not exist/)
      market.call('AddItemCommit', { requestId: waiting.RequestId })
      expect(attempt(waiting.RequestId)).to.match(/is committed and takes images no more/)
    })

    it('ends as ImageProcessingError when an image turns out cut short, and lists nothing', () => {
      const { RequestId, ItemId } = add({ AutoCommit: false })
      image(RequestId, PNG, 'Png')
      image(RequestId, PNG.subarray(0, -3), 'Png')
      market.call('AddItemCommit', { requestId: RequestId })
      market.pass()
      expect(market.result(RequestId)).to.deep.equal({
        RequestId,
        ResultCode: 'ImageProcessingError',
        Message: 'Image 2 of 2 is damaged.',
      })
      expect(market.call('GetItem', { itemId: ItemId })).to.equal(null)
    })
  })
})
