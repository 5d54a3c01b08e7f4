/** Records with fields that the service left out, and cells that depend on one field: what a person sees then. */
import { expect } from 'chai'
import { Item, operations } from '../../src/contract/index.js'
import type { View } from '../../src/format/output/index.js'
import {
  accountView,
  callUsageView,
  costsView,
  eidView,
  feedbackView,
  imageLinksOf,
  itemView,
  itemViewOf,
  jobRowsView,
  jobView,
  NO_NAMES,
  type OperationShown,
  operationView,
  ordersView,
  profilesView,
  readable,
  requestsView,
  type SalesReportRow,
  type ShippingRecord,
  saleLine,
  salesReportView,
  salesReportWords,
  shippingFlag,
  shippingTitle,
  shopReportsView,
  shopSettingsView,
  stateOf,
  type TransactionRecord,
  transactionView,
  valueView,
} from '../../src/format/views/index.js'
import { cellsOf, PLAIN, TAGS } from './cells.js'
import { itemOf, JOB, JOB_ROW, REQUEST, SALE, USAGE, WHOLE_SALE } from './records.js'

const titleOf = <T>({ title }: View<T>, row: T) => (typeof title === 'function' ? title(row) : title)

it('what an item costs is shown to the öre, and nothing where it is not known', () => {
  const cost = { Id: 1, OwnReference: null, Title: null, Cost: 12.5, LowestPrice: 30, RecommendedPrice: null, Since: '' }
  expect(cellsOf(costsView, cost)).to.include({ Cost: '12.50 kr', LowestPrice: '30 kr', RecommendedPrice: '' })
})

it('an order has its items in words, with how many where it is more than one', () => {
  const Items = [
    { Title: 'Mugg', Quantity: 2 },
    { Title: 'Vas', Quantity: 1 },
  ]
  expect(cellsOf(ordersView, { State: 'sent', Items, SellerOrderPayments: [] } as never)['Items.Title']).to.equal('2 × Mugg, Vas')
})

it('a shop of several has an average in whole kronor, where something was sold', () => {
  const average = (Average: number | null) =>
    cellsOf(shopReportsView(), { Result: { Total: { Amount: 301, Average }, Previous: null } } as never).Average
  expect([average(100.33), average(null)]).to.deep.equal(['100 kr', ''])
})

describe('an item', () => {
  const { ShortDescription: _title, ...untitled } = itemOf()
  const cells = (fields: Parameters<typeof itemOf>[0]) => cellsOf(itemView, itemOf(fields))

  it('without a title is called by its id', () => {
    expect(titleOf(itemView, untitled)).to.equal('Item 1001')
    expect(titleOf(itemView, itemOf())).to.equal('Vas')
  })

  it('has empty cells for lists that are left out', () => {
    const left = { PaymentOptions: undefined, ItemAttributes: undefined, ImageLinks: undefined }
    expect(cells(left)).to.include({ PaymentOptions: '', ItemAttributes: '', ImageLinks: '' })
  })

  it('has its condition and its buyers in words, and a number that is not known as it is', () => {
    expect(cells({ ItemAttributes: [2, 99], AcceptedBuyerId: 99 })).to.include({
      ItemAttributes: 'used (2), 99',
      AcceptedBuyerId: '99',
    })
  })

  it('has no number in front of a price for a way of sending that is not named', () => {
    const way = { Cost: 59, ShippingOptionId: null, ShippingProviderId: null }
    expect(cells({ ShippingOptions: [way, { ...way, ShippingOptionId: 77 }] }).ShippingOptions).to.equal(
      '59 kr, 59 kr (option 77)',
    )
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
    const item = itemOf({ Status: undefined, StartDate: '2000-01-01T00:00:00Z', EndDate: '2001-01-01T00:00:00Z' })
    expect(stateOf(item, Number.POSITIVE_INFINITY)).to.equal('active')
    expect(stateOf(item, Date.parse('2001-01-01T00:00:00Z'))).to.equal('ended')
    expect(stateOf(item, Date.parse('2001-01-01T00:00:00Z') - 1)).to.equal('active')
  })

  it('has the images of either list, with their sizes where they are known', () => {
    const detailed = [{ Url: 'http://127.0.0.1/1.jpg', Format: 'normal' }, { Format: 'thumb' }]
    const links = (ImageLinks: string[] | undefined) => imageLinksOf(itemOf({ ImageLinks, DetailedImageLinks: detailed }))
    const first = { Number: 1, Url: 'http://127.0.0.1/1.jpg', Format: 'normal' }
    expect(links(undefined)).to.deep.equal([first])
    expect(links([])).to.deep.equal([first])
    expect(links(['http://127.0.0.1/1.jpg', 'http://127.0.0.1/2.jpg'])).to.deep.equal([
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
    expect(cellsOf(itemViewOf({ names, now: 0 }), item).ShippingOptions).to.equal('59 kr (Carrier, provider 2)')
    expect(cellsOf(itemView, item).ShippingOptions).to.equal('59 kr (provider 2)')
    const older = { ...item, ShippingOptions: [{ Cost: 29, ShippingOptionId: 1 }] } as unknown as typeof item
    expect(cellsOf(itemViewOf({ names, now: 0 }), older).ShippingOptions, 'no field for providers').to.equal(
      '29 kr (Letter, option 1)',
    )
  })
})

describe('a sale', () => {
  it('is one line, with item and buyer as far as they are there', () => {
    const line = (row: TransactionRecord) => saleLine(row, { width: 80, paint: TAGS })
    expect(line(WHOLE_SALE)).to.equal('2026-11-30 18:00  5  <bold>1 200 kr  Vas, to bo')
    expect(line(SALE)).to.equal('2026-11-30 18:00  5  <bold>1 200 kr  no title')
    expect(line({ ...SALE, Buyer: { Id: 8 } })).to.equal('2026-11-30 18:00  5  <bold>1 200 kr  no title')
  })

  it('is cut at the width of the terminal, but keeps 20 columns', () => {
    const Title = 'En mycket gammal vas av blått glas'
    const long: TransactionRecord = { ...SALE, Item: { Id: 1, Type: 'ShopItem', Title, OwnReferences: [] } }
    expect(saleLine(long, { width: 60, paint: PLAIN })).to.equal('2026-11-30 18:00  5  1 200 kr  En mycket gammal vas av blåt…')
    expect(saleLine(long, { width: 10, paint: PLAIN })).to.match(/kr {2}En mycket gammal…$/)
  })

  it('as a card has the title of its item, or its number', () => {
    expect([titleOf(transactionView, WHOLE_SALE), titleOf(transactionView, SALE)]).to.deep.equal(['Vas', 'Transaction 5'])
    expect(cellsOf(transactionView, WHOLE_SALE)['Buyer.Alias']).to.equal('bo (8)')
    expect(cellsOf(transactionView, { ...SALE, Buyer: { Id: 8 } })['Buyer.Alias']).to.equal('')
  })
})

describe('a shop', () => {
  const shop = { ShowGalleryMode: null, ShowAuctionView: null, IsTemporaryClosed: null, MaxActiveItems: 5, MaxInventoryItems: 5 }
  const cells = (more: object) => cellsOf(shopSettingsView, { ...shop, ...more })

  it('has its logo in words, if there is one', () => {
    const logo = (LogoInformation: object | undefined) => cells({ LogoInformation })['LogoInformation.ImageFormat']
    expect(logo({ ImageData: new Uint8Array(7), ImageFormat: 'Png' })).to.equal('Png, 7 bytes (--logo FILE saves it)')
    expect(logo({ ImageData: new Uint8Array(7) })).to.equal('image, 7 bytes (--logo FILE saves it)')
    expect([logo({}), logo(undefined)]).to.deep.equal(['', ''])
  })

  it('warns that it is closed', () => {
    expect(cells({ IsTemporaryClosed: true }).IsTemporaryClosed).to.equal('<yellow>yes')
    expect(cells({ IsTemporaryClosed: false }).IsTemporaryClosed).to.equal('no')
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

  it('has its kind, and that it is queued', () => {
    const kind = (Queued: boolean) => cellsOf(operationView, { ...operation, Kind: 'single write', Queued }).Kind
    expect([kind(true), kind(false)]).to.deep.equal(['single write, queued', 'single write'])
  })

  it('has a line for each field, indented below its parent, with its limits', () => {
    const shown = operationView.columns.find(({ key }) => key === 'Parameters')?.shown
    const inner = { ...field, Name: 'list[].price', Type: 'decimal', Required: false, Nillable: true, Limits: null }
    expect(shown?.({ ...operation, Parameters: [field, inner] })?.split('\n')).to.deep.equal([
      'itemId   int, required, from 1',
      '  price  decimal, may be nil',
    ])
    expect(shown?.({ ...operation, Parameters: [] })).to.equal('none')
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

describe('a job', () => {
  for (const [given, cells] of [
    [{}, { State: '<cyan>open', UndoOf: '', DiscountId: '' }],
    [{ Running: true }, { State: '<cyan>open, at work now' }],
    [{ UndoOf: 1, UndoneJobs: [1] }, { UndoOf: 'job 1' }],
    [{ UndoOf: 2, UndoneJobs: [1, 2] }, { UndoOf: 'jobs 1, 2' }],
    [{ DiscountId: 9 }, { DiscountId: '9' }],
  ] as const) {
    it(`is shown as ${JSON.stringify(cells)}`, () => {
      expect(cellsOf(jobView, { ...JOB, ...given })).to.include(cells)
    })
  }

  it('has rows without what was sent, if nothing was', () => {
    expect(cellsOf(jobRowsView('add-shop'), JOB_ROW)).to.include({ 'Payload.Price': '', State: '<red>failed' })
    expect(cellsOf(jobRowsView('add-shop'), { ...JOB_ROW, Payload: { Price: 149 } })).to.include({ 'Payload.Price': '149 kr' })
  })
})

describe('the tone of a cell', () => {
  for (const [tone, states] of [
    ['green', ['ok']],
    ['red', ['failed', 'refused']],
    ['magenta', ['unknown']],
    ['yellow', ['retryable', 'held', 'partial']],
    ['cyan', ['queued', 'sending', 'waiting', 'open']],
    [undefined, ['skipped', 'done', '']],
  ] as const) {
    it(`is ${tone ?? 'none'} for ${states.join(', ')}`, () => {
      for (const State of states) {
        expect(cellsOf(requestsView, { ...REQUEST, State }).State).to.equal(tone === undefined ? State : `<${tone}>${State}`)
      }
    })
  }

  it('shows a session that is completed, the kind of feedback, and the profile in use', () => {
    const session = (IsCompleted: boolean | null) => cellsOf(eidView, { IsCompleted }).IsCompleted
    expect([session(true), session(false), session(null)]).to.deep.equal(['<green>yes', 'no', ''])
    const feedback = (Type: 'Positive' | 'Negative') => cellsOf(feedbackView, { Type, Comment: '', Left: true }).Type
    expect([feedback('Positive'), feedback('Negative')]).to.deep.equal(['<green>Positive', '<red>Negative'])
    const profile = (InUse: boolean) =>
      cellsOf(profilesView, { Profile: 'main', InUse, BaseUrl: null, AppId: null, UserId: null }).Profile
    expect([profile(true), profile(false)]).to.deep.equal(['<bold>main', 'main'])
  })
})

describe('the use of the budget', () => {
  const usage = { ...USAGE, Budget: 10_000, Remaining: 8750 }
  const cells = (more: Partial<typeof usage> | { Budget: null; Remaining: null }) =>
    cellsOf(callUsageView(usage), { ...usage, ...more })

  it('has the budget and the rest, in red when nothing is left', () => {
    expect(cells({})).to.include({ Budget: '10 000 in 24 hours', Remaining: '8 750', ByOperation: 'GetItem 1 250 (3 failed)' })
    expect(cells({ Remaining: 0 }).Remaining).to.equal('<red>0')
    expect(cells({ Budget: null, Remaining: null })).to.include({ Budget: 'none set', Remaining: '' })
  })
})

describe('a row of a report', () => {
  const row: SalesReportRow = {
    ...{ Key: '1', Name: 'Vas', From: null, To: null, Sales: 1, Amount: 100, Average: 100, Buyers: 1, MedianDaysToSell: null },
    ...{ PaidPercent: null, ShippedPercent: null, RatedPercent: null, CostedSales: 0, Cost: null, Margin: null },
    ...{ OrderedSales: 0, Shipping: null, Fees: null, RealMargin: null, RealMarginPercent: null },
    ...{ MarginPercent: null, PreviousSales: 2, PreviousAmount: 200, Change: -100, ChangePercent: -50 },
  }
  const previous = { ...row, Since: '2026-10-01T00:00:00+02:00', Until: '2026-11-01T00:00:00+01:00' }
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
        { By: 'item', Since: previous.Since, Until: previous.Until, Total, Previous: null, Rows: [Total] },
        { width: 80, paint: PLAIN, plain: false },
      ).split('\n')
    expect(words(row)[2]).to.equal('  100 kr on average, 1 buyer')
    expect(words({ ...row, Average: null })[2]).to.equal('  1 buyer')
    expect([row, { ...row, Average: null }].map((each) => cellsOf(view, each).Average)).to.deep.equal(['100 kr', ''])
    expect(words({ ...row, Sales: 0 })).to.have.lengthOf(2)
  })
})

describe('an account', () => {
  it('is called by its alias, or by its number', () => {
    expect([
      titleOf(accountView, { Id: 7, Alias: 'ann', TotalRating: 1 }),
      titleOf(accountView, { Id: 7, TotalRating: 1 }),
    ]).to.deep.equal(['ann', 'User 7'])
  })
})
