import { expect } from 'chai'
import { DEFAULT_GUARDS, type Guards, KnownAuctionPrices, KnownPrices, planPrices } from '../../src/pricing/index.js'
import { said } from '../said.js'
import { readCut, shopItem } from './support.js'

const planned = async (
  known: KnownPrices,
  old: number,
  price: number,
  { allow = '', ...guards }: Partial<Guards> & { allow?: string } = {},
) => {
  const rows = await readCut(`Id,Price,_Allow\n1,${price},${allow}\n`)
  const plan = await planPrices({ rows, live: [shopItem(1, old)], guards: { ...DEFAULT_GUARDS, ...guards }, known })
  const { State, Limit, Hold } = plan.entry(0)
  return { State, Limit, Values: Hold?.Values, Reason: said({ Hold }) }
}
const pending = (price: number, state: 'queued' | 'sending' = 'queued') => {
  const known = new KnownPrices(0.5)
  known.noteMove(1, 6201, price)
  known.notePending(1, { price, jobId: 7, state })
  return known
}

describe('what the ledger knows of an item', () => {
  it('is the first price of the window, and no later one', () => {
    const known = new KnownPrices(0.5)
    known.noteMove(1, 100, 90)
    known.noteMove(1, 90, 81)
    known.noteMove(2, 0, 50)
    expect([known.of(1)?.first, known.of(2)?.first, known.of(3)]).to.deep.equal([100, 50, undefined])
  })
  it('begins anew at a step that was let through on purpose', () => {
    const known = new KnownPrices(0.5)
    known.noteMove(1, 10, 9)
    known.noteMove(1, 9, 100)
    known.noteMove(1, 100, 110)
    expect(known.of(1)?.first).to.equal(100)
    const never = new KnownPrices(null)
    never.noteMove(1, 10, 100)
    expect(never.of(1)?.first).to.equal(10)
  })
  it('is the last price under way, until a later one was carried out', () => {
    const known = pending(3720)
    known.notePending(1, { price: 4000, jobId: 8, state: 'sending' })
    expect(known.of(1)?.pending).to.deep.equal({ price: 4000, jobId: 8, state: 'sending' })
    known.noteEnded(1)
    expect(known.of(1)?.pending).to.equal(undefined)
    known.noteEnded(99)
  })
})

describe('a step that was let through on purpose', () => {
  for (const [what, from, to, first] of [
    ['is more than half and a krona', 100, 152, 152],
    ['is not half and a krona up', 100, 151, 100],
    ['is not half and a krona down', 100, 49, 100],
    ['is more than half and a krona down', 100, 48, 48],
    ['is none where no price was read', 0, 152, 152],
  ] as const) {
    it(`${what}: ${from} to ${to}`, () => {
      const known = new KnownPrices(0.5)
      known.noteMove(1, from, to)
      expect(known.of(1)?.first).to.equal(first)
    })
  }
  it('is none where the price was not read, and another is known', () => {
    const known = new KnownPrices(0.5)
    known.noteMove(1, 100, 110)
    known.noteMove(1, 0, 500)
    expect(known.of(1)).to.deep.equal({ first: 100, pending: undefined })
  })
  it('settles nothing of an item that is not known', () => {
    const known = new KnownPrices(0.5)
    known.notePending(1, { price: 5, jobId: 2, state: 'queued' })
    known.noteEnded(2)
    expect([known.of(1), known.of(2)]).to.deep.equal([{ first: 0, pending: { price: 5, jobId: 2, state: 'queued' } }, undefined])
  })
})

describe('what the ledger knows of an auction', () => {
  it('is known of each of its prices by itself', () => {
    const known = new KnownAuctionPrices(0.5)
    known.field('OpeningPrice').noteMove(1, 100, 110)
    known.field('BinPrice').notePending(1, { price: 900, jobId: 4, state: 'sending' })
    known.field('ReservedPrice').noteMove(2, 100, 900)
    expect(known.of(1)).to.deep.equal({
      OpeningPrice: { first: 100, pending: undefined },
      ReservedPrice: undefined,
      BinPrice: { first: 0, pending: { price: 900, jobId: 4, state: 'sending' } },
    })
    expect(known.of(2).ReservedPrice?.first).to.equal(900)
    expect(known.of(3)).to.deep.equal({ OpeningPrice: undefined, ReservedPrice: undefined, BinPrice: undefined })
  })
})

describe('a plan beside what the ledger knows', () => {
  it('holds a price that has drifted by more than the limit, step by step', async () => {
    const known = new KnownPrices(0.5)
    for (const [from, to] of [
      [1000, 900],
      [900, 810],
      [810, 729],
      [729, 656],
      [656, 590],
      [590, 531],
    ] as const)
      known.noteMove(1, from, to)
    expect(await planned(known, 531, 500)).to.include({ State: 'change' })
    expect(await planned(known, 531, 478)).to.deep.include({
      State: 'held',
      Limit: 'max_drift',
      Values: { First: 1000, Price: 478, Limit: 0.5, Days: 14 },
    })
    expect(await planned(known, 531, 478, { max_drift: 0.6 })).to.include({ State: 'change' })
    expect(await planned(known, 531, 478, { max_drift: null })).to.include({ State: 'change' })
    expect(await planned(known, 531, 478, { allow: '478' })).to.include({ State: 'change' })
    expect(await planned(new KnownPrices(0.5), 531, 478)).to.include({ State: 'change' })
  })
  it('lets a price go back to what it was, however far', async () => {
    const known = new KnownPrices(0.5)
    known.noteMove(1, 1000, 90)
    expect(await planned(known, 90, 1000)).to.include({ State: 'held' })
    const sale = new KnownPrices(0.95)
    sale.noteMove(1, 1000, 90)
    expect(await planned(sale, 90, 1000)).to.include({ State: 'change' })
    expect(await planned(sale, 90, 999)).to.include({ Limit: 'factor_ten' })
  })
  it('holds a row whose item has another price on the way, and names the job', async () => {
    expect(await planned(pending(3720), 6201, 6201)).to.deep.include({
      State: 'held',
      Limit: 'queued',
      Reason: 'job 7 has queued 3 720 kr, which may be set after this price. Wait for it: seller jobs:resume 7 --wait',
    })
  })
  it('names the jobs that have prices on the way in their order', async () => {
    const known = new KnownPrices(0.5)
    for (const [id, jobId] of [
      [1, 12],
      [2, 3],
      [3, 7],
    ] as const) {
      known.notePending(id, { price: 500, jobId, state: 'queued' })
    }
    known.notePending(4, { price: 500, jobId: 9, state: 'sending' })
    known.noteEnded(3)
    expect(known.queuedIn()).to.deep.equal([3, 12])
    expect(known.queuedIn(await readCut('Id,Price\n1,110\n4,110\n5,110\n'))).to.deep.equal([12])
  })
  it('sends nothing twice that is on the way', async () => {
    expect(await planned(pending(3720), 6201, 3720)).to.deep.include({
      State: 'unchanged',
      Reason: 'job 7 has queued this price already',
    })
  })
  it('plans against the live price where the queued one has come', async () => {
    expect(await planned(pending(3720), 3720, 6201)).to.deep.include({ State: 'change' })
  })
  it('holds what a stopped run was sending, even where it has come: its resume sends it again', async () => {
    for (const old of [6201, 3720])
      expect(await planned(pending(3720, 'sending'), old, 6201), String(old)).to.include({
        State: 'held',
        Reason: 'job 7 was sending 3 720 kr when it was stopped. Finish it first: seller jobs:resume 7',
      })
    expect(await planned(pending(3720, 'sending'), 6201, 3720)).to.include({ State: 'change' })
  })
  it('holds it without the live list too', async () => {
    const plan = await planPrices({ rows: await readCut('Id,Price\n1,6201\n'), guards: DEFAULT_GUARDS, known: pending(3720) })
    expect(plan.entry(0)).to.include({ State: 'held', Limit: 'queued' })
  })
})
