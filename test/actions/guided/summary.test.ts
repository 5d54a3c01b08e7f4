/** What a guided listing shows before its last question: only what was answered, and the fees that are known. */
import { expect } from 'chai'
import type { Session } from '../../../src/actions/guided/session.js'
import { type AnyItem, summaryOf } from '../../../src/actions/guided/summary.js'
import { ITEM_INPUT, SHOP_INPUT } from '../../../src/actions/input/kinds.js'
import { ACCEPTED_BIDDERS, ITEM_TYPE_IDS } from '../../../src/contract/index.js'
import { kronor } from '../../../src/format/output/index.js'

type Reply = { IsValid: boolean; Description?: string } | null

describe('the summary of a listing', () => {
  /** The summary where no names can be read, as rows of label and value. */
  const rows = async (
    request: object,
    {
      shop = false,
      images = [],
      code,
      reply,
      width = 80,
    }: { shop?: boolean; images?: object[]; code?: string; reply?: Reply | Error; width?: number } = {},
  ): Promise<(readonly [string, string])[]> => {
    const asked: unknown[] = []
    const signal = new AbortController().signal
    let clients = 0
    const call = async (name: string, parameters: unknown) => {
      asked.push(name, parameters)
      if (reply instanceof Error) throw reply
      return reply
    }
    const client = async () => {
      // The first is for the names.
      if (clients++ === 0) throw new Error('no names here')
      return { call }
    }
    const ctx = { output: { width }, signal, client }
    const session = { ctx, kind: shop ? SHOP_INPUT : ITEM_INPUT, dryRun: false } as unknown as Session
    const text = await summaryOf(session, { request, images } as unknown as AnyItem, code)
    if (code !== undefined)
      expect(asked).to.deep.equal([
        'ValidateCampaignCode',
        { campaignCode: code, categoryId: (request as { CategoryId?: number }).CategoryId ?? 0 },
      ])
    expect(text).to.match(/^\n.*\n$/s)
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [, label = '', value = ''] = /^ {2}(\S.*?|) {2,}(.*)$/.exec(line) ?? []
        return [label, value] as const
      })
  }
  const FEES = ['Fees', 'The service does not tell its listing fee and commission: see its price list.'] as const
  const of = async (request: object, options?: Parameters<typeof rows>[1]) =>
    (await rows(request, { width: 200, ...options })).filter(([label]) => !['Sale', 'Fees'].includes(label))

  it('has nothing that was not answered', async () => {
    expect(await rows({}, { width: 200 })).to.deep.equal([['Sale', 'auction, 0 days'], FEES])
    expect(await rows({}, { shop: true, width: 200 })).to.deep.equal([['Sale', 'in the shop'], FEES])
    const none = { StartPrice: 0, ReservePrice: null, BuyItNowPrice: undefined, Restarts: 0, OwnReferences: [], VAT: null }
    expect(await of(none)).to.deep.equal([])
  })

  it('names the kind of sale and when it ends', async () => {
    const sale = async (request: object) => (await rows(request, { width: 200 })).find(([label]) => label === 'Sale')?.[1]
    expect(await sale({ ItemType: ITEM_TYPE_IDS.PureBuyItNow, Duration: 30 })).to.equal('buy now, 30 days')
    expect(await sale({ ItemType: ITEM_TYPE_IDS.ContactOnly, Duration: 1 })).to.equal('contact, 1 day')
    expect(await sale({ ItemType: ITEM_TYPE_IDS.Auction, Duration: 7 })).to.equal('auction, 7 days')
    expect(await sale({ CustomEndDate: '2026-11-30T18:00:00Z', Duration: 7 })).to.equal('auction, until 2026-11-30T18:00:00Z')
  })

  it('has prices in kronor, and ids where names are not known', async () => {
    const request = {
      Title: 'Kopp\nmed fat',
      CategoryId: 344481,
      StartPrice: 100,
      BuyItNowPrice: 1500,
      PaymentOptionIds: [1, 2],
      OwnReferences: ['A-1', 'A-2'],
      VAT: 25,
      ActivateDate: '2026-12-01',
      DeactivateDate: '2026-12-31',
    }
    expect(await of(request)).to.deep.equal([
      ['Title', 'Kopp med fat'],
      ['Category', '344481'],
      ['Start price', kronor(100)],
      ['Buy now', kronor(1500)],
      ['Payment', 'type 1, type 2'],
      ['VAT', '25 %'],
      ['Own references', 'A-1, A-2'],
      ['On sale from', '2026-12-01'],
      ['On sale until', '2026-12-31'],
    ])
    expect(await of({ Price: 49, Quantity: 3 }, { shop: true })).to.deep.equal([
      ['Price', kronor(49)],
      ['Quantity', '3'],
    ])
    expect(await of({ AbsoluteQuantity: 0, Quantity: 3 }, { shop: true })).to.deep.equal([['Quantity', '0']])
    expect(await of({ Quantity: 3 }), 'of an item that is one').to.deep.equal([])
    expect((await of({ Restarts: 2 }))[0]).to.deep.equal(['Restarts', '2'])
    const [[word, id] = ['', 0]] = Object.entries(ACCEPTED_BIDDERS)
    for (const request of [{ AcceptedBidderId: id }, { AcceptedBuyerId: id }, { AcceptedBidderId: id, AcceptedBuyerId: -1 }])
      expect(await of(request)).to.deep.equal([['Sold to', word]])
  })

  it('has each way of sending on a line, free ones without a price', async () => {
    const ShippingOptions = [
      { ShippingOptionId: 8, Cost: 0 },
      { ShippingOptionId: 8, Cost: 20 },
      { ShippingOptionId: 77, Cost: 59 },
      { ShippingProviderId: 12, ShippingOptionId: 8, Cost: 60 },
    ]
    expect(await of({ ShippingOptions })).to.deep.equal([
      ['Shipping', 'pickup'],
      ['', `pickup: ${kronor(20)}`],
      ['', `option 77: ${kronor(59)}`],
      ['', `provider 12: ${kronor(60)}`],
    ])
  })

  it('has the names of image files, and marks those that are extra large', async () => {
    const images = [
      { path: '/a/one.jpg', mega: false },
      { path: 'b/two.jpg', mega: true },
    ]
    expect(await of({}, { images })).to.deep.equal([['Images', 'one.jpg, two.jpg (extra large)']])
  })

  it('has a description on one line, and the beginning of a long one', async () => {
    const wide = { width: 2000 }
    expect(await of({ Description: 'one<br>two' }, wide)).to.deep.equal([['Description', 'one / two']])
    const whole = 'x'.repeat(240)
    expect(await of({ Description: whole }, wide)).to.deep.equal([['Description', whole]])
    expect(await of({ Description: `${whole}y` }, wide)).to.deep.equal([['Description', `${whole}… (241 characters)`]])
  })

  it('names the fees that are known', async () => {
    const fees = async (request: object, options: Parameters<typeof rows>[1] = {}) => {
      const all = await rows(request, { width: 200, ...options })
      return all.slice(all.findIndex(([label]) => label === 'Fees')).map(([, value]) => value)
    }
    const [, last] = FEES
    expect(await fees({ ReservePrice: 1, Restarts: 2, CustomEndDate: 'x', ExpoItemIds: [1] })).to.deep.equal([
      `Reserve price: ${kronor(40)}, as for adding one to an auction.`,
      'Each restart costs as much as a new auction.',
      'An end time of your own costs extra.',
      'Extra exposure costs extra.',
      last,
    ])
    expect(await fees({ ReservePrice: 0, Restarts: 0, CustomEndDate: null, ExpoItemIds: [] })).to.deep.equal([last])
    const code = 'XMAS'
    expect(await fees({ CategoryId: 5 }, { code, reply: { IsValid: true, Description: 'Half the fee' } })).to.deep.equal([
      'Campaign code XMAS: Half the fee.',
      last,
    ])
    expect((await fees({}, { code, reply: { IsValid: true } }))[0]).to.equal('Campaign code XMAS: valid.')
    expect((await fees({}, { code, reply: { IsValid: false } }))[0]).to.equal('Campaign code XMAS is not valid: no reason given.')
    expect((await fees({}, { code, reply: new Error('no') }))[0]).to.equal('Campaign code XMAS could not be checked.')
    expect((await rows({}, { code, reply: null })).find(([label]) => label === 'Campaign code')?.[1]).to.equal('XMAS')
  })

  it('is wrapped beside its labels, in 20 columns at the least', async () => {
    const Title = 'one two three four five six seven'
    const lines = (await rows({ Title }, { width: 40 })).slice(0, 2)
    expect(lines).to.deep.equal([
      ['Title', 'one two three four five six'],
      ['', 'seven'],
    ])
    expect((await rows({ Title }, { width: 10 }))[0]).to.deep.equal(['Title', 'one two three four'])
  })
})
