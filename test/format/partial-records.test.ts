/** Records with fields that the service left out, and cells that depend on one field: what a person sees then. */
import { expect } from 'chai'
import { Item, operations } from '../../src/contract/index.js'
import type { View } from '../../src/format/output/index.js'
import { valueView } from '../../src/format/views/calls.js'
import { imageLinksOf, itemView, itemViewOf, NO_NAMES, readable, stateOf } from '../../src/format/views/items.js'
import { type ShippingRecord, shippingFlag, shippingTitle } from '../../src/format/views/reference.js'
import { type SalesReportRow, salesReportView, salesReportWords } from '../../src/format/views/reports.js'
import { type OperationShown, operationView } from '../../src/format/views/service.js'
import { shopSettingsView } from '../../src/format/views/shop.js'
import { saleLine, type TransactionRecord } from '../../src/format/views/transactions.js'
import { cellsOf, PLAIN, TAGS } from './cells.js'
import { itemOf, SALE, WHOLE_SALE } from './records.js'

const titleOf = <T>({ title }: View<T>, row: T) => (typeof title === 'function' ? title(row) : title)

describe('an item', () => {
  const { ShortDescription: _title, ...untitled } = itemOf()
  const cells = (fields: Parameters<typeof itemOf>[0]) => cellsOf(itemView, itemOf(fields))

  it('without a title is called by its id', () => {
    expect(titleOf(itemView, untitled)).to.equal('Item 1001')
    expect(titleOf(itemView, itemOf())).to.equal('Vas')
  })

  it('has its condition and its buyers in words, and a number that is not known as it is', () => {
    expect(cells({ ItemAttributes: [2, 99], AcceptedBuyerId: 99 })).to.include({
      ItemAttributes: 'used (2), 99',
      AcceptedBuyerId: '99',
    })
  })

  it('has no number in front of a price for a way of sending that is not named', () => {
    const way = { Cost: 59, ShippingOptionId: null, ShippingProviderId: null }
    const ways = [way, { ...way, ShippingOptionId: 77 }, { ...way, Cost: 0, ShippingOptionId: 8 }]
    expect(cells({ ShippingOptions: ways }).ShippingOptions).to.equal('59 kr, 59 kr (option 77), 0 kr (pickup)')
  })

  it('says beside its state that there are bidders, and a winner, unless it is sold', () => {
    const state = (Ended: boolean, GotBidders: boolean, GotWinner: boolean) =>
      cells({ Status: { Ended, GotBidders, GotWinner } }).Status
    expect(state(false, false, false)).to.equal('<green>active')
    expect(state(false, true, false)).to.equal('<green>active, has bidders')
    expect(state(false, true, true)).to.equal('<green>active, has bidders, has a winner')
    expect(state(true, true, false)).to.equal('<dim>ended, has bidders')
    expect(state(true, true, true)).to.equal('<blue>sold')
  })

  it('without a status has not ended for one who does not know the time', () => {
    const { Status: _, ...item } = itemOf({ StartDate: '2000-01-01T00:00:00Z', EndDate: '2001-01-01T00:00:00Z' })
    expect(stateOf(item, Number.POSITIVE_INFINITY)).to.equal('active')
    expect(stateOf(item, Date.parse('2001-01-01T00:00:00Z'))).to.equal('ended')
    expect(stateOf(item, Date.parse('2001-01-01T00:00:00Z') - 1)).to.equal('active')
  })

  it('has the images of either list, with their sizes where they are known', () => {
    const detailed = [{ Url: 'http://127.0.0.1/1.jpg', Format: 'normal' }, { Format: 'thumb' }]
    const links = (lists: { ImageLinks?: string[] }) => imageLinksOf(itemOf({ ...lists, DetailedImageLinks: detailed }))
    const first = { Number: 1, Url: 'http://127.0.0.1/1.jpg', Format: 'normal' }
    expect(links({})).to.deep.equal([first])
    expect(links({ ImageLinks: [] })).to.deep.equal([first])
    expect(links({ ImageLinks: ['http://127.0.0.1/1.jpg', 'http://127.0.0.1/2.jpg'] })).to.deep.equal([
      first,
      { Number: 2, Url: 'http://127.0.0.1/2.jpg', Format: null },
    ])
  })

  it('has each entity of its description as its character', () => {
    expect(readable('&amp;&lt;&gt;&quot;&apos;&nbsp;&hearts;')).to.equal(`&<>"' &hearts;`)
  })

  it('has the names of providers beside their numbers', () => {
    const names = { ...NO_NAMES, shipping: () => 'Carrier', option: () => 'Letter' }
    const item = itemOf({ ShippingOptions: [{ Cost: 59, ShippingOptionId: null, ShippingProviderId: 2 }] })
    expect(cellsOf(itemViewOf({ names, now: 0, unit: 'kr' }), item).ShippingOptions).to.equal('59 kr (Carrier, provider 2)')
    expect(cellsOf(itemView, item).ShippingOptions).to.equal('59 kr (provider 2)')
    const older = { ...item, ShippingOptions: [{ Cost: 29, ShippingOptionId: 1 }] } as unknown as typeof item
    expect(cellsOf(itemViewOf({ names, now: 0, unit: 'kr' }), older).ShippingOptions, 'no field for providers').to.equal(
      '29 kr (Letter, option 1)',
    )
  })
})

describe('a sale', () => {
  it('is one line, with item and buyer as far as they are there', () => {
    const line = (row: TransactionRecord) => saleLine(row, { width: 80, paint: TAGS, plain: false, unit: 'kr' })
    expect(line(WHOLE_SALE)).to.equal('2026-11-30 18:00  5  <bold>1 200 kr  Vas, to bo')
    expect(line(SALE)).to.equal('2026-11-30 18:00  5  <bold>1 200 kr  no title')
    expect(line({ ...SALE, Buyer: { Id: 8 } })).to.equal('2026-11-30 18:00  5  <bold>1 200 kr  no title')
  })

  it('is cut at the width of the terminal, but keeps 20 columns', () => {
    const Title = 'En mycket gammal vas av blått glas'
    const long: TransactionRecord = { ...SALE, Item: { Id: 1, Type: 'ShopItem', Title, OwnReferences: [] } }
    expect(saleLine(long, { width: 60, paint: PLAIN, plain: false, unit: 'kr' })).to.equal(
      '2026-11-30 18:00  5  1 200 kr  En mycket gammal vas av blåt…',
    )
    expect(saleLine(long, { width: 10, paint: PLAIN, plain: false, unit: 'kr' })).to.match(/kr {2}En mycket gammal…$/)
  })
})

describe('a shop', () => {
  const shop = {
    ShowGalleryMode: null,
    ShowAuctionView: null,
    IsTemporaryClosed: null,
    MaxActiveItems: 5,
    MaxInventoryItems: 5,
    Closing: null,
  }
  const cells = (more: object) => cellsOf(shopSettingsView, { ...shop, ...more })

  it('has its logo in words, if there is one', () => {
    const logo = (LogoInformation: object | undefined) => cells({ LogoInformation })['LogoInformation.ImageFormat']
    expect(logo({ ImageData: new Uint8Array(7), ImageFormat: 'Png' })).to.equal('Png, 7 bytes (--logo FILE saves it)')
    expect(logo({ ImageData: new Uint8Array(7) })).to.equal('image, 7 bytes (--logo FILE saves it)')
    expect([logo({}), logo(undefined)]).to.deep.equal(['', ''])
  })
})

describe('a way of sending', () => {
  const way: ShippingRecord = {
    ...{ Name: null, ShippingProviderId: null, ShippingOptionId: null, ShippingProductId: null },
    ...{ Weight: null, Cost: null, Items: 0, From: 'items' },
  }
  for (const [given, flag, title] of [
    [{ Name: 'pickup', ShippingOptionId: 8 }, 'pickup', 'pickup'],
    [{ ShippingOptionId: 77 }, 'option=77', 'option 77'],
    [{ ShippingProviderId: 2 }, 'provider=2', 'provider 2'],
    [{ Name: 'Carrier', ShippingProviderId: 2 }, 'provider=2', 'Carrier'],
    [{ ShippingProviderId: 2, ShippingProductId: 9 }, 'provider=2,product=9', 'provider 2'],
  ] as const) {
    it(`is given as "${flag}" and called "${title}"`, () => {
      expect([shippingFlag({ ...way, ...given }), shippingTitle({ ...way, ...given })]).to.deep.equal([flag, title])
    })
  }
})

describe('an operation', () => {
  const field = { Name: 'itemId', Type: 'int', Required: true, Nillable: false, Limits: 'from 1' }
  const operation: OperationShown = {
    ...{ Service: 'PublicService', Operation: 'GetItem', Kind: 'read', Queued: false, User: false, Summary: '', Source: 'both' },
    ...{ Commands: [], Parameters: [field], Result: [], Example: '' },
  }

  it('has a line for each field, indented below its parent, with its limits', () => {
    const shown = operationView.columns.find(({ key }) => key === 'Parameters')?.shown
    const inner = { ...field, Name: 'list[].price', Type: 'decimal', Required: false, Nillable: true, Limits: null }
    expect(shown?.({ ...operation, Parameters: [field, inner] }, 'kr')?.split('\n')).to.deep.equal([
      'itemId   int, required, from 1',
      '  price  decimal, may be nil',
    ])
    expect(shown?.({ ...operation, Parameters: [] }, 'kr')).to.equal('none')
  })
})

describe('a value of any type', () => {
  const keys = (view: View<unknown>) => view.columns.map(({ key }) => key)

  it('has the fields of its type, of a list too, whatever is in it', () => {
    const { result } = operations.GetItem
    expect(keys(valueView(result?.type, null))).to.deep.equal(Object.keys(Item.fields))
    const list = valueView(operations.GetSellerItems.result?.type, [])
    expect(keys(list)).to.deep.equal(Object.keys(Item.fields))
    expect(list.columns.find(({ key }) => key === 'EndDate')?.kind).to.equal('date')
    expect(list.columns.find(({ key }) => key === 'Buyers')?.kind).to.equal('list')
  })

  it('has the names in the value where its type is not known, or has none', () => {
    for (const type of [undefined, operations.GetOfficalTime.result.type]) {
      expect(keys(valueView(type, { A: 1, B: 2 }))).to.deep.equal(['A', 'B'])
      expect(keys(valueView(type, [{ A: 1 }, { B: 2 }]))).to.deep.equal(['A'])
      for (const value of [null, 'text', [], [null]]) expect(keys(valueView(type, value))).to.deep.equal([])
    }
  })
})

describe('a row of a report', () => {
  const row: SalesReportRow = {
    ...{ Key: '1', Name: 'Vas', From: null, To: null, Sales: 1, Amount: 100, Average: 100, Buyers: 1, MedianDaysToSell: null },
    ...{
      PaidPercent: null,
      ShippedPercent: null,
      RatedPercent: null,
      CostedSales: 0,
      CostedPercent: 0,
      Cost: null,
      Margin: null,
    },
    ...{ OrderedSales: 0, Shipping: null, Fees: null, RealMargin: null, RealMarginPercent: null, Net: 0, Vat: 0 },
    ...{ UnpaidSales: 1, UnpaidAmount: 100 },
    ...{ MarginPercent: null, PreviousSales: 2, PreviousAmount: 200, Change: -100, ChangePercent: -50 },
  }
  const previous = {
    ...row,
    ...{ Basis: 'calendar_months' as const, Months: 1 },
    Since: '2026-10-01T00:00:00+02:00',
    Until: '2026-11-01T00:00:00+01:00',
  }
  const view = salesReportView({ By: 'item', Rows: [row], Total: row, Previous: previous })

  for (const [given, change] of [
    [{}, '<red>-50 %'],
    [{ Change: 100, ChangePercent: 50 }, '<green>+50 %'],
    [{ Change: 0, ChangePercent: 0 }, '0 %'],
    [{ PreviousSales: 0, PreviousAmount: 0, Change: 100, ChangePercent: null }, '<green>new'],
    [{ Sales: 0, PreviousSales: 0, Change: null, ChangePercent: null }, ''],
  ] as const) {
    it(`shows a change as "${change}"`, () => {
      expect(cellsOf(view, { ...row, ...given }).ChangePercent).to.equal(change)
    })
  }

  it('has an average only where something was sold', () => {
    const words = (Total: SalesReportRow) =>
      salesReportWords(
        {
          NotRead: [],
          Fee: null,
          By: 'item',
          Since: previous.Since,
          Until: previous.Until,
          Total,
          Previous: null,
          Rows: [Total],
        },
        { width: 80, paint: PLAIN, plain: false, unit: 'kr' },
      ).split('\n')
    expect(words(row)[2]).to.equal('  100 kr on average, 1 buyer')
    expect(words({ ...row, Average: null })[2]).to.equal('  1 buyer')
    expect([row, { ...row, Average: null }].map((each) => cellsOf(view, each).Average)).to.deep.equal(['100 kr', ''])
    expect(words({ ...row, Sales: 0 })).to.have.lengthOf(2)
  })
})
