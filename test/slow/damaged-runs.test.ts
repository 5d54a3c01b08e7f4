import { expect } from 'chai'
import { damagedRuns } from './damaged-runs.js'

describe('a service that damages its replies', function () {
  this.timeout(180_000)

  it('ends where an undisturbed one ends, with a small ledger and little memory', async () => {
    const { runs, damaged, ledgerBytes, undisturbedBytes, peakMB } = await damagedRuns({
      rows: 1500,
      additions: 15,
      seed: 20_261_121,
      share: 0.5,
    })
    expect(runs, 'it had to be resumed').to.be.above(2)
    expect(Object.keys(damaged).length, JSON.stringify(damaged)).to.be.above(5)
    expect(ledgerBytes).to.be.below(3 * undisturbedBytes)
    expect(peakMB).to.be.below(200)
  })
})
