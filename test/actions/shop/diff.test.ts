/** shop:diff and shop:export: what the live list shows, read by a script or a person. */
import { expect } from 'chai'
import { diffSummary, shopDiff } from '../../../src/actions/shop/diff.js'
import { exportShop } from '../../../src/actions/shop/export.js'
import { dateTimeOf } from '../../../src/contract/index.js'
import type { ShopChangeShown } from '../../../src/format/views/index.js'
import { createBulkJob, runBulkJob } from '../../../src/jobs/bulk/index.js'
import { FakeService, FORM } from '../../jobs/bulk/support.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { fakeShop } from '../fake-shop.js'

const HOUR = 3_600_000

describe('what changed in a shop', () => {
  afterEach(cleanUp)

  const live = (Id: number, BuyItNowPrice: number | undefined, more: object = {}) => ({
    Id,
    ItemType: 'ShopItem',
    BuyItNowPrice,
    ShortDescription: `T${Id}`,
    OwnReferences: [`R${Id}`, 'other'],
    ...more,
  })
  const shopOf = (first: readonly object[]) => {
    const state = { items: first }
    const shop = fakeShop({ answers: { GetSellerItems: () => state.items } })
    const diff = (ago: number) => shopDiff(shop.ctx, dateTimeOf(shop.clock.time - ago))
    return { ...shop, state, diff }
  }

  it('is nothing at the first reading, which begins the history', async () => {
    const { diff, said } = shopOf([live(1, 100)])
    expect(await diff(HOUR)).to.deep.equal([])
    expect(said).to.deep.equal(['note: The price history begins now: this is the first reading of the shop.'])
  })

  it('is what moved, came and went, in this order, with title and first reference of what is live', async () => {
    const { diff, state, clock, said } = shopOf([live(5, 100), live(4, 200), live(3, 300), live(2, 50), live(1, 0)])
    await diff(0)
    clock.time += 10 * HOUR
    state.items = [live(9, 40), live(8, 60), live(5, 150), live(4, 133), live(3, 300, { OwnReferences: undefined }), live(1, 70)]
    const changes = await diff(5 * HOUR)
    expect(
      changes.map(({ Id, OwnReference, Title, State, OldPrice, NewPrice, Change, Percent, Source }) => [
        Id,
        OwnReference,
        Title,
        State,
        OldPrice,
        NewPrice,
        Change,
        Percent,
        Source,
      ]),
    ).to.deep.equal([
      [1, 'R1', 'T1', 'moved', null, 70, null, null, 'outside'],
      [4, 'R4', 'T4', 'moved', 200, 133, -67, -33.5, 'outside'],
      [5, 'R5', 'T5', 'moved', 100, 150, 50, 50, 'outside'],
      [8, 'R8', 'T8', 'new', null, 60, null, null, null],
      [9, 'R9', 'T9', 'new', null, 40, null, null, null],
      [2, null, null, 'gone', 50, null, null, null, null],
    ])
    expect(changes[0]).to.deep.include({ JobIds: [], FoundAt: new Date(clock.time).toISOString() })
    expect(said.slice(1)).to.deep.equal([])
  })

  it('has names for what an earlier reading found too', async () => {
    const { diff, state, clock } = shopOf([live(1, 100)])
    await diff(0)
    clock.time += HOUR
    state.items = [live(1, 120, { OwnReferences: undefined, ShortDescription: undefined })]
    expect((await diff(HOUR / 2))[0]).to.include({ OwnReference: null, Title: null, NewPrice: 120 })
    state.items = [live(1, 120), live(2, 10)]
    clock.time += HOUR
    expect((await diff(1.5 * HOUR)).map(({ Id, Title }) => [Id, Title])).to.deep.equal([
      [1, 'T1'],
      [2, 'T2'],
    ])
  })

  it('says where the history begins later than the date', async () => {
    const { diff, clock, said } = shopOf([live(1, 100)])
    await diff(0)
    clock.time += HOUR
    expect(await diff(HOUR)).to.deep.equal([])
    expect(said).to.have.lengthOf(1)
    await diff(HOUR + 1000)
    expect(said[1]).to.match(/^note: The price history begins at .*\. What changed before is not known\.$/)
  })

  it('is not known of a time to come, and is of this moment', async () => {
    const { diff, streams } = shopOf([])
    expect(await thrown(() => diff(-1000))).to.include({ code: 'invalid_date' })
    expect(streams).to.deep.equal([])
    expect(await diff(0)).to.deep.equal([])
  })

  it('tells the prices that jobs have set from those of others', async () => {
    const { diff, state, clock, ctx } = shopOf([live(1, 100), live(2, 100), live(3, 100)])
    await diff(0)
    clock.time += HOUR
    const ledger = await ctx.ledger()
    const rows = [1, 2].map((id) => ({ line: id, id, price: 110, oldPrice: 100 }))
    const { JobId } = createBulkJob(ledger, { kind: 'price', profile: 'shop', userId: 7, title: 't', form: FORM, rows })
    await runBulkJob({ ledger, client: FakeService.shop(3).client, clock, jobId: JobId, wait: true, timeoutMs: HOUR })
    clock.time += HOUR
    state.items = [live(1, 110), live(2, 115), live(3, 90)]
    expect((await diff(1.5 * HOUR)).map(({ Id, Source, JobIds }) => [Id, Source, JobIds])).to.deep.equal([
      [1, 'job', [JobId]],
      [2, 'both', [JobId]],
      [3, 'outside', []],
    ])
  })

  const change = (State: ShopChangeShown['State'], Source: ShopChangeShown['Source'] = null) =>
    ({ State, Source }) as ShopChangeShown

  it('is counted in a sentence', () => {
    expect(diffSummary([])).to.equal('0 prices moved, 0 items new, 0 gone.')
    expect(diffSummary([change('new'), change('gone'), change('gone')])).to.equal('0 prices moved, 1 item new, 2 gone.')
    const moved = [change('moved', 'job'), change('moved', 'outside'), change('moved', 'both'), change('new')]
    expect(diffSummary(moved)).to.equal('3 prices moved (1 by jobs, 2 from outside), 1 item new, 0 gone.')
    expect(diffSummary([change('moved', 'job')])).to.equal('1 price moved (1 by jobs, 0 from outside), 0 items new, 0 gone.')
  })
})

describe('the live shop as a catalogue', () => {
  afterEach(cleanUp)

  const exported = async (...items: readonly object[]) => {
    const shop = fakeShop({
      answers: { GetSellerItems: () => items.map((each, at) => ({ Id: at + 1, ItemType: 'ShopItem', ...each })) },
    })
    await exportShop(shop.ctx)
    return { ...shop, rows: shop.lists[0]?.rows ?? [] }
  }

  it('has every field of an item that a catalogue has', async () => {
    const { rows, streams, said } = await exported({
      OwnReferences: [' A ', '', ' '],
      ShortDescription: 'Mugg',
      CategoryId: 5,
      BuyItNowPrice: 149,
      RemainingQuantity: 3,
      LongDescription: 'Röd',
      VAT: 25,
      ShippingOptions: [{ ShippingOptionId: 1, Cost: 49, ShippingProviderId: null, ShippingWeight: undefined }],
      PaymentOptions: [1, 2],
      ShippingCondition: 'S',
      PaymentCondition: 'P',
      AcceptedBuyerId: 1,
      ItemAttributes: [2],
      EndDate: '2026-12-01T00:00:00',
      UserSelectedEndDate: true,
    })
    expect(rows).to.deep.equal([
      {
        OwnReferences: ['A'],
        Title: 'Mugg',
        CategoryId: 5,
        Price: 149,
        AbsoluteQuantity: 3,
        Description: 'Röd',
        VAT: 25,
        ShippingOptions: [{ ShippingOptionId: 1, Cost: 49 }],
        PaymentOptionIds: [1, 2],
        ShippingCondition: 'S',
        PaymentCondition: 'P',
        AcceptedBuyerId: 1,
        ItemAttributes: [2],
        DeactivateDate: '2026-12-01T00:00:00',
      },
    ])
    expect(said).to.deep.equal([])
    expect(streams[0]?.fields).to.include.members([
      'RemainingQuantity',
      'LongDescription',
      'EndDate',
      'UserSelectedEndDate',
      'VAT',
    ])
    expect(streams[0]?.params).to.include({ filterItemType: 'ShopItem', filterActive: 'Active' })
  })

  it('has null for what an item does not have, an empty list included', async () => {
    const empty = { OwnReferences: ['A'], ShippingOptions: [], PaymentOptions: [], ItemAttributes: [], UserSelectedEndDate: true }
    const { rows } = await exported(empty, { OwnReferences: ['B'] })
    for (const row of rows) {
      const { OwnReferences: _, ...rest } = row
      expect(Object.values(rest)).to.deep.equal(Array(13).fill(null))
    }
  })

  it('has an end only where the seller chose one', async () => {
    const EndDate = '2036-01-01T00:00:00'
    const own = { OwnReferences: ['A'], EndDate }
    const { rows } = await exported({ ...own, UserSelectedEndDate: false }, own, { ...own, UserSelectedEndDate: true })
    expect(rows.map(({ DeactivateDate }) => DeactivateDate)).to.deep.equal([null, null, EndDate])
  })

  it('leaves out what has no own reference, and says how many', async () => {
    const one = await exported({ OwnReferences: ['A'] }, { OwnReferences: [' '] })
    expect(one.rows).to.have.lengthOf(1)
    expect(one.said).to.deep.equal([
      'note: 1 item has no own reference and is not exported: a catalogue cannot name such an item.',
    ])
    const two = await exported({}, { OwnReferences: [] })
    expect(two.rows).to.deep.equal([])
    expect(two.said).to.deep.equal([
      'note: 2 items have no own reference and are not exported: a catalogue cannot name such an item.',
    ])
  })
})
