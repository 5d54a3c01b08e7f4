import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { type Order, openOrders } from '../../src/jobs/ledger/orders.js'
import { cleanUp, FakeClock, temporaryLedger } from './harness.js'

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
    kept.forget({ ids: all.filter((id) => id !== 7) })
    expect([...left()]).to.deep.equal([7])
    clock.time += 91 * 86_400_000
    openOrders(ledger, { profile: 'p', address: 'a', userId: 1 }, 90 * 86_400_000)
    expect([...left()]).to.deep.equal([])
  })
})
