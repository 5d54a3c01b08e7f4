import { readManifest } from '../../src/cli/manifest.js'
import { fuzzCommandLine } from '../e2e/fuzz-command-line.js'
import { openHome } from '../e2e/harness.js'
import { root } from '../e2e/product.js'
import { closing } from '../opened.js'

describe('two thousand random command lines', () => {
  it('end with codes that are promised, and never with an internal error', async () => {
    const seed = 1 + Math.floor(Math.random() * 1_000_000)
    await using home = closing(await openHome({ sandbox: { faults: { queueDelayMs: 0 } } }))
    // The seed is in the message of a failure.
    await fuzzCommandLine(home, readManifest(root), seed, 2000)
  })
})
