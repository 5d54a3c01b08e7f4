/** The product out of its sources: commands run in the test's own process, each loaded when it is first asked for. */
import { fileURLToPath } from 'node:url'
import { type Product, readManifest } from '../../src/cli/manifest.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export const product: Product = {
  root,
  // Read once, not for each of some thousand runs.
  commands: readManifest(root),
  async load(id) {
    const { default: Class } = await import(`../../src/commands/${id.replaceAll(':', '/')}.js`)
    return Class
  },
}
