/** jobs:undo: which jobs can be undone, and what the new job sends. */
import { expect } from 'chai'
import { type UndoFlags, undoJobs } from '../../../src/actions/jobs/undo.js'
import { EXIT } from '../../../src/cli/errors.js'
import { bulkRows, createBulkJob, createWhole, type NewPart, partsOf } from '../../../src/jobs/bulk/index.js'
import { FakeService, FORM } from '../../jobs/bulk/support.js'
import { FakeContext, thrownBy } from '../support.js'

const FLAGS: UndoFlags = { wait: false, timeout: 60_000, yes: true }

describe('jobs:undo', () => {
  let fake: FakeContext
  beforeEach(() => {
    fake = new FakeContext(FakeService.shop(4))
  })
  afterEach(() => fake.close())
  const undo = (ids: readonly number[], flags: Partial<UndoFlags> = {}) => undoJobs(fake.ctx, ids, { ...FLAGS, ...flags })
  const refusal = (ids: readonly number[], flags: Partial<UndoFlags> = {}) => thrownBy(() => undo(ids, flags))
  const SHOP = { profile: 'shop', userId: 7, form: FORM, title: 't' }
  const operations = (): string[] => fake.bench.service.calls.map(({ operation }) => operation)
  const sent = async (prices: Record<number, number>): Promise<number> => {
    const jobId = fake.bench.price(prices)
    await fake.bench.run(jobId, { wait: true })
    return jobId
  }
  const rows = (jobId: number) => [...bulkRows(fake.bench.ledger, jobId)].map(({ Id, Price }) => [Id, Price])
  const part = (kind: 'price' | 'stock' | 'remove', id: number): NewPart =>
    ({
      price: { kind: 'price', rows: [{ line: 1, id, price: 90, oldPrice: 100 }] },
      stock: { kind: 'stock', rows: [{ line: 1, id, payload: { Quantity: 3 }, oldPayload: { Quantity: 2 } }] },
      remove: { kind: 'remove', rows: [{ line: 0, id }] },
    })[kind] as NewPart
  const whole = (...parts: NewPart[]): number =>
    createWhole(fake.bench.ledger, { ...SHOP, title: 'shop:sync', parts }, () => {}).JobId

  it('restores the old prices by a new job, and counts the reading of the list', async () => {
    const jobId = await sent({ 1: 150, 2: 160 })
    const end = await undo([jobId])
    expect(end?.code).to.equal(EXIT.ok)
    expect(end?.record).to.include({ Kind: 'price', Title: `jobs:undo ${jobId}`, UndoOf: jobId, Calls: 2 })
    expect(rows(end?.record.JobId ?? 0)).to.deep.equal([
      [1, 100],
      [2, 100],
    ])
    expect(fake.questions).to.deep.equal([{ message: 'Set back 2 prices?', flag: '--yes', given: true, typed: undefined }])
    expect(fake.lists.map(({ filterItemType }) => filterItemType)).to.deep.equal(['ShopItem'])
    expect(fake.interruptions[0]).to.deep.equal({ sent: 'Nothing was sent.' })
  })

  it('takes several jobs as one, each once and in the order of their ids', async () => {
    const [first, second] = [await sent({ 1: 150 }), await sent({ 1: 170, 2: 180 })]
    const end = await undo([second, first, second])
    expect(end?.record).to.include({ Title: `jobs:undo ${first} ${second}`, UndoOf: second })
    expect(rows(end?.record.JobId ?? 0)).to.deep.equal([
      [1, 100],
      [2, 100],
    ])
  })

  it('asks first for the results of what is queued, and counts these calls', async () => {
    const jobId = fake.bench.price({ 1: 150 })
    await fake.bench.run(jobId)
    const end = await undo([jobId])
    expect(operations()).to.deep.equal(['SetPriceOnShopItems', 'GetRequestResults', 'SetPriceOnShopItems'])
    expect(end?.record.Calls).to.equal(3)
  })

  it('shows the plan for --dry-run, and sends nothing', async () => {
    const jobId = await sent({ 1: 150 })
    const before = operations().length
    expect(await undo([jobId], { 'dry-run': true })).to.equal(undefined)
    expect(operations()).to.have.length(before)
    expect(fake.bench.ledger.jobs.list()).to.have.length(1)
    expect(fake.written[0]?.rows?.map(({ Id, NewPrice }) => [Id, NewPrice])).to.deep.equal([[1, 100]])
    expect(fake.questions).to.deep.equal([])
  })

  it('restores numbers in stock, from the list of the shop with its numbers', async () => {
    fake.bench.service.put(1, 100, { RemainingQuantity: 3 })
    const { JobId } = createBulkJob(fake.bench.ledger, { ...SHOP, ...part('stock', 1) })
    const set: unknown[] = []
    const call = async (operation: string, parameters: unknown) => {
      set.push(operation, parameters)
      return { SuccessfulUpdates: 1, ValidationErrors: [] }
    }
    const client = { ...fake.client, call } as never
    await fake.bench.run(JobId, { client })
    const ctx = { ...fake.ctx, client: async () => client }
    expect(await undoJobs(ctx, [JobId], { ...FLAGS, 'dry-run': true })).to.equal(undefined)
    expect(fake.written[0]?.rows).to.have.length(1)
    expect(set).to.have.length(2)
    const end = await undoJobs(ctx, [JobId], FLAGS)
    expect(end?.record).to.include({ Kind: 'stock', UndoOf: JobId, Title: `jobs:undo ${JobId}` })
    expect(set.slice(2)).to.deep.equal(['SetQuantityOnShopItems', { request: { ShopItems: [{ Id: 1, Quantity: 2 }] } }])
    expect(fake.questions.map(({ message }) => message)).to.deep.equal(['Set back 1 stock level?'])
    expect(fake.lists.map(({ filterItemType }) => filterItemType)).to.deep.equal(['ShopItem', 'ShopItem'])
  })

  it('restores the prices of auctions, from the list of everything that runs', async () => {
    fake.bench.service.put(1, 300, { ItemType: 'Auction', OpeningBid: 90, ReservePrice: null, TotalBids: 0 })
    const payload = { OpeningPrice: 90, ReservedPrice: null, BinPrice: 300 }
    const rows = [{ line: 1, id: 1, payload, oldPayload: { ...payload, OpeningPrice: 100 } }] as never
    const { JobId } = createBulkJob(fake.bench.ledger, { ...SHOP, kind: 'auction-price', rows })
    await fake.bench.run(JobId)
    expect(await undo([JobId], { 'dry-run': true })).to.equal(undefined)
    expect(fake.written[0]?.rows).to.have.length(1)
    const end = await undo([JobId])
    expect(end?.record).to.include({ Kind: 'auction-price', UndoOf: JobId })
    expect(fake.bench.service.of('SetPricesOnNonShopItems').map(({ params }) => params.openingPrice)).to.deep.equal([90, 100])
    expect(fake.questions.map(({ message }) => message)).to.deep.equal(['Set back 1 auction?'])
    expect(fake.lists.map(({ filterItemType, filterActive }) => [filterItemType, filterActive])).to.deep.equal(
      Array(2).fill(['All', 'Active']),
    )
  })

  it('is of the one part of a sync that can be undone', async () => {
    const jobId = whole(part('price', 1), part('remove', 4))
    const [prices] = partsOf(fake.bench.ledger, jobId)
    await fake.bench.run(prices?.JobId ?? 0, { wait: true })
    const end = await undo([jobId])
    expect(end?.record).to.include({ UndoOf: prices?.JobId, Title: `jobs:undo ${prices?.JobId}` })
  })

  it('is refused for a sync that has set two kinds, with a command for each', async () => {
    const jobId = whole(part('stock', 2), part('price', 1), part('remove', 4))
    const [prices, stock] = partsOf(fake.bench.ledger, jobId)
    expect(await refusal([jobId])).to.include({
      code: 'undo_of_several_kinds',
      message: `Job ${jobId} has set prices and numbers in stock.`,
      hint: `Prices: seller jobs:undo ${prices?.JobId} -p shop. Stock: seller jobs:undo ${stock?.JobId} -p shop`,
    })
  })

  it('is refused for a sync that has set neither', async () => {
    expect(await refusal([whole(part('remove', 4))])).to.have.property('code', 'undo_impossible')
  })

  it('is refused for jobs of different kinds', async () => {
    const price = await sent({ 1: 150 })
    const auction = createBulkJob(fake.bench.ledger, {
      ...SHOP,
      kind: 'auction-price',
      rows: [{ line: 1, id: 2, payload: { OpeningPrice: 5 } as never }],
    })
    const error = await refusal([auction.JobId, price])
    expect(error.message).to.equal(`These jobs are of different kinds: ${price} is price, ${auction.JobId} is auction-price.`)
    expect(operations()).to.deep.equal(['SetPriceOnShopItems', 'GetRequestResults'])
  })

  it('is refused for a removal by its kind, also beside prices', async () => {
    const price = await sent({ 1: 150 })
    const { JobId } = createBulkJob(fake.bench.ledger, { ...SHOP, ...part('remove', 4) })
    for (const ids of [[JobId], [price, JobId]]) expect(await refusal(ids)).to.have.property('code', 'undo_impossible')
  })

  it('is refused for another shop’s job, and before it would overwrite a file', async () => {
    const other = fake.bench.price({ 1: 150 }, { profile: 'other' })
    expect(await refusal([other])).to.have.property('code', 'wrong_profile')
    const flags = { 'held-file': 'a.csv', 'failed-file': './a.csv' }
    expect(await refusal([999], flags)).to.have.property('code', 'overwrites_input')
    expect(operations()).to.deep.equal([])
  })

  it('is refused while one of them is being sent', async () => {
    const jobId = await sent({ 1: 150 })
    const lock = fake.bench.ledger.jobs.lock(jobId)
    const error = await refusal([jobId])
    lock.release()
    expect(error).to.include({
      code: 'job_locked',
      message: `Job ${jobId} is still being sent, so the prices it sets are not known yet.`,
    })
    expect(fake.lists).to.deep.equal([])
  })

  it('is refused where another process has taken one while its results were asked for', async () => {
    const jobId = await sent({ 1: 150 })
    const ctx = { ...fake.ctx }
    let lock: { release(): void } | undefined
    ctx.client = async () => {
      lock = fake.bench.ledger.jobs.lock(jobId)
      return fake.client
    }
    expect(await thrownBy(() => undoJobs(ctx, [jobId], FLAGS))).to.have.property('code', 'job_locked')
    lock?.release()
    expect(fake.lists).to.deep.equal([])
  })
})
