import { expect } from 'chai'
import { killRuns } from './killed-runs.js'

describe('shop:price killed -9 at random moments, and gone on with', () => {
  it('ends with the prices of an undisturbed run', async () => {
    const { kills } = await killRuns({ rows: 1500, kills: 4, seed: 11, longestLifeMs: 900 })
    expect(kills).to.equal(4)
  })
})
