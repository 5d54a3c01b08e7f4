import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { type Order, openOrders } from '../../src/jobs/ledger/orders.js'
import { openStore } from '../../src/jobs/ledger/store.js'
import { pruneLedger } from '../../src/jobs/upkeep/index.js'
import { isoOf } from '../../src/system/time.js'
import { cleanUp, FakeClock, tablesOf, temporaryDirectory, temporaryLedger } from './harness.js'

describe('who the buyers of orders are', () => {
  afterEach(cleanUp)

  it('is nowhere in the file once it is removed, also where rows were moved between pages', () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const order = (id: number, size: number) =>
      ({
        ...{
          OrderId: id,
          CreatedDate: new Date(clock.now()).toISOString(),
          LastUpdatedDate: new Date(clock.now()).toISOString(),
        },
        ...{ Buyer: { UserId: 1, FirstName: `Planted${id}`, LastName: 'x'.repeat(size) }, Items: [], SellerOrderPayments: [] },
      }) as unknown as Order
    const kept = openOrders(ledger, { profile: 'p', address: 'a', userId: 1 }, 90 * 86_400_000)
    const folder = dirname(ledger.path)
    const left = () => {
      ledger.store.foldLog()
      const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
      return new Set(files.flatMap((text) => [...text.matchAll(/Planted(\d+)/g)].map(([, id]) => Number(id))))
    }
    const all = Array.from({ length: 3000 }, (_, at) => ((at * 7919) % 3000) + 1)
    for (let round = 0; round < 4; round++) {
      for (let from = 0; from < all.length; from += 200) {
        kept.keep(all.slice(from, from + 200).map((id) => order(id, (id * 31 + round * 97) % 900)))
      }
    }
    expect(left().size).to.equal(3000)
    expect(kept.forget({ ids: all.filter((id) => id !== 7) })).to.deep.equal({ removed: 2999, marked: 0 })
    expect([...left()]).to.deep.equal([7])
    clock.time += 91 * 86_400_000
    openOrders(ledger, { profile: 'p', address: 'a', userId: 1 }, 90 * 86_400_000)
    expect([...left()]).to.deep.equal([])
  })
  const OWNER = { profile: 'p', address: 'a', userId: 1 }
  const KEPT_MS = 90 * 86_400_000
  /** Words of a person in every field of an order, those of the contract and others, at every depth. */
  const planted = (id: number, at: number): Order =>
    ({
      ...{ OrderId: id, CreatedDate: isoOf(at), LastUpdatedDate: isoOf(at), SubTotal: 100, ShippingCost: 59 },
      Buyer: { UserId: 2, Alias: 'public', FirstName: 'Planted1', CountryName: 'Sverige', BirthNumber: 'Planted2' },
      ShipTo: { Name: 'Planted3', CountryName: 'Sverige', DoorCode: 'Planted4' },
      Items: [{ ItemId: 3, Quantity: 1, UnitPrice: 100, Engraving: 'Planted5', Gift: { To: 'Planted6' } }],
      SellerOrderPayments: [
        {
          ...{ PaymentType: 'Swish', Amount: 159, PaidDate: isoOf(at), PayerName: 'Planted7' },
          ...{ Reference: 'Planted8', AdditionalInfo: [{ Key: 'phone', Value: 'Planted9' }] },
        },
      ],
      ...{ Message: 'Planted10', PickUpContact: { Name: 'Planted11' }, PurchaseOrderId: 'po-1' },
    }) as unknown as Order
  const folderHolds = (folder: string): number[] => {
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
    return [...new Set(files.flatMap((text) => [...text.matchAll(/Planted(\d+)/g)].map(([, id]) => Number(id))))]
  }
  const whatStays = {
    Buyer: { UserId: 2, Alias: 'public', CountryName: 'Sverige' },
    ShipTo: { CountryName: 'Sverige' },
    Items: [{ ItemId: 3, Quantity: 1, UnitPrice: 100 }],
    SellerOrderPayments: [{ PaymentType: 'Swish', AdditionalInfo: [], Amount: 159 }],
    PurchaseOrderId: 'po-1',
  }

  it('cannot be asked of an order that was read without it: that does not compile', () => {
    const clock = new FakeClock()
    const kept = openOrders(temporaryLedger(clock), OWNER, KEPT_MS)
    kept.keep([planted(7, clock.now())])
    const [order] = kept.each()
    const isWhole = (whole: Order | undefined) => whole?.ShipTo?.Name === 'Planted3'
    expect(isWhole(kept.list()[0])).to.equal(true)
    // @ts-expect-error An impersonal order has no name.
    expect(order?.ShipTo?.Name).to.equal(undefined)
    // @ts-expect-error Nor is it a whole one for who reads such names.
    expect(isWhole(order)).to.equal(false)
    expect(order?.ShipTo?.CountryName).to.equal('Sverige')
  })

  it('is whatever the contract does not say is about something else, until its end', () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const kept = openOrders(ledger, OWNER, KEPT_MS)
    const order = planted(70001, clock.now())
    kept.keep([order])
    expect(kept.list()).to.deep.equal([order])
    expect(JSON.stringify([...kept.each()])).to.not.include('Planted')
    kept.forget({ before: Number.MAX_SAFE_INTEGER })
    ledger.store.foldLog()
    expect(folderHolds(dirname(ledger.path))).to.deep.equal([])
    const [stays] = kept.list() as unknown as (typeof whatStays)[]
    expect(stays).to.deep.include({ ...whatStays, SellerOrderPayments: stays?.SellerOrderPayments })
    expect(stays?.SellerOrderPayments[0]).to.deep.include(whatStays.SellerOrderPayments[0])
  })

  it('stays forgotten when it is read again, was never read, or what is old is pruned', async () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const kept = openOrders(ledger, OWNER, KEPT_MS)
    kept.keep([planted(1, clock.now()), planted(2, clock.now())])
    expect(kept.forget({ ids: [1, 9] })).to.deep.equal({ removed: 1, marked: 1 })
    expect(kept.forget({ ids: [9] }), 'again').to.deep.equal({ removed: 0, marked: 0 })
    clock.time += 80 * 86_400_000
    await pruneLedger(ledger, clock.now() - 86_400_000)
    clock.time -= 80 * 86_400_000
    const again = openOrders(ledger, OWNER, KEPT_MS)
    again.keep([1, 2, 9].map((id) => planted(id, clock.now())))
    expect(again.list().map(({ OrderId, Buyer }) => [OrderId, Buyer?.FirstName])).to.deep.equal([
      ...[[1, undefined]],
      ...[[2, 'Planted1']],
      ...[[9, undefined]],
    ])
  })

  it('is removed also where the disk has no room to make its table again, and made again later', () => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const kept = openOrders(ledger, OWNER, KEPT_MS)
    for (let id = 1; id <= 500; id++) kept.keep([planted(id, clock.now())])
    ledger.store.exec(`PRAGMA max_page_count = ${ledger.store.number('PRAGMA page_count')}`)
    expect(kept.forget({ before: Number.MAX_SAFE_INTEGER }).removed).to.equal(500)
    ledger.store.foldLog()
    expect(kept.list().every(({ Buyer }) => Buyer?.FirstName === undefined)).to.equal(true)
    const later = temporaryLedger(clock, ledger.path)
    expect(later.store.all('SELECT name FROM signs')).to.deep.equal([])
    expect(folderHolds(dirname(ledger.path))).to.deep.equal([])
  })

  it('goes from the orders of version 0.3 to its own end, or for good where that is over, also in the copy of before', () => {
    const clock = new FakeClock()
    const path = join(temporaryDirectory(), 'ledger.db')
    const older = openStore(path, 'power')
    older.exec(tablesOf('0.3.0'))
    older.exec("INSERT INTO sales_shops VALUES (1, 'p', 'a', 1)")
    // As that version parted an order.
    for (const id of [1, 2, 3]) {
      const { Buyer, ShipTo, SellerOrderPayments, ...rest } = planted(id, clock.now())
      const payments = SellerOrderPayments.map(({ Reference: _, ...payment }) => ({ ...payment, AdditionalInfo: [] }))
      const body = { ...rest, SellerOrderPayments: payments, Buyer: whatStays.Buyer, ShipTo: whatStays.ShipTo }
      const times = { created_at: clock.now(), updated_at: clock.now() }
      older.insert('orders', { shop_id: 1, id, ...times, body: JSON.stringify(body) })
      const people = id === 1 ? JSON.stringify({ Buyer, ShipTo, SellerOrderPayments }) : null
      if (id !== 3)
        older.insert('order_people', { shop_id: 1, id, at: clock.now(), until_at: clock.now() + KEPT_MS, body: people })
    }
    older.close()
    const ledger = temporaryLedger(clock, path)
    const kept = openOrders(ledger, OWNER, KEPT_MS)
    expect(kept.list({ ids: [1] })).to.deep.equal([planted(1, clock.now())])
    expect(JSON.stringify(kept.list({ ids: [2, 3] }))).to.not.include('Planted')
    ledger.store.foldLog()
    expect(readFileSync(`${path}.layout-23`, 'latin1')).to.not.include('Planted')
    kept.keep([planted(2, clock.now())])
    expect(JSON.stringify(kept.list({ ids: [2] })), 'forgotten in that version').to.not.include('Planted')
    kept.forget({ before: Number.MAX_SAFE_INTEGER })
    expect(folderHolds(dirname(path))).to.deep.equal([])
  })
})
