/**
 * Growth of the price history with nightly readings of 5,000 items. A tenth of a year is read here, and a tenth of the space is
 * allowed. A whole year was measured once (2026-11-22): 0.9 MB with 5 % of the prices moved each night, 12.7 MB with all of them.
 */
import { statSync } from 'node:fs'
import { expect } from 'chai'
import { PriceReading } from '../../../src/jobs/history/index.js'
import { sequence } from '../../../src/system/random.js'
import { cleanUp, FakeClock, temporaryLedger } from '../harness.js'

const ITEMS = 5000
const NIGHTS = 36
const TENTH_OF_MB = 1024 * 1024 * 0.1
const OWNER = { profile: 'shop', userId: 7 }

describe('a tenth of a year of the price history of 5,000 items', () => {
  afterEach(cleanUp)

  /**
   * @param share of the items whose price moves each night
   * @returns by how many bytes the ledger's file grew after the first reading
   */
  const growth = (share: number): number => {
    const clock = new FakeClock()
    const ledger = temporaryLedger(clock)
    const random = sequence(13)
    const prices = Array.from({ length: ITEMS }, () => 50 + Math.floor(random() * 2000))
    const read = () => {
      clock.time += 24 * 60 * 60 * 1000
      const reading = new PriceReading(ledger, OWNER, true)
      for (const [at, price] of prices.entries()) reading.see(600_000_000 + at * 7, price)
      reading.write()
      ledger.store.foldLog()
      return statSync(ledger.path).size
    }
    const before = read()
    let after = before
    for (let night = 0; night < NIGHTS; night++) {
      for (const [at, price] of prices.entries()) {
        if (random() < share) prices[at] = Math.max(1, Math.round(price * (0.8 + random() * 0.45)))
      }
      after = read()
    }
    return after - before
  }

  it('takes less than 0.2 MB where one price in twenty moves each night', () => {
    expect(growth(0.05)).to.be.below(2 * TENTH_OF_MB)
  })

  it('takes less than 2 MB where every price moves each night', () => {
    const bytes = growth(1)
    expect(bytes).to.be.below(20 * TENTH_OF_MB)
    // Something was measured: a move takes some bytes.
    expect(bytes).to.be.above(5 * TENTH_OF_MB)
  })

  it('takes next to nothing where no price moves', () => {
    expect(growth(0)).to.be.below(0.2 * TENTH_OF_MB)
  })
})
