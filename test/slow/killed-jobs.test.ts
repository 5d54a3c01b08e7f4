import { expect } from 'chai'
import { killAddJobs, killPriceJobs, killStockJobs } from './killed-jobs.js'

describe('bulk jobs killed -9 at random moments, over a sandbox that drops connections', () => {
  it('end with the prices of an undisturbed run', async () => {
    const { kills } = await killPriceJobs({ rows: 1500, kills: 4, seed: 7, longestLifeMs: 300 })
    expect(kills).to.equal(4)
  })

  it('end with the numbers in stock of an undisturbed run', async () => {
    const { kills } = await killStockJobs({ rows: 3000, kills: 4, seed: 9, longestLifeMs: 300 })
    expect(kills).to.equal(4)
  })

  it('add no item twice', async () => {
    const { kills } = await killAddJobs({ rows: 25, kills: 3, seed: 8, longestLifeMs: 900 })
    expect(kills).to.equal(3)
  })
})
