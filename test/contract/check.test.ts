import { expect } from 'chai'
import { checkInput, MAX_IMAGE_BYTES, operations, type ParamsOf } from '../../src/contract/index.js'

type ItemRequest = NonNullable<ParamsOf<'AddItem'>['itemRequest']>

const request: ItemRequest = {
  Title: 'Höganäs krus',
  CategoryId: 344481,
  Duration: 7,
  Restarts: 0,
  StartPrice: 100,
  ReservePrice: 0,
  BuyItNowPrice: 0,
  AcceptedBidderId: 1,
  ItemType: 1,
  AutoCommit: true,
}

/** Field: message of every fault of an AddItem whose request differs by the given fields. */
function addItemFaults(change: Record<string, unknown>): string[] {
  const faults = checkInput(operations.AddItem, { itemRequest: { ...request, ...change } })
  return faults.map((fault) => `${fault.field}: ${fault.message}`)
}

describe('input checks', () => {
  it('let a good request through', () => {
    expect(addItemFaults({})).to.deep.equal([])
    expect(
      addItemFaults({ CustomEndDate: '2026-12-01T20:00:00+01:00', ShippingOptions: [{ Cost: 59, ShippingProviderId: 2 }] }),
    ).to.deep.equal([])
  })

  it('tell everything that is wrong at once', () => {
    expect(
      addItemFaults({ Title: 'x'.repeat(81), StartPrice: 1.5, ReservePrice: -1, Duration: 0, ItemType: 4, AutoCommit: 'no' }),
    ).to.deep.equal([
      'itemRequest.Title: must be at most 80 characters, it has 81',
      'itemRequest.Duration: must be at least 1',
      'itemRequest.StartPrice: must be a whole number',
      'itemRequest.ReservePrice: must be at least 0',
      'itemRequest.ItemType: must be one of 1, 3, 5',
      'itemRequest.AutoCommit: must be true or false',
    ])
  })

  it('refuse unknown fields with the nearest known name', () => {
    const [fault] = checkInput(operations.AddItem, { itemRequest: { ...request, Tilte: 'x' } })
    expect(fault).to.include({ field: 'itemRequest.Tilte', hint: 'Did you mean Title?' })
  })

  it('name every field of which an unknown one is the end, or the beginning', () => {
    const hintOf = (name: string) => checkInput(operations.AddItem, { itemRequest: { ...request, [name]: 5 } })[0]?.hint
    expect(hintOf('Prise')).to.equal('Did you mean StartPrice, ReservePrice or BuyItNowPrice?')
    expect(hintOf('EndDate')).to.equal('Did you mean CustomEndDate?')
    expect(hintOf('Shipping')).to.equal('Did you mean ShippingOptions or ShippingCondition?')
    expect(hintOf('Colour')).to.match(/^Known fields: Title, /)
  })

  it('teach with a fault of type its limit and what to write', () => {
    const hintOf = (change: Record<string, unknown>) =>
      checkInput(operations.AddItem, { itemRequest: { ...request, ...change } })[0]?.hint
    expect(hintOf({ ReservePrice: '1.5' })).to.equal('Prices are whole kronor; 0 means none. Give digits only, e.g. 42.')
    expect(hintOf({ CategoryId: '12' })).to.equal('Write 12 without quotes.')
    expect(hintOf({ CategoryId: 0 })).to.equal('Give 1 or more.')
    expect(hintOf({ VAT: 101 })).to.equal('Give 0 to 100.')
    expect(hintOf({ Title: 'x'.repeat(81) })).to.equal('Shorten it by 1 character.')
    expect(hintOf({ Title: 5 })).to.equal('Put it in quotes.')
    expect(hintOf({ AutoCommit: 'no' })).to.equal('Write one of these words, without quotes.')
    expect(hintOf({ CustomEndDate: '2026-13-01T00:00:00' })).to.include('Check the month (01 to 12)')
    expect(hintOf({ PaymentOptionIds: 5 })).to.equal('Give a list, even for a single entry.')
    expect(hintOf({ ShippingOptions: ['pickup'] })).to.match(/^Its fields: ShippingOptionId, Cost, /)
  })

  it('name fields that are missing', () => {
    expect(checkInput(operations.GetItem, {})[0]).to.include({ field: 'itemId', message: 'is missing' })
    expect(checkInput(operations.AddItem, {})[0]).to.include({ field: 'itemRequest', message: 'is missing' })
  })

  it('refuse numbers beyond 32 bits', () => {
    expect(checkInput(operations.GetItem, { itemId: 2147483648 })[0]?.message).to.match(/32-bit/)
  })

  it('refuse characters that XML cannot carry, by name', () => {
    expect(addItemFaults({ Description: 'a\u0000b' })).to.deep.equal([
      'itemRequest.Description: holds the character U+0000, which XML cannot carry',
    ])
  })

  it('refuse a date that does not exist', () => {
    expect(addItemFaults({ CustomEndDate: '2026-02-30T10:00:00' })[0]).to.match(
      /^itemRequest.CustomEndDate: must be a date and time/,
    )
  })

  it('suggest the enumeration value that was meant', () => {
    const [fault] = checkInput(operations.LeaveFeedback, { transactionId: 1, comment: 'Tack!', type: 'positive' })
    expect(fault).to.include({ field: 'type', hint: 'Did you mean Positive?' })
  })

  it('take a comment of 80 UTF-16 units and refuse 81', () => {
    const faults = (comment: string) => checkInput(operations.LeaveFeedback, { transactionId: 1, comment, type: 'Positive' })
    expect(faults('å'.repeat(80))).to.deep.equal([])
    expect(faults('å'.repeat(81))[0]).to.include({
      message: 'must be at most 80 characters, it has 81',
      hint: 'The service keeps no more of a comment. Shorten it by 1 character.',
    })
    expect(faults('\u{1F600}'.repeat(41))[0]?.message).to.equal('must be at most 80 characters, it has 82')
    expect(faults(' ')[0]?.message).to.equal('is missing')
  })

  it('take an image of 4 MB and refuse one byte more, and an empty one', () => {
    const faults = (bytes: number) =>
      checkInput(operations.AddItemImage, { requestId: 1, imageData: new Uint8Array(bytes), imageFormat: 'Png', hasMega: false })
    expect(faults(MAX_IMAGE_BYTES)).to.deep.equal([])
    expect(faults(MAX_IMAGE_BYTES + 1)[0]).to.include({ value: '4 194 305 bytes' })
    expect(faults(0)[0]?.message).to.equal('is an empty file')
  })
})

describe('rules over several fields', () => {
  it('speak beside faults of other fields, and are silent where a field they read will not do', () => {
    expect(addItemFaults({ CategoryId: 'abc', Duration: 99, StartPrice: 4, ReservePrice: 2 })).to.deep.equal([
      'itemRequest.CategoryId: must be a whole number',
      'itemRequest.Duration: must be at most 14 days',
      'itemRequest.ReservePrice: must be greater than the opening price of 4',
    ])
    expect(addItemFaults({ StartPrice: 'x', ReservePrice: 300, BuyItNowPrice: 200 })).to.deep.equal([
      'itemRequest.StartPrice: must be a whole number',
      'itemRequest.BuyItNowPrice: must be greater than the reserve price of 300',
    ])
    expect(addItemFaults({ ItemType: 9, Duration: 20, BuyItNowPrice: 0 })).to.deep.equal([
      'itemRequest.ItemType: must be one of 1, 3, 5',
    ])
    const ids = [1, 6, 12].map((ShippingOptionId) => ({ Cost: -1, ShippingOptionId }))
    expect(addItemFaults({ ShippingOptions: ids })).to.have.length(4)
    expect(addItemFaults({ ShippingOptions: [{ Cost: 0, ShippingOptionId: 'x', ShippingProviderId: 2 }] })).to.have.length(1)
    expect(addItemFaults({ ShippingOptions: 'pickup' })).to.deep.equal(['itemRequest.ShippingOptions: must be a list'])
    expect(checkInput(operations.AddItem, { itemRequest: 'x' })).to.have.length(1)
    expect(checkInput(operations.AddItem, 'x')).to.have.length(1)
  })

  it('leave out what is not known yet', () => {
    const itemRequest = { ...request, StartPrice: 0, ReservePrice: 0, BuyItNowPrice: -1, Duration: 15 }
    const faults = checkInput(operations.AddItem, { itemRequest }, ['itemRequest.StartPrice', 'itemRequest.BuyItNowPrice'])
    expect(faults.map(({ field }) => field)).to.deep.equal(['itemRequest.Duration'])
  })

  it('hold opening < reserve < buy-now', () => {
    expect(addItemFaults({ ReservePrice: 100 })).to.deep.equal([
      'itemRequest.ReservePrice: must be greater than the opening price of 100',
    ])
    expect(addItemFaults({ ReservePrice: 300, BuyItNowPrice: 300 })).to.deep.equal([
      'itemRequest.BuyItNowPrice: must be greater than the reserve price of 300',
    ])
    expect(addItemFaults({ ReservePrice: 300, BuyItNowPrice: 400 })).to.deep.equal([])
    const prices = { itemId: 1, openingPrice: 500, ReservedPrice: 400, BinPrice: 450 }
    expect(checkInput(operations.SetPricesOnNonShopItems, prices).map((fault) => fault.field)).to.deep.equal([
      'ReservedPrice',
      'BinPrice',
    ])
    expect(checkInput(operations.SetPricesOnNonShopItems, { itemId: 1, openingPrice: 500, ReservedPrice: null })).to.deep.equal(
      [],
    )
  })

  it('want a buy-it-now price for an item sold at nothing else, and no reserve', () => {
    expect(addItemFaults({ ItemType: 3, ReservePrice: 200 })).to.deep.equal([
      'itemRequest.BuyItNowPrice: must be at least 1 for an item that is sold at buy-it-now only',
      'itemRequest.ReservePrice: must be 0',
    ])
    expect(addItemFaults({ ItemType: 3, StartPrice: 0, BuyItNowPrice: 200, Duration: 30 })).to.deep.equal([])
  })

  it('let an auction run 14 days at most, a buy-now item 30, in the same words however many are too many', () => {
    for (const Duration of [15, 30, 31, 99]) {
      expect(addItemFaults({ Duration })).to.deep.equal(['itemRequest.Duration: must be at most 14 days'])
    }
    expect(addItemFaults({ Duration: 14 })).to.deep.equal([])
    const sold = { ItemType: 3, StartPrice: 0, BuyItNowPrice: 200 }
    expect(addItemFaults({ ...sold, Duration: 31 })).to.deep.equal(['itemRequest.Duration: must be at most 30 days'])
  })

  it('count shipping options: two, three with pickup', () => {
    const option = (id: number) => ({ Cost: 0, ShippingOptionId: id })
    expect(addItemFaults({ ShippingOptions: [option(8), option(6), option(12)] })).to.deep.equal([])
    expect(addItemFaults({ ShippingOptions: [option(1), option(6), option(12)] })).to.have.length(1)
    expect(addItemFaults({ ShippingOptions: [{ Cost: 0, ShippingOptionId: 1, ShippingProviderId: 2 }] })).to.deep.equal([
      'itemRequest.ShippingOptions[0]: must have exactly one of ShippingOptionId and ShippingProviderId',
    ])
  })

  it('want title, category and price of a shop item, and one kind of quantity', () => {
    const faults = (shopItemData: ParamsOf<'AddShopItem'>['shopItemData']) =>
      checkInput(operations.AddShopItem, { shopItemData }).map((fault) => fault.field)
    expect(faults({})).to.deep.equal(['shopItemData.Title', 'shopItemData.CategoryId', 'shopItemData.Price'])
    const item = { Title: 'Kopp', CategoryId: 1, Price: 49 }
    expect(faults({ ...item, Quantity: 1, AbsoluteQuantity: 1 })).to.deep.equal(['shopItemData.AbsoluteQuantity'])
    expect(faults({ ...item, ActivateDate: '2026-12-02T00:00:00', DeactivateDate: '2026-12-01T00:00:00' })).to.deep.equal([
      'shopItemData.DeactivateDate',
    ])
    expect(faults({ ...item, AbsoluteQuantity: 3 })).to.deep.equal([])
  })

  it('name the entry of a long list that is wrong, and how', () => {
    const good = { Id: 1, Price: 49 }
    const faults = (...ShopItems: object[]) =>
      checkInput(operations.SetPriceOnShopItems, { request: { ShopItems } } as never).map(
        ({ field, message }) => `${field.slice(17)}: ${message}`,
      )
    expect(
      faults(good, { ...good, Price: 49.5 }, { Id: '7', Price: 5 }, { ...good, Price: 3e9 }, { Id: 1 }, { ...good, Prise: 1 }),
    ).to.deep.equal([
      '[1].Price: must be a whole number',
      '[2].Id: must be a whole number',
      '[3].Price: does not fit in a 32-bit int (-2147483648 to 2147483647)',
      '[4].Price: is missing',
      '[5].Prise: is not a field of the service',
    ])
  })
})
