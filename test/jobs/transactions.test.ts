import { expect } from 'chai'
import fc from 'fast-check'
import { joinSpans, type KeptSale, missingSpans, openSales } from '../../src/jobs/ledger/transactions.js'
import { findFaults, planPrune, pruneLedger } from '../../src/jobs/upkeep/index.js'
import { cleanUp, temporaryLedger } from './harness.js'

const OWNER = { profile: 'shop', address: 'https://api.example.com', userId: 7 }
const sale = (Id: number, At: number, more: Partial<KeptSale> = {}): KeptSale => ({
  ...{ Id, At, UpdatedAt: At, Amount: 100, Paid: false, Shipped: false, Rated: false, ItemId: Id * 10, Title: 'Vas "Ulla"' },
  ...{ OwnReferences: ['EX-1'], BuyerId: 1002, Buyer: 'Eva' },
  ...more,
})

describe('sales in the ledger', () => {
  afterEach(cleanUp)

  it('are given back as they were kept, by shop', async () => {
    const ledger = temporaryLedger()
    const sales = openSales(ledger, OWNER)
    const kept = [
      sale(1, 1000),
      sale(2, 2000, { Paid: true, ItemId: null, Title: null, OwnReferences: [], BuyerId: null, Buyer: null }),
      sale(4, 2000, { Shipped: true, UpdatedAt: 2500 }),
      sale(3, 3000, { Rated: true }),
    ]
    sales.keep(kept)
    const whole = kept.map((one) => ({ ...one, StartedAt: null, CategoryId: null }))
    expect(sales.list({ from: 0, to: 3000 })).to.deep.equal(whole)
    expect(sales.list({ from: 1000, to: 2000 })).to.deep.equal(whole.slice(0, 3))
    expect(sales.byIds([3, 99, 1])).to.have.deep.members([whole[0], whole[3]])
    expect(sales.list({ from: 1001, to: 1999 })).to.deep.equal([])
    for (const other of [
      { ...OWNER, profile: 'sandbox' },
      { ...OWNER, address: 'sandbox' },
      { ...OWNER, userId: 8 },
    ]) {
      expect(openSales(ledger, other).list({ from: 0, to: 9999 }), JSON.stringify(other)).to.deep.equal([])
    }
    expect(openSales(ledger, OWNER).list({ from: 0, to: 9999 })).to.have.lengthOf(4)
    expect(await findFaults(ledger.store)).to.deep.equal([])
  })

  it('are read in pages, and none is left out where one ends among sales of the same moment', () => {
    const sales = openSales(temporaryLedger(), OWNER)
    const ids = Array.from({ length: 4500 }, (_, at) => at + 1)
    sales.keep(ids.map((id) => sale(id, id < 1500 ? id : 1500)))
    expect([...sales.pages({ from: 0, to: 9999 })].map(({ length }) => length)).to.deep.equal([2000, 2000, 500])
    expect(sales.list({ from: 0, to: 9999 }).map(({ Id }) => Id)).to.deep.equal(ids)
  })

  it('are replaced by what is read of a span again: those that are gone go', () => {
    const ledger = temporaryLedger()
    const sales = openSales(ledger, OWNER)
    sales.replace({ from: 0, to: 3000 }, [sale(1, 1000), sale(2, 2000)], { from: 0, to: 2500 }, ledger.clock.now())
    expect(sales.spans()).to.deep.equal([{ from: 0, to: 2500 }])
    sales.replace(
      { from: 1500, to: 5000 },
      [sale(2, 2000, { Paid: true }), sale(3, 4000)],
      { from: 1500, to: 5000 },
      ledger.clock.now(),
    )
    sales.replace({ from: 0, to: 1400 }, [], undefined, ledger.clock.now())
    expect(sales.list({ from: 0, to: 9999 }).map(({ Id, Paid }) => [Id, Paid])).to.deep.equal([
      [2, true],
      [3, false],
    ])
    expect(sales.spans()).to.deep.equal([{ from: 0, to: 5000 }])
  })

  it('that another process read after the call was made stay', () => {
    const ledger = temporaryLedger()
    const sales = openSales(ledger, OWNER)
    const askedAt = ledger.clock.now() - 1
    sales.keep([sale(1, 1000)])
    sales.replace({ from: 0, to: 3000 }, [], { from: 0, to: 3000 }, askedAt)
    expect(sales.list({ from: 0, to: 3000 })).to.have.lengthOf(1)
  })

  it('name the items that were never asked about', async () => {
    const sales = openSales(temporaryLedger(), OWNER)
    sales.keep([sale(1, 1000), sale(2, 2000), sale(3, 3000, { ItemId: 10 }), sale(4, 4000, { ItemId: null })])
    expect(await sales.unknownItems({ from: 1500, to: 9999 })).to.deep.equal({ ids: [10, 20], firstAt: 2000 })
    sales.keepItems([{ ItemId: 10, StartedAt: null, CategoryId: null }])
    expect(await sales.unknownItems({ from: 0, to: 9999 })).to.deep.equal({ ids: [20], firstAt: 2000 })
  })

  it('go when they are old, and are then read again', async () => {
    const ledger = temporaryLedger()
    const sales = openSales(ledger, OWNER)
    sales.replace({ from: 0, to: 3000 }, [sale(1, 1000), sale(2, 2000)], { from: 0, to: 3000 }, ledger.clock.now())
    sales.keepItems([10, 20].map((ItemId) => ({ ItemId, StartedAt: 1, CategoryId: 2 })))
    expect((await planPrune(ledger, 2000)).Sales).to.equal(1)
    await pruneLedger(ledger, 2000)
    expect(sales.list({ from: 0, to: 9999 }).map(({ Id }) => Id)).to.deep.equal([2])
    sales.keep([sale(1, 1000)])
    expect(sales.list({ from: 0, to: 9999 }).map(({ StartedAt, CategoryId }) => [StartedAt, CategoryId])).to.deep.equal([
      [null, null],
      [1, 2],
    ])
    expect(missingSpans({ from: 500, to: 3000 }, sales.spans())).to.deep.equal([{ from: 500, to: 1999 }])
    expect(await findFaults(ledger.store)).to.deep.equal([])
  })

  it('are checked', async () => {
    const ledger = temporaryLedger()
    const sales = openSales(ledger, OWNER)
    sales.replace({ from: 0, to: 30 }, [sale(1, 10)], { from: 0, to: 30 }, ledger.clock.now())
    ledger.store.exec("INSERT INTO transaction_ranges VALUES (1, 20, 40); UPDATE transactions SET own_references = '['")
    expect((await findFaults(ledger.store)).map(({ Check, Where }) => [Check, Where])).to.deep.equal([
      ['sales', 'shop 1'],
      ['sales', 'shop 1'],
    ])
  })
})

describe('spans of time', () => {
  const span = fc.tuple(fc.nat(60), fc.nat(20)).map(([from, length]) => ({ from, to: from + length }))
  const instants = (spans: readonly { from: number; to: number }[]): Set<number> =>
    new Set(spans.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at)))

  it('are joined, and what is missing of one is found, instant by instant', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 6 }), span, (known, wanted) => {
        const joined = joinSpans(known)
        expect([...instants(joined)].sort((a, b) => a - b)).to.deep.equal([...instants(known)].sort((a, b) => a - b))
        for (const [at, one] of joined.entries()) if (at > 0) expect(one.from).to.be.greaterThan((joined[at - 1]?.to ?? 0) + 1)
        const covered = instants(known)
        const missing = [...instants([wanted])].filter((instant) => !covered.has(instant))
        expect([...instants(missingSpans(wanted, known))]).to.deep.equal(missing)
        for (const { from, to } of missingSpans(wanted, known)) expect(from).to.be.at.most(to)
      }),
    )
  })
})
