import { readManifest } from '../../src/cli/manifest.js'
import { fuzzCommandLine } from './fuzz-command-line.js'
import { type Home, openHome } from './harness.js'
import { root } from './product.js'

// The slow tests do two thousand, with another seed.
describe('a random command line', () => {
  let home: Home
  before(async () => {
    home = await openHome({ sandbox: { faults: { queueDelayMs: 0 } } })
  })
  after(() => home.close())

  it('ends with a code that is promised, and never with an internal error: 200 of them', () =>
    fuzzCommandLine(home, readManifest(root), 20_261_123, 200))
})
