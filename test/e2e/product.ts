/** The product out of its sources: commands run in the test's own process, one by one as they are asked for. */
import { fileURLToPath } from 'node:url'
import { Config } from '@oclif/core/config'
import type { Product } from '../../src/cli/dispatch.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))

let config: Promise<Config> | undefined

export const product: Product = {
  root,
  config() {
    config ??= Config.load({ root, userPlugins: false, devPlugins: false })
    return config
  },
  async load(id) {
    const { default: Class } = await import(`../../src/commands/${id.replaceAll(':', '/')}.ts`)
    Class.id = id
    return Class
  },
}
