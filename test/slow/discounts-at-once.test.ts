import { expect } from 'chai'
import { type Home, openHome } from '../e2e/harness.js'
import { pricesOf, stock } from '../e2e/shop.js'

describe('discounts that several processes find due', function () {
  this.timeout(120_000)

  it('are begun by exactly one of them', async () => {
    const home: Home = await openHome({ sandbox: { faults: { queueDelayMs: 0 } } })
    try {
      const ids = await stock(home, [500, 600, 700])
      const rows = ids.map((id) => `${id}=${450}`)
      await home.done('shop:discount', 'Now', ...rows, '--from', 'now', '--until', '+1d', '--yes')
      const runs = await Promise.all(Array.from({ length: 4 }, () => home.spawn(['jobs:due', '--json']).done))
      expect(runs.map(({ code }) => code)).to.deep.equal([0, 0, 0, 0])
      expect(runs.map((run) => run.json().length).sort()).to.deep.equal([0, 0, 0, 1])
      expect((await home.seller('jobs:list', '--json')).json()).to.have.length(1)
      const calls = (await home.seller('calls:show', '--list', '--json')).json() as { Operation: string }[]
      expect(calls.filter(({ Operation }) => Operation === 'SetPriceOnShopItems')).to.have.length(1)
      expect(await pricesOf(home, ids)).to.deep.equal([450, 450, 450])
    } finally {
      await home.close()
    }
  })
})
