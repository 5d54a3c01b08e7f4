import { expect } from 'chai'
import { simulateYear } from '../e2e/discounts-year.js'
import { type Home, openHome } from '../e2e/harness.js'
import { pricesOf, stock } from '../e2e/shop.js'

describe('discounts whose processes are killed', function () {
  this.timeout(600_000)

  it('end with every price the normal one', async () => {
    const figures = await simulateYear({ seed: 8, discounts: 5, items: 8, days: 60, disturbance: 'kills' })
    expect(figures.disturbed, JSON.stringify(figures)).to.be.greaterThan(3)
    expect(figures.damaged).to.be.greaterThan(5)
    expect(figures.states.ended).to.be.greaterThan(1)
  })

  it('are begun by exactly one of several processes that run at once', async () => {
    const home: Home = await openHome({ sandbox: { faults: { queueDelayMs: 0 } } })
    try {
      const ids = await stock(home, [500, 600, 700])
      const rows = ids.map((id) => `${id}=${450}`)
      const made = await home.seller('shop:discount', 'Now', ...rows, '--from', 'now', '--until', '+1d', '--yes')
      expect(made.code, made.stderr).to.equal(0)
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
