import { readManifest } from '../../src/cli/manifest.js'
import { opened } from '../opened.js'
import { fuzzCommandLine } from './fuzz-command-line.js'
import { openHome } from './harness.js'
import { root } from './product.js'

// The slow tests do two thousand, with another seed.
describe('a random command line', () => {
  const home = opened(() => openHome({ sandbox: { faults: { queueDelayMs: 0 } } }))

  it('ends with a code that is promised, and never with an internal error: 200 of them', () =>
    fuzzCommandLine(home, readManifest(root), 20_261_123, 200))
})
