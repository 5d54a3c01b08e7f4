/** shop:sync as a whole: a catalogue, the live list and the ledger in, one job out. */
import { expect } from 'chai'
import { createDiscount } from '../../../src/actions/discounts/create.js'
import { sendDue } from '../../../src/actions/discounts/due.js'
import { knownOfCatalogue, newestJob, settleEarlier } from '../../../src/actions/shop/sync/known.js'
import { syncShop } from '../../../src/actions/shop/sync/sync.js'
import { SellerError } from '../../../src/cli/errors.js'
import { dateTimeOf } from '../../../src/contract/index.js'
import { bulkRows, createBulkJob, createWhole } from '../../../src/jobs/bulk/index.js'
import { FORM } from '../../jobs/bulk/support.js'
import { cleanUp, thrown } from '../../jobs/harness.js'
import { type FakeShopOptions, fakeShop } from '../fake-shop.js'

const HOUR = 3_600_000
const FLAGS = { wait: true, timeout: HOUR, yes: true }
const HEAD = 'OwnReferences,Title,CategoryId,Price,AbsoluteQuantity\n'

const live = (Id: number, reference: string | undefined, BuyItNowPrice: number, more: object = {}) => ({
  Id,
  ItemType: 'ShopItem',
  OwnReferences: reference === undefined ? [] : [reference],
  BuyItNowPrice,
  ShortDescription: `T${Id}`,
  RemainingQuantity: 3,
  CategoryId: 12,
  ...more,
})

const shopWith = (items: readonly ReturnType<typeof live>[], options: FakeShopOptions = {}) => {
  const state = { items: [...items], request: 1000 }
  const queued = () => state.request++
  const shop = fakeShop({
    answers: {
      GetSellerItems: () => state.items,
      SetPriceOnShopItems: ({ request: { ShopItems } }: { request: { ShopItems: { Id: number; Price: number }[] } }) => {
        state.items = state.items.map((item) => {
          const price = ShopItems.find(({ Id }) => Id === item.Id)?.Price
          return price === undefined ? item : { ...item, BuyItNowPrice: price }
        })
        return { QueuedRequestResponses: ShopItems.map(({ Id }) => ({ ItemId: Id, RequestId: queued() })), ValidationErrors: [] }
      },
      SetQuantityOnShopItems: ({ request }: { request: { ShopItems: unknown[] } }) => ({
        SuccessfulUpdates: request.ShopItems.length,
        ValidationErrors: [],
      }),
      RemoveShopItem: ({ shopItemId }: { shopItemId: number }) => {
        state.items = state.items.filter(({ Id }) => Id !== shopItemId)
        return { RequestId: queued(), ItemId: shopItemId }
      },
      AddShopItem: () => ({ RequestId: queued(), ItemId: 900 }),
      GetRequestResults: ({ requestIds }: { requestIds: number[] }) =>
        requestIds.map((RequestId) => ({ RequestId, ResultCode: 'Ok', Message: '' })),
      GetPaymentTypes: () => [],
      GetCategories: () => [],
    },
    embedded: true,
    ...options,
  })
  const sync = (lines: readonly string[], flags: object = {}) =>
    syncShop(shop.ctx, { ...FLAGS, file: shop.file('catalogue.csv', HEAD + lines.map((line) => `${line}\n`).join('')), ...flags })
  return { ...shop, state, sync }
}
const row = (reference: string, price: number | '' = '', quantity: number | '' = '') => `${reference},,,${price},${quantity}`

describe('a catalogue that is synced', () => {
  afterEach(cleanUp)

  it('reprices, restocks and removes as one job, after one question', async () => {
    const shop = shopWith([live(1, 'A', 100), live(2, 'B', 200), live(3, 'C', 300), live(4, undefined, 50)])
    const end = await shop.sync([row('A', 110), row('B', 200, 7)], { 'remove-missing': true })
    expect(end?.record).to.deep.include({
      Kind: 'sync',
      Title: 'shop:sync --file catalogue.csv',
      Repriced: 1,
      Restocked: 1,
      Removed: 1,
      Added: 0,
      Unchanged: 0,
      Pending: 0,
      Missing: 1,
      WithoutReference: 1,
      ByHand: [],
    })
    expect(end?.code).to.equal(0)
    expect(shop.asked).to.deep.equal([
      { message: 'Send 1 new price, 1 new stock level and 1 removal?', flag: '--yes', given: true, typed: undefined },
    ])
    const sent = shop.client.calls.filter(({ name }) => name !== 'GetRequestResults')
    expect(sent.map(({ name }) => name)).to.deep.equal(['SetPriceOnShopItems', 'SetQuantityOnShopItems', 'RemoveShopItem'])
    expect(shop.interruptions[0]).to.deep.equal({ sent: 'Nothing was sent.' })
    expect(shop.streams[0]?.fields).to.include('RemainingQuantity')
    expect(shop.streams[0]?.params).to.include({ filterItemType: 'All', filterActive: 'Active' })
  })

  it('is not asked about where nothing changes, which is no job', async () => {
    const shop = shopWith([live(1, 'A', 100)])
    const end = await shop.sync([row('A', 100, 3)])
    expect(end?.record).to.deep.include({ JobId: null, Kind: 'sync', State: 'ok', Unchanged: 1, Calls: 1, Parts: [], Missing: 0 })
    expect([end?.code, shop.asked, shop.said.at(-1)]).to.deep.equal([0, [], 'note: Nothing to do.'])
    expect((await shop.ctx.ledger()).jobs.list({ profile: 'shop' })).to.deep.equal([])
  })

  it('holds what a guard holds, without a question if nothing else is to be sent, and writes it back', async () => {
    const shop = shopWith([live(1, 'A', 100), live(2, 'B', 100)])
    const end = await shop.sync([row('A', 900), row('B', 100)], { 'held-file': 'held.csv', 'max-held': 'off' })
    expect([end?.code, shop.asked, end?.record.HeldFile]).to.deep.equal([6, [], 'held.csv'])
    const ledger = await shop.ctx.ledger()
    const [part] = ledger.jobs.list({ profile: 'shop', kind: 'price' })
    const [held] = [...bulkRows(ledger, part?.JobId ?? 0)]
    expect(held).to.deep.include({ OwnReference: 'A' })
    expect(held?.Payload).to.deep.include({ Price: 900 })
  })

  it('never removes more of the shop than its guard allows, and shows that in a dry run', async () => {
    const items = Array.from({ length: 20 }, (_, at) => live(at + 1, `R${at + 1}`, 100))
    const shop = shopWith(items)
    const lines = [row('R1', 100), row('R2', 100)]
    expect(await thrown(() => shop.sync(lines, { 'remove-missing': true }))).to.include({ code: 'sync_held' })
    expect(await shop.sync(lines, { 'remove-missing': true, 'dry-run': true })).to.equal(undefined)
    const summary = shop.lists[0]?.view.within?.record.Summary as { Stopped: unknown; Remove: number }
    expect(summary.Remove).to.equal(18)
    expect(summary.Stopped).to.deep.include({ Limit: 'max_removed' })
    expect((await shop.sync(lines, { 'remove-missing': true, 'max-removed': '95%' }))?.record.Removed).to.equal(18)
  })

  it('is stopped by a guard over all prices, with what widens it', async () => {
    const items = Array.from({ length: 20 }, (_, at) => live(at + 1, `R${at + 1}`, 100 + at))
    const shop = shopWith(items)
    const error = await thrown(() => shop.sync(items.map(({ OwnReferences: [reference = ''] }) => row(reference, 90))))
    expect(error).to.include({ code: 'sync_held', exitCode: 6 })
    expect((error as { hint: string }).hint).to.match(/^See the rows with --dry-run\. If they are right, give --max-/)
    expect(shop.client.calls).to.deep.equal([])
  })

  it('takes the number of changes where they are more than 50', async () => {
    for (const [count, typed] of [
      [50, undefined],
      [51, '51'],
    ] as const) {
      const items = Array.from({ length: count }, (_, at) => live(at + 1, `R${at + 1}`, 100 + at * 3))
      const shop = shopWith(items)
      await shop.sync(
        items.map(({ OwnReferences: [reference = ''], BuyItNowPrice }) => row(reference, BuyItNowPrice + 1)),
        { 'max-same': 'off' },
      )
      expect(shop.asked[0]?.typed).to.equal(typed)
      cleanUp()
    }
  })

  it('sends nothing without a yes, and never writes over its input', async () => {
    const decline = new SellerError('declined', 'No.', 'No.')
    const shop = shopWith([live(1, 'A', 100)], { decline })
    expect(await thrown(() => shop.sync([row('A', 110)]))).to.equal(decline)
    expect((await shop.ctx.ledger()).jobs.list({ profile: 'shop' })).to.deep.equal([])
    for (const flag of ['held-file', 'failed-file']) {
      expect(await thrown(() => shop.sync([row('A', 110)], { [flag]: 'catalogue.csv' }))).to.include({ code: 'overwrites_input' })
    }
  })

  it('leaves stock to the seller where the service sets none', async () => {
    const shop = shopWith([live(1, 'A', 100)], { embedded: false })
    const end = await shop.sync([row('A', 110, 9)])
    expect(end?.record.ByHand).to.have.lengthOf(1)
    expect(end?.record).to.include({ Repriced: 1, Restocked: 0 })
    expect(shop.said.join()).to.include('AbsoluteQuantity is 3, not 9')
  })

  it('plans anew what an earlier one had not sent, and says so', async () => {
    const shop = shopWith([live(1, 'A', 100), live(2, 'B', 200)])
    const ledger = await shop.ctx.ledger()
    const rows = [1, 2].map((id) => ({ line: id + 1, id, price: 150, oldPrice: 100 }))
    const about = { profile: 'shop', userId: 7, title: 'shop:sync', form: FORM }
    const { JobId } = createWhole(ledger, { ...about, parts: [{ kind: 'price', rows, distinct: true }] }, () => undefined)
    const earlier = await settleEarlier(shop.ctx)
    expect(earlier.unfinished.map((job) => job.JobId)).to.deep.equal([JobId])
    expect(earlier.newest).to.equal(JobId)
    const end = await shop.sync([row('A', 110)])
    expect(end?.record.Repriced).to.equal(1)
    expect(shop.said).to.include(`note: Job ${JobId} was not finished. The 2 rows that it had not sent are planned anew.`)
    expect((await settleEarlier(shop.ctx)).unfinished).to.deep.equal([])
  })

  it('leaves the earlier syncs of another seller alone, and knows the newest job that adds', async () => {
    const shop = shopWith([live(1, 'A', 100)])
    const ledger = await shop.ctx.ledger()
    expect(newestJob(ledger, 'shop')).to.equal(0)
    const parts = () => [{ kind: 'price' as const, rows: [{ line: 2, id: 1, price: 150, oldPrice: 100 }], distinct: true }]
    const about = { profile: 'shop', title: 't', form: FORM }
    const other = createWhole(ledger, { ...about, userId: 8, parts: parts() }, () => undefined)
    expect((await settleEarlier(shop.ctx)).unfinished).to.deep.equal([])
    const anyone = { ...shop.ctx, profile: { ...shop.ctx.profile, settings: {} } } as typeof shop.ctx
    expect((await settleEarlier(anyone)).unfinished).to.have.lengthOf(1)
    expect(newestJob(ledger, 'shop')).to.equal(other.JobId)
    const unsaid = createWhole(ledger, { ...about, userId: undefined as never, parts: parts() }, () => undefined)
    expect((await settleEarlier(shop.ctx)).unfinished.map(({ JobId }) => JobId)).to.deep.equal([unsaid.JobId])
    expect(newestJob(ledger, 'other')).to.equal(0)
  })

  it('changes the normal price of what is in a sale, whose price stays', async () => {
    const shop = shopWith([live(1, 'A', 100), live(2, 'B', 200)], { terminal: true })
    const at = (hours: number) => dateTimeOf(shop.clock.time + hours * HOUR)
    await createDiscount(shop.ctx, 'Black', ['1=80'], { from: at(0), until: at(5), yes: true })
    await sendDue(shop.ctx, FLAGS)
    expect(shop.state.items[0]?.BuyItNowPrice).to.equal(80)
    shop.clock.time += HOUR
    const end = await shop.sync([row('A', 120), row('B', 200)])
    expect(end?.code).to.equal(0)
    shop.clock.time += 5 * HOUR
    await sendDue(shop.ctx, FLAGS)
    expect(shop.state.items[0]?.BuyItNowPrice).to.equal(120)
  })
})

describe('what the ledger knows when a catalogue is compared', () => {
  afterEach(cleanUp)

  const NONE = { unfinished: [], newest: 0, calls: 0 }

  it('are items that are being removed: held while that is not sent, then on the way until the list must show it', async () => {
    const shop = shopWith([live(1, 'A', 100), live(2, 'B', 200)])
    const ledger = await shop.ctx.ledger()
    const { JobId } = createBulkJob(ledger, {
      kind: 'remove',
      profile: 'shop',
      userId: 7,
      title: 't',
      form: FORM,
      rows: [{ line: 2, id: 1 }],
    })
    const known = async (earlier: object = NONE) =>
      (await knownOfCatalogue(shop.ctx, new Set(), { earlier, again: false } as never)).removed
    expect((await known()).get(1)).to.deep.equal({
      state: 'held',
      reason: `job ${JobId} is to remove it, and has not sent that yet: seller jobs:resume ${JobId}`,
    })
    expect((await known({ ...NONE, unfinished: [{ JobId }] })).size).to.equal(0)
    const { requests } = ledger
    const { Row } = requests.begin({ operation: 'RemoveShopItem', subject: '2 B', profile: 'shop', userId: 7 })
    requests.markQueued(Row, { RequestId: 55, ItemId: 2 } as never)
    expect((await known()).get(2)).to.deep.equal({ state: 'pending', reason: 'request 55 is removing it' })
    requests.results([{ RequestId: 55, ResultCode: 'Ok', Message: '' } as never], { profile: 'shop' })
    expect((await known()).get(2)).to.deep.equal({ state: 'pending', reason: 'request 55 has removed it' })
    shop.clock.time += 14 * 24 * HOUR
    expect((await known()).get(2)).to.equal(undefined)
  })

  it('are items that are being added by their own reference', async () => {
    const shop = shopWith([])
    const ledger = await shop.ctx.ledger()
    const { JobId } = createBulkJob(ledger, {
      kind: 'add-shop',
      profile: 'shop',
      userId: 7,
      title: 't',
      form: FORM,
      rows: [{ line: 2, id: 0, ownReference: 'N1', payload: { Title: 'x', OwnReferences: ['N1'] } }],
    })
    const known = async (earlier: object = NONE) =>
      (await knownOfCatalogue(shop.ctx, new Set(['N1', 'N2']), { earlier, again: false } as never)).added
    const found = await known()
    expect([...found.keys()]).to.deep.equal(['N1'])
    expect(found.get('N1')?.state).to.equal('held')
    expect((await known({ ...NONE, unfinished: [{ JobId }] })).size).to.equal(0)
  })
})
