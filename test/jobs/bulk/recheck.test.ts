import { expect } from 'chai'
import { bulkJob, bulkRows, createBulkJob, whyRecheck } from '../../../src/jobs/bulk/index.js'
import type { BulkKind } from '../../../src/jobs/bulk/types.js'
import type { AuctionPricesSent } from '../../../src/pricing/index.js'
import { said } from '../../said.js'
import { Bench, FakeService, FORM } from './support.js'

const MINUTE = 60_000

describe('a job of prices that goes on later', () => {
  let bench: Bench
  afterEach(() => bench.close())

  describe('looks at the live list first', () => {
    const why = (jobId: number, minutes: number, retryFailed = false) =>
      whyRecheck(bench.ledger, bulkJob(bench.ledger, jobId), { now: bench.clock.now() + minutes * MINUTE, retryFailed })

    it('when it is a millisecond older than ten minutes, whatever kind of prices or numbers it sets', () => {
      bench = new Bench(FakeService.shop({ 1: 100 }))
      const rows = [{ line: 1, id: 1, price: 100, payload: {} }]
      for (const [kind, expected] of [
        ['price', 'old'],
        ['auction-price', 'old'],
        ['stock', 'old'],
        ['add-shop', undefined],
        ['add-item', undefined],
        ['remove', undefined],
      ] as const) {
        const jobId = bench.job(kind, rows, { profile: kind })
        expect([why(jobId, 10), why(jobId, 10 + 1 / MINUTE)], kind).to.deep.equal([undefined, expected])
      }
    })

    it('when a newer job may have changed what it was planned from, and not for a part of the same job', () => {
      bench = new Bench(FakeService.shop({ 1: 100 }))
      const rows = [{ line: 1, id: 1, price: 100, payload: {} }]
      const add = (kind: BulkKind, partOf?: number) => bench.job(kind, rows, { partOf })
      const [whole, other] = ['a', 'b'].map((title) => bench.ledger.jobs.create({ kind: 'sync', profile: 'shop', title }).JobId)
      const [price, stock] = [add('price', whole), add('stock', whole)]
      const alone = add('add-shop')
      expect([why(price, 1), why(stock, 1), why(alone, 1)]).to.deep.equal([undefined, undefined, undefined])
      add('remove', whole)
      expect([why(price, 1), why(stock, 1)], 'of the same job').to.deep.equal([undefined, undefined])
      const later = add('stock', other)
      expect([why(price, 1), why(stock, 1), why(later, 1)]).to.deep.equal([undefined, 'newer job', undefined])
      add('auction-price')
      expect([why(price, 1), why(stock, 1), why(later, 1)]).to.deep.equal(['newer job', 'newer job', 'newer job'])
    })

    it('when a newer job of the same shop set prices or removed items', () => {
      bench = new Bench(FakeService.shop({ 1: 100 }))
      const job = bench.price({ 1: 110 })
      bench.price({ 1: 120 }, { profile: 'another' })
      expect(why(job, 1)).to.equal(undefined)
      createBulkJob(bench.ledger, { kind: 'remove', profile: 'shop', title: 't', form: FORM, rows: [{ line: 1, id: 1 }] })
      expect(why(job, 1)).to.equal('newer job')
    })

    it('when one row was sent and one was not', () => {
      bench = new Bench(FakeService.shop({ 1: 100, 2: 100 }))
      const job = bench.price({ 1: 110, 2: 110 })
      bench.ledger.store.run('UPDATE bulk_states SET states = ?, unsent = 1, sending = 1', new Uint8Array([0, 1]))
      expect(bulkJob(bench.ledger, job).Counts).to.include({ unsent: 1, sending: 1 })
      expect(why(job, 11)).to.equal('old')
    })

    it('when rows that failed are sent again, and not where they are left', () => {
      bench = new Bench(FakeService.shop({ 1: 100, 2: 100 }))
      const job = bench.price({ 1: 110, 2: 110 })
      bench.ledger.store.run('UPDATE bulk_states SET states = ?, unsent = 0, failed = 1, retryable = 1', new Uint8Array([4, 5]))
      expect([why(job, 11, true), why(job, 11)]).to.deep.equal(['old', undefined])
    })

    it('but not with nothing to send, without old prices, or for jobs of another kind', async () => {
      bench = new Bench(FakeService.shop({ 1: 100, 2: 100 }))
      const done = bench.price({ 1: 110 })
      await bench.run(done, { wait: true })
      const blind = bench.price({ 2: 110 }, { blind: true })
      const remove = bench.job('remove', [{ line: 1, id: 1 }])
      expect([why(done, 99), why(blind, 99), why(remove, 99)]).to.deep.equal([undefined, undefined, undefined])
    })
  })

  it('holds what moved or is gone, and sends the rest', async () => {
    bench = new Bench(FakeService.shop({ 1: 100, 2: 100, 3: 100, 4: 100 }))
    const job = bench.price({ 1: 110, 2: 110, 3: 110, 4: 110 })
    bench.service.put(2, 95)
    bench.service.items.delete(3)
    bench.service.put(4, 110)
    const outcome = await bench.run(job, { wait: true, live: () => bench.service.live })
    expect([outcome.moved, outcome.verdict]).to.deep.equal([2, 'held'])
    expect([bench.service.price(1), bench.service.price(2), bench.service.price(4)]).to.deep.equal([110, 95, 110])
    expect([...bulkRows(bench.ledger, job, ['held'])].map(({ Id, Hold }) => [Id, said({ Hold })])).to.deep.equal([
      [2, 'its price was 100 kr when the plan was made; it is 95 kr now'],
      [3, 'it is no longer in the live list'],
    ])
  })

  it('reads no list where nothing is to be sent', async () => {
    bench = new Bench(FakeService.shop({ 1: 100 }))
    const job = bench.price({ 1: 110 })
    await bench.run(job)
    const outcome = await bench.run(job, { wait: true, live: () => expect.fail('the list was read') })
    expect([outcome.moved, outcome.verdict]).to.deep.equal([0, 'ok'])
  })

  it('holds numbers in stock that have changed, or that the list does not say', async () => {
    bench = new Bench(new FakeService())
    const row = (id: number, Quantity: number, old?: number) => ({
      ...{ line: id, id, payload: { Quantity }, oldPayload: old === undefined ? null : { Quantity: old } },
    })
    const rows = [row(1, 5, 3), row(2, 5, 3), row(3, 5, 3), row(4, 5, 3), row(5, 5), row(6, 5), row(7, 5, 3)]
    const jobId = bench.job('stock', rows)
    const live = [3, 5, 4, undefined, 0, 1].map((RemainingQuantity, at) => ({
      ...{ Id: at + 1, ItemType: 'ShopItem', RemainingQuantity },
    }))
    bench.service.outcome = () => ({ kind: 'quota' })
    expect((await bench.run(jobId, { live: () => live as never })).moved).to.equal(4)
    expect(bench.reasons(jobId)).to.deep.equal([
      ['unsent', null],
      ['unsent', null],
      ['held', 'its stock level was 3 when the plan was made; it is 4 now'],
      ['held', 'the live list does not say its stock level'],
      ['unsent', null],
      ['held', 'its stock level was 0 when the plan was made; it is 1 now'],
      ['held', 'it is no longer in the live list'],
    ])
  })

  it('says "none" of a price that was not there, or is not there now', async () => {
    bench = new Bench(FakeService.shop({ 1: 100, 2: 100, 3: 100 }))
    const rows = [
      { line: 1, id: 1, price: 50, oldPrice: null },
      { line: 2, id: 2, price: 50, oldPrice: 100 },
      { line: 3, id: 3, price: 50, oldPrice: null },
    ]
    const jobId = bench.job('price', rows)
    bench.service.put(2, null)
    bench.service.put(3, null)
    await bench.run(jobId, { live: () => bench.service.live })
    expect(bench.reasons(jobId)).to.deep.equal([
      ['held', 'its price was none when the plan was made; it is 100 kr now'],
      ['held', 'its price was 100 kr when the plan was made; it is none now'],
      ['queued', null],
    ])
  })

  it('sends auctions that are as planned or as the job sets them, and those whose prices were not read', async () => {
    bench = new Bench(new FakeService())
    const old = { OpeningPrice: 100, ReservedPrice: null, BinPrice: 300 }
    const set = { OpeningPrice: 120, ReservedPrice: null, BinPrice: null }
    const rows = [1, 2, 3, 4].map((id) => ({ line: id, id, payload: set, oldPayload: id === 3 ? null : old }))
    const put = (id: number, OpeningBid: number, price: number | null) =>
      bench.service.put(id, price, { ItemType: 'Auction', OpeningBid })
    put(1, 100, 300)
    put(2, 120, null)
    put(3, 7, 7)
    put(4, 120, 300)
    const jobId = bench.job('auction-price', rows)
    expect((await bench.run(jobId, { live: () => bench.service.live })).moved).to.equal(1)
    expect(bench.reasons(jobId)).to.deep.equal([
      ['ok', null],
      ['ok', null],
      ['ok', null],
      ['held', 'its price was 100 kr when the plan was made; it is 120 kr now'],
    ])
  })

  it('holds an auction whose reserve price was changed', async () => {
    bench = new Bench(new FakeService())
    const old: AuctionPricesSent = { OpeningPrice: 100, ReservedPrice: 200, BinPrice: null }
    const rows = [1, 2].map((id) => ({ line: id, id, payload: { ...old, OpeningPrice: 120 }, oldPayload: old }))
    for (const { id } of rows) bench.service.put(id, null, { ItemType: 'Auction', OpeningBid: 100, ReservePrice: 200 })
    const jobId = bench.job('auction-price', rows)
    bench.service.put(2, null, { ItemType: 'Auction', OpeningBid: 100, ReservePrice: 250 })
    const outcome = await bench.run(jobId, { live: () => bench.service.live })
    expect(outcome.moved).to.equal(1)
    const [held] = [...bulkRows(bench.ledger, jobId, ['held'])]
    expect([held?.Id, said(held)]).to.deep.equal([2, 'its price was 200 kr when the plan was made; it is 250 kr now'])
  })

  it('holds what is live by now under the own reference of a row, but for what the job itself has added', async () => {
    bench = new Bench(new FakeService())
    const rows = ['A', 'B', 'C', 'D'].map((name, at) => ({
      ...{ line: at + 2, id: 0, payload: { Title: name, Price: 5, OwnReferences: [` ${name}`, 'both'] } },
    }))
    bench.service.outcome = (call) => (call === 1 ? 'answered' : { kind: 'quota' })
    const jobId = bench.job('add-shop', rows)
    await bench.run(jobId, { concurrency: 1 })
    expect(bench.states(jobId)).to.deep.equal(['queued', 'unsent', 'unsent', 'unsent'])
    const [first] = [...bulkRows(bench.ledger, jobId, ['queued'])]
    const [before, after] = [bench.clock.time - MINUTE, bench.clock.time + MINUTE].map((time) => new Date(time).toISOString())
    const live = [
      { Id: first?.Id ?? 0, OwnReferences: ['A', 'both'], StartDate: after },
      // It was there when the job was planned.
      { Id: 2, OwnReferences: ['B'], StartDate: before },
      { Id: 3, OwnReferences: ['C '], StartDate: after },
      // Its start is not said, so it may be new.
      { Id: 4, OwnReferences: ['D'] },
      { Id: 5, StartDate: after },
    ].map((item) => ({ ItemType: 'ShopItem' as const, ...item }))
    bench.service.outcome = () => ({ kind: 'quota' })
    expect((await bench.run(jobId, { live: () => live as never })).moved).to.equal(2)
    expect([...bulkRows(bench.ledger, jobId)].map(({ State, Hold }) => [State, Hold?.Values])).to.deep.equal([
      ['queued', undefined],
      ['unsent', undefined],
      ['held', { OwnReference: 'C ', Item: 3 }],
      ['held', { OwnReference: 'D', Item: 4 }],
    ])
  })

  it('holds fields that somebody has changed, and none that the list leaves out', async () => {
    bench = new Bench(new FakeService())
    const rows = [1, 2, 3, 4, 5, 6].map((id) => ({
      ...{ line: id, id, payload: { Title: 'New', VAT: 25 }, oldPayload: { Title: 'Old', VAT: 12 } },
    }))
    const jobId = bench.job('update', rows)
    const live = [
      { Id: 1, ShortDescription: 'Old', VAT: 12 },
      { Id: 2, ShortDescription: 'New', VAT: 12 },
      { Id: 3, ShortDescription: 'Third', VAT: 12 },
      { Id: 4, ShortDescription: 'Third', VAT: 6 },
      { Id: 5, ShortDescription: 'Old' },
    ].map((item) => ({ ItemType: 'ShopItem' as const, ...item }))
    bench.service.outcome = () => ({ kind: 'quota' })
    expect((await bench.run(jobId, { live: () => live as never })).moved).to.equal(3)
    expect(bench.reasons(jobId)).to.deep.equal([
      ['unsent', null],
      ['unsent', null],
      ['held', 'its Title changed since the plan was made'],
      ['held', 'its Title, VAT changed since the plan was made'],
      ['unsent', null],
      ['held', 'it is no longer in the live list'],
    ])
  })
})
