import { expect } from 'chai'
import { killSyncs } from './killed-syncs.js'

describe('shop:sync of 600 rows, killed -9 at random moments of later edits, with damaged lists, and gone on with', function () {
  // A first run of 600 calls, then runs that read 600 items each, some of them in a process of their own.
  this.timeout(900_000)

  it('ends with a shop like the catalogue: nothing twice, no wrong price', async () => {
    const { kills, damaged } = await killSyncs({ rows: 600, edits: 30, kills: 12, seed: 21 })
    expect(kills).to.equal(12)
    expect(damaged).to.be.greaterThan(0)
  })
})
