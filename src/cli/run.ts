/** Runs one command line on a host. Loads only what it needs: `--version` does not load the framework. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from './dispatch.js'
import type { Host } from './host.js'

/** Words that ask for the version. */
const VERSION: ReadonlySet<string> = new Set(['--version', '-v', 'version'])

/** Asks for completion instead of a command: the completion scripts run it at every Tab. */
const COMPLETE = '__complete'

/**
 * Runs one command line to its end. Never throws: an error is shown on the host's streams.
 * @param argv the words after the name of the program
 * @returns the exit code
 */
export async function run(argv: readonly string[], host: Host, product: Product): Promise<number> {
  if (VERSION.has(argv[0] ?? '')) {
    const { name, version } = JSON.parse(readFileSync(join(product.root, 'package.json'), 'utf8'))
    host.stdout.write(`${name}/${version} ${host.runtime}\n`)
    return 0
  }
  if (argv[0] === COMPLETE) {
    const { complete } = await import('./complete/complete.js')
    await complete(argv.slice(1), host, product.root)
    return 0
  }
  const { dispatch } = await import('./dispatch.js')
  return dispatch(argv, host, product)
}
