import { expect } from 'chai'
import { simulateYear } from '../e2e/discounts-year.js'

describe('a season of discounts', function () {
  this.timeout(240_000)

  it('ends with every price the normal one, whatever stopped, was missed or was changed by hand', async () => {
    const figures = await simulateYear({ seed: 7, discounts: 7, items: 10, days: 70, disturbance: 'stops' })
    expect(figures.disturbed, JSON.stringify(figures)).to.be.greaterThan(2)
    expect(figures.damaged).to.be.greaterThan(5)
    expect(figures.changesDuring).to.be.greaterThan(1)
    expect(figures.elsewhere).to.be.greaterThan(1)
    expect(figures.compared).to.be.greaterThan(4)
    expect(figures.states.ended).to.be.greaterThan(2)
  })
})
