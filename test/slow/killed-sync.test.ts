import { expect } from 'chai'
import { killSyncs } from './killed-syncs.js'

describe('shop:sync of 2,000 rows, killed -9 at random moments of later edits, and gone on with', function () {
  // A first run of 2,000 calls, then runs that read 2,000 items each, some of them in a process of their own.
  this.timeout(900_000)

  it('ends with a shop like the catalogue: nothing twice, no wrong price', async () => {
    const { kills } = await killSyncs({ rows: 2000, edits: 30, kills: 4, seed: 21 })
    expect(kills).to.equal(4)
  })
})
