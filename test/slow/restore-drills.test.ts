import { expect } from 'chai'
import { restoreDrill } from './restore-drills.js'

describe('restore drills', function () {
  this.timeout(600_000)
  // Each loses its ledger in another way. `npm run soak -- restore` has forty.
  for (const [seed, loss] of [
    [17, 'log left'],
    [29, 'gone'],
    [27, 'present, left out'],
    [25, 'present'],
    [18, 'damaged'],
    [33, 'started again'],
  ] as const) {
    it(`seed ${seed}, ${loss}: nothing is there twice, no discount is left, and what is not known is named`, async () => {
      expect((await restoreDrill(seed)).loss).to.equal(loss)
    })
  }
})
