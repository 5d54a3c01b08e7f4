import { expect } from 'chai'
import type { View } from '../../src/format/output/index.js'
import {
  callUsageView,
  campaignFaults,
  campaignView,
  itemsView,
  itemsViewOf,
  itemView,
  itemViewOf,
  officialTimeView,
  readable,
  stateOf,
} from '../../src/format/views/index.js'
import { itemOf, USAGE } from './records.js'
import { stand } from './streams.js'

const listed = async <T>(view: View<T>, rows: readonly T[], width = 100) => {
  const { output, stdout } = await stand({ terminal: true, width })
  await output.list(view, rows)
  return stdout.written
}
const card = async <T>(view: View<T>, row: T) => {
  const { output, stdout } = await stand({ terminal: true })
  await output.record(view, row)
  return stdout.written
}
const piped = async <T>(view: View<T>, row: T) => {
  const { output, stdout } = await stand()
  await output.list(view, [row])
  return stdout.written
}

describe('views', () => {
  it('items: the price is what the item costs now, by its type', async () => {
    const price = async (fields: Parameters<typeof itemOf>[0]) => (await piped(itemsView, itemOf(fields))).split('\t')[3]
    expect(await price({ OpeningBid: 100 })).to.equal('100')
    expect(await price({ OpeningBid: 100, MaxBid: 250, BuyItNowPrice: 900 })).to.equal('250')
    expect(await price({ ItemType: 'ShopItem', BuyItNowPrice: 499, OpeningBid: 1 })).to.equal('499')
    expect(await price({ ItemType: 'PureBuyItNow', BuyItNowPrice: null })).to.equal('')
  })

  it('items: the service’s own words in a pipe, a seller’s on a terminal', async () => {
    const item = itemOf({ ItemType: 'PureBuyItNow', BuyItNowPrice: 1200 })
    expect(await piped(itemsView, item)).to.equal('1001\tVas\tPureBuyItNow\t1200\t2026-11-30T18:00:00+01:00\t0\t1\n')
    expect(await listed(itemsView, [item])).to.include(
      '1001  Vas    buy now  1 200 kr  active  2026-11-30 18:00     0     1\n1 item\n',
    )
  })

  it('items: a shop item without an end has none on a terminal, and the service’s date in a pipe', async () => {
    const open = { ItemType: 'ShopItem', BuyItNowPrice: 5, EndDate: '2100-01-01T00:59:59+01:00' } as const
    expect(await listed(itemsView, [itemOf(open)])).to.match(/shop +5 kr +active +no end +0/)
    expect(await card(itemView, itemOf(open))).to.match(/Ends +no end/)
    expect(await piped(itemsView, itemOf(open))).to.include('\t2100-01-01T00:59:59+01:00\t')
    expect(await card(itemView, itemOf({ ...open, EndDate: '2098-01-01T12:00:00+01:00' }))).to.match(/Ends +2098-01-01 12:00/)
  })

  it('item: names beside the numbers where they are known', async () => {
    const names = {
      category: (id: number) => (id === 1612 ? { name: 'Vaser', path: 'Glas > Vaser' } : undefined),
      payment: (id: number) => (id === 8 ? 'Giro' : undefined),
      county: () => undefined,
      shipping: (provider: number) => (provider === 4 ? 'Carrier' : undefined),
      option: () => undefined,
    }
    const view = itemViewOf({ names, now: 0 })
    const item = itemOf({ PaymentOptions: [8, 4096] })
    const shown = await card(view, item)
    expect(shown)
      .to.match(/^Category +Glas > Vaser \(1612\)$/m)
      .and.to.match(/^Payment options +Giro \(8\), 4096$/m)
    // A pipe has the title in its own line, and only ids.
    const pipe = await stand()
    await pipe.output.record(view, item)
    expect(pipe.stdout.written).to.include('ShortDescription\tVas\n').and.to.include('CategoryId\t1612\n')
    const list = itemsViewOf({ names, now: 0 })
    expect(await listed(list, [item], 120))
      .to.match(/Left {2}Category\n/)
      .and.to.match(/ 1 {2}Vaser\n/)
    expect(await piped(list, item)).to.equal(await piped(itemsView, item))
  })

  it('item: active, scheduled, ended or sold', () => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    const state = (Ended: boolean, GotWinner: boolean, StartDate = '2026-11-16T18:00:00+01:00') =>
      stateOf(itemOf({ StartDate, Status: { Ended, GotBidders: GotWinner, GotWinner } }), now)
    expect(state(false, false)).to.equal('active')
    expect(state(false, true)).to.equal('active')
    expect(state(false, false, '2026-11-21T18:00:00+01:00')).to.equal('scheduled')
    expect(state(true, false)).to.equal('ended')
    expect(state(true, true)).to.equal('sold')
    // Without a status the dates decide.
    expect(stateOf(itemOf({ Status: undefined, EndDate: '2026-11-19T18:00:00+01:00' }), now)).to.equal('ended')
    expect(stateOf(itemOf({ Status: undefined }), now)).to.equal('active')
  })

  it('descriptions: HTML becomes text, text stays', () => {
    expect(readable('<p>Ett</p><p>Två</p><ul><li>a</li></ul>')).to.equal('Ett\nTvå\na')
    expect(readable('5 < 6 > 4 &lt;b&gt; &copy;')).to.equal('5 < 6 > 4 <b> &copy;')
    expect(readable('a<BR/>b<br />c')).to.equal('a\nb\nc')
  })

  it('campaign codes: every reason in words', async () => {
    const result = {
      IsValid: false,
      IsInvalidBecauseDoesNotExist: false,
      IsInvalidBecauseHasNotStarted: false,
      IsInvalidBecauseHasEnded: true,
      IsInvalidBecauseCategoryIsNotAllowed: true,
      IsInvalidBecauseAlreadyUsed: false,
      IsInvalidBecauseUserIsNotAllowed: false,
      DiscountFactor: 0.85,
      ProvisionFactor: null,
      MaxFeeCap: null,
      IsCustomLengthFeeFree: false,
      IsUnsoldFeeFree: false,
    }
    expect(campaignFaults(result)).to.deep.equal(['the campaign has ended', 'it is not valid for this category'])
    expect(await card(campaignView, result)).to.match(
      /^Valid {12}no: the campaign has ended, it is not valid for this category\nDiscount factor {2}0\.85\n/,
    )
  })

  it('calls: where several machines count them, and the share of the profile', async () => {
    const usage = {
      ...{ ...USAGE, AppId: 42, Used: 61, Budget: 100, Remaining: 18, ByOperation: [] },
      ...{ Quota: 'redis://seller:••••@quota.example:6379', UsedHere: 14, Share: 30, ShareAllowed: 30, ShareUsed: 12 },
    }
    expect(await card(callUsageView(usage), usage)).to.equal(
      [
        'Application  42',
        'Calls made   61',
        'Counted at   redis://seller:••••@quota.example:6379',
        'Made here    14',
        'Budget       100 in 24 hours',
        'Left         18',
        'Share        30%: 12 of 30 used',
        'Since        2026-11-30 18:00',
        '',
      ].join('\n'),
    )
    const without = { ...usage, Quota: null, Share: null, ShareAllowed: 40, ShareUsed: 4 }
    expect(await card(callUsageView(without), without)).to.include(
      'Share        none of its own; others leave 40: 4 of 40 used\n',
    )
  })

  it('time: how far this clock is off', async () => {
    const at = (ClockAheadMs: number) => card(officialTimeView, { OfficialTime: '2026-11-30T18:00:00+01:00', ClockAheadMs })
    expect(await at(200)).to.equal('Official time  2026-11-30 18:00:00+01:00\nThis clock     agrees\n')
    expect(await at(-61_000)).to.include('61 s behind')
    expect(await at(5000)).to.include('5 s ahead')
  })
})
